package sketch

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// bigSum is the oracle: the sum in arithmetic wide enough to be exact.
func bigSum(xs []float64) *big.Float {
	total := new(big.Float).SetPrec(4000)
	for _, v := range xs {
		total.Add(total, new(big.Float).SetFloat64(v))
	}
	return total
}

func TestSumExact(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		exact := bigSum(xs)
		want, _ := exact.Float64()
		mean, _ := new(big.Float).SetPrec(4000).Quo(exact, big.NewFloat(float64(len(xs)))).Float64()
		var s Sum
		s.AddSlice(xs)
		if got := s.Value(); got != want {
			t.Fatalf("n %d: %v, want %v", len(xs), got, want)
		}
		if got, err := s.Mean(); err != nil || got != mean {
			t.Fatalf("n %d: mean %v (%v), want %v", len(xs), got, err, mean)
		}
		// Any order, one by one, in any grouping.
		r := rand.New(rand.NewPCG(1, uint64(len(xs))))
		mixed := slices.Clone(xs)
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		var total, part Sum
		for _, v := range mixed {
			part.Add(v)
			if r.IntN(10) == 0 {
				if err := total.Merge(&part); err != nil {
					t.Fatal(err)
				}
				part.Reset()
			}
		}
		if err := part.Merge(&total); err != nil {
			t.Fatal(err)
		}
		if part.Value() != want || part.N() != int64(len(xs)) {
			t.Fatalf("n %d: %v in another order, want %v", len(xs), part.Value(), want)
		}
	})
}

func TestSumCases(t *testing.T) {
	inf := math.Inf(1)
	cases := []struct {
		name string
		xs   []float64
		want float64
		why  string
	}{
		{"empty", nil, 0, "the empty sum"},
		{"cancels", []float64{1e308, 1, -1e308}, 1, "1 is lost in float64"},
		{"beyond", []float64{1e308, 1e308, -1e308}, 1e308, "an intermediate sum overflows float64"},
		{"overflow", []float64{1e308, 1e308}, inf, "the exact sum is out of range"},
		{"negative", []float64{-1e308, -1e308}, -inf, "the same below"},
		{"tie_even", []float64{1 << 53, 1}, 1 << 53, "half way: ties to even"},
		{"above_tie", []float64{1 << 53, 1, 5e-324}, 1<<53 + 2, "a trace above half way"},
		{"subnormal", []float64{5e-324, 5e-324, -5e-324}, 5e-324, "the smallest number"},
		{"zero", []float64{0, math.Copysign(0, -1), 3, -3}, 0, "nothing left"},
	}
	for _, c := range cases {
		var s Sum
		s.AddSlice(c.xs)
		if got := s.Value(); got != c.want {
			t.Errorf("%s: %v, want %v: %s", c.name, got, c.want, c.why)
		}
	}
	var s Sum
	s.AddSlice([]float64{1, math.NaN(), inf, -inf})
	s.Add(math.NaN())
	if s.N() != 1 || s.Invalid() != 4 || s.Value() != 1 {
		t.Errorf("n %d invalid %d sum %v", s.N(), s.Invalid(), s.Value())
	}
	if _, err := new(Sum).Mean(); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if err := s.Merge(nil); err != nil || s.N() != 1 {
		t.Error(err)
	}
	if err := s.Merge(&s); err != nil || s.Value() != 2 {
		t.Error(err, s.Value())
	}
	if m, err := (&Sum{}).Mean(); err == nil {
		t.Error(m)
	}
	var big Sum
	big.AddSlice([]float64{math.MaxFloat64, math.MaxFloat64})
	if m, err := big.Mean(); err != nil || m != math.MaxFloat64 {
		t.Errorf("mean %v: the sum overflows, the mean does not", m)
	}
}
