package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// impatient are five runs of n log-normal latencies, of which those above limit
// are timeouts that took as long as the limit.
func impatient(seed uint64, runs, n int, factor, limit float64) *table {
	rng := rand.New(rand.NewPCG(seed, 8))
	run, status := column{name: "run", words: []string{}}, column{name: "status", words: []string{}}
	latency := column{name: "latency_s", numbers: []float64{}}
	for r := range runs {
		effect := factor * math.Exp(0.01*rng.NormFloat64())
		for range n {
			v, word := effect*math.Exp(0.3*rng.NormFloat64()), "ok"
			if v > limit {
				v, word = limit, "timeout"
			}
			run.words, status.words = append(run.words, fmt.Sprintf("r%02d", r)), append(status.words, word)
			latency.numbers = append(latency.numbers, v)
		}
	}
	return &table{columns: []column{run, status, latency}}
}

func withTimeouts(t *testing.T, ask []string, a, b *table) *compare.Comparison {
	t.Helper()
	in, err := tables(ask, a, b)
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Timeouts.Censor = true
	c, err := compare.Compare(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Percentiles below the timeout are those of patient clients, bit by bit, with
// their intervals; those beyond have no upper limit.
func TestTimeoutsLeaveWhatTheyDoNotReach(t *testing.T) {
	for _, runs := range []int{1, 5} {
		ask := []string{"latency:p50", "latency:p90", "latency:p99", "latency:mean"}
		patient := compareTables(t, noMix(), ask, impatient(1, runs, 2000, 1, math.Inf(1)), impatient(2, runs, 2000, 1.05, math.Inf(1)))
		cut := withTimeouts(t, ask, impatient(1, runs, 2000, 1, math.Inf(1)), impatient(2, runs, 2000, 1.05, 2))
		for i := range cut.Results {
			p, r := patient.Results[i], cut.Results[i]
			if i < 2 {
				if !same(p.Delta, r.Delta) || p.Candidate != r.Candidate || !same(p.Bound, r.Bound) {
					t.Errorf("%d runs, %s: %+v of %+v: want %+v of %+v", runs, r.Estimand, r.Delta, r.Candidate, p.Delta, p.Candidate)
				}
				continue
			}
			if !r.Candidate.AtLeast || !r.Candidate.Open || !math.IsInf(r.Candidate.Hi, 1) || r.Candidate.Value > p.Candidate.Value {
				t.Errorf("%d runs, %s: candidate %+v: want a lower bound of %v", runs, r.Estimand, r.Candidate, p.Candidate.Value)
			}
			for _, ct := range []compare.Contrast{r.Delta, r.Log, r.Bound} {
				if !math.IsInf(ct.Hi, 1) || math.IsInf(ct.Lo, 0) || ct.PAbove(1e9) != 1 || math.IsNaN(ct.PBelow(0)) {
					t.Errorf("%d runs, %s: %+v: want no upper limit", runs, r.Estimand, ct)
				}
			}
			if !warns(&r, "at_least") || !warns(&r, "timeouts_counted") {
				t.Errorf("%d runs, %s: warnings %v", runs, r.Estimand, r.Warnings)
			}
		}
		// The other way round the baseline bounds the change from above alone.
		r := withTimeouts(t, ask, impatient(2, runs, 2000, 1.05, 2), impatient(1, runs, 2000, 1, math.Inf(1))).Results[2]
		if !r.Baseline.AtLeast || !math.IsInf(r.Delta.Lo, -1) || math.IsInf(r.Delta.Hi, 0) || !math.IsInf(r.Log.Lo, -1) {
			t.Errorf("%d runs: %+v of %+v: want no lower limit", runs, r.Delta, r.Baseline)
		}
		// On both sides nothing is known.
		r = withTimeouts(t, ask, impatient(2, runs, 2000, 1.05, 2), impatient(1, runs, 2000, 1, 2)).Results[2]
		if r.Delta.HasInterval() || r.Log.HasInterval() {
			t.Errorf("%d runs: %+v: want no interval", runs, r.Delta)
		}
	}
}

func same(a, b compare.Contrast) bool {
	return a.OK == b.OK && a.Value == b.Value && a.Lo == b.Lo && a.Hi == b.Hi && a.SELo == b.SELo && a.SEHi == b.SEHi && a.DF == b.DF
}

func warns(r *compare.Result, code string) bool {
	for _, w := range r.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// A limit just below the percentile of some runs opens the interval although the
// value itself is known.
func TestTimeoutsReachALimitFirst(t *testing.T) {
	base := impatient(1, 5, 2000, 1, math.Inf(1))
	whole := compareTables(t, noMix(), []string{"latency:p99"}, base, impatient(2, 5, 2000, 1, math.Inf(1))).Results[0]
	var seen [3]bool // known, open, at least
	for _, share := range []float64{0.98, 0.995, 1, 1.002, 1.01, 1.2} {
		r := withTimeouts(t, []string{"latency:p99"}, base, impatient(2, 5, 2000, 1, whole.Candidate.Value*share)).Results[0]
		switch {
		case r.Candidate.AtLeast:
			seen[2] = true
		case r.Candidate.Open:
			seen[1] = true
		default:
			seen[0] = true
			if !same(r.Delta, whole.Delta) {
				t.Errorf("timeout at %v of the percentile: %+v: want %+v", share, r.Delta, whole.Delta)
			}
		}
	}
	if seen != [3]bool{true, true, true} {
		t.Errorf("seen known, open, at least: %v", seen)
	}
}

func TestDescribeWithTimeouts(t *testing.T) {
	a := impatient(3, 5, 1000, 1, 2)
	in, err := tables([]string{"latency:p50", "latency:p99", "latency:max"}, a, a)
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Timeouts = metric.Timeouts{Censor: true}
	c, err := compare.Describe(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	for i, open := range []bool{false, true, true} {
		if v := c.Results[i].Baseline; v.Open != open || v.AtLeast != open || math.IsInf(v.Hi, 1) != open {
			t.Errorf("%s: %+v: want open %v", c.Results[i].Estimand, v, open)
		}
	}
}

// What a slice moved beyond the rest has no limit on the side on which requests
// that timed out may lie, and no p-value against that side.
func TestMoversWithTimeouts(t *testing.T) {
	// Of one region's requests a tenth time out, on a side of which others do not.
	traffic := func(seed uint64, region string) *table {
		of := impatient(seed, 5, 2000, 1, math.Inf(1))
		words := column{name: "region", words: []string{}}
		for i := range of.columns[0].words {
			r := [...]string{"eu", "us"}[i%2]
			if words.words = append(words.words, r); r == region && i%20 < 2 {
				of.columns[1].words[i], of.columns[2].numbers[i] = "timeout", 10
			}
		}
		of.columns = append(of.columns, words)
		return of
	}
	moving := noMix()
	moving.Movers = true
	for _, c := range []struct {
		before, after  string
		openLo, openHi bool // of the gap of eu
	}{{"", "eu", false, true}, {"eu", "", true, false}, {"", "us", true, false}, {"us", "eu", false, true}} {
		out := censored(t, moving, "latency:p95", traffic(1, c.before), traffic(2, c.after))
		found := 0
		for _, r := range out.Results {
			if r.Mover == nil {
				continue
			}
			found++
			lo, hi := c.openLo, c.openHi
			if r.Slice.String() == "region=us" {
				lo, hi = hi, lo
			}
			g := r.Mover.Gap
			if math.IsInf(g.Lo, -1) != lo || math.IsInf(g.Hi, 1) != hi || (lo && g.Value > 0) || (hi && g.Value < 0) {
				t.Errorf("timeouts of %q before and %q after: %s moved by %v (%v to %v)", c.before, c.after, r.Slice, g.Value, g.Lo, g.Hi)
			}
		}
		if found == 0 {
			t.Errorf("timeouts of %q before and %q after: nothing moved", c.before, c.after)
		}
	}
	// Both sides time out: how slow those requests really were may have changed
	// by anything, and nothing is found.
	out := censored(t, moving, "latency:p95", traffic(1, "eu"), traffic(2, "eu"))
	for _, r := range out.Results {
		if r.Mover != nil {
			t.Errorf("%s moved by %+v", r.Slice, r.Mover.Gap)
		}
	}
}

// Requests have ranks as long as none lies beyond one that timed out.
func TestRanksWithTimeouts(t *testing.T) {
	for _, late := range []float64{0.9, 1.1} {
		of := &table{columns: []column{{name: "latency_s", numbers: []float64{1, 0.5, late}}, {name: "status", words: []string{"ok", "ok", "timeout"}}}}
		opt := noMix()
		opt.Unit = compare.Request
		out := censored(t, opt, "latency:p50", of, of)
		if got := len(out.Results[0].Tests) > 0; got != (late > 1) {
			t.Errorf("a timeout after %v: tests %v", late, out.Results[0].Tests)
		}
	}
}

// censored compares two tables in which timed-out requests count as at least the
// time they took.
func censored(t *testing.T, opt compare.Options, ask string, a, b *table) *compare.Comparison {
	t.Helper()
	in, err := tables([]string{ask}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Timeouts.Censor = true
	out, err := compare.Compare(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
