package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// fewPerPart is the mean number of rows of a part from which on they are sent to
// the parts one by one; fewer are sorted by part before.
const fewPerPart = 8

// spreader sends the good rows of a group to the parts of a facet as they come.
type spreader struct {
	all, some sketch.Scatter // by the keys of all good rows; of those with a value
	keys      []uint8
	valued    []uint8 // keys without those of rows that have no value
	parts     []*Part
	to        []*sketch.Sketch
	// Of whole frames of one unit: the counts of its parts, by item, of some facets.
	unit    *Unit
	tallies []tally
	frames  int // how many frames there were
}

// tally is the counts of an item, and the frame whose values it has.
type tally struct {
	sketch.Tally
	frame int
}

// mostTallied is of how many facets the counts of whole frames are tallied, which
// pays from two on; fewExact is one row of how many may go to a sketch that keeps
// its values.
const (
	mostTallied = 4
	fewExact    = 16
)

// spreads reports whether what a plan collects of a part is counts and sketches
// of single values: nothing that takes the rows of the part together.
func (p *Plan) spreads() bool {
	return !p.Sums && p.SLO == nil && !slices.ContainsFunc(p.Items, func(it Item) bool { return it.Metric.Kind == PerGap })
}

// spread adds the good rows of a group to the parts of facet k of its unit.
func (c *collector) spread(u *Unit, k int, f *ingest.Frame, g *group) error {
	s, facet, keys := &c.spreader, &c.plan.Facets[k], &c.parts.facets[k]
	s.key(keys, g)
	s.parts = s.parts[:0]
	for j, key := range keys.keys {
		var part *Part
		if n := s.all.Count(j); n > 0 {
			var err error
			if part, err = u.part(k, facet, key); err != nil {
				return err
			}
			part.Counts[ingest.Good] += n
		}
		s.parts = append(s.parts, part)
	}
	for i, ex := range c.items.extract {
		col := c.items.cols[i]
		if ex == nil || col == nil {
			continue
		}
		tallied := s.item(i) && g.good.list == nil && k < mostTallied && len(c.plan.Facets) > 1
		values, states := col.Floats, col.State
		if g.good.list != nil {
			c.scratch = g.good.gather(c.scratch[:0], values)
			values = c.scratch
		}
		of := &s.all
		if states != nil {
			s.mark(i, states, g)
			of = &s.some
		}
		if tallied {
			s.tally(u, k, i, values[:f.N], of.Keys())
			continue
		}
		of.AddSlice(s.to, values[:len(s.keys)])
	}
	return nil
}

// key sets the keys of the good rows of a group: of a list row by row, of spans
// those of all rows of the frame, where the others go nowhere.
func (s *spreader) key(keys *facetKeys, g *group) {
	small := keys.small()
	if g.good.list != nil {
		s.keys = slices.Grow(s.keys[:0], len(g.good.list))[:len(g.good.list)]
		for j, i := range g.good.list {
			s.keys[j] = small[i]
		}
	} else {
		s.keys = append(s.keys[:0], small...)
		for _, i := range g.bad {
			s.keys[i] = sketch.NoSketch
		}
	}
	s.all.SetKeys(s.keys)
}

// item gathers the sketches of an item of all parts, and reports whether there
// are few of them and few rows go to those that keep their values.
func (s *spreader) item(i int) (few bool) {
	s.to = s.to[:0]
	exact := int64(0)
	for j, p := range s.parts {
		var to *sketch.Sketch
		if p != nil {
			if to = p.Cells[i].Sketch; to.Exact() {
				exact += s.all.Count(j)
			}
		}
		s.to = append(s.to, to)
	}
	return exact*fewExact <= int64(len(s.keys)) && len(s.to) <= sketch.MaxTally
}

// tally records the values of an item of a frame in the sketches of a facet.
func (s *spreader) tally(u *Unit, k, item int, values []float64, keys []uint8) {
	if u != s.unit {
		s.flush()
		s.unit = u
	}
	for len(s.tallies) <= item {
		s.tallies = append(s.tallies, tally{})
	}
	t := &s.tallies[item]
	t.Bind(k, s.to)
	if t.frame != s.frames {
		t.frame = s.frames
		t.SetValues(values)
	}
	t.Add(k, keys)
}

// flush gives the parts of the unit what was tallied.
func (s *spreader) flush() {
	for i := range s.tallies {
		s.tallies[i].Flush()
		s.tallies[i].frame = 0
	}
}

// mark leaves out the rows without a value of an item, and counts them.
func (s *spreader) mark(item int, states []ingest.State, g *group) {
	s.valued = append(s.valued[:0], s.keys...)
	for j, k := range s.keys {
		i := j
		if g.good.list != nil {
			i = int(g.good.list[j])
		}
		if states[i] == ingest.Present || k == sketch.NoSketch {
			continue
		}
		s.valued[j] = sketch.NoSketch
		s.parts[k].Cells[item].without(states[i])
	}
	s.some.SetKeys(s.valued)
}
