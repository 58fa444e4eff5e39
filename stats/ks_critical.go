package stats

import (
	"fmt"
	"math"
)

// KolmogorovSurvival returns P(K > x) for the limiting distribution of √n times
// the Kolmogorov statistic: 2·Σ (−1)^{k−1} exp(−2k²x²).
//
// Special cases are: 1 for x ≤ 0, 0 for x = +Inf, NaN for NaN.
func KolmogorovSurvival(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return math.NaN()
	case x <= 0:
		return 1
	case x < 1: // the reflected series converges fast here
		sum := 0.0
		for k := 1.0; k < 40; k += 2 {
			sum += math.Exp(-k * k * math.Pi * math.Pi / (8 * x * x))
		}
		return 1 - math.Sqrt(2*math.Pi)/x*sum
	}
	sum, sign := 0.0, 1.0
	for k := 1.0; k < 40; k++ {
		term := math.Exp(-2 * k * k * x * x)
		sum += sign * term
		sign = -sign
		if term < 1e-18*sum {
			break
		}
	}
	return math.Min(1, 2*sum)
}

// KolmogorovQuantile returns the x with KolmogorovSurvival(x) = 1 − level: 1.3581
// at level 0.95. It is NaN for a level outside (0, 1).
func KolmogorovQuantile(level float64) float64 {
	if CheckLevel(level) != nil {
		return math.NaN()
	}
	target := math.Log1p(-level)
	return findRoot(func(x float64) float64 { return math.Log(KolmogorovSurvival(x)) - target }, 0.05, 30, 1e-15)
}

// exactKS is the largest n for which KSCritical steps through the exact
// two-sided distribution.
const exactKS = 1000

// KSCritical returns the critical value of the one-sample Kolmogorov statistic of
// n observations: the d with P(D > d) = 1 − level under the hypothesis, for a
// continuous distribution. It is slightly smaller than the half-width of DKW.
//
// Up to n = 1000 the distribution is exact. Beyond it the exact one-sided law is
// doubled and Kolmogorov's terms for crossing both sides are taken off (relative
// error of d below 2e-6 for levels from 0.8); beyond n = 100,000 the one-sided law
// is replaced by its expansion to order 1/n.
//
// It returns ErrTooFew for n < 1 and ErrDomain for a level outside (0, 1).
//
// Source: Smirnov 1944; Simard & L'Ecuyer 2011, Journal of Statistical Software
// 39(11), doi:10.18637/jss.v039.i11.
func KSCritical(n int, level float64) (float64, error) {
	if n < 1 {
		return 0, fmt.Errorf("%d observations: want at least 1: %w", n, ErrTooFew)
	}
	if err := CheckLevel(level); err != nil {
		return 0, err
	}
	alpha := 1 - level
	var excess func(d float64) float64
	if n <= exactKS {
		excess = func(d float64) float64 { return ksStay(n, d) - level }
	} else {
		excess = func(d float64) float64 { return alpha - ksSurvivalLarge(n, d) }
	}
	top := math.Sqrt(math.Log(2/alpha) / (2 * float64(n))) // Massart's bound
	return findRoot(excess, 0.5/float64(n), math.Min(1, top*(1+1e-9)), 1e-13), nil
}

// ksStay is P(D ≤ d) for the two-sided one-sample statistic.
func ksStay(n int, d float64) float64 {
	lo, hi := make([]float64, n), make([]float64, n)
	for i := range lo {
		lo[i] = math.Max(0, float64(i+1)/float64(n)-d)
		hi[i] = math.Min(1, float64(i)/float64(n)+d)
	}
	for i := range lo {
		if lo[i] > hi[i] {
			return 0
		}
	}
	return stayInside(lo, hi)
}

// ksSurvivalLarge approximates P(D > d) for large n.
func ksSurvivalLarge(n int, d float64) float64 {
	m := float64(n)
	x := math.Sqrt(m)*d + 1/(6*math.Sqrt(m)) // shifts the limit law to order 1/n
	oneSided := math.Exp(-2 * x * x)
	if n <= 100_000 {
		oneSided = smirnovSurvival(n, d)
	}
	both, sign := 0.0, 1.0
	for k := 2.0; k < 20; k++ {
		both += sign * math.Exp(-2*k*k*x*x)
		sign = -sign
	}
	return 2 * (oneSided - both)
}

// smirnovSurvival is P(D+ ≥ d) for the one-sided one-sample statistic, a sum of
// positive terms.
func smirnovSurvival(n int, d float64) float64 {
	m := float64(n)
	sum := 0.0
	for j := 0; float64(j) <= m*(1-d); j++ {
		p := d + float64(j)/m
		q := 1 - p
		if q < 0 {
			break
		}
		sum += binomialTerm(float64(j), float64(n-j), p, q) / p
	}
	return d * sum
}
