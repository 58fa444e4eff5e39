package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Two samples shifted by two with ties. By hand UX = .5 + 1.5 + 2.5 = 4.5; the

// p-values by scipy.stats.mannwhitneyu(method="asymptotic"). Without the correction

// for ties the two-sided p would be .0946.

func TestMannWhitneyTies(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}
	for _, tt := range []struct {
		alt     Alternative
		correct bool
		want    float64
	}{
		{TwoSided, true, 0.11384629800665805},
		{TwoSided, false, 0.09169028154942915},
		{Greater, true, 0.056923149003329024},
		{Less, true, 0.9634301001705455},
	} {
		r, err := MannWhitney(x, y, tt.alt, tt.correct)
		if err != nil || r.UX != 4.5 || r.UY != 20.5 || !agrees(r.P, tt.want, 1e-12) {
			t.Errorf("%v, correction %v: %+v, %v, want p %v", tt.alt, tt.correct, r, err, tt.want)
		}
	}
}

func TestRankTestsOfTiedAndTinySamples(t *testing.T) {
	same := []float64{2, 2, 2}
	tests := map[string]func(x, y []float64) (RankTest, error){
		"MannWhitney":     func(x, y []float64) (RankTest, error) { return MannWhitney(x, y, TwoSided, true) },
		"PermutationRank": func(x, y []float64) (RankTest, error) { return PermutationRank(x, y, TwoSided) },
		"BrunnerMunzel": func(x, y []float64) (RankTest, error) {
			b, err := BrunnerMunzel(x, y, TwoSided, 0.95)
			return b.RankTest, err
		},
		"BrunnerMunzelPermuted": func(x, y []float64) (RankTest, error) {
			b, err := BrunnerMunzelPermuted(x, y, TwoSided, 0.95, 1000)
			return b.RankTest, err
		},
	}
	for name, test := range tests {
		r, err := test(same, same)
		if err != nil || r.P != 1 || r.CLES != 0.5 || len(r.Warnings) == 0 {
			t.Errorf("%s of equal values: %+v, %v", name, r, err)
		}
		if _, err := test(nil, same); !errors.Is(err, ErrTooFew) {
			t.Errorf("%s of nothing: %v", name, err)
		}
		if _, err := test([]float64{1, math.NaN()}, same); !errors.Is(err, ErrDomain) {
			t.Errorf("%s of NaN: %v", name, err)
		}
		r, err = test([]float64{1, math.Inf(-1)}, []float64{2, math.Inf(1), 1e12})
		if err != nil || !(r.P >= 0 && r.P <= 1) || r.CLES != 1 {
			t.Errorf("%s of infinite values: %+v, %v", name, r, err)
		}
	}
	if r, err := MannWhitney([]float64{1}, []float64{2}, TwoSided, true); err != nil || r.P != 1 {
		t.Errorf("one against one: %+v, %v", r, err)
	}
	if _, err := MannWhitney(same, same, Alternative(4), true); !errors.Is(err, ErrDomain) {
		t.Errorf("unknown alternative: %v", err)
	}
	if _, err := MannWhitneyExact(same, same, TwoSided); !errors.Is(err, ErrDomain) {
		t.Errorf("exact with ties: %v", err)
	}
	if _, err := MannWhitneyExact(ramp(200, 0), ramp(200, .5), TwoSided); !errors.Is(err, ErrDomain) {
		t.Errorf("exact of 40,000 pairs: %v", err)
	}
	if _, err := PermutationRank(ramp(300, 0), ramp(300, .5), TwoSided); !errors.Is(err, ErrDomain) {
		t.Errorf("permutation of 600 values: %v", err)
	}
}

// ramp returns n whole numbers from 1, each plus add.

func ramp(n int, add float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i+1) + add
	}
	return x
}

// tiedSamples draws two small samples on a grid, so that ties are common.

func tiedSamples(rng *rand.Rand, most int, grid float64) (x, y []float64) {
	draw := func() []float64 {
		s := make([]float64, 2+rng.IntN(most-1))
		for i := range s {
			s[i] = math.Round(rng.NormFloat64()*2*grid) / grid
		}
		return s
	}
	return draw(), draw()
}

func TestRankLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	flip := map[Alternative]Alternative{TwoSided: TwoSided, Less: Greater, Greater: Less}
	for range 200 {
		x, y := tiedSamples(rng, 7, 1)
		gx, gy := slices.Clone(x), slices.Clone(y)
		for _, alt := range []Alternative{TwoSided, Less, Greater} {
			for name, test := range map[string]func(x, y []float64, alt Alternative) (RankTest, error){
				"MannWhitney":     func(x, y []float64, a Alternative) (RankTest, error) { return MannWhitney(x, y, a, true) },
				"PermutationRank": PermutationRank,
				"BrunnerMunzel": func(x, y []float64, a Alternative) (RankTest, error) {
					b, err := BrunnerMunzel(x, y, a, 0.9)
					return b.RankTest, err
				},
			} {
				a, err := test(x, y, alt)
				if err != nil {
					t.Fatal(err)
				}
				b, _ := test(y, x, flip[alt])
				if !agrees(a.P, b.P, 1e-12) || a.UX != b.UY || !agrees(a.CliffsDelta, -b.CliffsDelta, 1e-12) {
					t.Errorf("%s %v: swapping gives %+v and %+v", name, alt, a, b)
				}
				if !(a.P >= 0 && a.P <= 1) || a.UX+a.UY != float64(len(x)*len(y)) {
					t.Errorf("%s: %+v", name, a)
				}
				// Any increasing change of the scale keeps every rank.
				c, _ := test(mapped(x), mapped(y), alt)
				if c.P != a.P {
					t.Errorf("%s: p %v, after a change of scale %v", name, a.P, c.P)
				}
			}
		}
		if !slices.Equal(x, gx) || !slices.Equal(y, gy) {
			t.Fatal("an argument was changed")
		}
	}
}

func mapped(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Exp(v/3) * 1e9
	}
	return out
}

// PermutationRank against enumerating every split, and without ties against the

// exact distribution.

func TestPermutationRankAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 60 {
		x, y := tiedSamples(rng, 6, 1)
		effect := func(a, b []float64) float64 {
			r, _ := CLES(a, b)
			return r.CliffsDelta
		}
		for _, alt := range []Alternative{TwoSided, Less, Greater} {
			want, err := PermutationExact(x, y, effect, alt, 10_000)
			if err != nil {
				t.Fatal(err)
			}
			got, err := PermutationRank(x, y, alt)
			if err != nil || !agrees(got.P, want.P, 1e-12) {
				t.Errorf("%v %v %v: %v, %v, want %v", x, y, alt, got.P, err, want.P)
			}
		}
		u, v := ramp(2+rng.IntN(5), rng.Float64()/2), ramp(2+rng.IntN(5), 0.7)
		for _, alt := range []Alternative{TwoSided, Less, Greater} {
			exact, err := MannWhitneyExact(u, v, alt)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := PermutationRank(u, v, alt)
			if !agrees(got.P, exact.P, 1e-12) {
				t.Errorf("%v %v %v: permutation %v, exact %v", u, v, alt, got.P, exact.P)
			}
		}
	}
}

func TestPermutationExact(t *testing.T) {
	meanGap := func(x, y []float64) float64 { return meanOf(y) - meanOf(x) }
	r, err := PermutationExact([]float64{1, 2, 3}, []float64{11, 12, 13}, meanGap, TwoSided, 100)
	if err != nil || r.P != 0.1 || r.Statistic != 10 { // 2 of 20 splits
		t.Errorf("%+v, %v", r, err)
	}
	if r, _ := PermutationExact([]float64{1, 2, 3}, []float64{11, 12, 13}, meanGap, Greater, 100); r.P != 0.05 {
		t.Errorf("greater: %v", r.P)
	}
	if r, _ := PermutationExact([]float64{1, 2, 3}, []float64{11, 12, 13}, meanGap, Less, 100); r.P != 1 {
		t.Errorf("less: %v", r.P)
	}
	if _, err := PermutationExact(ramp(20, 0), ramp(20, 0), meanGap, TwoSided, 1000); !errors.Is(err, ErrDomain) {
		t.Errorf("too many splits: %v", err)
	}
	if _, err := PermutationExact(nil, ramp(2, 0), meanGap, TwoSided, 1000); !errors.Is(err, ErrTooFew) {
		t.Errorf("empty: %v", err)
	}
	nan := func(x, y []float64) float64 { return math.NaN() }
	if _, err := PermutationExact(ramp(2, 0), ramp(2, 0), nan, TwoSided, 1000); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN statistic: %v", err)
	}
	if c := binomialCoefficient(40, 20); c != 137846528820 {
		t.Errorf("40 over 20 = %v", c)
	}
	if c := binomialCoefficient(5000, 2500); !math.IsInf(c, 1) {
		t.Errorf("5000 over 2500 = %v", c)
	}
}

func TestBrunnerMunzelSeparated(t *testing.T) {
	x, y := []float64{1, 2, 3}, []float64{4, 5, 6}
	b, err := BrunnerMunzel(x, y, TwoSided, 0.95)
	if err != nil || !agrees(b.P, 0.1, 1e-12) || !math.IsInf(b.Statistic, 1) || !math.IsInf(b.Interval.Hi, 1) || len(b.Warnings) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
	p, err := BrunnerMunzelPermuted(x, y, TwoSided, 0.95, 100)
	if err != nil || !agrees(p.P, 0.1, 1e-12) {
		t.Errorf("permuted: %+v, %v", p, err)
	}
	if b, _ := BrunnerMunzel(x, y, Less, 0.95); b.P != 1 {
		t.Errorf("less: %v", b.P)
	}
	if b, _ := BrunnerMunzel(x, y, Greater, 0.95); !agrees(b.P, 0.05, 1e-12) {
		t.Errorf("greater: %v", b.P)
	}
	if _, err := BrunnerMunzelPermuted(x, y, TwoSided, 0.95, 5); !errors.Is(err, ErrDomain) {
		t.Errorf("too many splits: %v", err)
	}
	if _, err := BrunnerMunzel([]float64{1}, y, TwoSided, 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("one value: %v", err)
	}
	if _, err := BrunnerMunzel(x, y, TwoSided, 0); !errors.Is(err, ErrDomain) {
		t.Errorf("level 0: %v", err)
	}
}

func TestHodgesLehmannShift(t *testing.T) {
	x, y := ramp(30, 0), ramp(40, 5.5)
	wide, err := HodgesLehmannShift(x, y, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	narrow, _ := HodgesLehmannShift(x, y, 0.9)
	if !(wide.Interval.Lo <= narrow.Interval.Lo && narrow.Interval.Hi <= wide.Interval.Hi && narrow.Interval.Contains(narrow.Value)) {
		t.Errorf("wide %+v, narrow %+v", wide, narrow)
	}
	back, _ := HodgesLehmannShift(y, x, 0.9)
	if !agrees(back.Value, -narrow.Value, 1e-12) || !agrees(back.Interval.Lo, -narrow.Interval.Hi, 1e-12) {
		t.Errorf("swapped %+v against %+v", back, narrow)
	}
	tiny, err := HodgesLehmannShift([]float64{1, 2}, []float64{4.5, 6}, 0.95)
	if err != nil || len(tiny.Warnings) != 1 || tiny.Interval.Lo != 2.5 || tiny.Interval.Hi != 5 || !agrees(tiny.Interval.Level, 1-2.0/6, 1e-12) {
		t.Errorf("two against two: %+v, %v", tiny, err)
	}
	tied, err := HodgesLehmannShift([]float64{1, 1, 1, 2}, []float64{1, 2, 2, 2}, 0.9)
	if err != nil || !tied.Interval.Contains(tied.Value) {
		t.Errorf("ties: %+v, %v", tied, err)
	}
	constant, err := HodgesLehmannShift([]float64{3, 3}, []float64{3, 3, 3}, 0.9)
	if err != nil || constant.Value != 0 {
		t.Errorf("constant: %+v, %v", constant, err)
	}
	if _, err := HodgesLehmannShift(x, []float64{math.Inf(1)}, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("infinite: %v", err)
	}
	if _, err := HodgesLehmannShift(make([]float64, 3000), make([]float64, 3000), 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("too many pairs: %v", err)
	}
}

// The exact p-value with ties against enumerating every split.

// Under no change the tests keep their level.

func TestRankLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(17, 18))
	const draws = 1000
	var bm, ad, ks int
	for range draws {
		x, y := make([]float64, 12), make([]float64, 15)
		for i := range x {
			x[i] = math.Exp(rng.NormFloat64())
		}
		for i := range y {
			y[i] = math.Exp(rng.NormFloat64())
		}
		if r, _ := BrunnerMunzel(x, y, TwoSided, 0.95); r.P <= 0.05 {
			bm++
		}
		if r, _ := AndersonDarling(x, y); r.Midrank.P <= 0.05 {
			ad++
		}
		if r, _ := KolmogorovSmirnov(x, y); r.P <= 0.05 {
			ks++
		}
	}
	// Four standard errors of a proportion of .05 are .0276.
	for name, n := range map[string]int{"Brunner–Munzel": bm, "Anderson–Darling": ad} {
		if rate := float64(n) / draws; math.Abs(rate-0.05) > 0.0276 {
			t.Errorf("%s rejects %v of the time", name, rate)
		}
	}
	if rate := float64(ks) / draws; rate > 0.0776 {
		t.Errorf("Kolmogorov–Smirnov rejects %v of the time", rate)
	}
}

func FuzzMannWhitney(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 3.0)
	f.Add(0.0, 0.0, 0.0, 0.0)
	f.Add(math.Inf(1), -1e300, math.NaN(), 1e12)
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		for _, alt := range []Alternative{TwoSided, Less, Greater} {
			r, err := MannWhitney([]float64{a, b}, []float64{c, d}, alt, true)
			if err == nil && !(r.P >= 0 && r.P <= 1) {
				t.Errorf("p = %v", r.P)
			}
			e, err := BrunnerMunzel([]float64{a, b}, []float64{c, d}, alt, 0.9)
			if err == nil && !(e.P >= 0 && e.P <= 1) {
				t.Errorf("Brunner–Munzel p = %v", e.P)
			}
		}
	})
}

func BenchmarkMannWhitney(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 10_000), make([]float64, 10_000)
	for i := range x {
		x[i], y[i] = rng.ExpFloat64(), rng.ExpFloat64()
	}
	for b.Loop() {
		if _, err := MannWhitney(x, y, TwoSided, true); err != nil {
			b.Fatal(err)
		}
	}
}
