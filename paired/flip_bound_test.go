package paired

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// Of right-or-wrong answers it is Tango's method; of others it is wider, never
// without width, and agrees with its test.
func TestFlipBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 13))
	for range 100 {
		tab := Table{Both: rng.IntN(30), OnlyX: rng.IntN(9), OnlyY: rng.IntN(9), Neither: 1 + rng.IntN(30)}
		d := slices.Concat(slices.Repeat([]float64{-1}, tab.OnlyX), slices.Repeat([]float64{1}, tab.OnlyY), make([]float64, tab.Both+tab.Neither))
		want, err := TangoScore(tab, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		f, err := NewFlipBound(d, 1, len(d))
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Score(0.95)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "lower", got.Interval.Lo, want.Interval.Lo, 1e-12)
		near(t, "upper", got.Interval.Hi, want.Interval.Hi, 1e-12)
		half := make([]float64, len(d)) // the same on a scale from 0 to 10
		for i := range d {
			half[i] = 10 * d[i]
		}
		f, err = NewFlipBound(half, 10, len(d))
		if err != nil {
			t.Fatal(err)
		}
		if got, err = f.Score(0.95); err != nil {
			t.Fatal(err)
		}
		near(t, "ten times the scale", got.Interval.Lo, 10*want.Interval.Lo, 1e-11)
		p, err := f.Test(10*want.Interval.Lo, stats.Greater)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "P at the lower limit", p.P, 0.025, 1e-6)
	}
	graded := make([]float64, 40)
	graded[7], graded[8] = 0.2, -0.1
	f, err := NewFlipBound(graded, 1, 40)
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Score(0.95)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := stats.MeanT(graded, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !(all.Interval.Lo < plain.Interval.Lo && plain.Interval.Hi < all.Interval.Hi) || all.N != 40 || !math.IsNaN(all.SE) {
		t.Errorf("%+v is no wider than t, %+v", all, plain)
	}
	f, err = NewFlipBound(graded, 1, 8)
	if err != nil {
		t.Fatal(err)
	}
	if few, err := f.Score(0.95); err != nil || !(few.Interval.Width() > all.Interval.Width()) {
		t.Errorf("fewer units: %+v, %v, not wider than %+v", few, err, all)
	}
	if p, err := f.Test(-1, stats.Greater); err != nil || p.P != 0 {
		t.Errorf("a null at the end of the scale: %+v, %v", p, err)
	}
	if p, err := f.Test(1, stats.Greater); err != nil || p.P != 1 {
		t.Errorf("a null at the other end: %+v, %v", p, err)
	}
	for name, c := range map[string]struct{ err, want error }{
		"width":     {second(NewFlipBound(graded, 0, 40)), stats.ErrDomain},
		"units":     {second(NewFlipBound(graded, 1, 41)), stats.ErrDomain},
		"none":      {second(NewFlipBound(nil, 1, 0)), stats.ErrTooFew},
		"too wide":  {second(NewFlipBound([]float64{2}, 1, 1)), stats.ErrDomain},
		"level":     {second(f.Score(2)), stats.ErrDomain},
		"two-sided": {second(f.Test(0, stats.TwoSided)), stats.ErrDomain},
		"null":      {second(f.Test(math.NaN(), stats.Less)), stats.ErrDomain},
		"empty":     {second(FlipBound{}.Score(0.9)), stats.ErrTooFew},
		"no test":   {second(FlipBound{}.Test(0, stats.Less)), stats.ErrTooFew},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

func TestGainOfRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 14))
	var x, y [][]float64
	for range 4000 {
		at := rng.NormFloat64()
		shift := 0.5 * rng.NormFloat64()
		a, b := make([]float64, 4), make([]float64, 4)
		for k := range a {
			a[k], b[k] = at+0.8*rng.NormFloat64(), at+shift+0.6*rng.NormFloat64()
		}
		x, y = append(x, a), append(y, b)
	}
	g, err := GainOfRepeats(nil, x, y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "between, as drawn", g.BetweenSD(), 0.5, 0.05)
	near(t, "within, as drawn", g.WithinSD(), 1, 0.03)
	p, err := PairedRepeats(x, y, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error", g.SE, p.SE, 1e-15)
	near(t, "twice", g.SETwice*g.SETwice, (g.SE*g.SE+g.SELimit*g.SELimit)/2, 1e-12)
	if !(g.SELimit < g.SETwice && g.SETwice < g.SE) || g.PerItem != [2]float64{4, 4} {
		t.Errorf("%+v", g)
	}
	s, err := Repeats(x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "one side, twice", s.SETwice*s.SETwice, (s.SEItems*s.SEItems+s.SELimit*s.SELimit)/2, 1e-12)
	once := make([][]float64, len(x))
	for i := range x {
		once[i] = x[i][:1]
	}
	if g, err := GainOfRepeats(nil, once, y); err != nil || g.OK != [2]bool{false, true} || g.PerItem[0] != 1 {
		t.Errorf("one side with repeats: %+v, %v", g, err)
	}
	// Items that a rule filled in count, and no repeat moves them.
	d := make([]float64, 2*len(x))
	for i := range x {
		d[i] = y[i][0] - x[i][0]
	}
	filled, err := GainOfRepeats(d, x, y)
	if err != nil {
		t.Fatal(err)
	}
	_, variance, err := stats.MeanVariance(d)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error with items filled in", filled.SE*filled.SE, variance/float64(len(d)), 1e-15)
	near(t, "repeats of half the items", filled.Between, variance-1.0/4/2, 0.02)
	for name, c := range map[string]struct{ err, want error }{
		"no repeats": {second(GainOfRepeats(nil, once, once)), stats.ErrTooFew},
		"fewer":      {second(GainOfRepeats(d[1:len(x)], x, y)), stats.ErrMismatch},
		"lengths":    {second(GainOfRepeats(nil, x, y[1:])), stats.ErrMismatch},
		"no score":   {second(GainOfRepeats([]float64{1, 2}, [][]float64{{}, {1, 2}}, [][]float64{{1}, {2}})), stats.ErrTooFew},
		"NaN":        {second(GainOfRepeats([]float64{1, 2}, [][]float64{{1, 2}, {1, 2}}, [][]float64{{math.NaN()}, {2}})), stats.ErrDomain},
		"none":       {second(GainOfRepeats(nil, nil, nil)), stats.ErrTooFew},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

// Fewer pairs cannot show the margin even if none is discordant; as many do.
func TestLeastPairedBinaryNI(t *testing.T) {
	for _, margin := range []float64{.005, .01, .02, .05, .1} {
		for _, alpha := range []float64{.025, .05} {
			n, err := stats.LeastPairedBinaryNI(margin, alpha)
			if err != nil {
				t.Fatal(err)
			}
			for k, passes := range map[int]bool{n - 1: false, n: true} {
				iv, err := TangoScore(Table{Both: k}, 1-2*alpha)
				if err != nil {
					t.Fatal(err)
				}
				if got := iv.Interval.Lo > -margin; got != passes {
					t.Errorf("margin %v, alpha %v: %d items pass: %v", margin, alpha, k, got)
				}
			}
		}
	}
	for name, c := range map[string]struct{ err, want error }{
		"no margin": {second(stats.LeastPairedBinaryNI(0, .05)), stats.ErrDomain},
		"NaN":       {second(stats.LeastPairedBinaryNI(math.NaN(), .05)), stats.ErrDomain},
		"level":     {second(stats.LeastPairedBinaryNI(.1, .5)), stats.ErrDomain},
		"tiny":      {second(stats.LeastPairedBinaryNI(1e-12, .05)), stats.ErrImpossible},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}
