package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Value is one side's value of an estimand with its interval.
type Value struct {
	OK     bool // false: the side has no value
	Value  float64
	Lo, Hi float64 // ±Inf where unbounded
	N      int64   // values (requests, gaps, or runs) behind it
	Units  int     // units of evidence behind it
	// AtLeast tells that only the least that the value can be is known: it falls
	// among requests that timed out. Open tells that its upper limit does.
	AtLeast, Open bool
}

// Contrast is a change between the sides with an interval. Changes are
// candidate − baseline, or the logarithm of candidate ÷ baseline.
type Contrast struct {
	OK     bool
	Value  float64
	Lo, Hi float64 // ±Inf where unbounded
	// SELo and SEHi are the standard errors that the interval amounts to below
	// and above the value, DF their degrees of freedom. NaN without an interval.
	SELo, SEHi, DF float64

	score func(null float64, alt stats.Alternative) float64 // of a score interval
}

// PBelow returns the p-value against "the change is null or less", PAbove
// against "the change is null or more". They agree with the interval: with the
// null at a limit the p-value is half of 1 − level, or less where the limit was
// cut to the range of the change. NaN without an interval.
func (c Contrast) PBelow(null float64) float64 { return c.p(null, stats.Greater) }

// PAbove is described at PBelow.
func (c Contrast) PAbove(null float64) float64 { return c.p(null, stats.Less) }

func (c Contrast) p(null float64, alt stats.Alternative) float64 {
	if !c.OK || math.IsNaN(c.DF) {
		return math.NaN()
	}
	if c.score != nil {
		return c.score(null, alt)
	}
	return stats.SidedError{Lo: c.SELo, Hi: c.SEHi, DF: c.DF}.Test(c.Value, null, alt).P
}

// withLimits is a change with an interval, and the errors that it amounts to.
func withLimits(value float64, iv stats.Interval, df float64) Contrast {
	e := iv.Errors(value, df)
	return Contrast{OK: true, Value: value, Lo: iv.Lo, Hi: iv.Hi, SELo: e.Lo, SEHi: e.Hi, DF: df}
}

// interval is that of the change at the level that it was made for.
func (c Contrast) interval(level float64) stats.Interval {
	return stats.Interval{Lo: c.Lo, Hi: c.Hi, Level: level}
}

// interval is that of the value at the level that it was made for.
func (v Value) interval(level float64) stats.Interval {
	return stats.Interval{Lo: v.Lo, Hi: v.Hi, Level: level}
}

// noInterval is a change that is known without any measure of its error.
func noInterval(v float64) Contrast {
	return Contrast{OK: true, Value: v, Lo: math.Inf(-1), Hi: math.Inf(1), SELo: math.NaN(), SEHi: math.NaN(), DF: math.NaN()}
}

// HasInterval reports whether the data bound the change at least on one side.
func (c Contrast) HasInterval() bool {
	return c.OK && !math.IsNaN(c.DF) && !(math.IsInf(c.Lo, -1) && math.IsInf(c.Hi, 1))
}

// MDE returns the smallest true change, added to no change, that this design
// would show with the given power in a one-sided test at alpha. NaN without an
// interval.
func (c Contrast) MDE(alpha, power float64) float64 {
	if !c.HasInterval() {
		return math.NaN()
	}
	se := math.Max(c.SELo, c.SEHi)
	if math.IsInf(se, 0) || se == 0 {
		return se
	}
	return stats.MDE(se, c.DF, alpha, power)
}

// TestResult is a second opinion.
type TestResult struct {
	Name string
	P    float64
}

// Result is the comparison of one estimand of one metric.
type Result struct {
	Metric   *metric.Metric
	Estimand metric.Estimand
	Named    bool // the user asked for it
	// Mix are the strata of a critical slice by which its change is split, nil if it is not.
	Mix *Mix
	// LimitOnly tells that it was computed only because a limit is about it.
	LimitOnly bool
	// Slice is the part of the traffic it is about, nil for all; Critical tells
	// that the slice is a gate of its own.
	Slice    *SliceOf
	Critical bool
	// requests and requestsLog are the error of the change, and of its logarithm,
	// that independent requests alone account for; zero where nobody asks.
	requests, requestsLog stats.VarianceEstimate
	// Mover is set of a slice that the search for moved slices found.
	Mover *Mover

	// Task and Filter are those of scores; Average is Micro or Macro of a result
	// over all tasks, "" of one task. Items is nil for requests.
	Task, Filter, Average string
	Items                 *ItemResult

	Baseline, Candidate Value
	// Delta is the difference. Log is the log ratio; its OK is false where a
	// value is not positive.
	Delta, Log Contrast
	// Like is the change like for like, nil where the traffic was not split.
	Like *Like
	// Bound is the candidate's value alone with its interval, noise between
	// runs included: what an absolute limit is held against.
	Bound Contrast

	// Lack is what of each side, by whole runs, carries no value of the metric: of
	// all requests, or of those of a critical slice.
	Lack [2]metric.Lack
	// Whole are the records of a critical slice by whole runs, nil for others.
	Whole []*metric.Side

	Method string
	Exact  bool    // no histogram error
	RelErr float64 // bound of the relative error of either value
	// Buckets and BucketsLog are by how much the buckets of histograms widen the
	// interval of the change, on the natural and on the log scale: more runs do
	// not make it less.
	Buckets, BucketsLog float64
	// AssumedNoise is the noise between runs, relative to each value, that the
	// interval allows for because single runs do not show it; 0 if none.
	AssumedNoise float64
	Thin         bool // too few values lie beyond the percentile to judge it
	// NeedRequests is how many requests a side a thin percentile takes.
	NeedRequests int64
	// UnitSDLog and UnitSD are the standard deviations of one unit that the
	// intervals amount to, on the log and on the natural scale, or of the change
	// of one pair: what a plan of more of them rests on. NaN where unknown.
	UnitSDLog, UnitSD float64
	Tests             []TestResult
	Warnings          []stats.Warning
}

func (r *Result) warn(code, text string) {
	r.Warnings = append(r.Warnings, stats.Warning{Code: code, Text: text})
}

// lack counts what carries no value of an item; there may be no sides of whole runs.
func (r *Result) lack(item int, whole []*metric.Side) {
	for i := range whole {
		r.Lack[i] = metric.LackOf(item, r.Metric, whole[i])
	}
}
