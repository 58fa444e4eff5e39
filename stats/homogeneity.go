package stats

import (
	"fmt"
	"math"
)

// Homogeneity tests whether two samples of counts over the same cells come from
// one distribution: Pearson's X² with as many degrees of freedom as cells that
// any unit is in, less one. It takes units as independent, so with clustered
// units it finds differences that are none.
//
// Special cases are: a single cell with units gives statistic 0, DF 0 and p = 1.
//
// Errors: ErrMismatch for a different number of cells, ErrTooFew for a sample
// without units, ErrDomain for a count that is negative or not finite.
//
// Source: Pearson 1900, Philosophical Magazine 50:157,
// doi:10.1080/14786440009463897.
func Homogeneity(x, y []float64) (Test, error) {
	if len(x) != len(y) {
		return Test{}, fmt.Errorf("%d cells and %d: want as many: %w", len(x), len(y), ErrMismatch)
	}
	nx, ny := 0.0, 0.0
	for i := range x {
		for _, v := range []float64{x[i], y[i]} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return Test{}, fmt.Errorf("count %v in cell %d: want a finite number from 0: %w", v, i, ErrDomain)
			}
		}
		nx, ny = nx+x[i], ny+y[i]
	}
	if !(nx > 0 && ny > 0) {
		return Test{}, fmt.Errorf("%v and %v units: want some of both: %w", nx, ny, ErrTooFew)
	}
	t := Test{P: 1, DF: -1, Alternative: Greater, Method: MethodChiSquaredHomogeneity}
	for i := range x {
		both := x[i] + y[i]
		if both == 0 {
			continue
		}
		t.DF++
		ex, ey := both*nx/(nx+ny), both*ny/(nx+ny)
		t.Statistic += (x[i]-ex)*(x[i]-ex)/ex + (y[i]-ey)*(y[i]-ey)/ey
	}
	if t.DF > 0 {
		t.P = math.Min(1, ChiSquaredSurvival(t.Statistic, t.DF))
	}
	return t, nil
}
