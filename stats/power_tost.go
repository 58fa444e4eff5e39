package stats

import (
	"fmt"
	"math"
)

// TOSTPower returns the power of two one-sided t tests, each at level alpha, that
// a difference lies inside (lower, upper), when the true difference is trueDiff
// and is estimated with true standard error se on df degrees of freedom. It is
// the exact power, an integral over the chi distribution of the estimated
// standard error, equal to a difference of Owen's Q functions.
//
// Special cases are:
//
//	trueDiff outside (lower, upper): the chance of a false claim, not an error
//	se = 0: 1 inside (lower, upper), else 0
//	lower ≥ upper, NaN, infinite trueDiff, df ≤ 0, se < 0, alpha not in (0, ½): ErrDomain
//
// Source: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics
// 15:657; Owen 1965, Biometrika 52:437.
func TOSTPower(se, df, lower, upper, trueDiff, alpha float64) (float64, error) {
	if err := checkSpread("standard error", se); err != nil {
		return 0, err
	}
	if !(df > 0) {
		return 0, fmt.Errorf("degrees of freedom %v: want a positive number: %w", df, ErrDomain)
	}
	if !(lower < upper) {
		return 0, fmt.Errorf("limits %v and %v: want lower below upper: %w", lower, upper, ErrDomain)
	}
	if math.IsNaN(trueDiff) || math.IsInf(trueDiff, 0) {
		return 0, fmt.Errorf("true difference %v: want a finite number: %w", trueDiff, ErrDomain)
	}
	if !(alpha > 0 && alpha < 0.5) {
		return 0, fmt.Errorf("alpha %v: want a number in (0, 0.5): %w", alpha, ErrDomain)
	}
	if se == 0 {
		if trueDiff > lower && trueDiff < upper {
			return 1, nil
		}
		return 0, nil
	}
	t := TQuantile(1-alpha, df)
	a, b := (lower-trueDiff)/se, (upper-trueDiff)/se
	if math.IsInf(df, 1) {
		return math.Max(0, normalBetween(a+t, b-t)), nil
	}
	// Given s = √(W/df), both tests reject when the normal error lies between
	// a + t·s and b − t·s, which is empty beyond s = (b−a)/(2t). The density of
	// log s peaks at 0 with spread 1/√(2 df); beyond reach it is negligible.
	logDensity := func(u float64) float64 { return df * (u - math.Expm1(2*u)/2) }
	norm := math.Sqrt(math.Pi) * math.Exp(logGammaRatio(df))
	top := math.Log((b - a) / (2 * t))
	reach := 12/math.Sqrt(2*df) + 40/df
	lo, hi := -reach, math.Min(top, math.Min(reach, 12/math.Sqrt(2*df)+3))
	if hi <= lo {
		return 0, nil
	}
	// Panels follow the faster of the two changes: of the density, and of the
	// normal probability, which turns within 1/t of s.
	panels := 4 + int(math.Ceil((hi-lo)*math.Max(2, math.Max(math.Sqrt(df/2), t/2))))
	sum := gaussLegendre(func(u float64) float64 {
		s := t * math.Exp(u)
		return math.Exp(logDensity(u)) * normalBetween(a+s, b-s)
	}, lo, hi, panels)
	return math.Min(1, math.Max(0, sum/norm)), nil
}

// logGammaRatio returns the log of the integral of exp(df·(u − (e^{2u}−1)/2)) du
// over the line, divided by √π: Γ(df/2)·e^{df/2} / (2·(df/2)^{df/2}·√π).
func logGammaRatio(df float64) float64 {
	h := df / 2
	if h < 16 {
		lg, _ := math.Lgamma(h)
		return lg + h - h*math.Log(h) - math.Ln2 - math.Log(math.Pi)/2
	}
	// Stirling: log Γ(h) = (h − ½) log h − h + ½ log 2π + stirlingError(h).
	return -math.Log(h)/2 + math.Log(2*math.Pi)/2 + stirlingError(h) - math.Ln2 - math.Log(math.Pi)/2
}

// normalBetween is P(a < Z < b), 0 when the interval is empty.
func normalBetween(a, b float64) float64 {
	if a >= b {
		return 0
	}
	if a > 0 {
		return NormalSurvival(a) - NormalSurvival(b)
	}
	return NormalCDF(b) - NormalCDF(a)
}

// TOSTPowerCrossover returns the exact power of the equivalence test of a ratio
// of lognormal means in a two-period crossover with n subjects in all, cv being
// the within-subject coefficient of variation, trueRatio the true ratio and
// (ratioLo, ratioHi) the limits: the TOST on logs with se = √(2·log(1+cv²)/n) and
// n − 2 degrees of freedom. The same design is x and y measured in both orders in
// each of n blocks. It returns ErrTooFew for n < 3 and ErrDomain for a ratio or
// limit that is not positive, cv ≤ 0, or alpha outside (0, ½).
func TOSTPowerCrossover(cv, trueRatio float64, n int, ratioLo, ratioHi, alpha float64) (float64, error) {
	if n < 3 {
		return 0, fmt.Errorf("%d subjects: want at least 3: %w", n, ErrTooFew)
	}
	if !(cv > 0) || math.IsInf(cv, 1) {
		return 0, fmt.Errorf("coefficient of variation %v: want a finite positive number: %w", cv, ErrDomain)
	}
	for _, r := range []float64{trueRatio, ratioLo, ratioHi} {
		if !(r > 0) || math.IsInf(r, 1) {
			return 0, fmt.Errorf("ratio %v: want a finite positive number: %w", r, ErrDomain)
		}
	}
	se := math.Sqrt(math.Log1p(cv*cv) * 2 / float64(n))
	return TOSTPower(se, float64(n-2), math.Log(ratioLo), math.Log(ratioHi), math.Log(trueRatio), alpha)
}
