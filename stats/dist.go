package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// The functions in dist*.go are pure: an argument outside the stated domain
// gives NaN, as in package math. Both tails are computed directly, never as one
// minus the other, so that a p-value of 1e-20 keeps its digits.

// NormalPDF returns the standard normal density at z.
//
// Special cases are: NormalPDF(±Inf) = 0, NormalPDF(NaN) = NaN.
func NormalPDF(z float64) float64 {
	return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
}

// NormalCDF returns P(Z ≤ z) for a standard normal Z, accurate in the lower
// tail until it underflows near z = −38.
//
// Special cases are: NormalCDF(−Inf) = 0, NormalCDF(+Inf) = 1,
// NormalCDF(NaN) = NaN.
func NormalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// NormalSurvival returns P(Z > z) for a standard normal Z, accurate in the
// upper tail.
//
// Special cases are those of NormalCDF with the sign of z changed.
func NormalSurvival(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// NormalQuantile returns the z with NormalCDF(z) = p, by Wichura's AS 241
// (Applied Statistics 1988) as implemented in gonum.
//
// Special cases are: NormalQuantile(0) = −Inf, NormalQuantile(1) = +Inf, NaN
// for p outside [0, 1] or NaN.
func NormalQuantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return mathext.NormalQuantile(p)
}

// ChiSquaredSurvival returns P(X > x) for a chi-squared X with df degrees of
// freedom, df > 0 and not necessarily whole.
//
// Special cases are: 1 for x ≤ 0, 0 for x = +Inf, NaN for df ≤ 0, df = +Inf or
// any NaN.
func ChiSquaredSurvival(x, df float64) float64 {
	switch {
	case math.IsNaN(x) || !(df > 0) || math.IsInf(df, 1):
		return math.NaN()
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	}
	return mathext.GammaIncRegComp(df/2, x/2)
}

// FSurvival returns P(X > x) for an F-distributed X with d1 and d2 degrees of
// freedom, both positive and finite, not necessarily whole.
//
// Special cases are: 1 for x ≤ 0, 0 for x = +Inf, NaN outside the domain.
func FSurvival(x, d1, d2 float64) float64 {
	switch {
	case math.IsNaN(x) || !(d1 > 0 && d2 > 0) || math.IsInf(d1, 1) || math.IsInf(d2, 1):
		return math.NaN()
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	}
	s := d1*x + d2
	return betaLower(d2/2, d1/2, d2/s, d1*x/s)
}

// FQuantile returns the x with P(X ≤ x) = p for an F-distributed X with d1 and
// d2 degrees of freedom.
//
// Special cases are: 0 for p = 0, +Inf for p = 1, NaN outside the domain of
// FSurvival or for p outside [0, 1].
func FQuantile(p, d1, d2 float64) float64 {
	if !(p >= 0 && p <= 1) || math.IsNaN(FSurvival(1, d1, d2)) {
		return math.NaN()
	}
	x, y := betaQuantile(p, d1/2, d2/2)
	return d2 * x / (d1 * y)
}
