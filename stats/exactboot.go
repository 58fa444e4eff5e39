package stats

import (
	"fmt"
	"math"
)

// percentileSlack is how far a cumulated probability may fall short of a level
// through rounding and still count as reaching it.
const percentileSlack = 1e-12

// fewInTail is the number of values beyond the quantile below which percentile
// intervals were measured to cover too little: at the level 0.95 they cover
// 0.93 for 10 values beyond, 0.63 for 1.
const fewInTail = 50

// BootstrapLaw summarises the bootstrap distribution of a statistic, computed
// exactly, without resampling.
type BootstrapLaw struct {
	// Estimate holds the statistic of the data, the standard deviation of the
	// bootstrap distribution as SE, and its percentile interval.
	Estimate
	// Mean is the mean of the bootstrap distribution.
	Mean float64
}

// ExactBootstrapOrderStat gives the bootstrap distribution of the order
// statistic of rank r (1-based) of x. It assumes independent values. The
// percentile limits are the smallest values whose cumulated weight reaches
// (1−level)/2 and (1+level)/2. Cost after sorting: of the order √n.
//
// The interval covers too little in the tails: with fewer than 50 values on
// either side of the rank there is the warning few_in_tail; OrderStatCI keeps
// its level there.
//
// Special cases are: equal values have SE 0 and the warning no_variance.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite, a
// rank outside [1, n] or a level outside (0, 1).
//
// Source: as for BootstrapWeights.
func ExactBootstrapOrderStat(x []float64, r int, level float64) (BootstrapLaw, error) {
	if err := CheckFinite(x); err != nil {
		return BootstrapLaw{}, err
	}
	return ExactBootstrapOrderStatSorted(sortedValues(x), r, level)
}

// ExactBootstrapOrderStatSorted is ExactBootstrapOrderStat for finite values in
// ascending order, which it does not check.
func ExactBootstrapOrderStatSorted(sorted []float64, r int, level float64) (BootstrapLaw, error) {
	if err := CheckLevel(level); err != nil {
		return BootstrapLaw{}, err
	}
	n := len(sorted)
	if n < 1 {
		return BootstrapLaw{}, fmt.Errorf("order statistic of no values: want at least 1: %w", ErrTooFew)
	}
	if r < 1 || r > n {
		return BootstrapLaw{}, fmt.Errorf("rank %d of %d values: want one in [1, %d]: %w", r, n, n, ErrDomain)
	}
	law := newRankLaw(sorted, r)
	out := BootstrapLaw{Mean: law.mean}
	out.Estimate = bootstrapEstimate(sorted[r-1], math.Sqrt(law.variance), law.percentile((1-level)/2), law.percentile((1+level)/2), level, MethodExactBootstrapOrderStat, law)
	return out, nil
}

// bootstrapEstimate fills an Estimate made from the given laws.
func bootstrapEstimate(value, se, lo, hi, level float64, method string, laws ...rankLaw) Estimate {
	est := Estimate{Value: value, SE: se, Interval: Interval{Lo: lo, Hi: hi, Level: level}, Method: method}
	few := false
	for _, l := range laws {
		est.N += l.n
		few = few || min(l.r, l.n-l.r) < fewInTail
	}
	if se == 0 {
		est.Warnings = append(est.Warnings, noVariance())
	}
	if few {
		est.Warnings = append(est.Warnings, Warning{Code: WarnFewInTail, Text: "few values lie beyond the quantile, so the percentile interval is too narrow"})
	}
	return est
}

// rankLaw is the bootstrap distribution of one order statistic.
type rankLaw struct {
	n, r           int
	first          int       // 1-based rank of x[0] in the sample
	x              []float64 // support, ascending: a view of the sample
	w              []float64 // probabilities
	below          []float64 // below[i] = w[0] + … + w[i−1]
	mean, variance float64
}

func newRankLaw(sorted []float64, r int) rankLaw {
	n := len(sorted)
	first, w := betaCells(n, float64(r), float64(n-r+1))
	l := rankLaw{n: n, r: r, first: first, x: sorted[first-1 : first-1+len(w)], w: w}
	l.below = make([]float64, len(w)+1)
	origin := sorted[r-1]
	var m1 float64
	for i, p := range w {
		l.below[i+1] = l.below[i] + p
		m1 += p * (l.x[i] - origin)
	}
	var m2 float64
	for i, p := range w {
		d := l.x[i] - origin - m1
		m2 += p * d * d
	}
	l.mean, l.variance = origin+m1, m2
	return l
}

// percentile is the smallest value whose cumulated probability reaches p.
func (l rankLaw) percentile(p float64) float64 {
	for i := range l.x {
		if l.below[i+1] >= p-percentileSlack {
			return l.x[i]
		}
	}
	return l.x[len(l.x)-1]
}

// supportSearch returns the smallest support value v with F(v) ≥ p for a law
// given by at, which returns F(t), the largest support value ≤ t and the
// smallest > t. lo and hi enclose the support; mean and sd place the first two
// trials. It is the Illinois variant of false position, with a bisection now and
// then, on a bracket that shrinks to support values.
func supportSearch(lo, hi, p, mean, sd float64, at func(t float64) (f, le, gt float64)) float64 {
	p -= percentileSlack
	gLo, gHi := -p, 1-p // F − p just below lo, and at hi
	side := 0
	for step := 1; lo < hi; step++ {
		var t float64
		switch {
		case step <= 2: // either side of the normal guess
			t = mean + sd*(NormalQuantile(p)-0.02*float64(side))
		case step%8 == 0:
			t = lo + (hi-lo)/2
		default:
			t = lo + (hi-lo)*(gLo/(gLo-gHi))
		}
		if !(t >= lo && t < hi) {
			t = lo
		}
		f, le, gt := at(t)
		if f >= p {
			hi, gHi = le, f-p
			if side > 0 && step > 2 {
				gLo /= 2
			}
			side = 1
		} else {
			lo, gLo = gt, f-p
			if side < 0 && step > 2 {
				gHi /= 2
			}
			side = -1
		}
	}
	return hi
}
