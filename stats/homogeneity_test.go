package stats

import (
	"errors"
	"math"
	"testing"
)

func TestHomogeneity(t *testing.T) {
	// R: chisq.test(matrix(c(10,20,30, 20,20,20), 2, byrow=TRUE)):
	// X-squared = 5.3333, df = 2, p-value = 0.06948.
	got, err := Homogeneity([]float64{10, 20, 30}, []float64{20, 20, 20})
	if err != nil || math.Abs(got.Statistic-16.0/3) > 1e-12 || got.DF != 2 || math.Abs(got.P-math.Exp(-8.0/3)) > 1e-12 {
		t.Errorf("%+v, %v", got, err)
	}
	// An empty cell counts for nothing.
	more, err := Homogeneity([]float64{10, 0, 20, 30}, []float64{20, 0, 20, 20})
	if err != nil || more.P != got.P {
		t.Errorf("with an empty cell: %+v, %v", more, err)
	}
	if one, err := Homogeneity([]float64{3}, []float64{5}); err != nil || one.P != 1 || one.DF != 0 {
		t.Errorf("one cell: %+v, %v", one, err)
	}
	for _, c := range []struct {
		x, y []float64
		want error
	}{
		{[]float64{1}, []float64{1, 2}, ErrMismatch},
		{[]float64{0}, []float64{1}, ErrTooFew},
		{[]float64{math.Inf(1)}, []float64{1}, ErrDomain},
	} {
		if _, err := Homogeneity(c.x, c.y); !errors.Is(err, c.want) {
			t.Errorf("Homogeneity(%v, %v): %v, want %v", c.x, c.y, err, c.want)
		}
	}
}
