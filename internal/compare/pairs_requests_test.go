package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// replay is a run of prompts, each as slow as the set it is from says, times a
// noise of its own and one that neighbouring requests share.
type replay struct {
	set           uint64
	seed          uint64
	from, to      int // of the prompts
	factor        float64
	noise, memory float64 // standard deviations of logs
}

func (r replay) table() *table {
	rng := rand.New(rand.NewPCG(r.seed, 8))
	run, prompt := column{name: "run", words: []string{}}, column{name: "prompt_id", words: []string{}}
	latency, start := column{name: "latency_s", numbers: []float64{}}, column{name: "start_s", numbers: []float64{}}
	shared := 0.0
	for k := r.from; k < r.to; k++ {
		shared = 0.9*shared + math.Sqrt(1-0.81)*rng.NormFloat64()
		name := fmt.Sprint("p", k)
		hard := effectOf(fmt.Sprint(r.set, name))
		run.words, prompt.words = append(run.words, fmt.Sprint("run", r.seed)), append(prompt.words, name)
		latency.numbers = append(latency.numbers, r.factor*math.Exp(0.5*hard+r.noise*rng.NormFloat64()+r.memory*shared))
		start.numbers = append(start.numbers, 1.7e9+float64(len(start.numbers)))
	}
	return &table{columns: []column{run, prompt, latency, start}}
}

func byPrompt(noise float64) compare.Options {
	opt := noMix()
	opt.Pair, opt.RunNoise = "prompt_id", noise
	return opt
}

// Prompts that were sent to both sides say more of the change than as many others,
// and nothing of how runs differ.
func TestMatchedRequests(t *testing.T) {
	a := replay{seed: 1, from: 0, to: 3000, factor: 1, noise: 0.1}.table()
	b := replay{seed: 2, from: 0, to: 3000, factor: 1.2, noise: 0.1}.table()
	ask := []string{"latency:p50", "latency:p95", "latency:mean", "throughput_rps"}
	for _, noise := range []float64{0, 0.025} {
		opt := byPrompt(noise)
		got := compareTables(t, opt, ask, a, b)
		opt.Pair = ""
		plain := compareTables(t, opt, ask, a, b)
		for i, r := range got.Results {
			p := plain.Results[i]
			if r.Delta.Value != p.Delta.Value || r.Baseline != p.Baseline || r.Candidate != p.Candidate || p.Bound.HasInterval() && !same(r.Bound, p.Bound) {
				t.Errorf("%s: values %+v, unmatched %+v", r.Estimand, r.Candidate, p.Candidate)
			}
			if r.Metric.Kind == metric.PerRun {
				continue
			}
			least, most := math.Sqrt2*1.96*noise, 0.75*halfWidth(p.Log)
			if noise > 0 {
				most = halfWidth(p.Log)
			}
			if w := halfWidth(r.Log); w < least || w > most || r.Log.Lo > math.Log(1.2) || r.Log.Hi < math.Log(1.2) {
				t.Errorf("%s, noise %v: %+v: want a half width from %.4f to %.4f", r.Estimand, noise, r.Log, least, most)
			}
			want := "jackknife of groups of matched requests, t"
			if noise > 0 {
				want += " with assumed run noise"
			}
			if r.Method != want {
				t.Errorf("method %q", r.Method)
			}
		}
		d := got.Design
		if p := d.Pairs; p == nil || !p.Requests || p.Matched != 3000 || d.PairedRuns() || d.Unit != compare.Run || d.Baseline != 1 || d.AssumedRunNoise != noise {
			t.Errorf("design %+v", d)
		}
	}
	// What would settle it is more runs, whose number is not that of pairs.
	c := compareTables(t, byPrompt(0.025), []string{"latency:p50"}, a, replay{seed: 3, from: 0, to: 3000, factor: 1, noise: 0.1}.table())
	g := verdict.Decide(c, verdict.Default()).Gates[0]
	k, err := stats.RunsNeeded(g.Result.UnitSDLog, math.Log(1.05)-g.Harm, 0.025, 0.8, 1000)
	if err != nil || g.Outcome != verdict.Inconclusive || g.Needed.Runs != k-1 || k < 4 {
		t.Errorf("gate %s, %d more runs, want %d - 1 (%v)", g.Outcome, g.Needed.Runs, k, err)
	}
}

// Groups of prompts lie all over a run: where neighbouring requests are slow together,
// matching them wins little.
func TestMatchedRequestsThatDepend(t *testing.T) {
	x := replay{set: 1, seed: 2, to: 3000, factor: 1, noise: 0.05, memory: 0.3}
	y := x
	y.seed++
	ask := []string{"latency:p50", "latency:mean"}
	opt := byPrompt(0)
	matched := compareTables(t, opt, ask, x.table(), y.table())
	opt.Pair = ""
	unmatched := compareTables(t, opt, ask, x.table(), y.table())
	for i, r := range matched.Results {
		u := unmatched.Results[i]
		if q := halfWidth(r.Log) / halfWidth(u.Log); q < 0.75 || q > 1.1 {
			t.Errorf("%s: an interval %.2f times as wide as unmatched", r.Estimand, q)
		}
		if q := halfWidth(r.Delta) / halfWidth(u.Delta); q < 0.75 || q > 1.1 {
			t.Errorf("%s: an interval of the difference %.2f times as wide as unmatched", r.Estimand, q)
		}
	}
}

// Requests whose prompt the other side never had are left out, and the load is that
// of all.
func TestUnmatchedRequestsAreLeftOut(t *testing.T) {
	a := replay{seed: 1, from: 0, to: 2000, factor: 1, noise: 0.1}.table()
	b := replay{seed: 2, from: 0, to: 2000, factor: 1.1, noise: 0.1}.table()
	for i, w := range b.columns[1].words {
		if len(w) == 4 && w < "p600" {
			b.columns[1].words[i] = "other " + w
		}
	}
	both := func(p string) bool { return !strings.HasPrefix(p, "other") && !(len(p) == 4 && p < "p600") }
	ask := []string{"latency:p50", "latency:mean", "success_rate"}
	got := compareTables(t, byPrompt(0.01), ask, a, b)
	want := compareTables(t, byPrompt(0.01), ask, a.where("prompt_id", both), b.where("prompt_id", both))
	for i, r := range got.Results {
		o := want.Results[i]
		if !same(r.Delta, o.Delta) || r.Baseline != o.Baseline || r.Candidate != o.Candidate {
			t.Errorf("%s %s: %+v, of the others alone %+v", r.Metric, r.Estimand, r.Delta, o.Delta)
		}
		if r.Baseline.N != 1500 || r.Candidate.N != 1500 {
			t.Errorf("%s: %d and %d values", r.Metric, r.Baseline.N, r.Candidate.N)
		}
	}
	if p := got.Design.Pairs; p.Matched != 1500 || p.Alone != [2]int{500, 500} {
		t.Errorf("pairs %+v", p)
	}
	if rate := got.Load[0].Rate; math.Abs(rate-1) > 1e-9 {
		t.Errorf("load %v: want that of all requests", rate)
	}
	rps := compareTables(t, byPrompt(0.01), []string{"throughput_rps"}, a, b).Results[0]
	if rps.Baseline.OK || rps.Delta.OK || !warns(&rps, "part_of_run") {
		t.Errorf("throughput of a part of the requests: %+v", rps)
	}
}

func TestMatchedRequestErrors(t *testing.T) {
	long := replay{seed: 1, from: 0, to: 100, factor: 1, noise: 0.1}
	for _, c := range []struct {
		from int
		want string
	}{
		{81, "both runs have 19 words of that column in common, besides 81 of the baseline alone and 81 of the candidate"},
		{100, "both runs have 0 words"},
		{80, ""},
	} {
		other := long
		other.seed, other.from, other.to = 2, c.from, c.from+100
		in, err := tables([]string{"latency:p50"}, long.table(), other.table())
		if err != nil {
			t.Fatal(err)
		}
		_, err = compare.Compare(t.Context(), in, byPrompt(0.01))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("from %d: %v, want %q", c.from, err, c.want)
		}
	}
}

// Replays of the same prompts, no noise between runs: the interval holds what it
// says, also where neighbouring requests are slow together.
func TestMatchedRequestsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
	const repetitions = 300
	ask := []string{"latency:p50", "latency:p95", "latency:p99"}
	for _, memory := range []float64{0, 0.05} {
		covered, width, plain := [3]int{}, [3]float64{}, [3]float64{}
		for i := range uint64(repetitions) {
			x := replay{set: i, seed: 2 * i, to: 3000, factor: 1, noise: 0.1, memory: memory}
			y := x
			y.seed++
			matched := compareTables(t, byPrompt(0), ask, x.table(), y.table())
			opt := byPrompt(0)
			opt.Pair = ""
			unmatched := compareTables(t, opt, ask, x.table(), y.table())
			for k, r := range matched.Results {
				width[k] += halfWidth(r.Log) / float64(repetitions)
				plain[k] += halfWidth(unmatched.Results[k].Log) / float64(repetitions)
				if r.Log.Lo <= 0 && 0 <= r.Log.Hi {
					covered[k]++
				}
			}
		}
		for k, name := range ask {
			share := float64(covered[k]) / float64(repetitions)
			t.Logf("memory %v, %s: covered in %.1f %% of %d, ±%.1f %%, unmatched ±%.1f %%", memory, name, 100*share, repetitions, 100*width[k], 100*plain[k])
			if share < 0.93 {
				t.Errorf("memory %v, %s: covered in %.3f of %d, want 0.93", memory, name, share, repetitions)
			}
			if width[k] > 0.9*plain[k] {
				t.Errorf("memory %v, %s: ±%v, unmatched ±%v", memory, name, width[k], plain[k])
			}
		}
	}
}
