package sketch

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Sum adds float64 values exactly. Values of the same exponent are integers of
// one scale, so their mantissas are added as 128-bit integers, one accumulator
// an exponent; nothing is rounded before [Sum.Value] is asked for. The result
// therefore does not depend on the order of the values, their grouping or the
// number of sums merged. (The idea of the small superaccumulator of Neal 2015,
// arXiv:1505.05571, with wider accumulators and no carries to propagate.)
//
// An accumulator holds 2^75 values before it could overflow, more than a count
// holds. Memory is 16 bytes an octave seen. The zero value is the empty sum.
type Sum struct {
	pos, neg sumSide
	n        uint64
	invalid  uint64
}

// sumSide holds the accumulators of one sign: a window of exponents, acc[i] in
// units of 2^(base+i−1075). Exponent 0, of zero and subnormal numbers, is never
// in the window: those add to exponent 1, which has the same unit.
type sumSide struct {
	base uint64 // biased exponent of acc[0]
	acc  []acc128
}

type acc128 struct{ lo, hi uint64 }

func (a *acc128) add(lo, hi uint64) {
	var c uint64
	a.lo, c = bits.Add64(a.lo, lo, 0)
	a.hi, _ = bits.Add64(a.hi, hi, c)
}

const (
	mantMask = 1<<mantBits - 1
	implicit = 1 << mantBits
	expMask  = 0x7ff
	unitExp  = expBias + mantBits // the unit of biased exponent e is 2^(e−unitExp)
)

// Add adds v. NaN and ±Inf are counted by [Sum.Invalid] only.
func (s *Sum) Add(v float64) {
	b := math.Float64bits(v)
	i := b>>mantBits - s.pos.base
	if i >= uint64(len(s.pos.acc)) {
		s.addOther(v)
		return
	}
	s.pos.acc[i].add(b&mantMask|implicit, 0)
	s.n++
}

// AddSlice adds every value of vs, as Add does, and is faster.
func (s *Sum) AddSlice(vs []float64) {
	for len(vs) > 0 {
		var k int
		if len(s.neg.acc) == 0 {
			k = s.pos.addRun(vs)
		} else {
			k = s.addRunSigned(vs)
		}
		s.n += uint64(k)
		if k == len(vs) {
			return
		}
		s.addOther(vs[k])
		vs = vs[k+1:]
	}
}

// addRun adds values until one falls outside the window and returns how many it
// added.
func (d *sumSide) addRun(vs []float64) int {
	acc, base := d.acc, d.base
	for j, v := range vs {
		b := math.Float64bits(v)
		i := b>>mantBits - base
		if i >= uint64(len(acc)) {
			return j
		}
		acc[i].add(b&mantMask|implicit, 0)
	}
	return len(vs)
}

// addRunSigned is addRun for data of both signs, without a branch on the sign.
func (s *Sum) addRunSigned(vs []float64) int {
	sides := [2]*sumSide{&s.pos, &s.neg}
	for j, v := range vs {
		b := math.Float64bits(v)
		d := sides[b>>63]
		i := b>>mantBits&expMask - d.base
		if i >= uint64(len(d.acc)) {
			return j
		}
		d.acc[i].add(b&mantMask|implicit, 0)
	}
	return len(vs)
}

// addOther adds what is not a positive normal number of an exponent seen before.
func (s *Sum) addOther(v float64) {
	b := math.Float64bits(v)
	e, m := b>>mantBits&expMask, b&mantMask
	if e == expMask {
		s.invalid++
		return
	}
	s.n++
	if e == 0 {
		if m == 0 {
			return
		}
		e = 1
	} else {
		m |= implicit
	}
	d := &s.pos
	if b&signBit != 0 {
		d = &s.neg
	}
	if e-d.base >= uint64(len(d.acc)) {
		d.reach(e)
	}
	d.acc[e-d.base].add(m, 0)
}

// reach makes the window cover the biased exponent e.
func (d *sumSide) reach(e uint64) {
	first, last := e, e
	if len(d.acc) > 0 {
		first = min(first, d.base)
		last = max(last, d.base+uint64(len(d.acc))-1)
	}
	if n := last + 1 - first; n != uint64(len(d.acc)) {
		acc := make([]acc128, n)
		if len(d.acc) > 0 {
			copy(acc[d.base-first:], d.acc)
		}
		d.base, d.acc = first, acc
	}
}

// Merge adds the values of o, which stays as it is. A nil o has no values.
// Errors: [ErrOverflow] if the number of values would exceed int64; s is
// unchanged then.
func (s *Sum) Merge(o *Sum) error {
	if o == nil {
		return nil
	}
	if o.n > maxCount-s.n || o.invalid > maxCount-s.invalid {
		return fmt.Errorf("merge of %d and %d values: %w", s.n, o.n, ErrOverflow)
	}
	s.pos.merge(&o.pos)
	s.neg.merge(&o.neg)
	s.n += o.n
	s.invalid += o.invalid
	return nil
}

func (d *sumSide) merge(o *sumSide) {
	if len(o.acc) == 0 {
		return
	}
	d.reach(o.base)
	d.reach(o.base + uint64(len(o.acc)) - 1)
	for i, a := range o.acc {
		d.acc[o.base-d.base+uint64(i)].add(a.lo, a.hi)
	}
}

// N returns the number of values added, NaN and ±Inf not included.
func (s *Sum) N() int64 { return int64(s.n) }

// Invalid returns how often Add was given NaN or ±Inf.
func (s *Sum) Invalid() int64 { return int64(s.invalid) }

// Value returns the sum of all values, correctly rounded to the nearest float64,
// ties to even: the exact sum is rounded once.
//
// Special cases are:
//
//	no values                         0
//	the exact sum is out of range     ±Inf
func (s *Sum) Value() float64 {
	v, _ := new(big.Float).SetMantExp(s.integer(), 1-unitExp).Float64()
	return v
}

// Mean returns the exact sum divided by the number of values, correctly rounded.
// Errors: [ErrEmpty] without values.
func (s *Sum) Mean() (float64, error) {
	if s.n == 0 {
		return 0, fmt.Errorf("mean of no values: %w", ErrEmpty)
	}
	num, _ := s.integer().Int(nil)
	den := new(big.Int).SetUint64(s.n)
	den.Lsh(den, unitExp-1)
	v, _ := new(big.Rat).SetFrac(num, den).Float64()
	return v, nil
}

// integer returns the exact sum in units of 2^(1−unitExp).
func (s *Sum) integer() *big.Float {
	total := s.pos.integer()
	total.Sub(total, s.neg.integer())
	if total.Sign() == 0 {
		return new(big.Float)
	}
	return new(big.Float).SetPrec(uint(max(total.BitLen(), 64))).SetInt(total)
}

func (d *sumSide) integer() *big.Int {
	total, part := new(big.Int), new(big.Int)
	for i, a := range d.acc {
		if a.lo|a.hi == 0 {
			continue
		}
		part.SetUint64(a.hi)
		part.Lsh(part, 64)
		part.Or(part, new(big.Int).SetUint64(a.lo))
		total.Add(total, part.Lsh(part, uint(d.base)+uint(i)-1))
	}
	return total
}

// Reset forgets all values and keeps the memory.
func (s *Sum) Reset() {
	clear(s.pos.acc)
	clear(s.neg.acc)
	s.n, s.invalid = 0, 0
}
