package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// trueParts are the parts of the change of e2e at q, relative to before, when
// prompts and answers both move: the mean over both orders of what a very large
// sample of either says.
func trueParts(t *testing.T, before, after fixtures.Spec, q float64) (prompt, output float64) {
	t.Helper()
	at := func(p, o float64) float64 {
		s := before
		s.PromptMedian, s.OutputMedian = p, o
		s.Runs, s.RunSpread, s.RequestsPerRun, s.Seed = 1, 0, 1000000, 99
		r, err := fixtures.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		var v []float64
		for i, e := range r.E2E {
			if r.Status[i] == fixtures.StatusOK {
				v = append(v, e)
			}
		}
		slices.Sort(v)
		return v[int(q*float64(len(v)))]
	}
	x, px, ox, both := at(before.PromptMedian, before.OutputMedian), at(after.PromptMedian, before.OutputMedian), at(before.PromptMedian, after.OutputMedian), at(after.PromptMedian, after.OutputMedian)
	return (px - x + both - ox) / 2 / x, (ox - x + both - px) / 2 / x
}

// Prompts and answers grow independently, and nothing gets slower. Of two lengths
// many combinations are thin or empty, and their ranges are wider: the parts are
// approximate, and their intervals cover a little less often than they say: of
// 200 pairs 92 % for the answers. The bound allows for chance in 60.
func TestFactorsOfTwoLengths(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
	const least = .85
	const pairs = 60
	before := fixtures.Default()
	before.Runs, before.RequestsPerRun, before.RunSpread = 6, 2000, 0.01
	after := before
	after.PromptMedian, after.OutputMedian = before.PromptMedian*1.6, before.OutputMedian*1.15
	opt := compare.DefaultOptions()
	opt.Mix = []string{"prompt_tokens", "output_tokens"}
	truth := map[float64][2]float64{}
	covered, n := map[float64][3]int{}, map[float64]int{}
	for i := range pairs {
		before.Seed, after.Seed = uint64(2*i+1), uint64(2*i+2)
		c, d := judge(t, before, after, opt)
		if d.Outcome == verdict.Fail {
			t.Errorf("pair %d fails", i)
		}
		for _, r := range c.Results {
			if r.Metric.Name != "e2e" || r.Estimand.Q == .99 {
				continue
			}
			l, q := r.Like, r.Estimand.Q
			if l == nil || len(l.Factors) != 2 || len(l.Refused) > 0 {
				t.Fatalf("pair %d, e2e %s: %+v", i, r.Estimand, l)
			}
			if _, known := truth[q]; !known {
				p, o := trueParts(t, before, after, q)
				truth[q] = [2]float64{p, o}
				t.Logf("e2e %s: true parts %+.4f and %+.4f, off support %.3f and %.3f, first pair %+.4f and %+.4f", r.Estimand, p, o, l.UnsupportedBaseline, l.UnsupportedCandidate, l.Factors[0].Mix.Value, l.Factors[1].Mix.Value)
			}
			if got := l.Factors[0].Mix.Value + l.Factors[1].Mix.Value + l.OffSupport.Value; got != l.Mix.Value || l.Within.Value+l.Mix.Value != l.Total.Value {
				t.Errorf("pair %d, e2e %s: parts add up to %v, mix %v", i, r.Estimand, got, l.Mix.Value)
			}
			n[q]++
			hits := covered[q]
			for k, f := range l.Factors {
				if f.Mix.Lo <= truth[q][k] && truth[q][k] <= f.Mix.Hi {
					hits[k]++
				}
			}
			if l.Log.Lo <= 0 && 0 <= l.Log.Hi {
				hits[2]++
			}
			covered[q] = hits
		}
	}
	for _, q := range []float64{.5, .95} {
		for k, name := range []string{"prompt_tokens", "output_tokens", "like for like"} {
			share := float64(covered[q][k]) / float64(n[q])
			t.Logf("p%v: %s covered in %.1f %% of %d", q*100, name, 100*share, n[q])
			if share < least {
				t.Errorf("p%v: %s covered in %.3f of %d pairs, want %v", q*100, name, share, n[q], least)
			}
		}
	}
}

// request draws a request of a tenant, of whom a share is b, with prompts about a
// median length: latency grows with the prompt, and b has twice of it. Lengths
// are bounded, so that both sides have all of them; what only one side has is a
// part of its own.
func request(rng *rand.Rand, b, median float64) (tenant string, prompt, latency float64) {
	tenant = "a"
	for prompt < 150 || prompt > 2400 {
		prompt = math.Ceil(median * math.Exp(0.6*rng.NormFloat64()))
	}
	latency = (0.02 + 1e-4*prompt) * math.Exp(0.2*rng.NormFloat64())
	if rng.Float64() < b {
		return "b", prompt, 2 * latency
	}
	return tenant, prompt, latency
}

// traffics are runs of requests, 1 % apart.
func traffics(seed uint64, b, median float64) *table {
	rng := rand.New(rand.NewPCG(seed, 11))
	run, tenant, tokens, latency := column{name: "run"}, column{name: "tenant"}, column{name: "prompt_tokens"}, column{name: "latency_s"}
	for r := range 6 {
		effect := math.Exp(0.01 * rng.NormFloat64())
		for range 2000 {
			t, p, l := request(rng, b, median)
			run.words, tenant.words = append(run.words, string(rune('a'+r))), append(tenant.words, t)
			tokens.numbers, latency.numbers = append(tokens.numbers, p), append(latency.numbers, effect*l)
		}
	}
	return &table{columns: []column{run, tenant, tokens, latency}}
}

// Prompts and the shares of tenants move independently, and nothing gets slower:
// the interval of each factor's part covers what that factor alone does, as very
// large samples with one or both of them moved tell.
func TestFactorsOfTheMix(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
	const n = 2_000_000
	shares, medians := [2]float64{0.2, 0.35}, [2]float64{600, 800}
	var at [2][2][3]float64 // by share, median and estimand
	for i, b := range shares {
		for j, median := range medians {
			rng := rand.New(rand.NewPCG(1, 1))
			v, sum := make([]float64, n), 0.0
			for k := range v {
				_, _, v[k] = request(rng, b, median)
				sum += v[k]
			}
			slices.Sort(v)
			at[i][j] = [3]float64{v[n/2], v[n*95/100], sum / n}
		}
	}
	opt := compare.DefaultOptions()
	opt.Mix = []string{"tenant", "prompt_tokens"}
	names := []string{"tenant", "prompt_tokens", "like for like"}
	var truth, covered [3][3]float64 // by estimand and part
	for e := range truth {
		x, y := at[0][0][e], at[1][1][e]
		truth[e][0] = (at[1][0][e] - x + y - at[0][1][e]) / 2 / x
		truth[e][1] = (at[0][1][e] - x + y - at[1][0][e]) / 2 / x
	}
	const pairs = 200
	for i := range pairs {
		c := compareTables(t, opt, []string{"latency:p50", "latency:p95", "latency:mean"}, traffics(uint64(2*i), shares[0], medians[0]), traffics(uint64(2*i+1), shares[1], medians[1]))
		for e, r := range c.Results {
			l := r.Like
			if l == nil || len(l.Factors) != 2 || len(l.Refused) > 0 {
				t.Fatalf("pair %d, %s: %+v", i, r.Estimand, l)
			}
			if got := l.Factors[0].Mix.Value + l.Factors[1].Mix.Value + l.OffSupport.Value; got != l.Mix.Value || l.Within.Value+l.Mix.Value != l.Total.Value {
				t.Errorf("pair %d, %s: parts add up to %v, mix %v", i, r.Estimand, got, l.Mix.Value)
			}
			for k, part := range []compare.Contrast{l.Factors[0].Mix, l.Factors[1].Mix, l.Within} {
				if part.Lo <= truth[e][k] && truth[e][k] <= part.Hi {
					covered[e][k]++
				}
			}
		}
	}
	for e, of := range []string{"p50", "p95", "mean"} {
		for k, name := range names {
			share := covered[e][k] / float64(pairs)
			t.Logf("%s: %s, true part %+.4f, covered in %.1f %% of %d", of, name, truth[e][k], 100*share, pairs)
			if share < .93 {
				t.Errorf("%s: %s covered in %.3f of %d pairs, want .93", of, name, share, pairs)
			}
		}
	}
}

// asked is requests of two tenants and two classes: a share of b and of batch.
func asked(seed uint64, runs, requests int, b, batch float64) *table {
	rng := rand.New(rand.NewPCG(seed, 7))
	run, tenant, class := column{name: "run"}, column{name: "tenant"}, column{name: "class"}
	tokens, latency := column{name: "prompt_tokens"}, column{name: "latency_s"}
	for r := range runs {
		effect := 0.005 * rng.NormFloat64()
		for range requests {
			t, c, v := "a", "chat", math.Exp(effect+0.2*rng.NormFloat64())
			if rng.Float64() < b {
				t, v = "b", v*2
			}
			if rng.Float64() < batch {
				c, v = "batch", v*1.5
			}
			run.words = append(run.words, string(rune('a'+r)))
			tenant.words, class.words = append(tenant.words, t), append(class.words, c)
			tokens.numbers, latency.numbers = append(tokens.numbers, float64(100+rng.IntN(4))), append(latency.numbers, v)
		}
	}
	return &table{columns: []column{run, tenant, class, tokens, latency}}
}

// Only the tenants shift: their part is all of the mix, that of the classes 0.
func TestFactorsOfColumns(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix, opt.Strata = []string{"class", "prompt_tokens", "tenant"}, true
	c := compareTables(t, opt, []string{"latency:mean", "latency:p90"}, asked(1, 4, 2000, 0.2, 0.3), asked(2, 4, 2000, 0.5, 0.3))
	if c.Mix.By != "class, prompt_tokens, tenant" || len(c.Mix.Strata) != 4 || c.Mix.Strata[1].Label != "batch / 91–107 / b" {
		t.Errorf("by %s, strata %+v", c.Mix.By, c.Mix.Strata)
	}
	for _, r := range c.Results {
		l := r.Like
		if l == nil || len(l.Factors) != 3 {
			t.Fatalf("%s: %+v", r.Estimand, l)
		}
		class, tokens, tenant := l.Factors[0].Mix, l.Factors[1].Mix, l.Factors[2].Mix
		if tenant.Lo < 0.1 || class.Lo > 0 || class.Hi < 0 || math.Abs(class.Value) > 0.02 || tokens.Value != 0 || l.OffSupport.Value != 0 {
			t.Errorf("%s: class %+v, tokens %+v, tenant %+v, off support %v", r.Estimand, class, tokens, tenant, l.OffSupport.Value)
		}
		if class.Value+tokens.Value+tenant.Value+l.OffSupport.Value != l.Mix.Value {
			t.Errorf("%s: parts miss the mix %v", r.Estimand, l.Mix.Value)
		}
		if len(l.Strata) != 4 {
			t.Fatalf("%s: %d strata", r.Estimand, len(l.Strata))
		}
		for k, st := range l.Strata {
			if want := l.CandidateValues[k]/l.BaselineValues[k] - 1; !st.Relative || st.Thin || math.Abs(st.Change.Value-want) > 1e-9 || !(st.Change.Lo < want && want < st.Change.Hi && st.Change.Hi-st.Change.Lo < 0.1) {
				t.Errorf("%s: stratum %d: %+v, want %v", r.Estimand, k, st, want)
			}
		}
	}
}

// A thin stratum has a value and no interval; two single runs have one from the
// assumed noise.
func TestStrataIntervals(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.Mix, opt.Strata = []string{"tenant"}, true
	c := compareTables(t, opt, []string{"latency:p99", "latency:p50"}, asked(1, 3, 1000, 0.1, 0), asked(2, 3, 1000, 0.5, 0))
	if st := c.Results[0].Like.Strata; st[0].Thin || !st[0].Change.HasInterval() || !st[1].Thin || st[1].Change.HasInterval() || math.IsNaN(st[1].Change.Value) {
		t.Errorf("p99: %+v", st)
	}
	c = compareTables(t, opt, []string{"latency:p50"}, asked(1, 1, 1000, 0.1, 0), asked(2, 1, 1000, 0.5, 0))
	for _, st := range c.Results[0].Like.Strata {
		if st.Thin || !st.Change.HasInterval() || st.Change.Hi-st.Change.Value < 0.06 || st.Change.Value-st.Change.Lo < 0.06 { // 1.96·√2·2.5 %
			t.Errorf("one run: %+v", st)
		}
	}
}

// Who asked is looked at whether or not the split is by it.
func TestGroupShifts(t *testing.T) {
	a, b := asked(1, 3, 500, 0.2, 0.3), asked(2, 3, 500, 0.3, 0.3)
	c := compareTables(t, compare.DefaultOptions(), []string{"latency:p50"}, a, b)
	if len(c.Groups) != 2 || c.Groups[0].Column != "class" || c.Groups[0].P < 0.001 || c.Groups[1].Column != "tenant" || c.Groups[1].P > 0.001 || c.Groups[1].Word != "a" || math.Abs(c.Groups[1].CandidateShare-0.7) > 0.03 {
		t.Errorf("%+v", c.Groups)
	}
	if got := c.SplitBy("tenant", 0, false); !slices.Equal(got, []string{"tenant"}) {
		t.Errorf("lengths do not differ, split by %q", got)
	}
	opt := compare.DefaultOptions()
	opt.Mix = []string{"class"}
	c = compareTables(t, opt, []string{"latency:p50"}, a, b)
	if got := c.SplitBy("tenant", 0, false); !slices.Equal(got, []string{"class", "tenant"}) || c.SplitBy("class", 0, false) != nil {
		t.Errorf("split by %q and %q", got, c.SplitBy("class", 0, false))
	}
	opt.Mix = []string{compare.NoMix}
	if c = compareTables(t, opt, []string{"latency:p50"}, a, b); c.SplitBy("tenant", 0, false) != nil || len(c.Groups) != 2 {
		t.Error("a split that is turned off is asked for")
	}
}

// What cannot be told apart is one error.
func TestFactorErrors(t *testing.T) {
	a := asked(1, 2, 50, 0.2, 0.3)
	for want, mix := range map[string][]string{
		"at most 5 can be told apart":  {"a", "b", "c", "d", "e", "f"},
		"are the same: name each once": {"tenant", "tenant"},
		`there is no column "nobody"`:  {"tenant", "nobody"},
	} {
		in, err := tables([]string{"latency:p50"}, a, a)
		if err != nil {
			t.Fatal(err)
		}
		opt := compare.DefaultOptions()
		opt.Mix = mix
		if _, err := compare.Compare(t.Context(), in, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", mix, err, want)
		}
	}
}

// Where one run alone has what the sides have in common, the shares that have
// nothing to be compared with are still the true ones.
func TestStrataOfSingleRuns(t *testing.T) {
	side := func(regions ...string) *table {
		run, region, latency := column{name: "run", words: []string{}}, column{name: "region", words: []string{}}, column{name: "latency_s", numbers: []float64{}}
		for k, r := range regions {
			for i := range 200 {
				run.words, region.words = append(run.words, fmt.Sprint(k)), append(region.words, r)
				latency.numbers = append(latency.numbers, 1+float64(i%20)/100)
			}
		}
		return &table{columns: []column{run, region, latency}}
	}
	in, err := tables([]string{"latency:p50"}, side("eu", "us", "us", "us"), side("eu", "ap"))
	if err != nil {
		t.Fatal(err)
	}
	opt := compare.DefaultOptions()
	opt.Mix = []string{"region"}
	c, err := compare.Compare(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	l := c.Results[0].Like
	if l == nil || l.UnsupportedBaseline != 0.75 || l.UnsupportedCandidate != 0.5 || l.Unsupported != 0.75 || len(l.Refused) == 0 {
		t.Errorf("like for like: %+v", l)
	}
}
