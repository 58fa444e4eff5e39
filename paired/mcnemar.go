package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// McNemarExact tests whether the two rates differ at all, two-sided, with the
// exact binomial distribution of the discordant items. Its size is far below
// the nominal one when few items are discordant; prefer [McNemarMidP]. The
// statistic is the number of items that only y has right.
//
// Special cases are: p is 1 when no item is discordant.
//
// It returns stats.ErrTooFew for an empty table and stats.ErrDomain for a
// negative count. Source: McNemar 1947, Psychometrika 12:153.
func McNemarExact(t Table) (stats.Test, error) {
	exact, _, err := mcnemarTail(t)
	if err != nil {
		return stats.Test{}, fmt.Errorf("mcnemar exact test: %w", err)
	}
	return stats.Test{Statistic: float64(t.OnlyY), P: exact, Method: MethodMcNemarExact}, nil
}

// McNemarMidP tests whether the two rates differ at all, two-sided, with the
// exact p-value less the probability of the observed split. The statistic is
// the number of items that only y has right. It is the default for "any
// difference"; a margin needs [TangoNoninferiority].
//
// Special cases are: p is 1 when both directions have equally many items.
//
// Errors: see [McNemarExact]. Source: Fagerland, Lydersen and Laake 2013, BMC
// Medical Research Methodology 13:91.
func McNemarMidP(t Table) (stats.Test, error) {
	exact, point, err := mcnemarTail(t)
	if err != nil {
		return stats.Test{}, fmt.Errorf("mcnemar mid-p test: %w", err)
	}
	p := 1.0
	if t.OnlyX != t.OnlyY {
		p = math.Max(0, exact-point)
	}
	return stats.Test{Statistic: float64(t.OnlyY), P: p, Method: MethodMcNemarMidP}, nil
}

// mcnemarTail returns the two-sided exact p-value and the probability of the
// observed number in the rarer direction.
func mcnemarTail(t Table) (exact, point float64, err error) {
	if err := t.Validate(); err != nil {
		return 0, 0, err
	}
	k, m := min(t.OnlyX, t.OnlyY), t.Discordant()
	if m == 0 {
		return 1, 1, nil
	}
	return math.Min(1, 2*stats.BinomialCDF(k, m, 0.5)), stats.BinomialPMF(k, m, 0.5), nil
}

// McNemarChiSquared tests whether the two rates differ at all with the
// asymptotic statistic on one degree of freedom, with Edwards's continuity
// correction if continuity is set. Uncorrected it is the square of [TangoTest]
// at 0.
//
// Special cases are: the statistic is 0 and p is 1 when no item is discordant.
//
// Errors: see [McNemarExact]. Source: McNemar 1947; Edwards 1948,
// Psychometrika 13:185.
func McNemarChiSquared(t Table, continuity bool) (stats.Test, error) {
	if err := t.Validate(); err != nil {
		return stats.Test{}, fmt.Errorf("mcnemar chi-squared test: %w", err)
	}
	test := stats.Test{DF: 1, P: 1, Method: MethodMcNemarChiSquared}
	gap := math.Abs(float64(t.OnlyY - t.OnlyX))
	if continuity {
		test.Method = MethodMcNemarChiSquaredCorrected
		gap = math.Max(0, gap-1)
	}
	if m := t.Discordant(); m > 0 {
		test.Statistic = gap * gap / float64(m)
		test.P = stats.ChiSquaredSurvival(test.Statistic, 1)
	}
	return test, nil
}
