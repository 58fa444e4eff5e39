package sketch

import (
	"cmp"
	"math"
)

// keyed is a part as ascending keys, values or bin indices, with the number of
// values up to and including each.
type keyed[K cmp.Ordered] struct {
	keys  []K
	cum   []int64   // nil: one value a key
	vals  []float64 // the keys, if they are values
	bins  []int32   // the keys, if they are bins of a layout of so many bits
	bits  int
	block []float64 // Σ count·mid of each full block of keys
}

// blockSize is the number of keys whose moments are added up beforehand.
const blockSize = 64

// keyedValues makes a part of sorted values, which it keeps.
func keyedValues(xs []float64) keyed[float64] {
	p := keyed[float64]{keys: xs, vals: xs, block: make([]float64, len(xs)/blockSize)}
	for b := range p.block {
		for _, v := range xs[b*blockSize : (b+1)*blockSize] {
			p.block[b] += v
		}
	}
	return p
}

// keyedBins makes a part of the bins of h.
func keyedBins(h *Histogram) keyed[int32] {
	n := h.bins()
	p := keyed[int32]{keys: make([]int32, 0, n+1), cum: make([]int64, 0, n+1), bits: h.Bits()}
	p.block = make([]float64, (n+blockSize-1)/blockSize)
	if !h.plain() {
		h.each(func(index int32, c uint64) bool {
			p.add(index, c, binMid(p.bits, index))
			return true
		})
		p.bins = p.keys
		return p
	}
	// Every bin is written where the next that holds values goes: whether one does
	// is a guess that often fails.
	shift, first := uint(mantBits-p.bits), 2-int32(keyBase(p.bits))
	keys, cum := p.keys[:n+1], p.cum[:n+1]
	at, total := 0, int64(0)
	from, until := h.span()
	for i, c := range h.pos.lo[from:until] {
		total += int64(c)
		keys[at], cum[at] = first+int32(h.pos.base)+int32(from+i), total
		if c > 0 {
			at++
		}
	}
	p.keys, p.cum = keys[:n], cum[:n]
	before := int64(0)
	for i, c := range p.cum {
		key := uint64(p.keys[i] - first)
		a, b := math.Float64frombits(key<<shift), math.Float64frombits((key+1)<<shift)
		p.block[i/blockSize] += (a + (b-a)/2) * float64(c-before)
		before = c
	}
	p.bins = p.keys
	return p
}

// add adds a bin of c values whose middle is mid.
func (p *keyed[K]) add(key K, c uint64, mid float64) {
	var cum int64
	if n := len(p.cum); n > 0 {
		cum = p.cum[n-1]
	}
	p.block[len(p.keys)/blockSize] += mid * float64(c)
	p.keys, p.cum = append(p.keys, key), append(p.cum, cum+int64(c))
}

// mid returns the value of a key, of a bin its middle. It is not meant for the
// outermost bins, which the data may fill only in part.
func (p *keyed[K]) mid(i int) float64 {
	if p.vals != nil {
		return p.vals[i]
	}
	return binMid(p.bits, p.bins[i])
}

// count returns the number of values in the first i keys.
func (p *keyed[K]) count(i int) float64 {
	switch {
	case p.cum == nil:
		return float64(i)
	case i == 0:
		return 0
	}
	return float64(p.cum[i-1])
}

// lower returns the first index in [lo, hi) whose key is >= key, or hi.
func (p *keyed[K]) lower(key K, lo, hi int) int {
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if p.keys[mid] < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// upper returns the first index in [lo, hi) whose key is > key, or hi.
func (p *keyed[K]) upper(key K, lo, hi int) int {
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if p.keys[mid] <= key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// between adds the values of keys[from:to], each of weight u, to the average.
func (p *keyed[K]) between(from, to int, u float64, out *pieces) {
	for from < to {
		end, sum := from+1, 0.0
		if b := from / blockSize; from%blockSize == 0 && from+blockSize <= to && p.block[b]-p.block[b] == 0 {
			end, sum = from+blockSize, p.block[b]
		}
		c := p.count(end) - p.count(from)
		if end == from+1 {
			out.add(u*c, p.mid(from))
		} else {
			out.add(u*c, sum/c)
		}
		from = end
	}
}

// mass returns the weight of the first index[k] keys of every part k.
func mass[K cmp.Ordered](parts []keyed[K], u []float64, index []int) float64 {
	var sum float64
	for k, i := range index {
		if u[k] > 0 {
			sum += u[k] * parts[k].count(i)
		}
	}
	return sum
}

// locate finds the smallest key v whose weight F(v) = Σ u_k·#(values <= v) is at
// least target, or above it if strict. It sets lo and hi to the ranges of v in
// the parts. On entry lo holds what is known to lie below v.
//
// Each step halves the longest range of keys that may hold v at its middle key
// and cuts the ranges of all other parts there too. Keys near v are tried first;
// they save steps and change nothing else. up is room for indices.
func locate[K cmp.Ordered](parts []keyed[K], u []float64, target float64, strict bool, near []K, lo, hi, up []int) K {
	var (
		found K
		ok    bool
		last  K // the largest key
		some  bool
	)
	for k := range parts {
		hi[k] = lo[k]
		if u[k] > 0 {
			hi[k] = len(parts[k].keys)
			if top := parts[k].keys[hi[k]-1]; !some || top > last {
				last, some = top, true
			}
		}
	}
	for {
		var pivot K
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
			pivot = parts[longest].keys[int(uint(lo[longest]+hi[longest])/2)]
		}
		var f float64
		for k := range parts {
			up[k] = lo[k]
			if u[k] > 0 {
				up[k] = parts[k].upper(pivot, lo[k], hi[k])
				f += u[k] * parts[k].count(up[k])
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
				lo[k] = parts[k].lower(found, 0, len(parts[k].keys))
			}
		}
	}
	for k := range parts {
		hi[k] = lo[k]
		if u[k] > 0 {
			hi[k] = parts[k].upper(found, lo[k], len(parts[k].keys))
		}
	}
	return found
}
