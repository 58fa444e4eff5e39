package bootstrap

import (
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// Public case P02: BCa on values that are all alike divided 0 by 0. 30 values of
// 100 against 30 of 101.
func TestCaseP02(t *testing.T) {
	x, y := slices.Repeat([]float64{100}, 30), slices.Repeat([]float64{101}, 30)
	for shift, pair := range map[float64][2][]float64{1: {x, y}, 0: {x, x}} {
		replicates, err := TwoSampleReplicates(30, 30, func(ix, iy []int) float64 {
			return meanStatistic(pair[1])(iy) - meanStatistic(pair[0])(ix)
		}, Options{Replicates: 199, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		law, err := FromReplicates(shift, replicates, 30)
		if err != nil {
			t.Fatal(err)
		}
		loo := slices.Repeat([]float64{shift}, 30)
		bca, err := law.BCa(loo, 0.95)
		if err != nil || bca.Interval.Lo != shift || bca.Interval.Hi != shift {
			t.Errorf("shift %v: %+v, %v", shift, bca, err)
		}
		if !hasWarning(bca.Warnings, stats.WarnNoVariance) || !hasWarning(bca.Warnings, WarnBCaFallback) {
			t.Errorf("shift %v: warnings %v", shift, bca.Warnings)
		}
		p, err := law.Percentile(0.95)
		if err != nil || p.Interval.Width() != 0 || !hasWarning(p.Warnings, stats.WarnNoVariance) {
			t.Errorf("shift %v: %+v, %v", shift, p, err)
		}
	}
	if _, err := MeanT(y[:2], 0.95, Options{}); err == nil {
		t.Error("two values were resampled")
	}
}
