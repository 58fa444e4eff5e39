package stats

import (
	"fmt"
	"math"
)

// Energy is the energy distance of two samples in its two common forms.
type Energy struct {
	// Statistic is mn/(m+n) times 2·mean|x−y| − mean|x−x'| − mean|y−y'|, all
	// ordered pairs counted, those of a value with itself included. It is never
	// negative.
	Statistic float64
	// Divergence is the unbiased form, without pairs of a value with itself and
	// not scaled by the sizes. It may be negative.
	Divergence float64
}

// EnergyDistance returns the energy distance of two samples, with distances raised
// to exponent in (0, 2): 0 in expectation only where the distributions are equal,
// so it sees any change and not only one of the mean (exponent 2 would see only
// the mean and is refused). Multiply Divergence by mn/(m+n) for the statistic of
// E-divisive. The cost is quadratic.
//
// It returns ErrTooFew for fewer than 2 values a side and ErrDomain for a
// non-finite value or an exponent outside (0, 2).
//
// Source: Székely & Rizzo 2013, Journal of Statistical Planning and Inference
// 143:1249, doi:10.1016/j.jspi.2013.03.018.
func EnergyDistance(x, y []float64, exponent float64) (Energy, error) {
	if len(x) < 2 || len(y) < 2 {
		return Energy{}, fmt.Errorf("samples of %d and %d values: want at least 2 each: %w", len(x), len(y), ErrTooFew)
	}
	if err := checkEnergy(exponent, x, y); err != nil {
		return Energy{}, err
	}
	m, n := float64(len(x)), float64(len(y))
	between := 0.0
	for _, a := range x {
		for _, b := range y {
			between += gap(a, b, exponent)
		}
	}
	wx, wy := withinSum(x, exponent), withinSum(y, exponent)
	return Energy{
		Statistic:  m * n / (m + n) * (2*between/(m*n) - 2*wx/(m*m) - 2*wy/(n*n)),
		Divergence: divergence(between, wx, wy, m, n),
	}, nil
}

// EnergyBreak is the best division of a sequence in two by the energy distance.
type EnergyBreak struct {
	Split int     // number of values before the break
	Q     float64 // mn/(m+n) times the divergence there
}

// EnergySplit returns the division of a sequence into two parts of at least least
// values each with the largest scaled energy divergence, the first step of
// E-divisive. Take least of 10 or more to interpret it. The cost is quadratic.
//
// It returns ErrTooFew for fewer than 2·least values, and ErrDomain for least < 2,
// a non-finite value or an exponent outside (0, 2).
//
// Source: Matteson & James 2014, JASA 109:334, doi:10.1080/01621459.2013.849605.
func EnergySplit(x []float64, least int, exponent float64) (EnergyBreak, error) {
	if least < 2 {
		return EnergyBreak{}, fmt.Errorf("parts of at least %d values: want at least 2: %w", least, ErrDomain)
	}
	if len(x) < 2*least {
		return EnergyBreak{}, fmt.Errorf("%d values: want at least %d: %w", len(x), 2*least, ErrTooFew)
	}
	if err := checkEnergy(exponent, x); err != nil {
		return EnergyBreak{}, err
	}
	return energySplit(x, least, exponent), nil
}

// EnergySplitTest is EnergySplit with a permutation p-value of "no change of the
// distribution anywhere", for independent values. permute must put a random
// permutation of its argument in place for replicate r; the caller owns the
// randomness, so that the answer is reproducible. p = (1 + number of replicates
// with at least the observed Q)/(1 + replicates), within a slack of 1e-9.
//
// It returns ErrDomain for replicates < 1 and otherwise the errors of EnergySplit.
func EnergySplitTest(x []float64, least int, exponent float64, replicates int, permute func(r int, x []float64)) (EnergyBreak, float64, error) {
	if replicates < 1 {
		return EnergyBreak{}, 0, fmt.Errorf("%d replicates: want at least 1: %w", replicates, ErrDomain)
	}
	best, err := EnergySplit(x, least, exponent)
	if err != nil {
		return EnergyBreak{}, 0, err
	}
	shuffled := append([]float64(nil), x...)
	hits := 1
	for r := range replicates {
		copy(shuffled, x)
		permute(r, shuffled)
		if energySplit(shuffled, least, exponent).Q >= best.Q-1e-9*math.Abs(best.Q) {
			hits++
		}
	}
	return best, float64(hits) / float64(replicates+1), nil
}

// energySplit moves values one by one from the right part to the left.
func energySplit(x []float64, least int, exponent float64) EnergyBreak {
	total := withinSum(x, exponent)
	left, right := 0.0, total
	best := EnergyBreak{Q: math.Inf(-1)}
	for i, v := range x {
		for j, w := range x {
			switch {
			case j < i:
				left += gap(v, w, exponent)
			case j > i:
				right -= gap(v, w, exponent)
			}
		}
		m, n := float64(i+1), float64(len(x)-i-1)
		if i+1 < least || len(x)-i-1 < least {
			continue
		}
		q := m * n / (m + n) * divergence(total-left-right, left, right, m, n)
		if q > best.Q {
			best = EnergyBreak{Split: i + 1, Q: q}
		}
	}
	return best
}

// divergence is the unbiased energy divergence from sums over unordered pairs.
func divergence(between, wx, wy, m, n float64) float64 {
	return 2*between/(m*n) - 2*wx/(m*(m-1)) - 2*wy/(n*(n-1))
}

// withinSum adds the gaps of all unordered pairs.
func withinSum(x []float64, exponent float64) float64 {
	s := 0.0
	for i, a := range x {
		for _, b := range x[:i] {
			s += gap(a, b, exponent)
		}
	}
	return s
}

// gap is |a − b| raised to exponent.
func gap(a, b, exponent float64) float64 {
	d := math.Abs(a - b)
	if exponent == 1 {
		return d
	}
	return math.Pow(d, exponent)
}

func checkEnergy(exponent float64, samples ...[]float64) error {
	if !(exponent > 0 && exponent < 2) {
		return fmt.Errorf("exponent %v: want a number in (0, 2): %w", exponent, ErrDomain)
	}
	for _, s := range samples {
		if err := CheckFinite(s); err != nil {
			return err
		}
	}
	return nil
}
