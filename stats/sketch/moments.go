package sketch

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// MeanVariance returns the mean and the unbiased (n−1) variance of the values,
// each taken to lie in the middle of its bin. The mean is off by at most half of
// [Histogram.RelativeError], the standard deviation by about the same share of
// the values' size. For an exact mean keep a [Sum].
// Errors: [stats.ErrTooFew] for fewer than 2 values.
func (h *Histogram) MeanVariance() (mean, variance float64, err error) {
	n := float64(h.Count())
	if n < 2 {
		return 0, 0, fmt.Errorf("variance of %v values: want at least 2: %w", n, stats.ErrTooFew)
	}
	if h.min == h.max {
		return h.min, 0, nil
	}
	for bin := range h.Bins() {
		mean += float64(bin.Count) / n * h.middle(bin)
	}
	var sum, sq float64
	for bin := range h.Bins() {
		d := h.middle(bin) - mean
		sum += float64(bin.Count) * d
		sq += float64(bin.Count) * d * d
	}
	return mean, math.Max(0, sq-sum*sum/n) / (n - 1), nil
}

// middle is the middle of the part of a bin that can hold values.
func (h *Histogram) middle(b Bin) float64 {
	lo, hi := max(b.Lower, h.min), min(b.Upper, h.max)
	return lo + (hi-lo)/2
}

// MeanVariance returns the mean and the unbiased (n−1) variance of the values:
// [stats.MeanVariance] while the sketch is exact, [Histogram.MeanVariance]
// otherwise.
// Errors: [stats.ErrTooFew] for fewer than 2 values, [stats.ErrDomain] if they overflow.
func (s *Sketch) MeanVariance() (mean, variance float64, err error) {
	if s.hist != nil {
		return s.hist.MeanVariance()
	}
	return stats.MeanVariance(s.Sorted())
}

// OrderStatistic returns the rank-th smallest value, rank from 1 to N. On a
// histogram it is the type 7 quantile of level (rank − 1)/(N − 1), off by at most
// [Histogram.RelativeError].
// Errors: [ErrEmpty] without values, [ErrDomain] for another rank.
func (s *Sketch) OrderStatistic(rank int64) (float64, error) {
	n := s.N()
	if n == 0 {
		return 0, fmt.Errorf("value of rank %d of no values: %w", rank, ErrEmpty)
	}
	if rank < 1 || rank > n {
		return 0, fmt.Errorf("rank %d of %d values: %w", rank, n, ErrDomain)
	}
	if s.hist == nil {
		return s.Sorted()[rank-1], nil
	}
	if n == 1 {
		return s.hist.Min(), nil
	}
	return s.hist.Quantile(float64(rank-1) / float64(n-1))
}

// QuantileLimits maps limits on the probability scale to values through
// [Sketch.Quantile]: what turns Woodruff's limits into an interval. A lower limit
// of 0 or less gives −Inf and an upper one of 1 or more +Inf, because the values
// do not bound the quantile there.
// Errors: [ErrEmpty] without values, [ErrDomain] unless lo <= hi.
func (s *Sketch) QuantileLimits(lo, hi float64) (low, high float64, err error) {
	if !(lo <= hi) {
		return 0, 0, fmt.Errorf("limits %v to %v: want them in order: %w", lo, hi, ErrDomain)
	}
	low, high = math.Inf(-1), math.Inf(1)
	if s.N() == 0 {
		return 0, 0, fmt.Errorf("limits of no values: %w", ErrEmpty)
	}
	if lo >= 1 {
		low = s.Max()
	} else if lo > 0 {
		if low, err = s.Quantile(lo); err != nil {
			return 0, 0, err
		}
	}
	if hi <= 0 {
		high = s.Min()
	} else if hi < 1 {
		if high, err = s.Quantile(hi); err != nil {
			return 0, 0, err
		}
	}
	return low, high, nil
}
