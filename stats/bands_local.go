package stats

import (
	"fmt"
	"math"
)

// OrderBand holds simultaneous limits for the order statistics of n independent
// observations on the probability scale.
type OrderBand struct {
	// LocalAlpha is the level at which each order statistic is judged alone,
	// two-sided.
	LocalAlpha float64
	// Lo[i] and Hi[i] hold the distribution function at the (i+1)-th smallest
	// observation, for all i at once.
	Lo, Hi []float64
	Level  float64 // simultaneous confidence level
}

// largestOrderBand bounds the cost of EqualLocalLevels, which grows a little
// faster than n².
const largestOrderBand = 5000

// EqualLocalLevels returns the band in which every order statistic of n
// independent observations of a continuous distribution is judged at the same
// local level, chosen so that all limits hold at once with the given level. Limit
// i is a Beta(i, n−i+1) quantile. Unlike the band of DKW it narrows in the tails,
// so it is the one to use for a tail.
//
// The local level is found by root finding on the exact probability that no limit
// is crossed.
//
// Special cases are:
//
//	n < 1: ErrTooFew
//	n > 5000: ErrDomain, since the exact computation would take too long
//	level outside (0, 1): ErrDomain
//
// Source: Berk & Jones 1979; Aldor-Noiman et al. 2013, The American Statistician
// 67:249, doi:10.1080/00031305.2013.847865.
func EqualLocalLevels(n int, level float64) (OrderBand, error) {
	if n < 1 {
		return OrderBand{}, fmt.Errorf("%d observations: want at least 1: %w", n, ErrTooFew)
	}
	if n > largestOrderBand {
		return OrderBand{}, fmt.Errorf("%d observations: want at most %d for the exact band: %w", n, largestOrderBand, ErrDomain)
	}
	if err := CheckLevel(level); err != nil {
		return OrderBand{}, err
	}
	alpha := 1 - level
	limits := func(eta float64) (lo, hi []float64) {
		lo, hi = make([]float64, n), make([]float64, n)
		for i := range lo {
			lo[i] = BetaQuantile(eta/2, float64(i+1), float64(n-i))
		}
		for i := range hi {
			hi[i] = 1 - lo[n-1-i]
		}
		return lo, hi
	}
	// One order statistic needs the whole alpha, n of them at least alpha/n.
	eta := alpha
	if n > 1 {
		excess := func(logEta float64) float64 {
			return stayInside(limits(math.Exp(logEta))) - level
		}
		eta = math.Exp(findRoot(excess, math.Log(alpha/float64(n))-1e-9, math.Log(alpha), 1e-11))
	}
	lo, hi := limits(eta)
	return OrderBand{LocalAlpha: eta, Lo: lo, Hi: hi, Level: level}, nil
}
