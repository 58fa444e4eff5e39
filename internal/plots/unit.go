package plots

import (
	"math"
	"strconv"
	"strings"
)

// The base units of values, as the metrics name them.
const (
	seconds   = "s"
	unitless  = "1"
	perSecond = "1/s"
)

// unit is what numbers are printed in: printed = base × factor.
type unit struct {
	name   string
	factor float64
	signed bool // a plus sign before positive numbers
	places int  // decimals to print; 0 stands for three significant digits, -1 for whole numbers
}

// unitFor picks the unit in which values up to v read well.
func unitFor(base string, v float64) unit {
	v = math.Abs(v)
	switch base {
	case seconds:
		switch {
		case v >= 1 || v == 0:
			return unit{name: "s", factor: 1}
		case v >= 1e-3:
			return unit{name: "ms", factor: 1e3}
		case v >= 1e-6:
			return unit{name: "µs", factor: 1e6}
		}
		return unit{name: "ns", factor: 1e9}
	case perSecond:
		return unit{name: "per second", factor: 1}
	case unitless, "":
		return unit{factor: 1}
	case "%":
		return unit{name: "%", factor: 100, places: 2}
	}
	return unit{name: base, factor: 1}
}

// percent prints shares; points prints differences of shares.
var (
	percent = unit{name: "%", factor: 100, signed: true, places: 1}
	points  = unit{name: "pp", factor: 100, signed: true, places: 2}
	share   = unit{name: "%", factor: 100}
)

func (u unit) axisLabel(label string) string {
	if u.name == "" {
		return label
	}
	return label + " (" + u.name + ")"
}

// even prints every value with the decimals that the largest, v, has with three
// significant digits: parts that add up are read as a column.
func (u unit) even(v float64) unit {
	if v = math.Abs(v * u.factor); v > 0 && !math.IsInf(v, 0) {
		if u.places = 2 - int(math.Floor(math.Log10(v))); u.places <= 0 {
			u.places = -1
		}
		u.places = min(u.places, 9)
	}
	return u
}

// print prints a value with its unit.
func (u unit) print(v float64) string {
	s := significant(v*u.factor, 3)
	if u.places != 0 && math.Abs(v*u.factor) < 1e6 {
		s = grouped(strconv.FormatFloat(v*u.factor, 'f', max(0, u.places), 64))
		if strings.Trim(s, "-0.") == "" {
			s = strings.TrimPrefix(s, "-")
		}
	}
	if u.signed && v > 0 && strings.Trim(s, "0.") != "" {
		s = "+" + s
	}
	if u.name == "" {
		return s
	}
	return s + " " + u.name
}

// significant prints v with n significant digits and at most the decimals that
// it needs.
func significant(v float64, n int) string {
	switch {
	case v == 0:
		return "0"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "n/a"
	}
	d := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	if d > 9 || d < -9 {
		return trimExponent(strconv.FormatFloat(v, 'g', n, 64))
	}
	return grouped(strconv.FormatFloat(v, 'f', max(d, 0), 64))
}
