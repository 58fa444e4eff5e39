package stats

import (
	"math"
	"slices"
	"testing"
)

func TestRunRatioLaws(t *testing.T) {
	for seed := range uint64(30) {
		x, y := lognormal(seed, 3+int(seed)%6, 4, 0.1), lognormal(seed+77, 5, 4.1, 0.2)
		r, err := RunRatio(x, y, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "ratio", r.Ratio.Value, math.Exp(r.Log.Value), 0)
		near(t, "SE", r.Ratio.SE, r.Ratio.Value*r.Log.SE, 0)
		s, _ := RunRatio(y, x, 0.95)
		near(t, "swapped ratio", s.Ratio.Value, 1/r.Ratio.Value, 1e-12)
		near(t, "swapped limit", s.Ratio.Interval.Lo, 1/r.Ratio.Interval.Hi, 1e-12)
		// Seconds or milliseconds, the ratio is the same.
		scaled := make([]float64, len(x))
		for i, v := range x {
			scaled[i] = v * 1000
		}
		y2 := slices.Clone(y)
		for i := range y2 {
			y2[i] *= 1000
		}
		u, _ := RunRatio(scaled, y2, 0.95)
		near(t, "ratio in another unit", u.Ratio.Interval.Hi, r.Ratio.Interval.Hi, 1e-12)
		less, _ := r.Test(1.05, Less)
		greater, _ := r.Test(1.05, Greater)
		within(t, "one-sided p", less.P+greater.P, 1, 1e-12)
		limit, _ := r.Test(r.Ratio.Interval.Hi, TwoSided)
		within(t, "p at the limit", limit.P, 0.05, 1e-9)
	}
}

func TestRunRatioErrors(t *testing.T) {
	ok := []float64{1, 2, 3}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := RunRatio(ok, []float64{1, bad}, 0.95)
		wantError(t, "summary", err, ErrDomain)
	}
	_, err := RunRatio(ok, []float64{1}, 0.95)
	wantError(t, "one run", err, ErrTooFew)
	_, err = PairedRunRatio(ok, []float64{1, 2}, 0.95)
	wantError(t, "blocks", err, ErrMismatch)
	_, err = PairedRunRatio([]float64{1}, []float64{1}, 0.95)
	wantError(t, "one block", err, ErrTooFew)
	r, _ := RunRatio(ok, ok, 0.95)
	for _, null := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := r.Test(null, Less)
		wantError(t, "null ratio", err, ErrDomain)
	}
}

func TestRunRatioPooledWithOneRun(t *testing.T) {
	x := []float64{100, 104, 98, 101, 99}
	r, err := RunRatioPooled(x, []float64{120}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	lx, _ := logs("x", x)
	_, v, _ := MeanVariance(lx)
	// The prediction interval: s √(1 + 1/K), K−1 degrees of freedom.
	near(t, "SE", r.Log.SE, math.Sqrt(v*(1+1.0/5)), 1e-12)
	near(t, "df", r.Log.DF, 4, 0)
	_, err = RunRatioPooled([]float64{1}, []float64{2}, 0.95)
	wantError(t, "one run against one", err, ErrTooFew)
	_, err = RunRatioPooled(nil, x, 0.95)
	wantError(t, "no run", err, ErrTooFew)
}

func TestRunRatioConstant(t *testing.T) {
	r, err := RunRatio([]float64{100, 100}, []float64{101, 101}, 0.95)
	if err != nil || len(r.Log.Warnings) != 1 || r.Ratio.Interval.Lo != r.Ratio.Interval.Hi {
		t.Errorf("constant runs: %+v, %v", r, err)
	}
	near(t, "ratio", r.Ratio.Value, 1.01, 1e-14)
	p, err := PairedRunRatio([]float64{100, 200}, []float64{100, 200}, 0.95)
	if err != nil || p.Ratio.Value != 1 || len(p.Log.Warnings) != 1 {
		t.Errorf("equal blocks: %+v, %v", p, err)
	}
}

func TestPairedRemovesWhatBlocksShare(t *testing.T) {
	x, y := []float64{10, 20, 40, 80}, []float64{11, 22.5, 43, 90}
	paired, err := PairedRunRatio(x, y, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	unpaired, _ := RunRatio(x, y, 0.95)
	near(t, "same estimate", paired.Ratio.Value, unpaired.Ratio.Value, 1e-12)
	if paired.Log.SE > unpaired.Log.SE/10 || paired.Log.DF != 3 {
		t.Errorf("paired %+v, unpaired %+v", paired.Log, unpaired.Log)
	}
}

func TestPooled(t *testing.T) {
	// R: t.test(c(4.5, 5.1, 5.6, 4.9), c(5.9, 6.3, 5.2), var.equal=TRUE); by hand:
	// means 5.025 and 5.8, sums of squares 0.6275 and 0.62, s² = 1.2475/5.
	e, err := Pooled([]float64{4.5, 5.1, 5.6, 4.9}, []float64{5.9, 6.3, 5.2}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "difference", e.Value, 0.775, 1e-12)
	within(t, "SE", e.SE, math.Sqrt(1.2475/5*(1.0/4+1.0/3)), 1e-12)
	if e.DF != 5 || e.N != 7 {
		t.Errorf("%+v", e)
	}
	_, err = Pooled([]float64{1, math.NaN()}, []float64{1, 2}, 0.95)
	wantError(t, "NaN", err, ErrDomain)
	_, err = Pooled([]float64{1, 2}, []float64{1, 2}, 1)
	wantError(t, "level", err, ErrDomain)
	c, err := Pooled([]float64{2, 2}, []float64{5}, 0.95)
	if err != nil || c.SE != 0 || c.Interval.Lo != 3 || len(c.Warnings) != 1 {
		t.Errorf("constant: %+v, %v", c, err)
	}
}

func TestJackknife(t *testing.T) {
	// The jackknife error of a mean is the textbook one.
	x := lognormal(4, 11, 0, 1)
	m, v, _ := MeanVariance(x)
	loo := make([]float64, len(x))
	for i, xi := range x {
		loo[i] = (m*11 - xi) / 10
	}
	mean, se, err := Jackknife(loo)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", mean, m, 1e-12)
	near(t, "SE", se, math.Sqrt(v/11), 1e-10)
	if _, se, err := Jackknife([]float64{2, 2, 2}); se != 0 || err != nil {
		t.Errorf("constant: %v, %v", se, err)
	}
	_, _, err = Jackknife([]float64{1})
	wantError(t, "one value", err, ErrTooFew)
	_, _, err = Jackknife([]float64{1, math.NaN()})
	wantError(t, "NaN", err, ErrDomain)
}

func TestJackknifeDifference(t *testing.T) {
	// Hand-worked: y − x of the leave-one-out values is 1, 2, 3, whose variance is 1.
	e, err := JackknifeDifference(10, []float64{5, 6, 7}, 12, []float64{6, 8, 10}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "SE", e.SE, 2/math.Sqrt(3), 1e-12)
	near(t, "upper", e.Interval.Hi, 2+4.302652729911275*2/math.Sqrt(3), 1e-9)
	if e.Value != 2 || e.DF != 2 || e.N != 3 || e.Method != MethodJackknifePaired {
		t.Errorf("%+v", e)
	}
	back, err := JackknifeDifference(12, []float64{6, 8, 10}, 10, []float64{5, 6, 7}, 0.95)
	if err != nil || back.Value != -2 || back.Interval.Lo != -e.Interval.Hi {
		t.Errorf("swapped: %+v, %v", back, err)
	}
	// What a unit does to both cancels.
	c, err := JackknifeDifference(1, []float64{1, 9, 4}, 3, []float64{3, 11, 6}, 0.95)
	if err != nil || c.SE != 0 || c.DF != 2 || c.Interval.Lo != 2 || len(c.Warnings) != 1 {
		t.Errorf("no variance: %+v, %v", c, err)
	}
	for name, f := range map[string]func() error{
		"one unit": func() error {
			_, err := JackknifeDifference(1, []float64{1}, 1, []float64{1}, 0.95)
			return err
		},
		"unlike numbers": func() error {
			_, err := JackknifeDifference(1, []float64{1, 2}, 1, []float64{1}, 0.95)
			return err
		},
		"NaN": func() error {
			_, err := JackknifeDifference(1, []float64{1, 2}, 1, []float64{1, math.NaN()}, 0.95)
			return err
		},
		"infinite": func() error {
			_, err := JackknifeDifference(math.Inf(1), []float64{1, 2}, 1, []float64{1, 2}, 0.95)
			return err
		},
		"level": func() error {
			_, err := JackknifeDifference(1, []float64{1, 2}, 1, []float64{1, 2}, 0)
			return err
		},
	} {
		want := map[string]error{"one unit": ErrTooFew, "unlike numbers": ErrMismatch}[name]
		if want == nil {
			want = ErrDomain
		}
		wantError(t, name, f(), want)
	}
}

func TestTwoSample(t *testing.T) {
	e, err := TwoSample(1, 3, 4, 2, 4, math.Inf(1), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "difference", e.Value, 1, 0)
	within(t, "SE", e.SE, 5, 1e-12)
	within(t, "df", e.DF, 625.0*4/81, 1e-9)
	known, _ := TwoSample(1, 3, math.Inf(1), 2, 4, math.Inf(1), 0.95)
	if !math.IsInf(known.DF, 1) {
		t.Errorf("df %v, want +Inf", known.DF)
	}
	near(t, "normal limit", known.Interval.Hi, 1+5*1.959963984540054, 1e-12)
	// One side without error: the other's degrees of freedom.
	one, _ := TwoSample(1, 0, 3, 2, 4, 7, 0.95)
	within(t, "df", one.DF, 7, 1e-12)
	tiny, err := TwoSample(0, 1e-200, 3, 0, 1e-200, 3, 0.95)
	if err != nil || math.Abs(tiny.DF-6) > 1e-9 {
		t.Errorf("tiny errors: %+v, %v", tiny, err)
	}
	zero, err := TwoSample(1, 0, 3, 2, 0, 3, 0.95)
	if err != nil || zero.Interval.Lo != 1 || zero.Interval.Hi != 1 || len(zero.Warnings) != 1 {
		t.Errorf("no error on either side: %+v, %v", zero, err)
	}
	for _, c := range [][6]float64{
		{math.NaN(), 1, 1, 0, 1, 1}, {0, -1, 1, 0, 1, 1}, {0, 1, 0, 0, 1, 1},
		{0, 1, 1, math.Inf(1), 1, 1}, {0, 1, 1, 0, math.NaN(), 1}, {0, 1, 1, 0, 1, math.NaN()},
	} {
		_, err := TwoSample(c[0], c[1], c[2], c[3], c[4], c[5], 0.95)
		wantError(t, "arguments", err, ErrDomain)
	}
	_, err = TwoSample(0, 1, 1, 0, 1, 1, 0)
	wantError(t, "level", err, ErrDomain)
}
