package stats

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// Faults that were reported against other programs. The numbers are those of
// numpy, scipy 1.10.1 and statsmodels 0.13.5.

// columns reads the numeric columns of a file of testdata by their names.
func columns(t *testing.T, name string) map[string][]float64 {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float64{}
	for _, row := range rows[1:] {
		for i, cell := range row[1:] { // the first is the id
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			out[rows[0][i+1]] = append(out[rows[0][i+1]], v)
		}
	}
	return out
}

// P01: one or two values a side gave a spread of NaN and intervals of no width.
func TestCaseP01(t *testing.T) {
	for name, f := range map[string]func() error{
		"Welch":          func() error { _, err := Welch([]float64{100}, []float64{90}, 0.95); return err },
		"RunRatio":       func() error { _, err := RunRatio([]float64{100}, []float64{90}, 0.95); return err },
		"RunRatioPooled": func() error { _, err := RunRatioPooled([]float64{100}, []float64{90}, 0.95); return err },
		"MeanT":          func() error { _, err := MeanT([]float64{100}, 0.95); return err },
		"MeanVariance":   func() error { _, _, err := MeanVariance([]float64{100}); return err },
		"Jackknife":      func() error { _, _, err := Jackknife([]float64{100}); return err },
	} {
		wantError(t, name, f(), ErrTooFew)
	}
	e, err := Welch([]float64{100, 102}, []float64{90, 91}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "difference", e.Value, -10.5, 1e-12)
	within(t, "SE", e.SE, 1.118, 5e-4)
	within(t, "df", e.DF, 1.471, 5e-4)
	within(t, "lower", e.Interval.Lo, -17.42, 5e-3)
	within(t, "upper", e.Interval.Hi, -3.58, 5e-3)
	p, err := PermutationExact([]float64{100, 102}, []float64{90, 91}, meanGap, TwoSided, 100)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "smallest p of 2 + 2", p.P, 2.0/6, 1e-12)
	o, err := OrderStatCI([]float64{100}, 0.5, 0.95)
	if err != nil || !math.IsInf(o.Interval.Lo, -1) || !math.IsInf(o.Interval.Hi, 1) || o.Warnings[0].Code != WarnUnbounded {
		t.Errorf("the median of one value is bounded: %+v, %v", o, err)
	}
}

func meanGap(x, y []float64) float64 { return meanOf(y) - meanOf(x) }

// P04: NaN slipped through every comparison and became a percentile.
func TestCaseP04(t *testing.T) {
	bad := []float64{1, math.NaN(), 3, 2}
	for name, f := range map[string]func() error{
		"Quantile":     func() error { _, err := Quantile(bad, 0.5, HF7); return err },
		"Mean":         func() error { _, err := Mean(bad); return err },
		"OrderStatCI":  func() error { _, err := OrderStatCI(bad, 0.5, 0.9); return err },
		"HarrellDavis": func() error { _, err := HarrellDavis(bad, 0.5, 0.9); return err },
		"Welch":        func() error { _, err := Welch(bad, bad, 0.9); return err },
		"MannWhitney":  func() error { _, err := MannWhitney(bad, bad, TwoSided, true); return err },
		"ChangePoints": func() error { _, err := ChangePoints(bad, 1, 1); return err },
	} {
		wantError(t, name, f(), ErrDomain)
	}
	v, err := Quantile([]float64{1, 3, 2}, 0.5, HF7)
	if v != 2 || err != nil {
		t.Errorf("the usable values: %v, %v", v, err)
	}
}

// P05: a mean of squares less a squared mean loses the variance at a large offset.
func TestCaseP05(t *testing.T) {
	x, y := columns(t, "P05/before.csv")["latency_ns"], columns(t, "P05/after.csv")["latency_ns"]
	_, variance, err := MeanVariance(x)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "variance", variance, 14.0/3, 1e-12)
	e, err := Welch(x, y, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "difference", e.Value, 1, 0)
	within(t, "SE", e.SE, 1.1547, 5e-5)
	within(t, "lower", e.Interval.Lo, -1.516, 5e-4)
	within(t, "upper", e.Interval.Hi, 3.516, 5e-4)
	within(t, "p", WelchTest(e, 0, TwoSided).P, 0.403, 5e-4)
}

// P13: a linear quantile of type 4 gave 5 as the median of 1 … 10.
func TestCaseP13(t *testing.T) {
	for file, want := range map[string][4]float64{
		"P13/before.csv": {5.5, 9.1, 9.55, 9.91},
		"P13/after.csv":  {600, 650.2, 655.6, 659.92},
	} {
		x := columns(t, file)["latency_ms"]
		for i, q := range []float64{0.5, 0.9, 0.95, 0.99} {
			v, err := Quantile(x, q, HF7)
			if err != nil {
				t.Fatal(err)
			}
			near(t, file, v, want[i], 1e-12)
		}
	}
	x := columns(t, "P13/before.csv")["latency_ms"]
	for i, q := range []float64{0.5, 0.9, 0.95, 0.99} {
		if v, _ := Quantile(x, q, HF1); v != [4]float64{5, 9, 10, 10}[i] {
			t.Errorf("nearest rank of %v: %v", q, v)
		}
	}
}

// P27: a solver asked for the impossible returned the end of its bracket.
func TestCaseP27(t *testing.T) {
	x, y := columns(t, "P27/before.csv")["latency_ms"], columns(t, "P27/after.csv")["latency_ms"]
	e, err := Welch(x, y, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "lower", e.Interval.Lo, 4.08, 5e-2)
	within(t, "upper", e.Interval.Hi, 11.92, 5e-2)
	// Slower is worse: count the change so that larger is better.
	if s, err := NTwoMeansNI(5, -8, 10, 0.05, 0.8); !errors.Is(err, ErrImpossible) {
		t.Errorf("beyond the margin: %+v, %v", s, err)
	}
	for alpha, want := range map[float64]int{0.05: 51, 0.025: 64} {
		s, err := NTwoMeansNI(5, 0, 10, alpha, 0.8)
		if err != nil || s.N != want {
			t.Errorf("alpha %v: %+v, %v; want %d", alpha, s, err, want)
		}
	}
}

// P28: of twenty metrics without a change one looked like a regression.
func TestCaseP28(t *testing.T) {
	before, after := columns(t, "P28/before.csv"), columns(t, "P28/after.csv")
	var p []float64
	for m := range 20 {
		name := "m" + strconv.Itoa(m/10) + strconv.Itoa(m%10) + "_ms"
		e, err := Welch(before[name], after[name], 0.95)
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, WelchTest(e, 0, TwoSided).P)
		if m == 9 {
			within(t, "lower of m09", e.Interval.Lo, 0.96, 5e-3)
			within(t, "upper of m09", e.Interval.Hi, 9.46, 5e-3)
			within(t, "p of m09", p[9], 0.0169, 5e-5)
		} else if p[m] < 0.08 {
			t.Errorf("p of %s: %v", name, p[m])
		}
	}
	for name, adjust := range map[string]func([]float64) ([]float64, error){"Holm": Holm, "Benjamini–Hochberg": BH} {
		adj, err := adjust(p)
		if err != nil {
			t.Fatal(err)
		}
		within(t, name, adj[9], 0.337, 1.1e-3)
	}
	chance, err := AnyFalseAlarm(20, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "chance of a false alarm", chance, 0.64, 5e-3)
}

// P34: a rank test without correction for ties, blind to direction, NaN if all tie.
func TestCaseP34(t *testing.T) {
	x, y := columns(t, "P34/before.csv")["latency_ms"], columns(t, "P34/after.csv")["latency_ms"]
	for correct, want := range map[bool]float64{true: 0.1138, false: 0.0917} {
		r, err := MannWhitney(x, y, TwoSided, correct)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "p", r.P, want, 5e-5)
	}
	up, err := MannWhitney(x, y, Greater, true)
	if err != nil {
		t.Fatal(err)
	}
	down, err := MannWhitney(x, y, Less, true)
	if err != nil {
		t.Fatal(err)
	}
	if !(up.P < 0.06 && down.P > 0.9) {
		t.Errorf("one-sided: greater %v, less %v", up.P, down.P)
	}
	flat, err := MannWhitney([]float64{100, 100, 100}, []float64{100, 100, 100}, TwoSided, true)
	if err != nil || flat.P != 1 {
		t.Errorf("all tied: %+v, %v", flat, err)
	}
}

// P02: constant data. 30 values of 100 against 30 of 101, and against themselves.
func TestCaseP02(t *testing.T) {
	x, y := slices.Repeat([]float64{100}, 30), slices.Repeat([]float64{101}, 30)
	for shift, b := range map[float64][]float64{1: y, 0: x} {
		e, err := Welch(x, b, 0.95)
		if err != nil || e.Interval.Lo != shift || e.Interval.Hi != shift || e.Warnings[0].Code != WarnNoVariance {
			t.Errorf("shift %v: %+v, %v", shift, e, err)
		}
		p := WelchTest(e, 0, TwoSided).P
		if !(p > 0) || (shift == 0 && p != 1) || (shift == 1 && p > 1e-10) {
			t.Errorf("shift %v: p %v", shift, p)
		}
	}
}

// P32: at 0 % and 100 % an interval without width is read as certainty.
func TestCaseP32(t *testing.T) {
	one, err := Wilson(10, 10, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "Wilson, lower", one.Interval.Lo, 0.722, 5e-4)
	if one.Interval.Hi != 1 {
		t.Errorf("Wilson, upper: %v", one.Interval.Hi)
	}
	two, err := Newcombe(10, 10, 10, 10, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "Newcombe, lower", two.Interval.Lo, -0.278, 5e-4)
	within(t, "Newcombe, upper", two.Interval.Hi, 0.278, 5e-4)
	for name, f := range map[string]func(x1, n1, x2, n2 int64, level float64) (Estimate, error){"MiettinenNurminen": MiettinenNurminen, "AgrestiCaffo": AgrestiCaffo, "Mee": Mee} {
		for _, x := range []int64{0, 10} {
			e, err := f(x, 10, x, 10, 0.95)
			if err != nil || e.Interval.Lo > -0.05 || e.Interval.Hi < 0.05 {
				t.Errorf("%s of %d of 10 passes a margin of 5 points: %+v, %v", name, x, e, err)
			}
		}
	}
}
