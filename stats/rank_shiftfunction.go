package stats

import (
	"fmt"
	"math"
)

// ShiftPoint is the shift function of two samples at one quantile level.
type ShiftPoint struct {
	Q    float64  // quantile level, in (0, 1)
	X, Y Estimate // Harrell–Davis quantiles of the two samples
	// Difference is Y − X, with the standard error of two independent samples and
	// an interval for this level alone.
	Difference Estimate
}

// ShiftFunctionHD compares two independent samples quantile by quantile, with
// Harrell–Davis estimates at the levels q, in the order given. It describes where
// in the distribution a change lies. The intervals hold one at a time; multiply SE
// by WilcoxShiftCritical for the nine deciles at once. Observations are taken as
// independent; with several runs compare quantiles run by run.
//
// Special cases are:
//
//	no levels: an empty result
//	an empty sample: ErrTooFew
//	a non-finite value, a quantile level or level outside (0, 1): ErrDomain
//
// Source: Doksum 1974, Annals of Statistics 2:267; Wilcox 1995, Educational and
// Psychological Measurement 55:1010.
func ShiftFunctionHD(x, y, q []float64, level float64) ([]ShiftPoint, error) {
	for _, s := range [][]float64{x, y} {
		if err := CheckFinite(s); err != nil {
			return nil, err
		}
	}
	sx, sy := sortedValues(x), sortedValues(y)
	z := -NormalQuantile((1 - level) / 2)
	out := make([]ShiftPoint, 0, len(q))
	for _, at := range q {
		a, err := HarrellDavisSorted(sx, at, level)
		if err != nil {
			return nil, fmt.Errorf("x: %w", err)
		}
		b, err := HarrellDavisSorted(sy, at, level)
		if err != nil {
			return nil, fmt.Errorf("y: %w", err)
		}
		d := Estimate{Value: b.Value - a.Value, SE: math.Hypot(a.SE, b.SE), DF: math.Inf(1), N: a.N + b.N, Method: MethodShiftFunctionHD, Interval: Unbounded(level)}
		if !math.IsNaN(d.SE) {
			d.Interval.Lo, d.Interval.Hi = d.Value-z*d.SE, d.Value+z*d.SE
		}
		out = append(out, ShiftPoint{Q: at, X: a, Y: b, Difference: d})
	}
	return out, nil
}

// WilcoxShiftCritical returns the critical value by which the standard errors of the
// nine decile differences are multiplied for simultaneous intervals of about 95 %:
// 80.1/min(m, n)² + 2.73. The fit was made for bootstrap standard errors, that
// level and that number of deciles only. It is NaN for a sample of fewer than 2.
//
// Source: Wilcox 1995, Educational and Psychological Measurement 55:1010.
func WilcoxShiftCritical(m, n int) float64 {
	least := float64(min(m, n))
	if least < 2 {
		return math.NaN()
	}
	return 80.1/(least*least) + 2.73
}
