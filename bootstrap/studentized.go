package bootstrap

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Studentized returns the bootstrap-t interval [value − se·z*(1−a), value −
// se·z*(a)] with a = (1−level)/2, where z*(·) are quantiles, by rule, of the
// pivots (replicate − value)/replicateSE (Efron 1979; Hall 1988, Annals of
// Statistics 16:927).
//
// It assumes that the pivot's law hardly depends on the truth, which needs a
// stable standard error: best for means, poor for quantiles and for ratios that
// are not taken on the log scale. units is the number of units resampled.
//
// Special cases are: a replicate whose standard error is 0 has the pivot ±Inf (0
// if it equals value); a limit that depends on such pivots is ±Inf with the
// warning [stats.WarnUnbounded]. se = 0 gives [value, value] with the warning
// [stats.WarnNoVariance].
// Errors: [stats.ErrTooFew] for units < [MinUnits] or fewer than two replicates,
// [stats.ErrMismatch] for slices of unequal length, [stats.ErrDomain] for a bad
// level, a negative standard error or a number that is not finite.
func Studentized(value, se float64, replicates, replicateSEs []float64, units int, level float64, rule Rule) (stats.Estimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return stats.Estimate{}, err
	}
	if err := checkUnits(units); err != nil {
		return stats.Estimate{}, err
	}
	if len(replicates) != len(replicateSEs) {
		return stats.Estimate{}, fmt.Errorf("%d replicates and %d standard errors: %w", len(replicates), len(replicateSEs), stats.ErrMismatch)
	}
	if len(replicates) < 2 {
		return stats.Estimate{}, fmt.Errorf("%d replicates: want at least 2: %w", len(replicates), stats.ErrTooFew)
	}
	for _, x := range [][]float64{{value, se}, replicates, replicateSEs} {
		if err := stats.CheckFinite(x); err != nil {
			return stats.Estimate{}, err
		}
	}
	if least := math.Min(se, slices.Min(replicateSEs)); least < 0 {
		return stats.Estimate{}, fmt.Errorf("standard error %v: want at least 0: %w", least, stats.ErrDomain)
	}
	pivots := make([]float64, len(replicates))
	for r, t := range replicates {
		pivots[r] = pivot(t-value, replicateSEs[r])
	}
	return fromPivots(value, se, pivots, units, level, rule), nil
}

// pivot is d/se with 0/0 = 0.
func pivot(d, se float64) float64 {
	if d == 0 {
		return 0
	}
	return d / se
}

// fromPivots sorts pivots in place and reads the interval off them.
func fromPivots(value, se float64, pivots []float64, units int, level float64, rule Rule) stats.Estimate {
	e := stats.Estimate{Value: value, SE: se, N: units, Method: MethodStudentizedT}
	e.Interval = stats.Interval{Lo: value, Hi: value, Level: level}
	if se == 0 {
		e.Warnings = append(e.Warnings, noVariance())
		return e
	}
	slices.Sort(pivots)
	a := (1 - level) / 2
	zlo, cl := orderQuantile(pivots, a, rule)
	zhi, ch := orderQuantile(pivots, 1-a, rule)
	e.Interval.Lo, e.Interval.Hi = value-float64(se*zhi), value-float64(se*zlo)
	if math.IsInf(zlo, 0) || math.IsInf(zhi, 0) {
		if math.IsInf(zhi, 0) {
			e.Interval.Lo = math.Inf(-1)
		}
		if math.IsInf(zlo, 0) {
			e.Interval.Hi = math.Inf(1)
		}
		e.Warnings = append(e.Warnings, stats.Warning{
			Code: stats.WarnUnbounded,
			Text: "too many resamples have a standard error of 0: a limit is unbounded",
		})
	}
	if cl || ch {
		e.Warnings = append(e.Warnings, fewReplicates(len(pivots)))
	}
	return e
}
