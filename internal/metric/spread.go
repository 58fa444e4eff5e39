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
}

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
		s.item(i)
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

// item gathers the sketches of an item of all parts.
func (s *spreader) item(i int) {
	s.to = s.to[:0]
	for _, p := range s.parts {
		var to *sketch.Sketch
		if p != nil {
			to = p.Cells[i].Sketch
		}
		s.to = append(s.to, to)
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
