package compare

import (
	"context"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Mover is what the search for moved slices found of one.
type Mover struct {
	// Relative tells that Rest and Gap are log ratios; else they are differences.
	Relative bool
	// Rest is the change of all other requests, Gap the change of the slice
	// beyond it. The interval of Gap is that of this slice alone.
	Rest, Gap Contrast
	// P is against "the slice changed as the rest did", and of a pair of columns
	// also "as the rest of either column's slice"; PAdjusted is the same after
	// Benjamini–Hochberg over all that was searched.
	P, PAdjusted float64
}

// Search is what a search for moved slices looked at.
type Search struct {
	Columns       []string
	Slices, Tests int // slices with enough requests, and tests of them
	Skipped       []SkippedColumn
	// Found counts the slices that moved otherwise than the rest; those that
	// others account for, and those beyond Options.MaxMovers, are not among the
	// results.
	Found int
}

// SkippedColumn is a column, or a pair of them, that was not searched.
type SkippedColumn struct {
	Columns []string
	Why     SkipReason
	Limit   int // the number that was too small
}

// SkipReason says why a column was not searched.
type SkipReason uint8

// The reasons.
const (
	ManyValues  SkipReason = iota // more values than a slice may have
	ManyColumns                   // more columns than are searched
)

// Sketches of the searched slices: there are many.
const (
	moverLimit = 1 << 10
	moverBits  = 8
)

// moverSearch is a search in work.
type moverSearch struct {
	Search
	facets []moverFacet
	// spreads and prior say how far slices vary from unit to unit.
	spreads map[group]float64
	prior   stats.VariancePrior
	cutoff  float64 // the p-value, unadjusted, up to which a slice moved
}

// moverFacet is a facet of the plan whose parts are searched.
type moverFacet struct {
	facet   int
	columns []string
	most    int // parts it may have
}

// planMovers adds a facet for every column that may hold slices and for every
// pair of them.
func (c *comparer) planMovers(ctx context.Context, in Inputs) error {
	if !c.opt.Movers {
		return nil
	}
	s := &moverSearch{}
	c.search = s
	names := metric.SliceColumns(in.Sides, c.opt.By)
	many, err := metric.Peek(ctx, in.Sides, names, c.opt.MoverValues)
	if err != nil {
		return err
	}
	for _, name := range names {
		switch {
		case slices.Contains(many, name):
			s.skip(ManyValues, c.opt.MoverValues, name)
		case len(s.Columns) >= c.opt.MoverColumns:
			s.skip(ManyColumns, c.opt.MoverColumns, name)
		default:
			s.Columns = append(s.Columns, name)
		}
	}
	add := func(most int, columns ...string) {
		s.facets = append(s.facets, moverFacet{len(c.plan.Facets), columns, most})
		c.plan.Facets = append(c.plan.Facets, metric.Facet{Columns: columns, Limit: moverLimit, Bits: moverBits, Most: most, Optional: true})
	}
	for _, a := range s.Columns {
		add(c.opt.MoverValues, a)
	}
	for i, a := range s.Columns {
		for _, b := range s.Columns[i+1:] {
			add(metric.MaxParts, a, b)
		}
	}
	return nil
}

func (s *moverSearch) skip(why SkipReason, limit int, columns ...string) {
	s.Skipped = append(s.Skipped, SkippedColumn{columns, why, limit})
}

// moved searches the slices for those whose change differs from that of the
// rest, and returns the results of those to show, the farthest first.
func (c *comparer) moved() ([]Result, *Search, error) {
	s := c.search
	if s == nil {
		return nil, nil, nil
	}
	s.dropFacets(c.sides[0].Dropped)
	var tests []moverTest
	for i := range s.facets {
		found, err := c.searchFacet(&s.facets[i])
		if err != nil {
			return nil, nil, err
		}
		tests = append(tests, found...)
	}
	s.fitPrior(tests)
	tests = slices.DeleteFunc(tests, func(t moverTest) bool { return !c.judge(&t) })
	s.Tests = len(tests)
	p := make([]float64, len(tests))
	for i := range tests {
		t := &tests[i]
		c.judge(t)
		if err := c.judgeKin(t); err != nil {
			return nil, nil, err
		}
		p[i] = t.p
		if i == 0 || t.facet != tests[i-1].facet || t.key != tests[i-1].key {
			s.Slices++
		}
	}
	adjusted, err := stats.BH(p)
	if err != nil {
		return nil, nil, err
	}
	var moved []moverTest
	for i := range tests {
		if tests[i].adjusted = adjusted[i]; adjusted[i] <= 1-c.opt.Level {
			moved = append(moved, tests[i])
		}
	}
	chosen, err := c.pickMovers(moved)
	if err != nil {
		return nil, nil, err
	}
	var out []Result
	for i := range chosen {
		r, err := c.moverResult(&chosen[i])
		if err != nil {
			return nil, nil, err
		}
		out = append(out, r)
	}
	return out, &s.Search, nil
}

// dropFacets leaves out the facets that turned out to have too many parts, and
// the pairs of a column that has.
func (s *moverSearch) dropFacets(dropped []bool) {
	s.facets = slices.DeleteFunc(s.facets, func(f moverFacet) bool {
		many := f.facet < len(dropped) && dropped[f.facet]
		if len(f.columns) == 1 {
			if many {
				s.Columns = slices.DeleteFunc(s.Columns, func(name string) bool { return name == f.columns[0] })
				s.skip(ManyValues, f.most, f.columns...)
			}
			return many
		}
		// The facets of single columns come first.
		both := slices.Contains(s.Columns, f.columns[0]) && slices.Contains(s.Columns, f.columns[1])
		if both && many {
			s.skip(ManyValues, f.most, f.columns...)
		}
		return !both || many
	})
}

// moverResult is the result of a slice that moved.
func (c *comparer) moverResult(t *moverTest) (Result, error) {
	whole := c.sides
	defer func() { c.sides = whole }()
	it := c.plan.Items[t.item]
	in := t.in(whole)
	c.sides = in[:]
	of := SliceOf{Columns: t.facet.columns, Values: t.key.Words()}
	c.slicing = of.String()
	defer func() { c.slicing = "" }()
	r, err := c.sliceResult(t.item, it, t.estimand, nil)
	if err != nil {
		return r, err
	}
	var rest [2]*metric.Side
	keys := metric.Keys(whole, t.facet.facet)
	others := slices.DeleteFunc(slices.Clone(keys), func(k metric.Key) bool { return k == t.key })
	for s, side := range whole {
		if rest[s], err = side.Gather(t.facet.facet, others); err != nil {
			return r, err
		}
	}
	c.sides = rest[:]
	other, err := c.sliceResult(t.item, it, t.estimand, nil)
	if err != nil {
		return r, err
	}
	r.Slice = &of
	r.Mover = &Mover{Relative: t.relative, Rest: other.Delta, Gap: t.gap, P: t.p, PAdjusted: t.adjusted}
	if t.relative {
		r.Mover.Rest = other.Log
	}
	return r, nil
}
