package stats

import "math"

// Wilson estimates a proportion from x successes in n independent trials with
// the Wilson score interval, without continuity correction. Its coverage
// averages close to the level; it never has zero width and stays in [0, 1].
//
// SE is NaN: the limits invert the score test, they are not value ± z·SE.
//
// Special cases are: x = 0 has the lower limit 0, x = n the upper limit 1.
//
// Errors: ErrTooFew for n < 1, ErrDomain for x outside [0, n] or a level outside
// (0, 1).
//
// Source: Wilson 1927, JASA 22:209, doi:10.1080/01621459.1927.10502953.
func Wilson(x, n int64, level float64) (Estimate, error) {
	if err := checkOneProportion(x, n, level); err != nil {
		return Estimate{}, err
	}
	lo, hi := wilsonLimits(x, n, zCritical(level))
	return proportionEstimate(x, n, lo, hi, level, math.Inf(1), MethodWilson), nil
}

// wilsonLimits solves (p̂ − p)² = z² p(1−p)/n for p. The lower limit comes from
// the product of the roots, x²/(n(n+z²)), so that a small one keeps its digits.
func wilsonLimits(x, n int64, z float64) (lo, hi float64) {
	fx, fn, z2 := float64(x), float64(n), z*z
	p := fx / fn
	outer := fx + z2/2 + z*math.Sqrt(p*float64(n-x)+z2/4)
	lo, hi = p*fx/outer, outer/(fn+z2)
	if x == n {
		hi = 1
	}
	return lo, hi
}

// AgrestiCoull estimates a proportion with the adjusted Wald interval: z²/2
// successes and failures are added, the limits are cut to [0, 1]. It is a
// closed form centred like Wilson's and never narrower.
//
// SE is the adjusted one. Errors are those of Wilson.
//
// Source: Agresti & Coull 1998, The American Statistician 52:119,
// doi:10.1080/00031305.1998.10480550.
func AgrestiCoull(x, n int64, level float64) (Estimate, error) {
	if err := checkOneProportion(x, n, level); err != nil {
		return Estimate{}, err
	}
	z := zCritical(level)
	m := float64(n) + z*z
	p := (float64(x) + z*z/2) / m
	se := math.Sqrt(p * (1 - p) / m)
	est := proportionEstimate(x, n, math.Max(0, p-z*se), math.Min(1, p+z*se), level, math.Inf(1), MethodAgrestiCoull)
	est.SE = se
	return est, nil
}
