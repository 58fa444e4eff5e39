package stats

import "math"

// NoncentralTCDF returns P(T ≤ t) for the noncentral t distribution with df
// degrees of freedom and noncentrality delta: the law of (Z+delta)/√(W/df), Z
// standard normal, W chi-squared. df > 0 and not necessarily whole; df = +Inf
// means a normal with mean delta.
//
// The mixture integral over log √(W/df) is summed by the trapezoidal rule,
// which converges geometrically for this analytic, rapidly decaying integrand;
// all terms are positive, so both tails keep their relative accuracy (series
// such as AS 243 only reach an absolute one).
//
// Special cases are: 0 for t = −Inf, 1 for t = +Inf, NaN for df ≤ 0, infinite
// delta or any NaN.
func NoncentralTCDF(t, df, delta float64) float64 {
	return NoncentralTSurvival(-t, df, -delta)
}

// NoncentralTSurvival returns P(T > t) for the noncentral t distribution.
// Domain, method and special cases are those of NoncentralTCDF.
func NoncentralTSurvival(t, df, delta float64) float64 {
	switch {
	case math.IsNaN(t) || math.IsNaN(delta) || math.IsInf(delta, 0) || !(df > 0):
		return math.NaN()
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(t, -1):
		return 1
	case math.IsInf(df, 1):
		return NormalSurvival(t - delta)
	case delta == 0:
		return TSurvival(t, df)
	}
	// u = log √(W/df) has log density df·(u − e^{2u}/2) + constant, peak at 0
	// and spread 1/√(2 df).
	spread := 1 / math.Sqrt(2*df)
	h := math.Min(math.Min(spread/3, 0.12), 0.5/(2+math.Abs(delta)))
	weight := func(u float64) float64 { // relative to the peak
		return math.Exp(df * (u - math.Expm1(2*u)/2))
	}
	var sum, norm float64
	add := func(u float64) (more bool) {
		w := weight(u)
		norm += w
		sum += w * NormalSurvival(t*math.Exp(u)-delta)
		return w > 1e-22*math.Min(sum, norm)
	}
	add(0)
	for i := 1.0; add(i * h); i++ {
	}
	for i := 1.0; add(-i * h); i++ {
	}
	return math.Min(sum/norm, 1)
}
