package plots

import (
	"fmt"
	"math"
)

// Scale says how an axis maps values to places.
type Scale uint8

// The scales.
const (
	Linear Scale = iota
	// Log is for positive values only.
	Log
	// Percentile is for q in (0, 1), by log odds: both tails are stretched as a
	// logarithmic axis would, and the middle is seen as well.
	Percentile
)

// Axis is a scale with its range and its ticks.
type Axis struct {
	Label    string
	Scale    Scale
	Min, Max float64
	Ticks    []Tick
}

// Tick is a value with a label. Where labels do not all fit those of a lower
// rank are kept.
type Tick struct {
	At    float64
	Label string
	Rank  int
}

// transform maps a value to a number that is linear on the page.
func (a *Axis) transform(v float64) float64 {
	switch a.Scale {
	case Log:
		return math.Log10(v)
	case Percentile:
		return math.Log10(v / (1 - v))
	}
	return v
}

// place returns the share of the axis at which v lies; infinite values and
// values outside the domain are placed beyond the ends.
func (a *Axis) place(v float64) float64 {
	lo, hi := a.transform(a.Min), a.transform(a.Max)
	switch {
	case math.IsInf(v, 1) || a.Scale == Percentile && v >= 1:
		return 2
	case math.IsInf(v, -1) || a.Scale != Linear && v <= 0:
		return -1
	}
	// Halves, so that a range wider than the largest number stays finite.
	return (a.transform(v)/2 - lo/2) / (hi/2 - lo/2)
}

func (a *Axis) fits(v float64) error {
	switch {
	case !known(v):
		return fmt.Errorf("%v cannot be placed", v)
	case a.Scale == Log && v <= 0:
		return fmt.Errorf("%v is not on a logarithmic axis", v)
	case a.Scale == Percentile && !(v > 0 && v < 1):
		return fmt.Errorf("%v is not between 0 and 1", v)
	}
	return nil
}

func (a *Axis) check() error {
	lo, hi := a.transform(a.Min), a.transform(a.Max)
	if !(lo < hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return fmt.Errorf("%q has no range from %v to %v", a.Label, a.Min, a.Max)
	}
	return nil
}

// largest bounds the numbers that are drawn: beyond it a sum or a unit might
// overflow.
const largest = 1e250

// known reports a number that can be drawn: not NaN, not infinite nor as good as
// infinite.
func known(v float64) bool { return v > -largest && v < largest }

// span is the range of some numbers; those that are not known are passed over.
type span struct {
	lo, hi float64
	n      int
}

func (s *span) add(vs ...float64) {
	for _, v := range vs {
		if !known(v) {
			continue
		}
		if s.n == 0 {
			s.lo, s.hi = v, v
		}
		s.lo, s.hi, s.n = min(s.lo, v), max(s.hi, v), s.n+1
	}
}

// linear returns an axis around the span with some room at both ends. A single
// value gets a range around itself.
func (s span) linear(u unit, label string, ticks int) Axis {
	lo, hi := s.lo, s.hi
	room := (hi - lo) * 0.05
	if room == 0 {
		room = math.Max(math.Abs(hi)*0.05, math.SmallestNonzeroFloat64*1e3)
		if hi == 0 && lo == 0 {
			room = 1
		}
	}
	a := Axis{Label: u.axisLabel(label), Min: lo - room, Max: hi + room}
	// An axis of values that are not negative does not show negative room.
	if lo >= 0 && a.Min < 0 {
		a.Min = 0
		if lo == 0 {
			a.Min = -0.02 * a.Max
		}
	}
	a.Ticks = linearTicks(a.Min, a.Max, ticks, u)
	return a
}

// log returns a logarithmic axis around a span of positive values.
func (s span) log(u unit, label string, ticks int) Axis {
	lo, hi := math.Log10(s.lo), math.Log10(s.hi)
	room := math.Max((hi-lo)*0.04, 0.02)
	a := Axis{Label: u.axisLabel(label), Scale: Log, Min: math.Pow(10, lo-room), Max: math.Pow(10, hi+room)}
	if a.Min <= 0 {
		a.Min = math.SmallestNonzeroFloat64
	}
	a.Ticks = logTicks(a.Min, a.Max, ticks, u)
	return a
}

// wide reports whether positive values spread so far that only a logarithmic
// axis shows them all.
func (s span) wide() bool { return s.lo > 0 && s.hi/s.lo >= 8 }

// value returns the axis that suits the span.
func (s span) value(u unit, label string, ticks int) Axis {
	if s.wide() {
		return s.log(u, label, ticks)
	}
	return s.linear(u, label, ticks)
}
