package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// The cells of C8.
var (
	mixMu     = [3]float64{3.5, 4.5, 6}
	mixSigma  = [3]float64{.4, .4, .5}
	mixBefore = [3]float64{.6, .3, .1}
	mixAfter  = [3]float64{.4, .35, .25}
)

const mixRunSpread = 0.03

// mixSide is one side of C8: sketches and counts by run and cell.
type mixSide struct {
	parts  [][]*sketch.Sketch
	counts [][]float64
}

func drawMix(rng *rand.Rand, runs, requests int, shares [3]float64, shift float64) mixSide {
	var side mixSide
	for range runs {
		effect := mixRunSpread * rng.NormFloat64()
		parts, counts := make([]*sketch.Sketch, 3), make([]float64, 3)
		for c := range parts {
			parts[c] = sketch.New(0)
		}
		for range requests {
			c, u := 0, rng.Float64()
			for c < 2 && u >= shares[c] {
				u -= shares[c]
				c++
			}
			parts[c].Add(math.Exp(mixMu[c] + shift + effect + mixSigma[c]*rng.NormFloat64()))
			counts[c]++
		}
		for _, p := range parts {
			p.Sorted() // once, before it is read many times
		}
		side.parts, side.counts = append(side.parts, parts), append(side.counts, counts)
	}
	return side
}

// statistic reads a quantile, or the mean for q = 0, of the weighted cells.
func (s mixSide) statistic(q float64) mixshift.Runs {
	if q > 0 {
		merged, err := mixshift.NewMergedRuns(s.parts)
		if err != nil {
			return mixshift.Runs{Count: s.counts, Statistic: func([][]float64) (float64, error) { return 0, err }}
		}
		return mixshift.Runs{Count: s.counts, Statistic: merged.Quantile(q)}
	}
	means := make([][]float64, len(s.parts))
	for r, parts := range s.parts {
		for _, p := range parts {
			m, _, err := p.MeanVariance()
			if err != nil {
				m = 0
			}
			means[r] = append(means[r], m)
		}
	}
	return mixshift.Runs{Count: s.counts, Statistic: mixshift.MeanOfRuns(means)}
}

// mixShift is C8: the mix of the traffic moves, the system does or does not.
func mixShift(l lab) error {
	const runs, requests = 5, 2000
	n := l.share(2)
	section(l.w, "C8 Other traffic on the two sides", `
Three cells of requests with shares .6/.3/.1 on one side and .4/.35/.25 on the other;
%d + %d runs of %d requests, run spread 3 %%, %d replicates a row. "Like for
like" is the rate part of mixshift.SplitRuns on the log scale, "raw" the change of
everything. Size is the share of intervals without 0 when only the mix moved
(the truth like for like is 0), power when every cell is also 2 %% slower; the last
rows widen that to 10 %%.`, runs, runs, requests, n)
	t := newTable(l.w, append([]string{"true change, statistic, method"}, append(append([]string{}, intervalColumns...), "leaves out 0", "requirement")...)...)
	for _, shift := range []float64{0, .02, .1} {
		for _, q := range []float64{0, .5, .95, .99} {
			answers, err := simulate(l, fmt.Sprintf("mix %v %v", shift, q), n, func() func(*rand.Rand) []answer {
				return func(rng *rand.Rand) []answer {
					a := drawMix(rng, runs, requests, mixBefore, 0).statistic(q)
					b := drawMix(rng, runs, requests, mixAfter, shift).statistic(q)
					split, err := mixshift.SplitRuns(a, b, false)
					if err != nil {
						return []answer{{refused: true}, {refused: true}}
					}
					parts, err := split.Parts(mixshift.LogRatio, level)
					labels := mixshift.Objections(split.Overlap, mixshift.DefaultLimits())
					return []answer{
						read(parts.Rate.Interval, labels, err, shift, 0, 1),
						read(parts.Total.Interval, labels, err, shift, 0, 1),
					}
				}
			})
			if err != nil {
				return err
			}
			name := "mean"
			if q > 0 {
				name = percentile(q)
			}
			like, raw := tallied(answers, 0), tallied(answers, 1)
			ok := like.coverage() >= leastCoverage && (shift != 0 || like.rejected() <= .06)
			row := func(method string, got tally, v string) {
				t.row(append(append([]string{fmt.Sprintf("%v %%, %s, %s", 100*shift, name, method)}, got.cells()...), fixed(got.rejected()), v)...)
			}
			row("like for like", like, meets(required, ok))
			if shift == 0 {
				row("raw", raw, "")
			}
		}
	}
	return nil
}
