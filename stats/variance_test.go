package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestMeanVariance(t *testing.T) {
	m, v, err := MeanVariance([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	if err != nil || m != 5 || math.Abs(v-32.0/7) > 1e-15 {
		t.Errorf("mean %v, variance %v, %v", m, v, err)
	}
	for _, offset := range []float64{0, 1e12, -1e15} {
		if _, v, _ := MeanVariance([]float64{offset + 1, offset + 2, offset + 3}); v != 1 {
			t.Errorf("variance at offset %v is %v, want 1", offset, v)
		}
	}
	if m, v, _ := MeanVariance(slices.Repeat([]float64{0.1}, 1000)); m != 0.1 || v != 0 {
		t.Errorf("constant data: mean %v, variance %v", m, v)
	}
	_, _, err = MeanVariance([]float64{1})
	wantError(t, "one value", err, ErrTooFew)
	_, err = Mean(nil)
	wantError(t, "no values", err, ErrTooFew)
	_, err = Mean([]float64{1, 2, math.NaN()})
	wantError(t, "NaN", err, ErrDomain)
	if !strings.Contains(err.Error(), "index 2") {
		t.Errorf("error %q does not name the index", err)
	}
	if m, err := Mean([]float64{math.MaxFloat64, math.MaxFloat64}); err != nil || m != math.MaxFloat64 {
		t.Errorf("mean of the largest values = %v, %v", m, err)
	}
	_, _, err = MeanVariance([]float64{-math.MaxFloat64, math.MaxFloat64})
	wantError(t, "overflow", err, ErrDomain)
	// Many small values next to a large one.
	x := make([]float64, 1_000_001)
	for i := range x {
		x[i] = 0.1
	}
	x[0] = 1e9
	m, _ = Mean(x)
	near(t, "mean", m, (1e9+1e5)/1_000_001, 1e-14)
}

func FuzzMeanVariance(f *testing.F) {
	f.Add(1.0, 2.0, 4.0)
	f.Add(1e300, -1e300, 0.0)
	f.Add(1e12, 1e12+1, 1e12+2)
	f.Add(5e-324, 0.0, 1.0)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		x := []float64{a, b, c}
		m, v, err := MeanVariance(x)
		if CheckFinite(x) != nil {
			if err == nil {
				t.Fatal("no error for a value that is not finite")
			}
			return
		}
		if err != nil {
			return // overflow
		}
		if math.IsNaN(m) || !(v >= 0) || math.IsInf(v, 0) {
			t.Fatalf("mean %v, variance %v of %v", m, v, x)
		}
		slack := 1e-15 * (slices.Max(x) - slices.Min(x))
		if m < slices.Min(x)-slack || m > slices.Max(x)+slack {
			t.Errorf("mean %v outside %v", m, x)
		}
	})
}

func TestMeanT(t *testing.T) {
	e, err := MeanT([]float64{1, 2, 3, 4, 5}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	// R: t.test(1:5): 3, df 4, 1.036757 to 4.963243.
	within(t, "lower", e.Interval.Lo, 1.036757, 1e-6)
	within(t, "upper", e.Interval.Hi, 4.963243, 1e-6)
	_, err = MeanT([]float64{1}, 0.95)
	wantError(t, "one value", err, ErrTooFew)
	_, err = MeanT([]float64{1, 2}, 0)
	wantError(t, "level", err, ErrDomain)
}

func TestICC(t *testing.T) {
	groups := [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}
	v, err := ICC(groups, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	// Shrout & Fleiss 1979, case 1: 0.17, and R's psych::ICC prints -0.13 to 0.72.
	within(t, "ICC", v.ICC, 0.17, 0.005)
	within(t, "lower", v.Interval.Lo, -0.13, 0.005)
	within(t, "upper", v.Interval.Hi, 0.72, 0.005)
	shifted := make([][]float64, len(groups))
	for i, g := range groups {
		for _, x := range g {
			shifted[i] = append(shifted[i], x+1e12)
		}
	}
	s, err := ICC(shifted, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "ICC at an offset", s.ICC, v.ICC, 1e-4)
	if v.Groups != 6 || v.Values != 24 || len(v.Warnings) != 0 {
		t.Errorf("%+v", v)
	}

	negative, err := ICC([][]float64{{1, 9, 5}, {9, 1, 5}, {5, 1, 9}}, 0.95)
	if err != nil || negative.ICC >= 0 || negative.DesignEffect != 1 || len(negative.Warnings) != 1 || negative.Warnings[0].Code != WarnNegativeICC {
		t.Errorf("negative: %+v, %v", negative, err)
	}
	clean, err := ICC([][]float64{{1, 1}, {2, 2}}, 0.95)
	if err != nil || clean.ICC != 1 || clean.P != 0 || clean.Interval.Lo != 1 || len(clean.Warnings) != 1 {
		t.Errorf("no variance within: %+v, %v", clean, err)
	}
	_, err = ICC([][]float64{{3, 3}, {3, 3}}, 0.95)
	wantError(t, "constant", err, ErrDomain)
	_, err = ICC([][]float64{{1, 2}}, 0.95)
	wantError(t, "one group", err, ErrTooFew)
	_, err = ICC([][]float64{{1}, {2}, {3}}, 0.95)
	wantError(t, "groups of one", err, ErrTooFew)
	_, err = ICC([][]float64{{1, 2}, {}}, 0.95)
	wantError(t, "empty group", err, ErrTooFew)
	_, err = ICC([][]float64{{1, 2}, {math.NaN(), 1}}, 0.95)
	wantError(t, "NaN", err, ErrDomain)
}

func TestICCIntervalCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const sims, truth, level = 1500, 0.3, 0.9
	r := rand.New(rand.NewPCG(11, 1))
	hits := 0
	for range sims {
		groups := make([][]float64, 6)
		for i := range groups {
			b := math.Sqrt(truth) * r.NormFloat64()
			for range 5 {
				groups[i] = append(groups[i], b+math.Sqrt(1-truth)*r.NormFloat64())
			}
		}
		v, err := ICC(groups, level)
		if err != nil {
			t.Fatal(err)
		}
		if v.Interval.Contains(truth) {
			hits++
		}
	}
	within(t, "coverage", float64(hits)/sims, level, 4*math.Sqrt(level*(1-level)/sims))
}

// ar1 returns a stationary autoregressive series with unit variance.
func ar1(r *rand.Rand, n int, phi float64) []float64 {
	x := make([]float64, n)
	z := r.NormFloat64()
	for i := range x {
		x[i] = z
		z = phi*z + math.Sqrt(1-phi*phi)*r.NormFloat64()
	}
	return x
}

func TestNeweyWest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	x := ar1(r, 20000, 0.5)
	s, err := NeweyWest(x, 60)
	if err != nil {
		t.Fatal(err)
	}
	// (1−φ)/(1+φ) = 1/3, to within the error of an estimate.
	within(t, "ESS factor", s.ESS/20000, 1.0/3, 0.04)
	zero, _ := NeweyWest(x, 0)
	near(t, "ESS without lags", zero.ESS, 20000, 1e-12)
	constant, err := NeweyWest([]float64{2, 2, 2}, 1)
	if err != nil || constant.ESS != 3 || constant.SE != 0 || len(constant.Warnings) != 1 {
		t.Errorf("constant: %+v, %v", constant, err)
	}
	_, err = NeweyWest([]float64{1, 2}, 2)
	wantError(t, "lag", err, ErrDomain)
	_, err = NeweyWest([]float64{1, 2}, -1)
	wantError(t, "lag", err, ErrDomain)
	_, err = NeweyWest([]float64{1}, 0)
	wantError(t, "one value", err, ErrTooFew)
	_, err = NeweyWest([]float64{1, math.NaN()}, 0)
	wantError(t, "NaN", err, ErrDomain)
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 100: 4, 1000: 6, 10000: 11} {
		if got := NeweyWestLag(n); got != want {
			t.Errorf("lag for %d values = %d, want %d", n, got, want)
		}
	}
}

// Naive intervals cover a third of the time here.
func TestBatchIntervalsUnderAutocorrelation(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const sims, n, batches, level = 400, 10000, 20, 0.95
	r := rand.New(rand.NewPCG(3, 1))
	var mean, quantile int
	for range sims {
		x := ar1(r, n, 0.9)
		m, err := BatchMeans(x, batches, level)
		if err != nil {
			t.Fatal(err)
		}
		w, err := WoodruffCI(x, 0.95, batches, level)
		if err != nil {
			t.Fatal(err)
		}
		if m.Interval.Contains(0) {
			mean++
		}
		if w.Interval.Contains(1.6448536269514722) {
			quantile++
		}
	}
	gap := 4 * math.Sqrt(level*(1-level)/sims)
	within(t, "coverage of the mean", float64(mean)/sims, level, gap)
	within(t, "coverage of the quantile", float64(quantile)/sims, level, gap)
}

func TestBatchMeansEdges(t *testing.T) {
	e, err := BatchMeans([]float64{1, 3, 5, 7, 100}, 2, 0.9)
	if err != nil || e.Value != 4 || e.DF != 1 || e.N != 2 {
		t.Errorf("remainder at the end: %+v, %v", e, err)
	}
	_, err = BatchMeans([]float64{1, 2}, 3, 0.9)
	wantError(t, "more batches than values", err, ErrTooFew)
	_, err = BatchMeans([]float64{1, 2}, 1, 0.9)
	wantError(t, "one batch", err, ErrTooFew)
	_, err = BatchMeans([]float64{1, 2, math.NaN()}, 2, 0.9)
	wantError(t, "NaN in the remainder", err, ErrDomain)
}

func BenchmarkMeanVariance(b *testing.B) {
	x := lognormal(1, 1_000_000, 4, 0.5)
	b.SetBytes(8 << 20)
	for b.Loop() {
		if _, _, err := MeanVariance(x); err != nil {
			b.Fatal(err)
		}
	}
}
