package paired

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func tables(most int) *rapid.Generator[Table] {
	return rapid.Custom(func(r *rapid.T) Table {
		count := rapid.IntRange(0, most)
		t := Table{count.Draw(r, "both"), count.Draw(r, "onlyX"), count.Draw(r, "onlyY"), count.Draw(r, "neither")}
		if t.N() == 0 {
			t.Both = 1
		}
		return t
	})
}

var tableIntervals = map[string]func(Table, float64) (stats.Estimate, error){
	"tango": TangoScore, "newcombe": Newcombe, "wald": Wald, "bonett-price": BonettPrice, "agresti-min": AgrestiMin,
}

func TestTableIntervalLaws(t *testing.T) {
	for name, f := range tableIntervals {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				tab := tables(rapid.SampledFrom([]int{3, 50, 10_000_000}).Draw(r, "most")).Draw(r, "table")
				e, err := f(tab, 0.9)
				swapped, err2 := f(tab.Swap(), 0.9)
				wide, err3 := f(tab, 0.99)
				if err != nil || err2 != nil || err3 != nil {
					r.Fatal(err, err2, err3)
				}
				if iv := e.Interval; !(iv.Lo >= -1 && iv.Hi <= 1 && iv.Lo <= iv.Hi) {
					r.Errorf("limits %v", iv)
				}
				if s := swapped; s.Value != -e.Value || math.Abs(s.Interval.Lo+e.Interval.Hi) > 1e-12 || math.Abs(s.Interval.Hi+e.Interval.Lo) > 1e-12 {
					r.Errorf("swap: %+v and %+v", e, s)
				}
				if w := wide.Interval; w.Lo > e.Interval.Lo || w.Hi < e.Interval.Hi {
					r.Errorf("99%% %v inside 90%% %v", w, e.Interval)
				}
				if name == "tango" && (!e.Interval.Contains(e.Value) || e.Interval.Width() <= 0) {
					r.Errorf("tango %+v", e)
				}
			})
		})
	}
}

// The interval is the set of null values that the test does not reject.
func TestTangoInverts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tab := tables(rapid.SampledFrom([]int{4, 300, 10_000_000}).Draw(r, "most")).Draw(r, "table")
		level := rapid.Float64Range(0.5, 0.999).Draw(r, "level")
		e, err := TangoScore(tab, level)
		if err != nil {
			r.Fatal(err)
		}
		for _, limit := range []float64{e.Interval.Lo, e.Interval.Hi} {
			if math.Abs(limit) >= 1-1e-12 {
				continue
			}
			test, err := TangoTest(tab, limit, stats.TwoSided)
			if err != nil {
				r.Fatal(err)
			}
			if math.Abs(test.P-(1-level)) > 1e-5 {
				r.Errorf("p = %v at the limit %v of level %v", test.P, limit, level)
			}
		}
	})
}

func TestTangoMonotone(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tab := tables(rapid.SampledFrom([]int{4, 300, 10_000_000}).Draw(r, "most")).Draw(r, "table")
		a, b := rapid.Float64Range(-1, 1).Draw(r, "a"), rapid.Float64Range(-1, 1).Draw(r, "b")
		x, y, n := float64(tab.OnlyX), float64(tab.OnlyY), float64(tab.N())
		za, zb := tangoZ(x, y, n, math.Min(a, b)), tangoZ(x, y, n, math.Max(a, b))
		if math.IsNaN(za) || math.IsNaN(zb) || za < zb-1e-9*(1+math.Abs(za)) {
			r.Errorf("z(%v) = %v, z(%v) = %v for %+v", a, za, b, zb, tab)
		}
	})
}

func TestTangoEdges(t *testing.T) {
	z2 := math.Pow(stats.NormalQuantile(0.975), 2)
	for _, n := range []int{1, 2, 10, 1000, 10_000_000} {
		e := ok1(TangoScore(Table{Neither: n}, 0.95))(t)
		want := z2 / (float64(n) + z2) // no discordant item: ±z²/(N+z²)
		if math.Abs(e.Interval.Hi-want) > 1e-9*want || math.Abs(e.Interval.Lo+want) > 1e-9*want {
			t.Errorf("n=%d: %v, want ±%v", n, e.Interval, want)
		}
		if all := ok1(TangoScore(Table{OnlyY: n}, 0.95))(t); all.Interval.Hi != 1 || !(all.Interval.Lo < 1) {
			t.Errorf("all items better: %v", all.Interval)
		}
		if all := ok1(TangoScore(Table{OnlyX: n}, 0.95))(t); all.Interval.Lo != -1 {
			t.Errorf("all items worse: %v", all.Interval)
		}
	}
	if test := ok1(TangoTest(Table{Both: 5}, 0, stats.TwoSided))(t); test.Statistic != 0 || test.P != 1 {
		t.Errorf("no discordance at 0: %+v", test)
	}
	for _, bad := range []Table{{}, {Both: -1, OnlyX: 5}, {OnlyX: -3}} {
		if _, err := TangoScore(bad, 0.95); !errors.Is(err, stats.ErrTooFew) && !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
	for _, level := range []float64{0, 1, -1, math.NaN(), math.Inf(1)} {
		if _, err := TangoScore(Table{Both: 3}, level); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("level %v: error %v", level, err)
		}
	}
	for _, m := range []float64{0, 1, -0.1, math.NaN(), math.Inf(1)} {
		if _, err := TangoNoninferiority(Table{Both: 3}, m); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("margin %v: error %v", m, err)
		}
	}
	if _, err := TangoTest(Table{Both: 3}, 0.1, stats.Alternative(9)); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("unknown alternative: error %v", err)
	}
}

// The test rejects as often as the enumeration of stats says, and at the
// boundary not more often than alpha: the size table that made Tango the
// default (N 200, margin 3 points, discordance 5 %: 0.043).
func TestTangoSize(t *testing.T) {
	const n, margin, psi, alpha = 200, 0.03, 0.05, 0.05
	gain, loss := (psi-margin)/2, (psi+margin)/2
	reject := 0.0
	for m := 0; m <= n; m++ {
		pm := stats.BinomialPMF(m, n, psi)
		if pm < 1e-14 {
			continue
		}
		for k := 0; k <= m; k++ {
			tab := Table{Both: n - m, OnlyY: k, OnlyX: m - k}
			if ok1(TangoNoninferiority(tab, margin))(t).P <= alpha {
				reject += pm * stats.BinomialPMF(k, m, gain/psi)
			}
		}
	}
	if math.Abs(reject-0.043) > 5e-4 {
		t.Errorf("size %v, want .043", reject)
	}
	want := ok1(stats.PairedBinaryNIPower(n, gain, loss, margin, alpha))(t)
	if math.Abs(reject-want) > 1e-9 {
		t.Errorf("size %v, enumerated by stats %v", reject, want)
	}
}

// Exact coverage of the 95 % intervals at 50 items, discordance 5 %, true
// difference −2 points: Tango .978, Bonett–Price .998, Wald .827.
func TestTableIntervalCoverage(t *testing.T) {
	const n, psi, delta = 50, 0.05, -0.02
	covered := map[string]float64{}
	for m := 0; m <= n; m++ {
		for k := 0; k <= m; k++ {
			p := stats.BinomialPMF(m, n, psi) * stats.BinomialPMF(k, m, (psi+delta)/2/psi)
			if p < 1e-14 {
				continue
			}
			for name, f := range tableIntervals {
				if ok1(f(Table{Both: n - m, OnlyY: k, OnlyX: m - k}, 0.95))(t).Interval.Contains(delta) {
					covered[name] += p
				}
			}
		}
	}
	for name, want := range map[string]float64{"tango": 0.978, "bonett-price": 0.998, "wald": 0.827} {
		near(t, name, covered[name], want, 6e-4)
	}
}

func FuzzTangoScore(f *testing.F) {
	f.Add(1, 2, 3, 4, 0.95)
	f.Add(0, 0, 0, 0, 0.5)
	f.Add(10_000_000, 1, 0, 0, 0.999999)
	f.Fuzz(func(t *testing.T, a, b, c, d int, level float64) {
		e, err := TangoScore(Table{a, b, c, d}, level)
		if err == nil && !(e.Interval.Lo <= e.Value && e.Value <= e.Interval.Hi) {
			t.Errorf("%d %d %d %d: %+v", a, b, c, d, e)
		}
	})
}

func BenchmarkTangoScore(b *testing.B) {
	for b.Loop() {
		if _, err := TangoScore(Table{14000, 260, 310, 5430}, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
