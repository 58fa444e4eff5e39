package stats

import (
	"fmt"
	"math"
)

// RunsNeeded returns the smallest number of runs per side with which a
// one-sided t test at level alpha detects distance with the given power. Both
// sides have that many runs, each with standard deviation sd between runs on the
// scale of distance (commonly the log scale); the test has 2K−2 degrees of
// freedom and the power is that of the noncentral t. Give alpha/2 for a
// two-sided test. For noninferiority distance is the gap between the assumed
// true change and the margin.
//
// Special cases are:
//
//	sd = 0: 2 runs
//	distance ≤ 0: ErrImpossible, no number of runs shows it
//	more than maxRuns needed: ErrImpossible, the text says roughly how many
//	NaN, infinite distance, sd < 0, alpha or power outside (0, 1),
//	power ≤ alpha, maxRuns < 2: ErrDomain
func RunsNeeded(sd, distance, alpha, power float64, maxRuns int) (int, error) {
	return NRuns(sd, distance, alpha, power, Greater, maxRuns)
}

// NRuns is RunsNeeded for a chosen alternative; for TwoSided alpha is the
// two-sided level and both tails count. The distance is positive for Greater and
// TwoSided, and negative for Less. At least 2 runs per side are asked for.
func NRuns(sd, distance, alpha, power float64, alt Alternative, maxRuns int) (int, error) {
	if err := checkPlan(alpha, power); err != nil {
		return 0, err
	}
	if err := checkSpread("standard deviation between runs", sd); err != nil {
		return 0, err
	}
	if math.IsNaN(distance) || math.IsInf(distance, 0) {
		return 0, fmt.Errorf("distance %v: want a finite number: %w", distance, ErrDomain)
	}
	if maxRuns < 2 {
		return 0, fmt.Errorf("limit of %d runs: want at least 2: %w", maxRuns, ErrDomain)
	}
	tail := alpha
	switch alt {
	case TwoSided:
		tail = alpha / 2
	case Greater:
	case Less:
		distance = -distance
	default:
		return 0, fmt.Errorf("%v: want two-sided, less or greater: %w", alt, ErrDomain)
	}
	if distance <= 0 {
		return 0, fmt.Errorf("distance %v to detect is not positive: no number of runs shows it: %w", distance, ErrImpossible)
	}
	d := distance / sd
	if math.IsInf(d, 1) {
		return 2, nil
	}
	powerAt := func(k int) float64 { return runsPower(d, k, tail, alt) }
	k, ok := solveWhole(2, maxRuns, power, powerAt)
	if !ok {
		z := NormalQuantile(1-tail) + NormalQuantile(power)
		return 0, fmt.Errorf("about %.3g runs per side are needed, the limit is %d: %w", 2*z*z/(d*d), maxRuns, ErrImpossible)
	}
	return k, nil
}

// runsPower is the power of k runs a side at a distance of d > 0 standard
// deviations, tail being the level of one tail.
func runsPower(d float64, k int, tail float64, alt Alternative) float64 {
	ncp, df := twoSampleT(d, float64(k))
	p := upperPower(ncp, df, tail)
	if alt == TwoSided {
		p += upperPower(-ncp, df, tail)
	}
	return p
}

// RunsPower returns the power of the test of NRuns with k runs per side. It
// returns ErrTooFew for k < 2 and otherwise the errors of TTestPower; sd must be
// positive.
func RunsPower(k int, sd, distance, alpha float64, alt Alternative) (float64, error) {
	if k < 2 {
		return 0, fmt.Errorf("%d runs per side: want at least 2: %w", k, ErrTooFew)
	}
	if !(sd > 0) || math.IsInf(sd, 1) {
		return 0, fmt.Errorf("standard deviation between runs %v: want a finite positive number: %w", sd, ErrDomain)
	}
	ncp, df := twoSampleT(distance/sd, float64(k))
	return TTestPower(ncp, df, alpha, alt)
}

// MDERuns returns the smallest distance that k runs per side detect with the
// given power, by the noncentral t: the inverse of RunsPower. The result is
// positive and scales with sd; for noninferiority without a true change it is
// the smallest margin that the design can be expected to show.
//
// Special cases are: 0 for sd = 0; ErrTooFew for k < 2; ErrDomain as NRuns.
func MDERuns(k int, sd, alpha, power float64, alt Alternative) (float64, error) {
	if k < 2 {
		return 0, fmt.Errorf("%d runs per side: want at least 2: %w", k, ErrTooFew)
	}
	if err := checkPlan(alpha, power); err != nil {
		return 0, err
	}
	if err := checkSpread("standard deviation between runs", sd); err != nil {
		return 0, err
	}
	if alt != TwoSided && alt != Greater && alt != Less {
		return 0, fmt.Errorf("%v: want two-sided, less or greater: %w", alt, ErrDomain)
	}
	tail := alpha
	if alt == TwoSided {
		tail = alpha / 2
	}
	powerAt := func(d float64) float64 { return runsPower(d, k, tail, alt) }
	lo, hi := 0.0, 1.0
	for powerAt(hi) < power {
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1e-13*hi {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if powerAt(mid) < power {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi * sd, nil
}

// RunMeanSD returns the standard deviation of the mean of one run with n
// requests: √(between² + within²/n), between and within being the standard
// deviations between runs and between independent requests of a run. Divide n by
// the autocorrelation factor first when requests are dependent. It returns
// ErrDomain for negative or non-finite spreads or n < 1.
func RunMeanSD(between, within, n float64) (float64, error) {
	if err := checkSpread("standard deviation between runs", between); err != nil {
		return 0, err
	}
	if err := checkSpread("standard deviation within runs", within); err != nil {
		return 0, err
	}
	if !(n >= 1) {
		return 0, fmt.Errorf("requests per run %v: want at least 1: %w", n, ErrDomain)
	}
	return math.Hypot(between, within/math.Sqrt(n)), nil
}
