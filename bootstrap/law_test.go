package bootstrap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func TestOrderQuantile(t *testing.T) {
	v := []float64{1, 2, 4, 8}
	for _, c := range []struct {
		why     string
		a       float64
		rule    Rule
		want    float64
		clamped bool
	}{
		{"type 6, (B+1)a = 1 exactly", 0.2, OrderStatistic, 1, false},
		{"type 6, (B+1)a = 2.5", 0.5, OrderStatistic, 3, false},
		{"type 6 below the first", 0.1, OrderStatistic, 1, true},
		{"type 6 above the last", 0.9, OrderStatistic, 8, true},
		{"type 6, (B+1)a = 4 exactly", 0.8, OrderStatistic, 8, false},
		{"type 7, (B−1)a+1 = 2.5", 0.5, Linear, 3, false},
		{"type 7 at 0", 0, Linear, 1, false},
		{"type 7 at 1", 1, Linear, 8, false},
		{"inverse, reached exactly", 0.5, InverseCDF, 2, false},
		{"inverse, just above", 0.51, InverseCDF, 4, false},
		{"inverse at 0", 0, InverseCDF, 1, false},
	} {
		got, clamped := orderQuantile(v, c.a, c.rule)
		if got != c.want || clamped != c.clamped {
			t.Errorf("%s: %v, %v; want %v, %v", c.why, got, clamped, c.want, c.clamped)
		}
	}
	// 0.29·100 is 28.999999999999996 in floating point.
	hundred := make([]float64, 99)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	if got, _ := orderQuantile(hundred, 0.29, OrderStatistic); got != 29 {
		t.Errorf("0.29 of 99 values: %v, want the 29th", got)
	}
	inf := []float64{math.Inf(-1), 0, 1, math.Inf(1)}
	for _, a := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		if got, _ := orderQuantile(inf, a, OrderStatistic); math.IsNaN(got) {
			t.Errorf("quantile %v between infinities is NaN", a)
		}
	}
}

func TestLawRefuses(t *testing.T) {
	ok := []float64{1, 2, 3}
	for _, units := range []int{-1, 0, 1, 2} {
		_, err := FromReplicates(1, ok, units)
		wantError(t, err, stats.ErrTooFew, "units")
	}
	_, err := FromReplicates(1, ok[:1], 9)
	wantError(t, err, stats.ErrTooFew, "one replicate")
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err = FromReplicates(1, []float64{1, bad, 2}, 9)
		wantError(t, err, stats.ErrDomain, "replicate")
		_, err = FromReplicates(bad, ok, 9)
		wantError(t, err, stats.ErrDomain, "value")
	}
	l := must[Law](t)(FromReplicates(2, ok, 9))
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		for name, f := range map[string]func(float64) (stats.Estimate, error){"percentile": l.Percentile, "basic": l.Basic, "normal": l.Normal} {
			_, err := f(level)
			wantError(t, err, stats.ErrDomain, name)
		}
	}
	for _, a := range []float64{-0.1, 1.1, math.NaN()} {
		_, err := l.Quantile(a)
		wantError(t, err, stats.ErrDomain, "quantile level")
	}
	huge := must[Law](t)(FromReplicates(0, []float64{-1e308, 0, 1e308}, 9))
	_, err = huge.Percentile(0.9)
	wantError(t, err, stats.ErrDomain, "overflow")
}

func TestZeroLaw(t *testing.T) {
	var l Law
	if l.Mean() != 0 || l.SE() != 0 || l.CDF(1) != 0 || l.Below(1) != 0 || l.Len() != 0 || l.Exact() {
		t.Error("the zero Law is not empty")
	}
	_, err := l.Quantile(0.5)
	wantError(t, err, stats.ErrTooFew, "quantile")
	_, err = l.Percentile(0.5)
	wantError(t, err, stats.ErrTooFew, "interval")
}

func TestLawCDF(t *testing.T) {
	l := must[Law](t)(FromReplicates(2, []float64{1, 2, 2, 3}, 9))
	for _, c := range []struct{ v, cdf, below float64 }{
		{0, 0, 0}, {1, 0.25, 0.125}, {1.5, 0.25, 0.25}, {2, 0.75, 0.5}, {3, 1, 0.875}, {4, 1, 1},
		{2 - 1e-15, 0.75, 0.5}, // equal up to rounding
	} {
		if got := l.CDF(c.v); got != c.cdf {
			t.Errorf("CDF(%v) = %v, want %v", c.v, got, c.cdf)
		}
		if got := l.Below(c.v); got != c.below {
			t.Errorf("Below(%v) = %v, want %v", c.v, got, c.below)
		}
	}
}

// P02: constant data give an interval without width and a warning, no NaN.
func TestConstantData(t *testing.T) {
	x := constant(30, 0.1)
	stat := meanStatistic(x)
	sampled := must[Law](t)(Resample(30, stat, Options{Replicates: 199}))
	exact := must[Law](t)(Resample(8, stat, Options{}))
	for name, l := range map[string]Law{"sampled": sampled, "exact": exact} {
		loo := must[[]float64](t)(LeaveOneOut(l.Units(), stat))
		b := must[BCaEstimate](t)(l.BCa(loo, 0.95))
		if !b.FellBack || !hasWarning(b.Warnings, WarnBCaFallback) {
			t.Errorf("%s: BCa does not fall back: %+v", name, b)
		}
		if b.Bias != 0 || b.Acceleration != 0 {
			t.Errorf("%s: constants %v and %v after a fallback", name, b.Bias, b.Acceleration)
		}
		for _, e := range []stats.Estimate{b.Estimate, must[stats.Estimate](t)(l.Percentile(0.95)), must[stats.Estimate](t)(l.Basic(0.95)), must[stats.Estimate](t)(l.Normal(0.95))} {
			if !finite(e) || !near(e.Interval.Lo, 0.1) || !near(e.Interval.Hi, 0.1) || !hasWarning(e.Warnings, stats.WarnNoVariance) {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}

func TestFewUnitsAreWarnedOf(t *testing.T) {
	for n, want := range map[int]bool{3: true, 19: true, 20: false} {
		x := lognormal(uint64(n), n, 0.5)
		l := must[Law](t)(Resample(n, meanStatistic(x), Options{Replicates: 199}))
		e := must[stats.Estimate](t)(l.Percentile(0.9))
		if hasWarning(e.Warnings, WarnFewUnits) != want || e.N != n {
			t.Errorf("%d units: N %d, warnings %v", n, e.N, e.Warnings)
		}
		if hasWarning(e.Warnings, WarnFewReplicates) {
			t.Errorf("199 replicates reach level 0.9: %v", e.Warnings)
		}
	}
	l := must[Law](t)(FromReplicates(1, []float64{0, 1, 2, 3}, 50))
	if e := must[stats.Estimate](t)(l.Percentile(0.95)); !hasWarning(e.Warnings, WarnFewReplicates) {
		t.Error("four replicates are enough for level 0.95")
	}
}

func TestLawProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 30, 200).Draw(t, "replicates")
		value := rapid.SampledFrom(v).Draw(t, "value")
		guard := slices.Clone(v)
		l, err := FromReplicates(value, v, 40)
		if err != nil {
			t.Fatal(err)
		}
		l = l.WithRule(rapid.SampledFrom([]Rule{OrderStatistic, Linear, InverseCDF}).Draw(t, "rule"))
		if !slices.Equal(v, guard) {
			t.Fatal("argument changed")
		}
		reversed := slices.Clone(v)
		slices.Reverse(reversed)
		r, _ := FromReplicates(value, reversed, 40)
		if r.SE() != l.SE() || r.Mean() != l.Mean() {
			t.Fatal("order of replicates matters")
		}
		last := math.Inf(-1)
		for a := 0.0; a <= 1; a += 1.0 / 32 {
			q, err := l.Quantile(a)
			if err != nil || q < last || q < slices.Min(v) || q > slices.Max(v) {
				t.Fatalf("quantile %v = %v after %v, %v", a, q, last, err)
			}
			last = q
		}
		outer, inner := 0.9, 0.6
		for name, f := range map[string]func(float64) (stats.Estimate, error){"percentile": l.Percentile, "basic": l.Basic, "normal": l.Normal} {
			o, err1 := f(outer)
			i, err2 := f(inner)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if o.Interval.Lo > i.Interval.Lo || o.Interval.Hi < i.Interval.Hi || !finite(o) {
				t.Fatalf("%s intervals do not nest: %v, %v", name, o.Interval, i.Interval)
			}
		}
		// A change of unit scales everything; a negative one swaps the limits.
		neg := make([]float64, len(v))
		for i := range v {
			neg[i] = -4 * v[i]
		}
		m, _ := FromReplicates(-4*value, neg, 40)
		if l.rule == InverseCDF {
			return // not symmetric by definition
		}
		m = m.WithRule(l.rule)
		a, _ := l.Percentile(outer)
		b, _ := m.Percentile(outer)
		if !near(b.Interval.Lo, -4*a.Interval.Hi) || !near(b.Interval.Hi, -4*a.Interval.Lo) || !near(b.SE, 4*a.SE) {
			t.Fatalf("negation: %v, %v", a, b)
		}
	})
}

func FuzzLaw(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 0.5, 0.9)
	f.Add(1e12, 1e12+1, 1e12, 1e12, 0.99)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.5)
	f.Add(-38.0, 1.6, 342.0, 35.0, 1-0x1p-53) // (1+level)/2 rounds to 1
	f.Add(math.Inf(1), math.NaN(), 0.0, 1.0, 0.5)
	f.Fuzz(func(t *testing.T, a, b, c, value, level float64) {
		l, err := FromReplicates(value, []float64{a, b, c, b}, 20)
		if err != nil {
			return
		}
		bca, err := l.BCa([]float64{a, b, c, a, b, c, a, b, c, a, b, c, a, b, c, a, b, c, a, b}, level)
		if err != nil {
			return
		}
		p, err := l.Percentile(level)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []stats.Estimate{bca.Estimate, p} {
			if !finite(e) || e.Interval.Lo > e.Interval.Hi {
				t.Fatalf("%+v", e)
			}
		}
	})
}
