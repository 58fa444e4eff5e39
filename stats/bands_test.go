package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Critical values by scipy 1.17, kstwo.isf; by hand for one observation, where D is
// uniform on [½, 1].
func TestKSCritical(t *testing.T) {
	for _, tt := range []struct {
		n           int
		level, want float64
		tol         float64
	}{
		{1, .8, .9, 1e-12},
		{1, .999, .9995, 1e-12},
		{2, .95, .841886116991581, 1e-12},
		{10, .8, .32256790169857125, 1e-11},
		{10, .999, .5804173076502117, 1e-11},
		{1000, .8, .03375653534582669, 5e-8}, // scipy approximates here
		{1000, .95, .042776500461245, 5e-8},
		{1001, .8, .03373975305778524, 2e-6},
		{1001, .95, .04275521513434262, 1e-6},
		{2000, .999, .043501554658541254, 1e-7},
		{100000, .8, .0033906639724908603, 1e-7},
		{1000000, .95, .0013579318555276864, 1e-7},
	} {
		got, err := KSCritical(tt.n, tt.level)
		if err != nil || math.Abs(got/tt.want-1) > tt.tol {
			t.Errorf("n=%d level=%v: %v, %v, want %v (off by %.2g)", tt.n, tt.level, got, err, tt.want, got/tt.want-1)
		}
		if eps, _ := DKW(tt.n, tt.level); got > eps {
			t.Errorf("n=%d level=%v: %v exceeds Massart's bound %v", tt.n, tt.level, got, eps)
		}
	}
}

func TestKolmogorov(t *testing.T) {
	// scipy.special.kolmogorov
	for _, tt := range []struct{ x, want float64 }{{0.5, 0.9639452436648751}, {1, 0.2699996716773546}, {1.3580986, 0.05}, {3, 3.045995948942526e-8}} {
		if got := KolmogorovSurvival(tt.x); math.Abs(got/tt.want-1) > 1e-6 {
			t.Errorf("P(K > %v) = %v, want %v", tt.x, got, tt.want)
		}
	}
	if KolmogorovSurvival(0) != 1 || KolmogorovSurvival(math.Inf(1)) != 0 || !math.IsNaN(KolmogorovSurvival(math.NaN())) {
		t.Error("special cases of KolmogorovSurvival")
	}
	for _, level := range []float64{1e-6, .1, .5, .95, .9999999} {
		if q := KolmogorovQuantile(level); !agrees(KolmogorovSurvival(q), 1-level, 1e-12) {
			t.Errorf("level %v: quantile %v has survival %v", level, q, KolmogorovSurvival(q))
		}
	}
	if !math.IsNaN(KolmogorovQuantile(1)) {
		t.Error("quantile at level 1")
	}
}

func TestEqualLocalLevels(t *testing.T) {
	one, err := EqualLocalLevels(1, 0.95)
	if err != nil || !agrees(one.Lo[0], 0.025, 1e-12) || !agrees(one.Hi[0], 0.975, 1e-12) {
		t.Errorf("one observation: %+v, %v", one, err)
	}
	for _, n := range []int{2, 30, 300} {
		b, err := EqualLocalLevels(n, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		if got := stayInside(b.Lo, b.Hi); !agrees(got, 0.9, 1e-8) {
			t.Errorf("n=%d: simultaneous level %v", n, got)
		}
		wider, _ := EqualLocalLevels(n, 0.99)
		for i := range b.Lo {
			if !(wider.Lo[i] < b.Lo[i] && b.Hi[i] < wider.Hi[i] && b.Lo[i] < b.Hi[i]) {
				t.Errorf("n=%d, order statistic %d: %v to %v, at .99 %v to %v", n, i+1, b.Lo[i], b.Hi[i], wider.Lo[i], wider.Hi[i])
			}
			if !agrees(b.Lo[i], 1-b.Hi[n-1-i], 1e-12) {
				t.Errorf("n=%d: the band is not symmetric at %d", n, i+1)
			}
		}
	}
	for _, bad := range []int{0, -1} {
		if _, err := EqualLocalLevels(bad, 0.9); !errors.Is(err, ErrTooFew) {
			t.Errorf("n=%d: %v", bad, err)
		}
	}
	if _, err := EqualLocalLevels(1_000_000, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("a million: %v", err)
	}
}

// The chance of no crossing against counting by simulation.
func TestStayInside(t *testing.T) {
	lo := []float64{0, 0.1, 0.1, 0.4, 0.6}
	hi := []float64{0.4, 0.6, 0.7, 0.95, 1}
	want := stayInside(lo, hi)
	rng := rand.New(rand.NewPCG(5, 6))
	const draws = 200_000
	hits := 0
	u := make([]float64, len(lo))
	for range draws {
		for i := range u {
			u[i] = rng.Float64()
		}
		slices.Sort(u)
		inside := true
		for i := range u {
			inside = inside && lo[i] <= u[i] && u[i] <= hi[i]
		}
		if inside {
			hits++
		}
	}
	got := float64(hits) / draws
	if se := math.Sqrt(want * (1 - want) / draws); math.Abs(got-want) > 4*se {
		t.Errorf("computed %v, simulated %v ± %v", want, got, se)
	}
	if p := stayInside([]float64{0.5}, []float64{0.5}); p != 0 {
		t.Errorf("a point: %v", p)
	}
	if p := stayInside([]float64{0, 0}, []float64{1, 1}); !agrees(p, 1, 1e-12) {
		t.Errorf("no limits: %v", p)
	}
	if p := stayInside([]float64{0, .5}, []float64{.5, 1}); !agrees(p, .5, 1e-12) {
		t.Errorf("one on each side: %v", p)
	}
}

func TestECDFBandDKW(t *testing.T) {
	x := []float64{3, 1, 2, 2}
	b, err := ECDFBandDKW(x, 0.9)
	if err != nil || !slices.Equal(b.X, []float64{1, 2, 3}) || !slices.Equal(b.Center, []float64{.25, .75, 1}) {
		t.Errorf("%+v, %v", b, err)
	}
	if b.Lo[0] != 0 || b.Hi[2] != 1 || !slices.Equal(x, []float64{3, 1, 2, 2}) {
		t.Errorf("limits %v %v, argument %v", b.Lo, b.Hi, x)
	}
	if _, err := ECDFBandDKW(nil, 0.9); !errors.Is(err, ErrTooFew) {
		t.Errorf("empty: %v", err)
	}
	if _, err := ECDFBandDKW([]float64{math.NaN()}, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
	if _, err := DKW(10, 1); !errors.Is(err, ErrDomain) {
		t.Errorf("level 1: %v", err)
	}
}

func TestShiftBand(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, y := make([]float64, 200), make([]float64, 150)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for i := range y {
		y[i] = rng.NormFloat64() + 5
	}
	b, err := ShiftBandKS(x, y, 0.95)
	if err != nil || b.Level != 0.95 {
		t.Fatal(err)
	}
	for i := range b.X {
		if !(b.Lo[i] <= b.Center[i] && b.Center[i] <= b.Hi[i]) {
			t.Errorf("at %v: %v not in %v to %v", b.X[i], b.Center[i], b.Lo[i], b.Hi[i])
		}
	}
	if mid := len(b.X) / 2; !(b.Lo[mid] > 3 && b.Hi[mid] < 7) {
		t.Errorf("shift of 5 at the middle: %v to %v", b.Lo[mid], b.Hi[mid])
	}
	if !math.IsInf(b.Lo[0], -1) || !math.IsInf(b.Hi[len(b.X)-1], 1) {
		t.Error("the ends must be unbounded")
	}
	for _, bad := range []float64{-1, math.NaN()} {
		if _, err := ShiftBandAt(x, y, bad); !errors.Is(err, ErrDomain) {
			t.Errorf("critical value %v: %v", bad, err)
		}
	}
	if _, err := ShiftBandKS(nil, y, 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("empty: %v", err)
	}
	if _, err := ShiftBandKS(x, []float64{math.Inf(1)}, 0.95); !errors.Is(err, ErrDomain) {
		t.Errorf("infinite: %v", err)
	}
}

func BenchmarkEqualLocalLevels500(b *testing.B) {
	for b.Loop() {
		if _, err := EqualLocalLevels(500, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKSCritical1000(b *testing.B) {
	for b.Loop() {
		if _, err := KSCritical(1000, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
