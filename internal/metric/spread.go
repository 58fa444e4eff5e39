package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// fewPerPart is the mean number of rows of a part from which on they are sent to
// the parts one by one; fewer are sorted by part before.
const fewPerPart = 8

// fewExact is one row of how many may go to a sketch that keeps every value: such
// a row takes much longer alone than among others.
const fewExact = 32

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
	s.key(keys.at, g)
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
	var byKey [][]int32
	for i, ex := range c.items.extract {
		col := c.items.cols[i]
		if ex == nil || col == nil {
			continue
		}
		if s.item(i) {
			if byKey == nil {
				byKey = c.parts.sort(keys, g.good)
			}
			for j, list := range byKey {
				if len(list) > 0 {
					c.addItem(i, &s.parts[j].Cells[i], f, rows{list: list}, len(list))
				}
			}
			continue
		}
		values, states := col.Floats, col.State
		if g.good.list != nil {
			c.scratch = g.good.gather(c.scratch[:0], values)
			values = c.scratch
		}
		if states == nil {
			s.all.AddSlice(s.to, values[:len(s.keys)])
			continue
		}
		s.mark(i, states, g)
		s.some.AddSlice(s.to, values[:len(s.keys)])
	}
	return nil
}

// key sets the keys of the good rows of a group: of a list row by row, of spans
// those of all rows of the frame, where the others go nowhere.
func (s *spreader) key(at []int32, g *group) {
	if g.good.list != nil {
		s.keys = slices.Grow(s.keys[:0], len(g.good.list))[:len(g.good.list)]
		for j, i := range g.good.list {
			s.keys[j] = uint8(at[i])
		}
	} else {
		s.keys = slices.Grow(s.keys[:0], len(at))[:len(at)]
		for i, k := range at {
			s.keys[i] = uint8(k)
		}
		for _, i := range g.bad {
			s.keys[i] = sketch.NoSketch
		}
	}
	s.all.SetKeys(s.keys)
}

// item gathers the sketches of an item of all parts. exact tells that more than
// few rows go to sketches that still keep every value.
func (s *spreader) item(i int) (exact bool) {
	s.to = s.to[:0]
	n := int64(0)
	for j, p := range s.parts {
		var to *sketch.Sketch
		if p != nil {
			if to = p.Cells[i].Sketch; to.Exact() {
				n += s.all.Count(j)
			}
		}
		s.to = append(s.to, to)
	}
	return n*fewExact > int64(len(s.keys))
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
