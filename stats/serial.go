package stats

import (
	"fmt"
	"math"
	"slices"
)

// SerialCorrelation tests whether the values of a series, in time order, depend
// on their neighbours: the circular serial correlation of lag 1 of the midranks,
// referred to the normal distribution with the mean and variance that it has
// over all orders of these values. Greater is positive correlation, the usual
// case of latencies: a slow request is followed by a slow one.
//
// Limits that take values as independent, such as those of OrderStatCI, are far
// too narrow for a series that fails it; use WoodruffCI and BatchMeans. A series
// that passes may still depend on its past at longer lags.
//
// Special cases are: equal values give statistic 0 and p = 1 (one-sided ½) with
// the warning all_tied.
//
// Errors: ErrTooFew for fewer than 10 values, ErrDomain for a value that is not
// finite or an unknown alternative.
//
// Source: Wald & Wolfowitz 1943, Annals of Mathematical Statistics 14:378,
// doi:10.1214/aoms/1177731358.
func SerialCorrelation(x []float64, alt Alternative) (Test, error) {
	n := len(x)
	if n < 10 {
		return Test{}, fmt.Errorf("series of %d values: want at least 10: %w", n, ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return Test{}, err
	}
	if alt != TwoSided && alt != Less && alt != Greater {
		return Test{}, fmt.Errorf("%v: want two-sided, less or greater: %w", alt, ErrDomain)
	}
	t := Test{DF: math.Inf(1), Alternative: alt, Method: MethodSerialCorrelation}
	t.Statistic = serialZ(centredMidranks(x))
	if t.Statistic == 0 && slices.Min(x) == slices.Max(x) {
		t.Warnings = []Warning{allTied()}
	}
	t.P = tTestP(t.Statistic, t.DF, alt)
	return t, nil
}

// serialZ standardises Σ r_i r_{i+1} (circular) of values with mean 0 by its
// moments over all permutations.
func serialZ(r []float64) float64 {
	n := float64(len(r))
	var s2, s4, sum float64
	for i, v := range r {
		s2 += v * v
		s4 += v * v * v * v
		sum += v * r[(i+1)%len(r)]
	}
	mean := -s2 / (n - 1)
	variance := (s2*s2-s4)/(n-1) + (s2*s2-2*s4)/((n-1)*(n-2)) - mean*mean
	if !(variance > 0) {
		return 0
	}
	return (sum - mean) / math.Sqrt(variance)
}

// centredMidranks returns the midranks of x less their mean, scaled to (−1, 1) so
// that fourth powers of many of them stay exact enough.
func centredMidranks(x []float64) []float64 {
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	r := make([]float64, n)
	for i := 0; i < n; {
		j := i
		for j < n && x[order[j]] == x[order[i]] {
			j++
		}
		mid := (float64(i+j+1)/2 - float64(n+1)/2) * 2 / float64(n)
		for ; i < j; i++ {
			r[order[i]] = mid
		}
	}
	return r
}
