package bootstrap

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func ratioOfSums(x, y []float64) func([]float64) float64 {
	return func(w []float64) float64 {
		var a, b float64
		for i, v := range w {
			a += v * x[i]
			b += v * y[i]
		}
		return b / a
	}
}

func TestABCIsCloseToBCa(t *testing.T) {
	x, y := lognormal(1, 60, 0.4), lognormal(2, 60, 0.6)
	a := must[ABCEstimate](t)(ABC(60, ratioOfSums(x, y), 0.9))
	stat := func(index []int) float64 {
		var sx, sy float64
		for _, i := range index {
			sx += x[i]
			sy += y[i]
		}
		return sy / sx
	}
	l := must[Law](t)(Resample(60, stat, Options{Replicates: 9999}))
	b := must[BCaEstimate](t)(l.BCa(must[[]float64](t)(LeaveOneOut(60, stat)), 0.9))
	tol := 0.06 * b.Interval.Width()
	if math.Abs(a.Interval.Lo-b.Interval.Lo) > tol || math.Abs(a.Interval.Hi-b.Interval.Hi) > tol {
		t.Errorf("ABC %v, BCa %v", a.Interval, b.Interval)
	}
	if math.Abs(a.SE/l.SE()-1) > 0.1 || math.Abs(a.Acceleration-b.Acceleration) > 0.01 || len(a.Warnings) > 0 {
		t.Errorf("%+v", a)
	}
	wide := must[ABCEstimate](t)(ABC(60, ratioOfSums(x, y), 0.99))
	if wide.Interval.Lo > a.Interval.Lo || wide.Interval.Hi < a.Interval.Hi {
		t.Error("intervals do not nest")
	}
}

func TestABCScales(t *testing.T) {
	x := lognormal(4, 15, 0.7)
	one := must[ABCEstimate](t)(ABC(15, weightedStatistic(t, "varp", x), 0.9))
	for i := range x {
		x[i] *= 64
	}
	big := must[ABCEstimate](t)(ABC(15, weightedStatistic(t, "varp", x), 0.9))
	if !near(big.Interval.Lo/4096, one.Interval.Lo) || !near(big.Interval.Hi/4096, one.Interval.Hi) || !hasWarning(one.Warnings, WarnFewUnits) {
		t.Errorf("%v, %v", one, big)
	}
}

func TestABCRefuses(t *testing.T) {
	for n := range MinUnits {
		_, err := ABC(n, func([]float64) float64 { return 1 }, 0.9)
		wantError(t, err, stats.ErrTooFew, "units")
	}
	_, err := ABC(9, func([]float64) float64 { return 1 }, 1)
	wantError(t, err, stats.ErrDomain, "level")
	for why, theta := range map[string]func([]float64) float64{
		"constant data": weightedStatistic(t, "mean", constant(9, 0.1)),
		"NaN":           func([]float64) float64 { return math.NaN() },
		"Inf":           func(w []float64) float64 { return 1 / (w[0] - w[0]) },
		"zero":          func([]float64) float64 { return 0 },
	} {
		_, err := ABC(9, theta, 0.9)
		wantError(t, err, stats.ErrDomain, why)
	}
}
