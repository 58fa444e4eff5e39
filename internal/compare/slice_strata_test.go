package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// tiers is the traffic of two tiers, each with prompts of its own length and a factor on
// its latencies, which grow with the prompt.
type tiers struct {
	seed           uint64
	runs, requests int
	gold           string // the word of the tier that a third of the requests have
	prompts        map[bool]float64
	slower         map[bool]float64
}

func (t tiers) table() *table {
	rng := rand.New(rand.NewPCG(t.seed, 5))
	run, tier, kind, prompt, latency := column{name: "run"}, column{name: "tier"}, column{name: "kind"}, column{name: "prompt_tokens"}, column{name: "ttft_s"}
	for r := range t.runs {
		effect := math.Exp(0.005 * rng.NormFloat64())
		for range t.requests {
			gold := rng.IntN(3) == 0
			p := math.Ceil(600 * t.prompts[gold] * math.Exp(0.7*rng.NormFloat64()))
			word := "free"
			if gold {
				word = t.gold
			}
			run.words, tier.words = append(run.words, fmt.Sprint(r)), append(tier.words, word)
			kind.words = append(kind.words, []string{"chat", "code"}[rng.IntN(2)])
			prompt.numbers = append(prompt.numbers, p)
			latency.numbers = append(latency.numbers, t.slower[gold]*effect*(0.02+p/8000)*math.Exp(0.2*rng.NormFloat64()))
		}
	}
	return &table{columns: []column{run, tier, kind, prompt, latency}}
}

// A critical slice is judged like for like by strata of its own. Prompts that get shorter
// in it do not hide that it got slower, longer ones do not make it so, and neither need
// show in the traffic of the whole.
func TestCriticalSlicesLikeForLike(t *testing.T) {
	for _, word := range []string{"gold", "a\x1fb\x1e0"} { // of separators of keys, too
		base := tiers{seed: 1, runs: 5, requests: 3000, gold: word, prompts: map[bool]float64{true: 1, false: 1}, slower: map[bool]float64{true: 1, false: 1}}
		for name, c := range map[string]struct {
			gold, others, slower float64
			mix, by              []string
		}{
			"hidden":               {0.82, 1, 1.12, nil, nil},
			"hidden, whole alike":  {0.82, 1.11, 1.12, nil, []string{"tier"}},
			"longer":               {1.6, 1, 1, nil, nil},
			"longer, whole alike":  {1.6, 0.83, 1, nil, nil},
			"longer, named":        {1.6, 1, 1, []string{"kind", "prompt_tokens"}, nil},
			"hidden, named length": {0.82, 1, 1.12, []string{"prompt_tokens"}, []string{"tier"}},
		} {
			other := base
			other.seed, other.prompts, other.slower = 2, map[bool]float64{true: c.gold, false: c.others}, map[bool]float64{true: c.slower, false: 1}
			opt := compare.DefaultOptions()
			opt.Mix, opt.By = c.mix, c.by
			opt.Critical = []compare.SliceOf{{Columns: []string{"tier"}, Values: []string{word}}}
			got := compareTables(t, opt, []string{"ttft:p50"}, base.table(), other.table())
			var critical, whole *compare.Result
			for i := range got.Results {
				switch r := &got.Results[i]; {
				case r.Critical:
					critical = r
				case r.Slice == nil:
					whole = r
				}
			}
			if critical == nil || critical.Like == nil {
				t.Errorf("%q, %s: not split", word, name)
				continue
			}
			if l := critical.Like.Log; !(l.Lo <= math.Log(c.slower) && math.Log(c.slower) <= l.Hi) || l.Hi-l.Lo > 0.1 {
				t.Errorf("%q, %s: like for like %+v, want %v", word, name, l, math.Log(c.slower))
			}
			if total := critical.Log; total.Lo <= math.Log(c.slower) && math.Log(c.slower) <= total.Hi {
				t.Errorf("%q, %s: the total %+v shows it already", word, name, total)
			}
			// The strata of the whole are the same, be they made of those of the slice or not.
			opt.Critical = nil
			alone := compareTables(t, opt, []string{"ttft:p50"}, base.table(), other.table()).Results[0]
			if (alone.Like == nil) != (whole.Like == nil) {
				t.Fatalf("%q, %s: the whole is split with critical slices or without", word, name)
			}
			if alone.Like != nil {
				if d := cmp.Diff(numbers(alone.Like.Log), numbers(whole.Like.Log)); d != "" {
					t.Errorf("%q, %s: the whole without critical slices and with\n%s", word, name, d)
				}
			}
		}
	}
}

// A slice of equal traffic is not split unless the strata are named.
func TestCriticalSlicesOfEqualTraffic(t *testing.T) {
	side := func(seed uint64) *table {
		return tiers{seed: seed, runs: 4, requests: 2000, gold: "gold", prompts: map[bool]float64{true: 1, false: 1}, slower: map[bool]float64{true: 1, false: 1}}.table()
	}
	for _, mix := range [][]string{nil, {"kind"}, {"tier"}, {compare.NoMix}} {
		opt := compare.DefaultOptions()
		opt.Mix = mix
		opt.Critical = []compare.SliceOf{{Columns: []string{"tier"}, Values: []string{"gold"}}}
		got := compareTables(t, opt, []string{"ttft:p50"}, side(1), side(1))
		i := slices.IndexFunc(got.Results, func(r compare.Result) bool { return r.Critical })
		if split := got.Results[i].Like != nil; split != slices.Equal(mix, []string{"kind"}) {
			t.Errorf("mix %v: split %v", mix, split)
		}
	}
}

// A slice that is too small to be split is judged by its total change where nothing says
// that its traffic differs, and refused where something does.
func TestSmallCriticalSlices(t *testing.T) {
	base := tiers{seed: 1, runs: 4, requests: 100, gold: "gold", prompts: map[bool]float64{true: 1, false: 1}, slower: map[bool]float64{true: 1, false: 1}}
	for _, longer := range []float64{1, 3} {
		other := base
		other.prompts, other.seed = map[bool]float64{true: longer, false: 1}, 2
		opt := compare.DefaultOptions()
		opt.Mix = []string{"prompt_tokens"}
		opt.Critical = []compare.SliceOf{{Columns: []string{"tier"}, Values: []string{"gold"}}}
		got := compareTables(t, opt, []string{"ttft:p50"}, base.table(), other.table())
		i := slices.IndexFunc(got.Results, func(r compare.Result) bool { return r.Critical })
		like := got.Results[i].Like
		if longer == 1 && like != nil || longer > 1 && (like == nil || len(like.Refused) == 0) {
			t.Errorf("prompts %v times as long: like for like %+v", longer, like)
		}
	}
}

// Of large inputs a sample says whether slices are to be split.
func TestSampledSlices(t *testing.T) {
	if testing.Short() {
		t.Skip("two million records")
	}
	base := tiers{seed: 1, runs: 3, requests: 400_000, gold: "gold", prompts: map[bool]float64{true: 1, false: 1}, slower: map[bool]float64{true: 1, false: 1}}
	for _, longer := range []float64{1, 1.6} {
		other := base
		other.prompts, other.seed = map[bool]float64{true: longer, false: 1}, 2
		opt := compare.DefaultOptions()
		opt.Critical = []compare.SliceOf{{Columns: []string{"tier"}, Values: []string{"gold"}}}
		in, err := tables([]string{"ttft:p50"}, base.table(), other.table())
		if err != nil {
			t.Fatal(err)
		}
		if !in.Plan.Large(in.Sides) {
			t.Fatal("not large")
		}
		got, err := compare.Compare(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(got.Results, func(r compare.Result) bool { return r.Critical })
		if split := got.Results[i].Like != nil; split != (longer > 1) {
			t.Errorf("prompts %v times as long: split %v", longer, split)
		}
	}
}
