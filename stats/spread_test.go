package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestUnitSD(t *testing.T) {
	est, err := TwoSampleShared(1, 3, 2, 5, StandardError{SE: 0.7, DF: 6}, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	got, err := UnitSD(est.SE, 3, 5)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the inverse of TwoSampleShared", got, 0.7, 1e-15)
	x := []float64{3, 1, 4, 1, 5}
	m, _ := MeanT(x, 0.9)
	_, v, _ := MeanVariance(x)
	near(t, "of a mean", StandardError{SE: m.SE, DF: 4}.OfUnit(5).SE, math.Sqrt(v), 1e-15)
	if u := (StandardError{SE: 1, DF: 2}).OfUnit(0); !math.IsNaN(u.SE) {
		t.Errorf("no units: %+v", u)
	}
	_, err = UnitSD(1, 0, 2)
	wantError(t, "no units", err, ErrTooFew)
	_, err = UnitSD(-1, 2, 2)
	wantError(t, "negative", err, ErrDomain)
	_, err = UnitSD(math.NaN(), 2, 2)
	wantError(t, "NaN", err, ErrDomain)
}

func TestSpreadParts(t *testing.T) {
	near(t, "excess", ExcessSD(5, 3), 4, 0)
	near(t, "part as large", ExcessSD(3, 5), 0, 0)
	near(t, "groups of another size", RescaledSD(5, 3, 100, 25), math.Sqrt(16+36), 1e-15)
	near(t, "of the same size", RescaledSD(5, 3, 7, 7), 5, 1e-15)
	near(t, "nothing between", RescaledSD(3, 3, 1, 4), 1.5, 0)
	// RunMeanSD is the same from the parts.
	want, err := RunMeanSD(4, 3*math.Sqrt(100), 25)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "runs of 25 after runs of 100", RescaledSD(5, 3, 100, 25), want, 1e-14)
	for _, v := range []float64{ExcessSD(math.NaN(), 1), ExcessSD(1, math.NaN()), RescaledSD(math.NaN(), 1, 1, 1), RescaledSD(10, 1, -1, 1), RescaledSD(10, 1, 1, -1), RescaledSD(1, 1, 1, 0)} {
		if !math.IsNaN(v) {
			t.Errorf("%v, want NaN", v)
		}
	}
	q, err := QuadraticMean([]float64{3, -4, 0, 5})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "quadratic mean", q, math.Sqrt(12.5), 1e-15)
	_, err = QuadraticMean(nil)
	wantError(t, "no values", err, ErrTooFew)
	_, err = QuadraticMean([]float64{math.Inf(1)})
	wantError(t, "infinite", err, ErrDomain)
	r, err := VarianceRatio([]float64{3, 4}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ratio", r, 5, 0)
	if r, err = VarianceRatio([]float64{1}, []float64{0}); err != nil || !math.IsNaN(r) {
		t.Errorf("nothing to compare with: %v, %v", r, err)
	}
	_, err = VarianceRatio(nil, []float64{math.NaN()})
	wantError(t, "NaN", err, ErrDomain)
	near(t, "share", ShareSE(0.2, 100), 0.04, 1e-17)
	if !math.IsNaN(ShareSE(0.5, 0)) || !math.IsNaN(ShareSE(1.5, 10)) {
		t.Error("a share outside its domain has an error")
	}
}

func TestPlannedSD(t *testing.T) {
	// With 4 degrees of freedom the upper 80 % limit is sd·√(4/χ²(0.2)), χ² being
	// 1.648777 (any table), and t/z is 2.776445/1.959964.
	got, err := PlannedSD(2, 4, 0.8, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "by the limit", got, 2*math.Sqrt(4/1.648777), 1e-5)
	if got, err = PlannedSD(2, 4, 0.5, 0.95); err != nil {
		t.Fatal(err)
	}
	near(t, "by the prediction", got, 2*2.776445/1.959964, 1e-5)
	if got, err = PlannedSD(0, 4, 0.8, 0.95); got != 0 || err != nil {
		t.Errorf("no spread: %v, %v", got, err)
	}
	last := math.Inf(1)
	for df := 1.0; df < 200; df *= 2 {
		v, err := PlannedSD(1, df, 0.8, 0.95)
		if err != nil || !(v < last && v > 1) {
			t.Errorf("%v degrees of freedom: %v after %v, %v", df, v, last, err)
		}
		last = v
	}
	for name, f := range map[string]func() (float64, error){
		"sd":    func() (float64, error) { return PlannedSD(-1, 4, 0.8, 0.95) },
		"df":    func() (float64, error) { return PlannedSD(1, 0, 0.8, 0.95) },
		"upper": func() (float64, error) { return PlannedSD(1, 4, 1, 0.95) },
		"level": func() (float64, error) { return PlannedSD(1, 4, 0.8, 0) },
	} {
		_, err := f()
		wantError(t, name, err, ErrDomain)
	}
}

func TestSkewness(t *testing.T) {
	// 1, 1, 1, 5: mean 2, s² = 4, Σ z³ = (−1 − 1 − 1 + 27)/8 = 3.
	got, err := Skewness([]float64{1, 1, 1, 5})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "by hand", got, 0.75, 1e-15)
	near(t, "Cochran", CochranN(0.75, 25), 14.0625, 0)
	if got, err = Skewness([]float64{4, 4, 4}); got != 0 || err != nil {
		t.Errorf("no variation: %v, %v", got, err)
	}
	_, err = Skewness([]float64{1})
	wantError(t, "one value", err, ErrTooFew)
	_, err = Skewness([]float64{1, math.NaN()})
	wantError(t, "NaN", err, ErrDomain)
	r := rand.New(rand.NewPCG(3, 3))
	x := make([]float64, 40)
	for i := range x {
		x[i] = r.ExpFloat64()
	}
	before := slices.Clone(x)
	base, _ := Skewness(x)
	if fmt.Sprint(x) != fmt.Sprint(before) {
		t.Error("the input was modified")
	}
	mirrored := make([]float64, len(x))
	for i := range x {
		mirrored[i] = 7 - 3*x[len(x)-1-i]
	}
	other, _ := Skewness(mirrored)
	near(t, "mirrored, moved, scaled, reversed", other, -base, 1e-12)
}
