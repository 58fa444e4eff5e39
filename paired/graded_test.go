package paired

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func scores(r *rapid.T, name string, n int) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(-100, 100), n, n).Draw(r, name)
}

func TestMeanDifferenceLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 50).Draw(r, "n")
		x, y := scores(r, "x", n), scores(r, "y", n)
		gx, gy := slices.Clone(x), slices.Clone(y)
		e, err := MeanDifference(x, y, 0.9)
		swapped, err2 := MeanDifference(y, x, 0.9)
		wide, err3 := MeanDifference(x, y, 0.99)
		if err := errors.Join(err, err2, err3); err != nil {
			r.Fatal(err)
		}
		if !slices.Equal(x, gx) || !slices.Equal(y, gy) {
			r.Error("arguments changed")
		}
		if math.Abs(swapped.Value+e.Value) > 1e-9 || math.Abs(swapped.Interval.Lo+e.Interval.Hi) > 1e-9 {
			r.Errorf("swap: %+v, %+v", e, swapped)
		}
		if wide.Interval.Lo > e.Interval.Lo || wide.Interval.Hi < e.Interval.Hi {
			r.Errorf("levels do not nest: %v, %v", e.Interval, wide.Interval)
		}
		for i := range x {
			x[i], y[i] = 8*x[i], 8*y[i] // a power of two: exact
		}
		scaled, err := MeanDifference(x, y, 0.9)
		if err != nil || math.Abs(scaled.Interval.Hi-8*e.Interval.Hi) > 1e-9*math.Abs(scaled.Interval.Hi) {
			r.Errorf("unit: %+v, %+v", e, scaled)
		}
		tost, err := TOST(e, 10)
		if err != nil {
			r.Fatal(err)
		}
		if inside := e.Interval.Lo > -10 && e.Interval.Hi < 10; inside != (tost.P < 0.05) {
			r.Errorf("TOST p %v, 90%% interval %v", tost.P, e.Interval)
		}
	})
}

func TestMeanDifferenceEdges(t *testing.T) {
	offset := []float64{1e12, 1e12 + 1, 1e12 + 2, 1e12 + 3}
	plain := []float64{0, 1, 2, 3}
	shift := []float64{1e12 + 1, 1e12, 1e12 + 4, 1e12 + 1}
	e := ok1(MeanDifference(offset, shift, 0.95))(t)
	if p := ok1(MeanDifference(plain, []float64{1, 0, 4, 1}, 0.95))(t); e.Value != p.Value || e.SE != p.SE {
		t.Errorf("offset 1e12: %+v, want %+v", e, p)
	}
	same := ok1(MeanDifference(plain, []float64{1, 2, 3, 4}, 0.95))(t)
	if same.Value != 1 || same.Interval.Lo != 1 || same.Interval.Hi != 1 || same.Warnings[0].Code != stats.WarnNoVariance {
		t.Errorf("equal differences: %+v", same)
	}
	if e := ok1(MeanDifference(make([]float64, 100), append(make([]float64, 98), 1, -1), 0.95))(t); len(e.Warnings) != 1 || e.Warnings[0].Code != "rare_differences" {
		t.Errorf("two items differ: %+v", e.Warnings)
	}
	for _, c := range []struct {
		x, y []float64
		want error
	}{
		{nil, nil, stats.ErrTooFew},
		{[]float64{1}, []float64{2}, stats.ErrTooFew},
		{[]float64{1, 2}, []float64{2}, stats.ErrMismatch},
		{[]float64{1, math.NaN()}, []float64{2, 3}, stats.ErrDomain},
		{[]float64{1, 2}, []float64{2, math.Inf(1)}, stats.ErrDomain},
		{[]float64{-1.7e308, 1}, []float64{1.7e308, 2}, stats.ErrDomain},
	} {
		if _, err := MeanDifference(c.x, c.y, 0.95); !errors.Is(err, c.want) {
			t.Errorf("%v, %v: error %v, want %v", c.x, c.y, err, c.want)
		}
	}
}

func TestTTestEdges(t *testing.T) {
	e := stats.Estimate{Value: 1, SE: 0, DF: 3}
	if test := ok1(TTest(e, 0, stats.Greater))(t); !(test.P > 0 && test.P <= 0.1+1e-12) || len(test.Warnings) != 1 {
		t.Errorf("no variance: %+v", test)
	}
	if test := ok1(TTest(e, 1, stats.TwoSided))(t); test.P != 1 {
		t.Errorf("no variance at the null: %+v", test)
	}
	for _, bad := range []stats.Estimate{{Value: 1, SE: math.NaN(), DF: 3}, {Value: 1, SE: 1}, {Value: math.Inf(1), SE: 1, DF: 1}} {
		if _, err := TTest(bad, 0, stats.Greater); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
	if _, err := Noninferiority(e, -1, stats.Greater); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("negative margin: error %v", err)
	}
	if _, err := Noninferiority(e, 1, stats.TwoSided); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("two-sided: error %v", err)
	}
}

// Fieller's limits are the ratios that the relative contrast does not reject.
func TestFiellerInvertsContrast(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(r, "n")
		x, y := scores(r, "x", n), scores(r, "y", n)
		for i := range x {
			x[i], y[i] = x[i]+300, y[i]+200
		}
		e, err := FiellerPaired(x, y, 0.9)
		if err != nil {
			r.Fatal(err)
		}
		if math.IsInf(e.Interval.Lo, 0) || e.Interval.Width() < 1e-6 || e.Interval.Lo <= 0 {
			return
		}
		for _, limit := range []float64{e.Interval.Lo, e.Interval.Hi} {
			test, err := RelativeContrast(x, y, limit, stats.TwoSided)
			if err != nil || math.Abs(test.P-0.1) > 1e-6 {
				r.Errorf("p = %v at the limit %v, error %v", test.P, limit, err)
			}
		}
		inverse, err := FiellerPaired(y, x, 0.9)
		if err != nil || math.Abs(inverse.Interval.Hi*e.Interval.Lo-1) > 1e-9 {
			r.Errorf("swap: %v and %v, error %v", e.Interval, inverse.Interval, err)
		}
	})
}

func TestFiellerEdges(t *testing.T) {
	e := ok1(FiellerPaired([]float64{-1, 1, 0.5}, []float64{1, 2, 3}, 0.95))(t)
	if !math.IsInf(e.Interval.Lo, -1) || !math.IsInf(e.Interval.Hi, 1) || e.Warnings[0].Code != "unbounded_ratio" {
		t.Errorf("first mean near 0: %+v", e)
	}
	if _, err := FiellerPaired([]float64{-1, 1}, []float64{1, 2}, 0.95); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("first mean 0: error %v", err)
	}
	if e := ok1(FiellerIndependent([]float64{2, 2}, []float64{3, 3, 3}, 0.95))(t); e.Interval.Lo != 1.5 || e.Interval.Hi != 1.5 {
		t.Errorf("constant samples: %+v", e)
	}
	if e := ok1(FiellerIndependent([]float64{2, 2}, []float64{-3, -3, -3}, 0.95))(t); e.Interval.Lo != -1.5 || e.Interval.Hi != -1.5 {
		t.Errorf("constant samples of unlike sign: %+v", e)
	}
	if _, err := RatioLogDelta([]float64{1, 2}, []float64{-1, -2}, 0.95); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("negative mean: error %v", err)
	}
	if _, err := RelativeContrast([]float64{1, 2}, []float64{1, 2}, 0, stats.Greater); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("ratio 0: error %v", err)
	}
}

// All 2ⁿ sign patterns are the oracle.
func TestSignedRankExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(r, "n")
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rapid.IntRange(-5, 5).Draw(r, "d"))
		}
		zeros := rapid.SampledFrom([]ZeroRule{DropZeros, RankZeros}).Draw(r, "zeros")
		ranks, v, err := signedRanks(d, zeros)
		if err != nil {
			r.Fatal(err)
		}
		atMost, atLeast, patterns := 0, 0, 1<<len(ranks)
		for bits := range patterns {
			s := 0.0
			for i, rank := range ranks {
				if bits>>i&1 == 1 {
					s += rank
				}
			}
			if s <= v {
				atMost++
			}
			if s >= v {
				atLeast++
			}
		}
		two := math.Min(1, 2*float64(min(atMost, atLeast))/float64(patterns))
		for alt, want := range map[stats.Alternative]float64{
			stats.TwoSided: two, stats.Less: float64(atMost) / float64(patterns), stats.Greater: float64(atLeast) / float64(patterns),
		} {
			test, err := SignedRank(d, SignedRankOptions{Alternative: alt, Zeros: zeros})
			if err != nil || math.Abs(test.P-want) > 1e-12 {
				r.Errorf("%v %v: p = %v, want %v, error %v", d, alt, test.P, want, err)
			}
		}
	})
}

// Beyond the exact range p comes from the normal law; at its end both agree.
func TestSignedRankNormalAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := make([]float64, exactRanks)
	for i := range d {
		d[i] = rng.NormFloat64() + 0.1
	}
	exact := ok1(SignedRank(d, SignedRankOptions{}))(t)
	normal := ok1(SignedRank(d, SignedRankOptions{Normal: true}))(t)
	if exact.Method != MethodSignedRankExact || normal.Method != MethodSignedRankNormal {
		t.Errorf("methods %s, %s", exact.Method, normal.Method)
	}
	near(t, "p", normal.P, exact.P, 2e-3)
}

func TestSignedRankEdges(t *testing.T) {
	if test := ok1(SignedRank([]float64{0, 0}, SignedRankOptions{}))(t); test.P != 1 || len(test.Warnings) != 1 {
		t.Errorf("only zeros: %+v", test)
	}
	if _, err := SignedRank(nil, SignedRankOptions{}); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nothing: error %v", err)
	}
	for _, o := range []SignedRankOptions{{Zeros: 7}, {Alternative: 7}} {
		for _, d := range [][]float64{{1, 2}, {0}} {
			if _, err := SignedRank(d, o); !errors.Is(err, stats.ErrDomain) {
				t.Errorf("%+v: error %v", o, err)
			}
		}
	}
	if _, err := SignedRank([]float64{math.NaN()}, SignedRankOptions{}); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("NaN: error %v", err)
	}
}

// The oracle lists and sorts all Walsh averages.
func TestHodgesLehmann(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(r, "n")
		d := scores(r, "d", n)
		if rapid.Bool().Draw(r, "ties") {
			for i := range d {
				d[i] = math.Round(d[i] / 20)
			}
		}
		guard := slices.Clone(d)
		var all []float64
		for i := range d {
			for j := range i + 1 {
				all = append(all, d[i]/2+d[j]/2)
			}
		}
		slices.Sort(all)
		w := newWalsh(d)
		for k := range all {
			if got := w.at(int64(k + 1)); got != all[k] {
				r.Fatalf("Walsh average %d of %v is %v, want %v", k+1, d, got, all[k])
			}
		}
		e, err := HodgesLehmann(d, 0.9)
		if err != nil {
			r.Fatal(err)
		}
		if !slices.Equal(d, guard) {
			r.Error("argument changed")
		}
		m := len(all)
		if want := all[(m-1)/2]/2 + all[m/2]/2; e.Value != want {
			r.Errorf("value %v, want %v", e.Value, want)
		}
		if n < 5 != math.IsInf(e.Interval.Lo, -1) {
			r.Errorf("n = %d: %v", n, e.Interval)
		}
		if !math.IsInf(e.Interval.Lo, 0) && e.Interval.Level < 0.9 {
			r.Errorf("level %v below the one asked for", e.Interval.Level)
		}
	})
}

// At the end of the exact range the normal ranks are within a thousandth of
// the exact, on the wide side.
func TestHodgesLehmannRanks(t *testing.T) {
	n := float64(exactRanks)
	for _, level := range []float64{0.8, 0.9, 0.95, 0.99} {
		q, below := integerRankLaw(exactRanks).quantile((1 - level) / 2)
		sd := math.Sqrt(n * (n + 1) * (2*n + 1) / 24)
		approx := math.Floor(n*(n+1)/4 + 0.5 - stats.NormalQuantile((1+level)/2)*sd)
		if approx > float64(q)+1 || approx < float64(q)*0.999 || below >= (1-level)/2 {
			t.Errorf("level %v: exact %d, normal %v", level, q, approx)
		}
	}
}

func TestHodgesLehmannEdges(t *testing.T) {
	e := ok1(HodgesLehmann([]float64{3, 3, 3, 3, 3, 3, 3}, 0.9))(t)
	if e.Value != 3 || e.Interval.Width() != 0 || e.Warnings[0].Code != stats.WarnNoVariance {
		t.Errorf("constant: %+v", e)
	}
	if e := ok1(HodgesLehmann([]float64{math.MaxFloat64, math.MaxFloat64}, 0.4))(t); e.Value != math.MaxFloat64 {
		t.Errorf("largest values: %+v", e)
	}
	if _, err := HodgesLehmann(nil, 0.9); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("nothing: error %v", err)
	}
	if _, err := HodgesLehmann([]float64{1, math.Inf(1)}, 0.9); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("infinite: error %v", err)
	}
}

func TestRepeats(t *testing.T) {
	s := ok1(Repeats([][]float64{{1, 1, 0, 1}, {0, 0}, {1}}))(t)
	if s.Items != 3 || s.Scores != 7 {
		t.Errorf("%+v", s)
	}
	near(t, "agreement", s.Agreement, (0.5+1)/2, 1e-12) // 3 of 6 pairs, 1 of 1
	near(t, "within", s.Within, 0.25/2, 1e-12)          // variances 1/4 and 0
	if s := ok1(Repeats([][]float64{{1, 1}, {1, 1}}))(t); s.ICC != 0 || s.Agreement != 1 || s.SEItems != 0 {
		t.Errorf("constant: %+v", s)
	}
	for _, bad := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {}}} {
		if _, err := Repeats(bad); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("%v: error %v", bad, err)
		}
	}
	if _, err := PairedRepeats([][]float64{{1}, {2}}, [][]float64{{1}}, 0.9); !errors.Is(err, stats.ErrMismatch) {
		t.Errorf("unequal items: error %v", err)
	}
	if _, err := PairedRepeats([][]float64{{1}, {}}, [][]float64{{1}, {2}}, 0.9); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("item without a score: error %v", err)
	}
}

func FuzzHodgesLehmann(f *testing.F) {
	f.Add(1.0, 2.0, -3.0, 0.5, 0.9)
	f.Fuzz(func(t *testing.T, a, b, c, d, level float64) {
		e, err := HodgesLehmann([]float64{a, b, c, d, a, b}, level)
		if err == nil && !(e.Interval.Lo <= e.Value && e.Value <= e.Interval.Hi) {
			t.Errorf("%v %v %v %v: %+v", a, b, c, d, e)
		}
	})
}

func BenchmarkHodgesLehmann20000(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := make([]float64, 20000)
	for i := range d {
		d[i] = rng.NormFloat64()
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := HodgesLehmann(d, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
