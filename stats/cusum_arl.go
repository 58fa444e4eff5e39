package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// CUSUMRunLength returns the mean number of values until the first alarm of the
// two-sided CUSUM with allowance k and limit h, started at 0, for independent
// normal values with standard deviation 1 whose mean lies shift away from the
// in-control mean. shift = 0 gives the mean time between false alarms.
//
// The one-sided run lengths solve Page's integral equation (Gauss–Legendre
// Nyström, 10 nodes per unit of h and at least 40), and combine as 1/L = 1/L_up +
// 1/L_down, which is exact for these charts.
//
// It returns ErrDomain for a non-finite shift, k < 0 or h outside (0, 50], and
// ErrImpossible where the run length exceeds 1e10, too long to compute.
func CUSUMRunLength(k, h, shift float64) (float64, error) {
	if err := checkChart(k, h); err != nil {
		return 0, err
	}
	if h > 50 {
		return 0, fmt.Errorf("limit %v: want at most 50: %w", h, ErrDomain)
	}
	if math.IsNaN(shift) || math.IsInf(shift, 0) {
		return 0, fmt.Errorf("shift %v: want a finite number: %w", shift, ErrDomain)
	}
	up, err := oneSidedRunLength(k-shift, h)
	if err != nil {
		return 0, err
	}
	down, err := oneSidedRunLength(k+shift, h)
	if err != nil {
		return 0, err
	}
	l := 1 / (1/up + 1/down)
	if l > longestRun {
		return 0, fmt.Errorf("run length with allowance %v, limit %v and shift %v exceeds %.0e: %w", k, h, shift, float64(longestRun), ErrImpossible)
	}
	return l, nil
}

// longestRun is where the linear system of a run length loses its digits.
const longestRun = 1e10

// oneSidedRunLength solves L(s) = 1 + L(0)·Φ(k−s) + ∫_0^h L(t) φ(t − s + k) dt for
// L(0), where values have mean 0 and the allowance is k. It is +Inf beyond
// longestRun.
func oneSidedRunLength(k, h float64) (float64, error) {
	n := max(40, int(math.Ceil(10*h)))
	node, weight := make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(node, weight, 0, h)
	// Unknowns: L(0), then L at the nodes.
	a := mat.NewDense(n+1, n+1, nil)
	b := mat.NewVecDense(n+1, nil)
	for i := 0; i <= n; i++ {
		s := 0.0
		if i > 0 {
			s = node[i-1]
		}
		a.Set(i, 0, -NormalCDF(k-s))
		for j := range node {
			a.Set(i, j+1, -weight[j]*NormalPDF(node[j]-s+k))
		}
		a.Set(i, i, a.At(i, i)+1)
		b.SetVec(i, 1)
	}
	var l mat.VecDense
	err := l.SolveVec(a, b)
	// A system near singular is a run length near infinite: each of its rows sums
	// to the chance of an alarm.
	var condition mat.Condition
	if err != nil && !errors.As(err, &condition) {
		return 0, fmt.Errorf("run length with allowance %v and limit %v: %w: %w", k, h, err, ErrImpossible)
	}
	if v := l.AtVec(0); v >= 1 && v <= longestRun {
		return v, nil
	}
	return math.Inf(1), nil
}
