package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/compare"
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
	for _, u := range []compare.Unit{compare.Auto, compare.Run, compare.Replica, compare.Session, compare.Block, compare.Request} {
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
