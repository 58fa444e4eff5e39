package stats

import "fmt"

// MDETwoProportionsNI returns the smallest margin by which n trials per side
// show with the given power that the rate of y is not worse than that of x, when
// both are p: the inverse of NTwoProportionsNI without a true change.
//
// Special cases are:
//
//	n < 1: ErrTooFew
//	no margin below 1 can be shown: ErrImpossible
//	otherwise as NTwoProportionsNI
func MDETwoProportionsNI(p float64, n int, alpha, power float64) (float64, error) {
	if n < 1 {
		return 0, fmt.Errorf("%d trials per side: want at least 1: %w", n, ErrTooFew)
	}
	if err := checkPlan(alpha, power); err != nil {
		return 0, err
	}
	if err := checkRates(p, p); err != nil {
		return 0, err
	}
	enough := func(margin float64) bool {
		size, err := NTwoProportionsNI(p, p, margin, alpha, power)
		return err == nil && size.Exact <= float64(n)
	}
	const most = 1 - 1e-9
	if !enough(most) {
		return 0, fmt.Errorf("%d trials per side at a rate of %v: no margin can be shown: %w", n, p, ErrImpossible)
	}
	lo, hi := 0.0, most
	for hi-lo > 1e-12*hi {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}
