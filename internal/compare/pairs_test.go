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
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// nights are runs of one side, one a night. What a night does to both sides comes
// from its name; the rest from seed.
type nights struct {
	seed     uint64
	of       []string
	requests int
	shared   float64 // standard deviation of the log of a night's effect
	own      float64 // and of what each run has besides
	factor   float64
	prompts  float64 // factor of the lengths of prompts, 0 for no prompts
	failures float64 // share in an ordinary night
	eu       func(night string) bool
	local    float64 // standard deviation of the log of what a night does to eu alone
	euFactor float64 // how much slower eu is, 0 for not
}

func effectOf(night string) float64 {
	h := uint64(14695981039346656037)
	for _, b := range []byte(night) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(h, 9)).NormFloat64()
}

func (n nights) table() *table {
	rng := rand.New(rand.NewPCG(n.seed, 31))
	run, night := column{name: "run", words: []string{}}, column{name: "night", words: []string{}}
	region, status := column{name: "region", words: []string{}}, column{name: "status", words: []string{}}
	latency, prompt := column{name: "latency_s", numbers: []float64{}}, column{name: "prompt_tokens", numbers: []float64{}}
	start := column{name: "start_s", numbers: []float64{}}
	for k, word := range n.of {
		at := effectOf(word)
		effect := n.factor * math.Exp(n.shared*at+n.own*rng.NormFloat64())
		for i := range n.requests {
			v := effect * math.Exp(0.3*rng.NormFloat64())
			length := 500.0
			if n.prompts > 0 {
				length = math.Ceil(500 * n.prompts * math.Exp(0.6*rng.NormFloat64()))
				v *= math.Sqrt(length / 500)
			}
			where := "eu"
			if rng.IntN(3) == 0 || n.eu != nil && !n.eu(word) {
				where = "us"
			}
			if where == "eu" {
				v *= math.Exp(n.local * effectOf(word+" in eu"))
				if n.euFactor > 0 {
					v *= n.euFactor
				}
			}
			outcome := "ok"
			if rng.Float64() < n.failures*math.Exp(5*n.shared*at) {
				outcome = "error"
			}
			run.words = append(run.words, fmt.Sprintf("seed-%d-%02d", n.seed, len(n.of)-k))
			night.words = append(night.words, word)
			region.words, status.words = append(region.words, where), append(status.words, outcome)
			latency.numbers, prompt.numbers = append(latency.numbers, v), append(prompt.numbers, length)
			start.numbers = append(start.numbers, 1.7e9+86400*float64(k)+float64(i))
		}
	}
	return &table{columns: []column{run, night, region, status, latency, prompt, start}}
}

func nightNames(from, to int) (out []string) {
	for k := from; k <= to; k++ {
		out = append(out, fmt.Sprintf("n%02d", k))
	}
	return out
}

func byNight() compare.Options {
	opt := noMix()
	opt.Pair = "night"
	return opt
}

func halfWidth(c compare.Contrast) float64 { return (c.Hi - c.Lo) / 2 }

// The mean of runs with one vote each, in pairs, is the paired t interval.
func TestPairsOfMeansArePairedT(t *testing.T) {
	a := []float64{158.7, 149.6, 155.9, 152.2, 171.1, 153.1}
	b := []float64{161.9, 151.9, 164.1, 154.6, 182.3, 154.5}
	side := func(means []float64, reverse bool) *table {
		var lists [][]float64
		night := column{name: "night", words: []string{}}
		at := nightNames(1, len(means))
		if reverse { // the runs of the sides have other names in another order
			means = slices.Clone(means)
			slices.Reverse(means)
			slices.Reverse(at)
		}
		for k, m := range means {
			lists = append(lists, []float64{m - 1, m, m + 1})
			night.words = append(night.words, at[k], at[k], at[k])
		}
		tb := runs(lists...)
		tb.columns = append(tb.columns, night)
		return tb
	}
	c := compareTables(t, byNight(), []string{"latency:mean"}, side(a, false), side(b, true))
	d := make([]float64, len(a))
	for i := range a {
		d[i] = b[i] - a[i]
	}
	want, err := stats.MeanT(d, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	r := c.Results[0]
	if diff := cmp.Diff(fromEstimate(want), numbers(r.Delta), approx); diff != "" {
		t.Errorf("paired t of the differences:\n%s", diff)
	}
	_, variance, _ := stats.MeanVariance(d)
	if math.Abs(r.UnitSD-math.Sqrt(variance)) > 1e-9 {
		t.Errorf("a pair varies by %v, want %v", r.UnitSD, math.Sqrt(variance))
	}
	if p := c.Design.Pairs; p == nil || p.Matched != 6 || c.Design.Unit != compare.Run || c.Design.Baseline != 6 || c.Design.Candidate != 6 {
		t.Errorf("design %+v", c.Design)
	}
}

// The estimate is that of unpaired runs, to the last bit; the interval is not.
func TestPairsMoveNoEstimate(t *testing.T) {
	a := nights{seed: 1, of: nightNames(1, 8), requests: 400, shared: 0.1, own: 0.01, factor: 1, failures: 0.05}.table()
	b := nights{seed: 2, of: nightNames(1, 8), requests: 400, shared: 0.1, own: 0.01, factor: 1.02, failures: 0.05}.table()
	ask := []string{"latency:p50", "latency:p95", "latency:mean", "success_rate", "throughput_rps"}
	plain, paired := compareTables(t, noMix(), ask, a, b), compareTables(t, byNight(), ask, a, b)
	for i, r := range paired.Results {
		p := plain.Results[i]
		if r.Delta.Value != p.Delta.Value || r.Log.Value != p.Log.Value || r.Baseline != p.Baseline || r.Candidate.Value != p.Candidate.Value || !same(r.Bound, p.Bound) {
			t.Errorf("%s %s: pairs give %+v, runs %+v", r.Metric, r.Estimand, r, p)
		}
		if r.Metric.Kind == metric.PerRun {
			continue // the clock of a run ticks alike every night
		}
		if r.Delta.DF != 7 || halfWidth(r.Delta) > halfWidth(p.Delta)/2 {
			t.Errorf("%s %s: ±%v with %v degrees of freedom, ±%v without pairs: want less than half, and 7", r.Metric, r.Estimand, halfWidth(r.Delta), r.Delta.DF, halfWidth(p.Delta))
		}
	}
}

// What has no partner is as good as not there.
func TestRunsWithoutPartnerAreLeftOut(t *testing.T) {
	base := nights{seed: 1, requests: 300, shared: 0.1, own: 0.01, factor: 1, prompts: 1, failures: 0.02}
	cand := nights{seed: 2, requests: 300, shared: 0.1, own: 0.01, factor: 1.02, prompts: 1.4, failures: 0.02}
	ask := []string{"latency:p50", "latency:p95", "success_rate", "throughput_rps"}
	opt := compare.DefaultOptions()
	opt.Pair, opt.By = "night", []string{"region"}
	base.of, cand.of = nightNames(1, 7), nightNames(1, 9)
	some := compareTables(t, opt, ask, base.table(), cand.table())
	for _, tb := range []*nights{&base, &cand} {
		tb.of = nightNames(1, 7)
	}
	a := base.table()
	whole := cand
	whole.of = nightNames(1, 9)
	b := whole.table().where("night", func(w string) bool { return w <= "n07" })
	all := compareTables(t, opt, ask, a, b)
	if len(some.Results) != len(all.Results) || len(some.Results) < 8 {
		t.Fatalf("%d and %d results", len(some.Results), len(all.Results))
	}
	for i, r := range some.Results {
		o := all.Results[i]
		if !same(r.Delta, o.Delta) || !same(r.Log, o.Log) || r.Candidate != o.Candidate || (r.Like == nil) != (o.Like == nil) || r.Like != nil && !same(r.Like.Log, o.Like.Log) {
			t.Errorf("%s %s: with runs without partner %+v, without them %+v", r.Metric, r.Estimand, r.Log, o.Log)
		}
	}
	if some.Load[0].Rate == 0 || some.Load != all.Load || some.Mix.PSI != all.Mix.PSI {
		t.Errorf("load %v and %v, PSI %v and %v: runs without partner are seen", some.Load, all.Load, some.Mix.PSI, all.Mix.PSI)
	}
	if p := some.Design.Pairs; p.Matched != 7 || p.Alone != [2]int{0, 2} || !slices.Equal(p.AloneRuns[1], []string{"n08", "n09"}) {
		t.Errorf("pairs %+v", p)
	}
	if n := len(some.Sides[1].Units); n != 7 || some.Sides[1].Records() != all.Sides[1].Records()+600 {
		t.Errorf("%d runs, %d records", n, some.Sides[1].Records())
	}
}

// where keeps the rows whose word in a column is wanted.
func (s *table) where(name string, want func(string) bool) *table {
	at := slices.IndexFunc(s.columns, func(c column) bool { return c.name == name })
	out := &table{batch: s.batch}
	for _, c := range s.columns {
		kept := column{name: c.name}
		if c.words != nil {
			kept.words = []string{}
		}
		for i, w := range s.columns[at].words {
			switch {
			case !want(w):
			case c.words != nil:
				kept.words = append(kept.words, c.words[i])
			default:
				kept.numbers = append(kept.numbers, c.numbers[i])
			}
		}
		out.columns = append(out.columns, kept)
	}
	return out
}

// A slice that a run lacks leaves the pair out, on both sides.
func TestSlicesKeepWholePairs(t *testing.T) {
	base := nights{seed: 1, of: nightNames(1, 6), requests: 400, shared: 0.1, own: 0.01, factor: 1, prompts: 1, failures: 0.2}
	cand := nights{seed: 2, of: nightNames(1, 6), requests: 400, shared: 0.1, own: 0.01, factor: 1.02, prompts: 1.5, failures: 0.2, eu: func(night string) bool { return night != "n03" }}
	opt := byNight()
	opt.By = []string{"region"}
	ask := []string{"latency:p50", "success_rate"}
	got := compareTables(t, opt, ask, base.table(), cand.table())
	a := base.table()
	without := func(w string) bool { return w != "n03" }
	want := compareTables(t, opt, ask, a.where("night", without), cand.table().where("night", without))
	seen := 0
	for i, r := range got.Results {
		if r.Slice == nil || r.Slice.String() != "region=eu" {
			continue
		}
		seen++
		if o := want.Results[i]; !same(r.Log, o.Log) || !same(r.Delta, o.Delta) || r.Baseline != o.Baseline {
			t.Errorf("%s: %+v, without the night %+v", r.Metric, r.Log, o.Log)
		}
		if r.Delta.DF != 4 {
			t.Errorf("%s: %v degrees of freedom, want those of 5 pairs", r.Metric, r.Delta.DF)
		}
		if !slices.ContainsFunc(r.Warnings, func(w stats.Warning) bool {
			return w.Code == "incomplete_pairs" && strings.Contains(w.Text, "of region=eu has values on one side alone in 1 of 6 pairs")
		}) {
			t.Errorf("%s: remarks %v", r.Metric, r.Warnings)
		}
	}
	if seen != 2 {
		t.Errorf("%d results of region=eu", seen)
	}
}

// Where prompts grew, the judged change is in pairs too.
func TestPairsLikeForLike(t *testing.T) {
	base := nights{seed: 1, of: nightNames(1, 6), requests: 1500, shared: 0.1, own: 0.005, factor: 1, prompts: 1}
	cand := nights{seed: 2, of: nightNames(1, 6), requests: 1500, shared: 0.1, own: 0.005, factor: 1, prompts: 1.5}
	ask := []string{"latency:p50", "latency:p95", "latency:mean"}
	for _, mix := range [][]string{nil, {"prompt_tokens", "region"}} {
		opt := compare.DefaultOptions()
		opt.Mix = mix
		plain := compareTables(t, opt, ask, base.table(), cand.table())
		opt.Pair = "night"
		paired := compareTables(t, opt, ask, base.table(), cand.table())
		for i, r := range paired.Results {
			p := plain.Results[i]
			if r.Like == nil || p.Like == nil {
				t.Fatalf("%s: not split", r.Estimand)
			}
			if r.Like.Log.Value != p.Like.Log.Value || r.Like.Log.DF != 5 {
				t.Errorf("%v %s: %v with %v degrees of freedom, without pairs %v", mix, r.Estimand, r.Like.Log.Value, r.Like.Log.DF, p.Like.Log.Value)
			}
			if w, u := halfWidth(r.Like.Log), halfWidth(p.Like.Log); w > u/2 || r.Like.Log.Lo > 0.01 || r.Like.Log.Hi < -0.01 {
				t.Errorf("%v %s: like for like %+v, ±%v without pairs", mix, r.Estimand, r.Like.Log, u)
			}
			if r.Like.Within.Value+r.Like.Mix.Value != r.Like.Total.Value {
				t.Errorf("%v %s: the parts do not add up", mix, r.Estimand)
			}
		}
	}
}

// A bootstrap draws pairs.
func TestBootstrapOfPairs(t *testing.T) {
	a := nights{seed: 1, of: nightNames(1, 30), requests: 60, shared: 0.1, own: 0.01, factor: 1}.table()
	b := nights{seed: 2, of: nightNames(1, 30), requests: 60, shared: 0.1, own: 0.01, factor: 1}.table()
	ask := []string{"latency:p50", "latency:mean"}
	opt := byNight()
	byT := compareTables(t, opt, ask, a, b)
	opt.Interval = compare.BootstrapInterval
	got := compareTables(t, opt, ask, a, b)
	for i, r := range got.Results {
		if q := halfWidth(r.Log) / halfWidth(byT.Results[i].Log); q < 0.7 || q > 1.3 || !strings.HasPrefix(r.Method, "bootstrap of pairs of merged runs") {
			t.Errorf("%s: %.2f times as wide as t, by %q", r.Estimand, q, r.Method)
		}
	}
}

// A plan of more pairs is that of the paired t test.
func TestPairsNeeded(t *testing.T) {
	a := nights{seed: 3, of: nightNames(1, 5), requests: 200, shared: 0.1, own: 0.03, factor: 1}.table()
	b := nights{seed: 4, of: nightNames(1, 5), requests: 200, shared: 0.1, own: 0.03, factor: 1.01}.table()
	c := compareTables(t, byNight(), []string{"latency:p50"}, a, b)
	d := verdict.Decide(c, verdict.Default())
	g := d.Gates[0]
	if g.Outcome != verdict.Inconclusive {
		t.Fatalf("gate %s, %+v: the test wants it open", g.Outcome, g.Result.Log)
	}
	size, err := stats.NPairedNI(math.Log(1.05), -g.Result.Log.Value, g.Result.Log.SEHi*math.Sqrt(5), 0.025, 0.8)
	if err != nil || g.Needed.Runs != size.N-5 || g.Needed.Runs < 1 {
		t.Errorf("%d more pairs, want %d - 5 (%v)", g.Needed.Runs, size.N, err)
	}
}

// Six nights that differ by 10 %, 1 % of its own for each run: the interval from
// pairs holds what it says, and is far shorter.
func TestPairsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
	const repetitions = 300
	covered, width, unpaired := map[string]int{}, map[string]float64{}, map[string]float64{}
	ask := []string{"latency:p50", "latency:p95", "latency:p99"}
	for i := range uint64(repetitions) {
		var of []string
		for k := range 6 {
			of = append(of, fmt.Sprintf("%d-%d", i, k))
		}
		a := nights{seed: 2*i + 1, of: of, requests: 1000, shared: 0.1, own: 0.01, factor: 1}.table()
		b := nights{seed: 2*i + 2, of: of, requests: 1000, shared: 0.1, own: 0.01, factor: 1}.table()
		plain, paired := compareTables(t, noMix(), ask, a, b), compareTables(t, byNight(), ask, a, b)
		for k, r := range paired.Results {
			name := r.Estimand.String()
			width[name] += halfWidth(r.Log) / float64(repetitions)
			unpaired[name] += halfWidth(plain.Results[k].Log) / float64(repetitions)
			if r.Log.Lo <= 0 && 0 <= r.Log.Hi {
				covered[name]++
			}
		}
	}
	for _, name := range []string{"p50", "p95", "p99"} {
		share := float64(covered[name]) / float64(repetitions)
		t.Logf("%s: covered in %.1f %% of %d, ±%.1f %%, without pairs ±%.1f %%", name, 100*share, repetitions, 100*width[name], 100*unpaired[name])
		if share < 0.93 {
			t.Errorf("%s: covered in %.3f of %d, want 0.93", name, share, repetitions)
		}
		if width[name] > unpaired[name]/2 {
			t.Errorf("%s: ±%v in pairs, ±%v without: want less than half", name, width[name], unpaired[name])
		}
	}
}
