package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// pairDesign is a cell of C17: pairs of runs, and the standard deviations of what a
// pair shares and of what each run has besides.
type pairDesign struct {
	pairs       int
	shared, own float64
}

func (d pairDesign) String() string {
	return fmt.Sprintf("%d pairs, shared %v, own %v", d.pairs, d.shared, d.own)
}

const pairedRequests = 1000

// pairedRuns is C17: runs that took turns.
func pairedRuns(l lab) error {
	section(l.w, "C17 Runs in pairs", `
log X = 4 + p + b + .5·Z with an effect p of a pair of runs, one a side, and an effect b
of each run; their standard deviations are "shared" and "own". No true change, %d
requests a run, quantiles of the merged runs. "Pairs" is the jackknife that leaves out a
pair on both sides at once (stats.JackknifeDifference), "runs" the one that leaves out a
run of one side. %d replicates a row. Widths are of the log ratio.`, pairedRequests, l.share(2))
	t := newTable(l.w, append(append([]string{"design, statistic, method"}, intervalColumns...), "requirement")...)
	quantiles := []float64{.5, .95, .99}
	for _, d := range []pairDesign{{3, .1, .01}, {6, .1, .01}, {10, .1, .01}, {6, .03, .03}, {6, 0, .03}} {
		answers, err := simulate(l, "pairs "+d.String(), l.share(2), func() func(*rand.Rand) []answer {
			return func(rng *rand.Rand) []answer {
				parts := d.draw(rng)
				var out []answer
				for _, q := range quantiles {
					value, loo, err := mergedLogs(parts, q)
					if err != nil {
						return slices.Repeat([]answer{read(stats.Interval{}, nil, err, 0, 0, 1)}, 2*len(quantiles))
					}
					e, err := stats.JackknifeDifference(value[0], loo[0], value[1], loo[1], level)
					out = append(out, read(e.Interval, e.Warnings, err, 0, 0, 1), mergedChange(parts, q))
				}
				return out
			}
		})
		if err != nil {
			return err
		}
		for i, q := range quantiles {
			for m, method := range []string{"pairs", "runs"} {
				got, mark := tallied(answers, 2*i+m), recorded
				if m == 0 {
					mark = required
				}
				cells := append([]string{fmt.Sprintf("%v, p%v, %s", d, 100*q, method)}, got.cells()...)
				t.row(append(cells, meets(mark, got.coverage() >= leastCoverage))...)
			}
		}
	}
	return nil
}

// draw makes the runs of both sides.
func (d pairDesign) draw(rng *rand.Rand) (parts [2][]*sketch.Sketch) {
	values := make([]float64, pairedRequests)
	for range d.pairs {
		shared := d.shared * rng.NormFloat64()
		for s := range parts {
			drawRun(rng, shared+d.own*rng.NormFloat64(), values)
			slices.Sort(values)
			part := sketch.New(0)
			part.AddSlice(values)
			parts[s] = append(parts[s], part)
		}
	}
	return parts
}
