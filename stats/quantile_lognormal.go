package stats

import (
	"fmt"
	"math"
)

// LognormalQuantileSE returns the quantile of level q of the lognormal
// distribution with log-mean mu and log-sd sigma, and the asymptotic standard
// error of its sample estimate from n independent values: √(q(1−q)/n) over the
// density at the quantile. It is meant for planning; with data in hand use an
// interval that does not need the density.
//
// Errors: ErrTooFew for n < 1, ErrDomain for q outside (0, 1), mu not finite or
// sigma not positive and finite.
//
// Source: Mosteller 1946, Annals of Mathematical Statistics 17:377,
// doi:10.1214/aoms/1177730881.
func LognormalQuantileSE(mu, sigma, q float64, n int) (quantile, se float64, err error) {
	switch {
	case n < 1:
		return 0, 0, fmt.Errorf("%d values: want at least 1: %w", n, ErrTooFew)
	case !(q > 0 && q < 1):
		return 0, 0, fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	case math.IsNaN(mu) || math.IsInf(mu, 0):
		return 0, 0, fmt.Errorf("log-mean %v: want a finite number: %w", mu, ErrDomain)
	case !(sigma > 0) || math.IsInf(sigma, 1):
		return 0, 0, fmt.Errorf("log-sd %v: want a positive finite number: %w", sigma, ErrDomain)
	}
	z := NormalQuantile(q)
	quantile = math.Exp(mu + sigma*z)
	se = math.Sqrt(q*(1-q)/float64(n)) * quantile * sigma / NormalPDF(z)
	return quantile, se, nil
}
