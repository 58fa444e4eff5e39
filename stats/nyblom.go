package stats

import "math"

// Nyblom estimates the quantile of level q with an interval interpolated between
// order statistics so that its coverage comes close to level instead of
// exceeding it: Hettmansperger & Sheather (1986) for the median, Nyblom (1992)
// for any q. It assumes independent values of a continuous distribution; the
// coverage is nearly free of its shape from some 20 values on. For a guarantee
// use OrderStatCI.
//
// For each limit with target β (α/2 below, 1−α/2 above) and π_r = P(X_(r) > ξ),
// r is the largest rank with π_r ≤ β and the limit (1−λ) x_(r) + λ x_(r+1) with
//
//	λ = 1 / (1 + r (1−q)(π_{r+1}−β) / ((n−r) q (β−π_r))).
//
// The point estimate is of type 7; SE is NaN, DF 0.
//
// Special cases are: a limit is ±Inf, with the warning unbounded, where no order
// statistic gives the bound.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite, q
// or level outside (0, 1).
//
// Source: Nyblom 1992, Statistics & Probability Letters 14:129; Hettmansperger &
// Sheather 1986, Statistics & Probability Letters 4:75.
func Nyblom(x []float64, q, level float64) (Estimate, error) {
	if err := CheckFinite(x); err != nil {
		return Estimate{}, err
	}
	return NyblomSorted(sortedValues(x), q, level)
}

// NyblomSorted is Nyblom for finite values in ascending order, which it does not
// check.
func NyblomSorted(sorted []float64, q, level float64) (Estimate, error) {
	n := len(sorted)
	if err := checkQuantileInterval(n, q, level); err != nil {
		return Estimate{}, err
	}
	value, err := QuantileSorted(sorted, q, HF7)
	if err != nil {
		return Estimate{}, err
	}
	est := Estimate{Value: value, SE: math.NaN(), Interval: Unbounded(level), N: n, Method: MethodNyblom}
	half := (1 - level) / 2
	if r, g := nyblomPosition(n, q, half); r > 0 {
		est.Interval.Lo = between(sorted[r-1], sorted[r], g)
	}
	// The upper limit is the lower one of the reflected sample.
	if r, g := nyblomPosition(n, 1-q, half); r > 0 {
		est.Interval.Hi = between(sorted[n-1-r], sorted[n-r], 1-g)
	}
	if math.IsInf(est.Interval.Width(), 1) {
		est.Warnings = []Warning{unbounded()}
	}
	return est, nil
}

// nyblomPosition returns the rank r and the weight of x_(r+1) of a lower limit;
// r = 0 if there is none.
func nyblomPosition(n int, q, tail float64) (r int, lambda float64) {
	r, at := lowerRank(n, q, tail)
	if r == 0 || r == n {
		return 0, 0
	}
	next := BinomialCDF(r, n, q)
	left := float64(r) * (1 - q) * (next - tail)
	right := float64(n-r) * q * math.Max(0, tail-at)
	return r, right / (right + left)
}
