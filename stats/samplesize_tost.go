package stats

import (
	"fmt"
	"math"
)

// NTwoMeansTOST returns the number of independent observations per side with
// which two one-sided pooled t tests, each at level alpha, show that a difference
// of means lies inside (−margin, margin) with the given power, when it is truly
// trueDiff and both sides have standard deviation sd. The power is exact
// (TOSTPower).
//
// Special cases are:
//
//	trueDiff at or beyond ±margin, or margin 0: ErrImpossible
//	otherwise as NTwoMeans
func NTwoMeansTOST(margin, trueDiff, sd, alpha, power float64) (SampleSize, error) {
	if err := checkPlan(alpha, power); err != nil {
		return SampleSize{}, err
	}
	if !(alpha < 0.5) {
		return SampleSize{}, fmt.Errorf("alpha %v: want a number in (0, 0.5): %w", alpha, ErrDomain)
	}
	if err := checkSpread("standard deviation", sd); err != nil {
		return SampleSize{}, err
	}
	if _, err := checkMargin(margin, -math.Abs(trueDiff)); err != nil {
		return SampleSize{}, err
	}
	powerAt := func(n float64) float64 {
		p, err := TOSTPower(sd*math.Sqrt(2/n), 2*n-2, -margin, margin, trueDiff, alpha)
		if err != nil {
			return 0
		}
		return p
	}
	return solveSize(MethodSizeTwoMeansTOST, 2, power, powerAt)
}
