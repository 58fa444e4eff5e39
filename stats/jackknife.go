package stats

import (
	"fmt"
	"math"
)

// Jackknife combines the K leave-one-out values of a statistic into their mean
// and the delete-one jackknife standard error
//
//	se² = (K−1)/K Σ (θ(−k) − mean)².
//
// The units left out are the independent ones (runs, clusters). It is valid for
// smooth statistics; for a single quantile of few values it is not consistent.
//
// Errors: ErrTooFew for fewer than 2 values, ErrDomain for a value that is not
// finite.
//
// Source: Quenouille 1956; Tukey 1958; Efron 1982, doi:10.1137/1.9781611970319.
func Jackknife(loo []float64) (mean, se float64, err error) {
	mean, variance, err := MeanVariance(loo)
	if err != nil {
		return 0, 0, fmt.Errorf("jackknife: %w", err)
	}
	k := float64(len(loo))
	return mean, (k - 1) * math.Sqrt(variance/k), nil
}

// JackknifeDifference estimates the difference y − x of two statistics of the
// same K units, such as pairs of runs, from their leave-one-out values: value k of
// both leaves out unit k. The standard error is the jackknife of the differences
// y(−k) − x(−k), so that what a unit does to both cancels; the interval is Student's
// t with K−1 degrees of freedom. Of two means it is the paired t interval.
//
// Special cases are: differences that do not vary give the interval [d, d] and the
// warning no_variance.
//
// Errors: ErrMismatch for unlike numbers of values, ErrTooFew for fewer than 2,
// ErrDomain for a value that is not finite or a level outside (0, 1).
//
// Source: Tukey 1958; Student 1908, doi:10.1093/biomet/6.1.1.
func JackknifeDifference(x float64, dropX []float64, y float64, dropY []float64, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	if len(dropX) != len(dropY) {
		return Estimate{}, fmt.Errorf("%d values of x and %d of y: want as many: %w", len(dropX), len(dropY), ErrMismatch)
	}
	if err := CheckFinite([]float64{x, y}); err != nil {
		return Estimate{}, fmt.Errorf("estimates x, y: %w", err)
	}
	d := make([]float64, len(dropX))
	for k := range d {
		d[k] = dropY[k] - dropX[k]
	}
	_, se, err := Jackknife(d)
	if err != nil {
		return Estimate{}, err
	}
	est := tEstimate(y-x, se, float64(len(d)-1), level)
	est.N, est.Method = len(d), MethodJackknifePaired
	return est, nil
}

// TwoSample estimates the difference y − x of two independent estimates from
// their standard errors and degrees of freedom: a t interval with the
// Welch–Satterthwaite degrees of freedom
//
//	df = (sex² + sey²)² / (sex⁴/dfx + sey⁴/dfy).
//
// Degrees of freedom of +Inf mark a standard error that is known.
//
// Special cases are: if both standard errors are 0 the interval is [d, d], DF is
// dfx + dfy and there is a warning with the code no_variance. N is 0: the
// caller knows the number of units.
//
// Errors: ErrDomain for estimates or standard errors that are not finite or
// negative, degrees of freedom that are not positive, or a level outside (0, 1).
//
// Source: Satterthwaite 1946, Biometrics Bulletin 2:110; Welch 1947.
func TwoSample(x, sex, dfx, y, sey, dfy, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	if err := CheckFinite([]float64{x, y}); err != nil {
		return Estimate{}, fmt.Errorf("estimates x, y: %w", err)
	}
	for i, se := range []float64{sex, sey} {
		if !(se >= 0) || math.IsInf(se, 1) {
			return Estimate{}, fmt.Errorf("standard error %v of %s: want a finite number of at least 0: %w", se, "xy"[i:i+1], ErrDomain)
		}
	}
	for i, df := range []float64{dfx, dfy} {
		if !(df > 0) {
			return Estimate{}, fmt.Errorf("%v degrees of freedom of %s: want more than 0: %w", df, "xy"[i:i+1], ErrDomain)
		}
	}
	se := math.Hypot(sex, sey)
	df := dfx + dfy
	if se > 0 {
		// Shares of the variance, so that neither tiny nor huge errors overflow.
		px, py := sex/se, sey/se
		px, py = px*px, py*py
		df = 1 / (px*px/dfx + py*py/dfy)
	}
	est := tEstimate(y-x, se, df, level)
	est.Method = MethodTwoSample
	return est, nil
}
