package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// clusteredItems is C11: items in clusters, differences of −1, 0 and 1.
func clusteredItems(l lab) error {
	section(l.w, "C11 Items in clusters", `
Clusters of 1 to 20 items; d = 1 if u > 1.3 and −1 if u < −1.3 with a latent normal u of
the given intraclass correlation, shifted by s (mean difference 0 and −.0343). %d
replicates a row. Size is the share of intervals without the true mean.`, l.replicates)
	t := newTable(l.w, append([]string{"clusters, ICC, s, method"}, append(slices.Clone(intervalColumns), "size", "requirement (size at most .06 from 8 clusters)")...)...)
	methods := []struct {
		name string
		of   func(d []float64, cluster []int, tables []paired.Table) (stats.Interval, []stats.Warning, error)
		mark func(g int) string
	}{
		{"CR2", robust(paired.CR2), func(g int) string {
			if g >= 8 {
				return required
			}
			return recorded
		}},
		{"CR1", robust(paired.CR1), nil},
		{"CR0, normal", robust(paired.CR0), func(g int) string {
			if g <= 20 {
				return hard
			}
			return recorded
		}},
		{"cluster means, t", func(d []float64, cluster []int, _ []paired.Table) (stats.Interval, []stats.Warning, error) {
			e, err := paired.ClusterMeans(d, cluster, level)
			return e.Interval, e.Warnings, err
		}, nil},
		{"items as independent, t", func(d []float64, _ []int, _ []paired.Table) (stats.Interval, []stats.Warning, error) {
			return limits(stats.MeanT(d, level))
		}, nil},
	}
	for _, g := range []int{5, 8, 12, 20, 50} {
		for _, icc := range []float64{0, .1, .4} {
			for _, s := range []float64{0, -.1} {
				truth := stats.NormalSurvival(1.3-s) - stats.NormalCDF(-1.3-s)
				answers, err := simulate(l, fmt.Sprintf("clusters %d %v %v", g, icc, s), l.replicates, func() func(*rand.Rand) []answer {
					return func(rng *rand.Rand) []answer {
						var d []float64
						var cluster []int
						for k := range g {
							v := rng.NormFloat64()
							for range 1 + rng.IntN(20) {
								u := math.Sqrt(icc)*v + math.Sqrt(1-icc)*rng.NormFloat64() + s
								d, cluster = append(d, float64(count(u > 1.3)-count(u < -1.3))), append(cluster, k)
							}
						}
						out := make([]answer, len(methods))
						for i, m := range methods {
							iv, warnings, err := m.of(d, cluster, nil)
							out[i] = read(iv, warnings, err, truth, truth, 1)
						}
						return out
					}
				})
				if err != nil {
					return err
				}
				for i, m := range methods {
					if s != 0 && i > 0 {
						continue
					}
					got := tallied(answers, i)
					mark := recorded
					if m.mark != nil {
						mark = m.mark(g)
					}
					v := meets(mark, got.rejected() <= .06)
					if mark == hard {
						v = covers(hard, got)
					}
					t.row(append(append([]string{fmt.Sprintf("%d, %v, %v, %s", g, icc, s, m.name)}, got.cells()...), fixed(got.rejected()), v)...)
				}
			}
		}
	}
	return nil
}

func robust(c paired.Correction) func([]float64, []int, []paired.Table) (stats.Interval, []stats.Warning, error) {
	return func(d []float64, cluster []int, _ []paired.Table) (stats.Interval, []stats.Warning, error) {
		e, err := paired.ClusterRobust(d, cluster, c, level)
		return e.Interval, e.Warnings, err
	}
}

// repeatedItems is C13: several answers to each of 200 items.
func repeatedItems(l lab) error {
	const items = 200
	section(l.w, "C13 Several answers to one item", `
200 items whose chance of being right is Beta-distributed, K answers each. The first
rows estimate the mean of one side (paired.RepeatedMean) and compare its squared
standard error with the true variance; the others the difference of two sides
with the same items and an item's own change of N(0, .05²), cut to what its chance
allows (paired.PairedRepeats).
"Answers as items" takes every answer for an item of its own. %d replicates a
row.`, l.share(2))
	t := newTable(l.w, append([]string{"Beta, K, method"}, append(slices.Clone(intervalColumns), "mean SE² ÷ variance", "requirement")...)...)
	for _, b := range [][2]float64{{6, 2}, {.8, .4}} {
		mean := b[0] / (b[0] + b[1])
		between := mean * (1 - mean) / (b[0] + b[1] + 1)
		within := mean*(1-mean) - between
		for _, k := range []int{1, 4, 16} {
			type seen struct {
				answers []answer
				square  float64
			}
			found, err := simulate(l, fmt.Sprintf("repeats %v %d", b, k), l.share(2), func() func(*rand.Rand) seen {
				return func(rng *rand.Rand) seen {
					x, y := make([][]float64, items), make([][]float64, items)
					var flat []float64
					for i := range x {
						p := beta(rng, b[0], b[1])
						// Cut alike on both sides, so that its mean stays 0.
						edge := math.Min(p, 1-p)
						change := math.Max(-edge, math.Min(edge, .05*rng.NormFloat64()))
						x[i], y[i] = make([]float64, k), make([]float64, k)
						for j := range k {
							x[i][j] = float64(count(rng.Float64() < p))
							y[i][j] = float64(count(rng.Float64() < p+change))
						}
						flat = append(flat, x[i]...)
					}
					m, errM := paired.RepeatedMean(x, level)
					f, errF := stats.MeanT(flat, level)
					d, errD := paired.PairedRepeats(x, y, level)
					return seen{[]answer{
						read(m.Interval, m.Warnings, errM, mean, math.NaN(), 1),
						read(f.Interval, f.Warnings, errF, mean, math.NaN(), 1),
						read(d.Interval, d.Warnings, errD, 0, 0, 1),
					}, m.SE * m.SE}
				}
			})
			if err != nil {
				return err
			}
			var got [3]tally
			var square float64
			for _, f := range found {
				for i := range got {
					got[i].add(f.answers[i])
				}
				square += f.square / float64(len(found))
			}
			truth := (between + within/float64(k)) / items
			name := fmt.Sprintf("(%v, %v), %d", b[0], b[1], k)
			t.row(append(append([]string{name + ", item means"}, got[0].cells()...), fmt.Sprintf("%.3f", square/truth), covers(required, got[0]))...)
			t.row(append(append([]string{name + ", answers as items"}, got[1].cells()...), "", "")...)
			t.row(append(append([]string{name + ", paired difference"}, got[2].cells()...), "", covers(required, got[2]))...)
		}
	}
	return nil
}

// skewedScores is C15: differences with a long tail.
func skewedScores(l lab) error {
	section(l.w, "C15 Skewed differences of paired scores", `
d = LN(0, 1) − e^.5 + δ, so that the mean is δ = 0. Bootstrap methods use 999
replicates. %d replicates a row, a quarter for n = 500.`, l.share(2))
	t := newTable(l.w, append([]string{"items, method"}, append(slices.Clone(intervalColumns), "reference")...)...)
	reference := map[string]string{"20 t": ".86", "20 BCa": ".86", "20 bootstrap-t": ".91", "100 t": ".92", "100 BCa": ".93", "100 bootstrap-t": ".95"}
	for _, n := range []int{20, 50, 100, 500} {
		replicates := l.share(2)
		if n == 500 {
			replicates = l.share(8)
		}
		answers, err := simulate(l, fmt.Sprintf("skewed %d", n), replicates, func() func(*rand.Rand) []answer {
			zero, d := make([]float64, n), make([]float64, n)
			return func(rng *rand.Rand) []answer {
				for i := range d {
					d[i] = math.Exp(rng.NormFloat64()) - math.Exp(.5)
				}
				opt := bootstrap.Options{Replicates: 999, Seed: rng.Uint64(), Workers: 1}
				e, err := paired.MeanDifference(zero, d, level)
				bt, errT := bootstrap.MeanT(d, level, opt)
				bca, errB := bcaOfMean(d, opt)
				return []answer{
					read(e.Interval, e.Warnings, err, 0, 0, 1),
					read(bca.Interval, bca.Warnings, errB, 0, 0, 1),
					read(bt.Interval, bt.Warnings, errT, 0, 0, 1),
				}
			}
		})
		if err != nil {
			return err
		}
		for i, name := range []string{"t", "BCa", "bootstrap-t"} {
			key := fmt.Sprintf("%d %s", n, name)
			t.row(append(append([]string{fmt.Sprintf("%d, %s", n, name)}, tallied(answers, i).cells()...), orDash(reference[key]))...)
		}
	}
	return nil
}

func bcaOfMean(d []float64, opt bootstrap.Options) (bootstrap.BCaEstimate, error) {
	mean := func(index []int) float64 {
		var sum float64
		for _, i := range index {
			sum += d[i]
		}
		return sum / float64(len(index))
	}
	law, err := bootstrap.Resample(len(d), mean, opt)
	if err != nil {
		return bootstrap.BCaEstimate{}, err
	}
	loo, err := stats.LeaveOneOutMeans(d, nil)
	if err != nil {
		return bootstrap.BCaEstimate{}, err
	}
	return law.BCa(loo, level)
}
