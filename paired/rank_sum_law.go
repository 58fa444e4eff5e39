package paired

import (
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// rankSumLaw is the distribution of a sum of midranks, each taken or not with
// probability ½. prob[k] belongs to the sum k/2.
type rankSumLaw struct{ prob []float64 }

func newRankSumLaw(ranks []float64) rankSumLaw {
	total := 0
	twice := make([]int, len(ranks)) // twice a midrank is an integer
	for i, r := range ranks {
		twice[i] = int(math.Round(2 * r))
		total += twice[i]
	}
	prob := make([]float64, total+1)
	prob[0] = 1
	top := 0
	for _, r := range twice {
		top += r
		for k := top; k >= 0; k-- {
			p := prob[k]
			if k >= r {
				p += prob[k-r]
			}
			prob[k] = p / 2
		}
	}
	return rankSumLaw{prob}
}

// integerRankLaw is the law for n untied differences.
func integerRankLaw(n int) rankSumLaw {
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	return newRankSumLaw(ranks)
}

// atMost returns the probability of a sum of v or less.
func (l rankSumLaw) atMost(v float64) float64 {
	p := 0.0
	for k := 0; k <= int(math.Round(2*v)) && k < len(l.prob); k++ {
		p += l.prob[k]
	}
	return math.Min(1, p)
}

// p returns the p-value of the sum v. The law is symmetric, so twice the
// smaller tail is the probability of a sum at least as far from the centre.
func (l rankSumLaw) p(v float64, alt stats.Alternative) (float64, error) {
	mirrored := float64(len(l.prob)-1)/2 - v
	switch alt {
	case stats.TwoSided:
		return math.Min(1, 2*math.Min(l.atMost(v), l.atMost(mirrored))), nil
	case stats.Less:
		return l.atMost(v), nil
	case stats.Greater:
		return l.atMost(mirrored), nil
	}
	return 0, errAlternative(alt)
}

// quantile returns the smallest integer sum whose cumulative probability
// reaches a, for a law of integer ranks, and the probability below it.
func (l rankSumLaw) quantile(a float64) (q int, below float64) {
	sum := 0.0
	for k := 0; k < len(l.prob); k += 2 {
		if sum+l.prob[k] >= a-1e-12 {
			return k / 2, sum
		}
		sum += l.prob[k]
	}
	return (len(l.prob) - 1) / 2, sum
}
