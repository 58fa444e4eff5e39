package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestKolmogorovSmirnovAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 60 {
		x, y := tiedSamples(rng, 6, 1)
		largest := func(a, b []float64) float64 {
			r, _ := KolmogorovSmirnov(a, b)
			return r.D
		}
		want, err := PermutationExact(x, y, largest, TwoSided, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		got, err := KolmogorovSmirnov(x, y)
		if err != nil || !got.HasExact || !agrees(got.Exact, want.P, 1e-12) || got.P != got.Exact {
			t.Errorf("%v %v: %+v, %v, want %v", x, y, got, err, want.P)
		}
		back, _ := KolmogorovSmirnov(y, x)
		if back.D != got.D || !agrees(back.P, got.P, 1e-12) {
			t.Errorf("swapped: %+v and %+v", got, back)
		}
	}
	if r, err := KolmogorovSmirnov([]float64{1, 1}, []float64{1}); err != nil || r.D != 0 || r.P != 1 {
		t.Errorf("equal: %+v, %v", r, err)
	}
	if r, err := KolmogorovSmirnov(ramp(5000, 0), ramp(5000, 10)); err != nil || r.HasExact || r.P != r.Asymptotic {
		t.Errorf("large: %+v, %v", r, err)
	}
	if _, err := KolmogorovSmirnov(nil, []float64{1}); !errors.Is(err, ErrTooFew) {
		t.Errorf("empty: %v", err)
	}
	if _, err := KolmogorovSmirnov([]float64{math.NaN()}, []float64{1}); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
}

func TestAndersonDarling(t *testing.T) {
	// For two samples the limit is that of the one-sample statistic, whose upper
	// points are 10 % 1.9330, 5 % 2.4924, 1 % 3.8781 (Marsaglia & Marsaglia 2004).
	for _, tt := range []struct{ x, want float64 }{{1.9330, .10}, {2.4924, .05}, {3.8781, .01}} {
		if got := adSurvival(tt.x, 1); math.Abs(got-tt.want) > 1e-5 {
			t.Errorf("limit: P(A² > %v) = %v, want %v", tt.x, got, tt.want)
		}
	}
	last := 1.0
	for x := 0.05; x < 30; x += 0.37 {
		p := adSurvival(x, 3)
		if p > last+1e-9 || p < 0 {
			t.Errorf("limit at %v is %v after %v", x, p, last)
		}
		last = p
	}
	a, b := []float64{1, 2, 3, 4, 5, 6, 7}, []float64{3, 4, 8, 9, 10}
	one, err := AndersonDarling(a, b)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := AndersonDarling(b, a)
	if !agrees(one.Midrank.Statistic, two.Midrank.Statistic, 1e-12) || !agrees(one.Right.P, two.Right.P, 1e-12) {
		t.Errorf("swapped: %+v and %+v", one, two)
	}
	if r, err := AndersonDarling([]float64{1, 1}, []float64{1, 1}); err != nil || r.Midrank.P != 1 || len(r.Warnings) != 1 {
		t.Errorf("equal: %+v, %v", r, err)
	}
	if r, err := AndersonDarling([]float64{1}, []float64{2}, []float64{3, 4}); err != nil || math.IsNaN(r.Right.P) {
		t.Errorf("tiny: %+v, %v", r, err)
	}
	for _, bad := range [][][]float64{{}, {a}, {a, nil}, {{1}, {2}}} {
		if _, err := AndersonDarling(bad...); !errors.Is(err, ErrTooFew) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := AndersonDarling(a, []float64{math.Inf(1)}); !errors.Is(err, ErrDomain) {
		t.Errorf("infinite: %v", err)
	}
}

func TestShiftFunctionHD(t *testing.T) {
	x, y := ramp(50, 0), ramp(50, 3)
	s, err := ShiftFunctionHD(x, y, []float64{.25, .5}, 0.9)
	if err != nil || len(s) != 2 || !agrees(s[1].Difference.Value, 3, 1e-9) || !s[0].Difference.Interval.Contains(3) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := ShiftFunctionHD(x, y, []float64{1}, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("level 1: %v", err)
	}
	if _, err := ShiftFunctionHD(nil, y, []float64{.5}, 0.9); !errors.Is(err, ErrTooFew) {
		t.Errorf("empty: %v", err)
	}
	if _, err := ShiftFunctionHD(x, []float64{math.NaN()}, []float64{.5}, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
	if one, err := ShiftFunctionHD([]float64{1}, y, []float64{.5}, 0.9); err != nil || !math.IsInf(one[0].Difference.Interval.Hi, 1) {
		t.Errorf("one value: %+v, %v", one, err)
	}
	if !math.IsNaN(WilcoxShiftCritical(1, 9)) {
		t.Error("critical value for one observation")
	}
}

func BenchmarkAndersonDarling(b *testing.B) {
	x, y := ramp(1000, 0), ramp(1000, 20.5)
	for b.Loop() {
		if _, err := AndersonDarling(x, y); err != nil {
			b.Fatal(err)
		}
	}
}
