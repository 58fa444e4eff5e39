package stats

import (
	"encoding/json"
	"testing"
)

func TestGoldenRank(t *testing.T) {
	runMore(t, "rank.json", map[string]func(*moreRun){
		"mann_whitney_exact": func(g *moreRun) {
			// The case takes a − b and counts a above b: a is our second sample.
			x, y := g.slice("b"), g.slice("a")
			r, err := MannWhitneyExact(x, y, TwoSided)
			g.ok(err)
			g.want("W", r.UY)
			g.want("p", r.P)
			e, err := HodgesLehmannShift(x, y, g.num("conf"))
			g.ok(err)
			g.want("hl", e.Value)
			g.want("ci_lower", e.Interval.Lo)
			g.want("ci_upper", e.Interval.Hi)
		},
		"rank_two_sample": func(g *moreRun) {
			x, y := g.slice("a"), g.slice("b")
			r, err := MannWhitney(x, y, TwoSided, true)
			g.ok(err)
			g.want("u_a", r.UX)
			g.want("mw_p_cc", r.P)
			r, err = MannWhitney(x, y, TwoSided, false)
			g.ok(err)
			g.want("mw_p_nocc", r.P)
			g.want("cles", r.CLES)
			g.want("cliffs_delta", r.CliffsDelta)
			e, err := HodgesLehmannShift(x, y, 0.95)
			g.ok(err)
			g.want("hl_shift", e.Value)
			b, err := BrunnerMunzel(x, y, TwoSided, 0.95)
			g.ok(err)
			g.want("bm_stat", b.Statistic)
			g.want("bm_df", b.DF)
			g.want("bm_p", b.P)
			g.want("bm_ci_lower", b.Interval.Lo)
			g.want("bm_ci_upper", b.Interval.Hi)
		},
		"permutation_rank_exact_ties": func(g *moreRun) {
			x, y := g.slice("a"), g.slice("b")
			r, err := PermutationRank(x, y, TwoSided)
			g.ok(err)
			g.want("p_abs", r.P)
			r, err = PermutationRank(x, y, Greater)
			g.ok(err)
			g.want("p_greater", r.P)
		},
		"ks_two_sample": func(g *moreRun) {
			r, err := KolmogorovSmirnov(g.slice("a"), g.slice("b"))
			g.ok(err)
			g.want("D", r.D)
			g.want("p_exact", r.Exact)
			g.want("p_asym", r.Asymptotic)
		},
		"ks_two_sample_ties": func(g *moreRun) {
			r, err := KolmogorovSmirnov(g.slice("a"), g.slice("b"))
			g.ok(err)
			g.want("D", r.D)
			g.want("p_exact", r.Exact)
		},
		"anderson_darling_k": func(g *moreRun) {
			var samples [][]float64
			g.ok(json.Unmarshal(g.raw("samples"), &samples))
			r, err := AndersonDarling(samples...)
			g.ok(err)
			g.want("ad_stat_right", r.Right.Statistic)
			g.want("ad_stat_midrank", r.Midrank.Statistic)
			g.want("t_right", r.Right.Standardized)
			g.want("t_midrank", r.Midrank.Standardized)
			g.want("p_asym_right", r.Right.P)
			g.want("p_asym_midrank", r.Midrank.P)
		},
		"shift_function_hd": func(g *moreRun) {
			x, y := g.slice("a"), g.slice("b")
			s, err := ShiftFunctionHD(x, y, []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, 0.95)
			g.ok(err)
			var hx, hy, d []float64
			for _, p := range s {
				hx, hy, d = append(hx, p.X.Value), append(hy, p.Y.Value), append(d, p.Difference.Value)
			}
			g.want("hd_a", hx...)
			g.want("hd_b", hy...)
			g.want("diff", d...)
			g.want("wilcox_crit", WilcoxShiftCritical(len(x), len(y)))
		},
	})
}
