package paired

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// exactRanks is the number of ranked differences up to which null
// distributions of rank sums are exact; beyond it they are normal.
const exactRanks = 200

// ZeroRule says what becomes of items whose difference is 0 in [SignedRank].
type ZeroRule int8

// The rules for zeros.
const (
	// DropZeros leaves zeros out before ranking (Wilcoxon 1945).
	DropZeros ZeroRule = iota
	// RankZeros ranks zeros with the rest and then leaves them out (Pratt
	// 1959, JASA 54:655); preferable when more than a fifth are zeros.
	RankZeros
)

// SignedRankOptions chooses the variant of [SignedRank]. The zero value is the
// recommended one: two-sided, zeros dropped, exact where feasible, continuity
// correction where not.
type SignedRankOptions struct {
	Alternative  stats.Alternative
	Zeros        ZeroRule
	Normal       bool // use the normal approximation whatever the number of items
	NoContinuity bool // leave out the continuity correction of the normal approximation
}

// SignedRank tests whether the differences d are symmetric about 0 with
// Wilcoxon's signed-rank statistic, the sum of the ranks of |d| over positive
// d. It tests the pseudo-median, not the mean, and only if d is symmetric: for
// means use [MeanDifference].
//
// Ties get midranks. Up to 200 ranked items p is exact given the ranks (all
// sign flips, by dynamic programming), beyond that normal with the variance of
// the midranks.
//
// Special cases are: p is 1 and the statistic 0 when every difference is 0.
//
// It returns stats.ErrTooFew without differences and stats.ErrDomain for a
// value that is not finite or an unknown option. Cost: O(n³) up to 200 items,
// then O(n log n). Source: Wilcoxon 1945, Biometrics Bulletin 1:80.
func SignedRank(d []float64, o SignedRankOptions) (stats.Test, error) {
	ranks, v, err := signedRanks(d, o.Zeros)
	if err != nil {
		return stats.Test{}, fmt.Errorf("signed rank test: %w", err)
	}
	test := stats.Test{Statistic: v, P: 1, Alternative: o.Alternative, Method: MethodSignedRankExact}
	if len(ranks) == 0 {
		if _, err := normalP(0, o.Alternative); err != nil {
			return stats.Test{}, fmt.Errorf("signed rank test: %w", err)
		}
		test.Warnings = append(test.Warnings, noVariance())
		return test, nil
	}
	if !o.Normal && len(ranks) <= exactRanks {
		test.P, err = newRankSumLaw(ranks).p(v, o.Alternative)
	} else {
		test.Method, test.DF = MethodSignedRankNormal, math.Inf(1)
		test.P, err = normalRankP(ranks, v, o.Alternative, !o.NoContinuity)
	}
	if err != nil {
		return stats.Test{}, fmt.Errorf("signed rank test: %w", err)
	}
	return test, nil
}

// signedRanks returns the midranks of the nonzero |d| and the sum of those
// that belong to positive d.
func signedRanks(d []float64, zeros ZeroRule) (ranks []float64, v float64, err error) {
	if zeros != DropZeros && zeros != RankZeros {
		return nil, 0, fmt.Errorf("zero rule %d, want DropZeros or RankZeros: %w", zeros, stats.ErrDomain)
	}
	if len(d) == 0 {
		return nil, 0, fmt.Errorf("0 differences, want 1 or more: %w", stats.ErrTooFew)
	}
	if err := stats.CheckFinite(d); err != nil {
		return nil, 0, err
	}
	s := slices.Clone(d)
	slices.SortFunc(s, func(a, b float64) int {
		switch a, b := math.Abs(a), math.Abs(b); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	shift := 0 // ranks start after this many dropped values
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && math.Abs(s[j]) == math.Abs(s[i]) {
			j++
		}
		if s[i] == 0 {
			if zeros == DropZeros {
				shift = j
			}
			i = j
			continue
		}
		rank := float64(i+j+1)/2 - float64(shift)
		for ; i < j; i++ {
			ranks = append(ranks, rank)
			if s[i] > 0 {
				v += rank
			}
		}
	}
	return ranks, v, nil
}

// normalRankP refers a signed-rank sum to the normal distribution with the
// mean and variance of random signs on the given ranks.
func normalRankP(ranks []float64, v float64, alt stats.Alternative, continuity bool) (float64, error) {
	mean, variance := 0.0, 0.0
	for _, r := range ranks {
		mean += r / 2
		variance += r * r / 4
	}
	gap := v - mean
	if continuity {
		switch alt {
		case stats.TwoSided:
			gap = math.Copysign(math.Max(0, math.Abs(gap)-0.5), gap)
		case stats.Greater:
			gap -= 0.5
		case stats.Less:
			gap += 0.5
		}
	}
	return normalP(gap/math.Sqrt(variance), alt)
}
