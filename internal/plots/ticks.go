package plots

import (
	"math"
	"strconv"
	"strings"
)

// linearTicks returns about n round values from lo to hi.
func linearTicks(lo, hi float64, n int, u unit) []Tick {
	lo, hi = lo*u.factor, hi*u.factor
	width := hi - lo
	if !(width > 0) {
		return endTicks(lo, hi, u)
	}
	step := niceStep(width / float64(max(n, 1)))
	if !(math.Abs(lo/step) < 1<<50) { // the step is lost in the offset
		return endTicks(lo, hi, u)
	}
	return stepTicks(lo/u.factor, hi/u.factor, step, u)
}

// stepTicks returns the multiples of a step of the printed unit.
func stepTicks(lo, hi, step float64, u unit) []Tick {
	lo, hi = lo*u.factor, hi*u.factor
	first := math.Ceil(lo/step - 1e-9)
	var out []Tick
	for k := 0; k < 100; k++ {
		v := (first + float64(k)) * step
		if v > hi+1e-9*step {
			break
		}
		out = append(out, Tick{At: v / u.factor, Label: tickText(v, step, u)})
	}
	return out
}

// endTicks labels the two ends, for ranges without round values inside.
func endTicks(lo, hi float64, u unit) []Tick {
	for d := 3; ; d++ {
		a, b := strconv.FormatFloat(lo, 'g', d, 64), strconv.FormatFloat(hi, 'g', d, 64)
		if a != b || d == 17 {
			return []Tick{{At: lo / u.factor, Label: trimExponent(a)}, {At: hi / u.factor, Label: trimExponent(b)}}
		}
	}
}

// niceStep rounds a step up to 1, 2 or 5 times a power of ten.
func niceStep(raw float64) float64 {
	e := math.Floor(math.Log10(raw))
	p := math.Pow(10, e)
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*p*1.3 {
			return m * p
		}
	}
	return 10 * p
}

// tickText prints a multiple of a step with the decimals that the step has.
func tickText(v, step float64, u unit) string {
	big := math.Max(math.Abs(v), step)
	if big >= 1e7 || step < 1e-6 {
		// As many digits as tell neighbours apart.
		d := int(math.Ceil(math.Log10(big/step))) + 1
		s := trimExponent(strconv.FormatFloat(v, 'g', max(d, 1), 64))
		if !strings.Contains(s, "e") {
			s = grouped(s)
		}
		return s
	}
	d := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	s := grouped(strconv.FormatFloat(v, 'f', d, 64))
	if u.signed && v > step/2 {
		s = "+" + s
	}
	return s
}

func trimExponent(s string) string {
	s = strings.Replace(s, "e+0", "e", 1)
	s = strings.Replace(s, "e-0", "e-", 1)
	return strings.Replace(s, "e+", "e", 1)
}

// logTicks returns 1, 2 and 5 times the powers of ten inside the range, or only
// as many as fit.
func logTicks(lo, hi float64, n int, u unit) []Tick {
	lo, hi = lo*u.factor, hi*u.factor
	decades := math.Log10(hi) - math.Log10(lo)
	marks := []float64{1, 2, 5}
	stride := 1
	switch {
	case decades*3 > float64(n)*1.3 && decades*2 <= float64(n):
		marks = []float64{1, 3}
	case decades*3 > float64(n)*1.3:
		marks = []float64{1}
		stride = max(1, int(math.Ceil(decades/float64(n))))
	}
	var out []Tick
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		if ((e%stride)+stride)%stride != 0 {
			continue
		}
		for _, m := range marks {
			v, err := strconv.ParseFloat(strconv.FormatFloat(m, 'f', -1, 64)+"e"+strconv.Itoa(e), 64)
			if err != nil || v < lo || v > hi {
				continue
			}
			out = append(out, Tick{At: v / u.factor, Label: logText(v)})
		}
	}
	if len(out) < 3 {
		lin := linearTicks(lo/u.factor, hi/u.factor, n, u)
		var positive []Tick
		for _, t := range lin {
			if t.At > 0 {
				positive = append(positive, t)
			}
		}
		return positive
	}
	return out
}

func logText(v float64) string {
	if v >= 1e6 || v < 1e-3 {
		return trimExponent(strconv.FormatFloat(v, 'e', 0, 64))
	}
	return grouped(strconv.FormatFloat(v, 'f', -1, 64))
}

// percentileAxis is the axis of q from lo to hi, which lie in (0, 1).
func percentileAxis(label string, lo, hi float64) Axis {
	a := Axis{Label: label, Scale: Percentile, Min: lo, Max: hi}
	for _, t := range []Tick{{0.01, "p1", 3}, {0.05, "p5", 4}, {0.1, "p10", 3}, {0.25, "p25", 4}, {0.5, "p50", 1}, {0.75, "p75", 3}, {0.9, "p90", 3}, {0.95, "p95", 2}, {0.99, "p99", 1}, {0.999, "p99.9", 2}} {
		if t.At >= lo && t.At <= hi {
			a.Ticks = append(a.Ticks, t)
		}
	}
	return a
}

// grouped sets thousands separators in the whole part.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac, dot := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		whole += "." + frac
	}
	if strings.Trim(whole, "0.,") == "" {
		sign = ""
	}
	return sign + whole
}
