package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// shapes are the distributions that every property is checked on.
var shapes = []struct {
	name string
	draw func(r *rand.Rand) float64
}{
	{"lognormal", func(r *rand.Rand) float64 { return 0.2 * math.Exp(r.NormFloat64()) }},
	{"pareto", func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/1.1) }},
	{"bimodal", func(r *rand.Rand) float64 {
		if r.IntN(3) == 0 {
			return 30 + r.Float64()
		}
		return 0.01 + 0.001*r.Float64()
	}},
	{"constant", func(*rand.Rand) float64 { return 0.3 }},
	{"ties", func(r *rand.Rand) float64 { return float64(1 + r.IntN(9)) }},
	{"two_values", func(r *rand.Rand) float64 { return []float64{1, 100}[r.IntN(2)] }},
	{"narrow", func(r *rand.Rand) float64 { return 1e12 + r.Float64() }},
	{"nanoseconds", func(r *rand.Rand) float64 { return 1.7e18 + 1e9*float64(r.IntN(3600)) }},
	{"tiny", func(r *rand.Rand) float64 { return 1e-18 * math.Exp(r.NormFloat64()) }},
	{"subnormal", func(r *rand.Rand) float64 { return 5e-324 * float64(1+r.IntN(1000)) }},
	{"huge", func(r *rand.Rand) float64 { return 1e19 * math.Exp(3*r.NormFloat64()) }},
	{"extremes", func(r *rand.Rand) float64 { return math.Ldexp(1+r.Float64(), r.IntN(2045)-1022) }},
	{"negative", func(r *rand.Rand) float64 { return -math.Exp(r.NormFloat64()) }},
	{"normal", func(r *rand.Rand) float64 { return r.NormFloat64() }},
	{"with_zeros", func(r *rand.Rand) float64 { return max(0, r.NormFloat64()) }},
	{"both_extremes", func(r *rand.Rand) float64 {
		return math.Ldexp(1+r.Float64(), r.IntN(2045)-1022) * float64(1-2*r.IntN(2))
	}},
	{"all", func(r *rand.Rand) float64 {
		switch r.IntN(5) {
		case 0:
			return 0
		case 1:
			return math.Copysign(0, -1)
		case 2:
			return 1e-300 * r.NormFloat64()
		}
		return math.Exp(20 * r.NormFloat64())
	}},
}

var levels = []float64{0, 1e-6, 0.001, 0.01, 0.1, 0.25, 1.0 / 3, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1 - 1e-9, 1}

// sizes holds the lengths at which edge cases live.
var sizes = []int{1, 2, 3, 10, 1000, 5000}

func draws(seed uint64, n int, draw func(*rand.Rand) float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0xabcdef))
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw(r)
	}
	return xs
}

// eachSample runs f on every shape and size.
func eachSample(t *testing.T, f func(t *testing.T, xs []float64)) {
	t.Helper()
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			for _, n := range sizes {
				if testing.Short() && n > 1000 {
					continue
				}
				f(t, draws(uint64(n), n, s.draw))
			}
		})
	}
}

// type7 is the oracle: the Hyndman–Fan type 7 quantile by its definition, and
// the larger magnitude of the two order statistics it lies between.
func type7(sorted []float64, q float64) (v, magnitude float64) {
	h := q * float64(len(sorted)-1)
	k := int(math.Floor(h))
	f := h - float64(k)
	if f == 0 {
		return sorted[k], math.Abs(sorted[k])
	}
	a, b := sorted[k], sorted[k+1]
	return (1-f)*a + f*b, max(math.Abs(a), math.Abs(b))
}

func sortedCopy(xs []float64) []float64 {
	c := slices.Clone(xs)
	slices.Sort(c)
	return c
}

// rounding is the relative slack for arithmetic in tests.
const rounding = 1e-12

func newHist(t testing.TB, bits int, xs []float64) *Histogram {
	t.Helper()
	h, err := NewHistogramBits(bits)
	if err != nil {
		t.Fatal(err)
	}
	h.AddSlice(xs)
	return h
}

func must(t testing.TB, v float64, err error) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sameHist compares everything two histograms can answer.
func sameHist(t testing.TB, what string, got, want *Histogram) {
	t.Helper()
	a, b := got.Table(), want.Table()
	if a.N != b.N || a.Invalid != b.Invalid || a.Bits != b.Bits ||
		math.Float64bits(a.Min) != math.Float64bits(b.Min) || math.Float64bits(a.Max) != math.Float64bits(b.Max) {
		t.Fatalf("%s: %d values, %d invalid, %v to %v; want %d, %d, %v to %v",
			what, a.N, a.Invalid, a.Min, a.Max, b.N, b.Invalid, b.Min, b.Max)
	}
	if !slices.Equal(a.Rows, b.Rows) {
		t.Fatalf("%s: bins differ:\n%v\n%v", what, a.Rows, b.Rows)
	}
}
