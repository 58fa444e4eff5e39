package metric

import (
	"math"
	"slices"
)

// Copies are the runs of two sides that hold the very values of another run.
type Copies struct {
	// Within lists the runs of each side that repeat an earlier run of it, Across
	// those of the first side that are on the second too.
	Within [2][]string
	Across []string
	// All tells that every run of either side is on the other.
	All bool
}

const (
	// copyPoints is at how many ranks two runs are compared.
	copyPoints = 64
	// copyDistinct is how many different values a run must have: runs of few can
	// agree by chance.
	copyDistinct = 16
)

// CopiesOf finds runs whose values agree at all ranks, of every item with a value
// per request. Runs of few different values are not compared: they can be alike
// and measured apart.
func CopiesOf(items []Item, a, b *Side) Copies {
	var c Copies
	var seen [2]map[string]bool
	all := true
	for i, s := range []*Side{a, b} {
		seen[i] = map[string]bool{}
		for _, u := range s.Units {
			key, ok := u.ranks(items)
			switch {
			case !ok:
				all = false
			case seen[i][key]:
				c.Within[i] = append(c.Within[i], u.Label)
			case i == 1 && !seen[0][key]:
				all = false
			}
			if ok {
				seen[i][key] = true
			}
		}
	}
	for _, u := range a.Units {
		if key, ok := u.ranks(items); ok && seen[1][key] {
			c.Across = append(c.Across, u.Label)
		} else {
			all = false
		}
	}
	c.All = all && len(c.Across) > 0
	return c
}

// ranks writes the values of a run at equally spaced ranks as a key; ok is false
// for a run of too few different values.
func (u *Unit) ranks(items []Item) (key string, ok bool) {
	var buf []byte
	put := func(bits uint64) {
		for range 8 {
			buf = append(buf, byte(bits))
			bits >>= 8
		}
	}
	for i, it := range items {
		s := u.Cells[i].Sketch
		if it.Metric.Kind != PerRequest || s.N() == 0 {
			continue
		}
		put(uint64(i))
		put(uint64(s.N()))
		values := make([]float64, 0, copyPoints)
		for k := range copyPoints {
			v, err := s.Quantile(float64(k) / (copyPoints - 1))
			if err != nil {
				return "", false
			}
			put(math.Float64bits(v))
			values = append(values, v)
		}
		if s.Exact() {
			values = slices.Clone(s.Sorted()) // the ranks lie between them
		}
		ok = ok || len(slices.Compact(values)) >= copyDistinct
	}
	return string(buf), ok
}
