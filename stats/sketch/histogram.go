package sketch

import (
	"fmt"
	"math"
)

// Histogram counts values in log-linear bins: every octave is cut into 2^bits
// bins of equal width, so a bin is at most 2^-bits of its values wide. The bin
// of a value is read off the bits of the float64, without a logarithm.
//
// Positive and negative values have bins of their own, allocated by octave when
// first seen; zeros, values nearer to zero than [MinMagnitude] and values of
// [MaxMagnitude] and beyond are counted apart but take part in every quantile.
// The minimum, the maximum and all counts are exact.
//
// The zero value is an empty histogram of [DefaultBits].
type Histogram struct {
	pos, neg side
	shift    uint // 52 − bits; 0 in the zero value
	n        uint64
	min, max float64 // meaningful when n > 0; +Inf and −Inf once shift is set

	zero                                 uint64
	posUnder, negUnder, posOver, negOver uint64
	invalid                              uint64
}

// maxCount keeps every count and sum of counts inside int64.
const maxCount = math.MaxInt64

// NewHistogram returns an empty histogram of [DefaultBits].
func NewHistogram() *Histogram {
	h := new(Histogram)
	h.init(DefaultBits)
	return h
}

// NewHistogramBits returns an empty histogram that cuts an octave into 2^bits
// bins. Errors: [ErrDomain] unless bits lies in [1, MaxBits].
func NewHistogramBits(bits int) (*Histogram, error) {
	if err := CheckBits(bits); err != nil {
		return nil, err
	}
	h := new(Histogram)
	h.init(bits)
	return h, nil
}

// keyRange is n keys from first on.
type keyRange struct{ first, n uint64 }

// mostExpected is how many octaves beyond its own values a histogram takes room for
// because another one has values there.
const mostExpected = 4

// histogramOf returns the histogram of values that are finite. It takes room for
// the positive ones at once, not octave by octave, and for more that are likely to
// come: those where another histogram expects them or, without one, in an octave on
// either side.
func histogramOf(xs []float64, bits int, expect keyRange) *Histogram {
	h := new(Histogram)
	h.init(bits)
	lowest, highest := MaxMagnitude, 0.0
	for _, v := range xs {
		if v >= MinMagnitude && v < MaxMagnitude {
			lowest, highest = min(lowest, v), max(highest, v)
		}
	}
	if lowest <= highest {
		first, last := math.Float64bits(lowest)>>h.shift, math.Float64bits(highest)>>h.shift
		octave := uint64(1) << bits
		if expect.n > 0 {
			first = min(first, max(expect.first, first-mostExpected*octave))
			last = max(last, min(expect.first+expect.n-1, last+mostExpected*octave))
		} else {
			first, last = max(first-octave, keyBase(bits)), min(last+octave, keyBase(bits)+uint64(binsPerSide(bits))-1)
		}
		h.pos.reach(first, last, bits)
	}
	h.AddSlice(xs)
	return h
}

func (h *Histogram) init(bits int) {
	h.shift = uint(mantBits - bits)
	h.min, h.max = math.Inf(1), math.Inf(-1)
}

// Bits returns the layout: an octave has 2^Bits bins.
func (h *Histogram) Bits() int {
	if h.shift == 0 {
		return DefaultBits
	}
	return mantBits - int(h.shift)
}

// Add records one value. NaN and ±Inf are counted by [Histogram.Invalid] only.
// Recording is O(1); the first value of an octave allocates its bins.
func (h *Histogram) Add(v float64) {
	b := math.Float64bits(v)
	i := b>>(h.shift&63) - h.pos.base
	if i >= uint64(len(h.pos.lo)) {
		h.addOther(v, 1)
		return
	}
	c := h.pos.lo[i] + 1
	h.pos.lo[i] = c
	if c == 0 {
		h.pos.carry(i, 1)
	}
	h.n++
	if v < h.min {
		h.min = v
	}
	if v > h.max {
		h.max = v
	}
}

// AddN records the value v n times, for data that come with counts.
// Errors: [ErrDomain] if n is negative, [ErrOverflow] if the total would exceed
// int64; nothing is recorded then.
func (h *Histogram) AddN(v float64, n int64) error {
	if n < 0 {
		return fmt.Errorf("count %d of value %v: want no negative count: %w", n, v, ErrDomain)
	}
	if uint64(n) > maxCount-max(h.n, h.invalid) {
		return fmt.Errorf("adding %d to %d values: %w", n, h.n, ErrOverflow)
	}
	if n > 0 {
		h.addOther(v, uint64(n))
	}
	return nil
}

// AddSlice records every value of vs, as Add does, and is faster.
func (h *Histogram) AddSlice(vs []float64) {
	for len(vs) > 0 {
		var k int
		switch {
		case len(h.neg.lo) > 0:
			k = h.addRunSigned(vs)
		case h.pos.hi == nil && h.n+uint64(len(vs)) <= math.MaxUint32:
			k = h.addRunInner(vs)
		default:
			k = h.addRun(vs, h.shift)
		}
		if k == len(vs) {
			return
		}
		h.addOther(vs[k], 1)
		vs = vs[k+1:]
	}
}

// addRun records values until one falls outside the positive window and returns
// how many it recorded. Inside the window all values are positive and normal,
// so their bits order as they do.
func (h *Histogram) addRun(vs []float64, shift uint) int {
	lo, base := h.pos.lo, h.pos.base
	lowest, highest := uint64(math.MaxUint64), uint64(0)
	k := len(vs)
	for j, v := range vs {
		b := math.Float64bits(v)
		i := b>>(shift&63) - base
		if i >= uint64(len(lo)) {
			k = j
			break
		}
		c := lo[i] + 1
		lo[i] = c
		if c == 0 {
			h.pos.carry(i, 1)
		}
		lowest = min(lowest, b)
		highest = max(highest, b)
	}
	h.endRun(k, math.Float64frombits(lowest), math.Float64frombits(highest))
	return k
}

// addRunInner is addRun while no bin can hold 2^32 values. A value of a bin that
// lies between those of the minimum and the maximum changes neither, so that one
// comparison tells both that there is a bin and that nothing else is to be done.
func (h *Histogram) addRunInner(vs []float64) int {
	shift := h.shift & 63
	inner, base := h.inner()
	for j, v := range vs {
		b := math.Float64bits(v)
		if i := b>>shift - base; i < uint64(len(inner)) {
			inner[i]++
			continue
		}
		i := b>>shift - h.pos.base
		if i >= uint64(len(h.pos.lo)) {
			h.n += uint64(j)
			return j
		}
		h.pos.lo[i]++
		if v < h.min || v > h.max {
			h.min, h.max = min(h.min, v), max(h.max, v)
			inner, base = h.inner()
		}
	}
	h.n += uint64(len(vs))
	return len(vs)
}

// inner returns the positive bins between that of the minimum and that of the
// maximum, and the key of the first of them.
func (h *Histogram) inner() (lo []uint32, base uint64) {
	if !(h.min <= h.max && h.min >= 0) || len(h.pos.lo) == 0 {
		return nil, 0
	}
	shift := h.shift & 63
	end := h.pos.base + uint64(len(h.pos.lo))
	first := max(math.Float64bits(h.min)>>shift+1, h.pos.base)
	last := min(math.Float64bits(h.max)>>shift, end)
	if first >= last {
		return nil, 0
	}
	return h.pos.lo[first-h.pos.base : last-h.pos.base], first
}

// addRunSigned is addRun for data of both signs, without a branch on the sign.
func (h *Histogram) addRunSigned(vs []float64) int {
	sides := [2]*side{&h.pos, &h.neg}
	shift := h.shift & 63
	lowest, highest := uint64(math.MaxUint64), uint64(0)
	k := len(vs)
	for j, v := range vs {
		b := math.Float64bits(v)
		s := sides[b>>63]
		i := (b&^signBit)>>shift - s.base
		if i >= uint64(len(s.lo)) {
			k = j
			break
		}
		c := s.lo[i] + 1
		s.lo[i] = c
		if c == 0 {
			s.carry(i, 1)
		}
		o := orderedBits(v)
		lowest = min(lowest, o)
		highest = max(highest, o)
	}
	h.endRun(k, fromOrderedBits(lowest), fromOrderedBits(highest))
	return k
}

// endRun books k values that lie between lowest and highest.
func (h *Histogram) endRun(k int, lowest, highest float64) {
	if k == 0 {
		return
	}
	h.n += uint64(k)
	h.min = min(h.min, lowest)
	h.max = max(h.max, highest)
}

// addOther records v n times wherever it belongs: the general path.
func (h *Histogram) addOther(v float64, n uint64) {
	if h.shift == 0 {
		h.init(DefaultBits)
	}
	a := math.Abs(v)
	switch {
	case v-v != 0:
		h.invalid += n
		return
	case a == 0:
		v = 0 // −0 too
		h.zero += n
	case a < MinMagnitude && v > 0:
		h.posUnder += n
	case a < MinMagnitude:
		h.negUnder += n
	case v >= MaxMagnitude:
		h.posOver += n
	case v <= -MaxMagnitude:
		h.negOver += n
	default:
		s := &h.pos
		if v < 0 {
			s = &h.neg
		}
		key := math.Float64bits(a) >> (h.shift & 63)
		if key-s.base >= uint64(len(s.lo)) {
			s.reach(key, key, h.Bits())
		}
		s.addN(key-s.base, n)
	}
	h.n += n
	h.min = min(h.min, v)
	h.max = max(h.max, v)
}
