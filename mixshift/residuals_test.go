package mixshift

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// The squares of independent residuals add up to the variance that
// post-stratification has by its own formula, and the residuals to 0.
func TestResidualsArePostStratified(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	weight, count := []float64{.2, .5, 0, .3}, []float64{7, 2, 40, 11}
	x := make([][]float64, len(weight))
	value, strata := make([]float64, len(weight)), make([]PostStratum, len(weight))
	n, whole := 0.0, 0.0
	for h, c := range count {
		for range int(c) {
			x[h] = append(x[h], math.Exp(float64(h)+rng.NormFloat64()))
		}
		m, v, err := stats.MeanVariance(x[h])
		if err != nil {
			t.Fatal(err)
		}
		value[h], strata[h] = m, PostStratum{N: int(c), Mean: m, Variance: v, Share: weight[h]}
		n, whole = n+c, whole+weight[h]*m
	}
	r := ok1(NewResiduals(weight, count, value, whole))(t)
	sum, squares := 0.0, 0.0
	for h := range x {
		for _, v := range x[h] {
			d := r.Scale[h] * (v - r.Center[h]) / n
			sum, squares = sum+d, squares+d*d
		}
	}
	want := ok1(PostStratify(strata, .95))(t)
	near(t, "value", want.Value, whole, 1e-12)
	near(t, "sum of residuals", sum, 0, 1e-12)
	near(t, "standard error", math.Sqrt(squares), want.SE, 1e-12)
}

// A share is a mean of ones and zeros.
func TestShareStratum(t *testing.T) {
	_, v, err := stats.MeanVariance([]float64{1, 0, 0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if s := ShareStratum(5, .6, .25); s.N != 5 || s.Mean != .6 || s.Share != .25 || math.Abs(s.Variance-v) > 1e-15 {
		t.Errorf("%+v, want the variance %v", s, v)
	}
	if s := ShareStratum(1, 1, 1); s.Variance != 0 {
		t.Errorf("a single unit has the variance %v", s.Variance)
	}
}

func TestResidualsSpecialCases(t *testing.T) {
	r := ok1(NewResiduals([]float64{.5, .5, 0}, []float64{1, 3, 0}, []float64{1, .5, math.NaN()}, .75))(t)
	if r.Center[0] != .75 || r.Scale[0] != 2 {
		t.Errorf("a single unit: %+v", r)
	}
	if r.Center[1] != .5 || math.Abs(r.Scale[1]-.5*4/3*math.Sqrt(1.5)) > 1e-15 {
		t.Errorf("three units: %+v", r)
	}
	if r.Scale[2] != 0 {
		t.Errorf("no weight: %+v", r)
	}
	for _, c := range []struct {
		weight, count, value []float64
		want                 error
	}{
		{[]float64{1}, []float64{1, 2}, []float64{1}, stats.ErrMismatch},
		{[]float64{1}, []float64{1}, nil, stats.ErrMismatch},
		{[]float64{-1}, []float64{1}, []float64{1}, stats.ErrDomain},
		{[]float64{1}, []float64{math.NaN()}, []float64{1}, stats.ErrDomain},
		{[]float64{math.Inf(1)}, []float64{1}, []float64{1}, stats.ErrDomain},
		{[]float64{1}, []float64{0}, []float64{1}, stats.ErrDomain},
		{[]float64{1}, []float64{1}, []float64{math.NaN()}, stats.ErrDomain},
	} {
		if _, err := NewResiduals(c.weight, c.count, c.value, 0); !errors.Is(err, c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}
