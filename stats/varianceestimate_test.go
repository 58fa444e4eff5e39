package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestVariancePlus(t *testing.T) {
	two, err := TwoSample(0, 3, 4, 0, 4, 7, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	got := VarianceEstimate{9, 4}.Plus(VarianceEstimate{16, 7})
	near(t, "variance", got.Variance, 25, 0)
	near(t, "freedom", got.DF, two.DF, 1e-12)
	near(t, "error", got.SE().SE, 5, 0)
	if s := (VarianceEstimate{0, 3}).Plus(VarianceEstimate{0, 4}); s != (VarianceEstimate{0, 7}) {
		t.Errorf("nothing varies: %+v", s)
	}
	if s := (VarianceEstimate{math.NaN(), math.NaN()}).Plus(VarianceEstimate{1, 4}); !math.IsNaN(s.Variance) {
		t.Errorf("unknown: %+v", s)
	}
	if s := (VarianceEstimate{1, 5}).Plus(VarianceEstimate{1, math.Inf(1)}); s != (VarianceEstimate{2, 20}) {
		t.Errorf("one known exactly: %+v", s)
	}
}

func TestModerateRelative(t *testing.T) {
	p := VariancePrior{Scale: 2, DF: 6}
	// The ratio is 8/4 = 2, as the prior has it, with 6 + 3 degrees of freedom;
	// the expected one allows no more than 9·9/(9 + 9).
	got := p.ModerateRelative(VarianceEstimate{8, 3}, VarianceEstimate{4, 9})
	near(t, "variance", got.Variance, 8, 1e-15)
	near(t, "freedom", got.DF, 4.5, 1e-15)
	raw := VarianceEstimate{8, 3}
	if got := (VariancePrior{}).ModerateRelative(raw, VarianceEstimate{4, 9}); got != raw {
		t.Errorf("no prior: %+v", got)
	}
	if got := p.ModerateRelative(raw, VarianceEstimate{math.NaN(), 9}); got != raw {
		t.Errorf("nothing expected: %+v", got)
	}
	if got := (VariancePrior{Scale: 1, DF: math.Inf(1)}).ModerateRelative(raw, VarianceEstimate{4, 9}); got != (VarianceEstimate{4, 9}) {
		t.Errorf("a prior that is sure: %+v", got)
	}
}

func TestExcessVariance(t *testing.T) {
	// One variance is met exactly: 5 = 1 + τ²/3.
	got, err := ExcessVariance([]VarianceEstimate{{5, 4}}, []float64{1}, []int{3})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "exact", got, 12, 1e-12)
	if got, err = ExcessVariance([]VarianceEstimate{{0.5, 4}}, []float64{1}, []int{3}); got != 0 || err != nil {
		t.Errorf("less than expected: %v, %v", got, err)
	}
	if got, err = ExcessVariance(nil, nil, nil); got != 0 || err != nil {
		t.Errorf("none: %v, %v", got, err)
	}
	// Drawn variances give back what they were drawn with, whatever their order
	// and unit.
	r := rand.New(rand.NewPCG(12, 1))
	const spread = 0.7
	var v []VarianceEstimate
	var within []float64
	var units []int
	for range 4000 {
		k, w := 3+r.IntN(5), 0.2+r.Float64()
		sum := 0.0
		for range k - 1 {
			z := r.NormFloat64()
			sum += z * z
		}
		v = append(v, VarianceEstimate{(w + spread/float64(k)) * sum / float64(k-1), float64(k - 1)})
		within, units = append(within, w), append(units, k)
	}
	got, err = ExcessVariance(v, within, units)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "drawn", got, spread, 0.05)
	scaled := slices.Clone(v)
	wide := slices.Clone(within)
	for i := range scaled {
		scaled[i].Variance, wide[i] = 9*v[i].Variance, 9*within[i]
	}
	slices.Reverse(scaled)
	slices.Reverse(wide)
	slices.Reverse(units)
	nine, err := ExcessVariance(scaled, wide, units)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "three times the unit, backwards", nine, 9*got, 1e-9)
	_, err = ExcessVariance(v, nil, units)
	wantError(t, "lengths", err, ErrMismatch)
	_, err = ExcessVariance([]VarianceEstimate{{1, math.Inf(1)}}, []float64{1}, []int{2})
	wantError(t, "freedom", err, ErrDomain)
	_, err = ExcessVariance([]VarianceEstimate{{1e308, 3}}, []float64{1}, []int{1000})
	wantError(t, "overflow", err, ErrDomain)
	_, err = ExcessVariance([]VarianceEstimate{{1, 2}}, []float64{0}, []int{2})
	wantError(t, "within", err, ErrDomain)
	_, err = ExcessVariance([]VarianceEstimate{{1, 2}}, []float64{1}, []int{0})
	wantError(t, "units", err, ErrDomain)
}

func TestWeightedMeanError(t *testing.T) {
	// One group is the squared error of MeanT; two of one vote are a quarter of
	// the sum.
	x, y := []float64{3, 1, 4, 1, 5}, []float64{9, 2, 6}
	ex, _ := MeanT(x, 0.9)
	ey, _ := MeanT(y, 0.9)
	_, vx, _ := MeanVariance(x)
	_, vy, _ := MeanVariance(y)
	one, err := WeightedMeanError([]float64{vx}, []int64{5}, []float64{7})
	if err != nil || one.DF != 4 {
		t.Fatal(one, err)
	}
	near(t, "one group", one.SE().SE, ex.SE, 1e-15)
	two, err := WeightedMeanError([]float64{vx, vy}, []int64{5, 3}, nil)
	if err != nil || two.DF != 6 {
		t.Fatal(two, err)
	}
	near(t, "two groups", two.Variance, (ex.SE*ex.SE+ey.SE*ey.SE)/4, 1e-15)
	_, err = WeightedMeanError([]float64{1, 2}, []int64{5}, nil)
	wantError(t, "lengths", err, ErrMismatch)
	_, err = WeightedMeanError([]float64{1}, []int64{1}, nil)
	wantError(t, "one value", err, ErrTooFew)
	_, err = WeightedMeanError([]float64{-1}, []int64{2}, nil)
	wantError(t, "negative", err, ErrDomain)
	_, err = WeightedMeanError([]float64{1}, []int64{2}, []float64{0})
	wantError(t, "no weight", err, ErrDomain)
}

func TestMeanShareError(t *testing.T) {
	got, err := MeanShareError([]int64{0, 4}, []int64{9, 9})
	if err != nil {
		t.Fatal(err)
	}
	// Shares of 0.5/10 and 4.5/10.
	near(t, "variance", got.Variance, (0.05*0.95/9+0.45*0.55/9)/4, 1e-16)
	near(t, "freedom", got.DF, 9, 0)
	other, err := MeanShareError([]int64{9, 5}, []int64{9, 9})
	if err != nil || math.Abs(other.Variance-got.Variance) > 1e-16 || other.DF != got.DF {
		t.Errorf("the other outcome: %+v, %v; want %+v", other, err, got)
	}
	_, err = MeanShareError(nil, nil)
	wantError(t, "none", err, ErrTooFew)
	_, err = MeanShareError([]int64{1}, []int64{1, 2})
	wantError(t, "lengths", err, ErrMismatch)
	_, err = MeanShareError([]int64{0}, []int64{0})
	wantError(t, "no trial", err, ErrTooFew)
	_, err = MeanShareError([]int64{3}, []int64{2})
	wantError(t, "too many", err, ErrDomain)
}

func FuzzVariances(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0, int64(2), int64(3))
	f.Add(math.NaN(), math.Inf(1), -1.0, 0.0, int64(0), int64(-1))
	f.Add(1e308, 1e308, 1e-300, 1e300, int64(math.MaxInt64), int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, a, b, c, d float64, n, m int64) {
		v, within, units := []VarianceEstimate{{a, b}, {c, d}}, []float64{d, a}, []int{int(n), int(m)}
		before := fmt.Sprint(v, within, units)
		if got, err := ExcessVariance(v, within, units); err == nil && !(got >= 0) && !math.IsNaN(got) {
			t.Errorf("%s: %v", before, got)
		}
		floats, counts := []float64{a, b}, []int64{n, m}
		all := fmt.Sprint(floats, counts)
		WeightedMeanError(floats, counts, []float64{c, d})
		MeanShareError(counts, []int64{m, n})
		if fmt.Sprint(v, within, units) != before || fmt.Sprint(floats, counts) != all {
			t.Error("an input was modified")
		}
		VariancePrior{a, b}.ModerateRelative(VarianceEstimate{c, d}, VarianceEstimate{b, a}.Plus(VarianceEstimate{c, d})).SE()
	})
}
