package stats

import (
	"fmt"
	"math"
)

// LogRatio is the ratio of two samples of positive summaries, estimated on the
// natural-log scale, where a relative change is a shift.
type LogRatio struct {
	// Ratio is e to the power of Log: y / x. Its interval is the exponentiated
	// one, its SE the delta-method one, e^d times that of Log.
	Ratio Estimate
	// Log is the mean difference of logs with its standard error, degrees of
	// freedom and interval; hand it to WelchTest with null log(1+margin).
	Log Estimate
}

// Test tests the ratio against a positive null value on the log scale. Less
// means that the ratio lies below null; with null = 1+margin it is the
// noninferiority test of a quantity of which more is worse.
//
// Errors: ErrDomain unless null is positive and finite.
func (r LogRatio) Test(null float64, alt Alternative) (Test, error) {
	if !(null > 0) || math.IsInf(null, 1) {
		return Test{}, fmt.Errorf("null ratio %v: want a positive finite number: %w", null, ErrDomain)
	}
	return WelchTest(r.Log, math.Log(null), alt), nil
}

// RunRatio estimates the ratio y / x from one positive summary (a mean, a
// quantile, a rate) per run: Welch's t interval on the logs of the summaries,
// each run with one vote. The run is the unit; what happened inside a run is
// already in its summary. The estimand is the ratio of the geometric means of
// the summaries.
//
// Special cases are: summaries that do not vary on either side give a
// degenerate interval and the warning no_variance.
//
// Errors: ErrTooFew for fewer than 2 runs on a side (RunRatioPooled accepts
// one), ErrDomain for a summary that is not positive and finite or a level
// outside (0, 1).
//
// Source: Welch 1947; Ibragimov & Müller 2010, doi:10.1198/jbes.2009.08046, for
// t tests on few unit summaries.
func RunRatio(x, y []float64, level float64) (LogRatio, error) {
	return logRatio(x, y, level, MethodRunRatioWelch, Welch)
}

// RunRatioPooled is RunRatio with a variance common to both sides (Student's t
// with nx+ny−2 degrees of freedom). It is the only choice when one side has a
// single run, whose variance must then be assumed to be the other side's; with
// more runs prefer RunRatio, because a change often alters the variance.
//
// Errors: ErrTooFew for no run on a side or fewer than 3 together, ErrDomain as
// for RunRatio.
func RunRatioPooled(x, y []float64, level float64) (LogRatio, error) {
	return logRatio(x, y, level, MethodRunRatioPooled, Pooled)
}

// PairedRunRatio estimates the ratio y / x from blocks of interleaved runs, one
// summary of each side per block: Student's t with n−1 degrees of freedom on the
// log ratios. Whatever a block has in common cancels.
//
// Special cases are: log ratios that do not vary give a degenerate interval and
// the warning no_variance.
//
// Errors: ErrMismatch for slices of different length, ErrTooFew for fewer than
// 2 blocks, ErrDomain as for RunRatio.
func PairedRunRatio(x, y []float64, level float64) (LogRatio, error) {
	return logRatio(x, y, level, MethodRunRatioPaired, meanOfDifferences)
}

// meanOfDifferences is MeanT on y − x.
func meanOfDifferences(x, y []float64, level float64) (Estimate, error) {
	if len(x) != len(y) {
		return Estimate{}, fmt.Errorf("%d values of x and %d of y: want as many: %w", len(x), len(y), ErrMismatch)
	}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = y[i] - x[i]
	}
	return MeanT(d, level)
}

func logRatio(x, y []float64, level float64, method string, difference func(x, y []float64, level float64) (Estimate, error)) (LogRatio, error) {
	lx, err := logs("x", x)
	if err != nil {
		return LogRatio{}, err
	}
	ly, err := logs("y", y)
	if err != nil {
		return LogRatio{}, err
	}
	d, err := difference(lx, ly, level)
	if err != nil {
		return LogRatio{}, err
	}
	d.Method = method
	r := d
	r.Value = math.Exp(d.Value)
	r.SE = r.Value * d.SE
	r.Interval.Lo = math.Exp(d.Interval.Lo)
	r.Interval.Hi = math.Exp(d.Interval.Hi)
	return LogRatio{Ratio: r, Log: d}, nil
}

// logs returns the natural logs of positive finite values.
func logs(name string, x []float64) ([]float64, error) {
	out := make([]float64, len(x))
	for i, v := range x {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%s: value %v at index %d: want a positive finite number for a ratio: %w", name, v, i, ErrDomain)
		}
		out[i] = math.Log(v)
	}
	return out, nil
}
