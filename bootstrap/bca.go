package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// BCaEstimate is a BCa interval with the constants behind it.
type BCaEstimate struct {
	stats.Estimate
	Bias         float64 // z0, the bias correction on the normal scale; 0 after a fallback
	Acceleration float64 // a, on the normal scale; 0 after a fallback
	LoProb       float64 // level at which the law is read for the lower limit
	HiProb       float64 // level at which the law is read for the upper limit
	FellBack     bool    // the interval is the percentile interval
}

// BCa returns the bias-corrected and accelerated interval (Efron 1987, JASA
// 82:171). With z0 = Φ⁻¹(P(T < Value) + P(T = Value)/2) and the acceleration a
// of [Acceleration], the law is read at Φ(z0 + (z0+z)/(1 − a(z0+z))) for the
// normal quantiles z of the two limits. leaveOneOut comes from [LeaveOneOut].
//
// It assumes a statistic that is smooth in the data, and at least some 30
// units. It is not for quantiles, whose jackknife is inconsistent: use
// [OrderStatisticLaw].
//
// Special cases are: where the constants are undefined (constant data, all
// replicates on one side of the estimate, a pole between the limits, a
// leave-one-out value that is not finite) the interval is that of
// [Law.Percentile], FellBack is true and the warning [WarnBCaFallback] says why.
// Errors: those of [Law.Percentile]; [stats.ErrMismatch] if leaveOneOut does not
// have one value per unit.
func (l Law) BCa(leaveOneOut []float64, level float64) (BCaEstimate, error) {
	e, err := l.begin(level, MethodBCa)
	if err != nil {
		return BCaEstimate{}, err
	}
	if len(leaveOneOut) != l.units {
		return BCaEstimate{}, fmt.Errorf("%d leave-one-out values for %d units: %w", len(leaveOneOut), l.units, stats.ErrMismatch)
	}
	a, err := Acceleration(leaveOneOut)
	if err != nil {
		return l.fallback(level, "the acceleration is undefined ("+err.Error()+")")
	}
	p0 := l.Below(l.value)
	if l.constant() || !(p0 > 0 && p0 < 1) {
		return l.fallback(level, "no resample lies on one side of the estimate, so the bias correction is infinite")
	}
	b := BCaEstimate{Estimate: e, Bias: stats.NormalQuantile(p0), Acceleration: a}
	var ok1, ok2 bool
	z := stats.NormalQuantile((1 - level) / 2) // (1+level)/2 would round to 1 near level 1
	b.LoProb, ok1 = bcaProb(b.Bias, a, z)
	b.HiProb, ok2 = bcaProb(b.Bias, a, -z)
	if !ok1 || !ok2 {
		return l.fallback(level, fmt.Sprintf("the acceleration %.3g is too large for this level", a))
	}
	lo, cl := l.quantile(b.LoProb)
	hi, ch := l.quantile(b.HiProb)
	b.Interval = stats.Interval{Lo: lo, Hi: hi, Level: level}
	b.Estimate = l.finish(b.Estimate, cl || ch)
	return b, nil
}

// bcaProb returns the corrected level for a nominal normal quantile, and whether
// the correction is on the right side of its pole.
func bcaProb(z0, a, nominal float64) (float64, bool) {
	z := z0 + nominal
	d := 1 - a*z
	if d <= 0 {
		return 0, false
	}
	p := stats.NormalCDF(z0 + z/d)
	return p, !math.IsNaN(p)
}

func (l Law) fallback(level float64, why string) (BCaEstimate, error) {
	e, err := l.Percentile(level)
	if err != nil {
		return BCaEstimate{}, err
	}
	e.Warnings = append([]stats.Warning{{
		Code: WarnBCaFallback,
		Text: "the percentile interval stands in for BCa: " + why,
	}}, e.Warnings...)
	return BCaEstimate{Estimate: e, LoProb: (1 - level) / 2, HiProb: (1 + level) / 2, FellBack: true}, nil
}
