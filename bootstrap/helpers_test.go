package bootstrap

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// near reports agreement to 1e-9 relative to the larger number, or absolute
// below 1.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

func wantError(t *testing.T, err, kind error, what string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: error %v, want one wrapping %q", what, err, kind)
	}
}

func hasWarning(w []stats.Warning, code string) bool {
	return slices.ContainsFunc(w, func(v stats.Warning) bool { return v.Code == code && v.Text != "" })
}

func meanStatistic(x []float64) func([]int) float64 {
	return func(index []int) float64 {
		var s float64
		for _, i := range index {
			s += x[i] - x[0]
		}
		return x[0] + s/float64(len(index))
	}
}

func lognormal(seed uint64, n int, sigma float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Exp(4 + sigma*rng.NormFloat64())
	}
	return x
}

func ar1(seed uint64, n int, phi float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := make([]float64, n)
	z := rng.NormFloat64() / math.Sqrt(1-phi*phi)
	for i := range x {
		x[i] = z
		z = phi*z + rng.NormFloat64()
	}
	return x
}

func constant(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

func finite(e stats.Estimate) bool {
	for _, v := range []float64{e.Value, e.SE, e.Interval.Lo, e.Interval.Hi} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
