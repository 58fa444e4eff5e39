package stats

import (
	"fmt"
	"math"
)

// DesignEffect returns the factor 1 + (m − 1)·icc by which the variance of a
// mean grows when observations come in groups of m with intraclass correlation
// icc. m may be an average group size.
//
// Special cases are:
//
//	m = 1: 1
//	m < 1, icc outside [−1/(m−1), 1], NaN or infinite: ErrDomain
//
// Source: Kish 1965, Survey Sampling.
func DesignEffect(m, icc float64) (float64, error) {
	if !(m >= 1) || math.IsInf(m, 1) {
		return 0, fmt.Errorf("group size %v: want a finite number of at least 1: %w", m, ErrDomain)
	}
	if !(icc <= 1) || math.IsInf(icc, -1) || 1+(m-1)*icc < 0 {
		return 0, fmt.Errorf("intraclass correlation %v with groups of %v: want a number in [-1/(m-1), 1]: %w", icc, m, ErrDomain)
	}
	return 1 + (m-1)*icc, nil
}

// EffectiveSize returns n divided by the design effect: the number of
// independent observations that carry as much information on the mean. It is
// +Inf where the design effect is 0. Errors are those of DesignEffect, and
// ErrDomain for n < 0 or NaN.
func EffectiveSize(n, m, icc float64) (float64, error) {
	if !(n >= 0) {
		return 0, fmt.Errorf("number of observations %v: want at least 0: %w", n, ErrDomain)
	}
	deff, err := DesignEffect(m, icc)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, nil
	}
	return n / deff, nil
}

// ClusterSize is the answer for grouped observations.
type ClusterSize struct {
	Groups       int     // groups of the stated size, rounded up
	Observations int     // Groups times the group size, rounded up
	DesignEffect float64 // variance inflation that was paid for
}

// NClustered turns a number n of independent observations into groups of m with
// intraclass correlation icc: n times the design effect, rounded up to whole
// groups. For paired comparisons icc is that of the differences, which is usually
// much smaller than that of the scores. Errors are those of DesignEffect;
// ErrDomain for n < 1 and ErrImpossible beyond a billion observations.
func NClustered(n int, m, icc float64) (ClusterSize, error) {
	if n < 1 {
		return ClusterSize{}, fmt.Errorf("number of observations %d: want at least 1: %w", n, ErrDomain)
	}
	deff, err := DesignEffect(m, icc)
	if err != nil {
		return ClusterSize{}, err
	}
	groups := math.Max(1, math.Ceil(float64(n)*deff/m*(1-1e-12)))
	if groups*m > largestN {
		return ClusterSize{}, fmt.Errorf("about %.3g observations are needed, more than %d: %w", groups*m, largestN, ErrImpossible)
	}
	return ClusterSize{Groups: int(groups), Observations: int(math.Ceil(groups * m)), DesignEffect: deff}, nil
}

// RepeatedSD returns the standard deviation of one item's difference when the
// item is answered repeatsX and repeatsY times: √(omega² + sdX²/repeatsX +
// sdY²/repeatsY), omega being the standard deviation of the true item
// differences and sdX, sdY those within an item. It returns ErrDomain for
// negative or non-finite spreads or fewer than one repeat.
//
// Source: Miller 2024, arXiv:2411.00640.
func RepeatedSD(omega, sdX, sdY float64, repeatsX, repeatsY int) (float64, error) {
	for _, s := range []struct {
		what string
		sd   float64
	}{{"standard deviation of item differences", omega}, {"standard deviation within x", sdX}, {"standard deviation within y", sdY}} {
		if err := checkSpread(s.what, s.sd); err != nil {
			return 0, err
		}
	}
	if repeatsX < 1 || repeatsY < 1 {
		return 0, fmt.Errorf("repeats %d and %d: want at least 1 of each: %w", repeatsX, repeatsY, ErrDomain)
	}
	return math.Sqrt(omega*omega + sdX*sdX/float64(repeatsX) + sdY*sdY/float64(repeatsY)), nil
}

// SDUpperLimit returns the one-sided upper confidence limit, at the given level,
// of a standard deviation estimated as sd on df degrees of freedom from normal
// data. A plan made with the estimate itself falls short half of the time: from
// five runs (df = 4) the limit at level 0.8 is 1.56 times the estimate.
//
// It returns ErrDomain for a negative or non-finite sd, df ≤ 0 or a level
// outside (0, 1).
func SDUpperLimit(sd, df, level float64) (float64, error) {
	if err := checkSpread("standard deviation", sd); err != nil {
		return 0, err
	}
	if !(df > 0) || math.IsInf(df, 1) {
		return 0, fmt.Errorf("degrees of freedom %v: want a finite positive number: %w", df, ErrDomain)
	}
	if err := CheckLevel(level); err != nil {
		return 0, err
	}
	// The chi-squared quantile at 1 − level, by bisection on its survival.
	lo, hi := 0.0, df
	for ChiSquaredSurvival(hi, df) > level {
		hi *= 2
	}
	for range 200 {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if ChiSquaredSurvival(mid, df) > level {
			lo = mid
		} else {
			hi = mid
		}
	}
	return sd * math.Sqrt(df/hi), nil
}
