package stats

import (
	"fmt"
	"math"
	"slices"
)

// tailIndexLeast is the number of values from which MeanT looks at the tail: with
// fewer the estimate is too uncertain to say anything.
const tailIndexLeast = 1000

// TailIndex estimates how heavy the tails of x are: α if P(|x − median| > v) falls
// like v^−α far out. It is Hill's estimator on the ⌈√n⌉ largest distances from
// the median, with the standard error α/√k. The variance is infinite for α ≤ 2,
// and the mean too for α ≤ 1; then no interval for a mean is to be trusted, and a
// quantile or the share of slow requests says more.
//
// A lognormal tail has no index: the estimate is then some number above 2 that
// grows with n.
//
// Special cases are: +Inf where the largest distances are all alike, or where
// fewer than ⌈√n⌉ + 1 values differ from the median, so that no tail is seen.
//
// Errors: ErrTooFew for fewer than 10 values, ErrDomain for a value that is not
// finite.
//
// Source: Hill 1975, Annals of Statistics 3:1163, doi:10.1214/aos/1176343247.
func TailIndex(x []float64) (index, se float64, err error) {
	n := len(x)
	if n < 10 {
		return 0, 0, fmt.Errorf("tail of %d values: want at least 10: %w", n, ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return 0, 0, err
	}
	d := sortedValues(x)
	median := medianSorted(d)
	for i, v := range d {
		d[i] = math.Abs(v - median)
	}
	slices.Sort(d)
	k := int(math.Ceil(math.Sqrt(float64(n))))
	threshold := d[n-k-1]
	if threshold == 0 || math.IsInf(d[n-1], 1) {
		return math.Inf(1), math.Inf(1), nil
	}
	var sum float64
	for _, v := range d[n-k:] {
		sum += math.Log(v / threshold)
	}
	if sum == 0 {
		return math.Inf(1), math.Inf(1), nil
	}
	index = float64(k) / sum
	return index, index / math.Sqrt(float64(k)), nil
}

// heavyTail reports whether the tail index of many values is clearly below 2, by
// more than its standard error.
func heavyTail(x []float64) bool {
	if len(x) < tailIndexLeast {
		return false
	}
	index, se, err := TailIndex(x)
	return err == nil && index+se < 2
}
