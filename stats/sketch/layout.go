package sketch

import (
	"fmt"
	"math"
)

// The bin layout. An octave [2^e, 2^(e+1)) is cut into 2^bits bins of equal
// width, which is what the top bits of a float64's mantissa do by themselves.
const (
	// DefaultBits cuts an octave into 1,024 bins: relative width at most
	// 2^-10, half of it 2^-11.
	DefaultBits = 10
	// MaxBits is the finest layout; it bounds a side of a histogram to 2 MiB.
	MaxBits = 12

	// MinMagnitude and MaxMagnitude bound the values that have bins:
	// MinMagnitude <= |v| < MaxMagnitude. The range holds seconds and
	// nanoseconds, bytes, tokens and Unix times in nanoseconds alike.
	MinMagnitude = 0x1p-64
	MaxMagnitude = 0x1p64

	minExp, maxExp = -64, 64 // exponents of the two magnitudes
	expBias        = 1023
	mantBits       = 52
	signBit        = 1 << 63
)

// binsPerSide returns the number of regular bins on each side of zero.
func binsPerSide(bits int) int32 { return int32(maxExp-minExp) << bits }

// keyBase returns the top bits of MinMagnitude.
func keyBase(bits int) uint64 { return uint64(expBias+minExp) << bits }

// CheckBits returns an error unless bits lies in [1, MaxBits].
func CheckBits(bits int) error {
	if bits < 1 || bits > MaxBits {
		return fmt.Errorf("%d bits per octave: want 1 to %d: %w", bits, MaxBits, ErrDomain)
	}
	return nil
}

// BinIndex returns the index of the bin that holds v in a layout of the given
// bits, and false if v is NaN or infinite or bits is outside [1, MaxBits].
//
// The index orders as the values do and is antisymmetric: index(−v) = −index(v).
// With e = floor(log2 |v|) a positive v has the index
//
//	2 + (e + 64)·2^bits + floor((v/2^e − 1)·2^bits)
//
// Special cases are:
//
//	v = 0                      0
//	0 < v < MinMagnitude       1, the underflow bin
//	v >= MaxMagnitude          2 + 128·2^bits, the overflow bin
func BinIndex(bits int, v float64) (int32, bool) {
	if CheckBits(bits) != nil || v-v != 0 {
		return 0, false
	}
	return binIndex(bits, v), true
}

// binIndex is BinIndex for a finite v and valid bits.
func binIndex(bits int, v float64) int32 {
	a := math.Abs(v)
	var i int32
	switch {
	case a == 0:
		return 0
	case a < MinMagnitude:
		i = 1
	case a >= MaxMagnitude:
		i = 2 + binsPerSide(bits)
	default:
		i = 2 + int32(math.Float64bits(a)>>(mantBits-bits)-keyBase(bits))
	}
	if v < 0 {
		return -i
	}
	return i
}

// BinEdges returns the edges of a bin: [lower, upper) on the positive side,
// (lower, upper] on the negative side, 0 and 0 for the bin of zeros. The
// outermost edge is ±math.MaxFloat64, which the bin includes. It returns false
// if the layout has no such bin.
func BinEdges(bits int, index int32) (lower, upper float64, ok bool) {
	if CheckBits(bits) != nil || index > 2+binsPerSide(bits) || index < -2-binsPerSide(bits) {
		return 0, 0, false
	}
	lower, upper = binEdges(bits, index)
	return lower, upper, true
}

// binEdges is BinEdges for a valid index.
func binEdges(bits int, index int32) (lower, upper float64) {
	if index < 0 {
		upper, lower = binEdges(bits, -index)
		return -lower, -upper
	}
	switch {
	case index == 0:
		return 0, 0
	case index == 1:
		return 0, MinMagnitude
	case index == 2+binsPerSide(bits):
		return MaxMagnitude, math.MaxFloat64
	}
	key := keyBase(bits) + uint64(index-2)
	return math.Float64frombits(key << (mantBits - bits)),
		math.Float64frombits((key + 1) << (mantBits - bits))
}

// valueIn returns the value that lies the fraction t into the bin, where the
// data reach from lo to hi. The underflow bins are read as zero.
func valueIn(bits int, index int32, t, lo, hi float64) float64 {
	var a, b float64
	if index < -1 || index > 1 {
		a, b = binEdges(bits, index)
	}
	a = min(max(a, lo), hi)
	b = min(max(b, lo), hi)
	return min(max(a+t*(b-a), a), b)
}

// binMid returns the middle of a bin that the data fill; 0 for the underflow bins.
func binMid(bits int, index int32) float64 {
	if index >= -1 && index <= 1 {
		return 0
	}
	a, b := binEdges(bits, index)
	return a + (b-a)/2
}
