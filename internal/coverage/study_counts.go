package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/stats"
)

// rareFailures is C12: few failures on either side, by enumeration of two
// binomials.
func rareFailures(l lab) error {
	section(l.w, "C12 Rare failures", `
20,000 requests a side, failure rates of 1e-4 and 5e-4; coverage of the difference
of the rates by enumeration of both counts.`)
	t := newTable(l.w, "rates, method", "coverage", "truth above", "truth below", "leaves out 0", "requirement (coverage at least .94)")
	const n = 20000
	for _, r := range [][2]float64{{1e-4, 1e-4}, {1e-4, 5e-4}, {5e-4, 5e-4}, {1e-3, 5e-3}} {
		for i, m := range []struct {
			name string
			of   func(x1, n1, x2, n2 int64, level float64) (stats.Estimate, error)
		}{
			{"Miettinen–Nurminen", stats.MiettinenNurminen}, {"Newcombe", stats.Newcombe}, {"Agresti–Caffo", stats.AgrestiCaffo}, {"Wald", stats.WaldDifference},
		} {
			var covered, above, below, rejected float64
			truth := r[1] - r[0]
			eachCount(n, r[0], func(x int, px float64) {
				eachCount(n, r[1], func(y int, py float64) {
					e, err := m.of(int64(x), n, int64(y), n, level)
					p := px * py
					switch {
					case err != nil:
					case truth > e.Interval.Hi:
						above += p
					case truth < e.Interval.Lo:
						below += p
					default:
						covered += p
					}
					if !e.Interval.Contains(0) {
						rejected += p
					}
				})
			})
			mark := recorded
			if i == 0 {
				mark = required
			}
			t.row(fmt.Sprintf("%v, %v, %s", r[0], r[1], m.name), fixed(covered), fixed(above), fixed(below), fixed(rejected), meets(mark, covered >= .94))
		}
	}
	return overdispersed(l)
}

// eachCount calls visit for the counts of a binomial that matter.
func eachCount(n int, p float64, visit func(k int, pmf float64)) {
	for k := 0; k <= n; k++ {
		pmf := stats.BinomialPMF(k, n, p)
		if pmf > 1e-11 {
			visit(k, pmf)
		} else if float64(k) > p*float64(n) {
			return
		}
	}
}

// overdispersed lets the failure rate itself vary from run to run.
func overdispersed(l lab) error {
	section(l.w, "C12 Failure rates that vary from run to run", `
Five runs of 4,000 requests a side, the rate of a run p·Gamma(2)/2 or p itself. The
pooled interval covers too little when the rate varies; stats.Overdispersion is
meant to notice, with little power as long as counts are small: a row of few
events is for the record. Where it does (at
.05, on either side), the command compares runs by their shares instead. %d
replicates a row.`, l.replicates)
	t := newTable(l.w, "rates, spread", "pooled covers", "check fires (either side)", "covers where it is silent", "shares of runs cover", "as the command does", "requirement")
	for _, r := range [][2]float64{{1e-4, 1e-4}, {5e-4, 5e-4}, {5e-3, 5e-3}} {
		for _, varies := range []bool{false, true} {
			type seen struct{ pooled, fires, byRun bool }
			found, err := simulate(l, fmt.Sprintf("counts %v %v", r, varies), l.replicates, func() func(*rand.Rand) seen {
				return func(rng *rand.Rand) seen {
					var x, n [2][]int64
					var totals [2]int64
					var shares [2][]float64
					for s, p := range r {
						for range 5 {
							mean := p * 4000
							if varies {
								mean *= gamma(rng, 2)
							}
							k := poisson(rng, mean)
							x[s], n[s] = append(x[s], k), append(n[s], 4000)
							totals[s] += k
							shares[s] = append(shares[s], float64(k)/4000)
						}
					}
					truth := r[1] - r[0]
					mn, err := stats.MiettinenNurminen(totals[0], 20000, totals[1], 20000, level)
					f := seen{pooled: err == nil && mn.Interval.Contains(truth)}
					for s := range x {
						if test, err := stats.Overdispersion(x[s], n[s]); err == nil && test.P < alpha {
							f.fires = true
						}
					}
					w, err := stats.Welch(shares[0], shares[1], level)
					f.byRun = err == nil && w.Interval.Contains(truth)
					return f
				}
			})
			if err != nil {
				return err
			}
			var pooled, fires, silent, silentCovers, byRun, command int
			for _, f := range found {
				pooled += count(f.pooled)
				fires += count(f.fires)
				silent += count(!f.fires)
				silentCovers += count(!f.fires && f.pooled)
				byRun += count(f.byRun)
				command += count(f.pooled && !f.fires || f.byRun && f.fires)
			}
			n := len(found)
			spread := "one rate"
			if varies {
				spread = "rates vary"
			}
			mark := recorded
			if varies && pooled*100 < 93*n && r[0] >= 5e-3 {
				mark = hard // with fewer events the check cannot see it
			}
			t.row(fmt.Sprintf("%v, %v, %s", r[0], r[1], spread), rate(pooled, n), rate(fires, n), rate(silentCovers, silent), rate(byRun, n), rate(command, n), meets(mark, fires*100 >= 95*n))
		}
	}
	return nil
}
