package sketch

import (
	"math"
	"slices"
	"sync/atomic"
)

const (
	// DefaultLimit is how many values a Sketch keeps before it becomes a
	// histogram, unless told otherwise: 512 KiB.
	DefaultLimit = 1 << 16
	// HistogramOnly is the limit of a Sketch that keeps no values at all.
	HistogramOnly = -1
)

// Sketch is a distribution that is exact while it is small: it keeps the values
// themselves up to a limit and a [Histogram] of them beyond. What it answers is
// a function of the values and the limit alone, never of how they were split
// over sketches or in which order those were merged.
//
// The zero value is an empty sketch with [DefaultLimit] and [DefaultBits]; until
// it holds a value it takes over the limit and the bits of the first sketch
// merged into it.
type Sketch struct {
	limit   int // 0: not set, DefaultLimit
	bits    int // 0: not set, DefaultBits
	xs      []float64
	sorted  bool // xs is in ascending order
	shared  bool // xs was handed out and must not be written
	invalid int64
	hist    *Histogram // nil while exact
	lent    uint32     // atomic: 1 if hist was handed out and must not be written
	expect  keyRange   // of another histogram, see Expect
}

// New returns an empty sketch that keeps up to limit values and becomes a
// histogram of [DefaultBits] beyond. A limit of 0 stands for [DefaultLimit], a
// negative one for [HistogramOnly].
func New(limit int) *Sketch {
	return &Sketch{limit: normalLimit(limit), bits: DefaultBits}
}

// NewBits is [New] with histograms of 2^bits bins an octave.
// Errors: [ErrDomain] unless bits lies in [1, MaxBits].
func NewBits(limit, bits int) (*Sketch, error) {
	if err := CheckBits(bits); err != nil {
		return nil, err
	}
	return &Sketch{limit: normalLimit(limit), bits: bits}, nil
}

// FromHistogram returns a sketch of the values of h, which it copies. Its limit
// is [HistogramOnly]: the values themselves are gone.
func FromHistogram(h *Histogram) *Sketch {
	s := &Sketch{limit: HistogramOnly, bits: h.Bits()}
	if h.n == 0 {
		s.invalid = h.Invalid()
		return s
	}
	s.hist = h.Clone()
	return s
}

func normalLimit(limit int) int {
	if limit == 0 {
		return DefaultLimit
	}
	return max(limit, HistogramOnly)
}

// Limit returns how many values the sketch keeps, or [HistogramOnly].
func (s *Sketch) Limit() int { return normalLimit(s.limit) }

// Bits returns the layout of the histogram that the sketch is or would become.
func (s *Sketch) Bits() int {
	if s.bits == 0 {
		return DefaultBits
	}
	return s.bits
}

// SetLimit changes the limit, with the meaning it has in [New]. A sketch that
// holds more values than the new limit becomes a histogram; a histogram never
// becomes exact again.
func (s *Sketch) SetLimit(limit int) {
	s.limit = normalLimit(limit)
	if s.hist == nil && len(s.xs) > max(s.limit, 0) {
		s.spill()
	}
}

// Add records one value. NaN and ±Inf are counted by [Sketch.Invalid] only.
func (s *Sketch) Add(v float64) {
	if s.hist != nil {
		s.own()
		s.hist.Add(v)
		return
	}
	s.addExact(v)
}

// AddSlice records every value of vs, as Add does, and is faster. It does not
// keep vs.
func (s *Sketch) AddSlice(vs []float64) {
	if s.hist == nil {
		vs = s.addExactSlice(vs)
	}
	if len(vs) > 0 {
		s.own()
		s.hist.AddSlice(vs)
	}
}

// addExactSlice keeps values up to the limit and returns the rest, for which
// the sketch has become a histogram.
func (s *Sketch) addExactSlice(vs []float64) []float64 {
	s.own()
	s.sorted = false
	limit := max(s.Limit(), 0)
	xs := room(s.xs, len(vs), limit)
	for i, v := range vs {
		if v-v != 0 {
			s.invalid++
			continue
		}
		if len(xs) >= limit {
			s.xs = xs
			s.spill()
			return vs[i:]
		}
		xs = append(xs, v+0) // −0 + 0 = 0
	}
	s.xs = xs
	return nil
}

func (s *Sketch) addExact(v float64) {
	if v-v != 0 {
		s.invalid++
		return
	}
	if len(s.xs) >= s.Limit() {
		s.spill()
		s.hist.Add(v)
		return
	}
	s.own()
	s.xs = append(s.xs, v+0) // −0 + 0 = 0
	s.sorted = false
}

// Expect tells that the values to come lie about where those of o do. It changes
// nothing but how often memory is taken.
func (s *Sketch) Expect(o *Sketch) {
	if o.hist != nil && o.Bits() == s.Bits() {
		s.expect = keyRange{o.hist.pos.base, uint64(len(o.hist.pos.lo))}
	}
}

// own makes xs and hist writable.
func (s *Sketch) own() {
	if atomic.LoadUint32(&s.lent) != 0 {
		s.hist = s.hist.Clone()
		atomic.StoreUint32(&s.lent, 0)
	}
	if s.shared {
		s.xs = slices.Clone(s.xs)
		s.shared = false
	}
}

// lend returns the histogram, nil while there is none, to be kept by another: it
// does not change from then on. Several may ask at once.
func (s *Sketch) lend() *Histogram {
	if s.hist != nil && atomic.LoadUint32(&s.lent) == 0 {
		atomic.StoreUint32(&s.lent, 1)
	}
	return s.hist
}

// spill turns an exact sketch into a histogram.
func (s *Sketch) spill() {
	s.hist = histogramOf(s.xs, s.Bits(), s.expect)
	if !s.shared {
		release(s.xs, s.Limit())
	}
	s.xs, s.sorted, s.shared = nil, false, false
}

// N returns the number of values, NaN and ±Inf not included.
func (s *Sketch) N() int64 {
	if s.hist != nil {
		return s.hist.Count()
	}
	return int64(len(s.xs))
}

// Invalid returns how often Add was given NaN or ±Inf.
func (s *Sketch) Invalid() int64 {
	if s.hist != nil {
		return s.invalid + s.hist.Invalid()
	}
	return s.invalid
}

// Exact reports whether the sketch still holds the values themselves.
func (s *Sketch) Exact() bool { return s.hist == nil }

// Clone returns a copy that shares nothing that either may write.
func (s *Sketch) Clone() *Sketch {
	c := &Sketch{limit: s.limit, bits: s.bits, xs: slices.Clone(s.xs), sorted: s.sorted, invalid: s.invalid, expect: s.expect}
	if s.hist != nil {
		c.hist = s.hist.Clone()
	}
	return c
}

// Hist returns the histogram of the values. An exact sketch makes a new one; for
// another it is the histogram itself, which the caller must not change.
func (s *Sketch) Hist() *Histogram {
	if s.hist != nil {
		return s.hist
	}
	h := histogramOf(s.xs, s.Bits(), keyRange{})
	h.invalid = uint64(s.invalid)
	return h
}

// Min returns the smallest value, exactly; NaN if there is none.
func (s *Sketch) Min() float64 {
	switch {
	case s.hist != nil:
		return s.hist.Min()
	case len(s.xs) == 0:
		return math.NaN()
	case s.sorted:
		return s.xs[0]
	}
	return slices.Min(s.xs)
}

// Max returns the largest value, exactly; NaN if there is none.
func (s *Sketch) Max() float64 {
	switch {
	case s.hist != nil:
		return s.hist.Max()
	case len(s.xs) == 0:
		return math.NaN()
	case s.sorted:
		return s.xs[len(s.xs)-1]
	}
	return slices.Max(s.xs)
}
