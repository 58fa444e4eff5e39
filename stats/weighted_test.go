package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWeightedMean(t *testing.T) {
	for _, c := range []struct {
		name string
		x, w []float64
		want float64
	}{
		{"one vote each", []float64{1, 2, 6}, nil, 3},
		{"weights", []float64{1, 2, 6}, []float64{1, 1, 2}, 3.75},
		{"a weight of 0", []float64{1, 2, 1e300}, []float64{1, 1, 0}, 1.5},
		{"large offset", []float64{1e12 + 1, 1e12 + 2, 1e12 + 3}, nil, 1e12 + 2},
		{"constant", []float64{0.1, 0.1, 0.1}, []float64{0.3, 0.3, 0.7}, 0.1},
	} {
		if got, err := WeightedMean(c.x, c.w); got != c.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct {
		name string
		x, w []float64
		want error
	}{
		{"no values", nil, nil, ErrTooFew},
		{"lengths", []float64{1}, []float64{1, 1}, ErrMismatch},
		{"NaN", []float64{1, math.NaN()}, nil, ErrDomain},
		{"negative weight", []float64{1, 2}, []float64{2, -1}, ErrDomain},
		{"infinite weight", []float64{1, 2}, []float64{2, math.Inf(1)}, ErrDomain},
		{"no weight", []float64{1, 2}, []float64{0, 0}, ErrDomain},
	} {
		_, err := WeightedMean(c.x, c.w)
		wantError(t, c.name, err, c.want)
		if _, err := LeaveOneOutMeans(c.x, c.w); err == nil {
			t.Errorf("leave-one-out, %s: no error", c.name)
		}
	}
	_, err := LeaveOneOutMeans([]float64{1, 2}, []float64{1, 0})
	wantError(t, "all weight on one", err, ErrDomain)
}

func TestLeaveOneOutMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for range 200 {
		k := 2 + r.IntN(20)
		x, w := make([]float64, k), make([]float64, k)
		for i := range x {
			x[i], w[i] = r.NormFloat64(), math.Exp(8*r.NormFloat64())
		}
		guard := slices.Clone(x)
		loo, err := LeaveOneOutMeans(x, w)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x, guard) {
			t.Fatal("the values were changed")
		}
		for i := range x {
			rest, weights := slices.Delete(slices.Clone(x), i, i+1), slices.Delete(slices.Clone(w), i, i+1)
			want, err := WeightedMean(rest, weights)
			if err != nil {
				t.Fatal(err)
			}
			within(t, "mean without one", loo[i], want, 1e-13)
		}
	}
	// With one vote each the jackknife error is s/√K.
	x := []float64{1, 2, 4, 8}
	loo, err := LeaveOneOutMeans(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, se, err := Jackknife(loo)
	if err != nil {
		t.Fatal(err)
	}
	_, variance, _ := MeanVariance(x)
	near(t, "jackknife of a mean", se, math.Sqrt(variance/4), 1e-14)
}
