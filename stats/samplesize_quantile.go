package stats

import (
	"fmt"
	"math"
)

// NQuantile returns the number of independent lognormal observations with which
// the confidence interval of the q-quantile at the given level has a relative
// half-width of relHalfWidth. sigma is the standard deviation of the logs; their
// mean does not matter.
//
// The method is the asymptotic standard error √(q(1−q)/n)/f at the quantile.
// Divide by the autocorrelation factor when observations are dependent. More
// observations in a run do not reduce the noise between runs. SampleSize.Power
// is 0, since none is involved.
//
// Special cases are:
//
//	sigma = 0: 1
//	q or level outside (0, 1), relHalfWidth ≤ 0, sigma < 0 or non-finite: ErrDomain
//	more than a billion observations: ErrImpossible
func NQuantile(q, sigma, relHalfWidth, level float64) (SampleSize, error) {
	unit, err := lognormalQuantileSD(q, sigma)
	if err != nil {
		return SampleSize{}, err
	}
	if err := CheckLevel(level); err != nil {
		return SampleSize{}, err
	}
	if !(relHalfWidth > 0) || math.IsInf(relHalfWidth, 1) {
		return SampleSize{}, fmt.Errorf("relative half-width %v: want a finite positive number: %w", relHalfWidth, ErrDomain)
	}
	z := -NormalQuantile((1 - level) / 2)
	exact := math.Pow(z*unit/relHalfWidth, 2)
	return roundUp(MethodSizeQuantile, exact, 1, func(float64) float64 { return 0 })
}

// NQuantileRatio returns the number of independent lognormal observations per
// side with which a two-sided normal test at level alpha on the log scale detects
// that the q-quantile of y is ratio times that of x, with the given power. Both
// sides have standard deviation sigma of the logs. It knows nothing of noise
// between runs: with several runs plan with RunsNeeded from their spread.
//
// Special cases are those of NQuantile; ErrImpossible for ratio = 1 and ErrDomain
// for ratio ≤ 0 or non-finite, or a poor alpha or power.
func NQuantileRatio(q, sigma, ratio, alpha, power float64) (SampleSize, error) {
	unit, err := lognormalQuantileSD(q, sigma)
	if err != nil {
		return SampleSize{}, err
	}
	if err := checkPlan(alpha, power); err != nil {
		return SampleSize{}, err
	}
	if !(ratio > 0) || math.IsInf(ratio, 1) {
		return SampleSize{}, fmt.Errorf("ratio %v: want a finite positive number: %w", ratio, ErrDomain)
	}
	if ratio == 1 {
		return SampleSize{}, fmt.Errorf("ratio 1: no amount of data detects a difference that does not exist: %w", ErrImpossible)
	}
	distance := math.Abs(math.Log(ratio))
	z := -NormalQuantile(alpha / 2)
	exact := 2 * math.Pow((z+NormalQuantile(power))*unit/distance, 2)
	return roundUp(MethodSizeQuantileRatio, exact, 1, func(n float64) float64 {
		if unit == 0 {
			return 1
		}
		return NormalCDF(distance/(unit*math.Sqrt(2/n)) - z)
	})
}

// lognormalQuantileSD returns √n times the asymptotic standard error of the log
// of the q-quantile of n lognormal observations.
func lognormalQuantileSD(q, sigma float64) (float64, error) {
	if !(q > 0 && q < 1) {
		return 0, fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	if err := checkSpread("standard deviation of the logs", sigma); err != nil {
		return 0, err
	}
	return math.Sqrt(q*(1-q)) * sigma / NormalPDF(NormalQuantile(q)), nil
}

// LognormalQuantileSD returns √n times the asymptotic standard error of the log
// of the q-quantile of n independent lognormal observations whose logs have
// standard deviation sigma: √(q(1−q))·sigma/φ(z_q). It is to a percentile what
// the standard deviation is to a mean.
//
// Errors: ErrDomain for q outside (0, 1) or a sigma that is negative or not
// finite.
func LognormalQuantileSD(q, sigma float64) (float64, error) { return lognormalQuantileSD(q, sigma) }
