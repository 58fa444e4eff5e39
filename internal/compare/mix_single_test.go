package compare_test

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/mixshift"
)

// singleRuns is a pair of systems of one run a side, of which the candidate's
// prompts are longer and nothing else differs.
type singleRuns struct {
	name     string
	requests int
	ar       float64 // autocorrelation of the latencies of neighbours
	spread   float64 // of runs, and what is assumed of them
	longer   float64
	failures float64
	mix      []string
	bursts   bool // long prompts come together
	metrics  []string
}

// pair draws both sides.
func (d singleRuns) pair(t testing.TB, seed uint64) []fixtures.Records {
	s := fixtures.Default()
	s.Runs, s.RequestsPerRun, s.ARPhi, s.RunSpread = 1, d.requests, d.ar, d.spread
	s.FailureRate = max(s.FailureRate, d.failures)
	var out []fixtures.Records
	for k := range uint64(2) {
		s.Seed = 2*seed + k
		r, err := fixtures.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		if d.bursts {
			burst(&r, s.Seed)
		}
		out = append(out, r)
		s.PromptMedian *= d.longer
	}
	return out
}

// burst puts requests in an order in which long prompts come together, at the
// same starts.
func burst(r *fixtures.Records, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	n := r.Len()
	key, order := make([]float64, n), make([]int, n)
	for i := range key {
		key[i], order[i] = math.Log(r.PromptTokens[i])+rng.NormFloat64(), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
	chunks := slices.Collect(slices.Chunk(order, 50))
	rng.Shuffle(len(chunks), func(i, j int) { chunks[i], chunks[j] = chunks[j], chunks[i] })
	order = slices.Concat(chunks...)
	r.TTFT, r.E2E, r.PromptTokens, r.OutputTokens = pick(r.TTFT, order), pick(r.E2E, order), pick(r.PromptTokens, order), pick(r.OutputTokens, order)
	r.Status = pick(r.Status, order)
}

func pick[V any](x []V, order []int) []V {
	out := make([]V, len(order))
	for k, i := range order {
		out[k] = x[i]
	}
	return out
}

// Only the prompts grew: the like-for-like interval of two single runs covers no
// change, with the requests of a run independent or not and thin strata or not.
// Where long prompts come in bursts the total change is known badly, and the
// change like for like is not.
func TestLikeForLikeOfSingleRuns(t *testing.T) {
	t.Parallel()
	pairs := 400
	if testing.Short() {
		pairs = 3
	}
	ttft, ok := []string{"ttft:p50", "ttft:p95", "ttft:p99", "ttft:mean"}, []string{"success_rate"}
	for k, d := range []singleRuns{
		{name: "independent", requests: 2000, longer: 1.6, metrics: ttft},
		{name: "AR .7, noise 1 %", requests: 2000, ar: .7, spread: .01, longer: 1.6, metrics: ttft},
		{name: "10,000, AR .9", requests: 10000, ar: .9, longer: 1.6, metrics: ttft},
		{name: "bursts", requests: 2000, longer: 1.6, bursts: true, metrics: ttft},
		{name: "equal traffic", requests: 2000, longer: 1, mix: []string{"prompt_tokens"}, metrics: ttft},
		{name: "thin strata", requests: 2000, longer: 1.3, mix: []string{"prompt_tokens", "replica"}, metrics: ttft},
		{name: "failures in bursts", requests: 2000, longer: 1.6, failures: .03, bursts: true, metrics: ok},
	} {
		opt := compare.DefaultOptions()
		opt.RunNoise, opt.Mix = d.spread, d.mix
		covered := map[string]int{}
		like, total := map[string][]float64{}, map[string][]float64{}
		for i := range pairs {
			c, _ := judgeRecords(t, d.pair(t, uint64(1000*k+i)), opt, d.metrics...)
			for _, r := range c.Results {
				name := r.Metric.Name + " " + r.Estimand.String()
				if r.Like == nil || !r.Like.Delta.HasInterval() {
					continue // this pair's prompts happen to be alike
				}
				change := r.Like.Delta
				like[name], total[name] = append(like[name], change.Hi-change.Lo), append(total[name], r.Delta.Hi-r.Delta.Lo)
				if change.Lo <= 0 && 0 <= change.Hi {
					covered[name]++
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(like)) {
			widths := like[name]
			share := float64(covered[name]) / float64(len(widths))
			slices.Sort(widths)
			slices.Sort(total[name])
			narrower := widths[len(widths)/2] / total[name][len(widths)/2]
			t.Logf("%s, %s: covered in %.1f %% of %d, median width %.2f of that of the total", d.name, name, 100*share, len(widths), narrower)
			if len(widths) < pairs*9/10 {
				t.Errorf("%s, %s: %d of %d pairs have an interval", d.name, name, len(widths), pairs)
			}
			if !testing.Short() && share < .93 {
				t.Errorf("%s, %s: covered in %.3f of %d pairs, want .93", d.name, name, share, len(widths))
			}
			if d.bursts && name != "success_rate rate" && narrower > .6 {
				t.Errorf("%s, %s: %.2f times as wide as the total change", d.name, name, narrower)
			}
		}
		if len(like) != len(d.metrics) {
			t.Errorf("%s: results %v", d.name, like)
		}
	}
}

// kinds is a run of n requests of two kinds, of which a share is slow; with slow
// 0 all are of one.
func kinds(seed uint64, n int, slow float64) *table {
	rng := rand.New(rand.NewPCG(seed, 5))
	latency, kind, status := column{name: "latency_s"}, column{name: "kind"}, column{name: "status"}
	for range n {
		factor, word := 1.0, "fast"
		if rng.Float64() < slow {
			factor, word = 10, "slow"
		}
		done := "ok"
		if rng.Float64() < .1 {
			done = "error"
		}
		latency.numbers, kind.words, status.words = append(latency.numbers, factor*math.Exp(.3*rng.NormFloat64())), append(kind.words, word), append(status.words, done)
	}
	return &table{columns: []column{latency, kind, status}}
}

// With a single stratum there is no mix, and the change like for like is the
// change.
func TestOneStratumIsTheWhole(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix = []string{"kind"}
	c := compareTables(t, opt, []string{"latency:p50", "latency:p95", "latency:mean", "success_rate"}, kinds(1, 2000, 0), kinds(2, 2000, 0))
	for _, r := range c.Results {
		if r.Like == nil {
			t.Fatalf("%s %s: not split", r.Metric.Name, r.Estimand)
		}
		for _, pair := range [][2]compare.Contrast{{r.Delta, r.Like.Delta}, {r.Log, r.Like.Log}} {
			total, like := numbers(pair[0]), numbers(pair[1])
			for i := range 5 { // without the degrees of freedom
				if math.Abs(total[i]-like[i]) > 2e-3*(pair[0].Hi-pair[0].Lo) {
					t.Errorf("%s %s: like for like %v, total %v", r.Metric.Name, r.Estimand, like, total)
					break
				}
			}
		}
		for _, log := range []bool{false, true} {
			sd, total := r.UnitSpread(log), r.UnitSD
			if log {
				total = r.UnitSDLog
			}
			if math.Abs(sd/total-1) > 2e-3 {
				t.Errorf("%s %s: spread of a run %v, total %v", r.Metric.Name, r.Estimand, sd, total)
			}
		}
	}
}

// Runs too short for batches have the error of independent requests: that of
// post-stratification.
func TestLikeForLikeOfShortRuns(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix, opt.RunNoise = []string{"kind"}, 0
	sides := []*table{kinds(3, 36, .3), kinds(5, 36, .6)}
	r := compareTables(t, opt, []string{"latency:mean"}, sides[0], sides[1]).Results[0]
	values := func(s *table, kind string) (out []float64) {
		for i, v := range s.columns[0].numbers {
			if s.columns[1].words[i] == kind && s.columns[2].words[i] == "ok" {
				out = append(out, v)
			}
		}
		return out
	}
	fast, slow := float64(len(values(sides[0], "fast"))), float64(len(values(sides[0], "slow")))
	var squares float64
	for _, s := range sides {
		var strata []mixshift.PostStratum
		for kind, n := range map[string]float64{"fast": fast, "slow": slow} {
			v := values(s, kind)
			mean := 0.0
			for _, x := range v {
				mean += x / float64(len(v))
			}
			variance := 0.0
			for _, x := range v {
				variance += (x - mean) * (x - mean) / float64(len(v)-1)
			}
			strata = append(strata, mixshift.PostStratum{N: len(v), Mean: mean, Variance: variance, Share: n})
		}
		p, err := mixshift.PostStratify(strata, .95)
		if err != nil {
			t.Fatal(err)
		}
		squares += p.SE * p.SE
	}
	if r.Like == nil || math.Abs(r.Like.Delta.SEHi/math.Sqrt(squares)-1) > 1e-9 {
		t.Errorf("like for like %+v, want the error %v", r.Like, math.Sqrt(squares))
	}
	if r.Like.Delta.Hi-r.Like.Delta.Lo > (r.Delta.Hi-r.Delta.Lo)/2 {
		t.Errorf("like for like [%v, %v], total [%v, %v]", r.Like.Delta.Lo, r.Like.Delta.Hi, r.Delta.Lo, r.Delta.Hi)
	}
}

// A request that is alone in its stratum counts with its distance from the rest.
func TestLoneRequestInAStratum(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix = []string{"kind"}
	a, b := kinds(6, 400, 0), kinds(7, 400, 0)
	plain := compareTables(t, opt, []string{"latency:mean"}, a, b).Results[0]
	for _, s := range []*table{a, b} {
		s.columns[0].numbers[200], s.columns[1].words[200], s.columns[2].words[200] = 20, "slow", "ok"
	}
	r := compareTables(t, opt, []string{"latency:mean"}, a, b).Results[0]
	if r.Like == nil || !(r.Like.Delta.SEHi > 1.5*plain.Like.Delta.SEHi) {
		t.Errorf("error %v with a lone slow request, %v without", r.Like.Delta.SEHi, plain.Like.Delta.SEHi)
	}
}

// blocks is a run of n requests whose fifth is of a slow kind, which fails more
// often and comes in three blocks.
func blocks(seed uint64, n int) *table {
	s := kinds(seed, n, 0)
	rng := rand.New(rand.NewPCG(seed, 6))
	for i := range n {
		if at := i * 15 / n; at == 2 || at == 7 || at == 11 {
			s.columns[0].numbers[i] *= 10
			s.columns[1].words[i] = "slow"
			if rng.Float64() < .5 {
				s.columns[2].words[i] = "error"
			}
		}
	}
	return s
}

// What comes in blocks leaves the total change unknown, and the change like for
// like as well known as in any other order.
func TestBlocksOfAKind(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix, opt.RunNoise = []string{"kind"}, 0
	a, b := blocks(1, 3000), blocks(2, 3000)
	c := compareTables(t, opt, []string{"latency:p95", "success_rate"}, a, b)
	for _, s := range []*table{a, b} {
		order := rand.New(rand.NewPCG(3, 3)).Perm(3000)
		s.columns[0].numbers, s.columns[1].words, s.columns[2].words = pick(s.columns[0].numbers, order), pick(s.columns[1].words, order), pick(s.columns[2].words, order)
	}
	mixed := compareTables(t, opt, []string{"latency:p95", "success_rate"}, a, b)
	for i, r := range c.Results {
		want := mixed.Results[i].Like.Delta.SEHi
		if got := r.Like.Delta.SEHi; !(got > want/2 && got < 2*want) || !(r.Delta.SEHi > 4*got) {
			t.Errorf("%s: error %v like for like, %v of the total, in another order %v", r.Metric.Name, got, r.Delta.SEHi, want)
		}
	}
	r := c.Results[0]
	if sd := r.UnitSpread(true); !(math.Abs(sd*math.Sqrt2/math.Max(r.Like.Log.SELo, r.Like.Log.SEHi)-1) < 1e-9) {
		t.Errorf("spread of a run %v, error %v", sd, r.Like.Log)
	}
}

// Parts of one input are paired after they are read, when nothing is known of the
// order of time inside the strata: they keep what is known of the total.
func TestLikeForLikeOfParts(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix = []string{"prompt_tokens"}
	p, err := compare.ReadParts(t.Context(), inputs(t, []string{"ttft:p50"}, spec(2, 900, 0.03)), opt, compare.Want{Verdicts: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compare([]int{0}, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	r := c.Results[0]
	wide := (r.Like.Log.Hi - r.Like.Log.Lo) / (r.Log.Hi - r.Log.Lo)
	if want := math.Sqrt(float64(r.Candidate.N) / r.Like.EffectiveN); math.Abs(wide/want-1) > .02 {
		t.Errorf("%v times as wide as the total, want about %v", wide, want)
	}
}

// One run against several keeps the spread of those, widened.
func TestLikeForLikeOfOneRunAgainstSeveral(t *testing.T) {
	before := fixtures.Default()
	before.Runs, before.RequestsPerRun = 4, 1000
	after := before
	after.Runs, after.Seed = 1, 2
	after.PromptMedian *= 1.5
	c, _ := judge(t, before, after, compare.DefaultOptions(), "ttft:p50")
	r := c.Results[0]
	wide := (r.Like.Log.Hi - r.Like.Log.Lo) / (r.Log.Hi - r.Log.Lo)
	if want := math.Sqrt(float64(r.Candidate.N) / r.Like.EffectiveN); !c.Design.BorrowedSpread || math.Abs(wide/want-1) > .02 {
		t.Errorf("%v times as wide as the total, want about %v", wide, want)
	}
}
