package calibrate_test

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/calibrate"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// night is a run of a system with nothing unusual about it.
func night(seed uint64, runs, requests int, spread float64) fixtures.Spec {
	s := fixtures.Default()
	s.Seed, s.Runs, s.RequestsPerRun, s.RunSpread, s.ARPhi = seed, runs, requests, spread, 0.6
	return s
}

func inputs(t testing.TB, ask []string, specs ...fixtures.Spec) compare.Inputs {
	t.Helper()
	in := compare.Inputs{Scan: metric.Scan{Workers: 1}}
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

func read(t testing.TB, in compare.Inputs, opt compare.Options) *compare.Parts {
	t.Helper()
	p, err := compare.ReadParts(context.Background(), in, opt, compare.Want{Verdicts: true, Blocks: opt.Batches})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var asked = []string{"ttft:p50", "ttft:p95", "tpot:p50", "tpot:p99"}

// tight is a policy whose margins are as small as the noise, so that false
// alarms are frequent enough to be counted.
func tight(t testing.TB) verdict.Policy {
	t.Helper()
	p := verdict.Default()
	r, err := verdict.ParseMargin("0.5%")
	if err != nil {
		t.Fatal(err)
	}
	p.Margins = append(p.Margins, r)
	return p
}

// Twenty nights without a change, split against each other, must raise false
// alarms as often as pairs of new systems without a change do.
func TestFalseAlarmsAreThoseOfNewPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const calibrations, nights, size, requests, spread = 8, 20, 5, 300, 0.03
	opt := compare.DefaultOptions()
	policy := tight(t)
	how := calibrate.DefaultOptions()
	how.Size, how.Most = size, 100
	fail, missed, intervals := 0.0, 0.0, 0.0
	for k := range uint64(calibrations) {
		how.Seed = k
		r, err := calibrate.Measure(t.Context(), read(t, inputs(t, asked, night(1000+k, nights, requests, spread)), opt), policy, how)
		if err != nil {
			t.Fatal(err)
		}
		fail += float64(r.Fail) / float64(r.Splits) / calibrations
		for _, row := range r.Rows {
			missed, intervals = missed+float64(row.Missed), intervals+float64(row.Intervals)
		}
	}
	const pairs = 500
	outside, outsideMissed, outsideIntervals := 0, 0, 0
	for k := range uint64(pairs) {
		c, err := compare.Compare(t.Context(), inputs(t, asked, night(50000+2*k, size, requests, spread), night(50001+2*k, size, requests, spread)), opt)
		if err != nil {
			t.Fatal(err)
		}
		d := verdict.Decide(c, policy)
		if d.Outcome == verdict.Fail {
			outside++
		}
		for _, g := range d.Gates {
			outsideIntervals++
			if g.HarmLo > 0 || g.HarmHi < 0 {
				outsideMissed++
			}
		}
	}
	got, want := fail, float64(outside)/pairs
	t.Logf("FAIL: %.4f of the splits, %.4f of new pairs; intervals missed %.4f and %.4f", got, want, missed/intervals, float64(outsideMissed)/float64(outsideIntervals))
	// The 99.9 % binomial band of the outside count, and the nights' own noise:
	// splits of the same nights are worth about as many pairs as are disjoint.
	band := 3.3 * math.Sqrt(want*(1-want)*(1.0/pairs+1.0/(calibrations*nights/(2*size))))
	if math.Abs(got-want) > band {
		t.Errorf("FAIL in %.4f of the splits; %.4f of new pairs, band %.4f", got, want, band)
	}
	if m := missed / intervals; m < 0.02 || m > 0.08 {
		t.Errorf("%.4f of the intervals exclude no change, want about 0.05", m)
	}
}

// The noise file of twenty nights makes the intervals of single runs cover.
func TestNoiseFileMakesSingleRunsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const calibrations, pairs, requests, spread = 6, 50, 1200, 0.04
	covered, n := map[string]int{}, 0
	naive := 0
	for k := range uint64(calibrations) {
		opt := compare.DefaultOptions()
		table, err := calibrate.Noise(read(t, inputs(t, asked, night(300+k, 20, requests, spread)), opt))
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := calibrate.WriteNoise(&file, table, "nights"); err != nil {
			t.Fatal(err)
		}
		back, err := calibrate.ReadNoise("noise.json", file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		opt.Noise = &back
		for i := range uint64(pairs) {
			seed := 9000 + 1000*k + 2*i
			in := inputs(t, asked, night(seed, 1, requests, spread), night(seed+1, 1, requests, spread))
			c, err := compare.Compare(t.Context(), in, opt)
			if err != nil {
				t.Fatal(err)
			}
			n++
			for _, r := range c.Results {
				if r.Log.Lo <= 0 && 0 <= r.Log.Hi {
					covered[r.Metric.Name+" "+r.Estimand.String()]++
				}
			}
			opt := opt
			opt.Noise, opt.RunNoise = nil, 0
			if c, err = compare.Compare(t.Context(), in, opt); err != nil {
				t.Fatal(err)
			}
			if r := c.Results[2]; r.Log.Lo <= 0 && 0 <= r.Log.Hi {
				naive++
			}
		}
	}
	for _, name := range []string{"ttft p50", "ttft p95", "tpot p50", "tpot p99"} {
		share := float64(covered[name]) / float64(n)
		t.Logf("%s: %.3f of %d intervals cover", name, share, n)
		if share < 0.93 {
			t.Errorf("%s: %.3f of the intervals cover, want at least 0.93", name, share)
		}
	}
	t.Logf("tpot p50 without noise between runs: %.3f", float64(naive)/float64(n))
	if share := float64(naive) / float64(n); share > 0.6 {
		t.Errorf("without noise between runs %.3f of the intervals of tpot p50 cover: the simulation shows nothing", share)
	}
}

// An unchanged system passes as often as the power of a plan says.
func TestPowerIsDelivered(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const pairs, runs, requests, spread = 400, 4, 400, 0.016
	opt, policy := compare.DefaultOptions(), verdict.Default()
	passed, variance := 0, 0.0
	for i := range uint64(pairs) {
		in := inputs(t, []string{"tpot:p50"}, night(700000+2*i, runs, requests, spread), night(700001+2*i, runs, requests, spread))
		c, err := compare.Compare(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		variance += c.Results[0].UnitSDLog * c.Results[0].UnitSDLog / pairs
		if verdict.Decide(c, policy).Gates[0].Outcome == verdict.Pass {
			passed++
		}
	}
	want, err := stats.RunsPowerWelch(runs, math.Sqrt(variance), math.Log1p(policy.Latency.Value), (1-opt.Level)/2)
	if err != nil {
		t.Fatal(err)
	}
	got := float64(passed) / pairs
	t.Logf("spread %.4f: passes %.3f, power %.3f", math.Sqrt(variance), got, want)
	if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/pairs) {
		t.Errorf("an unchanged system passes %.3f of the time, the plan says %.3f", got, want)
	}
}
