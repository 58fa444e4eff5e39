package compare_test

import (
	"math"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
)

func resampled(seed uint64) compare.Options {
	opt := noMix()
	opt.Interval, opt.Seed = compare.BootstrapInterval, seed
	return opt
}

// The bootstrap agrees with t where runs are many and alike, is the same for a
// seed, and another for another.
func TestBootstrapOfRuns(t *testing.T) {
	ask := []string{"latency:p50", "latency:p90", "latency:mean"}
	a, b := drawn(1, 40, 60, 0.05, 1), drawn(2, 30, 60, 0.05, 1.1)
	plain := compareTables(t, noMix(), ask, a, b)
	one, again, other := compareTables(t, resampled(1), ask, a, b), compareTables(t, resampled(1), ask, a, b), compareTables(t, resampled(2), ask, a, b)
	for i := range one.Results {
		p, r := plain.Results[i], one.Results[i]
		if !same(r.Delta, again.Results[i].Delta) || !same(r.Log, again.Results[i].Log) || r.Candidate != again.Results[i].Candidate {
			t.Errorf("%s: the same seed gives %+v and %+v", r.Estimand, r.Log, again.Results[i].Log)
		}
		if same(r.Log, other.Results[i].Log) {
			t.Errorf("%s: seeds 1 and 2 give the same", r.Estimand)
		}
		if r.Log.Value != p.Log.Value || r.Baseline.Value != p.Baseline.Value || r.Log.DF != p.Log.DF {
			t.Errorf("%s: value %v, df %v: want those of t, %v and %v", r.Estimand, r.Log.Value, r.Log.DF, p.Log.Value, p.Log.DF)
		}
		for _, w := range [][2]float64{{r.Log.Hi - r.Log.Lo, p.Log.Hi - p.Log.Lo}, {r.Delta.Hi - r.Delta.Lo, p.Delta.Hi - p.Delta.Lo}, {r.Candidate.Hi - r.Candidate.Lo, p.Candidate.Hi - p.Candidate.Lo}} {
			if q := w[0] / w[1]; q < 0.75 || q > 1.25 {
				t.Errorf("%s: an interval %.2f times as wide as that of t", r.Estimand, q)
			}
		}
		// With the null at a limit the p-value is half of one less the level.
		if lo, hi := r.Log.PBelow(r.Log.Lo), r.Log.PAbove(r.Log.Hi); math.Abs(lo-0.025) > 1e-9 || math.Abs(hi-0.025) > 1e-9 {
			t.Errorf("%s: p-values at the limits %v and %v: want 0.025", r.Estimand, lo, hi)
		}
		if !strings.HasPrefix(r.Method, "bootstrap of merged runs") || !strings.HasPrefix(p.Method, "jackknife") {
			t.Errorf("%s: %q and %q", r.Estimand, r.Method, p.Method)
		}
	}
}

func TestBootstrapCovers(t *testing.T) {
	const pairs = 60
	covered := 0
	for i := range uint64(pairs) {
		c := compareTables(t, resampled(i), []string{"latency:p50", "latency:mean"}, drawn(2*i+1, 22, 25, 0.1, 1), drawn(2*i+2, 22, 25, 0.1, 1))
		for _, r := range c.Results {
			if r.Log.Lo <= 0 && 0 <= r.Log.Hi {
				covered++
			}
		}
	}
	// Standard error .02 to .03 at .95: the two estimands of a pair go together.
	if share := float64(covered) / (2 * pairs); share < 0.88 {
		t.Errorf("intervals cover no change in %.3f: want about .95", share)
	}
}

func TestBootstrapNeedsUnits(t *testing.T) {
	for _, c := range []struct {
		a, b int
		unit compare.Unit
		want string
	}{
		{5, 25, compare.Auto, "needs 20 runs a side, because of fewer its intervals are too narrow; there are 5 and 25"},
		{1, 1, compare.Auto, "there are 1 and 1"},
		{25, 25, compare.Request, "order statistics"},
	} {
		opt := resampled(1)
		opt.Unit = c.unit
		in, err := tables([]string{"latency:p50"}, drawn(1, c.a, 40, 0, 1), drawn(2, c.b, 40, 0, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compare.Compare(t.Context(), in, opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d and %d %ss: %v: want %q", c.a, c.b, c.unit, err, c.want)
		}
	}
	in, err := tables([]string{"latency:p50"}, drawn(1, 25, 40, 0.1, 1))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Describe(t.Context(), in, resampled(1))
	if err != nil || !strings.HasPrefix(c.Results[0].Method, "bootstrap") || !(c.Results[0].Baseline.Hi > c.Results[0].Baseline.Value) {
		t.Errorf("%v, %+v", err, c.Results)
	}
	for _, name := range []string{"auto", "t", "bootstrap"} {
		if i, err := compare.ParseInterval(name); err != nil || i.String() != name {
			t.Errorf("%s is read as %v, %v", name, i, err)
		}
	}
	if _, err := compare.ParseInterval("bca"); err == nil || !strings.Contains(err.Error(), "want auto, t or bootstrap") {
		t.Errorf("bca: %v", err)
	}
}
