package paired

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// pairsOf draws paired scores with clusters of three.
func pairsOf(rng *rand.Rand, n int) (x, y []float64) {
	for range n {
		v := 2 + rng.NormFloat64()
		x, y = append(x, v), append(y, v+0.3*rng.NormFloat64()+0.1)
	}
	return x, y
}

// Moments give back the paired t interval, Fieller's and the relative contrast of
// the scores themselves.
func TestPairMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 50 {
		x, y := pairsOf(rng, 5+rng.IntN(60))
		m, err := PairMoments(x, y)
		if err != nil {
			t.Fatal(err)
		}
		d, err := MeanDifference(x, y, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "error of the difference", m.DifferenceError().SE, d.SE, 1e-14)
		near(t, "standard deviation", m.ItemSD(), d.SE*math.Sqrt(float64(len(x))), 1e-12)
		if m.DF != d.DF || m.N != len(x) || m.VarNaive != m.VarDiff {
			t.Errorf("%+v, want %v degrees of freedom of %d items", m, d.DF, len(x))
		}
		want, err := FiellerPaired(x, y, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Ratio(0.9)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "lower", got.Interval.Lo, want.Interval.Lo, 1e-10)
		near(t, "upper", got.Interval.Hi, want.Interval.Hi, 1e-10)
		for _, alt := range []stats.Alternative{stats.Less, stats.Greater, stats.TwoSided} {
			c, err := RelativeContrast(x, y, 0.97, alt)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.RatioTest(0.97, alt)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "contrast", p.P, c.P, 1e-9)
		}
		// The interval is what the test does not reject.
		p, err := m.RatioTest(got.Interval.Lo, stats.Greater)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "P at the lower limit", p.P, 0.05, 1e-9)
	}
}

func TestClusterMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 10))
	x, y := pairsOf(rng, 31)
	cluster := threes(len(x))
	m, err := ClusterMoments(x, y, cluster, CR2)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Differences(x, y)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ClusterRobust(d, cluster, CR2, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error", m.DifferenceError().SE, want.SE, 1e-15)
	near(t, "naive", math.Sqrt(m.VarNaive), want.SENaive, 1e-15)
	near(t, "freedom", m.DF, want.DF, 0)
	one, err := ClusterMoments(x, y, make([]int, len(x)), CR2)
	if err != nil || !math.IsInf(one.VarDiff, 1) || one.DF != 0 || one.X != m.X || one.VarNaive != m.VarNaive {
		t.Errorf("one cluster: %+v, %v", one, err)
	}
	if r, err := one.Ratio(0.9); err != nil || !math.IsInf(r.Interval.Width(), 1) {
		t.Errorf("its ratio: %+v, %v", r, err)
	}
	if p, err := one.RatioTest(1, stats.Less); err != nil || p.P != 1 {
		t.Errorf("its test: %+v, %v", p, err)
	}
	single, err := PairMoments(x[:1], y[:1])
	if err != nil || single.X != x[0] || !math.IsInf(single.VarX, 1) || single.DF != 0 {
		t.Errorf("one item: %+v, %v", single, err)
	}
	for name, c := range map[string]struct {
		err, want error
	}{
		"lengths":   {second(PairMoments(x, y[1:])), stats.ErrMismatch},
		"none":      {second(PairMoments(nil, nil)), stats.ErrTooFew},
		"NaN":       {second(PairMoments([]float64{math.NaN(), 1}, []float64{1, 2})), stats.ErrDomain},
		"codes":     {second(ClusterMoments(x, y, cluster[1:], CR2)), stats.ErrMismatch},
		"zero mean": {second(Moments{}.Ratio(0.9)), stats.ErrDomain},
		"level":     {second(m.Ratio(1)), stats.ErrDomain},
		"ratio":     {second(m.RatioTest(-1, stats.Less)), stats.ErrDomain},
		"direction": {second(m.RatioTest(1, stats.Alternative(9))), stats.ErrDomain},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Two groups of equal size and spread are one sample cut in two.
func TestMeanMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 11))
	x, y := pairsOf(rng, 30)
	a, err := PairMoments(x[:15], y[:15])
	if err != nil {
		t.Fatal(err)
	}
	b, err := PairMoments(x[15:], y[15:])
	if err != nil {
		t.Fatal(err)
	}
	m, err := MeanMoments([]Moments{a, b})
	if err != nil {
		t.Fatal(err)
	}
	w, err := stats.TwoSample(0, a.DifferenceError().SE, a.DF, 0, b.DifferenceError().SE, b.DF, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error", m.DifferenceError().SE, w.SE/2, 1e-15)
	near(t, "freedom", m.DF, w.DF, 1e-10)
	near(t, "mean", m.X, (a.X+b.X)/2, 1e-15)
	if m.N != 30 {
		t.Errorf("%d items", m.N)
	}
	single, _ := PairMoments(x[:1], y[:1])
	if m, err := MeanMoments([]Moments{a, single}); err != nil || m.DF != 0 || !math.IsInf(m.VarDiff, 1) {
		t.Errorf("with a group of one item: %+v, %v", m, err)
	}
	same, _ := PairMoments([]float64{1, 2, 3}, []float64{2, 3, 4})
	if m, err := MeanMoments([]Moments{same}); err != nil || !math.IsInf(m.DF, 1) {
		t.Errorf("a difference that does not vary: %+v, %v", m, err)
	}
	if _, err := MeanMoments(nil); !errors.Is(err, stats.ErrTooFew) {
		t.Error(err)
	}
	if _, err := MeanMoments([]Moments{{VarX: -1}}); !errors.Is(err, stats.ErrDomain) {
		t.Error(err)
	}
}

func TestStratifiedClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 12))
	d := differences(rng)
	cluster := threes(len(d))
	want, err := ClusterRobust(d, cluster, CR1, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	one, err := StratifiedClusters(d, make([]int, len(d)), cluster, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "value of one stratum", one.Value, want.Value, 1e-14)
	near(t, "its error", one.SE, want.SE, 1e-14)
	near(t, "its lower limit", one.Interval.Lo, want.Interval.Lo, 1e-13)
	// By hand: strata {1, 3} and {0, 2, 4}, means 2 and 2; residuals times
	// 5/2/size are ∓1.25 and −5/3, 0, 5/3. Clusters {1, 0}, {3, 2}, {4}: sums
	// −35/12, 15/12, 20/12. Variance Σ s²/25·3/2.
	hand, err := StratifiedClusters([]float64{1, 3, 0, 2, 4}, []int{5, 5, 8, 8, 8}, []int{0, 1, 0, 1, 2}, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "value", hand.Value, 2, 1e-15)
	near(t, "error", hand.SE, math.Sqrt((35*35+15*15+20*20)/144./25*1.5), 1e-14)
	if hand.DF != 2 || hand.N != 3 || hand.Method != MethodStratifiedClusters {
		t.Errorf("%+v", hand)
	}
	// The order of the items, the names of strata and a sign change nothing else.
	other, err := StratifiedClusters([]float64{-4, -2, -0, -3, -1}, []int{1, 1, 1, 2, 2}, []int{7, 5, 4, 5, 4}, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mirrored", other.Interval.Lo, -hand.Interval.Hi, 1e-14)
	for name, c := range map[string]struct{ err, want error }{
		"strata":   {second(StratifiedClusters(d, nil, cluster, 0.9)), stats.ErrMismatch},
		"clusters": {second(StratifiedClusters(d, cluster, nil, 0.9)), stats.ErrMismatch},
		"one":      {second(StratifiedClusters(d, cluster, make([]int, len(d)), 0.9)), stats.ErrTooFew},
		"none":     {second(StratifiedClusters(nil, nil, nil, 0.9)), stats.ErrTooFew},
		"NaN":      {second(StratifiedClusters([]float64{math.NaN(), 1}, []int{1, 2}, []int{1, 2}, 0.9)), stats.ErrDomain},
		"level":    {second(StratifiedClusters(d, cluster, cluster, 0)), stats.ErrDomain},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

func FuzzMoments(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0, 0.5, 1, 2)
	f.Add(math.NaN(), math.Inf(1), -1.0, 0.0, 1.0, 1, 1)
	f.Add(1e308, -1e308, 1e-308, 0.0, 0.9, 3, -3)
	f.Fuzz(func(t *testing.T, a, b, c, d, e float64, k, l int) {
		x, y, codes := []float64{a, b, c}, []float64{d, a, b}, []int{k, l, k}
		before := fmt.Sprint(x, y, codes)
		m, err := ClusterMoments(x, y, codes, CR2)
		if err == nil {
			if r, err := m.Ratio(e); err == nil && !(r.Interval.Lo <= r.Interval.Hi) {
				t.Errorf("%s: %+v", before, r)
			}
			if p, err := m.RatioTest(math.Abs(e), stats.Less); err == nil && !(p.P >= 0 && p.P <= 1) {
				t.Errorf("%s: %+v", before, p)
			}
			MeanMoments([]Moments{m, {X: a, VarX: b, VarDiff: c, DF: d}})
		}
		StratifiedClusters(x, []int{l, k, k}, codes, e)
		if f, err := NewFlipBound(x, e, l); err == nil {
			if s, err := f.Score(0.9); err != nil || !s.Interval.Contains(s.Value) {
				t.Errorf("%s: %+v, %v", before, s, err)
			}
			for _, alt := range []stats.Alternative{stats.Less, stats.Greater} {
				if p, err := f.Test(d, alt); err == nil && !(p.P >= 0 && p.P <= 1) {
					t.Errorf("%s: %+v", before, p)
				}
			}
		}
		GainOfRepeats(nil, [][]float64{x, y}, [][]float64{{a}, {b, c}})
		GainOfRepeats([]float64{a, b, c}, [][]float64{x, {}}, [][]float64{{a}, {b, c}})
		if fmt.Sprint(x, y, codes) != before {
			t.Error("an input was modified")
		}
	})
}
