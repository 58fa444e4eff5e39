package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSidedErrors(t *testing.T) {
	// t with 4 degrees of freedom at 95 % is 2.776445 (any table of t).
	e := Interval{Lo: 10 - 2.776445105, Hi: 10 + 2*2.776445105, Level: 0.95}.Errors(10, 4)
	near(t, "below", e.Lo, 1, 1e-9)
	near(t, "above", e.Hi, 2, 1e-9)
	if e.DF != 4 || e.Max() != e.Hi {
		t.Errorf("%+v", e)
	}
	r := rand.New(rand.NewPCG(8, 1))
	for range 200 {
		value, level, df := r.NormFloat64(), 0.5+r.Float64()/2, 1+r.ExpFloat64()*10
		want := SidedError{Lo: r.ExpFloat64(), Hi: r.ExpFloat64(), DF: df}
		iv, err := want.Interval(value, level)
		if err != nil {
			t.Fatal(err)
		}
		got := iv.Errors(value, df)
		near(t, "back, below", got.Lo, want.Lo, 1e-12*(1+math.Abs(value)))
		near(t, "back, above", got.Hi, want.Hi, 1e-12*(1+math.Abs(value)))
		// The test agrees with the interval at both limits.
		near(t, "P at the lower limit", want.Test(value, iv.Lo, Greater).P, (1-level)/2, 1e-9)
		near(t, "P at the upper limit", want.Test(value, iv.Hi, Less).P, (1-level)/2, 1e-9)
		near(t, "two-sided P at a limit", want.Test(value, iv.Hi, TwoSided).P, 1-level, 1e-9)
		wide, _ := want.Interval(value, level+(1-level)/2)
		if !(wide.Lo < iv.Lo && iv.Hi < wide.Hi) {
			t.Fatalf("%+v does not lie within %+v of a higher level", iv, wide)
		}
	}
	open := Interval{Lo: math.Inf(-1), Hi: 3, Level: 0.9}.Errors(1, 7)
	if !math.IsInf(open.Lo, 1) || math.IsInf(open.Hi, 0) {
		t.Errorf("unbounded below: %+v", open)
	}
	if p := open.Test(1, -100, Greater).P; p != 1 {
		t.Errorf("nothing bounds it below, P = %v", p)
	}
	for _, e := range []SidedError{{Interval{Lo: 0, Hi: 1}.Errors(0.5, 3).Lo, 1, 1}, {Interval{Lo: 0, Hi: 1, Level: 0.9}.Errors(0.5, 0).Lo, 1, 1}} {
		if !math.IsNaN(e.Lo) {
			t.Errorf("no level or no freedom: %+v", e)
		}
	}
	_, err := SidedError{Lo: -1, Hi: 1, DF: 3}.Interval(0, 0.95)
	wantError(t, "negative", err, ErrDomain)
	_, err = SidedError{Lo: 1, Hi: 1}.Interval(0, 0.95)
	wantError(t, "no freedom", err, ErrDomain)
	_, err = SidedError{Lo: 1, Hi: 1, DF: 3}.Interval(0, 1)
	wantError(t, "level", err, ErrDomain)
	_, err = SidedError{Lo: 1, Hi: 1, DF: 3}.Interval(math.NaN(), 0.9)
	wantError(t, "value", err, ErrDomain)
}

// Errors that are equal below and above are those of Welch, and the mean of
// two is half their sum.
func TestMeanError(t *testing.T) {
	two, err := TwoSample(0, 3, 4, 0, 4, 7, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	m, err := MeanError([]SidedError{{3, 3, 4}, {4, 4, 7}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error", m.Lo, two.SE/2, 1e-14)
	near(t, "freedom", m.DF, two.DF, 1e-12)
	if m.Lo != m.Hi {
		t.Errorf("%+v", m)
	}
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		of   []SidedError
		want SidedError
	}{
		"one":          {[]SidedError{{1, 2, 5}}, SidedError{1, 2, 5}},
		"known":        {[]SidedError{{3, 0, inf}, {4, 0, inf}}, SidedError{2.5, 0, inf}},
		"no error":     {[]SidedError{{0, 0, 3}, {0, 0, 3}}, SidedError{0, 0, inf}},
		"unbounded":    {[]SidedError{{inf, 3, 2}, {1, 4, 2}}, SidedError{inf, 2.5, 2 * 625. / (81 + 256)}},
		"both":         {[]SidedError{{inf, inf, 2}, {1, 4, 2}}, SidedError{inf, inf, inf}},
		"large, equal": {[]SidedError{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}}, SidedError{0.5, 0.5, 8}},
	} {
		got, err := MeanError(c.of)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, pair := range [][2]float64{{got.Lo, c.want.Lo}, {got.Hi, c.want.Hi}, {got.DF, c.want.DF}} {
			if pair[0] != pair[1] && !(math.Abs(pair[0]-pair[1]) < 1e-12*pair[1]) {
				t.Errorf("%s: part %d of %+v, want %+v", name, i, got, c.want)
			}
		}
	}
	_, err = MeanError(nil)
	wantError(t, "none", err, ErrTooFew)
	_, err = MeanError([]SidedError{{1, math.NaN(), 2}})
	wantError(t, "NaN", err, ErrDomain)
	_, err = MeanError([]SidedError{{1, 1, 0}})
	wantError(t, "no freedom", err, ErrDomain)
}

func TestMOVERMean(t *testing.T) {
	iv := []Interval{{Lo: -3, Hi: 6, Level: 0.95}, {Lo: 0, Hi: 12, Level: 0.9}}
	mean, got, err := MOVERMean([]float64{0, 4}, iv)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", mean, 2, 0)
	near(t, "lower", got.Lo, 2-2.5, 1e-15) // √(3² + 4²)/2
	near(t, "upper", got.Hi, 2+5, 1e-15)   // √(6² + 8²)/2
	if got.Level != 0.9 {
		t.Errorf("level %v", got.Level)
	}
	iv[0].Hi = math.Inf(1)
	if _, got, err = MOVERMean([]float64{0, 4}, iv); err != nil || !math.IsInf(got.Hi, 1) || math.IsInf(got.Lo, 0) {
		t.Errorf("unbounded above: %+v, %v", got, err)
	}
	// y − x by MOVERDifference is twice the mean of y and −x.
	d, err := MOVERDifference(10, Interval{Lo: 4, Hi: 13, Level: 0.95}, 20, Interval{Lo: 16, Hi: 32, Level: 0.95}, 0)
	if err != nil {
		t.Fatal(err)
	}
	mean, got, err = MOVERMean([]float64{-10, 20}, []Interval{{Lo: -13, Hi: -4, Level: 0.95}, {Lo: 16, Hi: 32, Level: 0.95}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "half the difference", mean, 5, 0)
	near(t, "its lower limit", got.Lo, d.Lo/2, 1e-14)
	near(t, "its upper limit", got.Hi, d.Hi/2, 1e-14)
	_, _, err = MOVERMean([]float64{1}, nil)
	wantError(t, "lengths", err, ErrMismatch)
	_, _, err = MOVERMean(nil, nil)
	wantError(t, "none", err, ErrTooFew)
	_, _, err = MOVERMean([]float64{9}, []Interval{{Lo: 1, Hi: 2}})
	wantError(t, "outside", err, ErrDomain)
	_, _, err = MOVERMean([]float64{math.Inf(1)}, []Interval{{Lo: 1, Hi: math.Inf(1)}})
	wantError(t, "infinite", err, ErrDomain)
}

func FuzzMeanErrors(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 0.5, 1.5, math.Inf(1))
	f.Add(0.0, 0.0, 1.0, math.Inf(1), 1.0, 2.0)
	f.Add(math.NaN(), -1.0, 0.0, 1e300, 1e-300, 1e-9)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g float64) {
		of := []SidedError{{a, b, c}, {d, e, g}}
		before := slices.Clone(of)
		m, err := MeanError(of)
		if err == nil && (m.Lo < 0 || m.Hi < 0 || math.IsNaN(m.Lo) || math.IsNaN(m.Hi) || !(m.DF >= 0)) {
			t.Errorf("%v: %+v", of, m)
		}
		values, limits := []float64{a, d}, []Interval{{Lo: b, Hi: c, Level: 0.9}, {Lo: e, Hi: g, Level: 0.95}}
		mean, iv, err := MOVERMean(values, limits)
		if err == nil && !(iv.Lo <= mean && mean <= iv.Hi) && !math.IsInf(mean, 0) {
			t.Errorf("%v in %v: %v outside %v", values, limits, mean, iv)
		}
		if fmt.Sprint(of) != fmt.Sprint(before) {
			t.Error("an input was modified")
		}
		Interval{Lo: a, Hi: b, Level: c}.Errors(d, e).Test(g, a, TwoSided)
	})
}

func ExampleInterval_Errors() {
	// A percentile of 200 ms whose limits reach further up than down.
	iv := Interval{Lo: 190, Hi: 230, Level: 0.95}
	e := iv.Errors(200, 19)
	fmt.Printf("%.1f ms below, %.1f ms above\n", e.Lo, e.Hi)
	fmt.Printf("P that it is at least 225 ms: %.3f\n", e.Test(200, 225, Less).P)
	// Output:
	// 4.8 ms below, 14.3 ms above
	// P that it is at least 225 ms: 0.049
}
