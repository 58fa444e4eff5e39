package sketch

import (
	"slices"
	"sync"
)

// valuePart is a part of a mixture that has its values, ascending.
type valuePart struct {
	xs    []float64
	block []float64 // sum of each full block of values
}

// blockSize is the number of values whose sum is made beforehand.
const blockSize = 64

// newValuePart makes a part of sorted values, which it keeps.
func newValuePart(xs []float64) valuePart {
	p := valuePart{xs: xs, block: make([]float64, len(xs)/blockSize)}
	for b := range p.block {
		for _, v := range xs[b*blockSize : (b+1)*blockSize] {
			p.block[b] += v
		}
	}
	return p
}

// lower returns the first index in [lo, hi) whose value is >= v, or hi.
func (p *valuePart) lower(v float64, lo, hi int) int {
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if p.xs[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// upper returns the first index in [lo, hi) whose value is > v, or hi.
func (p *valuePart) upper(v float64, lo, hi int) int {
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if p.xs[mid] <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// between adds the values xs[from:to], each of weight u, to the average.
func (p *valuePart) between(from, to int, u float64, out *pieces) {
	for from < to {
		end, v := from+1, p.xs[from]
		if b := from / blockSize; from%blockSize == 0 && from+blockSize <= to && p.block[b]-p.block[b] == 0 {
			end, v = from+blockSize, p.block[b]/blockSize
		}
		out.add(u*float64(end-from), v)
		from = end
	}
}

// valueSearch finds values of a mixture, ascending.
type valueSearch struct {
	parts []valuePart
	u     []float64
	near  [][]float64 // guesses for the finds to come
	room  *[]int
	// By part: the value found, from and to, and where the one before ended.
	from, to, passed, up []int
}

// rooms is where searches keep indices.
var rooms = sync.Pool{New: func() any { return new([]int) }}

// newValueSearch prepares a search for quantiles at the weights a and b. It must be
// closed.
func (m *Mixture) newValueSearch(s *weighing, a, b float64) *valueSearch {
	n := len(m.values)
	room := rooms.Get().(*[]int)
	*room = slices.Grow((*room)[:0], 4*n)[:4*n]
	r := *room
	clear(r)
	nearA, nearB := near(m.order, s.u, s.total, a, b)
	return &valueSearch{parts: m.values, u: s.u, near: [][]float64{nearA, nearB}, room: room, from: r[:n], to: r[n : 2*n], passed: r[2*n : 3*n], up: r[3*n:]}
}

func (s *valueSearch) close() { rooms.Put(s.room) }

func (s *valueSearch) find(target float64, strict bool) (v, below, at float64) {
	copy(s.passed, s.to)
	copy(s.from, s.to)
	v = s.locate(target, strict, s.near[0])
	s.near = s.near[1:]
	return v, s.mass(s.from), s.mass(s.to)
}

func (s *valueSearch) between(out *pieces) {
	for k, u := range s.u {
		if u > 0 && s.from[k] > s.passed[k] {
			s.parts[k].between(s.passed[k], s.from[k], u, out)
		}
	}
}

// mass returns the weight of the first index[k] values of every part k.
func (s *valueSearch) mass(index []int) float64 {
	var sum float64
	for k, i := range index {
		if s.u[k] > 0 {
			sum += s.u[k] * float64(i)
		}
	}
	return sum
}

// locate finds the smallest value v whose weight F(v) = Σ u_k·#(values <= v) is at
// least target, or above it if strict. It sets from and to to the ranges of v in
// the parts. On entry from holds what is known to lie below v.
//
// Each step halves the longest range of values that may hold v at its middle one
// and cuts the ranges of all other parts there too. Values near v are tried first;
// they save steps and change nothing else.
func (s *valueSearch) locate(target float64, strict bool, near []float64) float64 {
	parts, u, lo, hi, up := s.parts, s.u, s.from, s.to, s.up
	var (
		found float64
		ok    bool
		last  float64 // the largest value
		some  bool
	)
	for k := range parts {
		hi[k] = lo[k]
		if u[k] > 0 {
			hi[k] = len(parts[k].xs)
			if top := parts[k].xs[hi[k]-1]; !some || top > last {
				last, some = top, true
			}
		}
	}
	for {
		var pivot float64
		if len(near) > 0 {
			pivot, near = near[0], near[1:]
		} else {
			longest := 0
			for k := range parts {
				if hi[k]-lo[k] > hi[longest]-lo[longest] {
					longest = k
				}
			}
			if hi[longest] == lo[longest] {
				break
			}
			pivot = parts[longest].xs[int(uint(lo[longest]+hi[longest])/2)]
		}
		var f float64
		for k := range parts {
			up[k] = lo[k]
			if u[k] > 0 {
				up[k] = parts[k].upper(pivot, lo[k], hi[k])
				f += u[k] * float64(up[k])
			}
		}
		if f > target || !strict && f == target {
			found, ok = pivot, true
			for k := range parts {
				hi[k] = parts[k].lower(pivot, lo[k], up[k])
			}
		} else {
			copy(lo, up)
		}
	}
	if !ok { // target is the whole weight, up to rounding
		found = last
		for k := range parts {
			if u[k] > 0 {
				lo[k] = parts[k].lower(found, 0, len(parts[k].xs))
			}
		}
	}
	for k := range parts {
		hi[k] = lo[k]
		if u[k] > 0 {
			hi[k] = parts[k].upper(found, lo[k], len(parts[k].xs))
		}
	}
	return found
}
