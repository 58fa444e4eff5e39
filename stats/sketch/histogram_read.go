package sketch

import (
	"fmt"
	"iter"
	"math"
)

// Count returns the number of values, NaN and ±Inf not included.
func (h *Histogram) Count() int64 { return int64(h.n) }

// Invalid returns how often Add was given NaN or ±Inf.
func (h *Histogram) Invalid() int64 { return int64(h.invalid) }

// Zeros returns the number of values that are exactly zero.
func (h *Histogram) Zeros() int64 { return int64(h.zero) }

// Negatives returns the number of values below zero.
func (h *Histogram) Negatives() int64 {
	n := h.negUnder + h.negOver
	for i := range h.neg.lo {
		n += h.neg.at(i)
	}
	return int64(n)
}

// Underflow returns the number of values v with 0 < |v| < [MinMagnitude].
// Quantiles read them as zero.
func (h *Histogram) Underflow() int64 { return int64(h.posUnder + h.negUnder) }

// Overflow returns the number of values v with |v| >= [MaxMagnitude].
func (h *Histogram) Overflow() int64 { return int64(h.posOver + h.negOver) }

// Min returns the smallest value, exactly; NaN if there is none.
func (h *Histogram) Min() float64 {
	if h.n == 0 {
		return math.NaN()
	}
	return h.min
}

// Max returns the largest value, exactly; NaN if there is none.
func (h *Histogram) Max() float64 {
	if h.n == 0 {
		return math.NaN()
	}
	return h.max
}

// RelativeError returns the guaranteed bound ε of the error of a quantile
// against the Hyndman–Fan type 7 quantile of the same values:
//
//	|estimate − exact| <= ε·|exact|
//
// It is the relative width of a bin, 2^-bits: interpolation inside a bin can be
// wrong by nearly the whole bin, though on smooth data it is wrong by a few per
// cent of it. Where the two order statistics beside the quantile differ in sign
// the bound is ε times the larger magnitude of the two.
//
// Special cases are:
//
//	no values                         0
//	values below MinMagnitude         1, since they are read as zero
//	values of MaxMagnitude and more   the largest of them ÷ MaxMagnitude − 1, if that is larger
func (h *Histogram) RelativeError() float64 {
	if h.n == 0 {
		return 0
	}
	e := math.Ldexp(1, -h.Bits())
	if h.posUnder+h.negUnder > 0 {
		e = 1
	}
	if h.posOver > 0 {
		e = max(e, h.max/MaxMagnitude-1)
	}
	if h.negOver > 0 {
		e = max(e, -h.min/MaxMagnitude-1)
	}
	return e
}

// Bin is one bin of a histogram and the values in it. See [BinEdges] for which
// edge belongs to the bin.
type Bin struct {
	Index        int32 // see BinIndex
	Lower, Upper float64
	Count        int64
}

// Bins yields the bins that hold values, in ascending order.
func (h *Histogram) Bins() iter.Seq[Bin] {
	return func(yield func(Bin) bool) {
		h.each(func(index int32, c uint64) bool {
			a, b := binEdges(h.Bits(), index)
			return yield(Bin{Index: index, Lower: a, Upper: b, Count: int64(c)})
		})
	}
}

// bins returns the number of bins that hold values.
func (h *Histogram) bins() int {
	n := 0
	if h.plain() {
		from, until := h.span()
		for _, c := range h.pos.lo[from:until] {
			n += int((uint64(c) + math.MaxUint32) >> 32) // 1 but for c = 0, without a branch
		}
		return n
	}
	h.each(func(int32, uint64) bool { n++; return true })
	return n
}

// span returns where the bins that hold values begin and end in the window of a
// histogram that is plain.
func (h *Histogram) span() (from, until int) {
	if h.n == 0 {
		return 0, 0
	}
	shift := h.shift & 63
	return int(math.Float64bits(h.min)>>shift - h.pos.base), int(math.Float64bits(h.max)>>shift-h.pos.base) + 1
}

// plain reports whether all values lie in positive bins with counts below 2^32.
func (h *Histogram) plain() bool {
	return len(h.neg.lo) == 0 && h.pos.hi == nil && h.zero|h.posUnder|h.negUnder|h.posOver|h.negOver == 0
}

// each calls f for the bins that hold values, in ascending order, until f
// returns false.
func (h *Histogram) each(f func(index int32, c uint64) bool) {
	bits := h.Bits()
	over := 2 + binsPerSide(bits)
	if h.negOver > 0 && !f(-over, h.negOver) {
		return
	}
	first := 2 + int32(h.neg.base-keyBase(bits))
	for i := len(h.neg.lo) - 1; i >= 0; i-- {
		if c := h.neg.at(i); c > 0 && !f(-first-int32(i), c) {
			return
		}
	}
	if h.negUnder > 0 && !f(-1, h.negUnder) {
		return
	}
	if h.zero > 0 && !f(0, h.zero) {
		return
	}
	if h.posUnder > 0 && !f(1, h.posUnder) {
		return
	}
	first = 2 + int32(h.pos.base-keyBase(bits))
	hi := h.pos.hi != nil
	for i, lo := range h.pos.lo {
		c := uint64(lo)
		if hi {
			c = h.pos.at(i)
		}
		if c > 0 && !f(first+int32(i), c) {
			return
		}
	}
	if h.posOver > 0 {
		f(over, h.posOver)
	}
}

// Quantile returns the value below which the fraction q of the values lies: the
// Hyndman–Fan type 7 quantile of the values, with the values of a bin taken as
// spread evenly over it. It never leaves [Min, Max], is monotone in q, and is
// off by at most [Histogram.RelativeError].
//
// Special cases are:
//
//	q = 0    Min, exactly
//	q = 1    Max, exactly
//
// Errors: [ErrEmpty] without values, [ErrDomain] unless q lies in [0, 1].
// Cost: one pass over the bins. For many quantiles of one distribution use a
// [Mixture], which prepares once and then needs a logarithm of that.
func (h *Histogram) Quantile(q float64) (float64, error) {
	if err := checkQ(q); err != nil {
		return 0, err
	}
	if h.n == 0 {
		return 0, fmt.Errorf("quantile %v of no values: %w", q, ErrEmpty)
	}
	if q == 0 || h.min == h.max {
		return h.min, nil
	}
	if q == 1 {
		return h.max, nil
	}
	// The quantile is the mean of the inverse distribution function, in units
	// of ranks, over [a, a+1].
	a := q * float64(h.n-1)
	var (
		before uint64
		p      pieces
	)
	h.each(func(index int32, c uint64) bool {
		lo, hi, n := float64(before), float64(before+c), float64(c)
		before += c
		if hi <= a {
			return true
		}
		from, to := a-lo, min(a+1-lo, n) // in ranks from the start of the bin
		if from < 0 {
			from, to = 0, min(a-(lo-1), n)
		}
		if to <= from {
			return false
		}
		p.add(to-from, valueIn(h.Bits(), index, (from+to)/2/n, h.min, h.max))
		return hi < a+1
	})
	return p.mean(), nil
}

// CDF returns the share of values <= v, exactly at the edges of bins and by
// linear interpolation inside them. The error is less than the share of the bin
// that holds v.
//
// Special cases are:
//
//	no values, or v is NaN    NaN
//	v < Min                   0
//	v >= Max                  1
func (h *Histogram) CDF(v float64) float64 {
	if h.n == 0 || math.IsNaN(v) {
		return math.NaN()
	}
	if v < h.min {
		return 0
	}
	if v >= h.max {
		return 1
	}
	at := binIndex(h.Bits(), v)
	var below float64
	h.each(func(index int32, c uint64) bool {
		if index < at {
			below += float64(c)
			return true
		}
		if index == at {
			below += float64(c) * shareIn(h.Bits(), index, v, h.min, h.max)
		}
		return false
	})
	n := float64(h.n)
	return min(max(below, 1), n-1) / n
}

// shareIn returns the share of a bin's values that are <= v, for a v in the bin
// and data that reach from lo to hi.
func shareIn(bits int, index int32, v, lo, hi float64) float64 {
	a, b := binEdges(bits, index)
	a, b = max(a, lo), min(b, hi)
	if !(b > a) {
		return 1
	}
	return min(max((v-a)/(b-a), 0), 1)
}
