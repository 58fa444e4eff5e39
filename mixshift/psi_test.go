package mixshift

import (
	"errors"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestPSI(t *testing.T) {
	// By hand: large counts, shares .6/.4 against .4/.6:
	// (.6−.4)·ln(1.5) + (.4−.6)·ln(2/3) = .4·ln 1.5 = .162186.
	got, err := PSI([]float64{6e9, 4e9}, []float64{4e9, 6e9})
	if err != nil || math.Abs(got-0.4*math.Log(1.5)) > 1e-8 {
		t.Errorf("PSI = %v, %v", got, err)
	}
	x, y := []float64{5, 0, 7}, []float64{1, 9, 2}
	a, _ := PSI(x, y)
	b, _ := PSI(y, x)
	if math.Abs(a-b) > 1e-15 || !(a > 0) || math.IsInf(a, 0) {
		t.Errorf("not symmetric, positive and finite: %v, %v", a, b)
	}
	if z, _ := PSI(x, x); z != 0 {
		t.Errorf("equal mixes: %v", z)
	}
	for _, c := range []struct {
		x, y []float64
		want error
	}{
		{[]float64{1}, []float64{1, 2}, stats.ErrMismatch},
		{nil, nil, stats.ErrTooFew},
		{[]float64{0}, []float64{1}, stats.ErrTooFew},
		{[]float64{math.NaN()}, []float64{1}, stats.ErrDomain},
		{[]float64{-1}, []float64{1}, stats.ErrDomain},
	} {
		if _, err := PSI(c.x, c.y); !errors.Is(err, c.want) {
			t.Errorf("PSI(%v, %v): %v, want %v", c.x, c.y, err, c.want)
		}
	}
}
