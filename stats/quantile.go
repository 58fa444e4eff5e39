package stats

import (
	"fmt"
	"math"
	"slices"
)

// QuantileType is one of the nine sample quantile definitions of Hyndman & Fan
// (1996), with their numbers, which R, Julia and numpy share.
type QuantileType int

// The definitions. With sorted values x_1 ≤ … ≤ x_n and 1-based position v:
const (
	HF1 QuantileType = 1 + iota // inverse of the empirical distribution: x_⌈nq⌉
	HF2                         // as HF1, averaging at discontinuities
	HF3                         // nearest to nq, ties to the even rank
	HF4                         // linear in the empirical distribution: v = nq
	HF5                         // v = nq + 1/2
	HF6                         // v = (n+1)q
	HF7                         // v = (n−1)q + 1; the default of R, numpy, Excel
	HF8                         // v = (n+1/3)q + 1/3, nearly median-unbiased
	HF9                         // v = (n+1/4)q + 3/8
)

// Quantile returns the quantile of level q of x, in the unit of x. x need not be
// sorted and is not changed; sort once and use QuantileSorted for many levels.
// Computing in float64, a position within a few ulps of a whole number counts as
// whole, so that 0.29·100 is 29.
//
// Special cases are: q = 0 gives the minimum and q = 1 the maximum for each type.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite, q
// outside [0, 1] or an unknown type.
//
// Source: Hyndman & Fan 1996, The American Statistician 50:361,
// doi:10.1080/00031305.1996.10473566.
func Quantile(x []float64, q float64, typ QuantileType) (float64, error) {
	if err := CheckFinite(x); err != nil {
		return 0, err
	}
	return QuantileSorted(sortedValues(x), q, typ)
}

// QuantileSorted is Quantile for values that are finite and already in
// sortedValues order, in constant time. It does not check the order.
//
// Errors: ErrTooFew for no values, ErrDomain for q outside [0, 1] or an unknown
// type.
func QuantileSorted(sorted []float64, q float64, typ QuantileType) (float64, error) {
	n := len(sorted)
	if n == 0 {
		return 0, fmt.Errorf("quantile of no values: want at least 1: %w", ErrTooFew)
	}
	if !(q >= 0 && q <= 1) {
		return 0, fmt.Errorf("quantile level %v: want a number in [0, 1]: %w", q, ErrDomain)
	}
	if typ < HF1 || typ > HF9 {
		return 0, fmt.Errorf("quantile type %d: want one of 1 to 9: %w", typ, ErrDomain)
	}
	j, g := quantilePosition(n, q, typ)
	lo := sorted[min(max(j, 1), n)-1]
	if g == 0 {
		return lo, nil
	}
	hi := sorted[min(max(j+1, 1), n)-1]
	return between(lo, hi, g), nil
}

// quantilePosition returns the rank j and the weight g of x_(j+1) in the
// quantile (1−g) x_(j) + g x_(j+1); j may lie outside [1, n].
func quantilePosition(n int, q float64, typ QuantileType) (j int, g float64) {
	v := float64(n) * q
	switch typ {
	case HF1, HF2:
	case HF3:
		v -= 0.5
	case HF4:
	case HF5:
		v += 0.5
	case HF6:
		v = float64(n+1) * q
	case HF7:
		v = float64(n-1)*q + 1
	case HF8:
		v = (float64(n)+1.0/3)*q + 1.0/3
	case HF9:
		v = (float64(n)+0.25)*q + 0.375
	}
	v = fuzz(v)
	floor := math.Floor(v)
	j, g = int(floor), v-floor
	whole := g == 0
	switch typ {
	case HF1:
		g = 1
		if whole {
			g = 0
		}
	case HF2:
		g = 1
		if whole {
			g = 0.5
		}
	case HF3:
		g = 1
		if whole && j%2 == 0 {
			g = 0
		}
	}
	return j, g
}

// fuzz rounds v to the nearest whole number if it lies within a few ulps of it.
func fuzz(v float64) float64 {
	r := math.Round(v)
	if math.Abs(v-r) < 4*0x1p-52*math.Max(1, math.Abs(v)) {
		return r
	}
	return v
}

// ceilRank is the rank ⌈nq⌉ of the type 1 quantile, at least 1.
func ceilRank(q float64, n int) int {
	return min(max(int(math.Ceil(fuzz(float64(n)*q))), 1), n)
}

// between returns (1−g) lo + g hi for lo ≤ hi and g in [0, 1], never outside
// [lo, hi] and without overflow for finite values.
func between(lo, hi, g float64) float64 {
	if lo == hi {
		return lo
	}
	v := lo + g*(hi-lo)
	if math.IsInf(hi-lo, 0) {
		v = (1-g)*lo + g*hi
	}
	return math.Min(math.Max(v, lo), hi)
}

// sortedValues returns x in ascending order without changing it.
func sortedValues(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}
