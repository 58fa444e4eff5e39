package bootstrap

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestStudentizedZeroErrors(t *testing.T) {
	// 9 replicates, level 0.6: limits at the 2nd and 8th pivot.
	rep := []float64{-1, -1, -1, 0, 0, 0, 1, 1, 1}
	se := []float64{0, 0, 0, 1, 0, 1, 1, 1, 1}
	e := must[stats.Estimate](t)(Studentized(0, 1, rep, se, 5, 0.6, OrderStatistic))
	if !math.IsInf(e.Interval.Hi, 1) || e.Interval.Lo != -1 || !hasWarning(e.Warnings, stats.WarnUnbounded) {
		t.Errorf("%+v", e)
	}
	e = must[stats.Estimate](t)(Studentized(3, 0, rep, se, 5, 0.6, OrderStatistic))
	if e.Interval.Lo != 3 || e.Interval.Hi != 3 || !hasWarning(e.Warnings, stats.WarnNoVariance) {
		t.Errorf("%+v", e)
	}
}

func TestStudentizedRefuses(t *testing.T) {
	ok := []float64{1, 2, 3}
	for _, c := range []struct {
		why       string
		value, se float64
		rep, ses  []float64
		units     int
		level     float64
		kind      error
	}{
		{"level", 1, 1, ok, ok, 5, 1, stats.ErrDomain},
		{"units", 1, 1, ok, ok, 2, 0.9, stats.ErrTooFew},
		{"lengths", 1, 1, ok, ok[:2], 5, 0.9, stats.ErrMismatch},
		{"replicates", 1, 1, ok[:1], ok[:1], 5, 0.9, stats.ErrTooFew},
		{"NaN value", math.NaN(), 1, ok, ok, 5, 0.9, stats.ErrDomain},
		{"negative se", 1, -1, ok, ok, 5, 0.9, stats.ErrDomain},
		{"negative replicate se", 1, 1, ok, []float64{1, -2, 3}, 5, 0.9, stats.ErrDomain},
		{"infinite replicate se", 1, 1, ok, []float64{1, math.Inf(1), 3}, 5, 0.9, stats.ErrDomain},
	} {
		_, err := Studentized(c.value, c.se, c.rep, c.ses, c.units, c.level, OrderStatistic)
		wantError(t, err, c.kind, c.why)
	}
}

func TestMeanT(t *testing.T) {
	opt := Options{Replicates: 999, Seed: 5}
	x := lognormal(9, 25, 1)
	guard := slices.Clone(x)
	e := must[stats.Estimate](t)(MeanT(x, 0.9, opt))
	if !slices.Equal(x, guard) {
		t.Error("argument changed")
	}
	_, se := meanAndSE(x)
	if !near(e.Value, meanOf(x)) || !near(e.SE, se) || e.N != 25 || len(e.Warnings) > 0 {
		t.Errorf("%+v", e)
	}
	// The distance to the long tail is the longer one.
	if !(e.Interval.Hi-e.Value > e.Value-e.Interval.Lo) {
		t.Errorf("interval %v of %v is not skewed", e.Interval, e.Value)
	}
	// It is the same as studentizing by hand.
	var rep, ses []float64
	cols := must[[][]float64](t)(ReplicateVectors(IID{25}, 2, func() func([]int, []float64) {
		return func(index []int, out []float64) {
			v := make([]float64, len(index))
			for i, j := range index {
				v[i] = x[j]
			}
			out[0], out[1] = meanAndSE(v)
		}
	}, opt))
	rep, ses = cols[0], cols[1]
	s := must[stats.Estimate](t)(Studentized(meanOf(x), se, rep, ses, 25, 0.9, OrderStatistic))
	if !near(s.Interval.Lo, e.Interval.Lo) || !near(s.Interval.Hi, e.Interval.Hi) {
		t.Errorf("MeanT %v, Studentized %v", e.Interval, s.Interval)
	}
	// Shift and scale.
	moved := make([]float64, len(x))
	for i := range x {
		moved[i] = 1e9 + 1024*x[i]
	}
	m := must[stats.Estimate](t)(MeanT(moved, 0.9, opt))
	if math.Abs((m.Interval.Lo-1e9)/1024-e.Interval.Lo) > 1e-6 || math.Abs((m.Interval.Hi-1e9)/1024-e.Interval.Hi) > 1e-6 {
		t.Errorf("shifted and scaled: %v, want %v", m.Interval, e.Interval)
	}
	wide := must[stats.Estimate](t)(MeanT(x, 0.99, opt))
	if wide.Interval.Lo > e.Interval.Lo || wide.Interval.Hi < e.Interval.Hi {
		t.Error("intervals do not nest")
	}
}

func TestMeanTEdges(t *testing.T) {
	for n := range MinUnits { // P01
		_, err := MeanT(constant(n, 1), 0.9, Options{})
		wantError(t, err, stats.ErrTooFew, "units")
	}
	for _, v := range []float64{0, 0.1, 100, 1e12, -3e200} { // P02
		e := must[stats.Estimate](t)(MeanT(constant(30, v), 0.9, Options{Replicates: 99}))
		if e.Interval.Lo != v || e.Interval.Hi != v || e.SE != 0 || !hasWarning(e.Warnings, stats.WarnNoVariance) {
			t.Errorf("constant %v: %+v", v, e)
		}
	}
	e := must[stats.Estimate](t)(MeanT([]float64{1, 2, 4}, 0.9, Options{Replicates: 999}))
	if !hasWarning(e.Warnings, WarnFewUnits) || !math.IsInf(e.Interval.Hi, 1) {
		// 2 of 27 resamples repeat one unit below the mean: more than 5 %.
		t.Errorf("three units: %+v", e)
	}
	for _, bad := range [][]float64{{1, 2, math.NaN()}, {1, 2, math.Inf(1)}, {-1.7e308, 0, 1.7e308}} {
		_, err := MeanT(bad, 0.9, Options{})
		wantError(t, err, stats.ErrDomain, "values")
	}
	_, err := MeanT([]float64{1, 2, 3}, 0, Options{})
	wantError(t, err, stats.ErrDomain, "level")
	_, err = MeanT([]float64{1, 2, 3}, 0.9, Options{Replicates: -1})
	wantError(t, err, stats.ErrDomain, "options")
}

// Coverage of the mean of 20 lognormal values (σ = 1), nominal 95 %: about .91
// for bootstrap-t against .84 for the percentile interval.
func TestMeanTCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const sims = 1500
	truth := math.Exp(4.5)
	hit, hitPercentile := 0, 0
	for s := range uint64(sims) {
		x := lognormal(1000+s, 20, 1)
		opt := Options{Replicates: 999, Seed: s}
		if must[stats.Estimate](t)(MeanT(x, 0.95, opt)).Interval.Contains(truth) {
			hit++
		}
		l := must[Law](t)(Resample(20, meanStatistic(x), opt))
		if must[stats.Estimate](t)(l.Percentile(0.95)).Interval.Contains(truth) {
			hitPercentile++
		}
	}
	// Three standard errors of .91 and .84 at 1,500 simulations are .022 and .028.
	if c := float64(hit) / sims; c < 0.91-0.022 || c > 0.91+0.03 {
		t.Errorf("bootstrap-t covers %.3f", c)
	}
	if c := float64(hitPercentile) / sims; math.Abs(c-0.84) > 0.03 {
		t.Errorf("percentile covers %.3f", c)
	}
}
