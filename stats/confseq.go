package stats

import (
	"fmt"
	"math"
)

// NormalMixture is the two-sided normal-mixture boundary for a sum of mean-zero
// steps with known, sub-Gaussian variance: with chance at least 1 − Alpha the
// absolute sum stays below Bound(v) at all times at once, v being the variance
// accumulated so far. It is the mixture sequential probability ratio test.
//
// It allows looking after every observation. At the time it is tuned for it is
// about 1.55 times as wide as a fixed-time interval. With an estimated variance
// the guarantee holds only asymptotically. It assumes independent steps: requests
// within one run, not runs.
//
// Source: Robbins 1970; Howard, Ramdas, McAuliffe & Sekhon 2021, Annals of
// Statistics 49:1055, doi:10.1214/20-AOS1991.
type NormalMixture struct {
	Alpha float64 // chance of ever crossing, two-sided
	Rho   float64 // variance of the mixture, inverted: small is tight late
}

// NewNormalMixture returns the boundary that is tightest about the accumulated
// variance vOpt. It returns ErrDomain for alpha outside (0, 1) or vOpt not a finite
// positive number.
func NewNormalMixture(vOpt, alpha float64) (NormalMixture, error) {
	if err := checkAlpha(alpha); err != nil {
		return NormalMixture{}, err
	}
	if !(vOpt > 0) || math.IsInf(vOpt, 1) {
		return NormalMixture{}, fmt.Errorf("variance to tune for %v: want a finite positive number: %w", vOpt, ErrDomain)
	}
	l := 2 * math.Log(1/alpha)
	return NormalMixture{Alpha: alpha, Rho: vOpt / (l + math.Log1p(l))}, nil
}

// Bound returns the boundary at accumulated variance v ≥ 0. It is NaN for v < 0.
func (m NormalMixture) Bound(v float64) float64 {
	if !(v >= 0) {
		return math.NaN()
	}
	return math.Sqrt((v + m.Rho) * (math.Log1p(v/m.Rho) + 2*math.Log(1/m.Alpha)))
}

// LogMartingale returns the log of the evidence process at sum s and accumulated
// variance v; its exponential never exceeds 1/Alpha except with chance Alpha.
func (m NormalMixture) LogMartingale(s, v float64) float64 {
	return -math.Log1p(v/m.Rho)/2 + s*s/(2*(v+m.Rho))
}

// BetaBinomialMixture is the upper boundary for a sum of independent mean-zero
// steps in [−G, H], by a beta mixture: with chance at least 1 − Alpha, both sides
// taken together, the sum stays below Bound(v) and its mirror image, the boundary
// with G and H exchanged, at all times at once.
//
// For counts of values at or below a quantile of level q the steps are 1{X ≤ q} −
// q, G = q, H = 1 − q and v = t·q·(1−q) after t values.
//
// Source: Howard & Ramdas 2022, Bernoulli 28:1704, doi:10.3150/21-BEJ1388.
type BetaBinomialMixture struct {
	Alpha float64
	G, H  float64 // steps lie in [−G, H]
	R     float64 // mixture parameter, tuned
}

// NewBetaBinomialMixture returns the boundary that is tightest about the
// accumulated variance vOpt. It returns ErrDomain for g, h or vOpt that are not
// finite and positive, or alpha outside (0, 1).
func NewBetaBinomialMixture(g, h, vOpt, alpha float64) (BetaBinomialMixture, error) {
	for _, v := range []float64{g, h} {
		if !(v > 0) || math.IsInf(v, 1) {
			return BetaBinomialMixture{}, fmt.Errorf("step limit %v: want a finite positive number: %w", v, ErrDomain)
		}
	}
	n, err := NewNormalMixture(vOpt, alpha)
	if err != nil {
		return BetaBinomialMixture{}, err
	}
	return BetaBinomialMixture{Alpha: alpha, G: g, H: h, R: math.Max(n.Rho-g*h, 1e-3*g*h)}, nil
}

// LogMartingale returns the log of the evidence process at sum s and accumulated
// variance v, +Inf where s is beyond what the steps can add up to.
func (m BetaBinomialMixture) LogMartingale(s, v float64) float64 {
	g, h, r := m.G, m.H, m.R
	w := g + h
	a, b := (r+v-g*s)/(g*w), (r+v+h*s)/(h*w)
	if a <= 0 || b <= 0 {
		return math.Inf(1)
	}
	return v/(g*h)*math.Log(w) - (v+h*s)/(h*w)*math.Log(g) - (v-g*s)/(g*w)*math.Log(h) +
		logBeta(a, b) - logBeta(r/(g*w), r/(h*w))
}

// Bound returns the boundary at accumulated variance v ≥ 0: the sum at which the
// evidence process reaches 1/Alpha. It is NaN for v < 0.
func (m BetaBinomialMixture) Bound(v float64) float64 {
	if !(v >= 0) {
		return math.NaN()
	}
	target := math.Log(1 / m.Alpha)
	// The process is convex in s with its minimum near 0 and grows beyond bounds
	// towards the largest possible sum.
	return bisect(0, (v+m.R)/m.G*(1-1e-15), func(s float64) float64 { return target - m.LogMartingale(s, v) })
}

// Reflect returns the boundary for the lower side: the steps with changed sign.
func (m BetaBinomialMixture) Reflect() BetaBinomialMixture {
	m.G, m.H = m.H, m.G
	return m
}

// logBeta is the log of the beta function.
func logBeta(a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return la + lb - lab
}
