package stats

import (
	"fmt"
	"math"
)

// RunsPowerWelch returns the power of Welch's one-sided t test at level alpha
// with k runs per side, when both sides have standard deviation sd and differ by
// distance. It is what RunsPower, which is for the pooled test, comes to when the
// spread of each side is estimated on its own: 10 points less at 3 runs, 2 at 5,
// under 1 at 10.
//
// With as many runs on both sides Welch's statistic is the pooled one, a
// noncentral t with 2k−2 degrees of freedom, and independent of the share
// R = s_x²/(s_x² + s_y²), which alone sets the Welch–Satterthwaite degrees of
// freedom (k−1)/(R² + (1−R)²) of the critical value. R has a Beta((k−1)/2,
// (k−1)/2) distribution, over which the power is integrated.
//
// Errors: ErrTooFew for k < 2; ErrDomain for an sd that is not positive and
// finite, a distance that is not finite, or alpha outside (0, 1).
//
// Source: Welch 1947; the independence is that of a sum of scaled chi-squares
// from their ratio.
func RunsPowerWelch(k int, sd, distance, alpha float64) (float64, error) {
	if k < 2 {
		return 0, fmt.Errorf("%d runs per side: want at least 2: %w", k, ErrTooFew)
	}
	if !(sd > 0) || math.IsInf(sd, 1) {
		return 0, fmt.Errorf("standard deviation between runs %v: want a finite positive number: %w", sd, ErrDomain)
	}
	if math.IsNaN(distance) || math.IsInf(distance, 0) {
		return 0, fmt.Errorf("distance %v: want a finite number: %w", distance, ErrDomain)
	}
	if err := checkAlpha(alpha); err != nil {
		return 0, err
	}
	ncp, df := twoSampleT(distance/sd, float64(k))
	// With R = sin²θ the density is (sin θ cos θ)^(k−2) up to a constant, which
	// is bounded for every k; R and 1−R are alike, so half the range suffices.
	density := func(theta float64) float64 {
		s, c := math.Sincos(theta)
		return math.Pow(2*s*c, float64(k-2))
	}
	power := func(theta float64) float64 {
		s, c := math.Sincos(theta)
		nu := float64(k-1) / (s*s*s*s + c*c*c*c)
		return NoncentralTSurvival(TQuantile(1-alpha, nu), df, ncp)
	}
	// Beyond this distance from the middle the density is below 1e-16.
	from := 0.0
	if k > 40 {
		from = math.Max(0, math.Pi/4-6/math.Sqrt(float64(k-2)))
	}
	const panels = 2
	total := gaussLegendre(density, from, math.Pi/4, panels)
	sum := gaussLegendre(func(t float64) float64 { return density(t) * power(t) }, from, math.Pi/4, panels)
	return math.Max(0, math.Min(1, sum/total)), nil
}
