package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// group is the rows of a frame that belong to one unit.
type group struct {
	label      string
	part       string  // of the run
	split      bool    // the run is split into parts
	unlabelled bool    // the records name no run: the file's label holds
	good       rows    // whose latencies count
	bad        []int32 // the others
}

// unit is the label of the unit that the rows belong to, in a file of a label.
func (g *group) unit(file string) string {
	label := g.label
	if g.unlabelled {
		label = file
	}
	switch {
	case !g.split:
		return label
	case label == "":
		return g.part
	}
	return label + "/" + g.part
}

// each calls fn for every row.
func (g *group) each(fn func(i int)) {
	g.good.each(fn)
	for _, i := range g.bad {
		fn(int(i))
	}
}

// count adds the reasons of the rows to c.
func (g *group) count(c *ingest.Counts, f *ingest.Frame) {
	c[ingest.Good] += int64(g.good.len())
	for _, i := range g.bad {
		c[f.Reasons[i]]++
	}
}

// grouper splits frames by run (and part of the run) without allocating.
type grouper struct {
	out   []group
	spans []span
	index []int32
	pos   []int32
	key   []int32
	ids   numbering
}

// split returns the groups of a frame, valid until the next call. within is the
// part of the run that each record belongs to, nil for whole runs.
func (g *grouper) split(f *ingest.Frame, within *ingest.Column) []group {
	run := f.Col(ingest.Run)
	g.out = g.out[:0]
	if single(run, f.N) && within == nil {
		gr := group{unlabelled: run == nil, bad: f.Bad}
		if run != nil && f.N > 0 {
			gr.label = run.Str(0)
		}
		g.spans = between(g.spans, f.N, f.Bad)
		gr.good.spans = g.spans
		g.out = append(g.out, gr)
		return g.out
	}
	g.key = slices.Grow(g.key[:0], f.N)[:f.N]
	if within == nil {
		g.ids.number(g.key, run)
	} else {
		g.ids.number(g.key, run, within)
	}
	starts := g.sort(f)
	for j := range g.ids.n {
		gr := group{
			good: rows{list: g.index[starts[2*j]:starts[2*j+1]]},
			bad:  g.index[starts[2*j+1]:starts[2*j+2]],
		}
		gr.unlabelled = run == nil
		gr.label = word(run, g.ids.code(j, 0))
		if within != nil {
			gr.split = true
			gr.part = word(within, g.ids.code(j, 1))
		}
		g.out = append(g.out, gr)
	}
	return g.out
}

// sort fills index with the rows by group, the good ones of a group first, and
// returns where either begin.
func (g *grouper) sort(f *ingest.Frame) (starts []int32) {
	n := 2 * g.ids.n
	g.pos = slices.Grow(g.pos[:0], 2*n+1)[:2*n+1]
	clear(g.pos)
	starts, next := g.pos[:n+1], g.pos[n+1:]
	for i, why := range f.Reasons {
		slot := 2 * g.key[i]
		if why != ingest.Good {
			slot++
		}
		starts[slot+1]++
	}
	for i := range n {
		starts[i+1] += starts[i]
	}
	copy(next, starts)
	g.index = slices.Grow(g.index[:0], f.N)[:f.N]
	for i, why := range f.Reasons {
		slot := 2 * g.key[i]
		if why != ingest.Good {
			slot++
		}
		g.index[next[slot]] = int32(i)
		next[slot]++
	}
	return starts
}

func word(c *ingest.Column, code int32) string {
	if c == nil || code < 0 {
		return ""
	}
	return c.Dict[code]
}

// single reports whether all rows name the same run.
func single(run *ingest.Column, n int) bool {
	if run == nil || n == 0 {
		return true
	}
	if run.State != nil {
		return false
	}
	first := run.IDs[0]
	var other int32
	for _, id := range run.IDs[1:n] {
		other |= id ^ first
	}
	return other == 0
}
