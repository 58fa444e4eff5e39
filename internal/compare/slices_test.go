package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/stats"
)

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
}

// Runs that happen to agree in a far percentile of a slice do not make it known
// better than its requests tell; the median of the same slice, and a slice that is a
// gate, have the error of the runs.
func TestNoChangeOfSlices(t *testing.T) {
	side := func(factor float64) *table {
		run, tier, latency := column{name: "run"}, column{name: "tier"}, column{name: "latency_ms"}
		for r := range 5 {
			for i := range 400 {
				run.words, tier.words = append(run.words, fmt.Sprint(r)), append(tier.words, "gold")
				v := 100 * math.Exp(0.45*stats.NormalQuantile((float64(i)+0.5)/400))
				latency.numbers = append(latency.numbers, v*factor*(1+1e-4*float64(r*(i%7))))
			}
		}
		return &table{columns: []column{run, tier, latency}}
	}
	opt := noMix()
	opt.By = []string{"tier"}
	of := func(opt compare.Options) (p50, p99 *compare.Result) {
		c := compareTables(t, opt, []string{"latency:p50", "latency:p99"}, side(1), side(1.2))
		var of []*compare.Result
		for i := range c.Results {
			if c.Results[i].Slice != nil {
				of = append(of, &c.Results[i])
			}
		}
		return of[0], of[1]
	}
	twoSided := func(c compare.Contrast) float64 { return 2 * math.Min(c.PBelow(0), c.PAbove(0)) }
	p50, p99 := of(opt)
	if p := p50.NoChange(); p > 1e-6 {
		t.Errorf("p50: p = %v of a change of +20 %% in 2,000 requests a side", p)
	}
	// By the theory of independent values: φ(z) of the normal, 20 values beyond.
	z := 2.326
	se := 0.45 * math.Sqrt(2*0.01*0.99/2000) / (math.Exp(-z*z/2) / math.Sqrt(2*math.Pi))
	want := 2 * stats.TSurvival(math.Log(1.2)/se, 16)
	if p := p99.NoChange(); !(p > want/3 && p < want*3) || twoSided(p99.Log) > 1e-6 {
		t.Errorf("p99: p = %v, %v by the runs; want about %v", p, twoSided(p99.Log), want)
	}
	opt.Critical = []compare.SliceOf{{Columns: []string{"tier"}, Values: []string{"gold"}}}
	if _, p99 := of(opt); p99.NoChange() != twoSided(p99.Log) {
		t.Errorf("critical: p = %v, %v by the runs", p99.NoChange(), twoSided(p99.Log))
	}
}

// Of equal sides, slices are seldom called changed: by the runs alone more often
// than in the one comparison of twenty that is allowed for.
func TestSlicesOfEqualSides(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a simulation")
	}
	const comparisons, tiers = 200, 10
	rng := rand.New(rand.NewPCG(11, 5))
	side := func() *table {
		run, tier, latency := column{name: "run"}, column{name: "tier"}, column{name: "latency_ms"}
		for r := range 5 {
			level := 0.02 * rng.NormFloat64()
			for range 400 * tiers {
				run.words, tier.words = append(run.words, fmt.Sprint(r)), append(tier.words, fmt.Sprint(rng.IntN(tiers)))
				latency.numbers = append(latency.numbers, 60*math.Exp(level+0.45*rng.NormFloat64()))
			}
		}
		return &table{columns: []column{run, tier, latency}}
	}
	opt := noMix()
	opt.By = []string{"tier"}
	any := func(p []float64) int {
		adjusted, err := stats.BH(p)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Min(adjusted) <= 0.05 {
			return 1
		}
		return 0
	}
	found, byRuns := 0, 0
	for range comparisons {
		var p, runs []float64
		for _, r := range compareTables(t, opt, []string{"latency:p50", "latency:p95", "latency:p99"}, side(), side()).Results {
			if r.Slice != nil {
				p, runs = append(p, r.NoChange()), append(runs, 2*math.Min(r.Log.PBelow(0), r.Log.PAbove(0)))
			}
		}
		found, byRuns = found+any(p), byRuns+any(runs)
	}
	t.Logf("of %d comparisons %d call a slice changed; by the runs alone %d", comparisons, found, byRuns)
	if found > comparisons/20 {
		t.Errorf("%d of %d comparisons of equal sides call a slice changed", found, comparisons)
	}
}

// A critical slice is of a column with any number of values; --by is not.
func TestCriticalSliceOfManyValues(t *testing.T) {
	side := func(seed uint64) *table {
		tb := traffic{seed: seed, runs: 3, requests: 3000, runSpread: 0.01}.table()
		tenants := column{name: "tenant", words: []string{}}
		for i := range tb.len() {
			tenant := 0
			if i%3 > 0 {
				tenant = 1 + i%2500
			}
			tenants.words = append(tenants.words, fmt.Sprint("t", tenant))
		}
		tb.columns = append(tb.columns, tenants)
		return tb
	}
	opt := noMix()
	opt.Critical = []compare.SliceOf{{Columns: []string{"tenant"}, Values: []string{"t0"}}}
	found := 0
	for _, r := range compareTables(t, opt, []string{"ttft:p50"}, side(1), side(2)).Results {
		if r.Slice != nil {
			found++
			if r.Baseline.N != 3000 || !r.Critical || r.Slice.String() != "tenant=t0" {
				t.Errorf("%s of %d requests, critical %v", r.Slice, r.Baseline.N, r.Critical)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d slices", found)
	}
	opt.By = []string{"tenant"}
	in, err := tables([]string{"ttft:p50"}, side(1), side(2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compare.Compare(t.Context(), in, opt); err == nil || !strings.Contains(err.Error(), "more than 1000 values") {
		t.Errorf("error %v", err)
	}
}
