package stats

import (
	"fmt"
	"math"
)

// Mean returns the arithmetic mean of x from a compensated sum, so that a large
// common offset or one large value costs no digits.
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

// meanOf is the mean of at least one finite value: the mean of the values, then
// that of the residuals, which makes the mean of equal values that value.
func meanOf(x []float64) float64 {
	n := float64(len(x))
	mean := compensatedSum(x, 0) / n
	if math.IsNaN(mean) || math.IsInf(mean, 0) { // the sum overflows, the mean need not
		mean = 0
		for _, v := range x {
			mean += v / n
		}
	}
	return mean + compensatedSum(x, mean)/n
}

// compensatedSum is Σ (x − origin) with the rounding errors of the additions
// carried along (Neumaier 1974).
func compensatedSum(x []float64, origin float64) float64 {
	var sum, lost float64
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
	return sum + lost
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
