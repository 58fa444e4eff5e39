package stats

import (
	"fmt"
	"math"
)

// GroupedMedian estimates the median of n values of which only the numbers at or
// below some thresholds are known: below[i] of them at or below thresholds[i],
// taken to be spread evenly between two thresholds. The unit is that of the
// thresholds.
//
// Special cases are: a median at or below the first threshold, or beyond the last,
// is that threshold.
//
// Errors: ErrTooFew for no threshold or n < 1, ErrMismatch for lists of different
// lengths, ErrDomain for thresholds that are not finite or do not ascend and for
// counts that fall or lie outside [0, n].
func GroupedMedian(thresholds []float64, below []int64, n int64) (float64, error) {
	if len(thresholds) != len(below) {
		return 0, fmt.Errorf("%d thresholds and %d counts: want as many: %w", len(thresholds), len(below), ErrMismatch)
	}
	if len(thresholds) == 0 || n < 1 {
		return 0, fmt.Errorf("median of %d values by %d thresholds: want at least 1 each: %w", n, len(thresholds), ErrTooFew)
	}
	if err := CheckFinite(thresholds); err != nil {
		return 0, fmt.Errorf("thresholds: %w", err)
	}
	for i, k := range below {
		if i > 0 && (thresholds[i] < thresholds[i-1] || k < below[i-1]) {
			return 0, fmt.Errorf("threshold %v with %d below follows %v with %d: want both to ascend: %w", thresholds[i], k, thresholds[i-1], below[i-1], ErrDomain)
		}
		if k < 0 || k > n {
			return 0, fmt.Errorf("%d of %d values at or below %v: %w", k, n, thresholds[i], ErrDomain)
		}
	}
	half, last := float64(n)/2, 0.0
	for i, v := range thresholds {
		k := float64(below[i])
		if k >= half {
			if i == 0 {
				return v, nil
			}
			at := thresholds[i-1] + (v-thresholds[i-1])*(half-last)/(k-last)
			if math.IsNaN(at) { // 0·∞
				at = v
			}
			return min(max(at, thresholds[i-1]), v), nil // rounding may leave the interval
		}
		last = k
	}
	return thresholds[len(thresholds)-1], nil
}
