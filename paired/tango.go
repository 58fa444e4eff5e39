package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// tangoZ returns the score statistic for the hypothesis that the rate of y
// exceeds that of x by delta, in [−1, 1]. It decreases in delta.
//
// Special cases are: 0 where numerator and variance are both 0.
func tangoZ(onlyX, onlyY, n, delta float64) float64 {
	if delta < 0 { // the restricted estimate is free of cancellation for delta ≥ 0
		return -tangoZ(onlyY, onlyX, n, -delta)
	}
	b := -onlyX - onlyY + (2*n-onlyY+onlyX)*delta
	c := -onlyX * delta * (1 - delta) // ≤ 0, so the discriminant is ≥ 0
	root := math.Sqrt(b*b - 8*n*c)
	var q float64 // restricted maximum-likelihood share of "only x"
	if b > 0 {
		q = -2 * c / (root + b)
	} else {
		q = (root - b) / (4 * n)
	}
	num := onlyY - onlyX - n*delta
	v := n * (2*q + delta*(1-delta))
	if num == 0 {
		return 0
	}
	if v <= 0 {
		return math.Copysign(math.Inf(1), num)
	}
	return num / math.Sqrt(v)
}

// TangoScore estimates the difference of two paired proportions (rate of y
// minus rate of x, in [−1, 1]) with Tango's score interval. It is the default
// for right-or-wrong items: close to the nominal coverage from about 100
// items, and never of zero width, even without a discordant item.
//
// Special cases are: a limit is −1 or 1 where every item is discordant in one
// direction.
//
// It returns stats.ErrTooFew for an empty table and stats.ErrDomain for a
// negative count or a level outside (0, 1). The standard error is NaN: a score
// interval has none. Method: inversion by bisection of the score test with the
// closed-form restricted estimate; Tango 1998, Statistics in Medicine 17:891;
// the same test as Nam 1997, Biometrics 53:1422.
func TangoScore(t Table, level float64) (stats.Estimate, error) {
	if err := t.check(level); err != nil {
		return stats.Estimate{}, fmt.Errorf("tango score interval: %w", err)
	}
	z := stats.NormalQuantile((1 + level) / 2)
	x, y, n := float64(t.OnlyX), float64(t.OnlyY), float64(t.N())
	return stats.Estimate{
		Value:    t.Difference(),
		SE:       math.NaN(),
		DF:       math.Inf(1),
		Interval: stats.Interval{Lo: tangoLower(x, y, n, z), Hi: -tangoLower(y, x, n, z), Level: level},
		N:        t.N(),
		Method:   MethodTango,
	}, nil
}

// tangoLower finds the largest delta below the estimate whose score statistic
// is at least z.
func tangoLower(onlyX, onlyY, n, z float64) float64 {
	lo, hi := -1.0, (onlyY-onlyX)/n
	if hi <= lo {
		return -1
	}
	const steps = 200 // a bracket of width ≤ 2 is at its last bit long before
	for range steps {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi || hi-lo < 1e-17 {
			break
		}
		if tangoZ(onlyX, onlyY, n, mid) >= z {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}

// TangoTest tests the difference of two paired proportions, rate of y minus
// rate of x, against null with the score statistic. The statistic is referred
// to the normal distribution.
//
// Special cases are: with null 0 it is McNemar's uncorrected test, and p is 1
// (two-sided) or ½ when no item is discordant.
//
// It returns stats.ErrTooFew for an empty table and stats.ErrDomain for a
// negative count or a null outside (−1, 1). Method and source: see
// [TangoScore].
func TangoTest(t Table, null float64, alt stats.Alternative) (stats.Test, error) {
	if err := t.Validate(); err != nil {
		return stats.Test{}, fmt.Errorf("tango score test: %w", err)
	}
	if !(null > -1 && null < 1) {
		return stats.Test{}, fmt.Errorf("tango score test: null difference %v, want a number in (-1, 1): %w", null, stats.ErrDomain)
	}
	z := tangoZ(float64(t.OnlyX), float64(t.OnlyY), float64(t.N()), null)
	p, err := normalP(z, alt)
	if err != nil {
		return stats.Test{}, fmt.Errorf("tango score test: %w", err)
	}
	return stats.Test{Statistic: z, DF: math.Inf(1), P: p, Alternative: alt, Method: MethodTango}, nil
}

// TangoNoninferiority tests whether the rate of y is at most margin below the
// rate of x: the null hypothesis is rate(y) − rate(x) ≤ −margin. The margin is
// a difference of rates in (0, 1). For rates where higher is worse, test
// [TangoTest] with null +margin and stats.Less. Errors, method and source: see
// [TangoTest].
func TangoNoninferiority(t Table, margin float64) (stats.Test, error) {
	if !(margin > 0 && margin < 1) {
		return stats.Test{}, fmt.Errorf("tango noninferiority test: margin %v, want a number in (0, 1): %w", margin, stats.ErrDomain)
	}
	return TangoTest(t, -margin, stats.Greater)
}
