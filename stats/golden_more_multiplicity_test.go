package stats

import "testing"

func TestGoldenMultiplicity(t *testing.T) {
	runMore(t, "multiplicity.json", map[string]func(*moreRun){
		"adjust": func(g *moreRun) {
			p := g.slice("p")
			for _, a := range []struct {
				key    string
				count  string
				adjust func([]float64) ([]float64, error)
			}{
				{"bonferroni", "reject_bonferroni_05", Bonferroni},
				{"holm", "reject_holm_05", Holm},
				{"hochberg", "reject_hochberg_05", Hochberg},
				{"hommel", "", Hommel},
				{"bh", "reject_bh_05", BH},
				{"by", "", BY},
			} {
				adj, err := a.adjust(p)
				g.ok(err)
				g.want(a.key, adj...)
				if _, ok := g.c.Expected[a.count]; ok {
					g.want(a.count, float64(countAtMost(adj, 0.05)))
				}
			}
		},
		"fixed_sequence_and_iut": func(g *moreRun) {
			p := g.slice("p_in_order")
			adj, err := FixedSequence(p)
			g.ok(err)
			g.want("adjusted", adj...)
			g.want("fixed_sequence_rejects", float64(countAtMost(adj, g.num("alpha"))))
			iut, _, err := IntersectionUnion(p)
			g.ok(err)
			g.want("iut_p", iut)
		},
		"dkw": func(g *moreRun) {
			eps, err := DKW(int(g.num("n")), g.num("conf"))
			g.ok(err)
			g.want("eps", eps)
			d, err := KSCritical(int(g.num("n")), g.num("conf"))
			g.ok(err)
			g.want("ks_exact_crit", d)
		},
		"equal_local_levels_band": func(g *moreRun) {
			n := int(g.num("n"))
			b, err := EqualLocalLevels(n, 1-g.num("alpha"))
			g.ok(err)
			g.want("local_level", b.LocalAlpha)
			g.want("lower_first", b.Lo[0])
			g.want("upper_first", b.Hi[0])
			mid := (n+1)/2 - 1
			g.want("lower_mid", b.Lo[mid])
			g.want("upper_mid", b.Hi[mid])
		},
		"shift_function_ks_band": func(g *moreRun) {
			x, y := g.slice("a"), g.slice("b")
			// The case rounds Kolmogorov's 95 % quantile to 1.358.
			c := KSTwoSampleCritical(len(x), len(y), 1.358)
			g.want("crit", c)
			b, err := ShiftBandAt(x, y, c)
			g.ok(err)
			g.want("lower", b.Lo...)
			g.want("upper", b.Hi...)
		},
	})
}

// countAtMost counts the values that are at most limit.
func countAtMost(p []float64, limit float64) int {
	n := 0
	for _, v := range p {
		if v <= limit {
			n++
		}
	}
	return n
}
