package sketch

import (
	"fmt"
	"math"
	"sort"
)

// Sorted returns the values in ascending order while the sketch is exact, nil
// when it is a histogram. The slice belongs to the sketch: the caller must not
// change it, and later calls of Add or Merge do not change it either.
//
// The first call after a change sorts, O(n), and so writes to the sketch: call
// it once before several goroutines read the sketch. Quantile and CDF call it.
func (s *Sketch) Sorted() []float64 {
	if s.hist != nil {
		return nil
	}
	if !s.sorted {
		s.own()
		s.xs = sortFloats(s.xs)
		s.sorted = true
	}
	if !s.shared {
		s.shared = true
	}
	return s.xs
}

// Quantile returns the Hyndman–Fan type 7 quantile of the values (Hyndman & Fan
// 1996, doi:10.2307/2684934): with h = q·(n − 1) it lies between the order
// statistics floor(h) and floor(h)+1, counted from 0, at the fraction
// h − floor(h). On a histogram it is [Histogram.Quantile].
// Errors: [ErrEmpty] without values, [ErrDomain] unless q lies in [0, 1].
func (s *Sketch) Quantile(q float64) (float64, error) {
	if s.hist != nil {
		return s.hist.Quantile(q)
	}
	if err := checkQ(q); err != nil {
		return 0, err
	}
	n := len(s.xs)
	if n == 0 {
		return 0, fmt.Errorf("quantile %v of no values: %w", q, ErrEmpty)
	}
	xs := s.Sorted()
	h := q * float64(n-1)
	k := min(int(h), n-1)
	f := h - float64(k)
	if f == 0 {
		return xs[k], nil
	}
	return lerp(xs[k], xs[k+1], f), nil
}

// lerp returns a + f·(b − a) for a <= b, within [a, b] and without overflow.
func lerp(a, b, f float64) float64 {
	d := b - a
	if math.IsInf(d, 0) {
		return (1-f)*a + f*b
	}
	return min(max(a+f*d, a), b)
}

// CDF returns the share of values <= v: exactly while the sketch is exact, by
// [Histogram.CDF] otherwise. It is NaN if there are no values or v is NaN.
func (s *Sketch) CDF(v float64) float64 {
	if s.hist != nil {
		return s.hist.CDF(v)
	}
	if len(s.xs) == 0 || math.IsNaN(v) {
		return math.NaN()
	}
	xs := s.Sorted()
	k := sort.Search(len(xs), func(i int) bool { return xs[i] > v })
	return float64(k) / float64(len(xs))
}

// RelativeError returns 0 while the sketch is exact and
// [Histogram.RelativeError] otherwise.
func (s *Sketch) RelativeError() float64 {
	if s.hist != nil {
		return s.hist.RelativeError()
	}
	return 0
}
