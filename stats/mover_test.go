package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMOVERDifference(t *testing.T) {
	xi, yi := Interval{Lo: 4, Hi: 13, Level: 0.95}, Interval{Lo: 16, Hi: 32, Level: 0.9}
	iv, err := MOVERDifference(10, xi, 20, yi, 0)
	if err != nil || iv.Level != 0.9 {
		t.Fatal(iv, err)
	}
	near(t, "lower", iv.Lo, 10-5, 1e-15) // √(4² + 3²)
	near(t, "upper", iv.Hi, 10+math.Hypot(12, 6), 1e-15)
	wide, err := MOVERDifference(10, xi, 20, yi, 12)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lower with an extra error", wide.Lo, 10-13, 1e-15)
	xi.Hi = math.Inf(1)
	if iv, err = MOVERDifference(10, xi, 20, yi, 0); err != nil || !math.IsInf(iv.Lo, -1) || math.IsInf(iv.Hi, 1) {
		t.Errorf("an unbounded limit: %+v, %v", iv, err)
	}
	for name, f := range map[string]func() error{
		"x outside":      func() error { _, err := MOVERDifference(3, xi, 20, yi, 0); return err },
		"y NaN":          func() error { _, err := MOVERDifference(10, xi, math.NaN(), yi, 0); return err },
		"negative extra": func() error { _, err := MOVERDifference(10, xi, 20, yi, -1); return err },
		"no level":       func() error { _, err := MOVERKnown(10, Interval{Lo: 1, Hi: 20}, 5, 20, yi, 5, 0); return err },
		"no freedom":     func() error { _, err := MOVERKnown(10, xi, 0, 20, yi, 5, 0); return err },
	} {
		wantError(t, name, f(), ErrDomain)
	}
}

// Symmetric t intervals give Welch's standard error, and the known part enters
// as in StandardError.PlusKnown.
func TestMOVERKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		x, y := r.NormFloat64(), r.NormFloat64()
		ex, ey := StandardError{SE: r.ExpFloat64(), DF: math.Inf(1)}, StandardError{SE: r.ExpFloat64(), DF: math.Inf(1)}
		xi, _ := ex.Interval(x, 0.9)
		yi, _ := ey.Interval(y, 0.9)
		known := r.ExpFloat64()
		m, err := MOVERKnown(x, xi, math.Inf(1), y, yi, math.Inf(1), known)
		if err != nil {
			t.Fatal(err)
		}
		se := math.Hypot(math.Hypot(ex.SE, ey.SE), known)
		near(t, "SE below", m.SELo, se, 1e-10)
		near(t, "SE above", m.SEHi, se, 1e-10)
		back, err := MOVERKnown(y, yi, math.Inf(1), x, xi, math.Inf(1), known)
		if err != nil || back.Interval.Lo != -m.Interval.Hi || back.Interval.Hi != -m.Interval.Lo {
			t.Fatalf("swapped: %+v, %v; want the mirror of %+v", back, err, m)
		}
	}
	// Half of the squared half-width is known, so the other half has the freedom.
	side := Interval{Lo: -1, Hi: 1, Level: 0.95}
	z := NormalQuantile(0.975)
	m, err := MOVERKnown(0, side, 10, 0, side, 9, math.Sqrt2/z)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "freedom", m.DF, 19/0.25, 1e-12)
	only, err := MOVERKnown(3, Interval{Lo: 3, Hi: 3, Level: 0.95}, math.Inf(1), 5, Interval{Lo: 5, Hi: 5, Level: 0.95}, math.Inf(1), 2)
	if err != nil || !math.IsInf(only.DF, 1) {
		t.Fatal(only, err)
	}
	near(t, "known alone", only.SEHi, 2, 1e-14)
}
