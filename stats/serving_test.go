package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTimePerToken(t *testing.T) {
	r, err := TimePerToken([]float64{1, 1}, []float64{1, 1}, []int64{0, 1})
	if err != nil || r.Undefined != 2 || r.Defined[0] || r.RequestMean != 0 {
		t.Errorf("nothing defined: %+v, %v", r, err)
	}
	// A long request moves the per-token mean, not the mean over requests.
	r, _ = TimePerToken([]float64{0, 0}, []float64{10, 1000}, []int64{2, 1001})
	if r.RequestMean != 5.5 || !agrees(r.TokenMean, 1010.0/1001, 1e-12) {
		t.Errorf("%+v", r)
	}
	if _, err := TimePerToken([]float64{1}, nil, nil); !errors.Is(err, ErrMismatch) {
		t.Errorf("lengths: %v", err)
	}
	if _, err := TimePerToken(nil, nil, nil); !errors.Is(err, ErrTooFew) {
		t.Errorf("no requests: %v", err)
	}
	for _, bad := range [][2]float64{{2, 1}, {-1, 1}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if _, err := TimePerToken([]float64{bad[0]}, []float64{bad[1]}, []int64{5}); !errors.Is(err, ErrDomain) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestLittle(t *testing.T) {
	if g, err := LittleGap(42, 12.5, 3.2); err != nil || !agrees(g, 0.05, 1e-12) {
		t.Errorf("gap %v, %v", g, err)
	}
	if _, err := LittlesLaw(-1, 1); !errors.Is(err, ErrDomain) {
		t.Errorf("negative rate: %v", err)
	}
	if _, err := LittleGap(1, 0, 1); !errors.Is(err, ErrDomain) {
		t.Errorf("no arrivals: %v", err)
	}
}

func TestJointGoodput(t *testing.T) {
	nan := math.NaN()
	g, err := JointGoodput([]float64{1, nan, 1, 5}, []float64{1, nan, 9, 1}, []bool{true, true, false, true}, []bool{true, false, true, true}, 2, 2, 2, 0.95)
	if err != nil || g.Good != 2 || g.N != 4 || g.PerTime != 1 || g.Fraction.Value != 0.5 {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err := JointGoodput([]float64{nan}, []float64{1}, nil, nil, 2, 2, 2, 0.95); !errors.Is(err, ErrDomain) {
		t.Errorf("a success without a time: %v", err)
	}
	if _, err := JointGoodput([]float64{1}, []float64{nan}, nil, nil, 2, 2, 2, 0.95); !errors.Is(err, ErrDomain) {
		t.Errorf("a success without a token time: %v", err)
	}
	if _, err := JointGoodput([]float64{1}, nil, nil, nil, 2, 2, 2, 0.95); !errors.Is(err, ErrMismatch) {
		t.Errorf("lengths: %v", err)
	}
	if _, err := JointGoodput(nil, nil, nil, nil, 2, 2, 2, 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("no requests: %v", err)
	}
	for _, bad := range [][3]float64{{nan, 2, 2}, {2, -1, 2}, {2, 2, 0}} {
		if _, err := JointGoodput([]float64{1}, []float64{1}, nil, nil, bad[0], bad[1], bad[2], 0.95); !errors.Is(err, ErrDomain) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestBurnRate(t *testing.T) {
	b, err := BurnRate(0, 1000, 0.999, 0.95)
	if err != nil || b.Value != 0 || b.Interval.Lo != 0 || !(b.Interval.Hi > 3 && b.Interval.Hi < 4) {
		t.Errorf("no failure: %+v, %v", b, err)
	}
	for _, bad := range []float64{0, 1, math.NaN()} {
		if _, err := BurnRate(1, 10, bad, 0.95); !errors.Is(err, ErrDomain) {
			t.Errorf("objective %v: %v", bad, err)
		}
	}
	if _, err := BurnRate(11, 10, 0.9, 0.95); !errors.Is(err, ErrDomain) {
		t.Errorf("more bad than all: %v", err)
	}
	if _, err := BurnRate(0, 0, 0.9, 0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("no requests: %v", err)
	}
}

func TestFillOmission(t *testing.T) {
	// .3 is three times .1 but for rounding: .2 and .1 must both be there.
	v, err := FillOmission([]float64{0.3}, 0.1)
	if err != nil || len(v) != 3 || !agrees(v[0], 0.1, 1e-9) {
		t.Errorf("%v, %v", v, err)
	}
	if v, _ := FillOmission([]float64{5, 4.9}, 5); !slices.Equal(v, []float64{4.9, 5}) {
		t.Errorf("at the interval: %v", v)
	}
	if v, err := FillOmission(nil, 5); err != nil || len(v) != 0 {
		t.Errorf("nothing: %v, %v", v, err)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-9} {
		if _, err := FillOmission([]float64{1}, bad); !errors.Is(err, ErrDomain) {
			t.Errorf("interval %v: %v", bad, err)
		}
	}
	if _, err := FillOmission([]float64{math.NaN()}, 1); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
}

func TestQuantileWithTimeouts(t *testing.T) {
	done := ramp(90, 0)
	q, err := QuantileWithTimeouts(done, 10, 100, 0.9)
	if err != nil || !q.Identified || q.Value != 90 || q.TimedOut != 0.1 {
		t.Errorf("at the edge: %+v, %v", q, err)
	}
	q, _ = QuantileWithTimeouts(done, 10, 100, 0.91)
	if q.Identified || q.Value != 100 {
		t.Errorf("beyond it: %+v", q)
	}
	if q, err := QuantileWithTimeouts(nil, 3, 100, 0.01); err != nil || q.Identified {
		t.Errorf("all timed out: %+v, %v", q, err)
	}
	if _, err := QuantileWithTimeouts(nil, 0, 100, 0.5); !errors.Is(err, ErrTooFew) {
		t.Errorf("no requests: %v", err)
	}
	for _, f := range []func() error{
		func() error { _, err := QuantileWithTimeouts(done, 1, 50, 0.5); return err },
		func() error { _, err := QuantileWithTimeouts(done, -1, 100, 0.5); return err },
		func() error { _, err := QuantileWithTimeouts(done, 1, 0, 0.5); return err },
		func() error { _, err := QuantileWithTimeouts(done, 1, 100, 1); return err },
	} {
		if err := f(); !errors.Is(err, ErrDomain) {
			t.Errorf("want ErrDomain, got %v", err)
		}
	}
}

// cloud draws points about 40 + .08·x, one in ten of them in a queueing spike.
func cloud(n int) (x, y []float64) {
	rng := rand.New(rand.NewPCG(41, 42))
	for range n {
		v := math.Round(math.Exp(6 + 0.7*rng.NormFloat64()))
		w := 40 + 0.08*v + 5*rng.NormFloat64()
		if rng.IntN(10) == 0 {
			w += 150
		}
		x, y = append(x, v), append(y, w)
	}
	return x, y
}

func TestTheilSen(t *testing.T) {
	for _, n := range []int{300, 6000} {
		x, y := cloud(n)
		gx, gy := slices.Clone(x), slices.Clone(y)
		f, err := TheilSen(x, y, 0.99)
		if err != nil || math.Abs(f.Slope.Value-0.08) > 0.008 || math.Abs(f.Intercept-40) > 4 || !f.Slope.Interval.Contains(f.Slope.Value) || f.N != n {
			t.Errorf("%d points: %+v, %v", n, f, err)
		}
		if binned := n > largestPairing; (len(f.Warnings) == 1) != binned || (f.Slope.N == pairingBins) != binned {
			t.Errorf("%d points: warnings %v, used %d", n, f.Warnings, f.Slope.N)
		}
		if !slices.Equal(x, gx) || !slices.Equal(y, gy) {
			t.Fatal("an argument was changed")
		}
		perm := rand.New(rand.NewPCG(43, 44)).Perm(n)
		px, py := make([]float64, n), make([]float64, n)
		scaled := make([]float64, n)
		for i, j := range perm {
			px[i], py[i] = x[j], y[j]
			scaled[j] = y[j] / 1000
		}
		if p, _ := TheilSen(px, py, 0.99); p.Slope.Value != f.Slope.Value || p.Intercept != f.Intercept || p.Slope.Interval != f.Slope.Interval {
			t.Errorf("%d points: the order of the points matters: %+v and %+v", n, p, f)
		}
		if s, _ := TheilSen(x, scaled, 0.99); !agrees(s.Slope.Value*1000, f.Slope.Value, 1e-9) || !agrees(s.Slope.Interval.Hi*1000, f.Slope.Interval.Hi, 1e-9) {
			t.Errorf("%d points: scaling y", n)
		}
		if narrow, _ := TheilSen(x, y, 0.8); narrow.Slope.Interval.Width() > f.Slope.Interval.Width() {
			t.Errorf("%d points: intervals do not nest", n)
		}
	}
	few, err := TheilSen([]float64{1, 2, 3}, []float64{1, 2, 4}, 0.99)
	if err != nil || len(few.Warnings) != 1 || few.Slope.Value != 1.5 || few.Slope.Interval.Lo != 1 || few.Slope.Interval.Hi != 2 {
		t.Errorf("three points: %+v, %v", few, err)
	}
	if _, err := TheilSen([]float64{1, 1}, []float64{1, 2}, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("equal x: %v", err)
	}
	nearlyEqual := make([]float64, 20_000)
	nearlyEqual[0] = 1
	if _, err := TheilSen(nearlyEqual, make([]float64, 20_000), 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("one x differs: %v", err)
	}
	if _, err := TheilSen([]float64{1}, []float64{1}, 0.9); !errors.Is(err, ErrTooFew) {
		t.Errorf("one point: %v", err)
	}
	if _, err := TheilSen([]float64{1, 2}, []float64{1}, 0.9); !errors.Is(err, ErrMismatch) {
		t.Errorf("lengths: %v", err)
	}
	if _, err := TheilSen([]float64{1, math.Inf(1)}, []float64{1, 2}, 0.9); !errors.Is(err, ErrDomain) {
		t.Errorf("infinite: %v", err)
	}
}

func TestOrderStatistics(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for range 200 {
		v := make([]float64, 1+rng.IntN(3000))
		for i := range v {
			v[i] = math.Round(rng.NormFloat64() * 20)
		}
		sorted := sortedValues(v)
		ranks := []int{rng.IntN(len(v)), rng.IntN(len(v)), rng.IntN(len(v))}
		slices.Sort(ranks)
		for i, got := range orderStatistics(v, ranks...) {
			if got != sorted[ranks[i]] {
				t.Fatalf("rank %d of %d: %v, want %v", ranks[i], len(v), got, sorted[ranks[i]])
			}
		}
	}
}

func TestHuber(t *testing.T) {
	x, y := cloud(2000)
	h, err := Huber(x, y, 1.345)
	if err != nil || math.Abs(h.Slope-0.08) > 0.005 || len(h.Warnings) != 0 {
		t.Errorf("%+v, %v", h, err)
	}
	// A huge k is least squares.
	l, _ := LeastSquares(x, y)
	if h, _ := Huber(x, y, 1e9); !agrees(h.Slope, l.Slope, 1e-9) || !agrees(h.Intercept, l.Intercept, 1e-9) {
		t.Errorf("k of 1e9 %+v, least squares %+v", h.Line, l)
	}
	exact, err := Huber([]float64{1, 2, 3, 4}, []float64{3, 5, 7, 9}, 1.345)
	if err != nil || !agrees(exact.Slope, 2, 1e-12) || !agrees(exact.Intercept, 1, 1e-9) || exact.Scale != 0 || len(exact.Warnings) != 1 {
		t.Errorf("exact line: %+v, %v", exact, err)
	}
	flat, err := Huber([]float64{1, 2, 3}, []float64{0, 0, 0}, 1.345)
	if err != nil || flat.Slope != 0 || flat.Scale != 0 {
		t.Errorf("zeros: %+v, %v", flat, err)
	}
	far := make([]float64, len(y))
	for i := range y {
		far[i] = y[i] + 1e9
	}
	if f, _ := Huber(x, far, 1.345); !agrees(f.Slope, h.Slope, 1e-5) {
		t.Errorf("a large offset moves the slope from %v to %v", h.Slope, f.Slope)
	}
	for _, bad := range []float64{0, -1, math.NaN()} {
		if _, err := Huber(x, y, bad); !errors.Is(err, ErrDomain) {
			t.Errorf("k %v: %v", bad, err)
		}
	}
	if _, err := LeastSquares(nil, nil); !errors.Is(err, ErrTooFew) {
		t.Errorf("no points: %v", err)
	}
}

func FuzzFillOmission(f *testing.F) {
	f.Add(20.0, 5.0)
	f.Add(0.3, 0.1)
	f.Add(math.Inf(1), 1.0)
	f.Fuzz(func(t *testing.T, v, interval float64) {
		if v/interval > 1e5 {
			return
		}
		out, err := FillOmission([]float64{v}, interval)
		if err != nil {
			return
		}
		if !slices.IsSorted(out) || out[len(out)-1] != v {
			t.Errorf("FillOmission(%v, %v) = %v", v, interval, out)
		}
	})
}

func BenchmarkTheilSen5000(b *testing.B) {
	x, y := cloud(5000)
	for b.Loop() {
		if _, err := TheilSen(x, y, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTheilSen1e6(b *testing.B) {
	x, y := cloud(1_000_000)
	for b.Loop() {
		if _, err := TheilSen(x, y, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
