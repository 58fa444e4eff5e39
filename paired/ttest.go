package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// TTest tests the parameter behind an estimate against null: (value − null) /
// SE on the estimate's degrees of freedom, normal if they are +Inf. It serves
// every estimate that has a standard error: [MeanDifference],
// [ClusterRobust], [PairedRepeats].
//
// Special cases are those of stats.WelchTest: with a standard error of 0 the
// statistic is 0 and p is 1 (one-sided ½) where value equals null, otherwise the
// statistic is ±Inf and p is that of the most extreme split of as many units;
// the warning no_variance is set.
//
// It returns stats.ErrDomain where the estimate has no standard error or no
// degrees of freedom, or for a null that is not finite.
func TTest(e stats.Estimate, null float64, alt stats.Alternative) (stats.Test, error) {
	if !(e.SE >= 0) || math.IsInf(e.SE, 1) {
		return stats.Test{}, fmt.Errorf("t test of %s: standard error %v, want a finite number of 0 or more: %w", e.Method, e.SE, stats.ErrDomain)
	}
	if !(e.DF > 0) {
		return stats.Test{}, fmt.Errorf("t test of %s: %v degrees of freedom, want more than 0: %w", e.Method, e.DF, stats.ErrDomain)
	}
	if err := stats.CheckFinite([]float64{e.Value, null}); err != nil {
		return stats.Test{}, fmt.Errorf("t test of %s: estimate and null: %w", e.Method, err)
	}
	switch alt {
	case stats.TwoSided, stats.Less, stats.Greater:
		return stats.WelchTest(e, null, alt), nil
	}
	return stats.Test{}, fmt.Errorf("t test of %s: %w", e.Method, errAlternative(alt))
}

// Noninferiority tests whether a difference is shown to stay within margin on
// the harmful side: with stats.Greater the null hypothesis is difference ≤
// −margin (a decrease is harm), with stats.Less it is difference ≥ margin (an
// increase is harm). The margin is in the unit of the estimate and not
// negative. Errors and special cases: see [TTest]; also stats.ErrDomain for a
// two-sided alternative, which is [TOST].
func Noninferiority(e stats.Estimate, margin float64, alt stats.Alternative) (stats.Test, error) {
	if err := checkMargin(margin); err != nil {
		return stats.Test{}, fmt.Errorf("noninferiority: %w", err)
	}
	switch alt {
	case stats.Greater:
		return TTest(e, -margin, alt)
	case stats.Less:
		return TTest(e, margin, alt)
	}
	return stats.Test{}, fmt.Errorf("noninferiority: alternative %v, want less or greater: %w", alt, stats.ErrDomain)
}

func checkMargin(margin float64) error {
	if !(margin >= 0) || math.IsInf(margin, 1) {
		return fmt.Errorf("margin %v, want a finite number of 0 or more: %w", margin, stats.ErrDomain)
	}
	return nil
}

// Equivalence is the outcome of two one-sided tests.
type Equivalence struct {
	Lower stats.Test // null hypothesis: difference ≤ −margin
	Upper stats.Test // null hypothesis: difference ≥ margin
	P     float64    // the larger of the two p-values
}

// TOST tests whether a difference is shown to lie within ±margin, by two
// one-sided tests. P ≤ α if and only if the interval of level 1 − 2α lies
// inside (−margin, margin). Errors and special cases: see [TTest]; the margin
// must not be negative. Source: Schuirmann 1987, Journal of Pharmacokinetics
// and Biopharmaceutics 15:657.
func TOST(e stats.Estimate, margin float64) (Equivalence, error) {
	lower, err := Noninferiority(e, margin, stats.Greater)
	if err != nil {
		return Equivalence{}, fmt.Errorf("equivalence: %w", err)
	}
	upper, err := Noninferiority(e, margin, stats.Less)
	if err != nil {
		return Equivalence{}, fmt.Errorf("equivalence: %w", err)
	}
	return Equivalence{lower, upper, math.Max(lower.P, upper.P)}, nil
}
