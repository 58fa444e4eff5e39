package metric

import (
	"cmp"
	"math"
	"slices"
)

// Overlap is how the runs of two sides lie in time. It is not known (OK is false)
// where more than a few requests of a run have no start, or the run counts them from its own beginning.
type Overlap struct {
	OK bool
	// Within is the share of the runs of each side that ran together with another
	// run of it, for at least half of the shorter of the two.
	Within [2]float64
	// Across is the share of the time of each side in which the other ran too.
	Across [2]float64
}

// ownClock is 2000-01-01 in nanoseconds: earlier starts are no dates.
const ownClock = 946684800 * second

type stretchOfTime struct{ from, to int64 } // nanoseconds

// OverlapOf compares the times of the runs of two sides.
func OverlapOf(a, b *Side) Overlap {
	var of, busy [2][]stretchOfTime
	for i, s := range []*Side{a, b} {
		for _, u := range s.Units {
			if !u.Timed() || u.Histograms || u.FirstStart < ownClock {
				return Overlap{}
			}
			of[i] = append(of[i], stretchOfTime{u.FirstStart, max(u.LastStart, u.LastEnd)})
		}
		if len(of[i]) == 0 {
			return Overlap{}
		}
		slices.SortFunc(of[i], func(x, y stretchOfTime) int {
			return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
		})
		busy[i] = union(of[i])
	}
	o := Overlap{OK: true}
	both := common(busy[0], busy[1])
	for i := range of {
		if all := length(busy[i]); all > 0 {
			o.Across[i] = both / all
		}
		o.Within[i] = together(of[i])
	}
	return o
}

// together is the share of runs, in order of their start, that run with another.
func together(runs []stretchOfTime) float64 {
	with := make([]bool, len(runs))
	for i, r := range runs {
		for j := i + 1; j < len(runs) && runs[j].from < r.to; j++ {
			o := runs[j]
			shared := float64(min(r.to, o.to) - o.from)
			if shorter := math.Min(float64(r.to-r.from), float64(o.to-o.from)); shorter > 0 && shared >= shorter/2 {
				with[i], with[j] = true, true
			}
		}
	}
	n := 0
	for _, w := range with {
		if w {
			n++
		}
	}
	return float64(n) / float64(len(runs))
}

// union merges stretches in order of their start.
func union(in []stretchOfTime) (out []stretchOfTime) {
	for _, s := range in {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// common is the length of what two lists of disjoint stretches share.
func common(a, b []stretchOfTime) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if d := min(a[i].to, b[j].to) - max(a[i].from, b[j].from); d > 0 {
			sum += float64(d)
		}
		if a[i].to < b[j].to {
			i++
		} else {
			j++
		}
	}
	return sum
}

func length(in []stretchOfTime) float64 {
	sum := 0.0
	for _, s := range in {
		sum += float64(s.to - s.from)
	}
	return sum
}
