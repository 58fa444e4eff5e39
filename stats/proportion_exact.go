package stats

import "math"

// ClopperPearson estimates a proportion from x successes in n independent trials
// with the exact interval: its coverage is never below the level, and often well
// above it. Use it where the level is a promise, Wilson otherwise.
//
// SE is NaN, DF 0. Special cases are: x = 0 has the lower limit 0, x = n the
// upper limit 1. Errors are those of Wilson.
//
// Source: Clopper & Pearson 1934, Biometrika 26:404, doi:10.1093/biomet/26.4.404.
func ClopperPearson(x, n int64, level float64) (Estimate, error) {
	if err := checkOneProportion(x, n, level); err != nil {
		return Estimate{}, err
	}
	lo, hi := clopperPearson(x, n, (1-level)/2)
	return proportionEstimate(x, n, lo, hi, level, 0, MethodClopperPearson), nil
}

func clopperPearson(x, n int64, half float64) (lo, hi float64) {
	lo, hi = 0, 1
	if x > 0 {
		lo, _ = betaQuantile(half, float64(x), float64(n-x)+1)
	}
	if x < n {
		_, hi = betaQuantile(half, float64(n-x), float64(x)+1)
	}
	return lo, hi
}

// MidP estimates a proportion with the mid-P variant of ClopperPearson, which
// counts half of the probability of the observed outcome: coverage close to the
// level on average, not guaranteed.
//
// SE is NaN, DF 0. Special cases and errors are those of ClopperPearson.
//
// Source: Lancaster 1961; Berry & Armitage 1995, The Statistician 44:417.
func MidP(x, n int64, level float64) (Estimate, error) {
	if err := checkOneProportion(x, n, level); err != nil {
		return Estimate{}, err
	}
	half := (1 - level) / 2
	lo, hi := midPLower(x, n, half), 1-midPLower(n-x, n, half)
	return proportionEstimate(x, n, lo, hi, level, 0, MethodMidP), nil
}

// midPLower solves P(X > x) + P(X = x)/2 = half for the probability of success.
// The root lies between the Clopper–Pearson limits of half and of 2·half.
func midPLower(x, n int64, half float64) float64 {
	if x == 0 {
		return 0
	}
	k, m := int(x), int(n)
	lo, _ := clopperPearson(x, n, half)
	hi, _ := clopperPearson(x, n, math.Min(2*half, 1))
	return bisect(lo, hi, func(p float64) float64 {
		return half - BinomialSurvival(k, m, p) - BinomialPMF(k, m, p)/2
	})
}

// Jeffreys estimates a proportion with the equal-tailed interval of the
// posterior Beta(x+1/2, n−x+1/2). Its coverage averages close to the level.
//
// SE is NaN, DF 0. Special cases are: x = 0 has the lower limit 0, x = n the
// upper limit 1. Errors are those of Wilson.
//
// Source: Brown, Cai & DasGupta 2001, Statistical Science 16:101,
// doi:10.1214/ss/1009213286.
func Jeffreys(x, n int64, level float64) (Estimate, error) {
	if err := checkOneProportion(x, n, level); err != nil {
		return Estimate{}, err
	}
	half := (1 - level) / 2
	a, b := float64(x)+0.5, float64(n-x)+0.5
	lo, hi := 0.0, 1.0
	if x > 0 {
		lo, _ = betaQuantile(half, a, b)
	}
	if x < n {
		_, hi = betaQuantile(half, b, a)
	}
	return proportionEstimate(x, n, lo, hi, level, 0, MethodJeffreys), nil
}
