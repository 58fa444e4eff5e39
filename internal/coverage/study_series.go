package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/stats"
)

const batches = 20

// serial adds the verdict of the test for serial correlation to the warnings of a
// method that takes values as independent.
func serial(e estimator) estimator {
	return estimator{e.name, func(raw, sorted []float64, q float64) (stats.Interval, []stats.Warning, error) {
		iv, _, err := e.of(raw, sorted, q)
		test, testErr := stats.SerialCorrelation(raw, stats.Greater)
		if testErr == nil && test.P < alpha {
			return iv, []stats.Warning{{Code: "dependent"}}, err
		}
		return iv, nil, err
	}}
}

// series measures intervals of a single run whose requests depend on each other.
func series(l lab) error {
	section(l.w, "C4, C5 One run whose requests depend on each other", `
C4 is a lognormal AR(1), C5 the time in a queue at 80 %% load. Twenty batches with
Student's t are the default for a single run; "independent" methods are here to
show what they would do, and are labelled where stats.SerialCorrelation rejects at
.05 (batches: where stats.BatchMeans and stats.WoodruffCI warn that batches are
still alike). %d replicates a row, a quarter for n = 100,000. The queue
remembers so long that 10,000 requests are worth 121: batches want a longer run
there.`, l.share(2))
	t := newTable(l.w, append([]string{"process, n, method"}, append(slices.Clone(intervalColumns), "requirement")...)...)
	batchMeans := estimator{"mean, batches", func(raw, _ []float64, _ float64) (stats.Interval, []stats.Warning, error) {
		return limits(stats.BatchMeans(raw, batches, level))
	}}
	woodruff := estimator{"p95, Woodruff batches", func(raw, _ []float64, q float64) (stats.Interval, []stats.Warning, error) {
		e, err := stats.WoodruffCI(raw, q, batches, level)
		return e.Interval, e.Warnings, err
	}}
	stationary := estimator{"mean, stationary bootstrap", func(raw, _ []float64, _ float64) (stats.Interval, []stats.Warning, error) {
		b, err := bootstrap.BlockLength(raw)
		if err != nil {
			return stats.Interval{}, nil, err
		}
		v, err := bootstrap.StationaryVariance(raw, math.Max(1, b.Stationary))
		if err != nil {
			return stats.Interval{}, nil, err
		}
		iv, err := stats.StandardError{SE: v.SE(), DF: math.Inf(1)}.Interval(v.Mean, level)
		return iv, b.Warnings, err
	}}
	naiveMean, naiveRanks := serial(byT), serial(byRanks)
	naiveMean.name, naiveRanks.name = "mean, independent t", "p95, independent ranks"
	z95 := stats.NormalQuantile(.95)
	for _, p := range []struct {
		name      string
		draw      func(*rand.Rand, []float64)
		mean, p95 float64
		required  bool
	}{
		{"AR .5", autoregressive(.5), 61.8678, lognormalQuantile(z95), true},
		{"AR .9", autoregressive(.9), 61.8678, lognormalQuantile(z95), true},
		{"AR .97", autoregressive(.97), 61.8678, lognormalQuantile(z95), true},
		{"M/M/1 .8", queue, 250, 748.933, false},
	} {
		for _, n := range []int{2000, 10000, 100000} {
			replicates := l.share(2)
			if n == 100000 {
				replicates = l.share(8)
			}
			asked := []question{{batchMeans, .5, p.mean}, {woodruff, .95, p.p95}}
			if n < 100000 {
				asked = append(asked, question{naiveMean, .5, p.mean}, question{naiveRanks, .95, p.p95})
			}
			if n == 10000 {
				asked = append(asked, question{stationary, .5, p.mean})
			}
			got, err := ask(l, fmt.Sprintf("series %s %d", p.name, n), replicates, n, p.draw, asked)
			if err != nil {
				return err
			}
			for i, m := range asked {
				mark := recorded
				switch {
				case i < 2 && p.required && n == 10000:
					mark = required
				case i == 2 || i == 3:
					mark = hard
				}
				t.row(append(append([]string{fmt.Sprintf("%s, %d, %s", p.name, n, m.name)}, got[i].cells()...), covers(mark, got[i]))...)
			}
		}
	}
	return nil
}
