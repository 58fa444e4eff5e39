package stats

import "math"

// Log returns the interval of the natural logarithm of what iv is about, for a
// quantity that is known to be positive.
//
// Special cases are: a limit of 0 or less becomes −Inf, +Inf stays +Inf.
func (iv Interval) Log() Interval {
	return Interval{Lo: logOrInf(iv.Lo), Hi: logOrInf(iv.Hi), Level: iv.Level}
}

func logOrInf(v float64) float64 {
	if v <= 0 {
		return math.Inf(-1)
	}
	return math.Log(v)
}

// Exp is the inverse of Log: the interval of e to the power of what iv is about.
func (iv Interval) Exp() Interval {
	return Interval{Lo: math.Exp(iv.Lo), Hi: math.Exp(iv.Hi), Level: iv.Level}
}

// Widen moves both limits outward by d: the interval of a value that was read
// with an error of at most d, such as the width of a histogram's bin.
func (iv Interval) Widen(d float64) Interval {
	return Interval{Lo: iv.Lo - d, Hi: iv.Hi + d, Level: iv.Level}
}

// PlusKnownSD is [Interval.PlusKnown] of an error with the standard deviation sd:
// its half-width is sd times the normal quantile of the interval's level.
func (iv Interval) PlusKnownSD(value, sd float64) Interval {
	return iv.PlusKnown(value, NormalQuantile((1+iv.Level)/2)*sd)
}

// PlusKnown adds an independent error of value, of half-width half at the same
// level, to each arm of the interval in quadrature, which keeps its asymmetry.
func (iv Interval) PlusKnown(value, half float64) Interval {
	return Interval{
		Lo:    value - math.Hypot(value-iv.Lo, half),
		Hi:    value + math.Hypot(iv.Hi-value, half),
		Level: iv.Level,
	}
}
