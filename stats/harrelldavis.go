package stats

import (
	"fmt"
	"math"
)

// HarrellDavis estimates the quantile of level q as the weighted sum of all order
// statistics with the weights of Beta((n+1)q, (n+1)(1−q)): the bootstrap mean of
// a fractional order statistic. It is smooth and efficient for q between about
// 0.1 and 0.9; with few values beyond q it is drawn towards the bulk, and one
// outlier leaks into every tail quantile.
//
// SE is the delete-one jackknife error with the full sample's beta parameters,
// the interval value ± z·SE (DF +Inf), which assumes independent values.
//
// Special cases are: equal values give SE 0 and the warning no_variance; one
// value has no SE (NaN) and an unbounded interval with the warning unbounded.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite, q
// or level outside (0, 1).
//
// Source: Harrell & Davis 1982, Biometrika 69:635, doi:10.1093/biomet/69.3.635;
// the jackknife as in R's Hmisc::hdquantile.
func HarrellDavis(x []float64, q, level float64) (Estimate, error) {
	if err := CheckFinite(x); err != nil {
		return Estimate{}, err
	}
	return HarrellDavisSorted(sortedValues(x), q, level)
}

// HarrellDavisSorted is HarrellDavis for finite values in ascending order, which
// it does not check.
func HarrellDavisSorted(sorted []float64, q, level float64) (Estimate, error) {
	n := len(sorted)
	if err := checkQuantileInterval(n, q, level); err != nil {
		return Estimate{}, err
	}
	a, b := float64(n+1)*q, float64(n+1)*(1-q)
	if a == 0 || b == 0 {
		return Estimate{}, fmt.Errorf("quantile level %v is too close to 0 or 1: %w", q, ErrDomain)
	}
	first, w := betaCells(n, a, b)
	value, _ := weightedMean(sorted[first-1:first-1+len(w)], w)
	if n == 1 {
		return Estimate{
			Value: value, SE: math.NaN(), N: 1, Method: MethodHarrellDavis, Interval: Unbounded(level),
			Warnings: []Warning{unbounded()},
		}, nil
	}
	est := tEstimate(value, harrellDavisSE(sorted, a, b), math.Inf(1), level)
	est.N = n
	est.Method = MethodHarrellDavis
	return est, nil
}

// harrellDavisSE is the jackknife error. With weights w_j for n−1 values, leaving
// out the i-th of n gives S_i = Σ_{j<i} w_j x_j + Σ_{j≥i} w_j x_{j+1}, so that
// S_{i+1} − S_i = w_i (x_i − x_{i+1}): one pass over the weights that matter.
func harrellDavisSE(sorted []float64, a, b float64) float64 {
	n := len(sorted)
	first, w := betaCells(n-1, a, b)
	steps := make([]float64, len(w)+1) // S − S_1 where it changes
	for k, wk := range w {
		i := first + k
		steps[k+1] = steps[k] + wk*(sorted[i-1]-sorted[i])
	}
	// steps[0] holds for i = 1..first, steps[len(w)] for the i above.
	low, high := float64(first), float64(n-first-len(w)+1)
	end := steps[len(w)]
	sum := low*steps[0] + high*end
	for _, s := range steps[1:len(w)] {
		sum += s
	}
	mean := sum / float64(n)
	sq := low*(steps[0]-mean)*(steps[0]-mean) + high*(end-mean)*(end-mean)
	for _, s := range steps[1:len(w)] {
		sq += (s - mean) * (s - mean)
	}
	fn := float64(n)
	return math.Sqrt(sq * (fn - 1) / fn) // (n−1) √(sq/(n−1)/n)
}
