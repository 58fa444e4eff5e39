package stats

import (
	"fmt"
	"math"
)

// VarianceEstimate is the variance of a statistic with the degrees of freedom
// that it is known by, +Inf if it is known exactly. NaN marks one that is not
// known.
type VarianceEstimate struct{ Variance, DF float64 }

// SE is the standard error that the variance amounts to.
func (a VarianceEstimate) SE() StandardError {
	return StandardError{SE: math.Sqrt(a.Variance), DF: a.DF}
}

// Plus adds the variance of an independent statistic: that of the sum and of the
// difference of both, with Satterthwaite's degrees of freedom.
//
// Special cases are: NaN in either makes the sum NaN, two variances of 0 have the
// degrees of freedom of both together, and those of an infinite one are NaN.
//
// Source: Satterthwaite 1946, Biometrics Bulletin 2:110.
func (a VarianceEstimate) Plus(b VarianceEstimate) VarianceEstimate {
	v := a.Variance + b.Variance
	if v == 0 {
		return VarianceEstimate{v, a.DF + b.DF}
	}
	x, y := a.Variance/v, b.Variance/v
	return VarianceEstimate{v, 1 / (x*x/a.DF + y*y/b.DF)}
}

// ModerateRelative is [VariancePrior.Moderate] of variances that differ in what
// is expected of them: the prior is that of their ratios to it. The degrees of
// freedom of the expected variance limit those of the answer, as they do those of
// a ratio.
//
// Special cases are: a prior that says nothing, or an expected variance that is
// not positive, leave v as it is.
func (p VariancePrior) ModerateRelative(v, expected VarianceEstimate) VarianceEstimate {
	if !(p.DF > 0) || !(expected.Variance > 0) {
		return v
	}
	ratio, df := p.Moderate(v.Variance/expected.Variance, v.DF)
	return VarianceEstimate{ratio * expected.Variance, 1 / (1/df + 1/expected.DF)}
}

// ExcessVariance is the variance that units have beyond what is known to vary in
// them: the τ² ≥ 0 at which the estimated variances agree on average with what is
// expected of them, within_i + τ²/units_i, each weighed by its degrees of freedom:
//
//	Σ df_i·(v_i / (within_i + τ²/units_i) − 1) = 0.
//
// v_i is the estimated variance of a mean over units_i units, within_i the part of
// it that is known from inside the units. The answer is in the square of the unit
// of the values.
//
// Special cases are: no list, or variances that are on average no larger than
// within, give 0.
//
// Errors: ErrMismatch for lists of different lengths, ErrDomain for a variance
// that is negative or not finite, a within that is not positive and finite, a
// count of units that is not positive, or an answer that overflows.
//
// Source: after Paule and Mandel 1982, Journal of Research of the National Bureau
// of Standards 87:377, doi:10.6028/jres.087.022, with variances in place of
// squared deviations.
func ExcessVariance(v []VarianceEstimate, within []float64, units []int) (float64, error) {
	if len(v) != len(within) || len(v) != len(units) {
		return 0, fmt.Errorf("%d variances, %d parts within and %d counts of units: want as many: %w", len(v), len(within), len(units), ErrMismatch)
	}
	for i, e := range v {
		switch {
		case !(e.Variance >= 0) || math.IsInf(e.Variance, 1) || !(e.DF > 0) || math.IsInf(e.DF, 1):
			return 0, fmt.Errorf("variance %v with %v degrees of freedom: want a finite one of at least 0, with a finite number above 0: %w", e.Variance, e.DF, ErrDomain)
		case !(within[i] > 0) || math.IsInf(within[i], 1):
			return 0, fmt.Errorf("variance within units %v: want a finite number above 0: %w", within[i], ErrDomain)
		case units[i] < 1:
			return 0, fmt.Errorf("%d units: want at least 1: %w", units[i], ErrDomain)
		}
	}
	excess := func(between float64) float64 {
		sum := 0.0
		for i, e := range v {
			sum += e.DF * (e.Variance/(within[i]+between/float64(units[i])) - 1)
		}
		return sum
	}
	if !(excess(0) > 0) {
		return 0, nil
	}
	lo, hi := 0.0, 0.0
	for i, e := range v {
		hi = math.Max(hi, e.Variance*float64(units[i]))
	}
	if math.IsInf(hi, 1) {
		return 0, fmt.Errorf("the variance of a unit overflows: %w", ErrDomain)
	}
	// With hi no ratio is above 1.
	for range 60 {
		if mid := (lo + hi) / 2; excess(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2, nil
}

// WeightedMeanError is the variance of a weighted mean of independent group means
// from the variances inside the groups, s_i² of n_i values each:
//
//	Σ (w_i/Σw)²·s_i²/n_i, with Σ (n_i − 1) degrees of freedom.
//
// Nil weights give each group one vote. What groups differ by beyond their values
// is no part of it.
//
// Errors: ErrTooFew for no group or one with fewer than 2 values, ErrMismatch for
// lists of different lengths, ErrDomain for a variance that is negative or not
// finite and as for WeightedMean.
func WeightedMeanError(variances []float64, n []int64, weights []float64) (VarianceEstimate, error) {
	if len(n) != len(variances) {
		return VarianceEstimate{}, fmt.Errorf("%d variances and %d counts: want as many: %w", len(variances), len(n), ErrMismatch)
	}
	if err := checkWeighted(variances, weights); err != nil {
		return VarianceEstimate{}, err
	}
	total := 0.0
	for i := range variances {
		total += weightAt(weights, i)
	}
	if !(total > 0) {
		return VarianceEstimate{}, fmt.Errorf("the weights add up to %v: want more than 0: %w", total, ErrDomain)
	}
	var out VarianceEstimate
	for i, v := range variances {
		switch {
		case n[i] < 2:
			return VarianceEstimate{}, fmt.Errorf("group %d has %d values: want at least 2: %w", i, n[i], ErrTooFew)
		case v < 0:
			return VarianceEstimate{}, fmt.Errorf("variance %v of group %d: want a finite number of at least 0: %w", v, i, ErrDomain)
		}
		w := weightAt(weights, i) / total
		out.Variance += w * w * v / float64(n[i])
		out.DF += float64(n[i] - 1)
	}
	return out, nil
}

// MeanShareError is the variance of the mean of shares x_i/n_i, one vote a group,
// if the trials inside each group are independent. Half an outcome of either kind
// is added to each group, so that none is ever sure. It is known no better than
// the rarer outcome is frequent: twice its number and one degrees of freedom.
//
// Errors: ErrTooFew for no group or one without a trial, ErrMismatch for lists of
// different lengths, ErrDomain for x outside [0, n].
func MeanShareError(x, n []int64) (VarianceEstimate, error) {
	if len(x) != len(n) {
		return VarianceEstimate{}, fmt.Errorf("%d counts of %d groups: want as many: %w", len(x), len(n), ErrMismatch)
	}
	if len(x) == 0 {
		return VarianceEstimate{}, fmt.Errorf("shares of no groups: want at least 1: %w", ErrTooFew)
	}
	var v, hits, trials float64
	for i := range n {
		if n[i] < 1 {
			return VarianceEstimate{}, fmt.Errorf("group %d has %d trials: want at least 1: %w", i, n[i], ErrTooFew)
		}
		if x[i] < 0 || x[i] > n[i] {
			return VarianceEstimate{}, fmt.Errorf("group %d has %d of %d: want a count from 0 to %d: %w", i, x[i], n[i], n[i], ErrDomain)
		}
		p := (float64(x[i]) + 0.5) / (float64(n[i]) + 1)
		v += p * (1 - p) / float64(n[i])
		hits, trials = hits+float64(x[i]), trials+float64(n[i])
	}
	return VarianceEstimate{v / float64(len(n)*len(n)), 2*math.Min(hits, trials-hits) + 1}, nil
}
