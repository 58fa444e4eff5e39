package bootstrap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func meanDifference(x, y []float64) float64 { return meanOf(y) - meanOf(x) }

func TestRandomizationLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Multiples of 1/8: two splits either tie or differ by far more than rounding.
		value := rapid.Map(rapid.OneOf(rapid.IntRange(-800, 800), rapid.IntRange(-3, 3)), func(i int) float64 { return float64(i) / 8 })
		x := rapid.SliceOfN(value, 1, 6).Draw(t, "x")
		y := rapid.SliceOfN(value, 1, 6).Draw(t, "y")
		gx, gy := slices.Clone(x), slices.Clone(y)
		get := func(x, y []float64, shift float64, a stats.Alternative) RandomizationTest {
			r, err := Randomization(x, y, shift, a, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !(r.P >= r.Smallest-1e-12 && r.P <= 1) || !r.Exact || r.Alternative != a {
				t.Fatalf("%+v", r)
			}
			return r
		}
		less, greater, two := get(x, y, 0, stats.Less), get(x, y, 0, stats.Greater), get(x, y, 0, stats.TwoSided)
		if less.P+greater.P < 1-1e-12 {
			t.Fatalf("one-sided p-values %v and %v leave a gap", less.P, greater.P)
		}
		// Swapping the samples negates and swaps the sides.
		if s := get(y, x, 0, stats.Less); !near(s.P, greater.P) || !near(s.Statistic, -greater.Statistic) {
			t.Fatalf("swap: %+v, %+v", s, greater)
		}
		if s := get(y, x, 0, stats.TwoSided); !near(s.P, two.P) {
			t.Fatalf("swap: %+v, %+v", s, two)
		}
		// A power of two as unit changes nothing.
		bx, by := scaled(x, 0.25), scaled(y, 0.25)
		if s := get(bx, by, 0, stats.TwoSided); s.P != two.P || !near(4*s.Statistic, two.Statistic) {
			t.Fatalf("unit: %+v, %+v", s, two)
		}
		// Shifting y and H0 together changes nothing.
		moved := make([]float64, len(y))
		for i := range y {
			moved[i] = y[i] + 0.5
		}
		if s := get(x, moved, 0.5, stats.TwoSided); !near(s.P, two.P) {
			t.Fatalf("shift: %+v, %+v", s, two)
		}
		of, err := RandomizationOf(x, y, meanDifference, stats.TwoSided, Options{})
		if err != nil || !near(of.P, two.P) || of.Splits != two.Splits || !near(of.Statistic, two.Statistic) {
			t.Fatalf("general statistic: %+v, %+v, %v", of, two, err)
		}
		if !slices.Equal(x, gx) || !slices.Equal(y, gy) {
			t.Fatal("argument changed")
		}
	})
}

func scaled(x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = by * v
	}
	return out
}

// Smallest attainable p-values; P01 is the first.
func TestRandomizationSmallest(t *testing.T) {
	for _, c := range []struct {
		nx, ny int
		want   float64
	}{{2, 2, 2.0 / 6}, {3, 3, 0.1}, {4, 4, 2.0 / 70}, {5, 5, 2.0 / 252}, {6, 6, 2.0 / 924}, {5, 4, 1.0 / 126}, {1, 1, 1}, {1, 3, 0.25}} {
		x, y := make([]float64, c.nx), make([]float64, c.ny)
		for i := range x {
			x[i] = float64(i)
		}
		for i := range y {
			y[i] = 100 + float64(i)
		}
		r := must[RandomizationTest](t)(Randomization(x, y, 0, stats.TwoSided, Options{}))
		if !near(r.Smallest, c.want) || !near(r.P, c.want) {
			t.Errorf("%d against %d separated units: P %v, smallest %v, want %v", c.nx, c.ny, r.P, r.Smallest, c.want)
		}
	}
}

func TestRandomizationTies(t *testing.T) {
	// 0.1+0.2 and 0.3 differ by rounding only; with an offset still.
	for _, offset := range []float64{0, 412.1, 1e9} {
		x := []float64{offset + 0.1, offset + 0.2, offset + 0.3}
		r := must[RandomizationTest](t)(Randomization(x, []float64{offset + 0.3, offset + 0.2, offset + 0.1}, 0, stats.TwoSided, Options{}))
		if r.P != 1 {
			t.Errorf("offset %v: equal samples have P %v", offset, r.P)
		}
	}
	c := must[RandomizationTest](t)(Randomization(constant(5, 0.1), constant(5, 0.1), 0, stats.Less, Options{})) // P02
	if c.P != 1 || c.Statistic != 0 {
		t.Errorf("constant data: %+v", c)
	}
}

func TestRandomizationNoninferiority(t *testing.T) {
	x := []float64{10, 11, 12, 13, 14}
	margin := 3.0
	same := must[RandomizationTest](t)(Randomization(x, x, margin, stats.Less, Options{}))
	far := must[RandomizationTest](t)(Randomization(x, scaled(x, 2), margin, stats.Less, Options{}))
	if same.P > 0.05 || far.P < 0.9 || !near(same.Statistic, -3) {
		t.Errorf("no change %+v, doubled %+v", same, far)
	}
}

func TestRandomizationDraws(t *testing.T) {
	x, y := lognormal(1, 14, 0.4), lognormal(2, 13, 0.4)
	y = scaled(y, 1.1)
	opt := Options{Replicates: 20000, Seed: 8}
	a := must[RandomizationTest](t)(Randomization(x, y, 0, stats.TwoSided, opt))
	b := must[RandomizationTest](t)(RandomizationOf(x, y, meanDifference, stats.TwoSided, opt))
	if a.Exact || a.Splits != 20000 || a.P != b.P || a.Method != "randomization_sampled" {
		t.Errorf("%+v, %+v", a, b)
	}
	for _, alt := range []stats.Alternative{stats.Less, stats.Greater} {
		a := must[RandomizationTest](t)(Randomization(x, y, 0, alt, opt))
		b := must[RandomizationTest](t)(RandomizationOf(x, y, meanDifference, alt, opt))
		if a.P != b.P {
			t.Errorf("%v: %v and %v", alt, a.P, b.P)
		}
	}
	// Against the exact test, which visits all splits of smaller samples.
	p := must[pool](t)(newPool(x[:8], y[:8], 0))
	exact := must[RandomizationTest](t)(Randomization(x[:8], y[:8], 0, stats.TwoSided, opt))
	drawn := p.drawn(0, stats.TwoSided, opt, func() func(rng *rand.Rand) bool {
		v := make([]float64, 16)
		return func(rng *rand.Rand) bool {
			copy(v, p.values)
			shuffleFront(v, 8, rng)
			var s float64
			for _, d := range v[:8] {
				s += d
			}
			return p.extreme(s, stats.TwoSided)
		}
	})
	if se := math.Sqrt(exact.P * (1 - exact.P) / 20000); math.Abs(drawn.P-exact.P) > 4.5*se {
		t.Errorf("drawn %v, exact %v", drawn.P, exact.P)
	}
}

func TestRandomizationRefuses(t *testing.T) {
	ok := []float64{1, 2}
	mean := meanDifference
	for _, c := range []struct {
		why   string
		x, y  []float64
		shift float64
		alt   stats.Alternative
		opt   Options
		kind  error
	}{
		{"empty x", nil, ok, 0, stats.Less, Options{}, stats.ErrTooFew},
		{"empty y", ok, nil, 0, stats.Less, Options{}, stats.ErrTooFew},
		{"NaN", ok, []float64{1, math.NaN()}, 0, stats.Less, Options{}, stats.ErrDomain},
		{"Inf shift", ok, ok, math.Inf(1), stats.Less, Options{}, stats.ErrDomain},
		{"alternative", ok, ok, 0, 7, Options{}, stats.ErrDomain},
		{"options", ok, ok, 0, stats.Less, Options{Replicates: -1}, stats.ErrDomain},
		{"overflow", []float64{1e308, 1e308}, []float64{-1e308, -1e308}, 0, stats.Less, Options{}, stats.ErrDomain},
	} {
		_, err := Randomization(c.x, c.y, c.shift, c.alt, c.opt)
		wantError(t, err, c.kind, c.why)
		if c.why != "Inf shift" && c.why != "overflow" {
			_, err = RandomizationOf(c.x, c.y, mean, c.alt, c.opt)
			wantError(t, err, c.kind, c.why)
		}
	}
	_, err := RandomizationOf(ok, ok, func(_, _ []float64) float64 { return math.NaN() }, stats.Less, Options{})
	wantError(t, err, stats.ErrDomain, "NaN statistic")
	long := lognormal(1, 20, 1)
	_, err = RandomizationOf(long, long, func(_, _ []float64) float64 { return math.NaN() }, stats.Less, Options{Replicates: 9})
	wantError(t, err, stats.ErrDomain, "NaN statistic")
}

// A shift just inside the interval is not rejected by either one-sided test at
// (1−level)/2, a shift just outside is.
func TestRandomizationIntervalInverts(t *testing.T) {
	x := []float64{412.1, 418.0, 409.6, 421.3, 415.5}
	y := []float64{424.9, 430.2, 419.8, 417.1}
	const level = 0.9
	e := must[stats.Estimate](t)(RandomizationInterval(x, y, level))
	p := func(shift float64, alt stats.Alternative) float64 {
		return must[RandomizationTest](t)(Randomization(x, y, shift, alt, Options{})).P
	}
	a := (1 - level) / 2
	const step = 1e-6
	if in, out := p(e.Interval.Lo+step, stats.Greater), p(e.Interval.Lo-step, stats.Greater); !(in > a && out <= a) {
		t.Errorf("lower limit %v: P %v inside, %v outside", e.Interval.Lo, in, out)
	}
	if in, out := p(e.Interval.Hi-step, stats.Less), p(e.Interval.Hi+step, stats.Less); !(in > a && out <= a) {
		t.Errorf("upper limit %v: P %v inside, %v outside", e.Interval.Hi, in, out)
	}
	if e.Interval.Level < level || !near(e.Interval.Level, 1-2*math.Floor(a*126)/126) || !e.Interval.Contains(e.Value) {
		t.Errorf("%+v", e)
	}
	swapped := must[stats.Estimate](t)(RandomizationInterval(y, x, level))
	if !near(swapped.Interval.Lo, -e.Interval.Hi) || !near(swapped.Interval.Hi, -e.Interval.Lo) {
		t.Errorf("swap: %v, %v", e.Interval, swapped.Interval)
	}
	wide := must[stats.Estimate](t)(RandomizationInterval(x, y, 0.97))
	if wide.Interval.Lo > e.Interval.Lo || wide.Interval.Hi < e.Interval.Hi {
		t.Error("intervals do not nest")
	}
}

func TestRandomizationIntervalEdges(t *testing.T) {
	e := must[stats.Estimate](t)(RandomizationInterval([]float64{100, 102}, []float64{90, 91}, 0.95)) // P01
	if !math.IsInf(e.Interval.Lo, -1) || !math.IsInf(e.Interval.Hi, 1) || e.Value != -10.5 || !hasWarning(e.Warnings, stats.WarnUnbounded) {
		t.Errorf("%+v", e)
	}
	c := must[stats.Estimate](t)(RandomizationInterval(constant(5, 100), constant(5, 101), 0.9)) // P02
	if c.Interval.Lo != 1 || c.Interval.Hi != 1 {
		t.Errorf("%+v", c)
	}
	_, err := RandomizationInterval(make([]float64, 13), make([]float64, 13), 0.9)
	wantError(t, err, stats.ErrImpossible, "13 + 13")
	_, err = RandomizationInterval(nil, make([]float64, 3), 0.9)
	wantError(t, err, stats.ErrTooFew, "empty")
	_, err = RandomizationInterval([]float64{1}, []float64{2}, 0)
	wantError(t, err, stats.ErrDomain, "level")
}

// Under H0 the exact test rejects at most as often as it says.
func TestRandomizationSize(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const sims = 4000
	hits, missed := 0, 0
	for s := range uint64(sims) {
		z := lognormal(s, 10, 0.5)
		if must[RandomizationTest](t)(Randomization(z[:5], z[5:], 0, stats.TwoSided, Options{})).P <= 0.05 {
			hits++
		}
		e := must[stats.Estimate](t)(RandomizationInterval(z[:5], z[5:], 0.95))
		if !e.Interval.Contains(0) {
			missed++
		}
	}
	// P ≤ 0.05 happens in 12 of 252 splits, 0.0476; four standard errors are .0135.
	if size := float64(hits) / sims; math.Abs(size-12.0/252) > 0.0135 {
		t.Errorf("size %v", size)
	}
	if m := float64(missed) / sims; math.Abs(m-12.0/252) > 0.0135 {
		t.Errorf("the interval misses in %v", m)
	}
}

func FuzzRandomization(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0, 0.5)
	f.Add(1e12, 1e12, 1e12, 1e12, 0.0)
	f.Add(1e308, -1e308, 1e308, 0.0, 1e308)
	f.Fuzz(func(t *testing.T, a, b, c, d, shift float64) {
		r, err := Randomization([]float64{a, b}, []float64{c, d, a}, shift, stats.TwoSided, Options{})
		if err != nil {
			return
		}
		if !(r.P >= 0.1-1e-12 && r.P <= 1) || math.IsNaN(r.Statistic) || r.Splits != 10 {
			t.Fatalf("%+v", r)
		}
	})
}
