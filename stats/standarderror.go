package stats

import (
	"fmt"
	"math"
)

// StandardError is the standard error of an estimate together with the degrees
// of freedom behind it: +Inf where the error is known rather than estimated.
type StandardError struct{ SE, DF float64 }

// PlusKnown adds an independent error whose standard deviation is known, such as
// an assumed spread between runs. The degrees of freedom follow Satterthwaite
// (1946) with the known part contributing none of the uncertainty:
//
//	se² = SE² + known²,  df = DF / (SE²/se²)².
//
// Special cases are: known = 0 changes nothing, and SE = 0 leaves a known error
// alone, with DF = +Inf.
func (e StandardError) PlusKnown(known float64) StandardError {
	if known == 0 {
		return e
	}
	se := math.Hypot(e.SE, known)
	share := (e.SE / se) * (e.SE / se)
	if share == 0 {
		return StandardError{SE: se, DF: math.Inf(1)}
	}
	return StandardError{SE: se, DF: e.DF / (share * share)}
}

// Variance is the square of the error, with its degrees of freedom.
func (e StandardError) Variance() VarianceEstimate {
	return VarianceEstimate{Variance: e.SE * e.SE, DF: e.DF}
}

// Autocorrelated is the error where it was made as if values were independent, and
// each depends on the one before with the correlation phi, those further away by
// its powers: SE·√((1+φ)/(1−φ)), with the same degrees of freedom.
//
// Special cases are: a phi outside (−1, 1) gives NaN.
//
// Source: Bartlett 1946, JRSS Suppl. 8:27.
func (e StandardError) Autocorrelated(phi float64) StandardError {
	if !(phi > -1 && phi < 1) {
		return StandardError{SE: math.NaN(), DF: e.DF}
	}
	return StandardError{SE: e.SE * math.Sqrt((1+phi)/(1-phi)), DF: e.DF}
}

// OfLog is the error of the natural logarithm of a positive value by the delta
// method: SE/value with the same degrees of freedom. It is good while SE is a
// small part of the value.
func (e StandardError) OfLog(value float64) StandardError {
	return StandardError{SE: e.SE / value, DF: e.DF}
}

// Estimate attaches the t interval value ± t·SE at the two-sided level, with the
// normal quantile for DF = +Inf. N is 0: the caller knows the number of units.
//
// Special cases are: an SE of 0 gives the interval [value, value] and the
// warning no_variance.
//
// Errors: ErrDomain for a value that is not finite, an SE that is negative or
// not finite, a DF that is not positive, or a level outside (0, 1).
func (e StandardError) Estimate(value, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	if err := CheckFinite([]float64{value}); err != nil {
		return Estimate{}, fmt.Errorf("estimate: %w", err)
	}
	if !(e.SE >= 0) || math.IsInf(e.SE, 1) {
		return Estimate{}, fmt.Errorf("standard error %v: want a finite number of at least 0: %w", e.SE, ErrDomain)
	}
	if !(e.DF > 0) {
		return Estimate{}, fmt.Errorf("%v degrees of freedom: want more than 0: %w", e.DF, ErrDomain)
	}
	est := tEstimate(value, e.SE, e.DF, level)
	est.Method = MethodStudent
	return est, nil
}

// Interval is that of [StandardError.Estimate], with its errors.
func (e StandardError) Interval(value, level float64) (Interval, error) {
	est, err := e.Estimate(value, level)
	return est.Interval, err
}

// TwoSampleShared estimates the difference y − x of two values that are taken to
// share one spread, because only one side, or both together, can tell it: sd is
// the standard deviation of a single unit with its degrees of freedom, nx and ny
// the units behind each value. The interval is Student's with
//
//	se = sd·√(1/nx + 1/ny).
//
// With one unit on one side it is the interval of a prediction. That the other
// side varies in the same way is an assumption that the data cannot check.
//
// Special cases are those of TwoSample.
//
// Errors: ErrTooFew for a side without units, ErrDomain as for TwoSample.
func TwoSampleShared(x float64, nx int, y float64, ny int, sd StandardError, level float64) (Estimate, error) {
	if nx < 1 || ny < 1 {
		return Estimate{}, fmt.Errorf("%d units of x and %d of y: want at least 1 each: %w", nx, ny, ErrTooFew)
	}
	if err := CheckFinite([]float64{x, y}); err != nil {
		return Estimate{}, fmt.Errorf("estimates x, y: %w", err)
	}
	se := StandardError{SE: sd.SE * math.Sqrt(1/float64(nx)+1/float64(ny)), DF: sd.DF}
	est, err := se.Estimate(y-x, level)
	if err != nil {
		return Estimate{}, err
	}
	est.N, est.Method = nx+ny, MethodTwoSampleShared
	return est, nil
}
