package sketch

// side holds the bins of one sign: a dense window of counts over the octaves
// seen so far. A count is lo plus 2^32·hi; hi exists only after a carry, so the
// array that recording touches stays half as large as one of uint64.
type side struct {
	base uint64 // key of lo[0]; a multiple of an octave
	lo   []uint32
	hi   []uint32 // nil or as long as lo
}

// reach makes the window cover the octaves of two keys and those between. Windows
// only grow.
func (s *side) reach(from, to uint64, bits int) {
	first, last := from>>bits, to>>bits
	if len(s.lo) > 0 {
		first = min(first, s.base>>bits)
		last = max(last, (s.base+uint64(len(s.lo))-1)>>bits)
		if first == s.base>>bits && (last+1)<<bits == s.base+uint64(len(s.lo)) {
			return
		}
	}
	base := first << bits
	n := (last + 1 - first) << bits
	lo := make([]uint32, n)
	var at uint64
	if len(s.lo) > 0 {
		at = s.base - base
	}
	copy(lo[at:], s.lo)
	if s.hi != nil {
		hi := make([]uint32, n)
		copy(hi[at:], s.hi)
		s.hi = hi
	}
	s.base, s.lo = base, lo
}

// carry records that lo[i] has wrapped around n times.
func (s *side) carry(i uint64, n uint32) {
	if s.hi == nil {
		s.hi = make([]uint32, len(s.lo))
	}
	s.hi[i] += n
}

// addN adds n to the count at window position i.
func (s *side) addN(i, n uint64) {
	sum := uint64(s.lo[i]) + n&(1<<32-1)
	s.lo[i] = uint32(sum)
	if up := uint32(sum>>32) + uint32(n>>32); up != 0 {
		s.carry(i, up)
	}
}

// at returns the count at window position i.
func (s *side) at(i int) uint64 {
	c := uint64(s.lo[i])
	if s.hi != nil {
		c |= uint64(s.hi[i]) << 32
	}
	return c
}

// merge adds the counts of o, which must not be s.
func (s *side) merge(o *side, bits int) {
	if len(o.lo) == 0 {
		return
	}
	s.reach(o.base, o.base+uint64(len(o.lo))-1, bits)
	at := o.base - s.base
	dst := s.lo[at : at+uint64(len(o.lo))]
	for i, c := range o.lo {
		sum := dst[i] + c
		dst[i] = sum
		if sum < c {
			s.carry(at+uint64(i), 1)
		}
	}
	for i, c := range o.hi {
		if c != 0 {
			s.carry(at+uint64(i), c)
		}
	}
}

// reset sets all counts to zero and keeps the window.
func (s *side) reset() {
	clear(s.lo)
	s.hi = nil
}

// clone returns a copy that shares nothing.
func (s *side) clone() side {
	c := side{base: s.base, lo: append([]uint32(nil), s.lo...)}
	if s.hi != nil {
		c.hi = append([]uint32(nil), s.hi...)
	}
	return c
}
