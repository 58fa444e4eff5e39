package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// examined is how many slices that moved are looked at, the farthest first.
const examined = 200

// pickMovers chooses which of the slices that moved are shown: each once, with
// the estimand that moved farthest, and none that others account for.
func (c *comparer) pickMovers(moved []moverTest) ([]moverTest, error) {
	// Where Benjamini–Hochberg draws the line between p-values.
	c.search.cutoff = (1 - c.opt.Level) * float64(len(moved)) / float64(max(1, c.search.Tests))
	slices.SortStableFunc(moved, farther)
	var each []moverTest
	for _, t := range moved {
		if !slices.ContainsFunc(each, func(o moverTest) bool { return o.facet == t.facet && o.key == t.key }) {
			each = append(each, t)
		}
	}
	c.search.Found = len(each)
	var chosen []moverTest
	for i := range each[:min(examined, len(each))] {
		t := &each[i]
		if len(chosen) == c.opt.MaxMovers {
			break
		}
		explained, err := c.explained(t, chosen)
		if err != nil {
			return nil, err
		}
		if !explained {
			chosen = append(chosen, *t)
		}
	}
	// A slice may only lie far from the rest because the rest holds one that
	// moved and was found later. Those that moved least themselves go first.
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(chosen[a].own), math.Abs(chosen[b].own)) })
	gone := make([]bool, len(chosen))
	for _, i := range order {
		var others []moverTest
		for j := range chosen {
			if j != i && !gone[j] {
				others = append(others, chosen[j])
			}
		}
		var err error
		if gone[i], err = c.explained(&chosen[i], others); err != nil {
			return nil, err
		}
	}
	var out []moverTest
	for i := range chosen {
		if !gone[i] {
			out = append(out, chosen[i])
		}
	}
	return out, nil
}

// farther orders tests by how far the slice lies from the rest at least, then by
// how far it moved itself: a slice and all others lie equally far apart.
func farther(a, b moverTest) int {
	rank := func(t moverTest) int {
		if t.ranked {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), -cmp.Compare(a.least(), b.least()), -cmp.Compare(math.Abs(a.own), math.Abs(b.own)))
}

// least is the least distance from the rest that the interval of the gap allows,
// rounded, so that a slice and all others tie.
func (t *moverTest) least() float64 {
	least := math.Max(0, math.Max(t.gap.Lo, -t.gap.Hi))
	return math.Round(least*1e9) / 1e9
}

// explained reports whether one of the chosen slices accounts for a slice: once
// the requests of the chosen are taken out of it and of the rest, what remains
// would not have been found, or is too little.
func (c *comparer) explained(t *moverTest, chosen []moverTest) (bool, error) {
	for i := range chosen {
		yes, err := c.explains(&chosen[i], t)
		if yes || err != nil {
			return yes, err
		}
	}
	return false, nil
}

// explains is explained by one slice. Slices whose columns are in no facet
// together cannot be taken out of each other.
func (c *comparer) explains(s, t *moverTest) (bool, error) {
	f := c.facetOf(s.facet.columns, t.facet.columns)
	if f == nil {
		return false, nil
	}
	var slice, rest []metric.Key
	some := false // of the slice lies within s
	for _, key := range metric.Keys(c.sides, f.facet) {
		inS, inT := s.holds(f, key), t.holds(f, key)
		switch {
		case inS:
			some = some || inT
		case inT:
			slice = append(slice, key)
		default:
			rest = append(rest, key)
		}
	}
	if some && len(slice) == 0 {
		return false, nil // t lies within s, and was found to have moved otherwise
	}
	if len(slice) == 0 || len(rest) == 0 {
		return true, nil
	}
	in, err := gather(c.sides, f.facet, slice)
	if err != nil {
		return false, err
	}
	others, err := gather(c.sides, f.facet, rest)
	if err != nil {
		return false, err
	}
	if !c.supported(in) || !c.supported(others) {
		return true, nil
	}
	left, ok, err := c.moverTest(in, others, t.item, t.estimand)
	if err != nil {
		return false, err
	}
	ok = ok && c.judge(&left)
	return !ok || left.p > c.search.cutoff || (left.gap.Value > 0) != (t.gap.Value > 0), nil
}

// facetOf finds the facet that has the columns of both lists and no other.
func (c *comparer) facetOf(a, b []string) *moverFacet {
	all := slices.Concat(a, b)
	slices.Sort(all)
	all = slices.Compact(all)
	for i := range c.search.facets {
		f := &c.search.facets[i]
		if slices.Equal(slices.Sorted(slices.Values(f.columns)), all) {
			return f
		}
	}
	return nil
}

// holds reports whether a part of a facet lies within the slice.
func (t *moverTest) holds(f *moverFacet, key metric.Key) bool {
	words, own := key.Words(), t.key.Words()
	for i, column := range t.facet.columns {
		if words[slices.Index(f.columns, column)] != own[i] {
			return false
		}
	}
	return true
}
