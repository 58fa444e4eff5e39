package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// ABCEstimate is an approximate bootstrap confidence interval with the
// constants behind it.
type ABCEstimate struct {
	stats.Estimate
	Bias         float64 // z0 on the normal scale
	Acceleration float64 // a on the normal scale
}

// ABC returns the approximate bootstrap confidence interval of a smooth
// statistic of n units: BCa to second order without resampling (DiCiccio &
// Efron 1992, Biometrika 79:231; the form of Efron & Tibshirani 1993, §22.6,
// with z0 = Φ⁻¹(2Φ(a)Φ(−γ))). theta gets n weights that sum to 1 and returns the
// statistic of the weighted sample; it must not keep or change them. Weights may
// be slightly negative at the ends of the interval, so theta must be smooth and
// defined around the simplex: ratios, moments and regressions are, quantiles and
// maxima are not.
//
// It calls theta 2n+5 times. Derivatives are central differences: a theta
// whose value is 10⁶ times its standard error should be shifted first.
//
// Errors: [stats.ErrTooFew] for n < [MinUnits]; [stats.ErrDomain] for a bad level, a
// theta that is not finite, one that does not react to the weights beyond
// rounding (constant data), or constants for which no limit exists.
func ABC(n int, theta func(weights []float64) float64, level float64) (ABCEstimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return ABCEstimate{}, err
	}
	if err := checkUnits(n); err != nil {
		return ABCEstimate{}, err
	}
	s := abcState{n: n, theta: theta, w: make([]float64, n)}
	t0 := s.at(nil, 0)
	linear, bias := s.derivatives(t0)
	if err := stats.CheckFinite(append([]float64{t0, bias}, linear...)); err != nil {
		return ABCEstimate{}, fmt.Errorf("statistic near equal weights: %w", err)
	}
	nn := float64(n)
	var scale float64
	for _, v := range linear {
		scale = math.Max(scale, math.Abs(v))
	}
	out := ABCEstimate{Estimate: stats.Estimate{Value: t0, N: n, Method: MethodABC}}
	if scale <= 64*epsilon/epsilonABC*nn*math.Abs(t0) {
		return ABCEstimate{}, fmt.Errorf("statistic %v of %d units reacts to the weights by no more than rounding error: want data that vary, shifted near 0: %w", t0, n, stats.ErrDomain)
	}
	var s2, s3 float64
	for _, v := range linear {
		u := v / scale
		s2 += u * u
		s3 += u * u * u
	}
	sigma := scale * math.Sqrt(s2) / nn
	a := s3 / (6 * s2 * math.Sqrt(s2))
	delta := make([]float64, n)
	for i, v := range linear {
		delta[i] = v / (nn * nn * sigma)
	}
	const step = 0.01 // in standard errors
	curvature := (s.at(delta, step) - 2*t0 + s.at(delta, -step)) / (2 * sigma * step * step)
	gamma := bias/sigma - curvature
	z0 := stats.NormalQuantile(math.Min(1, 2*stats.NormalCDF(a)*stats.NormalCDF(-gamma)))
	limit := func(z float64) float64 {
		xi := z0 + z
		d := 1 - a*xi
		return s.at(delta, xi/(d*d))
	}
	z := stats.NormalQuantile((1 - level) / 2)
	lo, hi := limit(z), limit(-z)
	if err := stats.CheckFinite([]float64{lo, hi, z0}); err != nil || lo > hi {
		return ABCEstimate{}, fmt.Errorf("bias correction %.3g and acceleration %.3g give no interval at level %v: %w", z0, a, level, stats.ErrDomain)
	}
	out.SE, out.Bias, out.Acceleration = sigma, z0, a
	out.Interval = stats.Interval{Lo: lo, Hi: hi, Level: level}
	if n < FewUnits {
		out.Warnings = append(out.Warnings, fewUnits(n, FewUnits))
	}
	return out, nil
}

// epsilonABC is the relative change of a weight in the finite differences. It
// balances the truncation of the first against the rounding of the second.
const epsilonABC = 0.01

type abcState struct {
	n     int
	theta func([]float64) float64
	w     []float64
}

// at evaluates theta at equal weights plus step times the direction.
func (s *abcState) at(direction []float64, step float64) float64 {
	for i := range s.w {
		s.w[i] = 1 / float64(s.n)
		if direction != nil {
			s.w[i] += step * direction[i]
		}
	}
	return s.theta(s.w)
}

// derivatives returns the first directional derivatives towards each unit, and
// the bias Σ(second derivatives)/(2n²).
func (s *abcState) derivatives(t0 float64) (linear []float64, bias float64) {
	n := float64(s.n)
	eps := epsilonABC / n
	towards := func(i int, step float64) float64 {
		for j := range s.w {
			s.w[j] = (1 - step) / n
		}
		s.w[i] += step
		return s.theta(s.w)
	}
	linear = make([]float64, s.n)
	for i := range linear {
		up, down := towards(i, eps), towards(i, -eps)
		linear[i] = (up - down) / (2 * eps)
		bias += (up - 2*t0 + down) / (eps * eps)
	}
	return linear, bias / (2 * n * n)
}
