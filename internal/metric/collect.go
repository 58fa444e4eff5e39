package metric

import (
	"context"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// wanted lists what a pass over a source must read for the plan.
func (p *Plan) wanted(src ingest.Source, l *ingest.Layout) ingest.Wanted {
	w := ingest.Wanted{Fields: []ingest.Field{ingest.Run}}
	if !p.SkipTimes {
		w.Fields = append(w.Fields, ingest.Start, ingest.End)
	}
	if p.ByReplica {
		w.Fields = append(w.Fields, ingest.Replica)
	}
	if p.Traffic {
		w.Fields = append(w.Fields, trafficFields...)
		for _, name := range p.Words {
			w.Words = append(w.Words, columnIndex(src, l, name))
		}
	}
	for _, it := range p.Items {
		if ok, _ := it.Metric.Available(l); !ok {
			continue
		}
		w.Fields = append(w.Fields, it.Metric.fieldsOf(l)...)
		if it.Metric.id == idGeneric {
			if col, ok := it.Metric.column(l); ok {
				w.Generic = append(w.Generic, col)
			}
		}
	}
	for _, f := range p.Facets {
		if f.Columns == nil {
			w.Fields = append(w.Fields, f.Length.field())
		}
		for _, name := range f.Columns {
			w.Words = append(w.Words, columnIndex(src, l, name))
		}
	}
	return w
}

// Collect fills the cells of every side in one pass over its files. A warm-up
// cut needs the first start of every run and so a pass over the starts before.
func Collect(ctx context.Context, inputs []Input, plan Plan, s Scan) ([]*Side, error) {
	if err := findRunStarts(ctx, inputs, s); err != nil {
		return nil, err
	}
	extract := make([][][]extractor, len(inputs)) // by side, file, item
	for i, in := range inputs {
		for _, f := range in.Files {
			extract[i] = append(extract[i], plan.extractors(f.Layout))
		}
	}
	workers, tallies, err := s.scan(ctx, inputs, &plan, func() worker {
		return &collector{plan: &plan, inputs: inputs, extract: extract, units: make([]map[string]*Unit, len(inputs))}
	})
	if err != nil {
		return nil, err
	}
	sides := make([]*Side, len(inputs))
	for i := range sides {
		side := &Side{DuplicatesChecked: inputs[i].Duplicates}
		byLabel := map[string]*Unit{}
		for _, w := range workers {
			for _, u := range sorted(w.(*collector).units[i]) {
				if have := byLabel[u.Label]; have != nil {
					if err := have.merge(u); err != nil {
						return nil, err
					}
					continue
				}
				byLabel[u.Label] = u
				side.Units = append(side.Units, u)
			}
		}
		side.sortUnits()
		side.fill(tallies[i])
		side.setSpan(&inputs[i])
		sides[i] = side
	}
	return sides, nil
}

// setSpan sets the first and last start of the side, and of a run that is
// alone on it, from the files where the records were not asked.
func (s *Side) setSpan(in *Input) {
	for _, u := range s.Units {
		if u.HasTime {
			if !s.HasTime {
				s.FirstStart, s.LastStart = u.FirstStart, u.LastStart
			}
			s.HasTime = true
			s.FirstStart, s.LastStart = min(s.FirstStart, u.FirstStart), max(s.LastStart, u.LastStart)
		}
	}
	first, last, ok := in.span()
	if s.HasTime || !ok {
		return
	}
	s.HasTime, s.FirstStart, s.LastStart = true, first, last
	if len(s.Units) == 1 {
		u := s.Units[0]
		u.HasTime, u.FirstStart, u.LastStart = true, first, last
	}
}

// findRunStarts fills in the first start of every run of the sides that cut a
// warm-up.
func findRunStarts(ctx context.Context, inputs []Input, s Scan) error {
	for i := range inputs {
		in := &inputs[i]
		if in.Warmup <= 0 || in.runStarts != nil {
			continue
		}
		all := *in
		all.Warmup, all.Duplicates = 0, false
		s.Progress = nil
		sides, err := Collect(ctx, []Input{all}, Plan{}, s)
		if err != nil {
			return err
		}
		in.runStarts = map[string]int64{}
		for _, u := range sides[0].Units {
			if u.HasTime {
				in.runStarts[u.Label] = u.FirstStart
			}
		}
	}
	return nil
}

func sorted(units map[string]*Unit) []*Unit {
	s := Side{}
	for _, u := range units {
		s.Units = append(s.Units, u)
	}
	s.sortUnits()
	return s.Units
}

// collector is the worker of Collect.
type collector struct {
	plan    *Plan
	inputs  []Input
	extract [][][]extractor
	units   []map[string]*Unit

	groups  grouper
	scratch []float64
	parts   partitioner
}

func (c *collector) unit(side, file int, label string) *Unit {
	if c.units[side] == nil {
		c.units[side] = map[string]*Unit{}
	}
	u := c.units[side][label]
	if u == nil {
		u = newUnit(label, c.plan)
		c.units[side][label] = u
	}
	u.addFile(file)
	return u
}

func (c *collector) frame(side, file int, f *ingest.Frame) error {
	for _, g := range c.groups.split(f, c.plan.ByReplica) {
		label := g.label
		if g.unlabelled {
			label = c.inputs[side].Files[file].Label
		}
		u := c.unit(side, file, label)
		u.Replica = g.replica
		count(&u.Counts, f, g.rows)
		u.times(f, g.rows)
		for i, ex := range c.extract[side][file] {
			if ex == nil {
				continue
			}
			c.add(&u.Cells[i], ex, f, g.good)
		}
		if c.plan.SLO != nil {
			u.Good += c.plan.SLO.met(f, g.good)
		}
		if len(c.plan.Facets) > 0 {
			if err := c.facets(u, side, file, f, g); err != nil {
				return err
			}
		}
		if tok := f.Col(ingest.OutputTokens); tok != nil {
			u.OutputTokens += sumTokens(f, tok, g.good)
		}
	}
	return nil
}

// add records the values of the good rows in a cell.
func (c *collector) add(cell *Cell, ex extractor, f *ingest.Frame, good []int32) {
	vals := ex(f, good, c.scratch[:0], cell)
	if cap(vals) > cap(c.scratch) && good != nil {
		c.scratch = vals
	}
	cell.Sketch.AddSlice(vals)
	if c.plan.Sums {
		cell.Sum.AddSlice(vals)
	}
}

// count tallies the reasons of rows; nil rows stand for all.
func count(c *ingest.Counts, f *ingest.Frame, rows []int32) {
	if rows == nil {
		for _, r := range f.Reasons {
			c[r]++
		}
		return
	}
	for _, i := range rows {
		c[f.Reasons[i]]++
	}
}

// times widens the unit's time span by its good and failed rows.
func (u *Unit) times(f *ingest.Frame, rows []int32) {
	start := f.Col(ingest.Start)
	if start == nil {
		return
	}
	end := f.Col(ingest.End)
	var lat *ingest.Column
	if end == nil {
		if lat = f.Col(ingest.E2E); lat == nil {
			lat = f.Col(ingest.Latency)
		}
	}
	first, last, lastEnd, any := u.FirstStart, u.LastStart, u.LastEnd, u.HasTime
	one := func(i int) {
		if why := f.Reasons[i]; why != ingest.Good && why.Outcome() != ingest.Failed {
			return
		}
		if start.StateAt(i) != ingest.Present {
			u.Untimed++
			return
		}
		any = true
		t := start.Times[i]
		first, last = min(first, t), max(last, t)
		switch {
		case end != nil && end.StateAt(i) == ingest.Present:
			lastEnd = max(lastEnd, end.Times[i])
		case lat != nil && lat.StateAt(i) == ingest.Present && f.Reasons[i] == ingest.Good:
			lastEnd = max(lastEnd, t+int64(lat.Floats[i]*1e9))
		}
	}
	if rows == nil {
		for i := range f.N {
			one(i)
		}
	} else {
		for _, i := range rows {
			one(int(i))
		}
	}
	u.FirstStart, u.LastStart, u.LastEnd, u.HasTime = first, last, lastEnd, any
}

func sumTokens(f *ingest.Frame, tok *ingest.Column, good []int32) int64 {
	var n int64
	if good == nil {
		for i, v := range tok.Floats[:f.N] {
			if tok.StateAt(i) == ingest.Present {
				n += int64(v)
			}
		}
		return n
	}
	for _, i := range good {
		if tok.StateAt(int(i)) == ingest.Present {
			n += int64(tok.Floats[i])
		}
	}
	return n
}

// group is the rows of a frame that belong to one unit.
type group struct {
	label      string
	replica    string
	unlabelled bool    // the records name no run: the file's label holds
	rows       []int32 // nil: all rows of the frame
	good       []int32 // the rows whose latencies count; nil: all rows of the frame
}

// grouper splits frames by run (and replica) without allocating.
type grouper struct {
	out   []group
	index []int32
	key   []int32
	ids   map[[2]int32]int32
	pairs [][2]int32
	start []int32
}

// split returns the groups of a frame, valid until the next call.
func (g *grouper) split(f *ingest.Frame, byReplica bool) []group {
	run := f.Col(ingest.Run)
	var replica *ingest.Column
	if byReplica {
		replica = f.Col(ingest.Replica)
	}
	g.out = g.out[:0]
	if single(run, f.N) && replica == nil {
		gr := group{unlabelled: run == nil}
		if run != nil && f.N > 0 {
			gr.label = run.Str(0)
		}
		gr.good = g.goodRows(f)
		g.out = append(g.out, gr)
		return g.out
	}
	g.number(f, run, replica)
	// Counting sort of the rows by group, good rows first within each.
	k := len(g.pairs)
	g.start = append(g.start[:0], make([]int32, 2*k+1)...)
	for i, key := range g.key {
		slot := 2 * key
		if f.Reasons[i] != ingest.Good {
			slot++
		}
		g.start[slot+1]++
	}
	for i := 1; i <= 2*k; i++ {
		g.start[i] += g.start[i-1]
	}
	g.index = slices.Grow(g.index[:0], f.N)[:f.N]
	pos := slices.Clone(g.start[:2*k])
	for i, key := range g.key {
		slot := 2 * key
		if f.Reasons[i] != ingest.Good {
			slot++
		}
		g.index[pos[slot]] = int32(i)
		pos[slot]++
	}
	for j, pair := range g.pairs {
		gr := group{
			rows: g.index[g.start[2*j]:g.start[2*j+2]],
			good: g.index[g.start[2*j]:g.start[2*j+1]],
		}
		gr.unlabelled = run == nil && replica == nil
		gr.label = word(run, pair[0])
		if replica != nil {
			if gr.label != "" {
				gr.label += "/"
			}
			gr.replica = word(replica, pair[1])
			gr.label += gr.replica
		}
		g.out = append(g.out, gr)
	}
	return g.out
}

// number gives every row the index of its (run, replica) pair.
func (g *grouper) number(f *ingest.Frame, run, replica *ingest.Column) {
	if g.ids == nil {
		g.ids = map[[2]int32]int32{}
	}
	clear(g.ids)
	g.pairs = g.pairs[:0]
	g.key = slices.Grow(g.key[:0], f.N)[:f.N]
	last, lastKey := [2]int32{-2, -2}, int32(0)
	for i := range g.key {
		pair := [2]int32{code(run, i), code(replica, i)}
		if pair != last {
			k, ok := g.ids[pair]
			if !ok {
				k = int32(len(g.pairs))
				g.ids[pair] = k
				g.pairs = append(g.pairs, pair)
			}
			last, lastKey = pair, k
		}
		g.key[i] = lastKey
	}
}

func code(c *ingest.Column, i int) int32 {
	if c == nil || c.StateAt(i) != ingest.Present {
		return -1
	}
	return c.IDs[i]
}

func word(c *ingest.Column, id int32) string {
	if c == nil || id < 0 {
		return ""
	}
	return c.Dict[id]
}

// single reports whether all rows name the same run.
func single(run *ingest.Column, n int) bool {
	if run == nil || n == 0 {
		return true
	}
	if run.State != nil {
		return false
	}
	for _, id := range run.IDs[1:n] {
		if id != run.IDs[0] {
			return false
		}
	}
	return true
}

// goodRows lists the rows whose latencies count, nil if all do.
func (g *grouper) goodRows(f *ingest.Frame) []int32 {
	bad := 0
	for _, r := range f.Reasons {
		if r != ingest.Good {
			bad++
		}
	}
	if bad == 0 {
		return nil
	}
	g.index = slices.Grow(g.index[:0], f.N)[:0]
	for i, r := range f.Reasons {
		if r == ingest.Good {
			g.index = append(g.index, int32(i))
		}
	}
	return g.index // not nil even if empty: no row counts then
}
