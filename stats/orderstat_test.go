package stats

import (
	"math"
	"slices"
	"testing"
)

func TestOrderStatRanks(t *testing.T) {
	// The textbook case: ranks 2 and 9 of 10 for a median, 97.85 %.
	l, u, coverage, err := OrderStatRanks(10, 0.5, 0.95)
	if err != nil || l != 2 || u != 9 {
		t.Fatalf("ranks %d, %d, %v, want 2, 9", l, u, err)
	}
	near(t, "coverage", coverage, 1002.0/1024, 1e-14)
	// Equality counts: 2·2^-5 is exactly 1 − 0.9375.
	if l, u, coverage, _ := OrderStatRanks(5, 0.5, 0.9375); l != 1 || u != 5 || math.Abs(coverage-0.9375) > 1e-15 {
		t.Errorf("ranks %d, %d with coverage %v, want 1, 5, 0.9375", l, u, coverage)
	}
	for _, n := range []int{1, 2, 5, 30, 100, 1000, 100_000, 10_000_000} {
		for _, q := range []float64{0.01, 0.5, 0.95, 0.999} {
			for _, level := range []float64{0.5, 0.9, 0.95, 0.999} {
				l, u, coverage, err := OrderStatRanks(n, q, level)
				if err != nil {
					t.Fatal(err)
				}
				if coverage < level-1e-12 || coverage > 1 || l >= u || l < 0 || u > n+1 {
					t.Errorf("n %d, q %v, level %v: ranks %d, %d, coverage %v", n, q, level, l, u, coverage)
				}
				half := (1 - level) / 2
				if BinomialCDF(l, n, q) <= half || BinomialSurvival(u-2, n, q) <= half {
					t.Errorf("n %d, q %v, level %v: ranks %d, %d could be closer", n, q, level, l, u)
				}
				// Reflection swaps the ranks.
				if rl, ru, _, _ := OrderStatRanks(n, 1-q, level); math.Abs(float64(rl-(n+1-u))) > 0 && q == 0.5 || ru != n+1-l && q == 0.5 {
					t.Errorf("n %d: ranks %d, %d are not symmetric for the median", n, l, u)
				}
			}
		}
	}
}

func TestMinNForQuantileBoundAgreesWithRanks(t *testing.T) {
	for _, q := range []float64{0.05, 0.5, 0.9, 0.95, 0.99, 0.999} {
		for _, level := range []float64{0.8, 0.9, 0.95, 0.99} {
			n, err := MinNForQuantileBound(q, level, true)
			if err != nil {
				t.Fatal(err)
			}
			if l, u, _, _ := OrderStatRanks(n, q, level); l < 1 || u > n {
				t.Errorf("q %v, level %v: n %d has no bounds", q, level, n)
			}
			if n > 1 {
				if l, u, _, _ := OrderStatRanks(n-1, q, level); l >= 1 && u <= n-1 {
					t.Errorf("q %v, level %v: n %d is not the smallest", q, level, n)
				}
			}
			one, _ := MinNForQuantileBound(q, level, false)
			if p := math.Pow(q, float64(one)); p > (1-level)*(1+1e-12) {
				t.Errorf("q %v, level %v: %d values miss with probability %v", q, level, one, p)
			}
		}
	}
	_, err := MinNForQuantileBound(1-1e-16, 0.95, false)
	wantError(t, "q next to 1", err, ErrImpossible)
	_, err = MinNForQuantileBound(1, 0.95, false)
	wantError(t, "q", err, ErrDomain)
}

func TestOrderStatOneSided(t *testing.T) {
	x := make([]float64, 59)
	for i := range x {
		x[i] = float64(59 - i)
	}
	e, err := OrderStatUpper(x, 0.95, 0.95)
	if err != nil || e.Upper != 59 || e.Interval.Hi != 59 || !math.IsInf(e.Interval.Lo, -1) || len(e.Warnings) != 0 {
		t.Errorf("upper bound of 59 values: %+v, %v", e, err)
	}
	near(t, "coverage", e.Interval.Level, 1-math.Pow(0.95, 59), 1e-14)
	e, _ = OrderStatUpper(x[1:], 0.95, 0.95)
	if !math.IsInf(e.Interval.Hi, 1) || len(e.Warnings) != 1 || e.Warnings[0].Code != WarnUnbounded {
		t.Errorf("58 values bound the 0.95 quantile: %+v", e)
	}
	e, err = OrderStatLower(x, 0.95, 0.95)
	if err != nil || !math.IsInf(e.Interval.Hi, 1) || e.Interval.Level < 0.95 || len(e.Warnings) != 0 {
		t.Errorf("lower bound: %+v, %v", e, err)
	}
	// Mirror image: the lower bound of −x at 1−q is minus the upper bound.
	neg := make([]float64, len(x))
	for i, v := range x {
		neg[i] = -v
	}
	up, _ := OrderStatUpper(x, 0.8, 0.9)
	down, _ := OrderStatLower(neg, 0.2, 0.9)
	if up.Interval.Hi != -down.Interval.Lo {
		t.Errorf("upper bound %v, mirrored lower bound %v", up.Interval.Hi, down.Interval.Lo)
	}
}

func TestQuantileIntervalsNestAndKeepTheirArgument(t *testing.T) {
	x := lognormal(3, 400, 2, 1)
	before := slices.Clone(x)
	for name, f := range map[string]func(level float64) (Interval, error){
		"order statistic": func(level float64) (Interval, error) { e, err := OrderStatCI(x, 0.9, level); return e.Interval, err },
		"nyblom":          func(level float64) (Interval, error) { e, err := Nyblom(x, 0.9, level); return e.Interval, err },
		"bootstrap": func(level float64) (Interval, error) {
			e, err := ExactBootstrapQuantile(x, 0.9, level)
			return e.Interval, err
		},
		"harrell-davis": func(level float64) (Interval, error) { e, err := HarrellDavis(x, 0.9, level); return e.Interval, err },
		"woodruff":      func(level float64) (Interval, error) { e, err := WoodruffCI(x, 0.9, 20, level); return e.Interval, err },
	} {
		inner := Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
		for _, level := range []float64{0.5, 0.8, 0.9, 0.95, 0.99} {
			iv, err := f(level)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if iv.Lo > inner.Lo || iv.Hi < inner.Hi {
				t.Errorf("%s: interval %v at level %v does not hold the one before, %v", name, iv, level, inner)
			}
			inner = iv
		}
	}
	if !slices.Equal(x, before) {
		t.Error("the argument changed")
	}
}

func TestNyblomBetweenOrderStatistics(t *testing.T) {
	for seed := range uint64(20) {
		x := lognormal(seed, 30+int(seed)*7, 0, 1)
		for _, q := range []float64{0.3, 0.5, 0.8} {
			n, err := Nyblom(x, q, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			o, _ := OrderStatCI(x, q, 0.95)
			if n.Interval.Lo < o.Interval.Lo || n.Interval.Hi > o.Interval.Hi {
				t.Errorf("interpolated %v outside %v", n.Interval, o.Interval)
			}
			neg := make([]float64, len(x))
			for i, v := range x {
				neg[i] = -v
			}
			m, _ := Nyblom(neg, 1-q, 0.95)
			within(t, "mirrored limit", m.Interval.Lo, -n.Interval.Hi, 1e-9)
		}
	}
	few, err := Nyblom([]float64{1, 2, 3}, 0.5, 0.95)
	if err != nil || few.Interval != Unbounded(0.95) || len(few.Warnings) != 1 {
		t.Errorf("three values: %+v, %v", few, err)
	}
	if e, err := Nyblom([]float64{1}, 0.5, 0.95); err != nil || e.Interval != Unbounded(0.95) {
		t.Errorf("one value: %+v, %v", e, err)
	}
}

// The interval's true coverage of a known quantile, by simulation.
func TestQuantileIntervalCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const sims, n, q, level = 2000, 60, 0.8, 0.9
	truth := math.Exp(NormalQuantile(q))
	var exact, interpolated int
	for s := range sims {
		x := lognormal(uint64(1000+s), n, 0, 1)
		o, _ := OrderStatCI(x, q, level)
		y, _ := Nyblom(x, q, level)
		if o.Interval.Contains(truth) {
			exact++
		}
		if y.Interval.Contains(truth) {
			interpolated++
		}
	}
	_, _, want, _ := OrderStatRanks(n, q, level)
	// Four standard errors of a simulated share.
	gap := 4 * math.Sqrt(level*(1-level)/sims)
	within(t, "coverage of the order statistics", float64(exact)/sims, want, gap)
	within(t, "coverage of the interpolated interval", float64(interpolated)/sims, level, gap+0.005)
}

func TestQuantileIntervalErrors(t *testing.T) {
	x := []float64{1, 2, 3}
	for name, f := range map[string]func(x []float64, q, level float64) error{
		"order statistic": func(x []float64, q, level float64) error { _, err := OrderStatCI(x, q, level); return err },
		"lower":           func(x []float64, q, level float64) error { _, err := OrderStatLower(x, q, level); return err },
		"upper":           func(x []float64, q, level float64) error { _, err := OrderStatUpper(x, q, level); return err },
		"nyblom":          func(x []float64, q, level float64) error { _, err := Nyblom(x, q, level); return err },
		"harrell-davis":   func(x []float64, q, level float64) error { _, err := HarrellDavis(x, q, level); return err },
		"bootstrap":       func(x []float64, q, level float64) error { _, err := ExactBootstrapQuantile(x, q, level); return err },
		"difference": func(x []float64, q, level float64) error {
			_, err := ExactBootstrapDifference(x, x, q, level)
			return err
		},
		"ratio": func(x []float64, q, level float64) error { _, err := ExactBootstrapRatio(x, x, q, level); return err },
	} {
		wantError(t, name+" of nothing", f(nil, 0.5, 0.9), ErrTooFew)
		wantError(t, name+" with NaN", f([]float64{1, math.NaN()}, 0.5, 0.9), ErrDomain)
		wantError(t, name+" with Inf", f([]float64{1, math.Inf(1)}, 0.5, 0.9), ErrDomain)
		for _, bad := range []float64{0, 1, -1, 95, math.NaN()} {
			wantError(t, name+" at a bad q", f(x, bad, 0.9), ErrDomain)
			wantError(t, name+" at a bad level", f(x, 0.5, bad), ErrDomain)
		}
		for _, good := range [][]float64{{1}, {1, 2}, {5, 5, 5, 5}} {
			if err := f(good, 0.5, 0.9); err != nil {
				t.Errorf("%s of %v: %v", name, good, err)
			}
		}
	}
}

func BenchmarkOrderStatRanks(b *testing.B) {
	for b.Loop() {
		if _, _, _, err := OrderStatRanks(1_000_000, 0.99, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
