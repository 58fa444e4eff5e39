package stats

import (
	"fmt"
	"math"
)

// Mean returns the arithmetic mean of x, computed about the first value so that
// a large common offset costs no digits.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite.
func Mean(x []float64) (float64, error) {
	if len(x) == 0 {
		return 0, fmt.Errorf("mean of no values: want at least 1: %w", ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return 0, err
	}
	m := meanOf(x)
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return 0, fmt.Errorf("the mean overflows: %w", ErrDomain)
	}
	return m, nil
}

// MeanVariance returns the mean and the unbiased (n−1) variance of x in two
// passes, with the first pass's rounding error taken out of the second (Chan,
// Golub & LeVeque 1983, The American Statistician 37:242).
//
// Special cases are: equal values have a variance of exactly 0.
//
// Errors: ErrTooFew for fewer than 2 values, ErrDomain for a value that is not
// finite or a variance too large for a float64.
func MeanVariance(x []float64) (mean, variance float64, err error) {
	if len(x) < 2 {
		return 0, 0, fmt.Errorf("variance of %d values: want at least 2: %w", len(x), ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return 0, 0, err
	}
	mean = meanOf(x)
	variance = varianceAbout(x, mean)
	if math.IsNaN(mean) || math.IsInf(mean, 0) || math.IsNaN(variance) || math.IsInf(variance, 0) {
		return 0, 0, fmt.Errorf("the variance overflows: %w", ErrDomain)
	}
	return mean, variance, nil
}

// meanOf is the mean of at least one finite value.
func meanOf(x []float64) float64 {
	origin := x[0]
	sum, lost := 0.0, 0.0 // Neumaier's compensated sum of the deviations
	for _, v := range x {
		d := v - origin
		s := sum + d
		if math.Abs(sum) >= math.Abs(d) {
			lost += (sum - s) + d
		} else {
			lost += (d - s) + sum
		}
		sum = s
	}
	return origin + (sum+lost)/float64(len(x))
}

// varianceAbout is the unbiased variance of at least two values given their mean.
func varianceAbout(x []float64, mean float64) float64 {
	var sum, sq float64
	for _, v := range x {
		d := v - mean
		sum += d
		sq += d * d
	}
	n := float64(len(x))
	return math.Max(0, sq-sum*sum/n) / (n - 1)
}
