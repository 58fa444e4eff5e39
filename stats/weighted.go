package stats

import (
	"fmt"
	"math"
)

// WeightedMean returns Σ w·x / Σ w. Nil weights count every value once. It adds
// deviations from the value of the largest weight, so that a large common offset
// costs no digits.
//
// Errors: ErrTooFew for no values, ErrMismatch for weights of another length,
// ErrDomain for a value that is not finite, a weight that is negative or not
// finite, or weights that are all 0.
func WeightedMean(x, w []float64) (float64, error) {
	if err := checkWeighted(x, w); err != nil {
		return 0, err
	}
	mean, total := weightedMean(x, w)
	if !(total > 0) {
		return 0, fmt.Errorf("the weights add up to %v: want more than 0: %w", total, ErrDomain)
	}
	return mean, nil
}

// weightedMean is WeightedMean of good arguments, with the sum of the weights.
func weightedMean(x, w []float64) (mean, total float64) {
	heaviest := 0
	for i := range w {
		if w[i] > w[heaviest] {
			heaviest = i
		}
	}
	origin := x[heaviest]
	var sum float64
	for i, v := range x {
		wi := weightAt(w, i)
		sum += wi * (v - origin)
		total += wi
	}
	return origin + sum/total, total
}

// LeaveOneOutMeans returns the K weighted means of all values but one, in the
// order of the values left out: what Jackknife needs. Nil weights count every
// value once. Each mean is the sum of a head and a tail, so nothing cancels when
// a heavy value is left out. O(K).
//
// Errors: ErrTooFew for fewer than 2 values, otherwise those of WeightedMean;
// ErrDomain too if all weight is on one value, whose omission leaves nothing.
func LeaveOneOutMeans(x, w []float64) ([]float64, error) {
	k := len(x)
	if k < 2 {
		return nil, fmt.Errorf("leaving out one of %d values: want at least 2: %w", k, ErrTooFew)
	}
	if err := checkWeighted(x, w); err != nil {
		return nil, err
	}
	tailSum, tailWeight := make([]float64, k+1), make([]float64, k+1)
	for i := k - 1; i >= 0; i-- {
		wi := weightAt(w, i)
		tailSum[i] = tailSum[i+1] + wi*(x[i]-x[0])
		tailWeight[i] = tailWeight[i+1] + wi
	}
	loo := make([]float64, k)
	var sum, weight float64
	for i := range x {
		total := weight + tailWeight[i+1]
		if !(total > 0) {
			return nil, fmt.Errorf("without value %d the weights add up to %v: want more than 0: %w", i, total, ErrDomain)
		}
		loo[i] = x[0] + (sum+tailSum[i+1])/total
		wi := weightAt(w, i)
		sum += wi * (x[i] - x[0])
		weight += wi
	}
	return loo, nil
}

func weightAt(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

func checkWeighted(x, w []float64) error {
	if len(x) == 0 {
		return fmt.Errorf("mean of no values: want at least 1: %w", ErrTooFew)
	}
	if w != nil && len(w) != len(x) {
		return fmt.Errorf("%d values and %d weights: want as many: %w", len(x), len(w), ErrMismatch)
	}
	if err := CheckFinite(x); err != nil {
		return err
	}
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("weight %v at index %d: want a finite number of at least 0: %w", v, i, ErrDomain)
		}
	}
	return nil
}
