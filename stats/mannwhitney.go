package stats

import (
	"fmt"
	"math"
	"sort"
)

// RankTest is the outcome of a rank test of two independent samples together
// with the effect it is about.
type RankTest struct {
	Test
	// UX counts the pairs with x above y, ties one half; UY those with y above x.
	// UX + UY is the number of pairs.
	UX, UY float64
	// CLES is the common-language effect size P(X < Y) + ½P(X = Y) in the
	// samples: the chance that a random y exceeds a random x.
	CLES float64
	// CliffsDelta is 2·CLES − 1, positive where y tends to be larger.
	CliffsDelta float64
	NX, NY      int
}

// MannWhitney tests whether the values of y tend to be larger or smaller than
// those of x, by the normal approximation with the correction of the variance for
// ties, and with a continuity correction of ½ if correct is set. Greater means
// that y tends to be larger. Statistic is UX.
//
// It tests P(X < Y) = ½ only where the two distributions have the same shape
// under the hypothesis; it is not a test of medians when spreads differ. See
// BrunnerMunzel. Below about ten values a side use MannWhitneyExact or
// PermutationRank. Observations must be independent.
//
// Special cases are:
//
//	all values equal: P = 1, with a warning
//	an empty sample: ErrTooFew
//	NaN or an unknown alternative: ErrDomain; ±Inf is ranked like any value
//
// The cost is that of sorting.
//
// Source: Mann & Whitney 1947, Annals of Mathematical Statistics 18:50,
// doi:10.1214/aoms/1177730491.
func MannWhitney(x, y []float64, alt Alternative, correct bool) (RankTest, error) {
	r, ties, err := rankCounts(x, y, alt)
	if err != nil {
		return RankTest{}, err
	}
	r.Method = MethodMannWhitney
	m, n := float64(r.NX), float64(r.NY)
	total := m + n
	variance := m * n / 12 * (total + 1)
	if total > 1 {
		variance -= m * n / 12 * ties / (total * (total - 1))
	}
	r.DF = math.Inf(1)
	if !(variance > 1e-12*m*n*(total+1)) {
		r.P = 1
		r.Warnings = append(r.Warnings, allTied())
		return r, nil
	}
	// Work on UY, which is large when y is.
	d := r.UY - m*n/2
	half := 0.0
	if correct {
		half = 0.5
	}
	sd := math.Sqrt(variance)
	switch alt {
	case Greater:
		r.P = NormalSurvival((d - half) / sd)
	case Less:
		r.P = NormalCDF((d + half) / sd)
	default:
		r.P = math.Min(1, 2*NormalSurvival((math.Abs(d)-half)/sd))
	}
	return r, nil
}

// CLES returns the effect sizes of two samples without a test: the fields UX,
// UY, CLES, CliffsDelta, NX and NY of a RankTest, whose P is 1. Errors are those
// of MannWhitney.
func CLES(x, y []float64) (RankTest, error) {
	r, _, err := rankCounts(x, y, TwoSided)
	r.Method = MethodCLES
	r.P = 1
	return r, err
}

// eachTie visits the groups of equal values of both samples in ascending order,
// with how many of a group come from each.
func eachTie(x, y []float64, visit func(fromX, fromY int)) {
	pooled := poolSorted(x, y)
	for i := 0; i < len(pooled); {
		j, fromX := i, 0
		for ; j < len(pooled) && pooled[j].v == pooled[i].v; j++ {
			if !pooled[j].second {
				fromX++
			}
		}
		visit(fromX, j-i-fromX)
		i = j
	}
}

// rankCounts fills the counts and effect sizes and returns Σ(t³ − t) over groups
// of tied values.
func rankCounts(x, y []float64, alt Alternative) (RankTest, float64, error) {
	if err := checkRankInput(x, y, alt); err != nil {
		return RankTest{}, 0, err
	}
	ux, ties := 0.0, 0.0
	belowY := 0 // values of y below the current group
	eachTie(x, y, func(fromX, fromY int) {
		ux += float64(fromX) * (float64(belowY) + float64(fromY)/2)
		t := float64(fromX + fromY)
		ties += t*t*t - t
		belowY += fromY
	})
	pairs := float64(len(x)) * float64(len(y))
	r := RankTest{UX: ux, UY: pairs - ux, NX: len(x), NY: len(y)}
	r.CLES = r.UY / pairs
	r.CliffsDelta = (r.UY - r.UX) / pairs
	r.Statistic = ux
	r.Alternative = alt
	return r, ties, nil
}

// pooledValue is a value and whether it comes from the second sample.
type pooledValue struct {
	v      float64
	second bool
}

// poolSorted returns both samples in ascending order.
func poolSorted(x, y []float64) []pooledValue {
	p := make([]pooledValue, 0, len(x)+len(y))
	for _, v := range x {
		p = append(p, pooledValue{v: v})
	}
	for _, v := range y {
		p = append(p, pooledValue{v: v, second: true})
	}
	sort.Slice(p, func(i, j int) bool { return p[i].v < p[j].v })
	return p
}

// checkRankInput returns an error unless both samples hold values that can be
// ranked and the alternative is known.
func checkRankInput(x, y []float64, alt Alternative) error {
	if len(x) == 0 || len(y) == 0 {
		return fmt.Errorf("samples of %d and %d values: want at least 1 each: %w", len(x), len(y), ErrTooFew)
	}
	for _, s := range [][]float64{x, y} {
		for i, v := range s {
			if math.IsNaN(v) {
				return fmt.Errorf("NaN at index %d cannot be ranked: %w", i, ErrDomain)
			}
		}
	}
	if alt != TwoSided && alt != Less && alt != Greater {
		return fmt.Errorf("%v: want two-sided, less or greater: %w", alt, ErrDomain)
	}
	return nil
}

// allTied warns that every value is the same.
func allTied() Warning {
	return Warning{Code: WarnAllTied, Text: "all values are equal, so ranks say nothing"}
}
