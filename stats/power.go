package stats

import (
	"fmt"
	"math"
)

// MDE returns the smallest difference that a one-sided t test at level alpha
// detects with the given power, when the difference is estimated with standard
// error se on df degrees of freedom: (t_{1−alpha, df} + t_{power, df})·se. Give
// alpha/2 for a two-sided test. It is the number to print beside an undecided
// answer: what this design would have seen.
//
// The sum of two t quantiles approximates the exact noncentral t answer from
// above; MDERuns gives the exact one for two equal groups. df = +Inf is the
// normal case.
//
// Special cases are:
//
//	se = 0: 0
//	se = +Inf: +Inf
//	se < 0 or NaN, df ≤ 0, alpha or power outside (0, 1), power ≤ alpha: NaN
func MDE(se, df, alpha, power float64) float64 {
	if !(se >= 0) || !(df > 0) || checkPlan(alpha, power) != nil {
		return math.NaN()
	}
	if se == 0 {
		return 0
	}
	return (TQuantile(1-alpha, df) + TQuantile(power, df)) * se
}

// TTestPower returns the power of a t test at level alpha when the statistic
// has a noncentral t distribution with noncentrality ncp = difference/se and df
// degrees of freedom, df = +Inf for a normal statistic.
//
// For TwoSided both tails count, each at alpha/2. The power is then also the
// chance of a rejection in the wrong direction, which matters only where the
// power is near alpha.
//
// Errors: ErrDomain for a non-finite ncp, df ≤ 0, alpha outside (0, 1) or an
// unknown alternative.
func TTestPower(ncp, df, alpha float64, alt Alternative) (float64, error) {
	if math.IsNaN(ncp) || math.IsInf(ncp, 0) {
		return 0, fmt.Errorf("noncentrality %v: want a finite number: %w", ncp, ErrDomain)
	}
	if !(df > 0) {
		return 0, fmt.Errorf("degrees of freedom %v: want a positive number: %w", df, ErrDomain)
	}
	if err := checkAlpha(alpha); err != nil {
		return 0, err
	}
	switch alt {
	case TwoSided:
		return math.Min(1, upperPower(ncp, df, alpha/2)+upperPower(-ncp, df, alpha/2)), nil
	case Greater:
		return upperPower(ncp, df, alpha), nil
	case Less:
		return upperPower(-ncp, df, alpha), nil
	}
	return 0, fmt.Errorf("%v: want two-sided, less or greater: %w", alt, ErrDomain)
}

// upperPower is P(T > t_{1−alpha, df}) for a noncentral t with the given
// noncentrality.
func upperPower(ncp, df, alpha float64) float64 {
	t := TQuantile(1-alpha, df)
	// For a large noncentrality T ≤ t needs a normal below −9 or an extreme
	// chi; where both are out of reach the integral would only cost time.
	if s := (ncp - 9) / t; t > 0 && s > 1 && !math.IsInf(df, 1) && ChiSquaredSurvival(df*s*s, df) < 1e-18 {
		return 1
	}
	if ncp < -40 && t > 0 {
		return 0
	}
	return NoncentralTSurvival(t, df, ncp)
}

// checkPlan returns an error unless alpha and power are a sensible pair.
func checkPlan(alpha, power float64) error {
	if err := checkAlpha(alpha); err != nil {
		return err
	}
	if !(power > 0 && power < 1) {
		return fmt.Errorf("power %v: want a number in (0, 1): %w", power, ErrDomain)
	}
	if power <= alpha {
		return fmt.Errorf("power %v is not above alpha %v: a test that ignores the data has that power: %w", power, alpha, ErrDomain)
	}
	return nil
}

// checkSpread returns an error unless sd is a finite number of at least 0.
func checkSpread(what string, sd float64) error {
	if !(sd >= 0) || math.IsInf(sd, 1) {
		return fmt.Errorf("%s %v: want a finite number of at least 0: %w", what, sd, ErrDomain)
	}
	return nil
}

// checkEffect returns an error unless the difference to detect is finite and
// not 0.
func checkEffect(delta float64) error {
	if math.IsNaN(delta) || math.IsInf(delta, 0) {
		return fmt.Errorf("difference %v: want a finite number: %w", delta, ErrDomain)
	}
	if delta == 0 {
		return fmt.Errorf("difference 0: no amount of data detects a difference that does not exist: %w", ErrImpossible)
	}
	return nil
}

// checkMargin returns the distance from the assumed true change to the harmful
// end of the margin, both counted so that larger is better, or an error that
// says why noninferiority cannot be shown.
func checkMargin(margin, trueDiff float64) (float64, error) {
	if math.IsNaN(margin) || math.IsInf(margin, 0) || margin < 0 {
		return 0, fmt.Errorf("margin %v: want a finite positive number: %w", margin, ErrDomain)
	}
	if math.IsNaN(trueDiff) || math.IsInf(trueDiff, 0) {
		return 0, fmt.Errorf("true difference %v: want a finite number: %w", trueDiff, ErrDomain)
	}
	if distance := margin + trueDiff; distance > 0 {
		return distance, nil
	}
	if trueDiff == 0 {
		return 0, fmt.Errorf("margin 0 with no true difference: no sample size shows that y is not worse at all: %w", ErrImpossible)
	}
	return 0, fmt.Errorf("a true difference of %v is at or beyond the margin of %v: no sample size shows that y is not worse by the margin: %w", trueDiff, margin, ErrImpossible)
}
