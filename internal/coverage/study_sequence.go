package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/stats"
)

// nights is C14: how often quiet nights alarm, and how soon a step is seen.
func nights(l lab) error {
	n := 5 * l.replicates
	section(l.w, "C14 Nightly limits", `
False alarms per quiet night against the window of nights before; normal noise and
Student's t with 4 degrees of freedom, and how often a step of 3 standard deviations is
seen on its first night. %d replicates a row.`, n)
	t := newTable(l.w, "window, rule", "normal", "reference", "t with 4 df", "step of 3 SD seen", "requirement")
	for _, w := range []int{7, 14, 20} {
		type seen struct{ quiet, step [2][2]bool } // [noise][rule]
		found, err := simulate(l, fmt.Sprintf("nights %d", w), n, func() func(*rand.Rand) seen {
			return func(rng *rand.Rand) seen {
				var s seen
				for noise, draw := range []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, t4} {
					x := make([]float64, w+1)
					for i := range x {
						x[i] = draw(rng)
					}
					for step := range 2 {
						x[w] += 3 * float64(step)
						p, _ := stats.TPrediction(x, stats.NightlyOptions{Window: w}, .01)
						m, _ := stats.MedianMAD(x, stats.NightlyOptions{Window: w}, 3)
						out := [2]bool{p[0].Out, m[0].Out}
						if step == 0 {
							s.quiet[noise] = out
						} else {
							s.step[noise] = out
						}
					}
				}
				return s
			}
		})
		if err != nil {
			return err
		}
		reference := map[int]string{7: ".0947", 14: ".0341", 20: ".0215"}
		for rule, name := range []string{"t prediction, .01", "median ± 3 MAD"} {
			var normal, heavy, step int
			for _, s := range found {
				normal += count(s.quiet[0][rule])
				heavy += count(s.quiet[1][rule])
				step += count(s.step[0][rule])
			}
			ref, mark := ".01 (exact)", required
			if rule == 1 {
				ref, mark = reference[w], recorded
			}
			// Four standard errors of a rate of .01.
			slack := 4 * math.Sqrt(.01*.99/float64(n))
			p := float64(normal) / float64(n)
			t.row(fmt.Sprintf("%d, %s", w, name), fmt.Sprintf("%.4f", p), ref, fmt.Sprintf("%.4f", float64(heavy)/float64(n)), fixed(float64(step)/float64(n)), meets(mark, math.Abs(p-.01) <= slack))
		}
	}
	return runLengths(l)
}

// runLengths measures how long a CUSUM runs.
func runLengths(l lab) error {
	const most = 6000
	section(l.w, "C14 CUSUM run lengths", `
Mean number of quiet nights to the first alarm (k = ½; runs are cut at %d), computed by
stats.CUSUMRunLength and drawn; then with noise of 4 degrees of freedom, with the mean
and spread of 14 nights instead of the true ones (the median in brackets, since a few
charts never alarm), and the mean delay until a step of 3 SD is seen. %d replicates a
row.`, most, l.share(2))
	t := newTable(l.w, "h", "computed", "drawn", "t with 4 df", "from 14 nights", "delay of a 3 SD step")
	for _, h := range []float64{4, 5} {
		computed, err := stats.CUSUMRunLength(.5, h, 0)
		if err != nil {
			return err
		}
		type seen struct{ quiet, heavy, estimated, delay float64 }
		found, err := simulate(l, fmt.Sprintf("cusum %v", h), l.share(2), func() func(*rand.Rand) seen {
			return func(rng *rand.Rand) seen {
				length := func(draw func() float64, mu, sigma float64) float64 {
					// In blocks that continue the chart would need its state: the chart
					// is cheap enough to draw whole.
					x := make([]float64, most)
					for i := range x {
						x[i] = draw()
					}
					path, err := stats.CUSUM(x, mu, sigma, .5, h)
					if err != nil || path.FirstAlarm < 0 {
						return most
					}
					return float64(path.FirstAlarm + 1)
				}
				past := make([]float64, 14)
				for i := range past {
					past[i] = rng.NormFloat64()
				}
				mean, variance, _ := stats.MeanVariance(past)
				return seen{
					length(rng.NormFloat64, 0, 1),
					length(func() float64 { return t4(rng) }, 0, 1),
					length(rng.NormFloat64, mean, math.Sqrt(variance)),
					length(func() float64 { return 3 + rng.NormFloat64() }, 0, 1),
				}
			}
		})
		if err != nil {
			return err
		}
		var sum seen
		var estimated []float64
		for _, f := range found {
			sum.quiet += f.quiet / float64(len(found))
			sum.heavy += f.heavy / float64(len(found))
			sum.estimated += f.estimated / float64(len(found))
			sum.delay += f.delay / float64(len(found))
			estimated = append(estimated, f.estimated)
		}
		median, err := stats.Quantile(estimated, .5, stats.HF7)
		if err != nil {
			return err
		}
		t.row(fmt.Sprint(h), fmt.Sprintf("%.1f", computed), fmt.Sprintf("%.1f", sum.quiet), fmt.Sprintf("%.1f", sum.heavy),
			fmt.Sprintf("%.0f (%.0f)", sum.estimated, median), fmt.Sprintf("%.2f", sum.delay))
	}
	return nil
}

// peeking is C16: an interval that is looked at again and again.
func peeking(l lab) error {
	const first, last, q = 100, 20000, .95
	n := l.share(4)
	section(l.w, "C16 Looking while data stream in", `
The p95 of C1 from the 100th to the 20,000th request: the share of streams in which the
interval leaves out the truth at any look, when it is looked at after every request
and after every 1,000. %d streams. The limits of a look depend on the number of
values alone, so only the count below the true quantile is drawn.`, n)
	// Whether the truth is covered depends on the count k of values at or below
	// it: least[m][t] ≤ k ≤ most[m][t].
	names := []string{"fixed-n order statistics", "stitched confidence sequence", "beta-binomial mixture"}
	var least, most [3][]int
	for t := first; t <= last; t++ {
		lo, hi, _, err := stats.OrderStatRanks(t, q, level)
		if err != nil {
			return err
		}
		least[0], most[0] = append(least[0], lo), append(most[0], hi-1)
		stitched, err := stats.StitchedQuantile(int64(t), q, 1-level)
		if err != nil {
			return err
		}
		mixture, err := stats.MixtureQuantile(int64(t), last/2, q, 1-level)
		if err != nil {
			return err
		}
		for m, l := range []stats.QuantileLevels{stitched, mixture} {
			// The empirical quantile at Lo is at or below the truth if k ≥ t·Lo.
			least[m+1] = append(least[m+1], int(math.Ceil(float64(t)*l.Lo-1e-9)))
			most[m+1] = append(most[m+1], int(math.Floor(float64(t)*l.Hi+1e-9)))
		}
	}
	type seen struct{ always, thousands [3]bool }
	found, err := simulate(l, "peeking", n, func() func(*rand.Rand) seen {
		return func(rng *rand.Rand) seen {
			var s seen
			k := 0
			for t := 1; t <= last; t++ {
				if rng.Float64() < q {
					k++
				}
				if t < first {
					continue
				}
				for m := range names {
					if i := t - first; k < least[m][i] || k > most[m][i] {
						s.always[m] = true
						s.thousands[m] = s.thousands[m] || t%1000 == 0
					}
				}
			}
			return s
		}
	})
	if err != nil {
		return err
	}
	t := newTable(l.w, "interval", "after every request", "reference", "after every 1,000", "width at 10,000 (of the share)", "requirement")
	for m, name := range names {
		var always, thousands int
		for _, s := range found {
			always += count(s.always[m])
			thousands += count(s.thousands[m])
		}
		mark, ok := required, float64(always) <= .05*float64(n)
		if m == 0 {
			mark = recorded
		}
		i := 10000 - first
		t.row(name, rate(always, n), [3]string{".52", "0", "–"}[m], rate(thousands, n), width(float64(most[m][i]-least[m][i])/10000), meets(mark, ok))
	}
	return nil
}
