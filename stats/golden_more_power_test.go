package stats

import "testing"

// sizeOf holds a sample size of two numbers, alpha and power against its cases.
func sizeOf(of func(a, b, alpha, power float64) (SampleSize, error), a, b string) func(*moreRun) {
	return func(g *moreRun) {
		s, err := of(g.num(a), g.num(b), g.num("alpha"), g.num("power"))
		g.ok(err)
		g.want("n", float64(s.N))
		g.want("n_exact", s.Exact)
	}
}

func TestGoldenPower(t *testing.T) {
	runMore(t, "power.json", map[string]func(*moreRun){
		"n_quantile_relative_halfwidth_lognormal": func(g *moreRun) {
			s, err := NQuantile(g.num("p"), g.num("sigma"), g.num("rel_halfwidth"), g.num("conf"))
			g.ok(err)
			g.want("n", float64(s.N))
		},
		"n_two_means_t":     sizeOf(NTwoMeans, "delta", "sd"),
		"n_paired_t":        sizeOf(NPaired, "delta", "sd"),
		"n_two_proportions": sizeOf(NTwoProportions, "p1", "p2"),
		"n_paired_ni_t": func(g *moreRun) {
			s, err := NPairedNI(g.num("margin"), g.num("true_diff"), g.num("sd"), g.num("alpha"), g.num("power"))
			g.ok(err)
			g.want("n", float64(s.N))
			g.want("power_at_n", s.Power)
		},
		"tost_power_2x2_lognormal": func(g *moreRun) {
			p, err := TOSTPowerCrossover(g.num("cv"), g.num("theta0"), int(g.num("n")), g.num("theta1"), g.num("theta2"), g.num("alpha"))
			g.ok(err)
			g.want("power", p)
		},
		"n_two_proportions_ni_fm": func(g *moreRun) {
			s, err := NTwoProportionsNI(g.num("p_old"), g.num("p_new"), g.num("margin"), g.num("alpha"), g.num("power"))
			g.ok(err)
			g.want("n", float64(s.N))
			g.want("n_exact", s.Exact)
			g.want("rpact_n_per_group", s.Exact)
			g.want("p_new_restricted", s.RestrictedY)
		},
		"n_mcnemar_connor": func(g *moreRun) {
			s, err := NMcNemar(g.num("p10"), g.num("p01"), g.num("alpha"), g.num("power"))
			g.ok(err)
			g.want("n_connor", s.Exact)
			g.want("n_miettinen", s.Miettinen)
		},
		"power_mcnemar_exact": func(g *moreRun) {
			p, err := McNemarPower(int(g.num("n")), g.num("p10"), g.num("p01"), g.num("alpha"))
			g.ok(err)
			g.want("power_exact", p.Exact)
			g.want("power_midp", p.MidP)
			g.want("power_asym", p.Asymptotic)
		},
		"n_paired_ni": func(g *moreRun) {
			s, err := NPairedBinaryNI(g.num("discordance"), g.num("true_diff"), g.num("margin"), g.num("alpha"), g.num("power"))
			g.ok(err)
			g.want("n", float64(s.N))
			g.want("n_exact", s.Exact)
			g.want("n_wald", s.Wald)
			g.want("p01_restricted", s.RestrictedLoss)
		},
		"power_paired_ni_exact": func(g *moreRun) {
			p, err := PairedBinaryNIPower(int(g.num("n")), g.num("p10"), g.num("p01"), g.num("margin"), g.num("alpha"))
			g.ok(err)
			g.want("reject_prob", p)
		},
		"n_runs": func(g *moreRun) {
			alpha, power, delta := g.num("alpha"), g.num("power"), g.num("delta")
			sd, err := RunMeanSD(g.num("sd_between"), g.num("sd_within"), g.num("requests_per_run"))
			g.ok(err)
			g.want("sd_run_mean", sd)
			k, err := NRuns(sd, delta, alpha, power, TwoSided, 1000)
			g.ok(err)
			g.want("n_runs", float64(k))
			p, err := RunsPower(k, sd, delta, alpha, TwoSided)
			g.ok(err)
			g.want("power_at_K", p)
			inf, err := NRuns(g.num("sd_between"), delta, alpha, power, TwoSided, 1000)
			g.ok(err)
			g.want("n_infinite_requests", float64(inf))
			mde, err := MDERuns(5, sd, alpha, power, TwoSided)
			g.ok(err)
			g.want("mde_5_runs", mde)
		},
		"design_effect": func(g *moreRun) {
			deff, err := DesignEffect(g.num("m"), g.num("icc"))
			g.ok(err)
			g.want("deff", deff)
			eff, err := EffectiveSize(g.num("n_total"), g.num("m"), g.num("icc"))
			g.ok(err)
			g.want("n_eff", eff)
		},
	})
}
