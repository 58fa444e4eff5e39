package stats

import (
	"fmt"
	"math"
)

// largestRankWork bounds the steps of PermutationRank.
const largestRankWork = 400_000_000

// PermutationRank is the rank-sum test with the exact permutation distribution of
// the midranks, so that ties are allowed. The two-sided p-value is the chance of a
// rank sum at least as far from its mean as the observed one. Without ties the
// one-sided p-values are those of MannWhitneyExact.
//
// Special cases are:
//
//	all values equal: P = 1, with a warning
//	samples too large to enumerate, about 150 values in all: ErrDomain
//	otherwise as MannWhitney
//
// The number of subsets with each sum is counted by dynamic programming, exact to
// rounding.
func PermutationRank(x, y []float64, alt Alternative) (RankTest, error) {
	r, ties, err := rankCounts(x, y, alt)
	if err != nil {
		return RankTest{}, err
	}
	r.Method = MethodPermutationRank
	total := r.NX + r.NY
	n := min(r.NX, r.NY)
	if work := float64(total) * float64(n) * float64(total) * float64(total+1); work > largestRankWork {
		return RankTest{}, fmt.Errorf("%d values in all: too many for the exact distribution of ranks: %w", total, ErrDomain)
	}
	if t := float64(total); ties == t*t*t-t {
		r.P = 1
		r.Warnings = append(r.Warnings, allTied())
		return r, nil
	}
	// Doubled midranks are whole numbers. Subsets of the smaller sample's size
	// are counted; the larger sample's sum is the rest.
	ranks := doubledMidranks(x, y)
	counts := subsetSums(ranks, n)
	// UY = R_y − n_y(n_y+1)/2, so doubled sums follow from the pair counts.
	observed := int(math.Round(2*r.UY)) + r.NY*(r.NY+1)
	if r.NY != n {
		observed = total*(total+1) - observed
	}
	mean := n * (total + 1)
	far := observed - mean
	if far < 0 {
		far = -far
	}
	var all, up, down, both float64
	for s, c := range counts {
		all += c
		if s >= observed {
			up += c
		}
		if s <= observed {
			down += c
		}
		if s-mean >= far || mean-s >= far {
			both += c
		}
	}
	if r.NY != n {
		up, down = down, up
	}
	switch alt {
	case Greater:
		r.P = up / all
	case Less:
		r.P = down / all
	default:
		r.P = both / all
	}
	r.P = math.Min(1, r.P)
	return r, nil
}

// doubledMidranks returns twice the midrank of every value of the pool, in
// ascending order.
func doubledMidranks(x, y []float64) []int {
	pooled := poolSorted(x, y)
	ranks := make([]int, len(pooled))
	for i := 0; i < len(pooled); {
		j := i
		for j < len(pooled) && pooled[j].v == pooled[i].v {
			j++
		}
		for k := i; k < j; k++ {
			ranks[k] = i + 1 + j // twice the mean of ranks i+1..j
		}
		i = j
	}
	return ranks
}

// subsetSums returns, for each sum, the number of subsets of n of the values.
func subsetSums(values []int, n int) []float64 {
	reach := 0
	for _, v := range values {
		reach += v
	}
	table := make([][]float64, n+1) // table[k][s]
	for k := range table {
		table[k] = make([]float64, reach+1)
	}
	table[0][0] = 1
	sum := 0
	for i, v := range values {
		sum += v
		for k := min(n, i+1); k >= 1; k-- {
			to, from := table[k], table[k-1]
			for s := v; s <= sum; s++ {
				to[s] += from[s-v]
			}
		}
	}
	return table[n]
}
