package stats

import (
	"errors"
	"fmt"
	"math"
)

// Errors shared by the package. Wrapped errors carry the offending number.
var (
	// ErrTooFew reports fewer observations than the method needs.
	ErrTooFew = errors.New("too few observations")
	// ErrDomain reports a parameter or an observation outside the method's domain.
	ErrDomain = errors.New("outside the domain")
	// ErrMismatch reports slices that should have the same length and do not.
	ErrMismatch = errors.New("lengths differ")
	// ErrImpossible reports a question that no amount of data can answer,
	// such as the sample size that proves a margin the true change exceeds.
	ErrImpossible = errors.New("impossible request")
)

// Interval is a confidence interval. A limit the data cannot bound is ±Inf.
type Interval struct {
	Lo, Hi float64
	// Level is the two-sided confidence level that the method delivers: the
	// level asked for, or the exact one (then never below it) where the
	// method says so.
	Level float64
}

// Contains reports whether v lies in the closed interval.
func (iv Interval) Contains(v float64) bool { return iv.Lo <= v && v <= iv.Hi }

// Width returns Hi − Lo, +Inf if a limit is unbounded.
func (iv Interval) Width() float64 { return iv.Hi - iv.Lo }

// Unbounded is the interval of an answer that the data do not bound at all.
func Unbounded(level float64) Interval {
	return Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Level: level}
}

// Warning qualifies an answer without stopping it. Code is stable and
// lower_snake_case, Text is a sentence for a reader.
type Warning struct {
	Code string
	Text string
}

// Estimate is a point estimate with its uncertainty.
type Estimate struct {
	Value    float64
	SE       float64 // standard error; NaN where the method defines none
	DF       float64 // degrees of freedom behind the interval; +Inf for a normal reference, 0 where none applies
	Interval Interval
	N        int    // independent units behind the estimate
	Method   string // name of the method: see MethodWelch and the constants beside it
	Warnings []Warning
}

// Alternative is the direction of a test's alternative hypothesis about a
// parameter θ and its null value θ0.
type Alternative int8

const (
	TwoSided Alternative = iota // θ ≠ θ0
	Less                        // θ < θ0
	Greater                     // θ > θ0
)

// String returns "two-sided", "less" or "greater".
func (a Alternative) String() string {
	switch a {
	case TwoSided:
		return "two-sided"
	case Less:
		return "less"
	case Greater:
		return "greater"
	}
	return fmt.Sprintf("Alternative(%d)", int8(a))
}

// Test is the outcome of a hypothesis test.
type Test struct {
	Statistic   float64
	DF          float64 // +Inf for a normal reference, 0 where none applies
	P           float64 // in [0, 1]
	Alternative Alternative
	Method      string
	Warnings    []Warning
}

// CheckLevel returns an error unless level lies in (0, 1).
func CheckLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("confidence level %v: want a number in (0, 1): %w", level, ErrDomain)
	}
	return nil
}

// CheckFinite returns an error that names the first NaN or infinite value of x.
func CheckFinite(x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %v at index %d: want a finite number: %w", v, i, ErrDomain)
		}
	}
	return nil
}
