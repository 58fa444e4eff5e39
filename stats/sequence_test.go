package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// False alarms of quiet nights: exactly alpha for the t prediction, 9.47 % and 3.41 %

// for median ± 3 MAD with windows of 7 and 14.

func TestNightlyFalseAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(21, 22))
	const draws = 20_000
	rate := func(window int, judge func(x []float64) ([]NightPoint, error)) float64 {
		out := 0
		for range draws {
			p, err := judge(normals(rng, window+1))
			if err != nil || len(p) != 1 {
				t.Fatal(p, err)
			}
			if p[0].Out {
				out++
			}
		}
		return float64(out) / draws
	}
	check := func(name string, got, want float64) {
		if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/draws) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	check("t prediction", rate(14, func(x []float64) ([]NightPoint, error) {
		return TPrediction(x, NightlyOptions{Window: 14}, 0.01)
	}), 0.01)
	check("MAD 7", rate(7, func(x []float64) ([]NightPoint, error) {
		return MedianMAD(x, NightlyOptions{Window: 7}, 3)
	}), 0.0947)
	check("MAD 14", rate(14, func(x []float64) ([]NightPoint, error) {
		return MedianMAD(x, NightlyOptions{Window: 14}, 3)
	}), 0.0341)
}

func TestNightlySkipsAlarms(t *testing.T) {
	x := []float64{10, 11, 10, 11, 10, 50, 10.5, 50}
	plain, err := TPrediction(x, NightlyOptions{Window: 5}, 0.01)
	if err != nil || len(plain) != 3 || !plain[0].Out || plain[2].Out {
		t.Errorf("plain: %+v, %v", plain, err)
	}
	skip, _ := TPrediction(x, NightlyOptions{Window: 5, SkipOut: true}, 0.01)
	if !skip[0].Out || skip[1].Out || !skip[2].Out || skip[1].Center != 10.4 {
		t.Errorf("skipping: %+v", skip)
	}
	flat, _ := MedianMAD([]float64{1, 1, 1, 1, 2}, NightlyOptions{Window: 3}, 3)
	if flat[0].Out || !flat[1].Out || flat[1].Spread != 0 {
		t.Errorf("flat: %+v", flat)
	}
	if p, err := TPrediction(x[:5], NightlyOptions{Window: 5}, 0.01); err != nil || len(p) != 0 {
		t.Errorf("too short: %v, %v", p, err)
	}
	if _, err := TPrediction(x, NightlyOptions{Window: 1}, 0.01); !errors.Is(err, ErrTooFew) {
		t.Errorf("window of 1: %v", err)
	}
	if _, err := TPrediction([]float64{math.NaN()}, NightlyOptions{Window: 5}, 0.01); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
	if _, err := MedianMAD(x, NightlyOptions{Window: 5}, 0); !errors.Is(err, ErrDomain) {
		t.Errorf("k of 0: %v", err)
	}
	// One alarm a quarter over 20 metrics: 1/1800, by confirmation its root.
	if a, err := NightlyAlpha(1, 90, 20, false); err != nil || !agrees(a, 1.0/1800, 1e-12) {
		t.Errorf("budget: %v, %v", a, err)
	}
	if a, _ := NightlyAlpha(1, 90, 20, true); !agrees(a*a, 1.0/1800, 1e-12) {
		t.Errorf("confirmed budget: %v", a)
	}
	for _, bad := range []float64{0, -1, 1e9, math.NaN()} {
		if _, err := NightlyAlpha(bad, 90, 20, false); !errors.Is(err, ErrDomain) {
			t.Errorf("budget %v: %v", bad, err)
		}
	}
}

func TestCUSUM(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	x := normals(rng, 60)
	neg := make([]float64, len(x))
	for i, v := range x {
		neg[i] = -v
	}
	a, err := CUSUM(x, 0, 1, 0.5, 3)
	b, _ := CUSUM(neg, 0, 1, 0.5, 3)
	if err != nil || !slices.Equal(a.Up, b.Down) || !slices.Equal(a.Down, b.Up) || a.FirstAlarm != b.FirstAlarm {
		t.Error("negating the sequence must exchange the sides")
	}
	quiet, _ := CUSUM([]float64{0, 0, 0}, 0, 1, 0.5, 3)
	if quiet.FirstAlarm != -1 {
		t.Errorf("quiet sequence alarms at %d", quiet.FirstAlarm)
	}
	if p, err := CUSUM(nil, 0, 1, 0.5, 3); err != nil || len(p.Up) != 0 || p.FirstAlarm != -1 {
		t.Errorf("empty: %+v, %v", p, err)
	}
	far, _ := PageHinkley([]float64{1e12, 1e12, 1e12 + 10, 1e12 + 10}, 1, 5)
	if far.FirstAlarm != 2 {
		t.Errorf("rise at a large offset: %+v", far)
	}
	for _, bad := range [][4]float64{{math.NaN(), 1, .5, 5}, {0, 0, .5, 5}, {0, 1, -1, 5}, {0, 1, .5, 0}} {
		if _, err := CUSUM(x, bad[0], bad[1], bad[2], bad[3]); !errors.Is(err, ErrDomain) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := PageHinkley([]float64{math.Inf(1)}, 1, 5); !errors.Is(err, ErrDomain) {
		t.Errorf("infinite: %v", err)
	}
	if _, err := PageHinkley(x, 1, -5); !errors.Is(err, ErrDomain) {
		t.Errorf("negative threshold: %v", err)
	}
}

func TestCUSUMRunLength(t *testing.T) {
	// Two-sided tables of Montgomery, Introduction to Statistical Quality Control:
	// k = ½, h = 4 and 5, and k = ½, h = 4.77 and k = ¼, h = 8.01 for 370.
	for _, tt := range []struct{ k, h, shift, want, tol float64 }{
		{.5, 4, 1, 8.38, .01}, {.5, 5, 1, 10.4, .02}, {.5, 5, 3, 2.57, .01}, {.5, 4.77, 0, 370, .01}, {.25, 8.01, 0, 370, .01},
	} {
		got, err := CUSUMRunLength(tt.k, tt.h, tt.shift)
		if err != nil || math.Abs(got/tt.want-1) > tt.tol {
			t.Errorf("%+v: %v, %v", tt, got, err)
		}
		mirror, _ := CUSUMRunLength(tt.k, tt.h, -tt.shift)
		if !agrees(got, mirror, 1e-9) {
			t.Errorf("%+v: shift up %v, down %v", tt, got, mirror)
		}
	}
	if _, err := CUSUMRunLength(.5, 50, 0); !errors.Is(err, ErrImpossible) {
		t.Errorf("limit 50: %v", err)
	}
	if l, err := CUSUMRunLength(.5, 50, 8); err != nil || math.Abs(l/(51/7.5)-1) > .1 {
		t.Errorf("limit 50, shift 8: %v, %v", l, err)
	}
	last := 0.0
	for h := 1.0; h < 20; h++ {
		l, err := CUSUMRunLength(.5, h, 0)
		if err != nil || l < 2*last {
			t.Errorf("limit %v: run length %v after %v, %v", h, l, last, err)
		}
		last = l
	}
	for _, bad := range [][3]float64{{-1, 5, 0}, {.5, 51, 0}, {.5, 5, math.NaN()}} {
		if _, err := CUSUMRunLength(bad[0], bad[1], bad[2]); !errors.Is(err, ErrDomain) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// bruteCost is the smallest penalised cost over every division, by recursion.

func TestMixtureBounds(t *testing.T) {
	m, err := NewNormalMixture(100, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{0, 1, 100, 1e6} {
		// At the bound the evidence is exactly 1/alpha.
		if got := m.LogMartingale(m.Bound(v), v); !agrees(got, math.Log(20), 1e-9) {
			t.Errorf("normal mixture at %v: evidence %v", v, math.Exp(got))
		}
	}
	b, err := NewBetaBinomialMixture(0.99, 0.01, 49.5, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []BetaBinomialMixture{b, b.Reflect()} {
		last := 0.0
		for _, v := range []float64{1, 10, 50, 1000} {
			bound := m.Bound(v)
			if got := m.LogMartingale(bound, v); bound < last || !agrees(got, math.Log(20), 1e-6) {
				t.Errorf("beta-binomial at %v: bound %v, evidence %v", v, bound, math.Exp(got))
			}
			last = bound
		}
	}
	if !math.IsNaN(m.Bound(-1)) || !math.IsNaN(b.Bound(math.NaN())) {
		t.Error("bounds of a negative variance")
	}
	if _, err := NewNormalMixture(0, 0.05); !errors.Is(err, ErrDomain) {
		t.Errorf("no variance: %v", err)
	}
	if _, err := NewBetaBinomialMixture(0, 1, 1, 0.05); !errors.Is(err, ErrDomain) {
		t.Errorf("no step: %v", err)
	}
}

// Looking after every value, the sequences for p95 are left by few of the streams.

func TestQuantileSequencesSurvivePeeking(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const q, alpha, streams, length = 0.95, 0.05, 200, 3000
	type limits struct{ lo, hi float64 }
	var stitched, mixed [length + 1]limits
	for n := 1; n <= length; n++ {
		s, err := StitchedQuantile(int64(n), q, alpha)
		if err != nil {
			t.Fatal(err)
		}
		m, err := MixtureQuantile(int64(n), 1000, q, alpha)
		if err != nil {
			t.Fatal(err)
		}
		stitched[n], mixed[n] = limits{s.Lo, s.Hi}, limits{m.Lo, m.Hi}
	}
	rng := rand.New(rand.NewPCG(31, 32))
	var leftStitched, leftMixed int
	for range streams {
		below := 0 // values at or below the true quantile
		var a, b bool
		for n := 1; n <= length; n++ {
			if rng.Float64() <= q {
				below++
			}
			f := float64(below) / float64(n)
			a = a || f < stitched[n].lo || f > stitched[n].hi
			b = b || f < mixed[n].lo || f > mixed[n].hi
		}
		if a {
			leftStitched++
		}
		if b {
			leftMixed++
		}
	}
	// .05 and four standard errors: 10 + 4·3.1 of 200.
	if leftStitched > 22 || leftMixed > 22 {
		t.Errorf("of %d streams %d left the stitched sequence and %d the mixture", streams, leftStitched, leftMixed)
	}
}

func TestQuantileLevelsInterval(t *testing.T) {
	sorted := ramp(10, 0)
	iv := QuantileLevels{Lo: 0.25, Hi: 0.75}.Interval(sorted, 0.95)
	if iv.Lo != 3 || iv.Hi != 8 || iv.Level != 0.95 {
		t.Errorf("%+v", iv)
	}
	iv = QuantileLevels{Lo: -0.1, Hi: 1.1}.Interval(sorted, 0.95)
	if !math.IsInf(iv.Lo, -1) || !math.IsInf(iv.Hi, 1) {
		t.Errorf("no bounds: %+v", iv)
	}
	if iv := (QuantileLevels{Lo: .1, Hi: .9}).Interval(nil, 0.95); !math.IsInf(iv.Lo, -1) {
		t.Errorf("no values: %+v", iv)
	}
	if _, err := StitchedQuantile(0, .5, .05); !errors.Is(err, ErrTooFew) {
		t.Errorf("no values: %v", err)
	}
	if _, err := StitchedQuantile(10, 1, .05); !errors.Is(err, ErrDomain) {
		t.Errorf("level 1: %v", err)
	}
	if _, err := MixtureQuantile(10, 0, .5, .05); !errors.Is(err, ErrTooFew) {
		t.Errorf("tuned to nothing: %v", err)
	}
}

// Two looks of O'Brien and Fleming at one-sided .05: .0088 and .0467. Pocock's

// constants for two-sided .05: 2.178 for two looks, 2.413 for five (Jennison &

// Turnbull 2000, table 2.1); one-sided .025 agrees with them to three digits.

func TestPlannedLooks(t *testing.T) {
	l, err := PlannedLooks(2, 0.05, OBrienFleming)
	if err != nil || math.Abs(l[0].Alpha-.0088) > 6e-5 || math.Abs(l[1].Alpha-.0467) > 6e-5 || !agrees(l[1].Spent, 0.05, 1e-9) {
		t.Errorf("%+v, %v", l, err)
	}
	for looks, want := range map[int]float64{2: 2.178, 5: 2.413} {
		p, err := PlannedLooks(looks, 0.025, Pocock)
		if err != nil || math.Abs(p[0].Z-want) > 1e-3 || p[0].Z != p[looks-1].Z {
			t.Errorf("%d looks: %+v, %v", looks, p, err)
		}
	}
	one, _ := PlannedLooks(1, 0.05, Pocock)
	if !agrees(one[0].Alpha, 0.05, 1e-12) {
		t.Errorf("one look: %+v", one)
	}
	many, err := PlannedLooks(20, 0.01, OBrienFleming)
	if err != nil || !agrees(many[19].Spent, 0.01, 1e-8) {
		t.Errorf("twenty looks: %+v, %v", many[19], err)
	}
	for k := 1; k < len(many); k++ {
		if many[k].Spent < many[k-1].Spent || many[k].Z > many[k-1].Z {
			t.Errorf("look %d: %+v after %+v", k, many[k], many[k-1])
		}
	}
	for _, bad := range []struct {
		looks int
		alpha float64
		shape LookShape
	}{{0, .05, Pocock}, {51, .05, Pocock}, {2, .5, Pocock}, {2, .05, 7}} {
		if _, err := PlannedLooks(bad.looks, bad.alpha, bad.shape); !errors.Is(err, ErrDomain) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
