package sketch

import (
	"math/rand/v2"
	"testing"
)

// Medians of one distribution are seldom apart, and those of two that lie three errors
// from each other mostly; where half of the values are small and half are large, the
// median of one distribution may be anything in between, and is not apart either.
func TestMediansApart(t *testing.T) {
	humps := func(r *rand.Rand) float64 { return []float64{1, 100}[r.IntN(2)] * (1 + 0.01*r.Float64()) }
	shift := func(by float64) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return by + r.NormFloat64() }
	}
	for _, c := range []struct {
		why         string
		x, y        func(r *rand.Rand) float64
		least, most int // of 1000
	}{
		{"equal", shift(10), shift(10), 2, 20},
		{"two humps", humps, humps, 0, 20},
		{"shifted", shift(10), shift(10.35), 850, 1000}, // an error of a median of 400 is 0.063
	} {
		apart := 0
		for i := range uint64(1000) {
			x, y := New(0), New(0)
			x.AddSlice(draws(2*i, 400, c.x))
			y.AddSlice(draws(2*i+1, 400, c.y))
			if MediansApart(x, y, 0.93) {
				apart++
			}
		}
		if apart < c.least || apart > c.most {
			t.Errorf("%s: apart in %d of 1000, want %d to %d", c.why, apart, c.least, c.most)
		}
	}
	one := New(0)
	one.Add(3)
	if MediansApart(one, New(0), 0.93) || MediansApart(New(0), New(0), 0.93) || MediansApart(one, one, 1) {
		t.Error("without values, or at a level of 1")
	}
}
