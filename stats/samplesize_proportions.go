package stats

import (
	"fmt"
	"math"
)

// NTwoProportions returns the number of independent trials per side with which a
// two-sided pooled z test at level alpha detects the difference between the
// rates px and py with the given power: [z_{α/2}√(2p̄q̄) + z_β√(px·qx + py·qy)]² /
// (px − py)², no continuity correction.
//
// Special cases are:
//
//	px = py: ErrImpossible
//	a rate outside [0, 1], alpha or power outside (0, 1), power ≤ alpha: ErrDomain
func NTwoProportions(px, py, alpha, power float64) (SampleSize, error) {
	if err := checkPlan(alpha, power); err != nil {
		return SampleSize{}, err
	}
	if err := checkRates(px, py); err != nil {
		return SampleSize{}, err
	}
	if err := checkEffect(py - px); err != nil {
		return SampleSize{}, err
	}
	mean := (px + py) / 2
	null := math.Sqrt(2 * mean * (1 - mean))
	alternative := math.Sqrt(px*(1-px) + py*(1-py))
	return normalSize(MethodSizeTwoProportions, math.Abs(py-px), null, alternative, alpha/2, power)
}

// ProportionNISize is a sample size together with the rates it was computed at.
type ProportionNISize struct {
	SampleSize
	// RestrictedX and RestrictedY are the rates nearest to the expected ones
	// that lie on the boundary of the null hypothesis, y = x − margin.
	RestrictedX, RestrictedY float64
}

// NTwoProportionsNI returns the number of independent trials per side with which
// the one-sided Farrington–Manning score test at level alpha shows that the rate
// of y is not worse than that of x by margin or more, larger being better, when
// the true rates are px and py: [z_α√w0 + z_β√w1]² / (py − px + margin)², w1 the
// variance at the true rates and w0 that at the restricted maximum likelihood of
// the expected table. The approximation is good from about 50 per side.
//
// Special cases are:
//
//	py ≤ px − margin, or margin 0 with equal rates: ErrImpossible
//	a rate outside [0, 1], margin < 0 or ≥ 1, NaN, alpha or power outside
//	(0, 1), power ≤ alpha: ErrDomain
//
// Source: Farrington & Manning 1990, Statistics in Medicine 9:1447,
// doi:10.1002/sim.4780091208.
func NTwoProportionsNI(px, py, margin, alpha, power float64) (ProportionNISize, error) {
	if err := checkPlan(alpha, power); err != nil {
		return ProportionNISize{}, err
	}
	if err := checkRates(px, py); err != nil {
		return ProportionNISize{}, err
	}
	if margin >= 1 {
		return ProportionNISize{}, fmt.Errorf("margin %v: want a difference of rates below 1: %w", margin, ErrDomain)
	}
	distance, err := checkMargin(margin, py-px)
	if err != nil {
		return ProportionNISize{}, err
	}
	rx, ry := restrictedProportions(px, 1, py, 1, -margin)
	null := math.Sqrt(rx*(1-rx) + ry*(1-ry))
	alternative := math.Sqrt(px*(1-px) + py*(1-py))
	size, err := normalSize(MethodSizeFarringtonManning, distance, null, alternative, alpha, power)
	return ProportionNISize{SampleSize: size, RestrictedX: rx, RestrictedY: ry}, err
}

// normalSize solves (z_tail·null + z_power·alternative)²/distance² for a
// statistic whose unit variances under the two hypotheses are given by their
// roots.
func normalSize(method string, distance, null, alternative, tail, power float64) (SampleSize, error) {
	z := -NormalQuantile(tail)
	root := math.Max(0, z*null+NormalQuantile(power)*alternative)
	return roundUp(method, math.Pow(root/distance, 2), 1, func(n float64) float64 {
		gap := math.Sqrt(n)*distance - z*null
		if alternative == 0 {
			if gap >= 0 {
				return 1
			}
			return 0
		}
		return NormalCDF(gap / alternative)
	})
}

// checkRates returns an error unless both rates lie in [0, 1].
func checkRates(px, py float64) error {
	for _, p := range []float64{px, py} {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("rate %v: want a number in [0, 1]: %w", p, ErrDomain)
		}
	}
	return nil
}
