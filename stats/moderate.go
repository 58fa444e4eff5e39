package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// VariancePrior is the common distribution of many variances: 1/variance is
// distributed as χ²_DF/(DF·Scale). DF of 0 says nothing of a variance, +Inf that
// all are Scale.
type VariancePrior struct{ Scale, DF float64 }

// FitVariancePrior estimates the prior of variances of one kind from estimates
// of many of them, each with its degrees of freedom, so that a variance that is
// known from few units can lean on the others. The estimates should be made
// comparable first, for example by dividing each by the variance that is
// expected of it.
//
// With e = log v − ψ(df/2) + log(df/2), the prior is that of the mean of e and of
// its variance beyond what the degrees of freedom account for, ψ′(df/2).
//
// Special cases are: variances that differ by no more than their degrees of
// freedom account for give DF = +Inf. Estimates of 0 are left out.
//
// Errors: ErrMismatch for lists of different lengths, ErrDomain for a variance
// that is negative or not finite or degrees of freedom that are not positive and
// finite, ErrTooFew for fewer than 3 estimates above 0.
//
// Source: Smyth 2004, Statistical Applications in Genetics and Molecular Biology
// 3(1):3, doi:10.2202/1544-6115.1027, section 6.2.
func FitVariancePrior(v, df []float64) (VariancePrior, error) {
	if len(v) != len(df) {
		return VariancePrior{}, fmt.Errorf("%d variances and %d degrees of freedom: %w", len(v), len(df), ErrMismatch)
	}
	var e, within []float64
	for i, x := range v {
		d := df[i] / 2
		if !(x >= 0) || math.IsInf(x, 1) || !(d > 0) || math.IsInf(d, 1) {
			return VariancePrior{}, fmt.Errorf("variance %v with %v degrees of freedom: want a finite one of at least 0, with a finite number above 0: %w", x, df[i], ErrDomain)
		}
		if x > 0 {
			e, within = append(e, math.Log(x)-mathext.Digamma(d)+math.Log(d)), append(within, trigamma(d))
		}
	}
	if len(e) < 3 {
		return VariancePrior{}, fmt.Errorf("%d variances above 0: want at least 3: %w", len(e), ErrTooFew)
	}
	mean, total, err := MeanVariance(e)
	if err != nil {
		return VariancePrior{}, err
	}
	known := 0.0
	for _, w := range within {
		known += w / float64(len(within))
	}
	if total <= known {
		return VariancePrior{Scale: math.Exp(mean), DF: math.Inf(1)}, nil
	}
	half := inverseTrigamma(total - known)
	return VariancePrior{Scale: math.Exp(mean + mathext.Digamma(half) - math.Log(half)), DF: 2 * half}, nil
}

// Moderate returns the mean of an estimated variance and the prior, each weighed
// by its degrees of freedom, and the sum of those.
func (p VariancePrior) Moderate(v, df float64) (variance, total float64) {
	switch {
	case !(p.DF > 0):
		return v, df
	case math.IsInf(p.DF, 1):
		return p.Scale, p.DF
	}
	total = p.DF + df
	return (p.DF*p.Scale + df*v) / total, total
}

// trigamma is ψ′(x) = ζ(2, x) for x > 0.
func trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// inverseTrigamma solves ψ′(x) = y for y > 0 by Newton's method on 1/ψ′, which
// is convex and nearly linear (Smyth 2004, appendix).
func inverseTrigamma(y float64) float64 {
	switch {
	case y > 1e7:
		return 1 / math.Sqrt(y)
	case y < 1e-6:
		return 1 / y
	}
	x := 0.5 + 1/y
	for range 50 {
		t := trigamma(x)
		// ψ″(x) = −2·ζ(3, x)
		step := t * (1 - t/y) / (-2 * mathext.Zeta(3, x))
		x += step
		if -step/x < 1e-10 {
			break
		}
	}
	return x
}
