package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// estimator is an interval of one sample.
type estimator struct {
	name string
	of   func(raw, sorted []float64, q float64) (stats.Interval, []stats.Warning, error)
}

func limits(e stats.Estimate, err error) (stats.Interval, []stats.Warning, error) {
	return e.Interval, e.Warnings, err
}

var (
	byRanks = estimator{"order statistics", func(_, s []float64, q float64) (stats.Interval, []stats.Warning, error) {
		e, err := stats.OrderStatCISorted(s, q, level)
		return e.Interval, e.Warnings, err
	}}
	byNyblom = estimator{"Nyblom", func(_, s []float64, q float64) (stats.Interval, []stats.Warning, error) {
		return limits(stats.NyblomSorted(s, q, level))
	}}
	byHarrellDavis = estimator{"Harrell–Davis", func(_, s []float64, q float64) (stats.Interval, []stats.Warning, error) {
		return limits(stats.HarrellDavisSorted(s, q, level))
	}}
	byT = estimator{"t of the mean", func(raw, _ []float64, _ float64) (stats.Interval, []stats.Warning, error) {
		return limits(stats.MeanT(raw, level))
	}}
)

// question is an estimator, the quantile that it is asked for, and the truth.
type question struct {
	estimator
	q, truth float64
}

// oneSample asks for one quantile.
func oneSample(l lab, cell string, replicates, n int, draw func(*rand.Rand, []float64), q, truth float64, methods ...estimator) ([]tally, error) {
	var asked []question
	for _, m := range methods {
		asked = append(asked, question{m, q, truth})
	}
	return ask(l, cell, replicates, n, draw, asked)
}

// ask measures intervals of one sample of n values.
func ask(l lab, cell string, replicates, n int, draw func(*rand.Rand, []float64), methods []question) ([]tally, error) {
	answers, err := simulate(l, cell, replicates, func() func(*rand.Rand) []answer {
		x, sorted := make([]float64, n), make([]float64, n)
		return func(rng *rand.Rand) []answer {
			draw(rng, x)
			copy(sorted, x)
			slices.Sort(sorted)
			out := make([]answer, len(methods))
			for i, m := range methods {
				iv, warnings, err := m.of(x, sorted, m.q)
				out[i] = read(iv, warnings, err, m.truth, math.NaN(), m.truth)
			}
			return out
		}
	})
	if err != nil {
		return nil, err
	}
	tallies := make([]tally, len(methods))
	for i := range methods {
		tallies[i] = tallied(answers, i)
	}
	return tallies, nil
}

// exactQuantiles prints what ranks alone decide, without any draw.
func exactQuantiles(l lab) error {
	section(l.w, "C1 Quantiles of independent values, exactly", `
The chance that limits at two ranks hold the quantile of a continuous
distribution depends on nothing but n and q, so it is computed and not drawn. The
percentile interval of the exact bootstrap also lies at two ranks. "Reference" is
the value that other programs gave.`)
	t := newTable(l.w, "method, n, quantile", "coverage", "truth above", "truth below", "reference", "labelled", "requirement")
	reference := map[string]string{
		"ranks 100 0.5": ".9648", "ranks 1000 0.95": ".9581", "ranks 1000 0.99": ".9761", "ranks 10000 0.99": ".9558",
		"bootstrap 100 0.99": ".633", "bootstrap 1000 0.99": ".927", "bootstrap 1000 0.999": ".632",
		"bootstrap 100 0.95": ".878", "bootstrap 10000 0.99": ".946", "bootstrap 10000 0.999": ".926",
	}
	for _, n := range []int{100, 1000, 10000} {
		ranks := make([]float64, n)
		for i := range ranks {
			ranks[i] = float64(i + 1)
		}
		for _, q := range []float64{0.5, 0.95, 0.99, 0.999} {
			if float64(n)*(1-q) < 0.9 {
				continue
			}
			// The median of the values 1 … n, say, is a rank: so are its limits.
			order, err := stats.OrderStatCISorted(ranks, q, level)
			if err != nil {
				return err
			}
			r := int(math.Ceil(float64(n)*q - 1e-9))
			boot, err := stats.ExactBootstrapOrderStatSorted(ranks, r, level)
			if err != nil {
				return err
			}
			for _, m := range []struct {
				name string
				e    stats.Estimate
				iv   stats.Interval
				mark string
			}{
				{"ranks", stats.Estimate{Warnings: order.Warnings}, order.Interval, required},
				{"bootstrap", boot.Estimate, boot.Interval, recorded},
			} {
				below, above := 0.0, 0.0 // chances that the truth lies there
				if !math.IsInf(m.iv.Lo, -1) {
					below = stats.BinomialCDF(int(m.iv.Lo)-1, n, q)
				}
				if !math.IsInf(m.iv.Hi, 1) {
					above = stats.BinomialSurvival(int(m.iv.Hi)-1, n, q)
				}
				c, labelled := 1-below-above, len(m.e.Warnings) > 0
				if m.name == "bootstrap" && c < leastCoverage {
					m.mark = hard
				}
				v := meets(m.mark, c >= leastCoverage)
				if m.mark == hard {
					v = meets(hard, labelled)
				}
				name := map[string]string{"ranks": "order statistics", "bootstrap": "exact bootstrap"}[m.name]
				t.row(fmt.Sprintf("%s, %d, %s", name, n, percentile(q)), fmt.Sprintf("%.4f", c), fixed(above), fixed(below),
					orDash(reference[fmt.Sprintf("%s %d %v", m.name, n, q)]), yes(labelled), v)
			}
		}
	}
	return nil
}

// quantiles simulates the intervals that no enumeration gives.
func quantiles(l lab) error {
	section(l.w, "C1–C3, C9 Quantiles of independent values, simulated", `
Width is relative to the true quantile. %d replicates a row, half for n = 10,000. C9 is rounded to
whole milliseconds, and the interval holds the truth if it lies within closed
limits.`, l.replicates)
	t := newTable(l.w, append([]string{"process, n, quantile, method"}, append(slices.Clone(intervalColumns), "requirement")...)...)
	z := stats.NormalQuantile
	type process struct {
		name  string
		draw  func(*rand.Rand, []float64)
		truth map[float64]float64
	}
	for _, p := range []process{
		{"C1 lognormal", lognormal, map[float64]float64{.5: lognormalQuantile(0), .95: lognormalQuantile(z(.95)), .99: lognormalQuantile(z(.99))}},
		{"C2 Pareto 2.5", pareto(2.5), map[float64]float64{.99: 20 * math.Pow(.01, -1/2.5)}},
		{"C2 Pareto 1.5", pareto(1.5), map[float64]float64{.99: 20 * math.Pow(.01, -1/1.5)}},
		{"C3 cache hits .7", cacheHits(.7), map[float64]float64{.5: 23.8023, .99: 309.0694}},
		{"C3 cache hits .5", cacheHits(.5), map[float64]float64{.5: 47.3299, .99: 337.4777}},
		{"C9 rounded", rounded(0), map[float64]float64{.5: 20, .95: 28, .99: 32}},
	} {
		for _, n := range []int{100, 1000, 10000} {
			for _, q := range []float64{.5, .95, .99} {
				truth, ok := p.truth[q]
				if !ok || float64(n)*(1-q) < 1 || (p.name != "C1 lognormal" && n == 100) {
					continue
				}
				methods := []estimator{byRanks, byNyblom}
				if p.name == "C1 lognormal" {
					methods = append(methods, byHarrellDavis)
				}
				cell := fmt.Sprintf("%s %d %v", p.name, n, q)
				replicates := l.replicates
				if n == 10000 {
					replicates = l.share(2)
				}
				tallies, err := oneSample(l, cell, replicates, n, p.draw, q, truth, methods...)
				if err != nil {
					return err
				}
				for i, m := range methods {
					mark := recorded
					if i == 0 {
						mark = required
					}
					t.row(append(append([]string{fmt.Sprintf("%s, %d, %s, %s", p.name, n, percentile(q), m.name)}, tallies[i].cells()...), covers(mark, tallies[i]))...)
				}
			}
		}
	}
	return nil
}

// heavyMeans asks for the mean of a Pareto tail.
func heavyMeans(l lab) error {
	section(l.w, "C2 The mean of a heavy tail", `
With tail index 1.5 the variance is infinite and no interval for the mean is
right. From 1,000 values on, the t interval carries the warning heavy_tail where
Hill's estimate of the index is below 2 by more than its standard error. %d
replicates of 10,000 values a row.`, l.share(2))
	t := newTable(l.w, append([]string{"process"}, append(slices.Clone(intervalColumns), "requirement")...)...)
	for _, c := range []struct {
		name  string
		draw  func(*rand.Rand, []float64)
		truth float64
		mark  string
	}{
		{"C1 lognormal", lognormal, 61.8678, required},
		{"C2 Pareto 2.5", pareto(2.5), 100.0 / 3, recorded},
		{"C2 Pareto 1.5", pareto(1.5), 60, hard},
	} {
		tallies, err := oneSample(l, "mean "+c.name, l.share(2), 10000, c.draw, .5, c.truth, byT)
		if err != nil {
			return err
		}
		t.row(append(append([]string{c.name}, tallies[0].cells()...), covers(c.mark, tallies[0]))...)
	}
	return nil
}

// quantileChange measures the interval of the ratio of two runs' quantiles.
func quantileChange(l lab) error {
	section(l.w, "C1 Change of a quantile between two samples", `
Independent values on both sides; the ratio of the quantiles by the exact
bootstrap. Size is the share of intervals that leave out 1 when nothing changed,
power when every quantile rose by 5.1 %% (.05 on the log scale). %d replicates a
row.`, l.replicates)
	t := newTable(l.w, append([]string{"n a side, quantile"}, append(slices.Clone(intervalColumns), "size", "power", "requirement")...)...)
	for _, n := range []int{1000, 10000} {
		for _, q := range []float64{.5, .95, .99} {
			answers, err := simulate(l, fmt.Sprintf("ratio %d %v", n, q), l.replicates, func() func(*rand.Rand) []answer {
				x, y := make([]float64, n), make([]float64, n)
				return func(rng *rand.Rand) []answer {
					lognormal(rng, x)
					lognormal(rng, y)
					slices.Sort(x)
					slices.Sort(y)
					e, err := stats.ExactBootstrapRatioSorted(x, y, q, level)
					moved := e.Interval
					moved.Lo, moved.Hi = moved.Lo*math.Exp(.05), moved.Hi*math.Exp(.05)
					return []answer{read(e.Interval, e.Warnings, err, 1, 1, 1), read(moved, e.Warnings, err, math.Exp(.05), 1, 1)}
				}
			})
			if err != nil {
				return err
			}
			null, shift := tallied(answers, 0), tallied(answers, 1)
			t.row(append(append([]string{fmt.Sprintf("%d, %s", n, percentile(q))}, null.cells()...), fixed(null.rejected()), fixed(shift.rejected()), covers(required, null))...)
		}
	}
	return nil
}

// resolution looks at run summaries that rounding makes all alike.
func resolution(l lab) error {
	section(l.w, "C9 Rounding that hides the spread of runs", `
Five runs a side of 1,000 values in whole milliseconds, medians compared. Runs that
all have the same median show no spread: the answer carries the warning
no_variance, and its p-value is that of the most extreme split of ten runs and
never 0. The median moves only when the shift carries it over a rounding edge.
%d replicates a row.`, l.replicates)
	t := newTable(l.w, "true shift", "labelled no_variance", "p below .05", "p below .05, not labelled", "p = 0", "requirement")
	for _, shift := range []float64{0, .3} {
		type seen struct{ flat, rejected, zero bool }
		found, err := simulate(l, fmt.Sprintf("rounded runs %v", shift), l.replicates, func() func(*rand.Rand) seen {
			x := make([]float64, 1000)
			median := func(rng *rand.Rand, shift float64) float64 {
				rounded(shift)(rng, x)
				slices.Sort(x)
				m, _ := stats.QuantileSorted(x, .5, stats.HF7)
				return m
			}
			return func(rng *rand.Rand) seen {
				var a, b []float64
				for range 5 {
					a, b = append(a, median(rng, 0)), append(b, median(rng, shift))
				}
				r, err := stats.RunRatio(a, b, level)
				if err != nil {
					return seen{}
				}
				test, err := r.Test(1, stats.TwoSided)
				return seen{len(r.Log.Warnings) > 0, err == nil && test.P < alpha, test.P == 0}
			}
		})
		if err != nil {
			return err
		}
		var flat, rejected, unlabelled, zero int
		for _, s := range found {
			flat += count(s.flat)
			rejected += count(s.rejected)
			unlabelled += count(s.rejected && !s.flat)
			zero += count(s.zero)
		}
		ok := zero == 0 && (shift != 0 || rejected <= len(found)*6/100)
		t.row(fmt.Sprintf("%v ms", shift), rate(flat, len(found)), rate(rejected, len(found)), rate(unlabelled, len(found)), rate(zero, len(found)), meets(required, ok))
	}
	return nil
}

func percentile(q float64) string { return fmt.Sprintf("p%v", math.Round(q*1e4)/100) }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
