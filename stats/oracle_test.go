package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	descriptive "github.com/montanaflynn/stats"
)

// Where another library has the same definition, it is a second opinion. Its
// StandardDeviation divides by n and its Percentile takes percent; the names used
// here are those that divide by n − 1 and interpolate as type 7.
func TestDescriptiveLibraryAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for trial := range 200 {
		n := 2 + r.IntN(60)
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Exp(4 + 0.5*r.NormFloat64())
			if trial%3 == 0 {
				x[i] = math.Round(x[i] / 10) // ties
			}
		}
		mean, variance, err := MeanVariance(x)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mean", mean, one(t)(descriptive.Mean(x)), 1e-13)
		near(t, "variance", variance, one(t)(descriptive.SampleVariance(x)), 1e-11)
		for _, q := range []float64{0.01, 0.25, 0.5, 0.9, 0.99} {
			type7, err := Quantile(x, q, HF7)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "type 7", type7, one(t)(descriptive.Percentile(x, 100*q)), 1e-12)
		}
		for _, q := range []float64{0.125, 0.5, 0.75} { // no rounding in 100·q·n/100
			type1, err := Quantile(x, q, HF1)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "type 1", type1, one(t)(descriptive.PercentileNearestRank(x, 100*q)), 0)
		}
		w := make([]float64, n)
		for i := range w {
			w[i] = 1 + float64(r.IntN(4))
		}
		weighted, err := WeightedMean(x, w)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "weighted mean", weighted, one(t)(descriptive.WeightedMean(x, w)), 1e-13)
	}
}

// one unwraps a value that must come without an error.
func one(t *testing.T) func(v float64, err error) float64 {
	return func(v float64, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
