package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// scale is a unit to print a column of numbers in.
type scale struct {
	name   string
	factor float64 // printed = base × factor
}

// scaleFor picks the unit in which v reads well.
func scaleFor(unit string, v float64) scale {
	switch unit {
	case metric.Seconds:
		switch v = math.Abs(v); {
		case v >= 1 || v == 0:
			return scale{"s", 1}
		case v >= 1e-3:
			return scale{"ms", 1e3}
		case v >= 1e-6:
			return scale{"µs", 1e6}
		}
		return scale{"ns", 1e9}
	case metric.PerSecond:
		return scale{"/s", 1}
	case metric.USD:
		if v = math.Abs(v); v > 0 && v < 0.1 {
			return scale{"¢", 100}
		}
		return scale{"$", 1}
	case metric.Unitless:
		return scale{"", 1}
	}
	return scale{unit, 1}
}

// tooLong is a size from which numbers are printed with an exponent: no table
// has room for their digits, of which a float64 keeps 16 anyway.
const tooLong = 1e18

// digits prints v with n significant digits, never in exponent form for the
// sizes that occur, and without cutting the whole part.
func digits(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "n/a"
	}
	d := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	if d > 12 || math.Abs(v) >= tooLong {
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	s := strconv.FormatFloat(v, 'f', max(d, 0), 64)
	// 9.999 to 3 digits is 10.00: one digit less.
	if r, err := strconv.ParseFloat(s, 64); err == nil && d > 0 && math.Abs(r) >= math.Pow10(n-d) {
		s = strconv.FormatFloat(v, 'f', d-1, 64)
	}
	return group(s)
}

// above returns the least number with d decimals that is greater than v, and v
// where floats have no such decimals.
func above(v float64, d int) float64 {
	tens := math.Pow10(d)
	n := math.Floor(v * tens)
	for range 3 {
		if n/tens > v {
			return n / tens
		}
		n++
	}
	return v
}

// marginAbove prints the least margin of the usual digits that is greater than v: as
// it is printed it passes what v is the limit of.
func marginAbove(v float64, relative, share bool, unit string) string {
	switch {
	case relative:
		return fixed(above(v*100, 1), 1) + " %"
	case share:
		return fixed(above(v*100, 2), 2) + " pp"
	}
	s := scaleFor(unit, v)
	text := digits(v*s.factor, 3)
	if _, fraction, _ := strings.Cut(text, "."); v != 0 && !strings.Contains(text, "e") {
		text = fixed(above(v*s.factor, len(fraction)), len(fraction))
	}
	return withUnit(text, s.name)
}

// group sets thousands separators in the whole part.
func group(s string) string {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	whole, frac, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if frac != "" {
		whole += "." + frac
	}
	if neg && strings.Trim(whole, "0.,") != "" {
		whole = "-" + whole
	}
	return whole
}

func count(n int64) string { return group(strconv.FormatInt(n, 10)) }

// value prints a value with its unit: "182 ms", "99.91 %".
func value(v Num, unit string, share bool, s scale) string {
	if !v.Known() {
		return "none"
	}
	if share {
		return fixed(float64(v)*100, 2) + " %"
	}
	return withUnit(digits(float64(v)*s.factor, 3), s.name)
}

func withUnit(num, unit string) string {
	if unit == "$" {
		return "$" + num
	}
	if unit == "" || strings.HasPrefix(unit, "/") {
		return num + unit
	}
	return num + " " + unit
}

// fixed prints v with d decimals; −0.00 is printed as 0.00. A percentage may
// be beyond the range of numbers, and is infinite then.
func fixed(v float64, d int) string {
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	case math.Abs(v) >= tooLong:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return group(strconv.FormatFloat(v, 'f', d, 64))
}

// signed prints v with d decimals and always a sign, except for a rounded zero.
func signed(v float64, d int) string {
	s := fixed(v, d)
	if v > 0 && strings.Trim(s, "0.,") != "" {
		return "+" + s
	}
	return s
}

// number prints a number as the user would write it: no trailing zeros.
func number(v float64) string {
	if math.Abs(v) >= tooLong {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := strconv.FormatFloat(v, 'f', 6, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "0" || s == "-0" {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return group(s)
}

// plural returns "1 run" or "3 runs".
func plural(n int64, noun string) string {
	if n == 1 {
		return count(n) + " " + noun
	}
	return count(n) + " " + noun + "s"
}
