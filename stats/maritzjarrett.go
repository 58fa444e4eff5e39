package stats

import (
	"fmt"
	"math"
)

// MaritzJarrettSE returns the standard error of the sample quantile of level q
// as the exact bootstrap standard deviation of the order statistic of rank m =
// ⌊nq + 1/2⌋: weights from Beta(m, n−m+1), as in the paper. Widely used code has
// Beta(m−1, n−m), which is off by one. It assumes independent values and is
// noisy for n(1−q) below about 10.
//
// Special cases are: the rank is kept within [1, n]; equal values give 0.
//
// Errors: ErrTooFew for fewer than 2 values, ErrDomain for a value that is not
// finite or q outside (0, 1).
//
// Source: Maritz & Jarrett 1978, JASA 73:194,
// doi:10.1080/01621459.1978.10480027.
func MaritzJarrettSE(x []float64, q float64) (float64, error) {
	n := len(x)
	if n < 2 {
		return 0, fmt.Errorf("standard error of a quantile of %d values: want at least 2: %w", n, ErrTooFew)
	}
	if !(q > 0 && q < 1) {
		return 0, fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	if err := CheckFinite(x); err != nil {
		return 0, err
	}
	r := int(math.Floor(fuzz(float64(n)*q + 0.5)))
	law := newRankLaw(sortedValues(x), min(max(r, 1), n))
	return math.Sqrt(law.variance), nil
}
