package stats

import (
	"math"
	"testing"
)

var oneProportion = map[string]func(x, n int64, level float64) (Estimate, error){
	"wilson": Wilson, "clopper-pearson": ClopperPearson, "mid-p": MidP, "jeffreys": Jeffreys, "agresti-coull": AgrestiCoull,
}

var twoProportions = map[string]func(x1, n1, x2, n2 int64, level float64) (Estimate, error){
	"miettinen-nurminen": MiettinenNurminen, "mee": Mee, "newcombe": Newcombe, "agresti-caffo": AgrestiCaffo, "wald": WaldDifference,
}

// 10 of 10 on both sides is no certainty.
func TestProportionAtTheEdge(t *testing.T) {
	w, err := Wilson(10, 10, 0.95)
	if err != nil || w.Value != 1 || w.Interval.Hi != 1 {
		t.Fatalf("%+v, %v", w, err)
	}
	within(t, "Wilson lower", w.Interval.Lo, 0.722, 5e-4)
	d, err := Newcombe(10, 10, 10, 10, 0.95)
	if err != nil || d.Value != 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	within(t, "Newcombe lower", d.Interval.Lo, -0.278, 5e-4)
	within(t, "Newcombe upper", d.Interval.Hi, 0.278, 5e-4)
	for name, f := range twoProportions {
		e, err := f(10, 10, 10, 10, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if name == "wald" {
			if len(e.Warnings) != 1 || e.Warnings[0].Code != WarnNoVariance {
				t.Errorf("wald: %+v", e)
			}
			continue
		}
		if e.Interval.Width() < 0.1 {
			t.Errorf("%s: interval %v is too sure", name, e.Interval)
		}
	}
}

func TestOneProportionLaws(t *testing.T) {
	for name, f := range oneProportion {
		for _, n := range []int64{1, 2, 7, 40, 1000, 1_000_000} {
			last := Interval{}
			for k, x := range []int64{0, 1, n / 3, n / 2, n - 1, n} {
				e, err := f(x, n, 0.9)
				if err != nil {
					t.Fatalf("%s(%d, %d): %v", name, x, n, err)
				}
				iv := e.Interval
				if !(iv.Lo >= 0 && iv.Lo <= e.Value && e.Value <= iv.Hi && iv.Hi <= 1 && iv.Lo < iv.Hi) {
					t.Errorf("%s(%d, %d): %v around %v", name, x, n, iv, e.Value)
				}
				if k > 0 && x > 0 && n > 7 && (iv.Lo < last.Lo || iv.Hi < last.Hi) {
					t.Errorf("%s(%d, %d): %v falls behind %v", name, x, n, iv, last)
				}
				last = iv
				mirror, _ := f(n-x, n, 0.9)
				within(t, name+" mirrored", 1-mirror.Interval.Hi, iv.Lo, 1e-13)
				wide, _ := f(x, n, 0.99)
				if wide.Interval.Lo > iv.Lo || wide.Interval.Hi < iv.Hi {
					t.Errorf("%s(%d, %d): level 0.99 %v does not hold level 0.9 %v", name, x, n, wide.Interval, iv)
				}
				if x == 0 && iv.Lo != 0 || x == n && iv.Hi != 1 {
					t.Errorf("%s(%d, %d): %v does not reach the edge", name, x, n, iv)
				}
			}
		}
		for _, c := range [][2]int64{{0, 0}, {0, -1}} {
			_, err := f(c[0], c[1], 0.9)
			wantError(t, name, err, ErrTooFew)
		}
		for _, c := range [][2]int64{{-1, 5}, {6, 5}} {
			_, err := f(c[0], c[1], 0.9)
			wantError(t, name, err, ErrDomain)
		}
		_, err := f(1, 5, 95)
		wantError(t, name, err, ErrDomain)
	}
}

// Exact coverage by summing over all outcomes.
func TestOneProportionCoverage(t *testing.T) {
	const n, level = 30, 0.95
	for name, floor := range map[string]float64{"clopper-pearson": level, "wilson": 0.83, "mid-p": 0.90, "jeffreys": 0.80, "agresti-coull": 0.93} {
		var intervals [n + 1]Interval
		for x := range intervals {
			e, err := oneProportion[name](int64(x), n, level)
			if err != nil {
				t.Fatal(err)
			}
			intervals[x] = e.Interval
		}
		lowest, sum, points := 1.0, 0.0, 0
		for p := 0.005; p < 1; p += 0.005 {
			var cover float64
			for x, iv := range intervals {
				if iv.Contains(p) {
					cover += BinomialPMF(x, n, p)
				}
			}
			lowest = math.Min(lowest, cover)
			sum += cover
			points++
		}
		if lowest < floor-1e-9 {
			t.Errorf("%s: coverage falls to %v, want at least %v", name, lowest, floor)
		}
		if mean := sum / float64(points); mean < level-0.01 {
			t.Errorf("%s: mean coverage %v", name, mean)
		}
	}
}

func TestTwoProportionLaws(t *testing.T) {
	cases := [][4]int64{{56, 70, 48, 80}, {9, 10, 3, 10}, {0, 20, 0, 30}, {20, 20, 0, 5}, {5, 56, 0, 29}, {3, 20000, 11, 20000}, {1, 1, 0, 1}, {0, 1, 0, 1}, {2, 1_000_000_000, 9, 1_000_000_000}}
	for name, f := range twoProportions {
		for _, c := range cases {
			e, err := f(c[0], c[1], c[2], c[3], 0.9)
			if err != nil {
				t.Fatal(err)
			}
			iv := e.Interval
			if !(iv.Lo >= -1 && iv.Lo <= iv.Hi && iv.Hi <= 1) || name != "agresti-caffo" && !iv.Contains(e.Value) {
				t.Errorf("%s%v: %v around %v", name, c, iv, e.Value)
			}
			swapped, _ := f(c[2], c[3], c[0], c[1], 0.9)
			within(t, name+" swapped", swapped.Interval.Lo, -iv.Hi, 1e-13)
			failures, _ := f(c[1]-c[0], c[1], c[3]-c[2], c[3], 0.9)
			// Counting failures turns the difference; 1 − p costs digits of a rare p.
			within(t, name+" of failures", failures.Interval.Lo, -iv.Hi, 1e-11)
			wide, _ := f(c[0], c[1], c[2], c[3], 0.99)
			if wide.Interval.Lo > iv.Lo || wide.Interval.Hi < iv.Hi {
				t.Errorf("%s%v: level 0.99 %v does not hold level 0.9 %v", name, c, wide.Interval, iv)
			}
		}
		_, err := f(0, 0, 1, 2, 0.9)
		wantError(t, name, err, ErrTooFew)
		_, err = f(3, 2, 1, 2, 0.9)
		wantError(t, name, err, ErrDomain)
		_, err = f(1, 2, 1, 2, 0)
		wantError(t, name, err, ErrDomain)
	}
}

// The limits of a score interval are where its test has p = 1 − level.
func TestScoreIntervalInvertsItsTest(t *testing.T) {
	for _, c := range [][4]int64{{56, 70, 48, 80}, {9, 10, 3, 10}, {0, 20, 0, 30}, {3, 20000, 11, 20000}, {7, 34, 1, 34}, {0, 16, 15, 72}} {
		mn, _ := MiettinenNurminen(c[0], c[1], c[2], c[3], 0.95)
		mee, _ := Mee(c[0], c[1], c[2], c[3], 0.95)
		for _, k := range []struct {
			iv   Interval
			test func(x1, n1, x2, n2 int64, null float64, alt Alternative) (ScoreTest, error)
		}{{mn.Interval, MiettinenNurminenTest}, {mee.Interval, FarringtonManning}} {
			for _, limit := range []float64{k.iv.Lo, k.iv.Hi} {
				got, err := k.test(c[0], c[1], c[2], c[3], limit, TwoSided)
				if err != nil {
					t.Fatal(err)
				}
				within(t, "p at a limit", got.P, 0.05, 1e-9)
			}
		}
	}
}

// The restricted estimates maximise the likelihood on a fine grid.
func TestRestrictedProportionsMaximiseTheLikelihood(t *testing.T) {
	logLikelihood := func(x, n, p float64) float64 {
		var l float64
		if x > 0 {
			l += x * math.Log(p)
		}
		if n > x {
			l += (n - x) * math.Log1p(-p)
		}
		return l
	}
	for _, c := range [][4]float64{{56, 70, 48, 80}, {0, 10, 0, 12}, {10, 10, 12, 12}, {0, 9, 7, 7}, {3, 20000, 11, 20000}, {1, 4, 3, 4}} {
		for _, delta := range []float64{-0.9, -0.3, -1e-4, 0, 1e-4, 0.05, 0.5, 0.99} {
			p1, p2 := restrictedProportions(c[0], c[1], c[2], c[3], delta)
			within(t, "constraint", p2-p1, delta, 1e-15)
			if p1 < 0 || p1 > 1 || p2 < 0 || p2 > 1 {
				t.Errorf("%v at %v: estimates %v, %v", c, delta, p1, p2)
			}
			best := logLikelihood(c[0], c[1], p1) + logLikelihood(c[2], c[3], p2)
			lo, hi := math.Max(0, -delta), math.Min(1, 1-delta)
			for k := 1; k < 1000; k++ {
				g := lo + (hi-lo)*float64(k)/1000
				if l := logLikelihood(c[0], c[1], g) + logLikelihood(c[2], c[3], g+delta); l > best+1e-9*math.Abs(best) {
					t.Errorf("%v at %v: likelihood %v at p1 = %v exceeds %v at %v", c, delta, l, g, best, p1)
					break
				}
			}
		}
	}
}

func TestFarringtonManning(t *testing.T) {
	// With null 0 it is the pooled z.
	f, err := FarringtonManning(48, 80, 56, 70, 0, TwoSided)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pooled z", f.Statistic, pooledZ(48, 80, 56, 70), 1e-12)
	for _, alt := range []Alternative{TwoSided, Less, Greater} {
		none, err := FarringtonManning(0, 10, 0, 10, 0, alt)
		want := map[Alternative]float64{TwoSided: 1, Less: 0.5, Greater: 0.5}[alt]
		if err != nil || none.Statistic != 0 || none.P != want {
			t.Errorf("no events, %v: %+v, %v", alt, none, err)
		}
	}
	less, _ := FarringtonManning(5, 50, 9, 60, -0.1, Less)
	greater, _ := FarringtonManning(5, 50, 9, 60, -0.1, Greater)
	within(t, "one-sided p", less.P+greater.P, 1, 1e-12)
	mirror, _ := FarringtonManning(9, 60, 5, 50, 0.1, Less)
	within(t, "swapped arms", mirror.P, greater.P, 1e-12)
	for _, null := range []float64{-1, 1, math.NaN()} {
		_, err := FarringtonManning(1, 2, 1, 2, null, Less)
		wantError(t, "null", err, ErrDomain)
	}
	_, err = FarringtonManning(1, 0, 1, 2, 0, Less)
	wantError(t, "no trials", err, ErrTooFew)
}

func TestEmpiricalLogit(t *testing.T) {
	for _, c := range []struct {
		x, n int64
		want float64
	}{{0, 0, 0}, {5, 10, 0}, {0, 10, math.Log(0.5 / 10.5)}, {10, 10, math.Log(10.5 / 0.5)}} {
		got, err := EmpiricalLogit(c.x, c.n)
		if c.n == 0 {
			wantError(t, "no trials", err, ErrTooFew)
			continue
		}
		if err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("logit(%d, %d) = %v, %v, want %v", c.x, c.n, got, err, c.want)
		}
	}
}

func FuzzScoreInterval(f *testing.F) {
	f.Add(uint16(3), uint16(10), uint16(5), uint16(9), 0.95)
	f.Add(uint16(0), uint16(1), uint16(60000), uint16(60000), 0.5)
	f.Fuzz(func(t *testing.T, x1, n1, x2, n2 uint16, level float64) {
		e, err := MiettinenNurminen(int64(x1), int64(n1), int64(x2), int64(n2), level)
		if err != nil {
			return
		}
		iv := e.Interval
		if !(iv.Lo >= -1 && iv.Lo <= e.Value && e.Value <= iv.Hi && iv.Hi <= 1) {
			t.Errorf("%v around %v", iv, e.Value)
		}
	})
}

func BenchmarkMiettinenNurminen(b *testing.B) {
	for b.Loop() {
		if _, err := MiettinenNurminen(3, 20000, 11, 20000, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMidP(b *testing.B) {
	for b.Loop() {
		if _, err := MidP(1234, 1_000_000, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
