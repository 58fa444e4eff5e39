package stats

import (
	"fmt"
	"math"
)

// MeanT estimates the mean of x with Student's t interval, n−1 degrees of
// freedom.
//
// Special cases are: equal values give the interval [mean, mean], SE 0 and the
// warning no_variance; from 1,000 values on, a TailIndex below 2 by more than its
// standard error gives the warning heavy_tail.
//
// Errors: ErrTooFew for fewer than 2 values, ErrDomain for a value that is not
// finite or a level outside (0, 1).
//
// Source: Student 1908, doi:10.1093/biomet/6.1.1.
func MeanT(x []float64, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	mean, variance, err := MeanVariance(x)
	if err != nil {
		return Estimate{}, err
	}
	n := len(x)
	est := tEstimate(mean, math.Sqrt(variance/float64(n)), float64(n-1), level)
	est.N = n
	est.Method = MethodStudent
	if heavyTail(x) {
		est.Warnings = append(est.Warnings, Warning{Code: WarnHeavyTail, Text: "the largest values fall off so slowly that the variance may be infinite: no interval for the mean is to be trusted"})
	}
	return est, nil
}

// Pooled estimates the difference of two means, y − x, under the assumption of
// one common variance: Student's t with nx+ny−2 degrees of freedom. One side may
// have a single value; the other side's variance then stands for both, and the
// interval is that of a prediction.
//
// Special cases are: no spread within either side gives the interval [d, d] and
// the warning no_variance.
//
// Errors: ErrTooFew for no value on a side or fewer than 3 together, ErrDomain
// for a value that is not finite or a level outside (0, 1).
func Pooled(x, y []float64, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	nx, ny := len(x), len(y)
	if nx == 0 || ny == 0 || nx+ny < 3 {
		return Estimate{}, fmt.Errorf("%d values of x and %d of y: want at least 1 each and 3 together: %w", nx, ny, ErrTooFew)
	}
	var mean, squares [2]float64
	for i, side := range [2][]float64{x, y} {
		m, err := Mean(side)
		if err != nil {
			return Estimate{}, fmt.Errorf("%s: %w", "xy"[i:i+1], err)
		}
		mean[i] = m
		if len(side) > 1 {
			squares[i] = varianceAbout(side, m) * float64(len(side)-1)
		}
	}
	df := float64(nx + ny - 2)
	variance := (squares[0] + squares[1]) / df
	if math.IsInf(variance, 1) || math.IsNaN(variance) {
		return Estimate{}, fmt.Errorf("the variance overflows: %w", ErrDomain)
	}
	est := tEstimate(mean[1]-mean[0], math.Sqrt(variance*(1/float64(nx)+1/float64(ny))), df, level)
	est.N = nx + ny
	est.Method = MethodPooled
	return est, nil
}

// tEstimate is value ± t·se, degenerate with a warning for se = 0.
func tEstimate(value, se, df, level float64) Estimate {
	est := Estimate{Value: value, SE: se, DF: df}
	h := 0.0
	if se == 0 {
		est.Warnings = []Warning{noVariance()}
	} else {
		h = tCritical(level, df) * se
	}
	est.Interval = Interval{Lo: value - h, Hi: value + h, Level: level}
	return est
}
