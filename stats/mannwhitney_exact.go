package stats

import (
	"fmt"
	"math"
)

// largestExactPairs bounds the number of pairs for exact rank distributions.
const largestExactPairs = 10_000

// MannWhitneyExact is MannWhitney with the exact null distribution of the number
// of pairs, for samples without ties. The two-sided p-value is twice the smaller
// tail, at most 1.
//
// Special cases are:
//
//	a tie, within or between the samples: ErrDomain; use PermutationRank
//	more than 10,000 pairs: ErrDomain; use MannWhitney
//	otherwise as MannWhitney
//
// The cost is the square of the number of pairs.
func MannWhitneyExact(x, y []float64, alt Alternative) (RankTest, error) {
	r, ties, err := rankCounts(x, y, alt)
	if err != nil {
		return RankTest{}, err
	}
	if ties > 0 {
		return RankTest{}, fmt.Errorf("samples have ties: the exact distribution without ties does not apply: %w", ErrDomain)
	}
	if pairs := r.NX * r.NY; pairs > largestExactPairs {
		return RankTest{}, fmt.Errorf("%d pairs: want at most %d for the exact distribution: %w", pairs, largestExactPairs, ErrDomain)
	}
	r.Method = MethodMannWhitneyExact
	pmf := uDistribution(r.NX, r.NY)
	// The law is symmetric: P(UY ≥ u) = P(UX ≤ mn − u).
	greater := sumTo(pmf, int(r.UX))
	less := sumTo(pmf, int(r.UY))
	switch alt {
	case Greater:
		r.P = greater
	case Less:
		r.P = less
	default:
		r.P = math.Min(1, 2*math.Min(greater, less))
	}
	return r, nil
}

// uDistribution returns P(U = u), u = 0..mn, for samples of m and n without ties:
// the largest value is from the first sample with chance m/(m+n), and then adds n
// pairs.
func uDistribution(m, n int) []float64 {
	row := make([][]float64, n+1) // row[j] is the law for (i, j)
	for j := range row {
		row[j] = []float64{1}
	}
	for i := 1; i <= m; i++ {
		next := make([][]float64, n+1)
		next[0] = []float64{1}
		for j := 1; j <= n; j++ {
			p := make([]float64, i*j+1)
			wx := float64(i) / float64(i+j)
			for u, v := range row[j] {
				p[u+j] += wx * v
			}
			for u, v := range next[j-1] {
				p[u] += (1 - wx) * v
			}
			next[j] = p
		}
		row = next
	}
	return row[n]
}

// sumTo returns the sum of p[0..k].
func sumTo(p []float64, k int) float64 {
	s := 0.0
	for i := 0; i <= k && i < len(p); i++ {
		s += p[i]
	}
	return math.Min(1, s)
}
