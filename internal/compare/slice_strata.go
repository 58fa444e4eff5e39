package compare

import (
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
)

// crossedFacet is a facet of the plan that cuts critical slices by what the strata of
// the whole are made of. The words of a key are the cuts, then the columns of the
// slice, then those of the strata.
type crossedFacet struct {
	facet, cuts, columns int
}

// cross adds a facet for the critical slices of every set of columns, where changes are
// split, or may be: a slice has a traffic of its own, and prompts can grow longer in it
// while they do not in all. Of large inputs a sample says whether that is so.
func (c *comparer) cross(in Inputs) error {
	if c.strata == nil || c.opt.Unit.withinRun() {
		return nil
	}
	var facets []metric.Facet
	var of []crossedFacet
	var columns [][]string
	for _, s := range c.opt.Critical {
		if slices.ContainsFunc(columns, func(have []string) bool { return slices.Equal(have, s.Columns) }) {
			continue
		}
		if facet, ok := c.strata.crossed(s.Columns); ok {
			facet.Only = c.criticalKeys(s.Columns)
			columns, of = append(columns, s.Columns), append(of, crossedFacet{len(facets), len(facet.Cuts), len(s.Columns)})
			facets = append(facets, facet)
		}
	}
	var sample []*metric.Side
	if len(of) > 0 && c.plan.Large(in.Sides) {
		var err error
		if sample, err = metric.Sample(c.ctx, in.Sides, facets, in.Scan); err != nil {
			return err
		}
	}
	for i, f := range of {
		if sample != nil && !c.slicesDiffer(sample, f, columns[i]) {
			continue
		}
		facet := facets[f.facet]
		f.facet = len(c.plan.Facets)
		c.plan.Facets = append(c.plan.Facets, facet)
		if have := c.sliceFacet(columns[i]); have != nil {
			have.crossed = &f
		} else {
			c.slices = append(c.slices, sliceFacet{facet: -1, columns: columns[i], crossed: &f})
		}
	}
	return nil
}

// crossed is the facet of slices by strata; ok is false where the slices are strata.
func (s *strata) crossed(columns []string) (facet metric.Facet, ok bool) {
	facet = metric.Facet{Columns: slices.Clone(columns), OnlyBy: len(columns), Limit: partLimit, Bits: partBits}
	facet.Most = 10 * metric.MaxParts // of strata times critical slices, and no more
	if ok = s.factors == nil; ok {
		facet.Cuts = []metric.Cut{{Length: s.length, Bin: lengthNumber}}
	}
	for _, factor := range s.factors {
		if factor.Cut {
			facet.Cuts = append(facet.Cuts, metric.Cut{Length: factor.Length, Bin: factor.cut.Find})
		} else {
			facet.Columns = append(facet.Columns, factor.Name)
		}
		ok = ok || factor.Cut || !slices.Contains(columns, factor.Name)
	}
	return facet, ok
}

// sampleAlpha is the level of the test that the slices of a sample have the same traffic.
// It is strict since it errs at the cost of time; what counts shows in so large a sample.
const sampleAlpha = 0.001

// slicesDiffer reports whether the traffic of any critical slice does.
func (c *comparer) slicesDiffer(sides []*metric.Side, f crossedFacet, columns []string) bool {
	keys := f.bySlice(sides)
	for _, slice := range c.criticalKeys(columns) {
		x, y := c.strata.countSlice(sides, f, keys[slice])
		s := strata{mix: Mix{Strata: make([]Stratum, len(x))}}
		s.measure(x, y)
		if s.mix.Differs(sampleAlpha, c.opt.MixPSI) {
			return true
		}
	}
	return false
}

// countSlice counts the requests of a slice on both sides, by stratum.
func (s *strata) countSlice(sides []*metric.Side, f crossedFacet, keys []metric.Key) (x, y []float64) {
	if s.factors == nil {
		bins, _ := f.lengths(sides, keys)
		if _, cut := cutLengths(binCounts(bins[0], bins[1]), s.length, 0, strataOptions(nil)); cut.Cells != nil {
			for _, cell := range cut.Cells {
				x, y = append(x, cell.X), append(y, cell.Y)
			}
		}
		return x, y
	}
	for _, key := range keys {
		x, y = append(x, float64(requestsUnder(sides[0], f.facet, key))), append(y, float64(requestsUnder(sides[1], f.facet, key)))
	}
	return x, y
}

func requestsUnder(side *metric.Side, facet int, key metric.Key) (n int64) {
	for _, u := range side.Units {
		if part := u.Facets[facet][key]; part != nil {
			n += part.Requests()
		}
	}
	return n
}

// lengths counts the requests of a slice by the bin of their length, and tells whether
// some have none.
func (f *crossedFacet) lengths(sides []*metric.Side, keys []metric.Key) (bins [2]map[int]int64, unknown bool) {
	for i := range sides {
		bins[i] = map[int]int64{}
	}
	for _, key := range keys {
		n, err := strconv.Atoi(key.Words()[0])
		if err != nil {
			unknown = true
			continue
		}
		for i, side := range sides {
			if requests := requestsUnder(side, f.facet, key); requests > 0 {
				bins[i][lengthBin(n)] += requests
			}
		}
	}
	return bins, unknown
}

// lengthOffset makes numbers from 0 on of the bins of lengths: 0 is that of the length 0.
const lengthOffset = 64

func lengthNumber(v float64) (int, bool) {
	b, err := mixshift.LogBin(v, strataOptions(nil).PerOctave)
	if b == mixshift.ZeroBin {
		return 0, err == nil
	}
	return max(1, b+lengthOffset), err == nil
}

func lengthBin(number int) int {
	if number == 0 {
		return mixshift.ZeroBin
	}
	return number - lengthOffset
}

// bySlice lists the keys of every slice, in order.
func (f *crossedFacet) bySlice(sides []*metric.Side) map[metric.Key][]metric.Key {
	out := map[metric.Key][]metric.Key{}
	for _, key := range metric.Keys(sides, f.facet) {
		slice := metric.WordsKey(key.Words()[f.cuts : f.cuts+f.columns]...)
		out[slice] = append(out[slice], key)
	}
	return out
}

// stratify makes a critical slice, and splits it by strata of its own where those of the
// whole are named or the traffic of the slice differs.
func (c *comparer) stratify(p *slicePart, f *crossedFacet, keys []metric.Key) error {
	s := c.strata
	within := &strata{mix: s.mix, length: s.length, named: s.named, cell: map[metric.Key]int{}}
	within.mix.Strata = nil
	number := c.sliceStrata(within, f, keys)
	for i := range within.mix.Strata {
		within.cell[metric.Key{Bin: i}] = i
	}
	var err error
	if p.sides, err = gatherBoth(c.sides, f.facet, keys, number); err != nil {
		return err
	}
	p.runs = p.sides
	if c.whole == nil {
		p.runs = nil
	} else if !slices.Equal(c.whole, c.sides) {
		if p.runs, err = gatherBoth(c.whole, f.facet, keys, number); err != nil {
			return err
		}
	}
	if len(within.mix.Strata) == 0 {
		return nil
	}
	var requests [2][]float64
	for i, side := range p.sides {
		requests[i] = make([]float64, len(within.mix.Strata))
		for _, u := range side.Units {
			for key, part := range u.Facets[0] {
				requests[i][key.Bin] += float64(part.Requests())
			}
		}
	}
	within.measure(requests[0], requests[1])
	if within.mix.Used = s.named || s.factors != nil || c.differs(within.mix); within.mix.Used {
		p.strata = within
		// Of many slices the traffic of one differs by chance.
		clear := within.mix.Differs(c.opt.MixAlpha/float64(len(c.opt.Critical)), c.opt.MixPSI)
		p.alike = !clear && !c.differs(s.mix)
	}
	return nil
}

func gatherBoth(sides []*metric.Side, facet int, keys []metric.Key, number func(metric.Key) int) ([]*metric.Side, error) {
	var out []*metric.Side
	for _, side := range sides {
		part, err := side.GatherBy(facet, keys, number)
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// sliceStrata lists the strata of a slice, and says which of them a key of it belongs to. A
// length is cut anew, since what is thin in the slice need not be so in the whole. There
// are none where a side has no lengths.
func (c *comparer) sliceStrata(within *strata, f *crossedFacet, keys []metric.Key) func(metric.Key) int {
	s := c.strata
	if s.factors != nil {
		within.mix.Strata, within.unnamed = slices.Clone(s.mix.Strata), s.unnamed
		return func(key metric.Key) int {
			return s.cell[metric.WordsKey(slices.Delete(key.Words(), f.cuts, f.cuts+f.columns)...)]
		}
	}
	bins, unknown := f.lengths(c.sides, keys)
	own, cut := cutLengths(binCounts(bins[0], bins[1]), s.length, 0, strataOptions(nil))
	if own != nil {
		within.mix.Strata, within.unnamed = own.mix.Strata, own.unnamed
		if unknown {
			within.addUnknown(metric.Key{Bin: len(own.mix.Strata)})
		}
	}
	return func(key metric.Key) int {
		i := len(cut.Cells)
		if n, err := strconv.Atoi(key.Words()[0]); err == nil {
			i, _ = cut.Cell(lengthBin(n))
		}
		return i
	}
}
