package stats

import (
	"math"
	"testing"
)

func TestStandardErrorPlusKnown(t *testing.T) {
	e := StandardError{SE: 3, DF: 4}
	if got := e.PlusKnown(0); got != e {
		t.Errorf("nothing known: %+v", got)
	}
	// se² = 9 + 16; df = 4/(9/25)².
	got := e.PlusKnown(4)
	near(t, "SE", got.SE, 5, 1e-15)
	near(t, "DF", got.DF, 4/(0.36*0.36), 1e-14)
	if got := (StandardError{DF: 4}).PlusKnown(2); got.SE != 2 || !math.IsInf(got.DF, 1) {
		t.Errorf("only a known part: %+v", got)
	}
	if got := (StandardError{SE: 1e-200, DF: 3}).PlusKnown(1); got.SE != 1 || !math.IsInf(got.DF, 1) {
		t.Errorf("an estimated part that rounds away: %+v", got)
	}
	log := StandardError{SE: 2, DF: 7}.OfLog(50)
	if log.SE != 0.04 || log.DF != 7 {
		t.Errorf("log: %+v", log)
	}
	// It is TwoSample with a known error on the other side.
	two, err := TwoSample(0, 3, 4, 10, 4, math.Inf(1), 0.9)
	if err != nil {
		t.Fatal(err)
	}
	iv, err := e.PlusKnown(4).Interval(10, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lower", iv.Lo, two.Interval.Lo, 1e-13)
	near(t, "upper", iv.Hi, two.Interval.Hi, 1e-13)
}

func TestStandardErrorEstimate(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5}
	want, err := MeanT(x, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	got, err := StandardError{SE: want.SE, DF: want.DF}.Estimate(want.Value, 0.95)
	if err != nil || got.Interval != want.Interval || got.Method != MethodStudent {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	flat, err := StandardError{DF: 3}.Estimate(2, 0.95)
	if err != nil || flat.Interval.Width() != 0 || len(flat.Warnings) != 1 {
		t.Errorf("no error at all: %+v, %v", flat, err)
	}
	for name, e := range map[string]StandardError{
		"negative": {SE: -1, DF: 1}, "infinite": {SE: math.Inf(1), DF: 1}, "NaN": {SE: math.NaN(), DF: 1}, "no DF": {SE: 1}, "NaN DF": {SE: 1, DF: math.NaN()},
	} {
		_, err := e.Interval(0, 0.95)
		wantError(t, name, err, ErrDomain)
	}
	_, err = StandardError{SE: 1, DF: 1}.Interval(math.Inf(1), 0.95)
	wantError(t, "infinite value", err, ErrDomain)
	_, err = StandardError{SE: 1, DF: 1}.Interval(0, 1)
	wantError(t, "level", err, ErrDomain)
}

func TestTwoSampleShared(t *testing.T) {
	// One value against several: the same as Pooled.
	x, y := []float64{7.5}, []float64{3, 1, 4, 1, 5}
	want, err := Pooled(x, y, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	my, vy, _ := MeanVariance(y)
	got, err := TwoSampleShared(7.5, 1, my, 5, StandardError{SE: math.Sqrt(vy), DF: 4}, 0.9)
	if err != nil || got.N != 6 || got.DF != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	near(t, "value", got.Value, want.Value, 1e-14)
	near(t, "lower", got.Interval.Lo, want.Interval.Lo, 1e-13)
	near(t, "upper", got.Interval.Hi, want.Interval.Hi, 1e-13)
	swapped, err := TwoSampleShared(my, 5, 7.5, 1, StandardError{SE: math.Sqrt(vy), DF: 4}, 0.9)
	if err != nil || swapped.Value != -got.Value || swapped.Interval.Lo != -got.Interval.Hi {
		t.Errorf("swapped: %+v, %v", swapped, err)
	}
	_, err = TwoSampleShared(1, 0, 2, 3, StandardError{SE: 1, DF: 2}, 0.9)
	wantError(t, "no units", err, ErrTooFew)
	_, err = TwoSampleShared(1, 1, math.NaN(), 3, StandardError{SE: 1, DF: 2}, 0.9)
	wantError(t, "NaN", err, ErrDomain)
	_, err = TwoSampleShared(1, 1, 2, 3, StandardError{SE: 1}, 0.9)
	wantError(t, "no degrees of freedom", err, ErrDomain)
}

func TestInterval(t *testing.T) {
	iv := Interval{Lo: 1, Hi: math.E, Level: 0.9}
	if got := iv.Log(); got != (Interval{Lo: 0, Hi: 1, Level: 0.9}) {
		t.Errorf("log: %+v", got)
	}
	if got := (Interval{Lo: -1, Hi: math.Inf(1), Level: 0.9}).Log(); !math.IsInf(got.Lo, -1) || !math.IsInf(got.Hi, 1) {
		t.Errorf("log without bounds: %+v", got)
	}
	if got := Unbounded(0.9).Exp(); got.Lo != 0 || !math.IsInf(got.Hi, 1) {
		t.Errorf("exp: %+v", got)
	}
	if got := iv.Widen(1); got.Lo != 0 || got.Hi != math.E+1 || got.Level != 0.9 {
		t.Errorf("widened: %+v", got)
	}
	if got := (Interval{Lo: 7, Hi: 22, Level: 0.9}).PlusKnown(10, 4); got.Lo != 5 || math.Abs(got.Hi-10-math.Hypot(12, 4)) > 1e-14 {
		t.Errorf("known error: %+v", got)
	}
	if !iv.Contains(1) || iv.Contains(0.999) || iv.Width() != iv.Hi-iv.Lo {
		t.Error("limits belong to the interval")
	}
}

// The variance of the mean of a long autoregressive series is that of as many
// independent values times 1 + 2·Σ φ^k.
func TestAutocorrelated(t *testing.T) {
	for _, phi := range []float64{-0.7, -0.1, 0, 0.22, 0.9} {
		factor, power := 1.0, 1.0
		for range 2000 {
			power *= phi
			factor += 2 * power
		}
		got := StandardError{SE: 3, DF: 7}.Autocorrelated(phi)
		if v := got.Variance(); math.Abs(v.Variance-9*factor) > 1e-12*9*factor || v.DF != 7 {
			t.Errorf("phi %v: %+v, want the variance %v", phi, v, 9*factor)
		}
	}
	for _, phi := range []float64{-1, 1, math.NaN()} {
		if got := (StandardError{SE: 3, DF: 7}).Autocorrelated(phi); !math.IsNaN(got.SE) {
			t.Errorf("phi %v: %+v", phi, got)
		}
	}
}
