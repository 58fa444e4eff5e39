package stats

import (
	"fmt"
	"math"
)

// BrunnerMunzelPermuted is BrunnerMunzel with the p-value of the studentised
// permutation test: every split of the pooled values, the statistic divided by its
// standard error in each. It keeps its level for unequal spreads much better than
// the t distribution when there are fewer than ten values a side. Two-sided is by
// the absolute statistic; the interval is the one of BrunnerMunzel.
//
// It returns ErrDomain for more than maxSplits splits and otherwise the errors of
// BrunnerMunzel.
//
// Source: Neubert & Brunner 2007, Computational Statistics & Data Analysis
// 51:5192, doi:10.1016/j.csda.2006.05.024.
func BrunnerMunzelPermuted(x, y []float64, alt Alternative, level float64, maxSplits int) (BrunnerMunzelTest, error) {
	out, err := BrunnerMunzel(x, y, alt, level)
	if err != nil {
		return BrunnerMunzelTest{}, err
	}
	statistic := func(a, b []float64) float64 {
		p := placements(a, b)
		m, n := float64(len(a)), float64(len(b))
		effect := meanOf(p.y) / m
		t, se, _ := brunnerMunzel(p, effect, m, n)
		if se > 0 {
			return t
		}
		// Without variance the effect is 0, ½ or 1: beyond every finite value.
		switch {
		case effect > 0.5:
			return math.Inf(1)
		case effect < 0.5:
			return math.Inf(-1)
		}
		return 0
	}
	test, err := PermutationExact(x, y, statistic, alt, maxSplits)
	if err != nil {
		return BrunnerMunzelTest{}, fmt.Errorf("studentised permutation: %w", err)
	}
	out.P = test.P
	out.DF = 0
	out.Method = MethodBrunnerMunzelPermuted
	return out, nil
}
