package report

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{
		{0, 3, "0"}, {math.Copysign(0, -1), 3, "0"}, {1, 3, "1.00"}, {182.4, 3, "182"}, {18.24, 3, "18.2"}, {0.001824, 3, "0.00182"},
		// At a power of ten a digit goes over to the whole part.
		{9.999, 3, "10.0"}, {99.95, 3, "100"}, {0.9999, 3, "1.00"}, {0.09996, 3, "0.100"}, {9.994, 3, "9.99"}, {999.6, 3, "1,000"},
		{-9.999, 3, "-10.0"}, {-0.09996, 3, "-0.100"},
		// The whole part is never cut.
		{1234567, 3, "1,234,567"}, {123456.7, 2, "123,457"}, {1e15, 3, "1,000,000,000,000,000"},
		// What is very small or large is not written out.
		{1.5e300, 3, "1.5e+300"}, {-1e18, 3, "-1e+18"},
		{1.5e-12, 2, "1.5e-12"}, {1e-300, 3, "1e-300"},
		{math.NaN(), 3, "n/a"}, {math.Inf(1), 3, "n/a"}, {math.Inf(-1), 3, "n/a"},
	} {
		if got := digits(c.v, c.n); got != c.want {
			t.Errorf("%v to %d digits: %q, want %q", c.v, c.n, got, c.want)
		}
	}
	// What is printed is the number to the digits that are shown.
	for e := -9; e < 9; e++ {
		for _, m := range []float64{1, 1.004999, 1.005001, 5.5, 9.949999, 9.950001, 9.994999, 9.995001, 9.999999} {
			v := m * math.Pow(10, float64(e))
			got, err := strconv.ParseFloat(strings.ReplaceAll(digits(v, 3), ",", ""), 64)
			if err != nil || math.Abs(got/v-1) > 0.0051 {
				t.Errorf("%v is printed %q", v, digits(v, 3))
			}
		}
	}
}

func TestFixedAndSigned(t *testing.T) {
	for _, c := range []struct {
		v      float64
		d      int
		fixed  string
		signed string
	}{
		{0, 1, "0.0", "0.0"}, {-0.04, 1, "0.0", "0.0"}, {0.04, 1, "0.0", "0.0"}, {0.06, 1, "0.1", "+0.1"}, {-0.06, 1, "-0.1", "-0.1"},
		{99.999, 2, "100.00", "+100.00"}, {-99.999, 2, "-100.00", "-100.00"}, {12345.678, 1, "12,345.7", "+12,345.7"}, {-1234567, 0, "-1,234,567", "-1,234,567"},
		{0.999, 2, "1.00", "+1.00"}, {999.96, 1, "1,000.0", "+1,000.0"},
		{1.234e297, 1, "1.23e+297", "+1.23e+297"}, {-1e18, 2, "-1e+18", "-1e+18"},
		{math.Inf(1), 1, "∞", "+∞"}, {math.Inf(-1), 2, "-∞", "-∞"},
	} {
		if got := fixed(c.v, c.d); got != c.fixed {
			t.Errorf("fixed(%v, %d) = %q, want %q", c.v, c.d, got, c.fixed)
		}
		if got := signed(c.v, c.d); got != c.signed {
			t.Errorf("signed(%v, %d) = %q, want %q", c.v, c.d, got, c.signed)
		}
	}
}

func TestGroup(t *testing.T) {
	for in, want := range map[string]string{"0": "0", "999": "999", "1000": "1,000", "-999": "-999", "-1000": "-1,000", "1234567.891": "1,234,567.891", "-0.00": "0.00", "-0": "0"} {
		if got := group(in); got != want {
			t.Errorf("group(%q) = %q, want %q", in, got, want)
		}
	}
	if got := count(-12345); got != "-12,345" {
		t.Errorf("count %q", got)
	}
	for n, want := range map[int64]string{0: "0 runs", 1: "1 run", 2: "2 runs", 1000: "1,000 runs"} {
		if got := plural(n, "run"); got != want {
			t.Errorf("plural(%d) = %q", n, got)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{5: "5", 0.5: "0.5", 2.5: "2.5", 0.1: "0.1", 1000: "1,000", 0.000001: "0.000001", 1e-9: "1e-09", 0: "0", -3: "-3", 33.333333333: "33.333333"} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %q, want %q", v, got, want)
		}
	}
	// A level close to 1 is not printed as certainty.
	for share, want := range map[float64]string{0.95: "95 %", 0.05: "5 %", 0.025: "2.5 %", 1: "100 %", 0.99: "99 %", 0.999: "99.9 %", 0.999999999: "99.9999999 %"} {
		if got := percentOf(share); got != want {
			t.Errorf("percentOf(%v) = %q, want %q", share, got, want)
		}
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct {
		v     float64
		unit  string
		share bool
		want  string
	}{
		{0.182, metric.Seconds, false, "182 ms"}, {1, metric.Seconds, false, "1.00 s"}, {0.0009999, metric.Seconds, false, "1,000 µs"}, {5e-8, metric.Seconds, false, "50.0 ns"}, {0, metric.Seconds, false, "0 s"},
		{0.99906, metric.Unitless, true, "99.91 %"}, {1, metric.Unitless, true, "100.00 %"}, {0.99999, metric.Unitless, true, "100.00 %"},
		{12.5, metric.PerSecond, false, "12.5/s"}, {3, metric.Unitless, false, "3.00"}, {2.5, metric.USD, false, "$2.50"}, {0.004, metric.USD, false, "0.400 ¢"},
		{17, metric.Tokens, false, "17.0 tokens"}, {math.NaN(), metric.Seconds, false, "none"}, {math.Inf(1), metric.Seconds, false, "none"},
	} {
		if got := value(Num(c.v), c.unit, c.share, scaleFor(c.unit, c.v)); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.v, c.unit, got, c.want)
		}
	}
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{1, 2, "[+1.0, +2.0]"}, {math.NaN(), 2, "[-∞, +2.0]"}, {-1, math.NaN(), "[-1.0, +∞]"}, {math.NaN(), math.NaN(), "n/a"},
	} {
		if got := interval(Num(c.lo), Num(c.hi), func(v Num) string { return signed(float64(v), 1) }, ""); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	if got := bare(0.8, metric.Seconds, false); got != "800 ms" {
		t.Errorf("a limit of 0.8 s is printed %q", got)
	}
	for p, want := range map[Num]string{0.5: "0.50", 0.0123: "0.012", 0.0001: "0.00010", 0.00009: "<0.0001", 1e-300: "<0.0001", 0: "<0.0001"} {
		if got := pText(p); got != want {
			t.Errorf("p %v: %q, want %q", float64(p), got, want)
		}
	}
}

// A number that JSON cannot carry is null, and comes back as none.
func TestNum(t *testing.T) {
	for v, want := range map[Num]string{1.5: "1.5", 0: "0", Num(math.Inf(1)): "null", Num(math.Inf(-1)): "null", 1e300: "1e+300", 0.1: "0.1"} {
		b, err := json.Marshal(v)
		if err != nil || string(b) != want {
			t.Errorf("%v: %s, %v; want %s", float64(v), b, err, want)
		}
		var back Num
		if err := json.Unmarshal(b, &back); err != nil || back.Known() != v.Known() || v.Known() && back != v {
			t.Errorf("%v comes back as %v, %v", float64(v), float64(back), err)
		}
	}
	if b, err := json.Marshal(none); err != nil || string(b) != "null" {
		t.Errorf("none: %s, %v", b, err)
	}
	var n Num
	if err := json.Unmarshal([]byte(`"x"`), &n); err == nil {
		t.Error("a word is a number")
	}
}

func TestWrap(t *testing.T) {
	var b strings.Builder
	wrap(&b, "  ", "one two three 4 ms, five (6 %) seven", 14)
	for line := range strings.Lines(b.String()) {
		if len(line) > 15 || !strings.HasPrefix(line, "  ") || strings.Contains(line, "  %") {
			t.Errorf("line %q", line)
		}
	}
	if want := "  one two\n  three 4 ms,\n  five (6 %)\n  seven\n"; b.String() != want {
		t.Errorf("wrapped:\n%q, want\n%q", b.String(), want)
	}
	if got := displayWidth("日本 a"); got != 6 {
		t.Errorf("two wide characters, a blank and a letter are %d wide", got)
	}
	for in, want := range map[string]string{"a\nb\tc\r": "a b c ", "\x1b[31m": "?[31m", "ok": "ok", "a\u202eb": "a?b", "\x00": "?"} {
		if got := Printable(in); got != want {
			t.Errorf("%q is printed %q, want %q", in, got, want)
		}
	}
}
