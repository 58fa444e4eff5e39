package ingest

import (
	"math"
	"testing"
)

// sample holds numbers at which a rule may turn.
var sample = []float64{
	0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-300, .1, .5, 1 - 0x1p-53, 1, 1.5, 2, 3, 1e6, 1e6 + .25,
	1 << 51, 1<<51 + .5, 1<<51 + 1, 1 << 53, 1<<53 + 2, 1e300, math.MaxFloat64, math.Inf(1),
	-.5, -1, -1e300, -math.MaxFloat64, math.Inf(-1), math.NaN(), math.Float64frombits(0xfff8000000000001), math.Float64frombits(0x7ff0000000000001),
}

// What is said of a column is what is said of its values, wherever they stand.
func TestSound(t *testing.T) {
	rules := []struct {
		name string
		all  func([]float64) bool
		one  func(float64) bool
	}{
		{"positive", allPositive, func(v float64) bool { return v > 0 && v <= math.MaxFloat64 }},
		{"finite", allFinite, func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }},
		{"counts", allCounts, func(v float64) bool { return v > 0 && v <= 1<<51 && v == math.Trunc(v) }},
	}
	for _, r := range rules {
		for _, v := range sample {
			for at := range 3 {
				col := []float64{1, 7, 3}
				col[at] = v
				if got, want := r.all(col), r.one(v); got != want {
					t.Errorf("%s of %v: %v, want %v", r.name, col, got, want)
				}
			}
		}
		if !r.all(nil) {
			t.Errorf("%s of nothing: false", r.name)
		}
	}
}

func TestAllInOrder(t *testing.T) {
	for _, a := range sample {
		for _, b := range sample {
			got, want := allInOrder([]float64{1, a, 1}, []float64{1, b, 2}), a > 0 && b >= a && b <= math.MaxFloat64
			if got != want {
				t.Errorf("%v and %v in order: %v, want %v", a, b, got, want)
			}
		}
	}
}

func TestListBad(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 100} {
		for every := 1; every < 20; every++ {
			f := &Frame{N: n, Reasons: make([]Reason, n)}
			var want Counts
			for i := range f.Reasons {
				if i%every == every/2 {
					f.Reasons[i] = Reason(1 + i%int(NumReasons-1))
				}
				want[f.Reasons[i]]++
			}
			f.listBad()
			at := 0
			for i, why := range f.Reasons {
				if why == Good {
					continue
				}
				if at >= len(f.Bad) || f.Bad[at] != int32(i) {
					t.Fatalf("%d rows, every %d: bad rows %v, row %d is %s", n, every, f.Bad, i, why.Code())
				}
				at++
			}
			var got Counts
			if f.Count(&got); got != want || at != len(f.Bad) {
				t.Fatalf("%d rows, every %d: counts %v, want %v", n, every, got, want)
			}
		}
	}
}
