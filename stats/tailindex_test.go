package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTailIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	pareto := func(n int, alpha float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 20 * math.Pow(r.Float64(), -1/alpha)
		}
		return x
	}
	for _, alpha := range []float64{0.8, 1.5, 3} {
		x := pareto(100_000, alpha)
		index, se, err := TailIndex(x)
		if err != nil || math.Abs(index-alpha) > 4*se+0.1*alpha {
			t.Errorf("Pareto %v: index %v ± %v, %v", alpha, index, se, err)
		}
		for i := range x {
			x[i] = -1e3*x[i] + 7 // neither the unit nor the side matters
		}
		if again, _, _ := TailIndex(x); math.Abs(again-index) > 1e-6*index {
			t.Errorf("another unit: %v, want %v", again, index)
		}
	}
	for name, x := range map[string][]float64{
		"all equal":       slices.Repeat([]float64{3}, 50),
		"two values":      append(slices.Repeat([]float64{0}, 25), slices.Repeat([]float64{1}, 25)...),
		"rare exceptions": append(slices.Repeat([]float64{0}, 990), slices.Repeat([]float64{1}, 10)...),
	} {
		if index, _, err := TailIndex(x); !math.IsInf(index, 1) || err != nil {
			t.Errorf("%s: %v, %v", name, index, err)
		}
	}
	_, _, err := TailIndex(make([]float64, 9))
	wantError(t, "nine values", err, ErrTooFew)
	_, _, err = TailIndex(append(make([]float64, 20), math.NaN()))
	wantError(t, "NaN", err, ErrDomain)

	e, err := MeanT(pareto(10_000, 1.5), 0.95)
	if err != nil || len(e.Warnings) != 1 || e.Warnings[0].Code != WarnHeavyTail {
		t.Errorf("mean of a Pareto tail without a variance: %+v, %v", e.Warnings, err)
	}
	for _, sigma := range []float64{0.5, 1} {
		if e, _ := MeanT(lognormal(12, 10_000, 4, sigma), 0.95); len(e.Warnings) != 0 {
			t.Errorf("lognormal with sigma %v: %+v", sigma, e.Warnings)
		}
	}
}
