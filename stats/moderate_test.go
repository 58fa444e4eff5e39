package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestInverseTrigamma(t *testing.T) {
	// ψ′(1) = π²/6, ψ′(1/2) = π²/2.
	for x, y := range map[float64]float64{1: math.Pi * math.Pi / 6, 0.5: math.Pi * math.Pi / 2} {
		if got := trigamma(x); math.Abs(got-y) > 1e-12 {
			t.Errorf("trigamma(%v) = %v, want %v", x, got, y)
		}
	}
	for _, x := range []float64{1e-4, 0.01, 0.3, 1, 2.5, 40, 1e4, 1e7} {
		if got := inverseTrigamma(trigamma(x)); math.Abs(got/x-1) > 1e-6 {
			t.Errorf("inverse at %v: %v", x, got)
		}
	}
}

// Variances drawn from a prior give it back.
func TestFitVariancePriorRecovers(t *testing.T) {
	src := rand.NewPCG(1, 2)
	for _, c := range []struct{ scale, d0, df float64 }{{2, 8, 4}, {0.3, 20, 12}, {1, 4, 9}} {
		const n = 20000
		v, df := make([]float64, n), make([]float64, n)
		prior, noise := distuv.ChiSquared{K: c.d0, Src: src}, distuv.ChiSquared{K: c.df, Src: src}
		for i := range v {
			sigma2 := c.scale * c.d0 / prior.Rand()
			v[i], df[i] = sigma2*noise.Rand()/c.df, c.df
		}
		got, err := FitVariancePrior(v, df)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Scale/c.scale-1) > 0.03 || math.Abs(got.DF/c.d0-1) > 0.15 {
			t.Errorf("%+v: got %+v", c, got)
		}
	}
}

func TestFitVariancePriorSpecialCases(t *testing.T) {
	// The same variance everywhere varies less than its degrees of freedom allow.
	p, err := FitVariancePrior([]float64{2, 2, 2, 0}, []float64{4, 4, 4, 4})
	if err != nil || !math.IsInf(p.DF, 1) {
		t.Errorf("equal variances: %+v, %v", p, err)
	}
	if v, df := p.Moderate(9, 4); v != p.Scale || !math.IsInf(df, 1) {
		t.Errorf("moderated by a sure prior: %v, %v", v, df)
	}
	if v, df := (VariancePrior{}).Moderate(9, 4); v != 9 || df != 4 {
		t.Errorf("moderated by nothing: %v, %v", v, df)
	}
	if v, df := (VariancePrior{Scale: 1, DF: 4}).Moderate(3, 4); v != 2 || df != 8 {
		t.Errorf("moderated half and half: %v, %v", v, df)
	}
	for _, c := range []struct {
		v, df []float64
		want  error
	}{
		{[]float64{1}, nil, ErrMismatch},
		{[]float64{1, 1}, []float64{1, 1}, ErrTooFew},
		{[]float64{1, 0, 0}, []float64{1, 1, 1}, ErrTooFew},
		{[]float64{1, 1, -1}, []float64{1, 1, 1}, ErrDomain},
		{[]float64{1, 1, math.NaN()}, []float64{1, 1, 1}, ErrDomain},
		{[]float64{1, 1, math.Inf(1)}, []float64{1, 1, 1}, ErrDomain},
		{[]float64{1, 1, 1}, []float64{1, 1, 0}, ErrDomain},
		{[]float64{1, 1, 1}, []float64{1, 1, math.Inf(1)}, ErrDomain},
	} {
		if _, err := FitVariancePrior(c.v, c.df); !errors.Is(err, c.want) {
			t.Errorf("%v %v: error %v, want %v", c.v, c.df, err, c.want)
		}
	}
}
