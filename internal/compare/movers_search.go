package compare

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// in is the slice of both sides.
func (t *moverTest) in(sides []*metric.Side) pair {
	return pair{sides[0].Slice(t.facet.facet, t.key), sides[1].Slice(t.facet.facet, t.key)}
}

// pair is the same requests of both sides.
type pair [2]*metric.Side

// supported reports whether both sides have enough requests.
func (c *comparer) supported(p pair) bool {
	return min(p[0].Records(), p[1].Records()) >= c.opt.MinSupport
}

// searchFacet prepares the tests of every estimand in every slice of a facet that has enough
// requests, and whose rest has, on both sides.
func (c *comparer) searchFacet(f *moverFacet) ([]moverTest, error) {
	keys := metric.Keys(c.sides, f.facet)
	var rests [2][]*metric.Side
	for s, side := range c.sides {
		var err error
		if rests[s], err = side.Rests(f.facet, keys); err != nil {
			return nil, err
		}
	}
	var out []moverTest
	for i, key := range keys {
		in := pair{c.sides[0].Slice(f.facet, key), c.sides[1].Slice(f.facet, key)}
		rest := pair{rests[0][i], rests[1][i]}
		if !c.supported(in) || !c.supported(rest) {
			continue
		}
		kin, ok := c.kinOf(f, keys, key)
		if !ok {
			continue
		}
		tests, err := c.searchSlice(in, rest)
		if err != nil {
			return nil, err
		}
		for _, t := range tests {
			t.facet, t.key, t.kin = f, key, kin
			out = append(out, t)
		}
	}
	return out, nil
}

// searchSlice prepares the test of every estimand of a slice against the rest.
func (c *comparer) searchSlice(in, rest pair) ([]moverTest, error) {
	var out []moverTest
	for i, it := range c.plan.Items {
		if it.Metric.Kind == metric.PerRun {
			continue
		}
		for _, e := range it.Estimands {
			if e.Kind == metric.Min || e.Kind == metric.Max || slices.Contains(it.LimitOnly, e) {
				continue
			}
			t, ok, err := c.moverTest(in, rest, i, e)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, t)
			}
		}
	}
	return out, nil
}

// kin are the requests about a pair's slice: those that share the word of one
// column and not that of the other, and those that share neither.
type kin struct {
	facet int
	keys  [3][]metric.Key
	sides [3]*pair
}

const (
	kinRow = iota
	kinColumn
	kinNeither
)

// kinOf returns the kin of a slice, nil for a slice of one column. ok is false if
// some of those of a pair are too few to be told from it: it is as good as a
// slice of one column.
func (c *comparer) kinOf(f *moverFacet, keys []metric.Key, key metric.Key) (out *kin, ok bool) {
	if len(f.columns) == 1 {
		return nil, true
	}
	k := &kin{facet: f.facet}
	words := key.Words()
	for _, other := range keys {
		w := other.Words()
		switch {
		case other == key:
		case w[0] == words[0]:
			k.keys[kinRow] = append(k.keys[kinRow], other)
		case w[1] == words[1]:
			k.keys[kinColumn] = append(k.keys[kinColumn], other)
		default:
			k.keys[kinNeither] = append(k.keys[kinNeither], other)
		}
	}
	for _, some := range k.keys {
		for _, side := range c.sides {
			if records(side, f.facet, some) < c.opt.MinSupport {
				return nil, false
			}
		}
	}
	return k, true
}

// records counts the records of some parts of a side.
func records(side *metric.Side, facet int, keys []metric.Key) (n int64) {
	for _, u := range side.Units {
		for _, key := range keys {
			if p := u.Facets[facet][key]; p != nil {
				n += p.Counts.Total()
			}
		}
	}
	return n
}

// parts returns some of the kin, gathered when they are first asked for, with the
// sign that they have in an interaction.
func (k *kin) parts(sides []*metric.Side, which ...int) (out []signed, err error) {
	for _, i := range which {
		if k.sides[i] == nil {
			p, err := gather(sides, k.facet, k.keys[i])
			if err != nil {
				return nil, err
			}
			k.sides[i] = &p
		}
		sign := -1.0
		if i == kinNeither {
			sign = 1
		}
		out = append(out, signed{*k.sides[i], sign})
	}
	return out, nil
}

func gather(sides []*metric.Side, facet int, keys []metric.Key) (p pair, err error) {
	for s, side := range sides {
		if p[s], err = side.Gather(facet, keys); err != nil {
			return p, err
		}
	}
	return p, nil
}
