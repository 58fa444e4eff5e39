package sketch

import (
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// MeanError is the standard error of the mean of the values if they are
// independent, s/√n with n − 1 degrees of freedom.
// Errors: those of [Sketch.MeanVariance].
func (s *Sketch) MeanError() (stats.StandardError, error) {
	_, variance, err := s.MeanVariance()
	if err != nil {
		return stats.StandardError{}, err
	}
	n := float64(s.N())
	return stats.StandardError{SE: math.Sqrt(variance / n), DF: n - 1}, nil
}

// QuantileError maps the standard error se of the share at or below the quantile
// of level q to that of the quantile: half the distance between the quantiles of
// q − se and q + se (Woodruff 1952). log is that of the quantile's logarithm, NaN
// where the lower of them is not positive.
//
// Special cases are: +Inf for both where a limit lies outside (0, 1), because the
// values do not bound the quantile there.
// Errors: those of [Sketch.QuantileLimits].
func (s *Sketch) QuantileError(q, se float64) (natural, log float64, err error) {
	lo, hi, err := s.QuantileLimits(q-se, q+se)
	if err != nil {
		return 0, 0, err
	}
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return math.Inf(1), math.Inf(1), nil
	}
	natural, log = (hi-lo)/2, math.NaN()
	if lo > 0 {
		log = math.Log(hi/lo) / 2
	}
	return natural, log, nil
}

// QuantileError is the variance of the quantile of level q, and of its logarithm,
// that independent values account for: Woodruff's limits of the two-sided level,
// with the effective number of values. The distance between the limits is known
// only as well as there are values in it, so half their number are the degrees of
// freedom.
//
// Special cases are: NaN where the limits lie outside (0, 1), and for the
// logarithm where the lower one is not positive.
// Errors: those of [Mixture.Quantile], and [stats.ErrDomain] for a level outside
// (0, 1).
//
// Source: Woodruff 1952, JASA 47:635, doi:10.1080/01621459.1952.10483443.
func (m *Mixture) QuantileError(q, level float64) (natural, log stats.VarianceEstimate, err error) {
	nan := math.NaN()
	natural = stats.VarianceEstimate{Variance: nan, DF: nan}
	log = natural
	if err := stats.CheckLevel(level); err != nil {
		return natural, log, err
	}
	if _, err := m.Quantile(q); err != nil {
		return natural, log, err
	}
	z, n := stats.NormalQuantile((1+level)/2), m.EffectiveN()
	half := z * stats.ShareSE(q, n)
	if !(q-half > 0 && q+half < 1) {
		return natural, log, nil
	}
	lo, err := m.Quantile(q - half)
	if err != nil {
		return natural, log, err
	}
	hi, err := m.Quantile(q + half)
	if err != nil {
		return natural, log, err
	}
	se := (hi - lo) / 2 / z
	natural = stats.StandardError{SE: se, DF: half * n}.Variance()
	if lo > 0 {
		se = math.Log(hi/lo) / 2 / z
		log = stats.StandardError{SE: se, DF: half * n}.Variance()
	}
	return natural, log, nil
}
