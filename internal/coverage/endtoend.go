package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// design is one cell of the study: two sides drawn from specs.
type design struct {
	name          string
	before, after fixtures.Spec
	runNoise      float64
}

// outcome of one pair, by estimand.
type outcome struct {
	covered [3]bool
	judged  [3]bool
	width   [3]float64
	verdict verdict.Outcome
}

var quantiles = [3]float64{.5, .95, .99}

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
	ar := side(1, 10000, 0)
	ar.ARPhi = 0.9
	uneven := both("no change, 5 + 5 runs, candidate's runs vary 3 times as much (2 %, 6 %)", side(5, perRun, .02), 1, .025)
	uneven.after.RunSpread = .06
	return []design{
		both("no change, 3 + 3 runs, 4 % spread", side(3, perRun, .04), 1, .025),
		both("no change, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1, .025),
		both("no change, 10 + 10 runs, 4 % spread", side(10, perRun, .04), 1, .025),
		both("no change, 2 + 2 runs, 4 % spread", side(2, perRun, .04), 1, .025),
		uneven,
		both("ttft 25 % slower, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1.25, .025),
		slowdown("all latencies 25 % slower, 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1.25),
		both("ttft 5 % slower (at the margin), 5 + 5 runs, 4 % spread", side(5, perRun, .04), 1.05, .025),
		both("no change, one run a side, AR .9, --run-noise 0%", ar, 1, 0),
		both("no change, one run a side, AR .9, --run-noise 2.5%", ar, 1, .025),
		both("no change, one run a side, 2.5 % spread, AR .9, --run-noise 2.5%", withSpread(ar, .025), 1, .025),
		both("ttft 25 % slower, one run a side, 2.5 % spread, AR .9", withSpread(ar, .025), 1.25, .025),
	}
}

// perRun is the number of requests of a run where a side has several.
const perRun = 4000

func slowdown(name string, s fixtures.Spec, slower float64) design {
	a := s
	a.TTFTFactor, a.TPOTFactor = a.TTFTFactor*slower, a.TPOTFactor*slower
	return design{name, s, a, compare.DefaultOptions().RunNoise}
}

func withSpread(s fixtures.Spec, spread float64) fixtures.Spec {
	s.RunSpread = spread
	return s
}

// endToEnd prints a table of all designs.
func endToEnd(ctx context.Context, w io.Writer, pairs, workers int) error {
	fmt.Fprintf(w, `# What the verdict delivers

Measured by `+"`go run ./internal/coverage > docs/coverage.md`"+`: %d pairs of systems a
row, 4,000 requests a run (10,000 where a side has one run), default margins of
5 %% for latencies and 0.5 pp for the success rate, ten gates a pair. Records go
through the whole pipeline. Coverage is the share of 95 %% intervals of the ratio
that hold the true ratio; its standard error is %.1f points at 95 %%.

| systems | ttft p50 covered | p95 | p99 | median width p50 | p95 | p99 | PASS | FAIL | INCONCLUSIVE |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
`, pairs, 100*math.Sqrt(.95*.05/float64(pairs)))
	for c, d := range designs() {
		outs, err := run(ctx, d, uint64(c+1), pairs, workers)
		if err != nil {
			return err
		}
		printRow(w, d, outs)
	}
	return nil
}

// run draws the pairs of a design. Pair i of cell c has its own seeds, so that
// the table does not depend on the number of workers.
func run(ctx context.Context, d design, cell uint64, pairs, workers int) ([]outcome, error) {
	outs, errs := make([]outcome, pairs), make([]error, pairs)
	var wg sync.WaitGroup
	next := make(chan int)
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				outs[i], errs[i] = onePair(ctx, d, cell<<32+uint64(2*i))
			}
		}()
	}
	for i := range pairs {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return outs, nil
}

func onePair(ctx context.Context, d design, seed uint64) (outcome, error) {
	var out outcome
	var inputs []metric.Input
	var layouts []*ingest.Layout
	for k, spec := range []fixtures.Spec{d.before, d.after} {
		spec.Seed = seed + uint64(k)
		records, err := fixtures.Generate(spec)
		if err != nil {
			return out, err
		}
		src := records.Source()
		l, err := ingest.Resolve("generated", src.Columns(), nil)
		if err != nil {
			return out, err
		}
		layouts = append(layouts, l)
		inputs = append(inputs, metric.Input{Files: []metric.File{{Path: "generated", Label: "generated", Source: src, Layout: l}}})
	}
	items, err := metric.Select(nil, nil, nil, metric.Directions{}, layouts)
	if err != nil {
		return out, err
	}
	opt := compare.DefaultOptions()
	opt.RunNoise = d.runNoise
	c, err := compare.Compare(ctx, compare.Inputs{Sides: inputs, Plan: metric.NewPlan(items), Scan: metric.Scan{Workers: 1}}, opt)
	if err != nil {
		return out, err
	}
	truth := math.Log(d.after.TTFTFactor / d.before.TTFTFactor)
	for _, r := range c.Results {
		for i, q := range quantiles {
			if r.Metric.Name == "ttft" && r.Estimand.Q == q {
				out.judged[i] = r.Log.HasInterval()
				out.covered[i] = r.Log.Lo <= truth && truth <= r.Log.Hi
				out.width[i] = math.Exp(r.Log.Hi-r.Log.Value) - 1
			}
		}
	}
	out.verdict = verdict.Decide(c, verdict.Default()).Outcome
	return out, nil
}
