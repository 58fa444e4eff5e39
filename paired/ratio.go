package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// RelativeContrast tests a ratio of paired means without dividing: Student's t
// on the contrasts y − ratio·x. With stats.Greater the null hypothesis is
// mean(y) ≤ ratio·mean(x): "at least 98 % of the first score" is ratio 0.98.
// With stats.Less it is mean(y) ≥ ratio·mean(x). Exact for normal scores, and
// free of the bias of a ratio.
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrTooFew below
// two items and stats.ErrDomain for a value or ratio that is not finite or a
// ratio that is not positive. Special cases: see [TTest].
func RelativeContrast(x, y []float64, ratio float64, alt stats.Alternative) (stats.Test, error) {
	if !(ratio > 0) || math.IsInf(ratio, 1) {
		return stats.Test{}, fmt.Errorf("relative contrast: ratio %v, want a finite number above 0: %w", ratio, stats.ErrDomain)
	}
	if err := checkPairs(x, y); err != nil {
		return stats.Test{}, fmt.Errorf("relative contrast: %w", err)
	}
	c := make([]float64, len(x))
	for i := range x {
		c[i] = y[i] - ratio*x[i]
	}
	mean, variance, err := stats.MeanVariance(c)
	if err != nil {
		return stats.Test{}, fmt.Errorf("relative contrast: %w", err)
	}
	n := float64(len(c))
	return TTest(stats.Estimate{Value: mean, SE: math.Sqrt(variance / n), DF: n - 1, Method: MethodRelativeContrast}, 0, alt)
}

// FiellerPaired estimates the ratio mean(y) / mean(x) of paired scores with
// Fieller's interval on n − 1 degrees of freedom.
//
// Special cases are: where the mean of x is not clearly apart from 0 the
// interval is unbounded and the warning unbounded_ratio is set.
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrTooFew below
// two items, and stats.ErrDomain for a value that is not finite, a mean of x
// of 0, or a level outside (0, 1). The standard error is NaN: the interval is
// not symmetric. Source: Fieller 1954, JRSS B 16:175.
func FiellerPaired(x, y []float64, level float64) (stats.Estimate, error) {
	if err := checkPairs(x, y); err != nil {
		return stats.Estimate{}, fmt.Errorf("fieller ratio: %w", err)
	}
	r, err := ratioMoments(x, y, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("fieller ratio: %w", err)
	}
	n := float64(len(x))
	return fieller(r, r.vx/n, r.vy/n, covariance(x, y, r.mx, r.my)/n, n-1, len(x), level, MethodFiellerPaired), nil
}

// FiellerIndependent estimates the ratio mean(y) / mean(x) of independent
// samples of unequal variance with Fieller's interval; the Satterthwaite
// degrees of freedom are those at the observed ratio. N counts both samples.
//
// Special cases and errors: see [FiellerPaired]; the lengths may differ.
func FiellerIndependent(x, y []float64, level float64) (stats.Estimate, error) {
	r, err := ratioMoments(x, y, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("fieller ratio: %w", err)
	}
	nx, ny := float64(len(x)), float64(len(y))
	ratio := r.my / r.mx
	u, v := ratio*ratio*r.vx/nx, r.vy/ny
	df := math.Inf(1)
	if u+v > 0 {
		df = (u + v) * (u + v) / (u*u/(nx-1) + v*v/(ny-1))
	}
	return fieller(r, r.vx/nx, r.vy/ny, 0, df, len(x)+len(y), level, MethodFiellerIndependent), nil
}

// RatioLogDelta estimates the ratio mean(y) / mean(x) of independent samples
// with a normal interval for its logarithm, by the delta method. For samples
// large enough that both means are many standard errors above 0; otherwise
// [FiellerIndependent]. The standard error is that of the logarithm.
//
// It returns stats.ErrTooFew below two values per sample and stats.ErrDomain
// for a mean that is not positive, a value that is not finite, or a level
// outside (0, 1).
func RatioLogDelta(x, y []float64, level float64) (stats.Estimate, error) {
	r, err := ratioMoments(x, y, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("ratio of means: %w", err)
	}
	if !(r.mx > 0 && r.my > 0) {
		return stats.Estimate{}, fmt.Errorf("ratio of means: means %v and %v, want both above 0: %w", r.mx, r.my, stats.ErrDomain)
	}
	se := math.Sqrt(r.vx/(float64(len(x))*r.mx*r.mx) + r.vy/(float64(len(y))*r.my*r.my))
	e, err := stats.StandardError{SE: se, DF: math.Inf(1)}.Estimate(math.Log(r.my/r.mx), level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("ratio of means: %w", err)
	}
	e.Value, e.Interval = r.my/r.mx, e.Interval.Exp()
	e.N, e.Method = len(x)+len(y), MethodRatioLogDelta
	return e, nil
}

// meansOf holds the moments of the two samples of a ratio.
type meansOf struct{ mx, vx, my, vy float64 }

func ratioMoments(x, y []float64, level float64) (r meansOf, err error) {
	if err = stats.CheckLevel(level); err != nil {
		return r, err
	}
	if r.mx, r.vx, err = stats.MeanVariance(x); err != nil {
		return r, fmt.Errorf("x: %w", err)
	}
	if r.my, r.vy, err = stats.MeanVariance(y); err != nil {
		return r, fmt.Errorf("y: %w", err)
	}
	if r.mx == 0 {
		return r, fmt.Errorf("mean of x is 0, the ratio is undefined: %w", stats.ErrDomain)
	}
	return r, nil
}

// fieller solves (my − ρ·mx)² = t²·(syy − 2ρ·sxy + ρ²·sxx) for ρ; sxx, syy and
// sxy are (co)variances of the means.
func fieller(r meansOf, sxx, syy, sxy, df float64, n int, level float64, method string) stats.Estimate {
	e := stats.Estimate{Value: r.my / r.mx, SE: math.NaN(), DF: df, Interval: stats.Unbounded(level), N: n, Method: method}
	t := stats.TQuantile((1+level)/2, df)
	a := r.mx*r.mx - t*t*sxx
	b := r.mx*r.my - t*t*sxy
	c := r.my*r.my - t*t*syy
	if !(a > 0) {
		e.Warnings = append(e.Warnings, stats.Warning{Code: WarnUnboundedRatio, Text: "the mean of the first sample is not clearly apart from 0: the ratio has no bounded interval"})
		return e
	}
	root := math.Sqrt(math.Max(0, b*b-a*c))
	lo, hi := (b-root)/a, (b+root)/a
	if b > 0 && hi != 0 { // the smaller root without cancellation
		lo = c / (b + root)
	} else if b < 0 {
		hi = c / (b - root)
	}
	e.Interval.Lo, e.Interval.Hi = math.Min(lo, hi), math.Max(lo, hi)
	if sxx == 0 && syy == 0 {
		e.Warnings = append(e.Warnings, noVariance())
	}
	return e
}
