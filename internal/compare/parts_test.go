package compare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// inputs makes the records of specs, a side each, with what is compared.
func inputs(t *testing.T, ask []string, specs ...fixtures.Spec) compare.Inputs {
	t.Helper()
	in := compare.Inputs{Scan: metric.Scan{Workers: 2}}
	var layouts []*ingest.Layout
	for _, spec := range specs {
		records, err := fixtures.Generate(spec)
		if err != nil {
			t.Fatal(err)
		}
		src := records.Source()
		l, err := ingest.Resolve("made", src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		layouts = append(layouts, l)
		in.Sides = append(in.Sides, metric.Input{Files: []metric.File{{Path: "made", Label: "made", Source: src, Layout: l}}})
	}
	items, err := metric.Select(ask, nil, nil, metric.Directions{}, layouts)
	if err != nil {
		t.Fatal(err)
	}
	in.Plan = metric.NewPlan(items)
	return in
}

func parts(t *testing.T, in compare.Inputs, want compare.Want) *compare.Parts {
	t.Helper()
	p, err := compare.ReadParts(t.Context(), in, compare.DefaultOptions(), want)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func spec(runs, requests int, spread float64) fixtures.Spec {
	s := fixtures.Default()
	s.Runs, s.RequestsPerRun, s.RunSpread = runs, requests, spread
	return s
}

// A comparison of parts is the comparison of inputs that hold them alone.
func TestPartsCompareAsInputsDo(t *testing.T) {
	all := spec(4, 900, 0.03)
	whole := parts(t, inputs(t, nil, all), compare.Want{Verdicts: true})
	if n := len(whole.Side.Units); n != 4 {
		t.Fatalf("%d units", n)
	}
	for _, c := range [][2][]int{{{0, 1}, {2, 3}}, {{0, 3}, {1, 2}}, {{2}, {1}}, {{0}, {1, 2}}} {
		got, err := whole.Compare(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		want := compareRuns(t, all, c)
		if got.Design != want.Design {
			t.Errorf("%v: design %+v, want %+v", c, got.Design, want.Design)
		}
		for i := range want.Results {
			g, w := got.Results[i], want.Results[i]
			// The time of one of several runs is cut more coarsely.
			slack := 0.0
			if len(c[0])+len(c[1]) == 2 {
				slack = 0.05 * (w.Log.Hi - w.Log.Lo)
			}
			if g.Baseline.Value != w.Baseline.Value || g.Candidate.Value != w.Candidate.Value || g.Thin != w.Thin ||
				math.Abs(g.Log.Lo-w.Log.Lo) > slack || math.Abs(g.Log.Hi-w.Log.Hi) > slack {
				t.Errorf("%v %s %s:\n%+v\n%+v", c, g.Metric, g.Estimand, g, w)
			}
			if w.Lack[0].OfRequests == 0 && w.Metric.Kind == metric.PerRequest || g.Lack != w.Lack {
				t.Errorf("%v %s: lack %+v, want %+v", c, g.Metric, g.Lack, w.Lack)
			}
		}
		if g, w := got.Traffic[0].Records, want.Traffic[0].Records; g != w {
			t.Errorf("%v: %d records of traffic, want %d", c, g, w)
		}
		if got.Load != want.Load || got.MeanLatency != want.MeanLatency {
			t.Errorf("%v: load %v, want %v", c, got.Load, want.Load)
		}
		if !got.WarmUp.OK || len(got.Arrivals) == 0 || got.WarmUp != want.WarmUp || got.Drift != want.Drift || !slices.Equal(got.Arrivals, want.Arrivals) {
			t.Errorf("%v: courses\n%+v %+v %+v, want\n%+v %+v %+v", c, got.WarmUp, got.Drift, got.Arrivals, want.WarmUp, want.Drift, want.Arrivals)
		}
	}
}

// compareRuns compares inputs of the given runs.
func compareRuns(t *testing.T, s fixtures.Spec, runs [2][]int) *compare.Comparison {
	t.Helper()
	in := inputs(t, nil, s, s)
	for side, list := range runs {
		in.Sides[side].Files = nil
		for _, run := range list {
			r, err := fixtures.GenerateRun(s, run)
			if err != nil {
				t.Fatal(err)
			}
			src := r.Source()
			l, err := ingest.Resolve("made", src.Columns(), nil)
			if err != nil {
				t.Fatal(err)
			}
			in.Sides[side].Files = append(in.Sides[side].Files, metric.File{Path: "made", Source: src, Layout: l})
		}
	}
	c, err := compare.Compare(t.Context(), in, compare.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSpreads(t *testing.T) {
	const spread = 0.04
	s := spec(60, 1000, spread)
	s.ARPhi, s.Seed = 0.8, 2
	ask := []string{"ttft:p50", "tpot:p50", "tpot:mean", "throughput_rps", "success_rate"}
	got, err := parts(t, inputs(t, ask, s), compare.Want{}).Spreads()
	if err != nil {
		t.Fatal(err)
	}
	// Runs without a run effect: what requests alone do.
	s.RunSpread, s.Seed = 0, 9
	alone, err := parts(t, inputs(t, ask, s), compare.Want{}).Spreads()
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range alone[:3] {
		// 59 degrees of freedom: within 30 % at three standard errors.
		if r := got[i].Log.Within / x.Log.SD; math.Abs(math.Log(r)) > 0.3 {
			t.Errorf("%s %s: within runs %v, and runs that differ by it alone %v", x.Metric, x.Estimand, got[i].Log.Within, x.Log.SD)
		}
		if b := got[i].Log.Between(); math.Abs(math.Log(b/spread)) > 0.3 {
			t.Errorf("%s %s: between runs %v, want %v", x.Metric, x.Estimand, b, spread)
		}
		// Neighbours are correlated by 0.8, their means by (1 + φ)/(1 − φ) = 9;
		// a percentile less, and ttft less, since its prompts are independent.
		if d := got[i].Dependence; d < 1.2 || d > 12 {
			t.Errorf("%s %s: dependence %v", x.Metric, x.Estimand, d)
		}
		if n := got[i].Natural; n.DF != 59 || math.Abs(n.SD/got[i].Baseline.Value/got[i].Log.SD-1) > 0.1 {
			t.Errorf("%s %s: natural %+v, log %+v", x.Metric, x.Estimand, n, got[i].Log)
		}
	}
	if r := got[3]; !(r.Log.SD > 0) || !math.IsNaN(r.Log.Within) || r.Values != 1 {
		t.Errorf("throughput: %+v", r)
	}
	if r := got[4]; !r.Counted || r.Trials != 60000 {
		t.Errorf("success: %+v", r)
	}
}

func TestSpreadOfOneRun(t *testing.T) {
	got, err := parts(t, inputs(t, []string{"ttft:p50", "ttft:p99.9", "success_rate"}, spec(1, 1000, 0)), compare.Want{}).Spreads()
	if err != nil {
		t.Fatal(err)
	}
	if s := got[0].Log; !math.IsNaN(s.SD) || !(s.Within > 0) || !math.IsNaN(s.Between()) {
		t.Errorf("one run: %+v", s)
	}
	if !got[1].Thin || got[1].NeedRequests == 0 {
		t.Errorf("thin: %+v", got[1])
	}
	if !got[2].Counted {
		t.Errorf("share: %+v", got[2])
	}
}

// A single run is cut into blocks of time.
func TestBlocks(t *testing.T) {
	p := parts(t, inputs(t, nil, spec(1, 2000, 0)), compare.Want{Verdicts: true, Blocks: 10})
	if !p.Blocks || len(p.Side.Units) != 10 || p.Side.OK() == 0 {
		t.Fatalf("%d blocks", len(p.Side.Units))
	}
	c, err := p.Compare([]int{0, 2, 4, 6, 8}, []int{1, 3, 5, 7, 9})
	if err != nil {
		t.Fatal(err)
	}
	r := c.Results[0]
	if r.Baseline.N+r.Candidate.N != p.Side.OK() || !r.Log.HasInterval() {
		t.Errorf("%+v", r)
	}
	// Several runs stay whole.
	if p := parts(t, inputs(t, nil, spec(3, 200, 0)), compare.Want{Blocks: 10}); p.Blocks || len(p.Side.Units) != 3 {
		t.Errorf("%d units", len(p.Side.Units))
	}
}

func TestAssume(t *testing.T) {
	m, _ := metric.Known("ttft")
	p50, p99 := metric.Estimand{Q: 0.5}, metric.Estimand{Q: 0.99}
	opt := compare.DefaultOptions()
	if got := opt.Assume(m, p50); got != 0.025 {
		t.Errorf("a number: %v", got)
	}
	opt.Noise = &compare.NoiseTable{
		Each: []compare.MeasuredNoise{{Metric: "ttft", Estimand: p50, SD: 0.02, Runs: 20}},
		Rest: compare.MeasuredNoise{SD: 0.03},
	}
	// √(19 / χ²_{0.2, 19}) = √(19 / 13.716) = 1.177, above t/z = 2.093/1.960.
	if got := opt.Assume(m, p50); math.Abs(got-0.02*1.177) > 1e-5 {
		t.Errorf("measured in 20 runs: %v", got)
	}
	if got := opt.Assume(m, p99); got != 0.03 {
		t.Errorf("the rest: %v", got)
	}
	// In three runs the prediction is wider: 4.303/1.960 = 2.195 against 2.117.
	opt.Noise.Each[0].Runs = 3
	if got := opt.Assume(m, p50); math.Abs(got-0.02*2.1953) > 1e-5 {
		t.Errorf("measured in 3 runs: %v", got)
	}
	opt.Noise.Each[0] = compare.MeasuredNoise{Metric: "ttft", Estimand: p50, SD: 0.05, Within: 0.04}
	if got := opt.Assume(m, p50); math.Abs(got-0.03) > 1e-12 {
		t.Errorf("without the requests: %v", got)
	}
	opt.Noise.Each[0].Within = 0.06
	if got := opt.Assume(m, p50); got != 0 {
		t.Errorf("requests account for all: %v", got)
	}
	for _, bad := range []compare.MeasuredNoise{{SD: -1}, {SD: math.NaN()}, {SD: 1}, {Runs: 1}, {Within: math.Inf(1)}} {
		opt.Noise.Rest = bad
		if opt.Validate() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
