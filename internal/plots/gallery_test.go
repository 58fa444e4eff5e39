package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats/sketch"
)

func lognormal(seed uint64, n int, mu, sd float64) *sketch.Mixture {
	r := rand.New(rand.NewPCG(seed, 1))
	s := sketch.New(0)
	for range n {
		v := math.Exp(mu + sd*r.NormFloat64())
		if r.Float64() < 0.01 {
			v *= 3
		}
		s.Add(v)
	}
	m, err := sketch.NewPooled([]*sketch.Sketch{s})
	if err != nil {
		panic(err)
	}
	return m
}

// gallery is one figure of each kind.
func gallery(t testing.TB) []*Figure {
	t.Helper()
	var out []*Figure
	add := func(f *Figure, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	add(Distribution("ttft", "s", []Sample{
		{"baseline: nightly/before.parquet", Baseline, lognormal(1, 20000, -1.7, 0.6)},
		{"candidate: nightly/after.parquet", Candidate, lognormal(2, 20000, -1.62, 0.68)}}))
	var at []ChangeAt
	for _, q := range []float64{.05, .1, .2, .3, .4, .5, .6, .7, .75, .8, .85, .9, .925, .95, .97, .98, .99, .995, .999} {
		d := 0.01 + 0.02*q + 0.03*math.Pow(-math.Log10(1-q), 1.5)
		w := 0.015 + 0.02*-math.Log10(1-q)
		c := ChangeAt{Q: q, Ratio: 1 + d, Lo: 1 + d - w, Hi: 1 + d + w}
		if q > .995 {
			c.Lo, c.Hi = math.NaN(), math.NaN()
		}
		at = append(at, c)
	}
	add(QuantileChange("ttft", at, 0.95, Against{Margin: 0.05}))
	add(Runs([]RunValues{
		{"ttft p50", "s", [2][]float64{{.181, .183, .180, .185, .182}, {.184, .185, .183, .187, .1842}}, [2]float64{.182, .1845}},
		{"ttft p95", "s", [2][]float64{{.52, .55, .54, .53, .56}, {.56, .59, .57, .575, .58}}, [2]float64{.54, .571}},
		{"ttft p99", "s", [2][]float64{{.79, .83, .81, .80, .84}, {.92, .97, .96, .99, .95}}, [2]float64{.812, .955}},
		{"tpot p95", "s", [2][]float64{{.031, .0312, .0314, .0309, .0313}, {.0316, .0314, .0317, .0312, .0315}}, [2]float64{.0312, .0315}},
	}, [2]string{"before.parquet", "after.parquet"}))
	add(Forest("gates", "Change against the margin", []Group{
		{Unit: "%", Rows: []Change{
			{"ttft p50", .011, -.009, .032, .05, Passed},
			{"ttft p95", .057, .021, .095, .05, Open},
			{"ttft p99", .176, .11, .245, .05, Failed},
			{"tpot p50", .004, -.01, .02, .05, Passed},
			{"tpot p95", .010, -.004, .024, .05, Passed},
			{"tpot p99", .03, -.2, math.Inf(1), .05, Open},
			{"queue_ms p50", -.12, -.2, -.02, 0, Muted},
		}},
		{Unit: "pp", Rows: []Change{{"success rate", -.0001, -.0005, .0003, -.005, Passed}}},
	}, 0.95))
	add(Forest("strata", "ttft p99 by prompt length", []Group{{Unit: "%", Rows: []Change{
		{"1 - 256 tokens", .01, -.03, .05, .05, Candidate},
		{"256 - 1,024 tokens", .03, -.01, .07, .05, Candidate},
		{"1,024 - 4,096 tokens with a name that is very long indeed, so long that it has to be cut", .09, .05, .13, .05, Candidate},
		{"模型: 长提示词 (32k)", .21, .15, .29, .05, Candidate},
	}}}, 0.95))
	add(Waterfall(Split{Name: "ttft p99", Unit: "s", By: "prompt length", Before: .812, After: .955, Mix: Step{.0455, .03, .06}, LikeForLike: Step{.0975, .056, .14}}))
	add(Waterfall(Split{Name: "e2e p95", Unit: "s", By: "prompt_tokens, tenant, cached_tokens", Before: 4.1, After: 5.2, Mix: Step{0.9, .7, 1.1}, LikeForLike: Step{.2, .1, .3},
		Factors: []Part{{"prompt_tokens", Step{1.1, .9, 1.3}}, {"tenant", Step{-.3, -.4, -.2}}, {"cached_tokens", Step{.08, .01, .15}}, {"no counterpart", Step{.02, 0, .04}}}}))
	var series []Series
	r := rand.New(rand.NewPCG(5, 5))
	for k := range 6 {
		s := Series{Run: "run", Role: Baseline + Role(k%2)}
		for w := range 24 {
			warm := 1 + 0.8*math.Exp(-float64(w)/2)
			base := (0.18 + 0.004*float64(k%2)) * warm * (1 + 0.03*r.NormFloat64())
			v := []float64{base, base * 4.5 * (1 + 0.06*r.NormFloat64())}
			if k == 3 && w == 12 {
				v[1] = math.NaN()
			}
			s.Windows = append(s.Windows, Window{Start: float64(w) * 300, N: 1000, Values: v})
		}
		series = append(series, s)
	}
	add(Windows(Over{"ttft", "s", 300, []float64{.5, .99}, [2]string{"before.parquet", "after.parquet"}}, series))
	var sides []PromptSide
	for k := range 2 {
		s := PromptSide{Label: []string{"before.parquet", "after.parquet"}[k], Role: Baseline + Role(k), Fixed: .055, PerToken: []float64{6.1e-5, 7.4e-5}[k]}
		for x := 64.0; x < 40000; x *= 1.6 {
			y := s.Fixed + s.PerToken*x
			s.Bins = append(s.Bins, PromptBin{x, 100, y * .8, y * (1 + 0.04*r.NormFloat64()), y * 1.5})
		}
		sides = append(sides, s)
	}
	add(Prompts("ttft", sides))
	add(Flips([]FlipSlice{{"all", 41, 23, 1319}, {"algebra", 12, 9, 400}, {"geometry", 21, 4, 300}, {"word problems, several steps", 8, 10, 619}}))
	add(PairedDifference([]Change{{"all", -1.36, -2.6, -.1, -2, Open}, {"algebra", -.75, -3, 1.5, -2, Open}, {"geometry", -5.7, -9, -2.6, -2, Failed}}, .95))
	var pl []PowerLine
	for k, m := range []float64{.03, .05, .10} {
		l := PowerLine{Label: []string{"margin 3 %", "margin 5 %", "margin 10 %"}[k]}
		for n := 2.0; n <= 30; n++ {
			z := m/(.03*math.Sqrt(2/n)) - 2.2
			p := 0.5 * math.Erfc(-z/math.Sqrt2)
			l.Points = append(l.Points, Point{n, p})
			if p >= .8 && l.Needed == 0 {
				l.Needed = n
			}
		}
		pl = append(pl, l)
	}
	add(Power("runs a side", pl, .8))
	return out
}
