package paired

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

// completions calls f with every table that the absent outcomes allow.
func completions(in Incomplete, f func(Table)) {
	for a := range in.RightX + 1 { // right in y as well
		for b := range in.WrongX + 1 { // right in y
			for c := range in.RightY + 1 { // right in x as well
				for d := range in.WrongY + 1 { // right in x
					for u1 := range in.Unknown + 1 {
						for u2 := range in.Unknown - u1 + 1 {
							f(in.Complete.Add(Table{
								Both:    a + c + in.Unknown - u1 - u2,
								OnlyX:   in.RightX - a + d + u1,
								OnlyY:   b + in.RightY - c + u2,
								Neither: in.WrongX - b + in.WrongY - d,
							}))
						}
					}
				}
			}
		}
	}
}

// Whatever the absent outcomes would have been, value and interval lie within
// the bounds.
func TestTangoBoundsCoverEveryCompletion(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		few := rapid.IntRange(0, 3)
		in := Incomplete{
			Complete: tables(rapid.SampledFrom([]int{1, 4, 40}).Draw(r, "most")).Draw(r, "complete"),
			RightX:   few.Draw(r, "rx"), WrongX: few.Draw(r, "wx"),
			RightY: few.Draw(r, "ry"), WrongY: few.Draw(r, "wy"), Unknown: few.Draw(r, "u"),
		}
		level := rapid.SampledFrom([]float64{0.5, 0.9, 0.95, 0.999}).Draw(r, "level")
		b, err := TangoBounds(in, level)
		if err != nil {
			r.Fatal(err)
		}
		completions(in, func(tab Table) {
			if tab.N() != in.N() {
				r.Fatalf("completion %+v of %+v loses items", tab, in)
			}
			e, err := TangoScore(tab, level)
			if err != nil {
				r.Fatal(err)
			}
			if e.Value < b.Lowest.Value || e.Value > b.Highest.Value || e.Interval.Lo < b.Interval.Lo-1e-12 || e.Interval.Hi > b.Interval.Hi+1e-12 {
				r.Errorf("%+v: completion %+v has %v %v outside %+v", in, tab, e.Value, e.Interval, b)
			}
		})
		if w := in.AsWrong(); w.N() != in.N() || in.Swap().AsWrong() != w.Swap() || in.Swap().Lowest() != in.Highest().Swap() {
			r.Errorf("%+v: counts are lost or swapped", in)
		}
	})
}

func TestTangoBoundsEdges(t *testing.T) {
	whole := Incomplete{Complete: Table{5, 1, 2, 3}}
	b := ok1(TangoBounds(whole, 0.95))(t)
	if e := ok1(TangoScore(whole.Complete, 0.95))(t); b.Interval != e.Interval || b.Lowest.Value != e.Value {
		t.Errorf("without absent outcomes: %+v, want %+v", b, e)
	}
	if b := ok1(TangoBounds(Incomplete{Unknown: 4}, 0.95))(t); b.Interval.Lo != -1 || b.Interval.Hi != 1 {
		t.Errorf("nothing known: %+v", b.Interval)
	}
	if _, err := TangoBounds(Incomplete{}, 0.95); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("no items: error %v", err)
	}
	if _, err := TangoBounds(Incomplete{Complete: Table{Both: 5}, RightX: -1}, 0.95); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("negative count: error %v", err)
	}
	if c := (Incomplete{}).Coverage(); c != 0 {
		t.Errorf("coverage of nothing: %v", c)
	}
}
