package stats

import (
	"fmt"
	"math"
)

// Rise is how much a straight line through equally spaced values rises from the
// first to the last, fitted by least squares, with the standard error that the
// distances from it give, n−2 degrees of freedom. Its unit is that of the values.
// Values that depend on their neighbours have a larger error than that.
//
// Errors: ErrTooFew for fewer than 3 values, ErrDomain for one that is not finite.
func Rise(y []float64) (rise float64, e StandardError, err error) {
	n := len(y)
	if n < 3 {
		return 0, StandardError{}, fmt.Errorf("%d values: want at least 3: %w", n, ErrTooFew)
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i) / float64(n-1)
	}
	line, err := LeastSquares(x, y)
	if err != nil {
		return 0, StandardError{}, err
	}
	left, spread := 0.0, 0.0
	for i := range x {
		d := y[i] - line.Intercept - line.Slope*x[i]
		left += d * d
		spread += (x[i] - 0.5) * (x[i] - 0.5)
	}
	df := float64(n - 2)
	return line.Slope, StandardError{SE: math.Sqrt(left / df / spread), DF: df}, nil
}

// Burstiness is how much counts of events in equal windows of time vary, against
// events that come independently of each other: the root of their index of
// dispersion, √(variance ÷ mean). It is 1 for a Poisson process, 0 for events that
// are evenly spaced, and more for bursts. The standard error is that of a jackknife
// that leaves out stretches of neighbouring windows in turn.
//
// Special cases are: counts that are all 0 give 0 with the standard error 0.
//
// Errors: ErrTooFew for fewer than 2 stretches or fewer windows than stretches,
// ErrDomain for a count that is negative or not finite.
//
// Source: Cox and Lewis 1966, The Statistical Analysis of Series of Events, ch. 4.
func Burstiness(counts []float64, stretches int) (value float64, e StandardError, err error) {
	n := len(counts)
	if stretches < 2 || n < stretches {
		return 0, StandardError{}, fmt.Errorf("%d windows in %d stretches: want at least 2 stretches, of a window each: %w", n, stretches, ErrTooFew)
	}
	var all moments
	of := make([]moments, stretches)
	for w, k := range counts {
		if !(k >= 0) || math.IsInf(k, 1) {
			return 0, StandardError{}, fmt.Errorf("count %v: want a finite number of at least 0: %w", k, ErrDomain)
		}
		of[w*stretches/n].add(k)
		all.add(k)
	}
	without := make([]float64, stretches)
	for i, s := range of {
		without[i] = moments{all.n - s.n, all.sum - s.sum, all.squares - s.squares}.rootDispersion()
	}
	_, se, err := Jackknife(without)
	if err != nil {
		return 0, StandardError{}, err
	}
	return all.rootDispersion(), StandardError{SE: se, DF: float64(stretches - 1)}, nil
}

// LogRateSE is the standard error of the log of the mean rate of n events whose
// counts in windows have the given [Burstiness]: burst ÷ √n, as the variance of a
// count is burst² times its mean (delta method).
//
// Special cases are: NaN unless n is positive and burst not negative.
func LogRateSE(burst, n float64) float64 {
	if !(n > 0 && burst >= 0) {
		return math.NaN()
	}
	return burst / math.Sqrt(n)
}

// moments are sums of whole numbers: exact up to 2⁵³.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(v float64) {
	m.n++
	m.sum += v
	m.squares += v * v
}

// rootDispersion is the root of variance ÷ mean, 0 where that is not defined.
func (m moments) rootDispersion() float64 {
	if m.sum == 0 || m.n < 2 {
		return 0
	}
	return math.Sqrt(max(0, m.squares-m.sum*m.sum/m.n) / (m.n - 1) * m.n / m.sum)
}

// MeanOfRuns is the mean of what each of several runs tells with a standard error of
// its own. Its error is the larger of what the values say of each other and of what
// each says of itself: few values may be alike by chance. What the first variance
// exceeds the second by has one degree of freedom less than there are runs, the rest
// those of all runs together (Satterthwaite 1946).
//
// Errors: ErrMismatch for lists of different lengths, ErrTooFew for no run,
// ErrDomain for a value or an error that is not finite, or a negative error.
func MeanOfRuns(values []float64, errors []StandardError) (mean float64, e StandardError, err error) {
	if len(values) != len(errors) {
		return 0, StandardError{}, fmt.Errorf("%d values with %d standard errors: %w", len(values), len(errors), ErrMismatch)
	}
	if mean, err = Mean(values); err != nil {
		return 0, StandardError{}, err
	}
	n := float64(len(values))
	within, df := 0.0, 0.0 // the variance of the mean
	for _, s := range errors {
		if !(s.SE >= 0) || math.IsInf(s.SE, 1) || !(s.DF > 0) {
			return 0, StandardError{}, fmt.Errorf("standard error %v with %v degrees of freedom: want finite numbers from 0: %w", s.SE, s.DF, ErrDomain)
		}
		within += s.SE * s.SE / (n * n)
		df += s.DF
	}
	e = StandardError{SE: math.Sqrt(within), DF: df}
	if len(values) < 2 {
		return mean, e, nil
	}
	_, variance, err := MeanVariance(values)
	if err != nil {
		return 0, StandardError{}, err
	}
	if between := variance / n; between > within {
		sum := VarianceEstimate{between - within, n - 1}.Plus(VarianceEstimate{within, df})
		e = sum.SE()
	}
	return mean, e, nil
}
