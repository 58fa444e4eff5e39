package mixshift

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v within %v", what, got, want, tol)
	}
}

type cellInput struct{ wx, wy, rx, ry []float64 }

// drawCells draws cells, some of which a side lacks, but not all.
func drawCells(r *rapid.T) cellInput {
	n := rapid.IntRange(1, 8).Draw(r, "cells")
	var in cellInput
	for i := range n {
		wx, wy := rapid.Float64Range(0.1, 100).Draw(r, "wx"), rapid.Float64Range(0.1, 100).Draw(r, "wy")
		rx, ry := rapid.Float64Range(-1000, 1000).Draw(r, "rx"), rapid.Float64Range(-1000, 1000).Draw(r, "ry")
		if i > 0 {
			switch rapid.IntRange(0, 5).Draw(r, "absent") {
			case 0:
				wx, rx = 0, math.NaN()
			case 1:
				wy, ry = 0, math.NaN()
			case 2:
				wx, wy, rx, ry = 0, 0, math.NaN(), math.NaN()
			}
		}
		in.wx, in.wy, in.rx, in.ry = append(in.wx, wx), append(in.wy, wy), append(in.rx, rx), append(in.ry, ry)
	}
	return in
}

func TestTwoFoldAddsUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		in := drawCells(r)
		guard := slices.Clone(in.wx)
		kit, err1 := Kitagawa(in.wx, in.wy, in.rx, in.ry)
		swap, err2 := Kitagawa(in.wy, in.wx, in.ry, in.rx)
		like, err3 := LikeForLike(in.wx, in.wy, in.rx, in.ry)
		three, err4 := Threefold(in.wx, in.wy, in.rx, in.ry)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			r.Fatal(err)
		}
		const tol = 1e-9
		for name, s := range map[string]TwoFold{"kitagawa": kit, "like for like": like} {
			if s.Total != s.Rate+s.Mix {
				r.Errorf("%s: %v + %v is not %v", name, s.Rate, s.Mix, s.Total)
			}
			if math.Abs(s.Total-(s.MeanY-s.MeanX)) > tol {
				r.Errorf("%s: total %v, means %v and %v", name, s.Total, s.MeanX, s.MeanY)
			}
			rate, mix := 0.0, 0.0
			for i := range s.CellRate {
				rate, mix = rate+s.CellRate[i], mix+s.CellMix[i]
			}
			if rate != s.Rate || mix != s.Mix {
				r.Errorf("%s: cells add up to %v and %v, want %v and %v", name, rate, mix, s.Rate, s.Mix)
			}
			if s.Support.OnlyX == 0 && s.Support.OnlyY == 0 && s.OffSupport != 0 {
				r.Errorf("%s: %v off a full support", name, s.OffSupport)
			}
		}
		if math.Abs(kit.Rate+swap.Rate) > tol || math.Abs(kit.Mix+swap.Mix) > tol {
			r.Errorf("swap: %+v, %+v", kit, swap)
		}
		if three.Total != three.Mix+three.Rate+three.Interaction || math.Abs(three.Total-kit.Total) > tol {
			r.Errorf("threefold %+v, twofold %+v", three, kit)
		}
		if math.Abs(three.Rate-like.Rate) > tol || math.Abs(three.Rate+three.Interaction/2-kit.Rate) > tol {
			r.Errorf("threefold %+v, like for like %+v, kitagawa %+v", three, like, kit)
		}
		if !slices.Equal(guard, in.wx) {
			r.Error("argument changed")
		}
	})
}

func TestTwoFoldEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		why            string
		wx, wy, rx, ry []float64
		want           error
	}{
		{"no cells", nil, nil, nil, nil, stats.ErrDomain},
		{"unequal", []float64{1}, []float64{1, 2}, []float64{1}, []float64{1}, stats.ErrMismatch},
		{"no weight", []float64{0}, []float64{1}, []float64{1}, []float64{1}, stats.ErrDomain},
		{"negative weight", []float64{-1, 3}, []float64{1, 1}, []float64{1, 1}, []float64{1, 1}, stats.ErrDomain},
		{"NaN weight", []float64{nan}, []float64{1}, []float64{1}, []float64{1}, stats.ErrDomain},
		{"infinite weight", []float64{inf}, []float64{1}, []float64{1}, []float64{1}, stats.ErrDomain},
		{"rate missing", []float64{1}, []float64{1}, []float64{nan}, []float64{1}, stats.ErrDomain},
		{"nothing common", []float64{1, 0}, []float64{0, 1}, []float64{1, nan}, []float64{nan, 1}, stats.ErrImpossible},
		{"overflow", []float64{1}, []float64{1}, []float64{-1.7e308}, []float64{1.7e308}, stats.ErrDomain},
	} {
		if _, err := Kitagawa(c.wx, c.wy, c.rx, c.ry); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.why, err, c.want)
		}
		if _, err := Threefold(c.wx, c.wy, c.rx, c.ry); !errors.Is(err, c.want) {
			t.Errorf("threefold, %s: error %v, want %v", c.why, err, c.want)
		}
	}
	// A cell only y has: nothing changed where both are, all of it is mix.
	s := ok1(Kitagawa([]float64{10, 0}, []float64{10, 10}, []float64{5, nan}, []float64{5, 9}))(t)
	if s.Rate != 0 || s.Mix != 2 || s.OffSupport != 2 || s.Support.OnlyY != 0.5 {
		t.Errorf("cell of one side: %+v", s)
	}
}

// The traffic moved from short to long requests and nothing got slower (public
// case P29: 280 ms to 820 ms, all of it mix).
func TestTrafficMoved(t *testing.T) {
	read := func(name string) (class []int, latency []float64) {
		f, err := os.Open("testdata/P29/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows := ok1(csv.NewReader(f).ReadAll())(t)
		for _, row := range rows[1:] {
			latency = append(latency, ok1(strconv.ParseFloat(row[3], 64))(t))
			class = append(class, map[string]int{"short": 0, "long": 1}[row[1]])
		}
		return class, latency
	}
	cx, x := read("before.csv")
	cy, y := read("after.csv")
	byClass := func(class []int, latency []float64) (n, mean []float64) {
		n, mean = make([]float64, 2), make([]float64, 2)
		for i, c := range class {
			n[c]++
			mean[c] += latency[i]
		}
		for c := range n {
			mean[c] /= n[c]
		}
		return n, mean
	}
	nx, mx := byClass(cx, x)
	ny, my := byClass(cy, y)
	for name, split := range map[string]func(a, b, c, d []float64) (TwoFold, error){"kitagawa": Kitagawa, "like for like": LikeForLike} {
		s := ok1(split(nx, ny, mx, my))(t)
		if s.MeanX != 280 || s.MeanY != 820 || s.Rate != 0 || s.Total != s.Mix {
			t.Errorf("%s: %+v", name, s)
		}
		near(t, name, s.Mix, 540, 1e-9)
	}
	near(t, "mean at the first mix", ok1(ReweightedMean(cx, cy, y, 0.95))(t).Value, 280, 1e-9)
	parts, _, err := QuantileShift(cx, x, cy, y, []float64{0.5, 0.9})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if p.Rate != 0 || p.YLike != p.X {
			t.Errorf("quantile %v: %+v", p.Q, p)
		}
	}
	if parts[0].Mix != 900 {
		t.Errorf("median: %+v", parts[0])
	}
	one := func(count, mean []float64) Runs {
		return Runs{Count: [][]float64{count}, Statistic: meanOfCells([][]float64{mean})}
	}
	split := ok1(SplitRuns(one(nx, mx), one(ny, my), false))(t)
	p := ok1(split.Parts(Difference, 0.95))(t)
	near(t, "rate of one run", p.Rate.Value, 0, 1e-9)
	near(t, "mix of one run", p.Mix.Value, 540, 1e-9)
	if p.Rate.Warnings[0].Code != "one_run" || !math.IsInf(p.Rate.Interval.Lo, -1) {
		t.Errorf("one run a side: %+v", p.Rate)
	}
}

// meanOfCells is the weighted mean of the means of runs and strata.
func meanOfCells(mean [][]float64) func([][]float64) (float64, error) {
	return func(weight [][]float64) (float64, error) {
		m := 0.0
		for r, row := range weight {
			for h, w := range row {
				if w > 0 {
					m += w * mean[r][h]
				}
			}
		}
		return m, nil
	}
}
