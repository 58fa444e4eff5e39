package stats

import (
	"fmt"
	"math"
)

// WoodruffBatches gives limits on the probability scale for the quantile of
// level q of a dependent series that was cut into b consecutive batches:
// counts[i] values in batch i, below[i] of them at or below the estimate of the
// quantile. The limits are q ± t·se with b−1 degrees of freedom, where se is the
// standard error of the fraction at or below the estimate as a ratio of batch
// totals (BatchRatioError). Map the
// limits through the empirical quantile function; a limit below 0 or above 1
// means that the data do not bound the quantile on that side.
//
// It assumes that batches are much longer than the memory of the series.
//
// Special cases are: se = 0 and lo = hi = q if no batch differs from another.
//
// Errors: ErrMismatch for slices of different length, ErrTooFew for fewer than 2
// batches or an empty one, ErrDomain for counts below outside [0, counts[i]],
// q outside (0, 1) or a level outside (0, 1).
//
// Source: Woodruff 1952, JASA 47:635, doi:10.1080/01621459.1952.10483443, with
// the batch-means variance of Schmeiser 1982, Operations Research 30:556.
func WoodruffBatches(counts, below []int64, q, level float64) (lo, hi float64, se float64, err error) {
	if err := CheckLevel(level); err != nil {
		return 0, 0, 0, err
	}
	if !(q > 0 && q < 1) {
		return 0, 0, 0, fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	if len(below) != len(counts) {
		return 0, 0, 0, fmt.Errorf("%d batch sizes and %d counts below: want as many: %w", len(counts), len(below), ErrMismatch)
	}
	sums := make([]float64, len(below))
	for i, k := range below {
		if c := counts[i]; k < 0 || c > 0 && k > c {
			return 0, 0, 0, fmt.Errorf("batch %d has %d of %d values below: %w", i, k, c, ErrDomain)
		}
		sums[i] = float64(k)
	}
	e, err := BatchRatioError(counts, sums)
	if err != nil {
		return 0, 0, 0, err
	}
	if se = e.SE; se < 1e-15 { // rounding of F, not variation
		return q, q, 0, nil
	}
	h := tCritical(level, e.DF) * se
	return q - h, q + h, se, nil
}

// QuantileLimits is an interval for a quantile that runs between two order
// statistics.
type QuantileLimits struct {
	Estimate
	// Lower and Upper are the 1-based ranks of the order statistics at the
	// limits. One below 1 or above n means that the data do not bound the
	// quantile on that side; the interval's limit is then −Inf or +Inf.
	Lower, Upper int
}

// WoodruffCI estimates the quantile of level q of one dependent series, given in
// time order, with the interval of WoodruffBatches for the given number of
// batches. The point estimate is the order statistic x_(⌈nq⌉); batches have
// ⌊n/batches⌋ values and a remainder at the end is left out of the variance. The
// limits are the order statistics of rank ⌊n(q−h)⌋ and ⌈n(q+h)⌉+1.
//
// SE is the standard error on the probability scale (of the fraction at or below
// the estimate), not of the quantile. The interval speaks of the long-run
// quantile of this series only.
//
// Special cases are: batches that do not differ give the warning no_variance, a
// limit beyond the data ±Inf and the warning unbounded; batches that follow their
// neighbours the warning batches_dependent, as for BatchMeans.
//
// Errors: ErrTooFew for fewer than 2 batches or fewer values than batches,
// ErrDomain for a value that is not finite, q or a level outside (0, 1).
func WoodruffCI(x []float64, q float64, batches int, level float64) (QuantileLimits, error) {
	if err := CheckFinite(x); err != nil {
		return QuantileLimits{}, err
	}
	n := len(x)
	if batches < 2 || n < batches {
		return QuantileLimits{}, fmt.Errorf("%d values in %d batches: want at least 2 batches and a value in each: %w", n, batches, ErrTooFew)
	}
	if !(q > 0 && q < 1) {
		return QuantileLimits{}, fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	s := sortedValues(x)
	value := s[ceilRank(q, n)-1]
	size := n / batches
	counts, below := make([]int64, batches), make([]int64, batches)
	for i := range batches {
		counts[i] = int64(size)
		for _, v := range x[i*size : (i+1)*size] {
			if v <= value {
				below[i]++
			}
		}
	}
	lo, hi, se, err := WoodruffBatches(counts, below, q, level)
	if err != nil {
		return QuantileLimits{}, err
	}
	l := int(math.Floor(fuzz(float64(n) * lo)))
	u := int(math.Ceil(fuzz(float64(n)*hi))) + 1
	out := limitsAt(s, l, u, level)
	out.Value, out.SE, out.DF, out.N, out.Method = value, se, float64(batches-1), n, MethodWoodruffBatches
	if se == 0 {
		out.Warnings = append(out.Warnings, noVariance())
	}
	shares := make([]float64, batches)
	for i, b := range below {
		shares[i] = float64(b)
	}
	if dependent(shares) {
		out.Warnings = append(out.Warnings, batchesDependent())
	}
	if math.IsInf(out.Interval.Width(), 1) {
		out.Warnings = append(out.Warnings, unbounded())
	}
	return out, nil
}

// limitsAt is the interval between the order statistics of rank l and u of a
// sorted sample, unbounded where the rank lies outside it.
func limitsAt(sorted []float64, l, u int, level float64) QuantileLimits {
	n := len(sorted)
	out := QuantileLimits{Lower: l, Upper: u}
	out.Interval = Unbounded(level)
	if l >= 1 {
		out.Interval.Lo = sorted[l-1]
	}
	if u <= n {
		out.Interval.Hi = sorted[u-1]
	}
	return out
}
