package sketch

import (
	"math"
	"slices"
)

// radixMin is the length from which counting digits beats comparing.
const radixMin = 1 << 10

const (
	digitBits = 11
	digits    = 1 << digitBits
	passes    = (64 + digitBits - 1) / digitBits
)

// sortFloats sorts finite values, none of them −0, in ascending order and
// returns them, in xs or in a new slice. It is a radix sort by 11 bits a pass
// that skips the digits all values share; stable and O(n).
func sortFloats(xs []float64) []float64 {
	if len(xs) < radixMin || uint64(len(xs)) > math.MaxUint32 {
		slices.Sort(xs)
		return xs
	}
	var counts [passes][digits]uint32
	for _, v := range xs {
		k := orderedBits(v)
		for p := range counts {
			counts[p][k>>(p*digitBits)&(digits-1)]++
		}
	}
	tmp := make([]float64, len(xs))
	for p := range counts {
		c := &counts[p]
		shift := uint(p * digitBits)
		if int(c[orderedBits(xs[0])>>shift&(digits-1)]) == len(xs) {
			continue
		}
		var at uint32
		for i, n := range c {
			c[i] = at
			at += n
		}
		for _, v := range xs {
			d := orderedBits(v) >> shift & (digits - 1)
			tmp[c[d]] = v
			c[d]++
		}
		xs, tmp = tmp, xs
	}
	return xs
}

// orderedBits maps a float64 to an integer that orders as the values do.
func orderedBits(v float64) uint64 {
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | signBit)
}

// fromOrderedBits is the inverse of orderedBits.
func fromOrderedBits(k uint64) float64 {
	return math.Float64frombits(k ^ (uint64(int64(^k)>>63) | signBit))
}
