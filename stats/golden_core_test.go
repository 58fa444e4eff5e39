package stats

import (
	"encoding/json"
	"math"
	"testing"
)

// The cases of these areas come from R and Python, see the fields oracles and
// published of each.

func TestGoldenQuantile(t *testing.T) {
	runMore(t, "quantile.json", map[string]func(*moreRun){
		"hyndman_fan": func(g *moreRun) {
			x := g.slice("x")
			for typ := HF1; typ <= HF9; typ++ {
				var got []float64
				for _, p := range g.slice("p") {
					v, err := Quantile(x, p, typ)
					g.ok(err)
					got = append(got, v)
				}
				g.want("type"+string(rune('0'+int(typ))), got...)
			}
		},
		"harrell_davis": func(g *moreRun) {
			var est, se []float64
			for _, p := range g.slice("p") {
				e, err := HarrellDavis(g.slice("x"), p, 0.9)
				g.ok(err)
				est, se = append(est, e.Value), append(se, e.SE)
			}
			g.want("est", est...)
			g.want("se_jackknife", se...)
		},
		"ci_order_statistic": func(g *moreRun) {
			e, err := OrderStatCI(g.slice("x"), g.num("p"), g.num("conf"))
			g.ok(err)
			g.want("l", float64(e.Lower))
			g.want("u", float64(e.Upper))
			g.wantLimits("lower", "upper", e.Interval)
			g.want("coverage", e.Interval.Level)
		},
		"ci_nyblom": func(g *moreRun) {
			e, err := Nyblom(g.slice("x"), g.num("p"), g.num("conf"))
			g.ok(err)
			g.wantLimits("lower", "upper", e.Interval)
		},
		"maritz_jarrett_se": func(g *moreRun) {
			x := g.slice("x")
			var exact, shifted []float64
			for _, p := range g.slice("p") {
				se, err := MaritzJarrettSE(x, p)
				g.ok(err)
				exact = append(exact, se)
				// The convention of other programs, off by one: what ours is not.
				n := len(x)
				m := math.Floor(float64(n)*p + 0.5)
				_, w := betaCells(n, m-1, float64(n)-m)
				shifted = append(shifted, math.Sqrt(momentsOf(sortedValues(x), w)))
			}
			g.want("se_exact", exact...)
			g.want("se_wilcox", shifted...)
		},
		"exact_bootstrap_order_stat": func(g *moreRun) {
			x, r := g.slice("x"), int(g.num("r"))
			law, err := ExactBootstrapOrderStat(x, r, g.num("conf"))
			g.ok(err)
			first, w, err := BootstrapWeights(len(x), r)
			g.ok(err)
			if first != 1 || len(w) != len(x) {
				g.Fatalf("weights start at %d and number %d", first, len(w))
			}
			g.want("weight_first", w[0])
			g.want("weight_last", w[len(w)-1])
			g.want("mean", law.Mean)
			g.want("se", law.SE)
			g.wantLimits("pct_lower", "pct_upper", law.Interval)
		},
		"exact_bootstrap_type7": func(g *moreRun) {
			law, err := ExactBootstrapQuantile(g.slice("x"), g.num("p"), 0.9)
			g.ok(err)
			g.want("mean", law.Mean)
			g.want("se", law.SE)
		},
		"exact_bootstrap_two_quantiles": func(g *moreRun) {
			x, y, p, level := g.slice("x"), g.slice("y"), g.num("p"), g.num("conf")
			d, err := ExactBootstrapDifference(x, y, p, level)
			g.ok(err)
			r, err := ExactBootstrapRatio(x, y, p, level)
			g.ok(err)
			g.want("diff", d.Value)
			g.wantLimits("diff_lower", "diff_upper", d.Interval)
			g.want("p_diff_le_0", d.PAtMostZero)
			g.want("se_diff", d.SE)
			g.want("ratio", r.Value)
			g.wantLimits("ratio_lower", "ratio_upper", r.Interval)
		},
		"min_n_for_quantile_bound": func(g *moreRun) {
			var side string
			g.ok(json.Unmarshal(g.raw("side"), &side))
			if side != "one" && side != "two" {
				g.Fatalf("unknown side %q", side)
			}
			n, err := MinNForQuantileBound(g.num("p"), g.num("conf"), side == "two")
			g.ok(err)
			g.want("n", float64(n))
		},
		"asymptotic_se_lognormal": func(g *moreRun) {
			q, se, err := LognormalQuantileSE(g.num("mu"), g.num("sigma"), g.num("p"), int(g.num("n")))
			g.ok(err)
			g.want("q", q)
			g.want("se", se)
		},
		"woodruff_batch_ci": func(g *moreRun) {
			e, err := WoodruffCI(g.slice("x"), g.num("p"), int(g.num("batches")), g.num("conf"))
			g.ok(err)
			g.want("q", e.Value)
			g.want("se_F", e.SE)
			g.want("l", float64(e.Lower))
			g.want("u", float64(e.Upper))
			g.wantLimits("lower", "upper", e.Interval)
		},
	})
}

func TestGoldenVariance(t *testing.T) {
	runMore(t, "variance.json", map[string]func(*moreRun){
		"icc_oneway": func(g *moreRun) {
			v, err := ICC(g.matrix("groups"), 0.9)
			g.ok(err)
			g.want("msb", v.MSB)
			g.want("msw", v.MSW)
			g.want("n0", v.N0)
			g.want("sigma_b2", v.Between)
			g.want("icc", v.ICC)
			g.want("F", v.F)
			g.want("F_p", v.P)
			g.want("design_effect", v.DesignEffect)
			g.want("n_eff", v.EffectiveN)
		},
		"welch_t": func(g *moreRun) {
			e, err := Welch(g.slice("a"), g.slice("b"), g.num("conf"))
			g.ok(err)
			test := WelchTest(e, 0, TwoSided)
			g.want("diff", e.Value)
			g.want("t", test.Statistic)
			g.want("df", test.DF)
			g.want("p", test.P)
			g.wantLimits("ci_lower", "ci_upper", e.Interval)
		},
		"newey_west_ess": func(g *moreRun) {
			s, err := NeweyWest(g.slice("x"), int(g.num("lag")))
			g.ok(err)
			g.want("gamma0", s.Gamma0)
			g.want("lrv", s.LRV)
			g.want("se_mean", s.SE)
			g.want("ess", s.ESS)
		},
		"repeated_samples":        func(g *moreRun) { g.Skip("package paired") },
		"paired_repeated_samples": func(g *moreRun) { g.Skip("package paired") },
		"batch_means_ci": func(g *moreRun) {
			e, err := BatchMeans(g.slice("x"), int(g.num("batches")), g.num("conf"))
			g.ok(err)
			g.want("mean", e.Value)
			g.want("se", e.SE)
			g.wantLimits("lower", "upper", e.Interval)
		},
	})
}

func TestGoldenProportion(t *testing.T) {
	runMore(t, "proportion.json", map[string]func(*moreRun){
		"one_sample_ci": func(g *moreRun) {
			x, n := int64(g.num("x")), int64(g.num("n"))
			for prefix, method := range map[string]func(x, n int64, level float64) (Estimate, error){
				"wilson": Wilson, "cp": ClopperPearson, "jeffreys": Jeffreys, "midp": MidP, "agresti_coull": AgrestiCoull,
			} {
				e, err := method(x, n, g.num("conf"))
				g.ok(err)
				g.wantLimits(prefix+"_lower", prefix+"_upper", e.Interval)
			}
		},
		"two_sample_diff_ci": func(g *moreRun) {
			// The cases state p1 − p2: their first sample is our second.
			x1, n1, x2, n2 := g.count("x2"), g.count("n2"), g.count("x1"), g.count("n1")
			for prefix, method := range map[string]func(x1, n1, x2, n2 int64, level float64) (Estimate, error){
				"wald": WaldDifference, "ac": AgrestiCaffo, "newcombe": Newcombe, "mee": Mee, "mn": MiettinenNurminen,
			} {
				e, err := method(x1, n1, x2, n2, g.num("conf"))
				g.ok(err)
				g.want("diff", e.Value)
				g.wantLimits(prefix+"_lower", prefix+"_upper", e.Interval)
			}
		},
		"farrington_manning": func(g *moreRun) {
			// H0: p1 − p2 ≤ −margin, so again their first sample is our second.
			x1, n1, x2, n2 := g.count("x2"), g.count("n2"), g.count("x1"), g.count("n1")
			fm, err := FarringtonManning(x1, n1, x2, n2, -g.num("margin"), Greater)
			g.ok(err)
			mn, err := MiettinenNurminenTest(x1, n1, x2, n2, -g.num("margin"), Greater)
			g.ok(err)
			g.want("p1_restricted", fm.P2)
			g.want("p2_restricted", fm.P1)
			g.want("z", fm.Statistic)
			g.want("p", fm.P)
			g.want("z_mn", mn.Statistic)
		},
		"exact_unconditional": func(g *moreRun) {
			// H1: p1 > p2, so again their first sample is our second.
			x1, n1, x2, n2 := g.count("x2"), g.count("n2"), g.count("x1"), g.count("n1")
			two, err := SuissaShuster(x1, n1, x2, n2, TwoSided)
			g.ok(err)
			barnard, err := SuissaShuster(x1, n1, x2, n2, Greater)
			g.ok(err)
			boschloo, err := Boschloo(x1, n1, x2, n2, Greater)
			g.ok(err)
			fisher, err := FisherExact(x1, n1, x2, n2, TwoSided)
			g.ok(err)
			g.want("z_pooled", two.Statistic)
			g.want("suissa_shuster_two", two.P)
			g.want("barnard_greater", barnard.P)
			g.want("boschloo_greater", boschloo.P)
			g.want("fisher_two", fisher.P)
		},
	})
}

// TestGoldenRuns takes the run-level t methods of the bootstrap area. The other
// methods of the file resample and belong to package bootstrap, as do the two
// permutation p-values that stand beside the t methods.
func TestGoldenRuns(t *testing.T) {
	checks := map[string]func(*moreRun){
		"run_means_welch": func(g *moreRun) {
			a, b := means(g.matrix("runs_a")), means(g.matrix("runs_b"))
			e, err := Welch(a, b, g.num("conf"))
			g.ok(err)
			test := WelchTest(e, 0, TwoSided)
			g.want("diff", e.Value)
			g.want("t", test.Statistic)
			g.want("df", e.DF)
			g.want("p", test.P)
			g.wantLimits("ci_lower", "ci_upper", e.Interval)
			pooled, err := Pooled(a, b, g.num("conf"))
			g.ok(err)
			g.want("pooled_p", WelchTest(pooled, 0, TwoSided).P)
			g.wantLimits("pooled_ci_lower", "pooled_ci_upper", pooled.Interval)
		},
		"run_log_welch": func(g *moreRun) {
			var q *float64
			g.ok(json.Unmarshal(g.raw("p"), &q))
			var sides [2][]float64
			for i, key := range []string{"runs_a", "runs_b"} {
				for _, run := range g.matrix(key) {
					var s float64
					var err error
					if q == nil {
						s, err = Mean(run)
					} else {
						s, err = Quantile(run, *q, HF7)
					}
					g.ok(err)
					sides[i] = append(sides[i], s)
				}
			}
			logA, err := logs("x", sides[0])
			g.ok(err)
			logB, err := logs("y", sides[1])
			g.ok(err)
			g.want("log_summary_a", logA...)
			g.want("log_summary_b", logB...)
			r, err := RunRatio(sides[0], sides[1], g.num("conf"))
			g.ok(err)
			g.want("ratio", r.Ratio.Value)
			g.want("df", r.Log.DF)
			g.wantLimits("ratio_lower", "ratio_upper", r.Ratio.Interval)
			none, err := r.Test(1, TwoSided)
			g.ok(err)
			g.want("p", none.P)
			margin, err := r.Test(g.num("margin_ratio"), Less)
			g.ok(err)
			g.want("p_ni", margin.P)
			g.leave("p_randomization")
		},
		"paired_runs_log": func(g *moreRun) {
			r, err := PairedRunRatio(g.slice("a"), g.slice("b"), g.num("conf"))
			g.ok(err)
			g.want("ratio", r.Ratio.Value)
			g.wantLimits("ratio_lower", "ratio_upper", r.Ratio.Interval)
			none, err := r.Test(1, TwoSided)
			g.ok(err)
			g.want("p", none.P)
			g.leave("p_signflip")
			// The jackknife over pairs of a mean of logs is the same.
			drop := func(values []float64) (mean float64, without []float64) {
				x, err := logs("", values)
				g.ok(err)
				mean, err = Mean(x)
				g.ok(err)
				without, err = LeaveOneOutMeans(x, nil)
				g.ok(err)
				return mean, without
			}
			x, dropX := drop(g.slice("a"))
			y, dropY := drop(g.slice("b"))
			e, err := JackknifeDifference(x, dropX, y, dropY, g.num("conf"))
			g.ok(err)
			g.want("ratio", math.Exp(e.Value))
			g.wantLimits("ratio_lower", "ratio_upper", e.Interval.Exp())
			g.want("p", WelchTest(e, 0, TwoSided).P)
		},
	}
	for _, method := range []string{
		"exact_enumeration", "randomization_exact", "ci_from_resamples", "abc_ci",
		"block_bootstrap_mean_var", "politis_white", "cluster_bootstrap_exact",
		"two_stage_bootstrap_var", "stationary_bootstrap_mean_var",
		"wild_cluster_exact", "poisson_weights", "studentized_from_replicates",
	} {
		checks[method] = func(g *moreRun) { g.Skip("resampling: package bootstrap") }
	}
	runMore(t, "bootstrap.json", checks)
}

// matrix returns a list of lists of numbers of the case's input.
func (g *moreRun) matrix(key string) [][]float64 {
	g.Helper()
	var v [][]float64
	if err := json.Unmarshal(g.raw(key), &v); err != nil {
		g.Fatalf("%s: %v", key, err)
	}
	return v
}

func (g *moreRun) count(key string) int64 {
	g.Helper()
	return int64(g.num(key))
}

// wantLimits compares both limits; a missing one must be infinite on its side.
func (g *moreRun) wantLimits(lower, upper string, iv Interval) {
	g.Helper()
	g.want(lower, iv.Lo)
	g.want(upper, iv.Hi)
	if math.IsInf(iv.Lo, 1) || math.IsInf(iv.Hi, -1) {
		g.Errorf("interval %v is infinite on the wrong side", iv)
	}
}

// leave marks an expected key that another package computes.
func (g *moreRun) leave(key string) {
	g.Helper()
	if _, ok := g.c.Expected[key]; !ok {
		g.Errorf("case expects no key %q", key)
	}
	g.seen[key] = true
}

func means(runs [][]float64) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = meanOf(r)
	}
	return out
}

// momentsOf is the variance of the values x under the weights w.
func momentsOf(x, w []float64) float64 {
	m, _ := weightedMean(x, w)
	var v float64
	for i := range x {
		v += w[i] * (x[i] - m) * (x[i] - m)
	}
	return v
}
