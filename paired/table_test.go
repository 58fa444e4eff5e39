package paired

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func TestNewTable(t *testing.T) {
	x, y := []bool{true, true, false, false, true}, []bool{true, false, true, false, true}
	if tab := ok1(NewTable(x, y))(t); tab != (Table{2, 1, 1, 1}) || tab.N() != 5 || tab.Discordant() != 2 {
		t.Errorf("table %+v", tab)
	}
	if _, err := NewTable(x, y[:4]); !errors.Is(err, stats.ErrMismatch) {
		t.Errorf("unequal lengths: error %v", err)
	}
	if d := (Table{}).Difference(); d != 0 {
		t.Errorf("difference of nothing: %v", d)
	}
	if err := (Table{Both: math.MaxInt, OnlyX: math.MaxInt, OnlyY: math.MaxInt}).Validate(); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("counts that overflow: error %v", err)
	}
}

func TestMatch(t *testing.T) {
	m := ok1(Match([]string{"c", "a", "d"}, []string{"b", "a", "c", "e"}))(t)
	want := Matching{X: []int{1, 0}, Y: []int{1, 2}, OnlyX: []int{2}, OnlyY: []int{0, 3}}
	if !slices.Equal(m.X, want.X) || !slices.Equal(m.Y, want.Y) || !slices.Equal(m.OnlyX, want.OnlyX) || !slices.Equal(m.OnlyY, want.OnlyY) {
		t.Errorf("got %+v, want %+v", m, want)
	}
	if _, err := Match([]int{1, 2, 1}, []int{1}); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("twice the same key: error %v", err)
	}
	if _, err := Match([]float64{1}, []float64{math.NaN(), math.NaN()}); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("NaN keys: error %v", err)
	}
	if m := ok1(Match([]int{}, []int{3}))(t); len(m.X) != 0 || len(m.OnlyY) != 1 {
		t.Errorf("empty list: %+v", m)
	}
	if _, err := Pick([]int{1, 2}, []int{2}); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("position outside: error %v", err)
	}
}

func TestMatchLosesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 0, 20, rapid.ID[int])
		x, y := keys.Draw(r, "x"), keys.Draw(r, "y")
		m, err := Match(x, y)
		if err != nil {
			r.Fatal(err)
		}
		if len(m.X) != len(m.Y) || len(m.X)+len(m.OnlyX) != len(x) || len(m.Y)+len(m.OnlyY) != len(y) {
			r.Errorf("items lost: %+v of %v %v", m, x, y)
		}
		for i := range m.X {
			if x[m.X[i]] != y[m.Y[i]] {
				r.Errorf("%v is paired with %v", x[m.X[i]], y[m.Y[i]])
			}
		}
	})
}

func TestMcNemarLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tab := tables(rapid.SampledFrom([]int{3, 40, 5_000_000}).Draw(r, "most")).Draw(r, "table")
		exact, err1 := McNemarExact(tab)
		mid, err2 := McNemarMidP(tab)
		chi, err3 := McNemarChiSquared(tab, false)
		cc, err4 := McNemarChiSquared(tab, true)
		tango, err5 := TangoTest(tab, 0, stats.TwoSided)
		if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
			r.Fatal(err)
		}
		for _, test := range []stats.Test{exact, mid, chi, cc} {
			if !(test.P >= 0 && test.P <= 1) {
				r.Errorf("%+v: %+v", tab, test)
			}
		}
		if mid.P > exact.P || chi.P > cc.P {
			r.Errorf("%+v: mid-p %v above exact %v, or chi %v above corrected %v", tab, mid.P, exact.P, chi.P, cc.P)
		}
		if math.Abs(tango.P-chi.P) > 1e-9 {
			r.Errorf("%+v: score test at 0 %v, chi-squared %v", tab, tango.P, chi.P)
		}
		if s, err := McNemarMidP(tab.Swap()); err != nil || s.P != mid.P {
			r.Errorf("%+v: swapped p %v, %v", tab, s.P, mid.P)
		}
	})
}

func TestMcNemarWithoutDiscordance(t *testing.T) {
	for _, f := range []func(Table) (stats.Test, error){McNemarExact, McNemarMidP, func(t Table) (stats.Test, error) { return McNemarChiSquared(t, true) }} {
		if test := ok1(f(Table{Both: 3, Neither: 2}))(t); test.P != 1 || test.Statistic != 0 {
			t.Errorf("no discordant item: %+v", test)
		}
		if _, err := f(Table{}); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("empty table: error %v", err)
		}
	}
}

func TestSmallestMargin(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		iv   stats.Interval
		alt  stats.Alternative
		want float64
		why  string
	}{
		{stats.Interval{Lo: -0.03, Hi: 0.01}, stats.Greater, 0.03, "a decrease of 3 points is not excluded"},
		{stats.Interval{Lo: -0.03, Hi: 0.01}, stats.Less, 0.01, "an increase of 1 point is not excluded"},
		{stats.Interval{Lo: -0.03, Hi: 0.01}, stats.TwoSided, 0.03, "equivalence needs both"},
		{stats.Interval{Lo: 0.01, Hi: 0.02}, stats.Greater, 0, "an improvement passes any margin"},
		{stats.Interval{Lo: -inf, Hi: 0.02}, stats.Greater, inf, "nothing bounds the harm"},
	} {
		if got := ok1(SmallestMargin(c.iv, c.alt))(t); got != c.want {
			t.Errorf("%s: %v, want %v", c.why, got, c.want)
		}
	}
	for _, iv := range []stats.Interval{{Lo: 1, Hi: 0}, {Lo: math.NaN(), Hi: 1}} {
		if _, err := SmallestMargin(iv, stats.Greater); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%v: error %v", iv, err)
		}
	}
}

// A margin just above the smallest passes the test at α, one just below fails.
func TestSmallestMarginInvertsTango(t *testing.T) {
	const alpha = 0.05
	for _, tab := range []Table{{400, 22, 18, 60}, {43, 1, 0, 0}, {14000, 310, 260, 5430}} {
		m := ok1(SmallestMargin(ok1(TangoScore(tab, 1-2*alpha))(t).Interval, stats.Greater))(t)
		if p := ok1(TangoNoninferiority(tab, m*1.0001))(t).P; p > alpha {
			t.Errorf("%+v: margin %v does not pass: p = %v", tab, m, p)
		}
		if p := ok1(TangoNoninferiority(tab, m*0.9999))(t).P; p <= alpha {
			t.Errorf("%+v: a margin below %v passes: p = %v", tab, m, p)
		}
	}
}

func TestItemsNeeded(t *testing.T) {
	// Discordance 10 %, margin 3 points, one-sided 5 %, power 80 %: 717 (Nam 1997).
	tab := Table{Both: 80, OnlyX: 6, OnlyY: 4, Neither: 10}
	if n := ok1(ItemsNeeded(tab, 0.03, 0, 0.05, 0.8, stats.Greater))(t).N; n != 717 {
		t.Errorf("%d items, want 717", n)
	}
	if n := ok1(ItemsNeeded(tab, 0.03, 0, 0.05, 0.8, stats.Less))(t).N; n != 717 {
		t.Errorf("%d items when an increase is harm, want 717", n)
	}
	if _, err := ItemsNeeded(tab, 0.03, -0.04, 0.05, 0.8, stats.Greater); !errors.Is(err, stats.ErrImpossible) {
		t.Errorf("true change beyond the margin: error %v", err)
	}
	if n := ok1(ItemsNeeded(Table{Both: 100}, 0.03, 0, 0.05, 0.8, stats.Greater))(t).N; n <= 0 {
		t.Errorf("no discordant item: %d", n)
	}
	if _, err := ItemsNeeded(tab, 0.03, 0, 0.05, 0.8, stats.TwoSided); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("two-sided: error %v", err)
	}
}
