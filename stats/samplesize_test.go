package stats

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// A plan for noninferiority by 5 with a standard deviation of 10 on both sides. By
// hand the normal formula gives 2·(1.644854+0.841621)²·100/25 = 49.46, and 62.79 at
// one-sided .025; the t distribution adds about one.
func TestNTwoMeansNI(t *testing.T) {
	for _, tt := range []struct {
		alpha float64
		want  int
	}{{0.05, 51}, {0.025, 64}} {
		s, err := NTwoMeansNI(5, 0, 10, tt.alpha, 0.8)
		if err != nil || s.N != tt.want {
			t.Errorf("alpha %v: %+v, %v, want %d", tt.alpha, s, err, tt.want)
		}
		if s.Power < 0.8 || s.Exact > float64(s.N) || s.Exact <= float64(s.N-1) {
			t.Errorf("alpha %v: %+v is not the smallest", tt.alpha, s)
		}
	}
	_, err := NTwoMeansNI(5, -8, 10, 0.05, 0.8)
	if !errors.Is(err, ErrImpossible) || !strings.Contains(err.Error(), "no sample size") {
		t.Errorf("beyond the margin: %v", err)
	}
}

func TestSizesShrinkWithTheEffect(t *testing.T) {
	last := math.MaxInt
	for d := 0.1; d < 5; d += 0.1 {
		s, err := NTwoMeans(d, 1, 0.05, 0.8)
		if err != nil || s.N > last || s.N < 2 {
			t.Fatalf("difference %v: %+v after %d, %v", d, s, last, err)
		}
		scaled, _ := NTwoMeans(-1000*d, 1000, 0.05, 0.8)
		if scaled.N != s.N {
			t.Errorf("difference %v: %d units, scaled and negated %d", d, s.N, scaled.N)
		}
		last = s.N
	}
	if s, err := NTwoMeans(1, 0, 0.05, 0.8); err != nil || s.N != 2 {
		t.Errorf("no spread: %+v, %v", s, err)
	}
}

// The table of detectable differences and of provable margins per number of runs.
func TestRunTables(t *testing.T) {
	for _, tt := range []struct {
		k             int
		mde, provable float64
	}{{2, 5.65, 3.98}, {3, 3.07, 2.48}, {4, 2.38, 2.00}, {5, 2.02, 1.72}, {6, 1.80, 1.54}, {8, 1.51, 1.31}, {10, 1.32, 1.16}, {15, 1.06, .93}, {20, .91, .80}} {
		two, err := MDERuns(tt.k, 1, 0.05, 0.8, TwoSided)
		if err != nil || math.Abs(two-tt.mde) > 0.0051 {
			t.Errorf("%d runs: two-sided %v, %v, want %v", tt.k, two, err, tt.mde)
		}
		one, err := MDERuns(tt.k, 1, 0.05, 0.8, Greater)
		if err != nil || math.Abs(one-tt.provable) > 0.0051 {
			t.Errorf("%d runs: one-sided %v, %v, want %v", tt.k, one, err, tt.provable)
		}
		if k, err := RunsNeeded(1, one*(1+1e-9), 0.05, 0.8, 100); err != nil || k != tt.k {
			t.Errorf("%d runs detect %v, but RunsNeeded says %d, %v", tt.k, one, k, err)
		}
		if approx := MDE(math.Sqrt(2/float64(tt.k)), float64(2*tt.k-2), 0.05, 0.8); approx < one*0.98 || approx > one*1.15 {
			t.Errorf("%d runs: approximation %v of %v", tt.k, approx, one)
		}
	}
	if d, err := MDERuns(5, 0, 0.05, 0.8, Less); err != nil || d != 0 {
		t.Errorf("no spread: %v, %v", d, err)
	}
	if _, err := MDERuns(1, 1, 0.05, 0.8, Less); !errors.Is(err, ErrTooFew) {
		t.Errorf("one run: %v", err)
	}
	if _, err := RunsPower(1, 1, 1, 0.05, Less); !errors.Is(err, ErrTooFew) {
		t.Errorf("one run: %v", err)
	}
}

func TestRunsNeeded(t *testing.T) {
	if k, err := RunsNeeded(0, 1, 0.05, 0.8, 10); err != nil || k != 2 {
		t.Errorf("no spread: %d, %v", k, err)
	}
	_, err := RunsNeeded(0.213, 0.0488, 0.025, 0.8, 100)
	if !errors.Is(err, ErrImpossible) || !strings.Contains(err.Error(), "299 runs") || !strings.Contains(err.Error(), "limit is 100") {
		t.Errorf("too many runs: %v", err)
	}
	if k, err := RunsNeeded(0.213, 0.0488, 0.025, 0.8, 1000); err != nil || k < 299 || k > 302 {
		t.Errorf("about 300 runs: %d, %v", k, err)
	}
	less, err := NRuns(1, -2, 0.05, 0.8, Less, 100)
	if err != nil {
		t.Fatal(err)
	}
	greater, _ := NRuns(1, 2, 0.05, 0.8, Greater, 100)
	two, _ := NRuns(1, 2, 0.1, 0.8, TwoSided, 100)
	if less != greater || two != greater {
		t.Errorf("less %d, greater %d, two-sided at twice alpha %d", less, greater, two)
	}
	for k, sd := 2, 0.05; sd < 3; sd += 0.05 {
		n, err := RunsNeeded(sd, 1, 0.05, 0.9, 10_000)
		if err != nil || n < k {
			t.Fatalf("sd %v: %d runs after %d, %v", sd, n, k, err)
		}
		if p, _ := RunsPower(n, sd, 1, 0.05, Greater); p < 0.9 {
			t.Errorf("sd %v: %d runs have power %v", sd, n, p)
		}
		if n > 2 {
			if p, _ := RunsPower(n-1, sd, 1, 0.05, Greater); p >= 0.9 {
				t.Errorf("sd %v: %d runs would do", sd, n-1)
			}
		}
		k = n
	}
}

func TestDesignSizes(t *testing.T) {
	// √(4/χ²_{.2,4}) with χ²_{.2,4} = 1.648777 (R qchisq).
	if got, err := SDUpperLimit(1, 4, 0.8); err != nil || !agrees(got, math.Sqrt(4/1.648776618), 1e-8) {
		t.Errorf("upper limit %v, %v", got, err)
	}
	c, err := NClustered(1000, 10, 0.02)
	if err != nil || c.Groups != 118 || c.Observations != 1180 || !agrees(c.DesignEffect, 1.18, 1e-12) {
		t.Errorf("clusters %+v, %v", c, err)
	}
	if n, err := EffectiveSize(0, 5, 0.5); err != nil || n != 0 {
		t.Errorf("effective size of nothing: %v, %v", n, err)
	}
	// Variance of one difference: .01 + 2·.1667/4.
	s, err := NRepeated(0.05, 0.1, math.Sqrt(1.0/6), math.Sqrt(1.0/6), 4, 4, 0.05, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	same, _ := NPaired(0.05, math.Sqrt(0.01+2.0/6/4), 0.05, 0.8)
	if s.N != same.N {
		t.Errorf("repeated %d, paired %d", s.N, same.N)
	}
	more, _ := NRepeated(0.05, 0.1, math.Sqrt(1.0/6), math.Sqrt(1.0/6), 16, 16, 0.05, 0.8)
	if more.N >= s.N {
		t.Errorf("more repeats need %d items, fewer %d", more.N, s.N)
	}
}

// The table of requests per run for lognormal latencies.
func TestNQuantileTable(t *testing.T) {
	for _, tt := range []struct {
		sigma, q float64
		want     [3]int // half-widths of 10, 5 and 2 %
	}{
		{.5, .5, [3]int{151, 604, 3772}},
		{.5, .9, [3]int{281, 1123, 7016}},
		{.5, .95, [3]int{429, 1716, 10722}},
		{.5, .99, [3]int{1339, 5354, 33462}},
		{.5, .999, [3]int{8463, 33850, 211560}},
		{1, .99, [3]int{5354, 21416, 133847}},
	} {
		for i, h := range []float64{.1, .05, .02} {
			s, err := NQuantile(tt.q, tt.sigma, h, 0.95)
			if err != nil || s.N != tt.want[i] {
				t.Errorf("sigma %v q %v half-width %v: %d, %v, want %d", tt.sigma, tt.q, h, s.N, err, tt.want[i])
			}
		}
	}
	if s, err := NQuantile(.5, 0, .1, .95); err != nil || s.N != 1 {
		t.Errorf("no spread: %+v, %v", s, err)
	}
	a, err := NQuantileRatio(.99, .5, 1.05, .05, .8)
	b, _ := NQuantileRatio(.99, .5, 1/1.05, .05, .8)
	if err != nil || a.N != b.N || a.Power < .8 {
		t.Errorf("ratio %+v, its inverse %+v, %v", a, b, err)
	}
}

func TestNProportionsSwap(t *testing.T) {
	a, _ := NTwoProportions(.2, .3, .05, .8)
	b, _ := NTwoProportions(.7, .8, .05, .8)
	if a.N != b.N || a.Power < .8 {
		t.Errorf("%+v and its mirror %+v", a, b)
	}
	s, err := NTwoProportionsNI(1, 1, .05, .05, .8)
	if err != nil || s.N < 1 || math.IsNaN(s.Exact) {
		t.Errorf("certain successes: %+v, %v", s, err)
	}
	m, err := NMcNemar(1, 0, .05, .8)
	if err != nil || m.N < 1 || math.IsNaN(m.Power) {
		t.Errorf("every pair a gain: %+v, %v", m, err)
	}
}

func BenchmarkRunsNeeded(b *testing.B) {
	for b.Loop() {
		if _, err := RunsNeeded(0.05, 0.03, 0.025, 0.8, 1000); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNPairedBinaryNI(b *testing.B) {
	for b.Loop() {
		if _, err := NPairedBinaryNI(0.1, 0, 0.01, 0.05, 0.8); err != nil {
			b.Fatal(err)
		}
	}
}
