package stats

import (
	"fmt"
	"math"
)

// QuantileLevels are the levels of the empirical quantile function between which
// a true quantile lies. Lo at or below 0 or Hi at or above 1 means no bound.
type QuantileLevels struct {
	L      float64 // the rate (1.4·log log(2.1 t) + log(10/alpha))/t
	F      float64 // half-width on the probability scale
	Lo, Hi float64 // q − F and q + F
}

// StitchedQuantile returns the confidence sequence of Howard and Ramdas for the
// q-quantile after t independent values, in its simple form: F = 1.5·√(q(1−q)·L) +
// 0.8·L. With chance at least 1 − alpha the quantile lies between the empirical
// quantiles at levels Lo and Hi at every t at once, so it may be looked at after
// every value. At t = 10,000 it is about 2.4 times as wide as a fixed-time
// interval.
//
// It returns ErrTooFew for t < 1 and ErrDomain for q or alpha outside (0, 1).
//
// Source: Howard & Ramdas 2022, Bernoulli 28:1704, doi:10.3150/21-BEJ1388.
func StitchedQuantile(t int64, q, alpha float64) (QuantileLevels, error) {
	if err := checkSequenceQuantile(t, q, alpha); err != nil {
		return QuantileLevels{}, err
	}
	n := float64(t)
	l := (1.4*math.Log(math.Log(2.1*n)) + math.Log(10/alpha)) / n
	f := 1.5*math.Sqrt(q*(1-q)*l) + 0.8*l
	return QuantileLevels{L: l, F: f, Lo: q - f, Hi: q + f}, nil
}

// MixtureQuantile is StitchedQuantile by the beta-binomial mixture, tuned to be
// tightest after tOpt values. The two sides differ, F is the larger and L is 0.
// It returns ErrTooFew for t or tOpt < 1 and ErrDomain for q or alpha outside
// (0, 1).
func MixtureQuantile(t, tOpt int64, q, alpha float64) (QuantileLevels, error) {
	if err := checkSequenceQuantile(min(t, tOpt), q, alpha); err != nil {
		return QuantileLevels{}, err
	}
	unit := q * (1 - q)
	m, err := NewBetaBinomialMixture(q, 1-q, unit*float64(tOpt), alpha)
	if err != nil {
		return QuantileLevels{}, err
	}
	n := float64(t)
	up := m.Bound(n*unit) / n
	down := m.Reflect().Bound(n*unit) / n
	return QuantileLevels{F: math.Max(up, down), Lo: q - down, Hi: q + up}, nil
}

// Interval returns the interval for the quantile from the values seen so far, in
// ascending order: the order statistics at ⌈t·Lo⌉ and ⌊t·Hi⌋ + 1, ±Inf where there
// is none. level is copied to the result.
func (l QuantileLevels) Interval(sorted []float64, level float64) Interval {
	iv := Unbounded(level)
	t := float64(len(sorted))
	if i := math.Ceil(t * l.Lo); i >= 1 && i <= t {
		iv.Lo = sorted[int(i)-1]
	}
	if i := math.Floor(t*l.Hi) + 1; i >= 1 && i <= t {
		iv.Hi = sorted[int(i)-1]
	}
	return iv
}

func checkSequenceQuantile(t int64, q, alpha float64) error {
	if t < 1 {
		return fmt.Errorf("%d values: want at least 1: %w", t, ErrTooFew)
	}
	if !(q > 0 && q < 1) {
		return fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	return checkAlpha(alpha)
}
