package bootstrap

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestOrderStatisticLawByEnumeration(t *testing.T) {
	x := []float64{5, 1, 9, 3, 3, 7}
	for rank := 1; rank <= 6; rank++ {
		l := must[Law](t)(OrderStatisticLaw(x, rank))
		e := must[Law](t)(Enumerate(6, func(index []int) float64 {
			v := make([]float64, 6)
			for i, j := range index {
				v[i] = x[j]
			}
			slices.Sort(v)
			return v[rank-1]
		}))
		if l.Len() != e.Len() || l.Value() != e.Value() || !near(l.Mean(), e.Mean()) || !near(l.SE(), e.SE()) {
			t.Errorf("rank %d: %v, %v", rank, l, e)
		}
		for i := range l.Len() {
			v, p := l.At(i)
			w, q := e.At(i)
			if v != w || math.Abs(p-q) > 1e-12 {
				t.Errorf("rank %d: P(%v) = %v, enumeration P(%v) = %v", rank, v, p, w, q)
			}
		}
	}
}

// The limits that need no law: x at the rank where Beta quantile falls.
func TestOrderStatisticLawOfManyValues(t *testing.T) {
	n := 200000
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	l := must[Law](t)(QuantileLaw(x, 0.99))
	e := must[stats.Estimate](t)(l.Percentile(0.95))
	for _, c := range []struct{ a, got float64 }{{0.025, e.Interval.Lo}, {0.975, e.Interval.Hi}} {
		want := math.Ceil(float64(n) * stats.BetaQuantile(c.a, 198000, 2001))
		if math.Abs(c.got-want) > 1 {
			t.Errorf("limit at %v: %v, want %v", c.a, c.got, want)
		}
	}
	if l.Len() > 2000 {
		t.Errorf("%d values carry the law", l.Len())
	}
	// Drawing from the inverse CDF has the same law.
	opt := Options{Replicates: 20000, Seed: 1}
	rep := must[[]float64](t)(QuantileReplicates(n, 0.99, func(u float64) float64 { return math.Ceil(u * float64(n)) }, opt))
	d := must[Law](t)(FromReplicates(l.Value(), rep, n))
	if math.Abs(d.SE()/l.SE()-1) > 0.03 || math.Abs(d.Mean()-l.Mean()) > 4.5*l.SE()/math.Sqrt(20000) {
		t.Errorf("exact %v ± %v, drawn %v ± %v", l.Mean(), l.SE(), d.Mean(), d.SE())
	}
}

func TestOrderStatisticRefuses(t *testing.T) {
	x := []float64{3, 1, 2}
	_, err := OrderStatisticLaw(nil, 1)
	wantError(t, err, stats.ErrTooFew, "empty")
	for _, rank := range []int{0, 4, -1} {
		_, err = OrderStatisticLaw(x, rank)
		wantError(t, err, stats.ErrDomain, "rank")
	}
	_, err = OrderStatisticLaw([]float64{1, math.NaN()}, 1)
	wantError(t, err, stats.ErrDomain, "NaN")
	_, err = QuantileLaw(x, 1)
	wantError(t, err, stats.ErrDomain, "q")
	_, err = QuantileReplicates(2, 0.5, nil, Options{})
	wantError(t, err, stats.ErrTooFew, "n")
	_, err = QuantileReplicates(9, 0, nil, Options{})
	wantError(t, err, stats.ErrDomain, "q")
	_, err = QuantileReplicates(9, 0.5, nil, Options{Workers: -2})
	wantError(t, err, stats.ErrDomain, "options")
	if !slices.Equal(x, []float64{3, 1, 2}) {
		t.Error("argument changed")
	}
	for n, want := range map[int]int{1: 1, 10: 3, 100: 29, 1000: 290} {
		if got := must[int](t)(quantileRank(n, 0.29)); got != want {
			t.Errorf("0.29 of %d values has rank %d, want %d", n, got, want)
		}
	}
}

func TestProductLaws(t *testing.T) {
	x := must[Law](t)(OrderStatisticLaw([]float64{1, 2, 4}, 2))
	y := must[Law](t)(OrderStatisticLaw([]float64{3, 5, 8}, 2))
	d, back := must[Law](t)(Difference(x, y)), must[Law](t)(Difference(y, x))
	if !near(d.Mean(), y.Mean()-x.Mean()) || !near(d.SE(), math.Hypot(x.SE(), y.SE())) || !near(back.Mean(), -d.Mean()) {
		t.Errorf("%v, %v", d, back)
	}
	r := must[Law](t)(Ratio(x, y))
	if r.Value() != 2.5 || r.Units() != 3 {
		t.Errorf("%v", r)
	}
	neg := must[Law](t)(OrderStatisticLaw([]float64{-1, 0, 4}, 2))
	_, err := Ratio(neg, y)
	wantError(t, err, stats.ErrDomain, "ratio to values that reach below 0")
	drawn := must[Law](t)(FromReplicates(1, []float64{1, 2, 3}, 3))
	_, err = Difference(drawn, y)
	wantError(t, err, stats.ErrDomain, "drawn law")
	_, err = Ratio(x, drawn)
	wantError(t, err, stats.ErrDomain, "drawn law")
	big := make([]float64, 100000)
	for i := range big {
		big[i] = float64(i)
	}
	l := must[Law](t)(QuantileLaw(big, 0.5))
	_, err = Difference(l, l)
	wantError(t, err, stats.ErrImpossible, "pairs")
}
