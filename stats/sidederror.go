package stats

import (
	"fmt"
	"math"
)

// SidedError is the standard error of an estimate below and above its value, for
// intervals that reach further on one side, with the degrees of freedom behind
// both. An error of +Inf is that of a side on which nothing bounds the estimate.
type SidedError struct{ Lo, Hi, DF float64 }

// Errors are the standard errors that the interval of value amounts to: the
// distances to its limits in units of Student's t quantile at its level with df
// degrees of freedom, +Inf for the normal one.
//
// Special cases are: an unbounded limit gives +Inf, a value outside the limits a
// negative error, and a df that is not positive or a level outside (0, 1) NaN.
func (iv Interval) Errors(value, df float64) SidedError {
	e := SidedError{Lo: math.NaN(), Hi: math.NaN(), DF: df}
	if CheckLevel(iv.Level) != nil {
		return e
	}
	t := TQuantile((1+iv.Level)/2, df)
	e.Lo, e.Hi = (value-iv.Lo)/t, (iv.Hi-value)/t
	return e
}

// Interval is the inverse of [Interval.Errors]: from value − t·Lo to
// value + t·Hi.
//
// Errors: ErrDomain for a value that is not finite, an error that is negative or
// NaN, a DF that is not positive, or a level outside (0, 1).
func (e SidedError) Interval(value, level float64) (Interval, error) {
	if err := CheckLevel(level); err != nil {
		return Interval{}, err
	}
	if err := CheckFinite([]float64{value}); err != nil {
		return Interval{}, fmt.Errorf("estimate: %w", err)
	}
	if err := e.check(); err != nil {
		return Interval{}, err
	}
	t := TQuantile((1+level)/2, e.DF)
	return Interval{Lo: value - t*e.Lo, Hi: value + t*e.Hi, Level: level}, nil
}

func (e SidedError) check() error {
	if !(e.Lo >= 0) || !(e.Hi >= 0) {
		return fmt.Errorf("standard errors %v below and %v above: want numbers of at least 0: %w", e.Lo, e.Hi, ErrDomain)
	}
	if !(e.DF > 0) {
		return fmt.Errorf("%v degrees of freedom: want more than 0: %w", e.DF, ErrDomain)
	}
	return nil
}

// Max is the larger of the two errors.
func (e SidedError) Max() float64 { return math.Max(e.Lo, e.Hi) }

// bounded is the larger error of the sides that are bounded, 0 if neither is.
func (e SidedError) bounded() float64 {
	most := 0.0
	for _, v := range []float64{e.Lo, e.Hi} {
		if !math.IsInf(v, 1) {
			most = math.Max(most, v)
		}
	}
	return most
}

// Test tests value against null with the error that faces it: Greater, that the
// parameter lies above null, takes the error below the value, Less the one above,
// TwoSided doubles the smaller p-value. It agrees with the interval: with null at
// a limit the one-sided P is (1 − level)/2.
//
// Special cases are those of [WelchTest]; an error of +Inf gives P = 1.
func (e SidedError) Test(value, null float64, alt Alternative) Test {
	one := func(se float64, alt Alternative) Test {
		if math.IsInf(se, 1) {
			return Test{P: 1, Alternative: alt, DF: e.DF}
		}
		return WelchTest(Estimate{Value: value, SE: se, DF: e.DF}, null, alt)
	}
	switch alt {
	case Greater:
		return one(e.Lo, Greater)
	case Less:
		return one(e.Hi, Less)
	}
	t, other := one(e.Lo, Greater), one(e.Hi, Less)
	if other.P < t.P {
		t = other
	}
	t.P, t.Alternative = math.Min(1, 2*t.P), TwoSided
	return t
}

// MeanError is the error of the mean of independent estimates, one vote each: the
// squared errors below add up, and those above (MOVER). The degrees of freedom
// follow Satterthwaite, each estimate entering with the larger of its errors:
//
//	df = max(Σ lo², Σ hi²)² / Σ max(lo, hi)⁴/df.
//
// Special cases are: an error of +Inf makes that of its side +Inf, and the degrees
// of freedom are those of the errors that are not; errors that are all known, or
// 0, give DF = +Inf.
//
// Errors: ErrTooFew for no estimate, ErrDomain for an error that is negative or
// NaN or a DF that is not positive.
//
// Source: Zou and Donner 2008, doi:10.1002/sim.3095; Satterthwaite 1946.
func MeanError(of []SidedError) (SidedError, error) {
	if len(of) == 0 {
		return SidedError{}, fmt.Errorf("error of the mean of no estimates: want at least 1: %w", ErrTooFew)
	}
	k := float64(len(of))
	var lo, hi, uncertain float64
	for i, e := range of {
		if err := e.check(); err != nil {
			return SidedError{}, fmt.Errorf("estimate %d: %w", i, err)
		}
		lo, hi = lo+square(e.Lo/k), hi+square(e.Hi/k)
		if v := e.bounded() / k; !math.IsInf(e.DF, 1) {
			uncertain += v * v * v * v / e.DF
		}
	}
	out := SidedError{Lo: math.Sqrt(lo), Hi: math.Sqrt(hi), DF: math.Inf(1)}
	if most := (SidedError{Lo: lo, Hi: hi}).bounded(); uncertain > 0 && most > 0 {
		out.DF = square(most) / uncertain
	}
	return out, nil
}

func square(v float64) float64 { return v * v }

// MOVERMean is the mean of independent estimates, one vote each, with the limits
// that the limits of the estimates amount to: the squared distances to them add
// up on each side. All intervals should have one level; that of the answer is the
// lowest.
//
// Special cases are: an unbounded limit makes that side unbounded, and a single
// estimate keeps its limits.
//
// Errors: ErrTooFew for no estimate, ErrMismatch for lists of different lengths,
// ErrDomain for an estimate that is not finite or lies outside its limits.
//
// Source: Zou and Donner 2008, doi:10.1002/sim.3095.
func MOVERMean(values []float64, intervals []Interval) (mean float64, iv Interval, err error) {
	if len(values) != len(intervals) {
		return 0, Interval{}, fmt.Errorf("%d estimates and %d intervals: want as many: %w", len(values), len(intervals), ErrMismatch)
	}
	if len(values) == 0 {
		return 0, Interval{}, fmt.Errorf("mean of no estimates: want at least 1: %w", ErrTooFew)
	}
	if err := CheckFinite(values); err != nil {
		return 0, Interval{}, fmt.Errorf("estimates: %w", err)
	}
	k := float64(len(values))
	var lo, hi float64
	level := math.Inf(1)
	for i, v := range values {
		limits := intervals[i]
		if !limits.Contains(v) {
			return 0, Interval{}, fmt.Errorf("estimate %v outside its limits [%v, %v]: %w", v, limits.Lo, limits.Hi, ErrDomain)
		}
		mean += v / k
		lo, hi = lo+square((v-limits.Lo)/k), hi+square((limits.Hi-v)/k)
		level = math.Min(level, limits.Level)
	}
	return mean, Interval{Lo: mean - math.Sqrt(lo), Hi: mean + math.Sqrt(hi), Level: level}, nil
}
