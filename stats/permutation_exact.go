package stats

import (
	"fmt"
	"math"
)

// PermutationExact tests by enumerating every split of the pooled values into
// samples of the observed sizes, for any statistic of the two samples. The p-value
// is the share of splits, the observed one included, whose statistic is at least
// as extreme: as large for Greater, as small for Less, as far from 0 for TwoSided,
// within a slack of 1e-9 of the largest. It is exact when the values are
// exchangeable under the hypothesis, which needs equal spreads, not only equal
// centres.
//
// The slices given to statistic are reused between calls and must not be kept;
// they hold the values in pool order. A statistic of NaN counts as at least as
// extreme, which errs on the side of no effect.
//
// Special cases are:
//
//	an empty sample: ErrTooFew
//	more than maxSplits splits, NaN in the samples or for the observed statistic,
//	an unknown alternative: ErrDomain
func PermutationExact(x, y []float64, statistic func(x, y []float64) float64, alt Alternative, maxSplits int) (Test, error) {
	if err := checkRankInput(x, y, alt); err != nil {
		return Test{}, err
	}
	if splits := binomialCoefficient(len(x)+len(y), len(y)); splits > float64(maxSplits) {
		return Test{}, fmt.Errorf("%.4g splits: want at most %d: %w", splits, maxSplits, ErrDomain)
	}
	pool := append(append([]float64(nil), x...), y...)
	a, b := make([]float64, len(x)), make([]float64, len(y))
	copy(a, x)
	copy(b, y)
	observed := statistic(a, b)
	if math.IsNaN(observed) {
		return Test{}, fmt.Errorf("statistic of the samples is NaN: %w", ErrDomain)
	}
	var stats []float64
	eachSplit(len(pool), len(y), func(inY []int) {
		fillSplit(pool, inY, a, b)
		stats = append(stats, statistic(a, b))
	})
	return Test{
		Statistic:   observed,
		P:           extremeShare(stats, observed, alt),
		Alternative: alt,
		Method:      MethodPermutationExact,
	}, nil
}

// extremeShare is the share of replicates at least as extreme as observed.
func extremeShare(replicates []float64, observed float64, alt Alternative) float64 {
	largest := math.Abs(observed)
	for _, v := range replicates {
		if a := math.Abs(v); !math.IsInf(a, 0) {
			largest = math.Max(largest, a)
		}
	}
	slack := 1e-9 * largest
	if math.IsInf(slack, 0) {
		slack = 0
	}
	hits := 0
	for _, v := range replicates {
		var below bool
		switch alt {
		case Greater:
			below = v < observed-slack
		case Less:
			below = v > observed+slack
		default:
			below = math.Abs(v) < math.Abs(observed)-slack
		}
		if !below {
			hits++
		}
	}
	return float64(hits) / float64(len(replicates))
}

// eachSplit calls visit with every ascending choice of k of the indices below n.
func eachSplit(n, k int, visit func(chosen []int)) {
	chosen := make([]int, k)
	for i := range chosen {
		chosen[i] = i
	}
	for {
		visit(chosen)
		i := k - 1
		for i >= 0 && chosen[i] == n-k+i {
			i--
		}
		if i < 0 {
			return
		}
		chosen[i]++
		for j := i + 1; j < k; j++ {
			chosen[j] = chosen[j-1] + 1
		}
	}
}

// fillSplit puts the chosen values of the pool into y and the others into x.
func fillSplit(pool []float64, chosen []int, x, y []float64) {
	c, j := 0, 0
	for i, v := range pool {
		if c < len(chosen) && chosen[c] == i {
			y[c] = v
			c++
			continue
		}
		x[j] = v
		j++
	}
}

// binomialCoefficient is n over k, +Inf beyond the range of float64.
func binomialCoefficient(n, k int) float64 {
	c := 1.0
	for i := 1; i <= min(k, n-k); i++ {
		c = c * float64(n-min(k, n-k)+i) / float64(i)
	}
	return math.Round(c)
}
