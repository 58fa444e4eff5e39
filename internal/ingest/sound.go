package ingest

import "math"

// Most frames hold nothing that must be marked. These tell so of a whole
// column, without a branch a value; where they do not, the records are looked
// at one by one.

const (
	signBit   = 1 << 63
	maxFinite = 0x7fefffffffffffff // bits of math.MaxFloat64
	twoTo51   = 0x4320000000000000 // bits of 2^51
)

// allPositive reports whether all values are above 0 and finite.
func allPositive(v []float64) bool {
	var bad uint64
	for _, x := range v {
		b := math.Float64bits(x)
		// b − 1 has the sign bit for +0 and negative values but −0, the other
		// difference for what is above the largest positive number.
		bad |= (b - 1) | (maxFinite - b)
	}
	return bad&signBit == 0
}

// allFinite reports whether no value is NaN or infinite.
func allFinite(v []float64) bool {
	var bad uint64
	for _, x := range v {
		bad |= maxFinite - math.Float64bits(x)&^signBit
	}
	return bad&signBit == 0
}

// allInOrder reports whether all values are above 0 and finite and none of a
// lies above that of b.
func allInOrder(a, b []float64) bool {
	var bad uint64
	b = b[:len(a)]
	for i, x := range a {
		// Above 0, numbers are in the order of their bits.
		m, n := math.Float64bits(x), math.Float64bits(b[i])
		bad |= (m - 1) | (n - m) | (maxFinite - n) | n
	}
	return bad&signBit == 0
}

// allCounts reports whether all values are whole numbers above 0. It may say no
// of a number beyond 2^51.
func allCounts(v []float64) bool {
	const whole = 3 << 51 // adding it leaves no bits for a fraction
	var bad, fraction uint64
	for _, x := range v {
		b := math.Float64bits(x)
		bad |= (b - 1) | (twoTo51 - b)
		fraction |= math.Float64bits((x+whole)-whole) ^ b
	}
	return bad&signBit == 0 && fraction == 0
}
