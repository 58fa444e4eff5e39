package metric

import (
	"encoding/binary"
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
	alike := map[string]int{} // runs by how many values they have
	for _, s := range []*Side{a, b} {
		for _, u := range s.Units {
			alike[u.numbers(items)]++
		}
	}
	var keys [2][]string // by unit, "" for one that is no copy
	var seen [2]map[string]bool
	for i, s := range []*Side{a, b} {
		seen[i] = map[string]bool{}
		for _, u := range s.Units {
			key := ""
			if alike[u.numbers(items)] > 1 { // ranks take long to find
				key = u.ranks(items)
			}
			keys[i] = append(keys[i], key)
			if key != "" && seen[i][key] {
				c.Within[i] = append(c.Within[i], u.Label)
			}
			seen[i][key] = key != ""
		}
	}
	all := true
	for i, s := range []*Side{a, b} {
		for k, u := range s.Units {
			across := seen[1-i][keys[i][k]]
			if all = all && across; across && i == 0 {
				c.Across = append(c.Across, u.Label)
			}
		}
	}
	c.All = all && len(c.Across) > 0
	return c
}

// numbers writes how many values a run has of each item with a value per request.
func (u *Unit) numbers(items []Item) string {
	var buf []byte
	for i, it := range items {
		if it.Metric.Kind == PerRequest {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(u.Cells[i].Sketch.N()))
		}
	}
	return string(buf)
}

// ranks writes the values of a run at equally spaced ranks as a key, "" for a run of
// too few different values.
func (u *Unit) ranks(items []Item) string {
	var buf []byte
	distinct := false
	put := func(bits uint64) { buf = binary.LittleEndian.AppendUint64(buf, bits) }
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
				return ""
			}
			put(math.Float64bits(v))
			values = append(values, v)
		}
		if s.Exact() {
			values = slices.Clone(s.Sorted()) // the ranks lie between them
		}
		distinct = distinct || len(slices.Compact(values)) >= copyDistinct
	}
	if !distinct {
		return ""
	}
	return string(buf)
}
