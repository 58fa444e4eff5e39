package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func bruteCost(x []float64, penalty float64, least int) float64 {
	cost := segmentCost(x)
	var from func(s int) float64
	from = func(s int) float64 {
		best := cost(s, len(x))
		for t := s + least; t+least <= len(x); t++ {
			best = math.Min(best, cost(s, t)+penalty+from(t))
		}
		return best
	}
	return from(0)
}

func TestChangePointsAgainstEveryDivision(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for range 150 {
		least := 1 + rng.IntN(4)
		x := normals(rng, least+rng.IntN(14))
		for i := range x {
			x[i] += 3 * float64(i/4%2)
		}
		guard := slices.Clone(x)
		penalty := rng.ExpFloat64() * 3
		want := bruteCost(x, penalty, least)
		got, err := ChangePoints(x, penalty, least)
		if err != nil || !agrees(got.Cost, want, 1e-10) {
			t.Fatalf("%d values, least %d, penalty %v: %+v, %v, want %v", len(x), least, penalty, got, err, want)
		}
		if !slices.Equal(x, guard) {
			t.Fatal("the argument was changed")
		}
		fixed, err := SegmentMeans(x, len(got.Breaks), least)
		if err != nil || !agrees(fixed.RSS, got.RSS, 1e-10) || !slices.Equal(fixed.Breaks, got.Breaks) {
			t.Errorf("with %d breaks %+v, %v, penalised %+v", len(got.Breaks), fixed, err, got)
		}
		last := 0
		for _, b := range append(slices.Clone(got.Breaks), len(x)) {
			if b-last < least {
				t.Errorf("segment of %d values, want at least %d", b-last, least)
			}
			last = b
		}
	}
}

func TestSegmentErrors(t *testing.T) {
	x := ramp(10, 0)
	if s, err := ChangePoints(make([]float64, 8), 1, 2); err != nil || len(s.Breaks) != 0 || s.Cost != 0 {
		t.Errorf("constant: %+v, %v", s, err)
	}
	if _, err := ChangePoints(x, math.NaN(), 2); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN penalty: %v", err)
	}
	if _, err := ChangePoints(x, 1, 0); !errors.Is(err, ErrDomain) {
		t.Errorf("segments of 0: %v", err)
	}
	if _, err := ChangePoints(x, 1, 11); !errors.Is(err, ErrTooFew) {
		t.Errorf("segments of 11: %v", err)
	}
	if _, err := SegmentMeans(x, -1, 2); !errors.Is(err, ErrDomain) {
		t.Errorf("-1 breaks: %v", err)
	}
	if _, err := SegmentMeans(x, 5, 2); !errors.Is(err, ErrTooFew) {
		t.Errorf("6 segments of 2 in 10: %v", err)
	}
	if _, err := ChangePenalty(x); !errors.Is(err, ErrDomain) {
		t.Errorf("equal steps: %v", err)
	}
	if _, err := ChangePenalty(x[:2]); !errors.Is(err, ErrTooFew) {
		t.Errorf("two values: %v", err)
	}
	if _, err := ChangePenalty([]float64{1, math.NaN(), 2}); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
}

func TestEnergy(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	x := normals(rng, 40)
	for i := 25; i < len(x); i++ {
		x[i] += 4
	}
	for _, exponent := range []float64{0.5, 1, 1.5} {
		best, err := EnergySplit(x, 3, exponent)
		if err != nil || best.Split < 24 || best.Split > 26 {
			t.Errorf("exponent %v: %+v, %v", exponent, best, err)
		}
		e, _ := EnergyDistance(x[:best.Split], x[best.Split:], exponent)
		m, n := float64(best.Split), float64(len(x)-best.Split)
		if !agrees(best.Q, m*n/(m+n)*e.Divergence, 1e-9) || e.Statistic < 0 {
			t.Errorf("exponent %v: split %+v, distance %+v", exponent, best, e)
		}
		back, _ := EnergyDistance(x[best.Split:], x[:best.Split], exponent)
		if !agrees(back.Statistic, e.Statistic, 1e-12) {
			t.Errorf("swapped: %v and %v", e, back)
		}
	}
	if e, _ := EnergyDistance(x, x, 1); !agrees(e.Statistic, 0, 1e-9) {
		t.Errorf("a sample against itself: %v", e)
	}
	shuffle := func(r int, v []float64) {
		rng := rand.New(rand.NewPCG(29, uint64(r)))
		rng.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	}
	guard := slices.Clone(x)
	if _, p, err := EnergySplitTest(x, 3, 1, 99, shuffle); err != nil || p != 0.01 || !slices.Equal(x, guard) {
		t.Errorf("a clear change: p %v, %v", p, err)
	}
	if _, p, _ := EnergySplitTest(normals(rng, 30), 3, 1, 99, shuffle); p < 0.02 {
		t.Errorf("no change: p %v", p)
	}
	for _, bad := range []float64{0, 2, math.NaN()} {
		if _, err := EnergyDistance(x, x, bad); !errors.Is(err, ErrDomain) {
			t.Errorf("exponent %v: %v", bad, err)
		}
	}
	if _, err := EnergyDistance(x[:1], x, 1); !errors.Is(err, ErrTooFew) {
		t.Errorf("one value: %v", err)
	}
	if _, err := EnergySplit(x[:5], 3, 1); !errors.Is(err, ErrTooFew) {
		t.Errorf("5 values: %v", err)
	}
	if _, err := EnergySplit(x, 1, 1); !errors.Is(err, ErrDomain) {
		t.Errorf("parts of 1: %v", err)
	}
	if _, _, err := EnergySplitTest(x, 3, 1, 0, shuffle); !errors.Is(err, ErrDomain) {
		t.Errorf("no replicates: %v", err)
	}
}

func BenchmarkChangePoints500(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := normals(rng, 500)
	for b.Loop() {
		if _, err := ChangePoints(x, 10, 3); err != nil {
			b.Fatal(err)
		}
	}
}
