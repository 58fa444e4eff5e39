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
	to        []*sketch.Sketch
}

// spreads reports whether what a plan collects of a part is counts and sketches
// of single values: nothing that takes the rows of the part together.
func (p *Plan) spreads() bool {
	return !p.Sums && p.SLO == nil && !slices.ContainsFunc(p.Items, func(it Item) bool { return it.Metric.Kind == PerGap })
}

// spread adds the good rows of a group to the parts of facet k of its unit.
func (c *collector) spread(u *Unit, k int, f *ingest.Frame, g *group) error {
	s, keys := &c.spreader, &c.parts.facets[k]
	s.key(keys, g)
	parts := keys.partsOf(u)
	for j, key := range keys.keys {
		n := s.all.Count(j)
		if n == 0 {
			continue
		}
		if parts[j] == nil {
			var err error
			if parts[j], err = c.part(u, k, key); err != nil {
				return err
			}
		}
		parts[j].Counts[ingest.Good] += n
	}
	for i, ex := range c.items.extract {
		col := c.items.cols[i]
		if ex == nil || col == nil {
			continue
		}
		s.item(i, parts)
		values, of := col.Floats, &s.all
		if g.good.list != nil {
			c.scratch = g.good.gather(c.scratch[:0], values)
			values = c.scratch
		}
		if col.State != nil {
			s.mark(i, parts, col.State, g)
			of = &s.some
		}
		of.AddSlice(s.to, values[:of.Len()])
	}
	return nil
}

// key sets the keys of the good rows of a group: of a list row by row, of spans
// those of all rows of the frame, where the others go nowhere.
func (s *spreader) key(keys *facetKeys, g *group) {
	small := keys.small()
	if g.good.list == nil {
		s.all.SetKeys(small)
		for _, i := range g.bad {
			s.all.Drop(int(i))
		}
		return
	}
	s.keys = slices.Grow(s.keys[:0], len(g.good.list))[:len(g.good.list)]
	for j, i := range g.good.list {
		s.keys[j] = small[i]
	}
	s.all.SetKeys(s.keys)
}

// item gathers the sketches of an item of all parts.
func (s *spreader) item(i int, parts []*Part) {
	s.to = s.to[:0]
	for _, p := range parts {
		var to *sketch.Sketch
		if p != nil {
			to = p.Cells[i].Sketch
		}
		s.to = append(s.to, to)
	}
}

// mark leaves out the rows without a value of an item, and counts them.
func (s *spreader) mark(item int, parts []*Part, states []ingest.State, g *group) {
	s.some.CopyKeys(&s.all)
	for j := range s.all.Len() {
		i := j
		if g.good.list != nil {
			i = int(g.good.list[j])
		}
		if k := s.all.Key(j); states[i] != ingest.Present && k != sketch.NoSketch {
			s.some.Drop(j)
			parts[k].Cells[item].without(states[i])
		}
	}
}
