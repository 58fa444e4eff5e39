package stats

import "testing"

func TestGoldenSequence(t *testing.T) {
	runMore(t, "sequence.json", map[string]func(*moreRun){
		"median_mad_band": func(g *moreRun) {
			p, err := MedianMAD(g.slice("x"), NightlyOptions{Window: int(g.num("window"))}, g.num("k"))
			g.ok(err)
			center, spread, _, _, out := unzipNights(p)
			g.want("median", center...)
			g.want("mad_scaled", spread...)
			g.want("flagged_1based", floats(out, 1)...)
		},
		"t_prediction_band": func(g *moreRun) {
			p, err := TPrediction(g.slice("x"), NightlyOptions{Window: int(g.num("window"))}, g.num("alpha"))
			g.ok(err)
			center, _, lo, hi, out := unzipNights(p)
			g.want("center", center...)
			g.want("lower", lo...)
			g.want("upper", hi...)
			g.want("flagged_1based", floats(out, 1)...)
		},
		"optimal_partition": func(g *moreRun) {
			x, least := g.slice("x"), int(g.num("min_seg"))
			s, err := SegmentMeans(x, 1, least)
			g.ok(err)
			g.want("breaks1", floats(s.Breaks, 0)...)
			g.want("rss1", s.RSS)
			s, err = SegmentMeans(x, 2, least)
			g.ok(err)
			g.want("breaks2", floats(s.Breaks, 0)...)
			g.want("rss2", s.RSS)
			beta, err := ChangePenalty(x)
			g.ok(err)
			g.want("beta", beta)
			s, err = ChangePoints(x, beta, least)
			g.ok(err)
			g.want("pelt_breaks", floats(s.Breaks, 0)...)
			g.want("pelt_cost", s.Cost)
		},
		"energy_distance": func(g *moreRun) {
			x, split := g.slice("x"), int(g.num("split"))
			e, err := EnergyDistance(x[:split], x[split:], g.num("alpha"))
			g.ok(err)
			g.want("eqdist_e", e.Statistic)
			g.want("ediv_at_split", e.Divergence)
			// The notes search splits with at least 3 values a side.
			best, err := EnergySplit(x, 3, g.num("alpha"))
			g.ok(err)
			g.want("best_split", float64(best.Split))
			g.want("best_q", best.Q)
		},
		"cusum_page_hinkley": func(g *moreRun) {
			x, sigma, k, h := g.slice("x"), g.num("sigma"), g.num("k"), g.num("h")
			c, err := CUSUM(x, g.num("mu0"), sigma, k, h)
			g.ok(err)
			g.want("cplus", c.Up...)
			g.want("cminus", c.Down...)
			g.want("first_alarm", float64(c.FirstAlarm+1))
			p, err := PageHinkley(x, k*sigma, h*sigma)
			g.ok(err)
			g.want("page_hinkley", p.Stat...)
			g.want("ph_first_alarm", float64(p.FirstAlarm+1))
		},
		"cusum_arl0": func(g *moreRun) {
			l, err := CUSUMRunLength(g.num("k"), g.num("h"), 0)
			g.ok(err)
			g.want("arl0_two_sided", l)
		},
		"normal_mixture_bound": func(g *moreRun) {
			m, err := NewNormalMixture(g.num("v_opt"), g.num("alpha"))
			g.ok(err)
			g.want("rho", m.Rho)
			g.want("bound", m.Bound(g.num("v")))
			g.want("log_superMG_s10", m.LogMartingale(10, g.num("v")))
		},
		"beta_binomial_mixture_bound": func(g *moreRun) {
			m, err := NewBetaBinomialMixture(g.num("g"), g.num("h"), g.num("v_opt"), g.num("alpha"))
			g.ok(err)
			g.want("r", m.R)
			g.want("log_superMG_s10", m.LogMartingale(10, g.num("v")))
			g.want("bound", m.Bound(g.num("v")))
		},
		"howard_ramdas_stitched": func(g *moreRun) {
			s, err := StitchedQuantile(int64(g.num("t")), g.num("p"), g.num("alpha"))
			g.ok(err)
			g.want("l", s.L)
			g.want("f", s.F)
			g.want("lower_level", s.Lo)
			g.want("upper_level", s.Hi)
		},
	})
}

// unzipNights splits points into columns and the indices of those that are out.
func unzipNights(points []NightPoint) (center, spread, lo, hi []float64, out []int) {
	for _, p := range points {
		center = append(center, p.Center)
		spread = append(spread, p.Spread)
		lo = append(lo, p.Lo)
		hi = append(hi, p.Hi)
		if p.Out {
			out = append(out, p.Index)
		}
	}
	return center, spread, lo, hi, out
}
