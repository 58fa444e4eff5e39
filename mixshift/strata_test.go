package mixshift

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func TestLogBin(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := rapid.Float64Range(1e-300, 1e300).Draw(r, "length")
		k := rapid.IntRange(1, 64).Draw(r, "per octave")
		b, err := LogBin(v, k)
		if err != nil || v < BinEdge(b, k) || v >= BinEdge(b+1, k) {
			r.Errorf("%v at %d per octave: bin %d from %v to %v, error %v", v, k, b, BinEdge(b, k), BinEdge(b+1, k), err)
		}
	})
	for v, want := range map[float64]int{0: ZeroBin, 1: 0, 2: 2, 1024: 20, 0.5: -2, 1.5: 1, 1023: 19} {
		if b := ok1(LogBin(v, 2))(t); b != want {
			t.Errorf("bin of %v is %d, want %d", v, b, want)
		}
	}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := LogBin(v, 2); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%v: error %v", v, err)
		}
	}
	if b := ok1(LogBin(5e-324, 64))(t); BinEdge(b, 64) > 5e-324 {
		t.Errorf("smallest length: bin %d", b)
	}
}

func TestStrataPartition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		length := rapid.Float64Range(0, 5000)
		x := rapid.SliceOfN(length, 1, 60).Draw(r, "x")
		y := rapid.SliceOfN(length, 1, 60).Draw(r, "y")
		o := StrataOptions{
			PerOctave:  rapid.IntRange(1, 5).Draw(r, "per octave"),
			MinCount:   float64(rapid.IntRange(0, 15).Draw(r, "min")),
			MaxOctaves: rapid.Float64Range(0.2, 4).Draw(r, "max"),
		}
		s, err := StrataOf(x, y, o)
		if err != nil {
			r.Fatal(err)
		}
		nx, ny, onlyX, onlyY := 0.0, 0.0, 0.0, 0.0
		for i, c := range s.Cells {
			nx, ny = nx+c.X, ny+c.Y
			if i > 0 && c.Lo < s.Cells[i-1].Hi {
				r.Errorf("strata overlap: %+v", s.Cells)
			}
			if c.first != c.last && c.Hi/c.Lo > math.Exp2(o.MaxOctaves)*(1+1e-9) {
				r.Errorf("stratum %+v is wider than %v octaves", c, o.MaxOctaves)
			}
			if c.Thin != (math.Min(c.X, c.Y) < o.MinCount) || c.Supported() != s.Support.Common[i] {
				r.Errorf("stratum %+v", c)
			}
			if !c.Supported() {
				onlyX, onlyY = onlyX+c.X/float64(len(x)), onlyY+c.Y/float64(len(y))
			}
			// A thin stratum has no neighbour it may merge with.
			if c.Thin && i > 0 && mergeable(s.Cells[i-1], c, o) {
				r.Errorf("strata %d and %d should have merged: %+v", i-1, i, s.Cells)
			}
		}
		if nx != float64(len(x)) || ny != float64(len(y)) {
			r.Errorf("units lost: %v of %d, %v of %d", nx, len(x), ny, len(y))
		}
		if math.Abs(onlyX-s.Support.OnlyX) > 1e-12 || math.Abs(onlyY-s.Support.OnlyY) > 1e-12 {
			r.Errorf("off the support %v and %v, want %v and %v", s.Support.OnlyX, s.Support.OnlyY, onlyX, onlyY)
		}
		for _, v := range x {
			i, ok := s.Find(v)
			if !ok || v < s.Cells[i].Lo || v > 0 && v >= s.Cells[i].Hi {
				r.Errorf("%v is found in stratum %d, %v", v, i, ok)
			}
		}
	})
}

func TestStrataEdges(t *testing.T) {
	o := DefaultStrataOptions()
	// Sixty-three tokens on one side, 1024 on the other: nothing to compare.
	s := ok1(StrataOf([]float64{63, 63}, []float64{1024}, o))(t)
	if s.Support.OnlyX != 1 || s.Support.OnlyY != 1 || len(s.Cells) != 2 {
		t.Errorf("disjoint lengths: %+v", s)
	}
	if _, ok := s.Find(300); ok {
		t.Error("a length between the strata is found")
	}
	if _, ok := s.Find(5000); ok {
		t.Error("a length above the strata is found")
	}
	if _, ok := s.Find(-1); ok {
		t.Error("a negative length is found")
	}
	// Lengths of 0 stay apart.
	s = ok1(StrataOf([]float64{0, 1, 1}, []float64{0, 0, 1}, o))(t)
	if len(s.Cells) != 2 || s.Cells[0].Hi != 0 || s.Cells[0].X != 1 {
		t.Errorf("length 0: %+v", s.Cells)
	}
	for _, bad := range []StrataOptions{{}, {PerOctave: 65, MaxOctaves: 1}, {PerOctave: 2}, {PerOctave: 2, MinCount: math.NaN(), MaxOctaves: 1}} {
		if _, err := StrataOf([]float64{1}, []float64{1}, bad); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
	if _, err := NewStrata([]BinCount{{1, 2, 0}}, o); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("empty side: error %v", err)
	}
	if _, err := NewStrata([]BinCount{{1, 2, 1}, {1, 1, 1}}, o); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("bin twice: error %v", err)
	}
	if _, err := NewStrata([]BinCount{{1, -2, 1}}, o); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("negative count: error %v", err)
	}
}

func FuzzStrata(f *testing.F) {
	f.Add(1.0, 50.0, 1000.0, 3, 5.0, 1.0)
	f.Fuzz(func(t *testing.T, a, b, c float64, k int, least, wide float64) {
		s, err := StrataOf([]float64{a, b}, []float64{b, c}, StrataOptions{k, least, wide})
		if err != nil {
			return
		}
		if i, ok := s.Find(b); !ok || s.Cells[i].X+s.Cells[i].Y < 2 {
			t.Errorf("%v is in stratum %d of %+v", b, i, s.Cells)
		}
	})
}
