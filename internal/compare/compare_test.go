package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// runs is a table of latencies in seconds, a list a run.
func runs(lists ...[]float64) *table {
	run, latency := column{name: "run", words: []string{}}, column{name: "latency_s", numbers: []float64{}}
	for i, list := range lists {
		for _, v := range list {
			run.words, latency.numbers = append(run.words, fmt.Sprintf("r%02d", i)), append(latency.numbers, v)
		}
	}
	return &table{columns: []column{run, latency}}
}

// drawn are k runs of n log-normal latencies whose logs differ by spread from run
// to run, times factor.
func drawn(seed uint64, k, n int, spread, factor float64) *table {
	rng := rand.New(rand.NewPCG(seed, 5))
	var lists [][]float64
	for range k {
		effect := factor * math.Exp(spread*rng.NormFloat64())
		list := make([]float64, n)
		for i := range list {
			list[i] = effect * math.Exp(0.3*rng.NormFloat64())
		}
		lists = append(lists, list)
	}
	return runs(lists...)
}

// outcomes is a table of requests that succeeded or failed, as counts a run.
func outcomes(hits, trials []int) *table {
	run, status := column{name: "run", words: []string{}}, column{name: "status", words: []string{}}
	latency := column{name: "latency_s", numbers: []float64{}}
	for i := range trials {
		for k := range trials[i] {
			// Failures are spread over the run.
			word := "ok"
			if bad := trials[i] - hits[i]; bad > 0 && k%(trials[i]/bad) == 0 && k/(trials[i]/bad) < bad {
				word = "error"
			}
			run.words, status.words = append(run.words, fmt.Sprintf("r%02d", i)), append(status.words, word)
			latency.numbers = append(latency.numbers, 1)
		}
	}
	return &table{columns: []column{run, status, latency}}
}

func compareTables(t testing.TB, opt compare.Options, ask []string, a, b *table) *compare.Comparison {
	t.Helper()
	in, err := tables(ask, a, b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Compare(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func noMix() compare.Options {
	opt := compare.DefaultOptions()
	opt.Mix = []string{compare.NoMix}
	return opt
}

// numbers are those of a contrast.
func numbers(c compare.Contrast) []float64 {
	return []float64{c.Value, c.Lo, c.Hi, c.SELo, c.SEHi, c.DF}
}

func fromEstimate(e stats.Estimate) []float64 {
	return []float64{e.Value, e.Interval.Lo, e.Interval.Hi, e.SE, e.SE, e.DF}
}

var approx = cmpopts.EquateApprox(1e-9, 1e-12)

func TestUnitOfEvidence(t *testing.T) {
	replicas := func(first, n, runs int) *table {
		tb := drawn(uint64(first), runs, 50*n, 0.01, 1)
		c := column{name: "replica", words: []string{}}
		for i := range tb.len() {
			c.words = append(c.words, fmt.Sprintf("pod-%d", first+i%n))
		}
		tb.columns = append(tb.columns, c)
		return tb
	}
	force := func(u compare.Unit) compare.Options {
		opt := noMix()
		opt.Unit = u
		return opt
	}
	for _, c := range []struct {
		why      string
		opt      compare.Options
		a, b     *table
		unit     compare.Unit
		na, nb   int
		assumed  bool
		borrowed bool
	}{
		{"several runs", noMix(), drawn(1, 3, 40, 0, 1), drawn(2, 4, 40, 0, 1), compare.Run, 3, 4, false, false},
		{"one run a side", noMix(), drawn(1, 1, 40, 0, 1), drawn(2, 1, 40, 0, 1), compare.Run, 1, 1, true, false},
		{"one run against several", noMix(), drawn(1, 1, 40, 0, 1), drawn(2, 3, 40, 0, 1), compare.Run, 1, 3, false, true},
		{"one run a side on other replicas each", noMix(), replicas(1, 8, 1), replicas(101, 9, 1), compare.Replica, 8, 9, false, false},
		{"the same replicas on both sides are no evidence", noMix(), replicas(1, 8, 1), replicas(5, 8, 1), compare.Run, 1, 1, true, false},
		{"too few replicas", noMix(), replicas(1, 7, 1), replicas(101, 9, 1), compare.Run, 1, 1, true, false},
		{"several runs go before replicas", noMix(), replicas(1, 8, 2), replicas(101, 8, 2), compare.Run, 2, 2, false, false},
		{"forced replicas", force(compare.Replica), replicas(1, 2, 2), replicas(1, 2, 2), compare.Replica, 4, 4, false, false},
		{"forced requests", force(compare.Request), drawn(1, 3, 40, 0, 1), drawn(2, 2, 30, 0, 1), compare.Request, 120, 60, false, false},
	} {
		d := compareTables(t, c.opt, []string{"latency:mean"}, c.a, c.b).Design
		if d.Unit != c.unit || d.Baseline != c.na || d.Candidate != c.nb || (d.AssumedRunNoise > 0) != c.assumed || d.BorrowedSpread != c.borrowed {
			t.Errorf("%s: %+v", c.why, d)
		}
	}
	if d := (compare.Design{Unit: compare.Run, Baseline: 2, Candidate: 5}); !d.Screening() {
		t.Error("two runs are more than a screening")
	}
	for _, u := range []compare.Unit{compare.Auto, compare.Run, compare.Replica, compare.Request} {
		if got, err := compare.ParseUnit(u.String()); err != nil || got != u {
			t.Errorf("%s is read as %v, %v", u, got, err)
		}
	}
	if _, err := compare.ParseUnit("day"); err == nil {
		t.Error("day is a unit")
	}
}

// The jackknife of means of runs is Welch's t on them; on the log scale it is
// the ratio of runs, but for how far a log is from a straight line.
func TestJackknifeIsWelchOfRuns(t *testing.T) {
	a, b := drawn(3, 5, 200, 0.03, 1), drawn(4, 4, 200, 0.03, 1.1)
	means := func(tb *table) (out []float64) {
		sums, n := map[string]float64{}, map[string]float64{}
		for i, w := range tb.columns[0].words {
			sums[w] += tb.columns[1].numbers[i]
			n[w]++
		}
		for i := range len(sums) {
			w := fmt.Sprintf("r%02d", i)
			out = append(out, sums[w]/n[w])
		}
		return out
	}
	r := compareTables(t, noMix(), []string{"latency:mean"}, a, b).Results[0]
	want, err := stats.Welch(means(a), means(b), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fromEstimate(want), numbers(r.Delta), approx); d != "" {
		t.Errorf("difference of means (-want +got)\n%s", d)
	}
	ratio, err := stats.RunRatio(means(a), means(b), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	width := ratio.Log.Interval.Width()
	for i, got := range numbers(r.Log)[:3] {
		if want := fromEstimate(ratio.Log)[i]; math.Abs(got-want) > 0.02*width {
			t.Errorf("log ratio %d: %v, want about %v", i, got, want)
		}
	}
	// The change is after ÷ before of the printed values.
	if got := math.Exp(r.Log.Value); math.Abs(got-r.Candidate.Value/r.Baseline.Value) > 1e-12 {
		t.Errorf("ratio %v of %v and %v", got, r.Baseline.Value, r.Candidate.Value)
	}
	// A percentile of runs of equal size is that of all requests.
	p := compareTables(t, noMix(), []string{"latency:p90"}, a, b).Results[0]
	all := slices.Sorted(slices.Values(a.columns[1].numbers))
	if want := all[899]*0.9 + all[900]*0.1; p.Baseline.Value < all[898] || p.Baseline.Value > all[901] || math.Abs(p.Baseline.Value-want) > 0.01 {
		t.Errorf("p90 %v, of all requests %v", p.Baseline.Value, want)
	}
	if p.Log.DF < 3 || p.Log.DF > 7 {
		t.Errorf("%v degrees of freedom of 5 + 4 runs", p.Log.DF)
	}
}

// A long run has no more votes than a short one.
func TestRunsHaveOneVote(t *testing.T) {
	short, long := make([]float64, 100), make([]float64, 900)
	for i := range short {
		short[i] = 1
	}
	for i := range long {
		long[i] = 2
	}
	r := compareTables(t, noMix(), []string{"latency:mean"}, runs(short, long), runs(short, short)).Results[0]
	if r.Baseline.Value != 1.5 || r.Baseline.N != 1000 || r.Baseline.Units != 2 {
		t.Errorf("mean %v of %d values in %d runs", r.Baseline.Value, r.Baseline.N, r.Baseline.Units)
	}
}

// Requests as units are Welch's t on the requests.
func TestRequestsAreWelch(t *testing.T) {
	a, b := drawn(5, 1, 300, 0, 1), drawn(6, 1, 250, 0, 1.1)
	opt := noMix()
	opt.Unit = compare.Request
	c := compareTables(t, opt, []string{"latency:mean", "latency:p50"}, a, b)
	want, err := stats.Welch(a.columns[1].numbers, b.columns[1].numbers, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fromEstimate(want), numbers(c.Results[0].Delta), approx); d != "" {
		t.Errorf("difference (-want +got)\n%s", d)
	}
	names := map[string]bool{}
	for _, test := range c.Results[1].Tests {
		names[test.Name] = true
		if !(test.P >= 0 && test.P <= 1) {
			t.Errorf("%s: p %v", test.Name, test.P)
		}
	}
	if !names["mann_whitney"] || !names["brunner_munzel"] {
		t.Errorf("second opinions: %v", names)
	}
}

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

// Sides that are exchanged change the sign of the log ratio and swap the
// p-values, in every design.
func TestSwap(t *testing.T) {
	request := noMix()
	request.Unit = compare.Request
	ask := []string{"latency:mean", "latency:p50", "latency:p95", "success_rate"}
	for _, c := range []struct {
		why  string
		opt  compare.Options
		a, b *table
	}{
		{"runs", noMix(), drawn(13, 4, 300, 0.02, 1), drawn(14, 3, 200, 0.02, 1.1)},
		{"one run a side", noMix(), drawn(15, 1, 400, 0, 1), drawn(16, 1, 500, 0, 1.1)},
		{"one against several", noMix(), drawn(17, 1, 400, 0, 1), drawn(18, 3, 400, 0.02, 1.1)},
		{"requests", request, drawn(19, 2, 300, 0, 1), drawn(20, 2, 300, 0, 1.1)},
		{"rare failures", noMix(), outcomes([]int{299, 300}, []int{300, 300}), outcomes([]int{290, 295}, []int{300, 300})},
		{"frequent failures", noMix(), outcomes([]int{250, 240, 260}, []int{300, 300, 300}), outcomes([]int{200, 220, 210}, []int{300, 300, 300})},
	} {
		x, y := compareTables(t, c.opt, ask, c.a, c.b), compareTables(t, c.opt, ask, c.b, c.a)
		for i := range x.Results {
			r, s := x.Results[i], y.Results[i]
			for name, pair := range map[string][2]compare.Contrast{"log": {r.Log, s.Log}, "delta": {r.Delta, s.Delta}} {
				p, q := pair[0], pair[1]
				if p.OK != q.OK || !p.OK {
					continue
				}
				want := []float64{-q.Value, -q.Hi, -q.Lo, q.SEHi, q.SELo, q.DF}
				if d := cmp.Diff(want, numbers(p), approx, cmpopts.EquateNaNs()); d != "" {
					t.Errorf("%s, %s %s, %s:\n%s", c.why, r.Metric, r.Estimand, name, d)
				}
				if a, b := p.PAbove(0.01), q.PBelow(-0.01); math.Abs(a-b) > 1e-9 {
					t.Errorf("%s, %s %s, %s: p %v, the other way round %v", c.why, r.Metric, r.Estimand, name, a, b)
				}
			}
			if r.Method != s.Method {
				t.Errorf("%s, %s: %q, the other way round %q", c.why, r.Metric, r.Method, s.Method)
			}
		}
	}
}

// In another unit differences are as many times larger, and ratios are the same.
func TestScaling(t *testing.T) {
	a, b := drawn(21, 3, 300, 0.02, 1), drawn(22, 3, 300, 0.02, 1.1)
	scaled := func(tb *table) *table {
		out := &table{columns: slices.Clone(tb.columns)}
		out.columns[1].numbers = slices.Clone(tb.columns[1].numbers)
		for i := range out.columns[1].numbers {
			out.columns[1].numbers[i] *= 1000
		}
		return out
	}
	ask := []string{"latency:mean", "latency:p50", "latency:p95"}
	x, y := compareTables(t, noMix(), ask, a, b), compareTables(t, noMix(), ask, scaled(a), scaled(b))
	for i := range x.Results {
		r, s := x.Results[i], y.Results[i]
		if d := cmp.Diff(numbers(r.Log), numbers(s.Log), cmpopts.EquateApprox(1e-9, 1e-9)); d != "" {
			t.Errorf("%s: log ratio\n%s", r.Estimand, d)
		}
		want := numbers(r.Delta)
		for k := range want[:5] {
			want[k] *= 1000
		}
		if d := cmp.Diff(want, numbers(s.Delta), cmpopts.EquateApprox(1e-9, 1e-9)); d != "" {
			t.Errorf("%s: difference\n%s", r.Estimand, d)
		}
	}
}

// Intervals at a higher level hold those at a lower one, and p-values agree with
// them: at a limit they are half of what the level leaves.
func TestLevels(t *testing.T) {
	a, b := drawn(23, 3, 300, 0.02, 1), drawn(24, 3, 300, 0.02, 1.05)
	last := compare.Contrast{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, level := range []float64{0.5, 0.8, 0.95, 0.99} {
		opt := noMix()
		opt.Level = level
		ct := compareTables(t, opt, []string{"latency:p50"}, a, b).Results[0].Log
		if ct.Lo >= last.Lo || ct.Hi <= last.Hi {
			t.Errorf("level %v: %v to %v, at a lower one %v to %v", level, ct.Lo, ct.Hi, last.Lo, last.Hi)
		}
		last = ct
		for at, p := range map[float64]float64{ct.Lo: ct.PBelow(ct.Lo), ct.Hi: ct.PAbove(ct.Hi)} {
			if math.Abs(p-(1-level)/2) > 1e-9 {
				t.Errorf("level %v: p %v at the limit %v", level, p, at)
			}
		}
		if m := ct.MDE((1-level)/2, 0.8); !(m > 0) {
			t.Errorf("level %v: smallest detectable change %v", level, m)
		}
	}
}

func TestShares(t *testing.T) {
	// Rare failures are compared by their counts.
	r := compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{299, 300, 300}, []int{300, 300, 300}), outcomes([]int{298, 297, 300}, []int{300, 300, 300})).Results[0]
	want, err := stats.MiettinenNurminen(899, 900, 895, 900, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(r.Method, "pooled counts") || math.Abs(r.Delta.Lo-want.Interval.Lo) > 1e-12 || math.Abs(r.Delta.Hi-want.Interval.Hi) > 1e-12 {
		t.Errorf("rare: %s, %v to %v, want %v", r.Method, r.Delta.Lo, r.Delta.Hi, want.Interval)
	}
	// The p-value is that of the score test, and agrees with the interval.
	if p := r.Delta.PAbove(r.Delta.Hi); math.Abs(p-0.025) > 1e-4 {
		t.Errorf("rare: p at the limit %v", p)
	}
	// Frequent ones by the shares of the runs.
	r = compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{270, 264, 276}, []int{300, 300, 300}), outcomes([]int{240, 246, 252}, []int{300, 300, 300})).Results[0]
	welch, err := stats.Welch([]float64{0.9, 0.88, 0.92}, []float64{0.8, 0.82, 0.84}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != "shares of runs, Welch t" {
		t.Errorf("frequent: %s", r.Method)
	}
	if d := cmp.Diff(fromEstimate(welch), numbers(r.Delta), approx); d != "" {
		t.Errorf("frequent (-want +got)\n%s", d)
	}
	// Rare ones that come in bursts, too.
	r = compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{300, 300, 290, 300}, []int{300, 300, 300, 300}), outcomes([]int{300, 300, 300, 300}, []int{300, 300, 300, 300})).Results[0]
	if r.Method != "shares of runs, Welch t" || !slices.ContainsFunc(r.Warnings, func(w stats.Warning) bool { return w.Code == "overdispersed" }) {
		t.Errorf("in bursts: %s, %v", r.Method, r.Warnings)
	}
	// None at all shows as much as its number of requests.
	r = compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{1000}, []int{1000}), outcomes([]int{1000}, []int{1000})).Results[0]
	if !(r.Delta.Lo < 0 && r.Delta.Lo > -0.005 && r.Delta.Hi > 0) || r.Delta.Value != 0 {
		t.Errorf("no failure: %v to %v", r.Delta.Lo, r.Delta.Hi)
	}
	// Two single runs with many failures are looked at in stretches of time.
	random := func(seed uint64, share float64) *table {
		tb, rng := outcomes([]int{2000}, []int{2000}), rand.New(rand.NewPCG(seed, 6))
		for i := range tb.columns[1].words {
			if rng.Float64() < share {
				tb.columns[1].words[i] = "error"
			}
		}
		return tb
	}
	r = compareTables(t, noMix(), []string{"success_rate"}, random(1, 0.1), random(2, 0.15)).Results[0]
	if !strings.HasPrefix(r.Method, "t on shares of time batches") {
		t.Errorf("single runs: %s", r.Method)
	}
}

// A side that lacks a metric has no value, and the other keeps its own.
func TestMissingSides(t *testing.T) {
	a := drawn(25, 3, 100, 0.02, 1)
	b := drawn(26, 3, 100, 0.02, 1)
	b.columns = append(b.columns[:1:1], column{name: "ttft_s", numbers: b.columns[1].numbers})
	c := compareTables(t, noMix(), []string{"latency:p50", "ttft:mean"}, a, b)
	if r := c.Results[0]; !r.Baseline.OK || r.Candidate.OK || r.Delta.OK || !(r.Baseline.Lo < r.Baseline.Value) {
		t.Errorf("only before: %+v", r)
	}
	if r := c.Results[1]; r.Baseline.OK || !r.Candidate.OK || !r.Bound.HasInterval() {
		t.Errorf("only after: %+v", r)
	}
	// A value that is not positive has a difference and no ratio.
	zero := runs([]float64{0, 0, 0, 0}, []float64{0, 0, 0, 0})
	zero.columns[1].name = "retries"
	some := runs([]float64{0, 1, 0, 2}, []float64{1, 0, 0, 0})
	some.columns[1].name = "retries"
	r := compareTables(t, noMix(), []string{"retries:mean"}, zero, some).Results[0]
	if r.Log.OK || !r.Delta.OK || r.Delta.Value != 0.5 {
		t.Errorf("from zero: log %v, difference %v", r.Log.OK, r.Delta.Value)
	}
}

func TestRemarks(t *testing.T) {
	same := runs([]float64{1, 1, 1}, []float64{1, 1, 1})
	other := runs([]float64{1, 2, 3}, []float64{1, 2, 3})
	codes := func(r compare.Result) (out []string) {
		for _, w := range r.Warnings {
			if w.Text == "" {
				t.Errorf("%s has no text", w.Code)
			}
			out = append(out, w.Code)
		}
		return out
	}
	if got := codes(compareTables(t, noMix(), []string{"latency:mean"}, same, other).Results[0]); !slices.Contains(got, "no_spread") {
		t.Errorf("constant latencies: %v", got)
	}
	same.columns[1].name, other.columns[1].name = "depth", "depth"
	if got := codes(compareTables(t, noMix(), []string{"depth:mean"}, same, other).Results[0]); !slices.Contains(got, "constant_values") {
		t.Errorf("a constant column: %v", got)
	}
	tokens := func() *table {
		return &table{columns: []column{{name: "ttft_s", numbers: []float64{1, 1.1, 1.2}}, {name: "e2e_s", numbers: []float64{2, 2.2, 2.4}}, {name: "output_tokens", numbers: []float64{1, 5, 9}}}}
	}
	if got := codes(compareTables(t, noMix(), []string{"tpot:mean"}, tokens(), tokens()).Results[0]); !slices.Contains(got, "not_applicable") {
		t.Errorf("tpot of one token: %v", got)
	}
}

// Every value of a column is a slice of its own; critical ones are marked, and
// there even without a record.
func TestSlices(t *testing.T) {
	side := func(seed uint64, factor float64) *table {
		return traffic{seed: seed, runs: 3, requests: 1000, runSpread: 0.01, slower: euGold(factor)}.table()
	}
	opt := noMix()
	opt.By = []string{"region"}
	critical, err := compare.ParseSlice("tier=gold, model=m1")
	if err != nil {
		t.Fatal(err)
	}
	nowhere, err := compare.ParseSlice("region=moon")
	if err != nil {
		t.Fatal(err)
	}
	opt.Critical = []compare.SliceOf{critical, nowhere}
	a, b := side(27, 1), side(28, 2)
	c := compareTables(t, opt, []string{"ttft:p50", "throughput_rps"}, a, b)
	got := map[string]string{}
	for _, r := range c.Results {
		if r.Slice != nil {
			got[r.Slice.String()] = fmt.Sprint(r.Critical, " ", r.Metric, " ", r.Baseline.OK)
		}
	}
	want := map[string]string{
		"region=eu": "false ttft true", "region=us": "false ttft true", "region=ap": "false ttft true",
		"tier=gold, model=m1": "true ttft true", "region=moon": "true ttft false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("slices (-want +got)\n%s", d)
	}
	// A slice is what a comparison of its records alone is.
	only := func(tb *table) *table {
		out := &table{}
		for _, col := range tb.columns {
			cut := column{name: col.name}
			for i, w := range tb.columns[1].words {
				if w != "eu" {
					continue
				}
				if col.words != nil {
					cut.words = append(cut.words, col.words[i])
				} else {
					cut.numbers = append(cut.numbers, col.numbers[i])
				}
			}
			out.columns = append(out.columns, cut)
		}
		return out
	}
	alone := compareTables(t, noMix(), []string{"ttft:p50"}, only(a), only(b)).Results[0]
	for _, r := range c.Results {
		if r.Slice != nil && r.Slice.String() == "region=eu" {
			if d := cmp.Diff(numbers(alone.Log), numbers(r.Log), approx); d != "" {
				t.Errorf("eu, and eu alone:\n%s", d)
			}
		}
	}
	// Slices of few requests are counted and not shown.
	opt.MinSupport = 5000
	opt.Critical = nil
	if c := compareTables(t, opt, []string{"ttft:p50"}, a, b); c.ThinSlices != 3 || len(c.Results) != 1 {
		t.Errorf("%d thin slices, %d results", c.ThinSlices, len(c.Results))
	}
	for _, bad := range []string{"", "region", "=eu", "region=eu,tier"} {
		if s, err := compare.ParseSlice(bad); err == nil {
			t.Errorf("%q is the slice %v", bad, s)
		}
	}
}

func TestUnknownColumns(t *testing.T) {
	a := traffic{seed: 29, runs: 1, requests: 50}.table()
	in, err := tables([]string{"ttft:p50"}, a, a)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*compare.Options){
		"to slice by":              func(o *compare.Options) { o.By = []string{"nope"} },
		"to compare like for like": func(o *compare.Options) { o.Mix = []string{"nope"} },
	} {
		opt := compare.DefaultOptions()
		change(&opt)
		_, err := compare.Compare(t.Context(), in, opt)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "columns are run, region, tier") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A length that is named is cut into ranges, whether or not the lengths differ.
func TestNamedLength(t *testing.T) {
	a := drawn(30, 3, 500, 0.01, 1)
	lengths := column{name: "prompt_tokens"}
	for i := range a.len() {
		lengths.numbers = append(lengths.numbers, float64(100+i%900))
	}
	a.columns = append(a.columns, lengths)
	for _, mix := range [][]string{nil, {"prompt_tokens"}} {
		opt := compare.DefaultOptions()
		opt.Mix = mix
		c := compareTables(t, opt, []string{"latency:p50"}, a, a)
		if c.Mix == nil || c.Mix.Used != (mix != nil) || c.Mix.ByColumns {
			t.Errorf("mix %v: %+v", mix, c.Mix)
			continue
		}
		if n := len(c.Mix.Strata); n < 5 || n > 40 {
			t.Errorf("mix %v: %d strata", mix, n)
		}
		if like := c.Results[0].Like; (like != nil) != (mix != nil) || like != nil && math.Abs(like.Log.Value) > 1e-9 {
			t.Errorf("mix %v: like for like %+v", mix, like)
		}
	}
	opt := compare.DefaultOptions()
	opt.Mix = []string{"prompt_tokens", "run"}
	in, err := tables([]string{"latency:p50"}, a, a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compare.Compare(t.Context(), in, opt); err == nil || !strings.Contains(err.Error(), "goes with no other column") {
		t.Errorf("a length beside a column: %v", err)
	}
}

func TestDescribe(t *testing.T) {
	in, err := tables([]string{"latency:p50", "latency:mean", "latency:p99.9", "latency:max", "success_rate"}, drawn(31, 4, 200, 0.02, 1))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Describe(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, false, false, true} {
		v := c.Results[i].Baseline
		bounded := !math.IsInf(v.Lo, 0) && !math.IsInf(v.Hi, 0)
		if !v.OK || bounded != want || bounded && (v.Lo > v.Value || v.Hi < v.Value) {
			t.Errorf("%s: %+v", c.Results[i].Estimand, v)
		}
	}
	if !c.Results[2].Thin || c.Results[2].NeedRequests != 10000 {
		t.Errorf("p99.9: %+v", c.Results[2])
	}
	if c.Design.Baseline != 4 || c.Design.Unit != compare.Run {
		t.Errorf("design %+v", c.Design)
	}
}

// Metrics with one value a run.
func TestPerRun(t *testing.T) {
	side := func(k int, rate float64) *table {
		tb := runs()
		start := column{name: "start_s", numbers: []float64{}}
		rng := rand.New(rand.NewPCG(uint64(k), uint64(rate)))
		for r := range k {
			for i := range 200 {
				tb.columns[0].words = append(tb.columns[0].words, fmt.Sprintf("r%02d", r))
				tb.columns[1].numbers = append(tb.columns[1].numbers, 0.5)
				start.numbers = append(start.numbers, float64(1000*r)+float64(i)/rate*(1+0.01*rng.Float64()))
			}
		}
		tb.columns = append(tb.columns, start)
		return tb
	}
	r := compareTables(t, noMix(), []string{"throughput_rps"}, side(3, 20), side(3, 10)).Results[0]
	if math.Abs(r.Log.Value-math.Log(0.5)) > 0.05 || !r.Log.HasInterval() || r.Baseline.N != 3 {
		t.Errorf("three runs: %+v", r)
	}
	r = compareTables(t, noMix(), []string{"throughput_rps"}, side(1, 20), side(1, 10)).Results[0]
	if !r.Log.HasInterval() || !slices.ContainsFunc(r.Warnings, func(w stats.Warning) bool { return w.Code == "one_value" }) {
		t.Errorf("one run: %+v", r)
	}
	opt := noMix()
	opt.RunNoise = 0
	if r = compareTables(t, opt, []string{"throughput_rps"}, side(1, 20), side(1, 10)).Results[0]; r.Log.HasInterval() {
		t.Errorf("one value a side and no noise: %v to %v", r.Log.Lo, r.Log.Hi)
	}
}

// Histograms widen intervals by the error that they may have.
func TestHistogramsWiden(t *testing.T) {
	in, err := tables([]string{"latency:p50"}, drawn(32, 3, 2000, 0.02, 1), drawn(33, 3, 2000, 0.02, 1))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := compare.Compare(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Limit = 100
	binned, err := compare.Compare(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	x, y := exact.Results[0], binned.Results[0]
	if !x.Exact || y.Exact || !(y.RelErr > 0) {
		t.Fatalf("exact %v and %v, error %v", x.Exact, y.Exact, y.RelErr)
	}
	if y.Log.Lo > x.Log.Lo || y.Log.Hi < x.Log.Hi || y.Log.Hi-y.Log.Lo > 1.5*(x.Log.Hi-x.Log.Lo) {
		t.Errorf("from histograms %v to %v, exactly %v to %v", y.Log.Lo, y.Log.Hi, x.Log.Lo, x.Log.Hi)
	}
}

func TestOptionsValidate(t *testing.T) {
	for name, change := range map[string]func(*compare.Options){
		"level":  func(o *compare.Options) { o.Level = 1 },
		"noise":  func(o *compare.Options) { o.RunNoise = -0.1 },
		"noise1": func(o *compare.Options) { o.RunNoise = 1 },
		"table":  func(o *compare.Options) { o.Noise = &compare.NoiseTable{Rest: compare.MeasuredNoise{SD: 2}} },
	} {
		opt := compare.DefaultOptions()
		change(&opt)
		if opt.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := compare.DefaultOptions().Validate(); err != nil {
		t.Error(err)
	}
}

// The comparison does not depend on the number of workers.
func TestCompareIsDeterministic(t *testing.T) {
	a, b := traffic{seed: 34, runs: 2, requests: 3000, failures: 0.02}.table(), traffic{seed: 35, runs: 1, requests: 3000, failures: 0.02}.table()
	var want []compare.Result
	for _, workers := range []int{1, 2, 4} {
		in, err := tables(nil, a, b)
		if err != nil {
			t.Fatal(err)
		}
		in.Scan = metric.Scan{Workers: workers}
		opt := compare.DefaultOptions()
		opt.By = []string{"region"}
		c, err := compare.Compare(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = c.Results
			continue
		}
		for i := range want {
			x, y := want[i], c.Results[i]
			if d := cmp.Diff(append(numbers(x.Log), numbers(x.Delta)...), append(numbers(y.Log), numbers(y.Delta)...), cmpopts.EquateNaNs()); d != "" {
				t.Errorf("%d workers, %s %s:\n%s", workers, x.Metric, x.Estimand, d)
			}
		}
	}
}
