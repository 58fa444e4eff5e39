package sketch

import (
	"math"
	"slices"
)

// binPart is a part of a mixture that has bins: runs of them, ascending.
type binPart []binRun

// binRun is the counts of consecutive bins.
type binRun struct {
	first  int32    // index of the bin of lo[0]
	lo, hi []uint32 // a count is lo plus 2^32·hi; hi may be nil
	before []uint64 // values in the blocks before each block
}

// binBlock is the number of bins whose values are added up beforehand.
const binBlock = 32

// binsOf makes a part of the bins of h, which must not change from then on.
func binsOf(h *Histogram) binPart {
	var p binPart
	add := func(first int32, lo, hi []uint32) {
		if len(lo) > 0 {
			p = append(p, newBinRun(first, lo, hi))
		}
	}
	single := func(index int32, n uint64) {
		if n > 0 {
			add(index, []uint32{uint32(n)}, []uint32{uint32(n >> 32)})
		}
	}
	bits := h.Bits()
	over := 2 + binsPerSide(bits)
	firstOf := func(s *side) int32 { return 2 + int32(s.base-keyBase(bits)) }
	if h.plain() {
		from, until := h.span()
		add(firstOf(&h.pos)+int32(from), h.pos.lo[from:until], nil)
		return p
	}
	single(-over, h.negOver)
	if n := len(h.neg.lo); n > 0 {
		neg := h.neg.clone()
		slices.Reverse(neg.lo)
		slices.Reverse(neg.hi)
		add(-(firstOf(&neg) + int32(n) - 1), neg.lo, neg.hi)
	}
	single(-1, h.negUnder)
	single(0, h.zero)
	single(1, h.posUnder)
	add(firstOf(&h.pos), h.pos.lo, h.pos.hi)
	single(over, h.posOver)
	return p
}

func newBinRun(first int32, lo, hi []uint32) binRun {
	r := binRun{first: first, lo: lo, hi: hi, before: make([]uint64, len(lo)/binBlock+1)}
	for b := range r.before[1:] {
		r.before[b+1] = r.count((b + 1) * binBlock)
	}
	return r
}

// count returns the number of values in the first i bins. The blocks before that of
// i must have been added up.
func (r *binRun) count(i int) uint64 {
	b := (i - 1) / binBlock
	if i == 0 {
		return 0
	}
	n := r.before[b]
	for _, c := range r.lo[b*binBlock : i] {
		n += uint64(c)
	}
	if r.hi != nil {
		for _, c := range r.hi[b*binBlock : i] {
			n += uint64(c) << 32
		}
	}
	return n
}

// upTo returns the number of values in the bins up to and including one.
func (p binPart) upTo(index int32) float64 {
	var n uint64
	for i := range p {
		r := &p[i]
		if index < r.first {
			break
		}
		n += r.count(min(int(index-r.first)+1, len(r.lo)))
	}
	return float64(n)
}

// each calls f for the bins after one and before another that hold values, ascending.
func (p binPart) each(after, until int32, f func(bin int32, n uint64)) {
	for i := range p {
		r := &p[i]
		to := int(min(int64(until)-int64(r.first), int64(len(r.lo))))
		for at := int(max(int64(after)-int64(r.first)+1, 0)); at < to; at++ {
			if b := at / binBlock; at%binBlock == 0 && b+1 < len(r.before) && r.before[b] == r.before[b+1] {
				at += binBlock - 1 // a block without values
				continue
			}
			c := uint64(r.lo[at])
			if r.hi != nil {
				c |= uint64(r.hi[at]) << 32
			}
			if c > 0 {
				f(r.first+int32(at), c)
			}
		}
	}
}

// filled returns how many bins after one and before another hold values.
func (p binPart) filled(after, until int32) (n int) {
	p.each(after, until, func(int32, uint64) { n++ })
	return n
}

// between adds the values of the bins after one and before another, each of weight
// u, to the average; mid is the value of a bin.
func (p binPart) between(after, until int32, u float64, mid func(int32) float64, out *pieces) {
	means := binMeans{u: u, out: out}
	if until-after > blockSize && p.filled(after, until) >= blockSize {
		means.at = p.filled(math.MinInt32, after+1) % blockSize
	}
	p.each(after, until, func(bin int32, c uint64) { means.add(float64(c), mid(bin)) })
	means.single()
}

// binMeans adds bins that hold values to an average: every blockSize of them by
// their mean, for fewer sums and less rounding. As in a valuePart, blocks are counted
// from the beginning of the part, and those that a range cuts are added bin by bin.
type binMeans struct {
	u     float64 // weight of a value
	out   *pieces
	at    int                // of the next bin in its block
	n, v  [blockSize]float64 // of the bins of the block so far: how many values, of which size
	noted int
}

// add adds a bin of n values v.
func (b *binMeans) add(n, v float64) {
	b.n[b.noted], b.v[b.noted] = n, v
	b.noted++
	if b.at++; b.at < blockSize {
		return
	}
	if b.at = 0; b.noted < blockSize {
		b.single()
		return
	}
	var mass, moment float64
	for i, n := range b.n {
		mass += n
		moment += n * b.v[i]
	}
	b.out.add(b.u*mass, moment/mass)
	b.noted = 0
}

// single adds the bins that have not been added yet one by one.
func (b *binMeans) single() {
	for i, n := range b.n[:b.noted] {
		b.out.add(b.u*n, b.v[i])
	}
	b.noted = 0
}

// binSearch finds bins of a mixture, ascending.
type binSearch struct {
	m             *Mixture
	u             []float64
	q             float64
	found, passed int32 // the bin found, and the one before it
	last          int32 // the last bin that holds values
	guess         int32 // of the next bin, if guessed
	guessed       bool
}

// newBinSearch prepares a search for the quantile of level q.
func (m *Mixture) newBinSearch(s *weighing, q float64) *binSearch {
	b := &binSearch{m: m, u: s.u, q: q, found: binIndex(m.bits, s.min) - 1, last: binIndex(m.bits, s.max)}
	b.guess, b.guessed = m.found.near(q)
	return b
}

// weight returns Σ u_k·#(values in the bins up to i).
func (s *binSearch) weight(i int32) float64 {
	var f float64
	for k, u := range s.u {
		if u > 0 {
			f += u * s.m.bins[k].upTo(i)
		}
	}
	return f
}

// find finds the first bin after the one before up to which the weight is at least
// target, or above it if strict; the last one if there is none, by rounding.
func (s *binSearch) find(target float64, strict bool) (bin int32, below, at float64) {
	enough := func(i int32) bool {
		f := s.weight(i)
		return f > target || !strict && f == target
	}
	lo, hi := s.found, s.last // the bin lies above lo, unless that is the last, and is at most hi
	if g := s.guess; s.guessed && lo < g && g < hi {
		lo, hi = s.bracket(lo, hi, enough)
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	if !s.guessed {
		s.m.found.note(s.q, hi)
	}
	s.passed, s.found = s.found, hi
	s.guess, s.guessed = hi+1, true // the next is near
	return hi, s.weight(hi - 1), s.weight(hi)
}

// firstStep is how far from a guess the bin is sought first; every step is four
// times the one before.
const firstStep = 8

// bracket narrows the range of find around the guess.
func (s *binSearch) bracket(lo, hi int32, enough func(int32) bool) (int32, int32) {
	step := int32(firstStep)
	if enough(s.guess) {
		for hi = s.guess; hi-step > lo; step *= 4 {
			if !enough(hi - step) {
				return hi - step, hi
			}
			hi -= step
		}
		return lo, hi
	}
	for lo = s.guess; lo+step < hi; step *= 4 {
		if enough(lo + step) {
			return lo, lo + step
		}
		lo += step
	}
	return lo, hi
}

func (s *binSearch) between(out *pieces) {
	mid := func(bin int32) float64 { return binMid(s.m.bits, bin) }
	for k, u := range s.u {
		if u > 0 {
			s.m.bins[k].between(s.passed, s.found, u, mid, out)
		}
	}
}
