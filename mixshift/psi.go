package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// PSI returns the population stability index of two mixes, from the counts of
// their cells: Σ (p − q)·ln(p/q) over cells, p and q the shares of x and y. It is
// 0 for equal mixes; by custom 0.1 is a small shift and 0.25 a large one. Half a
// unit is added to every cell, so that an empty one adds a finite amount.
//
// It is a description, not a test: under equal mixes its expected value is
// about (cells − 1)(1/nx + 1/ny).
//
// Errors: stats.ErrMismatch for a different number of cells, stats.ErrTooFew
// for no cells or a side without units, stats.ErrDomain for a count that is
// negative or not finite.
//
// Source: the symmetrised Kullback–Leibler divergence, Jeffreys 1946,
// doi:10.1098/rspa.1946.0056; named so in credit scoring.
func PSI(x, y []float64) (float64, error) {
	if len(x) != len(y) {
		return 0, fmt.Errorf("PSI: %d cells and %d: %w", len(x), len(y), stats.ErrMismatch)
	}
	nx, ny := 0.0, 0.0
	for i := range x {
		for _, v := range []float64{x[i], y[i]} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return 0, fmt.Errorf("PSI: count %v in cell %d: want a finite number from 0: %w", v, i, stats.ErrDomain)
			}
		}
		nx, ny = nx+x[i], ny+y[i]
	}
	if !(nx > 0 && ny > 0) {
		return 0, fmt.Errorf("PSI: %v units of x and %v of y: want some of both: %w", nx, ny, stats.ErrTooFew)
	}
	k := float64(len(x))
	psi := 0.0
	for i := range x {
		p, q := (x[i]+0.5)/(nx+k/2), (y[i]+0.5)/(ny+k/2)
		psi += (p - q) * math.Log(p/q)
	}
	return psi, nil
}
