package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Percentile returns the interval from the (1−level)/2 to the (1+level)/2
// quantile of the law (Efron 1979).
//
// It assumes that some monotone transformation makes the law symmetric around
// the truth. It covers too little with few units: prefer [MeanT] for a mean and
// [Law.BCa] for a skewed smooth statistic.
//
// Special cases are: a law of one value gives the interval of that value alone
// and the warning [stats.WarnNoVariance].
// Errors: [stats.ErrDomain] for a bad level, [stats.ErrTooFew] for fewer than
// [MinUnits] units.
func (l Law) Percentile(level float64) (stats.Estimate, error) {
	e, err := l.begin(level, MethodPercentile)
	if err != nil {
		return e, err
	}
	a := (1 - level) / 2
	lo, cl := l.quantile(a)
	hi, ch := l.quantile(1 - a)
	e.Interval = stats.Interval{Lo: lo, Hi: hi, Level: level}
	return l.finish(e, cl || ch), nil
}

// Basic returns the percentile interval reflected at the estimate, from
// 2·Value − upper to 2·Value − lower quantile. It assumes that the error
// T − θ has the same law as T* − T, and covers less than [Law.Percentile] for
// skewed data; it is here for comparison. Errors and special cases are those of
// Percentile.
func (l Law) Basic(level float64) (stats.Estimate, error) {
	e, err := l.begin(level, MethodBasic)
	if err != nil {
		return e, err
	}
	a := (1 - level) / 2
	lo, cl := l.quantile(a)
	hi, ch := l.quantile(1 - a)
	e.Interval = stats.Interval{Lo: 2*l.value - hi, Hi: 2*l.value - lo, Level: level}
	return l.finish(e, cl || ch), nil
}

// Normal returns Value − bias ± z·SE with bias and SE of the law. It assumes
// that the law is normal. Errors and special cases are those of
// [Law.Percentile].
func (l Law) Normal(level float64) (stats.Estimate, error) {
	e, err := l.begin(level, MethodNormal)
	if err != nil {
		return e, err
	}
	e.DF = math.Inf(1)
	centre := l.value - (l.Mean() - l.value)
	half := -stats.NormalQuantile((1-level)/2) * e.SE
	e.Interval = stats.Interval{Lo: centre - half, Hi: centre + half, Level: level}
	return l.finish(e, false), nil
}

// begin checks the question and fills what all intervals of a law share.
func (l Law) begin(level float64, method string) (stats.Estimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return stats.Estimate{}, err
	}
	if err := checkUnits(l.units); err != nil {
		return stats.Estimate{}, err
	}
	if l.Exact() {
		method += "_exact"
	}
	se := l.SE()
	if math.IsNaN(se) || math.IsInf(se, 0) {
		return stats.Estimate{}, fmt.Errorf("values up to %v: their variance overflows: %w", l.values[len(l.values)-1], stats.ErrDomain)
	}
	return stats.Estimate{Value: l.value, SE: se, N: l.units, Method: method}, nil
}

// finish appends the warnings of a law to those of the method.
func (l Law) finish(e stats.Estimate, clamped bool) stats.Estimate {
	if l.constant() {
		e.Warnings = append(e.Warnings, noVariance())
	}
	if l.units < FewUnits {
		e.Warnings = append(e.Warnings, fewUnits(l.units, FewUnits))
	}
	if clamped {
		e.Warnings = append(e.Warnings, fewReplicates(len(l.values)))
	}
	return e
}
