package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// design is one cell of the study: two sides drawn from specs.
type design struct {
	name          string
	before, after fixtures.Spec
	runNoise      float64
}

// outcome of one pair of systems.
type outcome struct {
	ttft    [3]answer  // by percentile
	atLeast [3]float64 // p-value against "slower by the margin or more", 1 without one
	gate    [3]verdict.Outcome
	all     verdict.Outcome
}

var percentiles = [3]float64{.5, .95, .99}

// perRun is the number of requests of a run where a side has several.
const perRun = 4000

func designs() []design {
	side := func(runs, requests int, spread float64) fixtures.Spec {
		s := fixtures.Default()
		s.Runs, s.RequestsPerRun, s.RunSpread = runs, requests, spread
		return s
	}
	both := func(name string, s fixtures.Spec, slower, noise float64) design {
		a := s
		a.TTFTFactor *= slower
		return design{name, s, a, noise}
	}
	defaults := compare.DefaultOptions().RunNoise
	ar := side(1, 10000, 0)
	ar.ARPhi = 0.9
	spread := ar
	spread.RunSpread = .025
	uneven := both("no change, 5 + 5 runs, candidate's runs vary 3 times as much (2 %, 6 %)", side(5, perRun, .02), 1, defaults)
	uneven.after.RunSpread = .06
	slower := both("all latencies 25 % slower, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1.25, defaults)
	slower.after.TPOTFactor *= 1.25
	mixed := both("no change but prompts twice as long, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1, defaults)
	mixed.after.PromptMedian *= 2
	return []design{
		both("no change, 2 + 2 runs, 4 % spread", side(2, perRun, .04), 1, defaults),
		both("no change, 3 + 3 runs, 4 % spread", side(3, perRun, .04), 1, defaults),
		both("no change, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1, defaults),
		both("no change, 10 + 10 runs, 4 % spread", side(10, perRun, .04), 1, defaults),
		both("no change, 10 + 10 runs, 1 % spread", side(10, perRun, .01), 1, defaults),
		uneven,
		mixed,
		both("ttft 5 % slower (at the margin), 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1.05, defaults),
		both("ttft 5 % slower (at the margin), 10 + 10 runs, 1 % spread", side(10, perRun, .01), 1.05, defaults),
		both("ttft 25 % slower, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1.25, defaults),
		slower,
		both("no change, one run a side, AR .9, --run-noise 0%", ar, 1, 0),
		both("no change, one run a side, AR .9, --run-noise 2.5%", ar, 1, defaults),
		both("no change, one run a side, 2.5 % spread, AR .9, --run-noise 2.5%", spread, 1, defaults),
		both("ttft 25 % slower, one run a side, 2.5 % spread, AR .9", spread, 1.25, defaults),
	}
}

// endToEnd prints the tables of all designs.
func endToEnd(ctx context.Context, w io.Writer, pairs, workers int) error {
	fmt.Fprintf(w, `# What the verdict delivers

Measured by `+"`go run ./internal/coverage -study end-to-end > docs/coverage.md`"+`: %d pairs
of systems a row, 4,000 requests a run (10,000 where a side has one run), default
margins of 5 %% for latencies and 0.5 pp for the success rate, ten gates a pair.
Records go through the whole pipeline. What the methods deliver by themselves is in
[coverage-methods.md](coverage-methods.md).
`, pairs)
	section(w, "Verdicts", `
PASS where nothing changed is power, FAIL there a false alarm.`)
	verdicts := newTable(w, "systems", "PASS", "FAIL", "INCONCLUSIVE")
	l := lab{ctx: ctx, w: w, workers: workers}
	var rows [][]string
	for _, d := range designs() {
		outs, err := simulate(l, "end to end "+d.name, pairs, func() func(*rand.Rand) pairResult {
			return func(rng *rand.Rand) pairResult { return onePair(ctx, d, rng.Uint64()) }
		})
		if err != nil {
			return err
		}
		for _, o := range outs {
			if o.err != nil {
				return o.err
			}
		}
		verdicts.row(append([]string{d.name}, shares(outs, func(o outcome) verdict.Outcome { return o.all })...)...)
		for i, q := range percentiles {
			rows = append(rows, gateRow(d, i, q, outs))
		}
	}
	section(w, "Intervals and gates of the time to first token", `
Coverage is the share of 95 %% intervals of the ratio that hold the true ratio (where
the traffic differs: like for like); its standard error is %.1f points at .95. "Not worse"
is how often a change of less than the margin of 5 %% is shown at one-sided .05: at the
margin that is the size of the noninferiority test, where nothing changed its power.
PASS and FAIL are those of the gate, at one-sided .025, FAIL after Holm over all gates.
Widths are of the log ratio.`, 100*math.Sqrt(.95*.05/float64(pairs)))
	t := newTable(w, append(append([]string{"systems, percentile"}, intervalColumns...), "leaves out no change", "not worse", "PASS", "FAIL", "INCONCLUSIVE")...)
	for _, r := range rows {
		t.row(r...)
	}
	return realHalves(ctx, w, pairs, workers)
}

// pairResult is an outcome or the error that kept it from being one.
type pairResult struct {
	outcome
	err error
}

func gateRow(d design, i int, q float64, outs []pairResult) []string {
	var got tally
	proved := 0
	for _, o := range outs {
		got.add(o.ttft[i])
		proved += count(o.atLeast[i] <= alpha)
	}
	cells := append([]string{d.name + ", " + percentile(q)}, got.cells()...)
	cells = append(cells, fixed(got.rejected()), rate(proved, len(outs)))
	return append(cells, shares(outs, func(o outcome) verdict.Outcome { return o.gate[i] })...)
}

// shares are those of PASS, FAIL and INCONCLUSIVE.
func shares(outs []pairResult, of func(outcome) verdict.Outcome) (cells []string) {
	for _, v := range []verdict.Outcome{verdict.Pass, verdict.Fail, verdict.Inconclusive} {
		n := 0
		for _, o := range outs {
			n += count(of(o.outcome) == v)
		}
		cells = append(cells, rate(n, len(outs)))
	}
	return cells
}

func onePair(ctx context.Context, d design, seed uint64) pairResult {
	var sides []*fixtures.Records
	for k, spec := range []fixtures.Spec{d.before, d.after} {
		spec.Seed = seed + uint64(k)
		records, err := fixtures.Generate(spec)
		if err != nil {
			return pairResult{err: err}
		}
		sides = append(sides, &records)
	}
	opt := compare.DefaultOptions()
	opt.RunNoise = d.runNoise
	return judge(ctx, sides, opt, math.Log(d.after.TTFTFactor/d.before.TTFTFactor))
}

// judge compares two sides of records by the default policy.
func judge(ctx context.Context, sides []*fixtures.Records, opt compare.Options, truth float64) (out pairResult) {
	var inputs []metric.Input
	var layouts []*ingest.Layout
	for _, records := range sides {
		src := records.Source()
		l, err := ingest.Resolve("generated", src.Columns(), nil)
		if err != nil {
			return pairResult{err: err}
		}
		layouts = append(layouts, l)
		inputs = append(inputs, metric.Input{Files: []metric.File{{Path: "generated", Label: "generated", Source: src, Layout: l}}})
	}
	items, err := metric.Select(nil, nil, nil, metric.Directions{}, layouts)
	if err != nil {
		return pairResult{err: err}
	}
	c, err := compare.Compare(ctx, compare.Inputs{Sides: inputs, Plan: metric.NewPlan(items), Scan: metric.Scan{Workers: 1}}, opt)
	if err != nil {
		return pairResult{err: err}
	}
	for i := range percentiles {
		out.ttft[i], out.atLeast[i] = answer{refused: true, labelled: true}, 1
	}
	decision := verdict.Decide(c, verdict.Default())
	out.all = decision.Outcome
	for _, g := range decision.Gates {
		i := slices.Index(percentiles[:], g.Result.Estimand.Q)
		if g.Result.Metric.Name != "ttft" || g.Result.Slice != nil || i < 0 {
			continue
		}
		out.gate[i] = g.Outcome
		if _, log := g.Result.Judged(); log.HasInterval() {
			iv := stats.Interval{Lo: log.Lo, Hi: log.Hi, Level: opt.Level}
			out.ttft[i] = read(iv, g.Result.Warnings, nil, truth, 0, 1)
			out.atLeast[i] = g.PMargin
		}
	}
	return out
}
