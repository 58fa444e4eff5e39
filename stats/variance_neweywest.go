package stats

import (
	"fmt"
	"math"
)

// SeriesVariance describes the dependence of one stationary series.
type SeriesVariance struct {
	Mean   float64
	Gamma0 float64 // variance of the values, with divisor n
	LRV    float64 // long-run variance: n times the variance of the mean
	SE     float64 // of the mean, √(LRV/n)
	ESS    float64 // effective sample size n·Gamma0/LRV
	Lag    int     // largest lag used
	N      int

	Warnings []Warning
}

// NeweyWest estimates the long-run variance of a series in time order with
// Bartlett weights up to the given lag,
//
//	LRV = γ_0 + 2 Σ_{k≤lag} (1 − k/(lag+1)) γ_k,
//
// autocovariances γ_k with divisor n, and from it the effective sample size. It
// is a diagnostic: with strong memory it is biased towards too large an ESS, and
// an interval should come from BatchMeans. The ESS of an indicator such as
// x ≤ c differs from that of x. Cost: n times lag.
//
// Special cases are: equal values have LRV 0, ESS n and the warning no_variance;
// an LRV that rounds to 0 for a series that varies gives an ESS of +Inf.
//
// Errors: ErrTooFew for fewer than 2 values, ErrDomain for a value that is not
// finite or a lag outside [0, n−1].
//
// Source: Newey & West 1987, Econometrica 55:703, doi:10.2307/1913610.
func NeweyWest(x []float64, lag int) (SeriesVariance, error) {
	n := len(x)
	if n < 2 {
		return SeriesVariance{}, fmt.Errorf("series of %d values: want at least 2: %w", n, ErrTooFew)
	}
	if lag < 0 || lag >= n {
		return SeriesVariance{}, fmt.Errorf("lag %d for %d values: want one in [0, %d]: %w", lag, n, n-1, ErrDomain)
	}
	mean, err := Mean(x)
	if err != nil {
		return SeriesVariance{}, err
	}
	d := make([]float64, n)
	for i, v := range x {
		d[i] = v - mean
	}
	fn := float64(n)
	autocovariance := func(k int) float64 {
		var sum float64
		for t := 0; t+k < n; t++ {
			sum += d[t] * d[t+k]
		}
		return sum / fn
	}
	s := SeriesVariance{Mean: mean, Gamma0: autocovariance(0), Lag: lag, N: n}
	if math.IsInf(s.Gamma0, 0) || math.IsNaN(s.Gamma0) {
		return SeriesVariance{}, fmt.Errorf("the variance overflows: %w", ErrDomain)
	}
	if s.Gamma0 == 0 {
		s.ESS = fn
		s.Warnings = []Warning{noVariance()}
		return s, nil
	}
	s.LRV = s.Gamma0
	for k := 1; k <= lag; k++ {
		s.LRV += 2 * (1 - float64(k)/float64(lag+1)) * autocovariance(k)
	}
	s.LRV = math.Max(0, s.LRV)
	s.SE = math.Sqrt(s.LRV / fn)
	s.ESS = fn * s.Gamma0 / s.LRV
	return s, nil
}

// NeweyWestLag returns the customary lag ⌊4 (n/100)^(2/9)⌋ for n values, at most
// n−1 and at least 0. It is too short for queues under load.
func NeweyWestLag(n int) int {
	lag := int(fuzz(4 * math.Pow(float64(max(n, 0))/100, 2.0/9)))
	return max(0, min(lag, n-1))
}
