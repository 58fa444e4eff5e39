package compare_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/stats"
)

// With one run a side the interval is that of the run, wider by the noise that is
// assumed; without assumed noise it is about the two runs alone.
func TestSingleRuns(t *testing.T) {
	a, b := drawn(7, 1, 2000, 0, 1), drawn(8, 1, 2000, 0, 1.02)
	width := func(noise float64, ask string) (float64, compare.Result) {
		opt := noMix()
		opt.RunNoise = noise
		r := compareTables(t, opt, []string{ask}, a, b).Results[0]
		return r.Log.Hi - r.Log.Lo, r
	}
	for _, ask := range []string{"latency:p50", "latency:mean"} {
		none, r := width(0, ask)
		some, with := width(0.025, ask)
		z := stats.NormalQuantile(0.975)
		if want := math.Hypot(none, 2*z*0.025*math.Sqrt2); math.Abs(some-want) > 0.1*want {
			t.Errorf("%s: width %v with noise, want about %v", ask, some, want)
		}
		if !strings.Contains(with.Method, "with assumed run noise") || strings.Contains(r.Method, "noise") {
			t.Errorf("%s: methods %q and %q", ask, r.Method, with.Method)
		}
		if r.Log.Value != with.Log.Value {
			t.Errorf("%s: the noise moved the change", ask)
		}
	}
	// A measured noise goes before the number.
	opt := noMix()
	opt.Noise = &compare.NoiseTable{From: "noise.json", Rest: compare.MeasuredNoise{SD: 0.1}}
	c := compareTables(t, opt, []string{"latency:p50"}, a, b)
	if c.Design.NoiseFrom != "noise.json" || c.Design.AssumedRunNoise != 0.1 {
		t.Errorf("design %+v", c.Design)
	}
	wide, _ := width(0.1, "latency:p50")
	if r := c.Results[0]; math.Abs(r.Log.Hi-r.Log.Lo-wide) > 1e-9 {
		t.Errorf("width %v, with the same number given %v", r.Log.Hi-r.Log.Lo, wide)
	}
}

// A single run borrows the spread of the other side: the interval of a
// prediction.
func TestBorrowedSpread(t *testing.T) {
	a, b := drawn(9, 5, 400, 0.04, 1), drawn(10, 1, 400, 0.04, 1)
	r := compareTables(t, noMix(), []string{"latency:mean"}, a, b).Results[0]
	sd := r.UnitSD
	if want := sd * math.Sqrt(1+1.0/5); math.Abs(r.Delta.SEHi/want-1) > 1e-9 || r.Delta.DF != 4 {
		t.Errorf("error %v with %v degrees of freedom, want %v with 4", r.Delta.SEHi, r.Delta.DF, want)
	}
	back := compareTables(t, noMix(), []string{"latency:mean"}, b, a).Results[0]
	if d := cmp.Diff(numbers(r.Delta)[3:], numbers(back.Delta)[3:], approx); d != "" {
		t.Errorf("the other way round:\n%s", d)
	}
}

// A percentile needs values beyond it.
func TestThinTail(t *testing.T) {
	c := compareTables(t, noMix(), []string{"latency:p99", "latency:p50", "latency:p1"}, drawn(11, 2, 450, 0, 1), drawn(12, 2, 600, 0, 1))
	for i, want := range []bool{true, false, true} { // 900 · 0.01 < 10
		r := c.Results[i]
		if r.Thin != want || r.Thin == r.Log.HasInterval() || !r.Baseline.OK {
			t.Errorf("%s: thin %v, interval %v", r.Estimand, r.Thin, r.Log.HasInterval())
		}
		if want && r.NeedRequests != 1000 {
			t.Errorf("%s needs %d requests, want 1,000", r.Estimand, r.NeedRequests)
		}
	}
	for p, want := range map[string]int64{"p99.99": 100000, "p99.9": 10000, "p0.1": 10000} {
		if r := compareTables(t, noMix(), []string{"latency:" + p}, drawn(11, 2, 50, 0, 1), drawn(12, 2, 50, 0, 1)).Results[0]; r.NeedRequests != want {
			t.Errorf("%s needs %d requests, want %d", p, r.NeedRequests, want)
		}
	}
	if r := compareTables(t, noMix(), []string{"latency:p99"}, drawn(11, 2, 500, 0, 1), drawn(12, 2, 500, 0, 1)).Results[0]; r.Thin {
		t.Error("ten values beyond the percentile are too few")
	}
}
