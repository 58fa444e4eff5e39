package stats

import (
	"fmt"
	"math"
)

// Welch estimates the difference of two means, y − x, without assuming equal
// variances: Welch's t interval (1947) with Satterthwaite's degrees of freedom
//
//	df = (vx/nx + vy/ny)² / ((vx/nx)²/(nx−1) + (vy/ny)²/(ny−1)).
//
// The unit of x and y carries over. The data are independent units: runs, items
// or, within one run, requests only if they are independent.
//
// Special cases are: if neither side varies, the interval is [d, d], SE is 0, DF
// is nx+ny−2 and there is a warning with the code no_variance. If one side does
// not vary, the degrees of freedom are those of the other.
//
// Errors: ErrTooFew for fewer than 2 values on a side, ErrDomain for a value
// that is not finite or a level outside (0, 1).
//
// Source: Welch 1947, Biometrika 34:28, doi:10.1093/biomet/34.1-2.28.
func Welch(x, y []float64, level float64) (Estimate, error) {
	mx, vx, err := sideMoments("x", x)
	if err != nil {
		return Estimate{}, err
	}
	my, vy, err := sideMoments("y", y)
	if err != nil {
		return Estimate{}, err
	}
	return WelchMoments(mx, vx, float64(len(x)), my, vy, float64(len(y)), level)
}

// WelchMoments is Welch from each side's mean, unbiased variance and number of
// independent units. The counts may be fractional, such as effective sample
// sizes, and must exceed 1.
func WelchMoments(mx, vx, nx, my, vy, ny, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	for _, s := range []struct {
		name    string
		m, v, n float64
	}{{"x", mx, vx, nx}, {"y", my, vy, ny}} {
		if err := CheckFinite([]float64{s.m}); err != nil {
			return Estimate{}, fmt.Errorf("mean of %s: %w", s.name, err)
		}
		if !(s.v >= 0) || math.IsInf(s.v, 1) {
			return Estimate{}, fmt.Errorf("variance of %s is %v: want a finite number of at least 0: %w", s.name, s.v, ErrDomain)
		}
		if !(s.n > 1) || math.IsInf(s.n, 1) {
			return Estimate{}, fmt.Errorf("%s has %v units: want more than 1: %w", s.name, s.n, ErrTooFew)
		}
	}
	est, err := TwoSample(mx, math.Sqrt(vx/nx), nx-1, my, math.Sqrt(vy/ny), ny-1, level)
	if err != nil {
		return Estimate{}, err
	}
	est.N = int(nx + ny)
	est.Method = MethodWelch
	return est, nil
}

// WelchTest tests an Estimate that carries SE and DF against the null value of
// its parameter: t = (Value − null)/SE referred to Student's t with DF degrees
// of freedom. Less means that the parameter lies below null.
//
// Special cases are: with SE 0 there is no scale and the warning no_variance. The
// statistic is then 0 (P = 1, or 1/2 one-sided) if Value equals null and ±Inf
// otherwise. P is never 0 there: in its direction it is the smallest p-value that
// an exact randomization test of n units could give, 1/C(n, ⌊n/2⌋), twice that two-
// sided, with n = N, or DF + 2 where N is 0. A DF of 0 or NaN, or a SE that is NaN,
// gives P = 1 and the warning no_standard_error.
func WelchTest(est Estimate, null float64, alt Alternative) Test {
	t := Test{Alternative: alt, Method: est.Method, DF: est.DF}
	switch d := est.Value - null; {
	case math.IsNaN(d) || math.IsNaN(est.SE) || !(est.DF > 0):
		t.P = 1
		t.Warnings = []Warning{{Code: WarnNoStandardError, Text: "the estimate carries no standard error or degrees of freedom, so there is no test"}}
		return t
	case est.SE == 0:
		t.Warnings = []Warning{noVariance()}
		if d != 0 {
			t.Statistic = math.Inf(int(math.Copysign(1, d)))
		}
		t.P = math.Max(tTestP(t.Statistic, t.DF, alt), degenerateP(est, alt))
		return t
	default:
		t.Statistic = d / est.SE
	}
	t.P = tTestP(t.Statistic, t.DF, alt)
	return t
}

// degenerateP is the least p-value of a test of units that show no spread.
func degenerateP(est Estimate, alt Alternative) float64 {
	n := float64(est.N)
	if n == 0 {
		n = est.DF + 2
	}
	if math.IsInf(n, 1) {
		return 0
	}
	half := math.Floor(n / 2)
	a, _ := math.Lgamma(half + 1)
	b, _ := math.Lgamma(n - half + 1)
	all, _ := math.Lgamma(n + 1)
	p := math.Exp(a + b - all)
	if alt == TwoSided {
		p *= 2
	}
	return math.Min(1, p)
}

// tTestP is the p-value of a t statistic.
func tTestP(t, df float64, alt Alternative) float64 {
	switch alt {
	case Less:
		return TCDF(t, df)
	case Greater:
		return TSurvival(t, df)
	}
	return math.Min(1, 2*TSurvival(math.Abs(t), df))
}

func noVariance() Warning {
	return Warning{Code: WarnNoVariance, Text: "the data do not vary, so the interval has no width and says nothing of the uncertainty"}
}

// sideMoments is MeanVariance with the side's name in its errors and at least
// two values.
func sideMoments(name string, x []float64) (mean, variance float64, err error) {
	if len(x) < 2 {
		return 0, 0, fmt.Errorf("%s has %d values: want at least 2: %w", name, len(x), ErrTooFew)
	}
	mean, variance, err = MeanVariance(x)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	return mean, variance, nil
}
