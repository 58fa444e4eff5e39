package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// qualityStudy measures the verdict of qualdiff exactly at the margin and where
// nothing changed.
func qualityStudy(l lab) error {
	fmt.Fprintf(l.w, `# What the verdict on scores delivers

Measured by `+"`go run ./internal/coverage -study quality > docs/coverage-quality.md`"+`.
The candidate is worse by exactly the margin: a PASS is wrong with a chance of at
most one half of 1 − level (.025 at the default level, .05 at --level 0.9), and so is
a FAIL. Where nothing changed PASS is the power.
`)
	if err := enumerated(l); err != nil {
		return err
	}
	if err := clusteredVerdicts(l); err != nil {
		return err
	}
	return gradedVerdicts(l)
}

// enumerated sums all tables: no draws.
func enumerated(l lab) error {
	section(l.w, "Right or wrong", `
By enumeration of all tables. ψ is the share of items whose outcome differs, M the
margin. "PASS at the margin" is the size of Tango's noninferiority test, "FAIL at the
margin" that of the opposite claim, "PASS" and "needed" the power where nothing
changed and the items that the report would ask for (80 %% power). Tango's test keeps
its level on average and not in every cell: the last row has the largest sizes.`)
	t := newTable(l.w, "items, ψ, M", "PASS at the margin, level .95", "FAIL at the margin, level .95", "PASS at the margin, level .90", "FAIL at the margin, level .90", "PASS, nothing changed, level .95", "needed")
	worst := [4]float64{}
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		for _, psi := range []float64{.02, .05, .10, .20} {
			for _, m := range []float64{.01, .02, .05} {
				if m > psi {
					continue
				}
				cells := []string{fmt.Sprintf("%d, %g, %g", n, psi, m)}
				for k, alpha := range []float64{.025, .05} {
					pass, err := stats.PairedBinaryNIPower(n, (psi-m)/2, (psi+m)/2, m, alpha)
					if err != nil {
						return err
					}
					fail := failSize(n, (psi-m)/2, (psi+m)/2, m, alpha)
					worst[2*k], worst[2*k+1] = math.Max(worst[2*k], pass), math.Max(worst[2*k+1], fail)
					cells = append(cells, share3(pass), share3(fail))
				}
				power, err := stats.PairedBinaryNIPower(n, psi/2, psi/2, m, .025)
				if err != nil {
					return err
				}
				needed, err := stats.NPairedBinaryNI(psi, 0, m, .025, .8)
				if err != nil {
					return err
				}
				t.row(append(cells, share3(power), strconv.Itoa(needed.N))...)
			}
		}
	}
	t.row("the largest", share3(worst[0]), share3(worst[1]), share3(worst[2]), share3(worst[3]), "", "")
	return nil
}

// failSize is the chance that the score test at alpha shows a loss beyond m.
func failSize(n int, gain, loss, m, alpha float64) float64 {
	sum := 0.0
	for lost := 0; lost <= n; lost++ {
		p := stats.BinomialPMF(lost, n, loss)
		if p < 1e-12 {
			continue
		}
		for won := 0; lost+won <= n; won++ {
			q := stats.BinomialPMF(won, n-lost, gain/(1-loss))
			if p*q < 1e-13 {
				if float64(won) > float64(n)*gain {
					break
				}
				continue
			}
			test, err := paired.TangoTest(paired.Table{OnlyX: lost, OnlyY: won, Neither: n - lost - won}, -m, stats.Less)
			if err == nil && test.P <= alpha {
				sum += p * q
			}
		}
	}
	return sum
}

func share3(v float64) string { return fmt.Sprintf("%.3f", v) }

// drawn are the scores of both sides of an item.
type drawn struct {
	x, y    float64
	cluster int
}

// judgeItems sends scores through pairing, estimation and decision.
func judgeItems(items []drawn, margin float64, q compare.QualityOptions) (verdict.Outcome, error) {
	x, y := &ingest.AnswerSet{AttrNames: []string{"group"}}, &ingest.AnswerSet{AttrNames: []string{"group"}}
	for i, it := range items {
		a := ingest.Answer{Item: strconv.Itoa(i), Metric: "score", Score: it.x, Attr: []string{strconv.Itoa(it.cluster)}}
		x.Answers = append(x.Answers, a)
		a.Score = it.y
		y.Answers = append(y.Answers, a)
	}
	ctx := context.Background()
	p, err := pairing.Pair(ctx, []*ingest.AnswerSet{x}, []*ingest.AnswerSet{y}, pairing.Options{})
	if err != nil {
		return 0, err
	}
	c, err := compare.CompareQuality(ctx, p, func(name string, _, _ float64) *metric.Metric { return metric.Score(name, 0, 1, nil) }, compare.DefaultOptions(), q)
	if err != nil {
		return 0, err
	}
	policy := verdict.Default()
	policy.Score.Value = margin
	return verdict.Decide(c, policy).Gates[0].Outcome, nil
}

// verdicts simulates a cell and counts PASS and FAIL.
func verdicts(l lab, name string, n int, margin float64, q compare.QualityOptions, draw func(rng *rand.Rand) []drawn) (pass, fail float64, err error) {
	outcomes, err := simulate(l, name, n, func() func(*rand.Rand) verdict.Outcome {
		return func(rng *rand.Rand) verdict.Outcome {
			o, err := judgeItems(draw(rng), margin, q)
			if err != nil {
				return verdict.Undecided
			}
			return o
		}
	})
	if err != nil {
		return 0, 0, err
	}
	for _, o := range outcomes {
		switch o {
		case verdict.Pass:
			pass++
		case verdict.Fail:
			fail++
		case verdict.Undecided:
			return 0, 0, fmt.Errorf("%s: a replicate could not be judged", name)
		}
	}
	return pass / float64(n), fail / float64(n), nil
}

// clusteredVerdicts draws right-or-wrong items in clusters of unequal size.
func clusteredVerdicts(l lab) error {
	n := l.replicates
	section(l.w, "Items in clusters", `
Clusters of 1 to 20 items with --cluster. An item is lost where a latent normal value
with the given intraclass correlation is below a bound and gained where it is above
another; shares of 10 %% and 10 %% where nothing changed, 12.5 %% and 7.5 %% at the margin
of 5 pp. %d replicates a row, standard error .25 points at .025 and 4,000.
"Items as independent" is what the same verdict would be without --cluster.`, n)
	t := newTable(l.w, "clusters, ICC", "PASS at the margin", "FAIL at the margin", "items as independent: PASS", "items as independent: FAIL", "PASS, nothing changed", "requirement (at most .031)")
	for _, g := range []int{5, 8, 12, 20, 50} {
		for _, icc := range []float64{0, .1, .4} {
			draw := func(lost, won float64) func(*rand.Rand) []drawn {
				lo, hi := stats.NormalQuantile(lost), stats.NormalQuantile(1-won)
				return func(rng *rand.Rand) []drawn {
					var out []drawn
					for k := range g {
						common := rng.NormFloat64() * math.Sqrt(icc)
						for range 1 + rng.IntN(20) {
							it := drawn{1, 1, k}
							switch u := common + rng.NormFloat64()*math.Sqrt(1-icc); {
							case u < lo:
								it.y = 0
							case u > hi:
								it.x = 0
							}
							out = append(out, it)
						}
					}
					return out
				}
			}
			q := compare.DefaultQualityOptions()
			name := fmt.Sprintf("clusters %d %g", g, icc)
			free, failFree, err := verdicts(l, name, n, .05, q, draw(.125, .075))
			if err != nil {
				return err
			}
			q.Cluster = "group"
			pass, fail, err := verdicts(l, name, n, .05, q, draw(.125, .075))
			if err != nil {
				return err
			}
			same, _, err := verdicts(l, name+" same", n, .05, q, draw(.1, .1))
			if err != nil {
				return err
			}
			t.row(fmt.Sprintf("%d, %g", g, icc), share3(pass), share3(fail), share3(free), share3(failFree), share3(same), meets(required, pass <= .031 && fail <= .031))
		}
	}
	return nil
}

// gradedVerdicts draws scores between 0 and 1.
func gradedVerdicts(l lab) error {
	n := l.replicates
	section(l.w, "Graded scores", `
Scores between 0 and 1. "Few items differ": most items score the same on both sides,
the rest differ by up to 1, as deterministic answers with partial credit do.
"Skewed losses": every item loses a little and a few lose nearly all. "Five answers an
item": means of five right-or-wrong answers whose chances of success differ by item.
The mean loss is the margin. %d replicates a row. Of thirty items with skewed losses
three in ten samples hold none of the large ones: nothing in them tells that there
are any. Below fifty graded items the report says that they are few.`, n)
	t := newTable(l.w, "scores, items, M", "PASS at the margin", "FAIL at the margin", "requirement (at most .031)")
	for _, c := range []struct {
		name   string
		n      int
		margin float64
		draw   func(rng *rand.Rand) drawn
		mark   string
	}{
		{"few items differ (5 %)", 50, .02, few(.05, .02), required},
		{"few items differ (5 %)", 200, .02, few(.05, .02), required},
		{"few items differ (5 %)", 1000, .02, few(.05, .02), required},
		{"few items differ (5 %)", 2400, .02, few(.05, .02), required},
		{"few items differ (5 %)", 2400, .01, few(.05, .01), required},
		{"few items differ (20 %)", 200, .02, few(.2, .02), required},
		{"few items differ (20 %)", 600, .02, few(.2, .02), required},
		{"symmetric", 30, .05, symmetric(.05), required},
		{"symmetric", 200, .05, symmetric(.05), required},
		{"skewed losses", 30, .05, skewed(.05), recorded},
		{"skewed losses", 100, .05, skewed(.05), recorded},
		{"skewed losses", 500, .05, skewed(.05), required},
		{"five answers an item", 50, .05, repeated(.05), required},
		{"five answers an item", 200, .05, repeated(.05), required},
	} {
		q := compare.DefaultQualityOptions()
		q.Replicates = 999
		pass, fail, err := verdicts(l, fmt.Sprint(c.name, c.n), n, c.margin, q, func(rng *rand.Rand) []drawn {
			out := make([]drawn, c.n)
			for i := range out {
				out[i] = c.draw(rng)
			}
			return out
		})
		if err != nil {
			return err
		}
		t.row(fmt.Sprintf("%s, %d, %g", c.name, c.n, c.margin), share3(pass), share3(fail), meets(c.mark, pass <= .031 && fail <= .031))
	}
	return nil
}

// few items differ: a share of them, by a quarter to all of the scale, with the
// mean loss m.
func few(share, m float64) func(*rand.Rand) drawn {
	size := 0.625 // of a difference, on average
	lose := (share + m/size) / 2
	return func(rng *rand.Rand) drawn {
		by := .25 * float64(1+rng.IntN(4))
		switch u := rng.Float64(); {
		case u < lose:
			return drawn{x: 1, y: 1 - by}
		case u < share:
			return drawn{x: 1 - by, y: 1}
		}
		return drawn{x: 1, y: 1}
	}
}

func symmetric(m float64) func(*rand.Rand) drawn {
	return func(rng *rand.Rand) drawn {
		x := .3 + .4*rng.Float64()
		return drawn{x: x, y: x - m + .25*(2*rng.Float64()-1)}
	}
}

// skewed losses: half of the mean loss is spread over all items, the other half
// comes from one item in twenty-five.
func skewed(m float64) func(*rand.Rand) drawn {
	return func(rng *rand.Rand) drawn {
		loss := m * rng.Float64()
		if rng.Float64() < .04 {
			loss += m / 2 / .04
		}
		return drawn{x: .9, y: .9 - loss}
	}
}

func repeated(m float64) func(*rand.Rand) drawn {
	mean := func(rng *rand.Rand, p float64) float64 {
		sum := 0.0
		for range 5 {
			if rng.Float64() < p {
				sum += .2
			}
		}
		return sum
	}
	return func(rng *rand.Rand) drawn {
		p := .2 + .7*rng.Float64()
		return drawn{x: mean(rng, p), y: mean(rng, p-m)}
	}
}
