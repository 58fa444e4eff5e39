package sketch

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestSketchExact(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		s := New(len(xs))
		s.AddSlice(xs)
		sorted := sortedCopy(xs)
		if !s.Exact() || s.N() != int64(len(xs)) || s.RelativeError() != 0 {
			t.Fatalf("exact %v n %d", s.Exact(), s.N())
		}
		if s.Min() != sorted[0] || s.Max() != sorted[len(xs)-1] {
			t.Fatalf("%v to %v", s.Min(), s.Max())
		}
		for _, q := range levels {
			want, magnitude := type7(sorted, q)
			got, err := s.Quantile(q)
			if err != nil || math.Abs(got-want) > rounding*magnitude+1e-322 {
				t.Fatalf("q %v: %v (%v), want %v", q, got, err, want)
			}
		}
		if !slices.Equal(s.Sorted(), sorted) {
			t.Fatal("sorted values differ")
		}
		if s.Min() != sorted[0] || s.Max() != sorted[len(xs)-1] {
			t.Fatalf("sorted: %v to %v", s.Min(), s.Max())
		}
		sameHist(t, "Hist", s.Hist(), newHist(t, DefaultBits, xs))
		s.Add(sorted[0])
		if s.Exact() || s.Sorted() != nil || s.N() != int64(len(xs))+1 {
			t.Fatal("still exact beyond the limit")
		}
	})
}

func TestSketchLimits(t *testing.T) {
	var zero Sketch
	if zero.Limit() != DefaultLimit || New(0).Limit() != DefaultLimit || New(-5).Limit() != HistogramOnly || zero.Bits() != DefaultBits {
		t.Error("defaults")
	}
	s := New(HistogramOnly)
	s.Add(math.NaN())
	s.Add(1)
	s.Add(math.Inf(1))
	if s.Exact() || s.N() != 1 || s.Invalid() != 2 {
		t.Errorf("exact %v n %d invalid %d", s.Exact(), s.N(), s.Invalid())
	}
	s = New(10)
	s.AddSlice([]float64{1, 2, 3})
	s.SetLimit(3)
	if !s.Exact() || s.Limit() != 3 {
		t.Error("limit 3 with 3 values")
	}
	s.SetLimit(2)
	if s.Exact() || s.N() != 3 {
		t.Error("limit 2 with 3 values")
	}
	s.SetLimit(100)
	if s.Exact() {
		t.Error("exact again")
	}
	if _, err := NewBits(1, 99); !errors.Is(err, ErrDomain) {
		t.Error(err)
	}
	if s, err := NewBits(HistogramOnly, 7); err != nil || s.Bits() != 7 {
		t.Error(err)
	}
	if _, err := zero.Quantile(0.5); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := zero.Quantile(2); !errors.Is(err, ErrDomain) {
		t.Error(err)
	}
	if !math.IsNaN(zero.Min()) || !math.IsNaN(zero.Max()) || !math.IsNaN(zero.CDF(0)) || !zero.Exact() {
		t.Error("empty")
	}
}

func TestSketchCDF(t *testing.T) {
	s := New(0)
	s.AddSlice([]float64{3, 1, 2, 2})
	for v, want := range map[float64]float64{0: 0, 1: 0.25, 1.5: 0.25, 2: 0.75, 3: 1, math.Inf(1): 1, math.Inf(-1): 0} {
		if got := s.CDF(v); got != want {
			t.Errorf("F(%v) = %v, want %v", v, got, want)
		}
	}
	if !math.IsNaN(s.CDF(math.NaN())) {
		t.Error("F(NaN)")
	}
	s.SetLimit(HistogramOnly)
	if got := s.CDF(2.5); got != 0.75 {
		t.Errorf("histogram F(2.5) = %v", got)
	}
}

// A slice once handed out stays as it is.
func TestSketchSortedIsStable(t *testing.T) {
	s := New(100)
	s.AddSlice([]float64{3, 1, 2})
	held := s.Sorted()
	o := New(100)
	o.AddSlice([]float64{0, 9})
	c := s.Clone()
	for _, change := range []func(){
		func() { s.Add(0.5) },
		func() { s.Sorted(); s.AddSlice([]float64{0, 7}) },
		func() {
			if err := s.Merge(o); err != nil {
				t.Error(err)
			}
			s.Sorted()
		},
		func() { s.SetLimit(HistogramOnly) },
	} {
		change()
		if !slices.Equal(held, []float64{1, 2, 3}) {
			t.Fatalf("held %v", held)
		}
	}
	if !slices.Equal(c.Sorted(), []float64{1, 2, 3}) {
		t.Error("clone changed")
	}
}

// What a sketch answers is a function of the values and the limit alone.
func TestSketchMergeLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, shape := range shapes {
		for range 20 {
			n := 1 + r.IntN(300)
			limit := 1 + r.IntN(300)
			xs := draws(r.Uint64(), n, shape.draw)
			whole := New(limit)
			whole.AddSlice(xs)
			if whole.Exact() != (n <= limit) {
				t.Fatalf("n %d limit %d exact %v", n, limit, whole.Exact())
			}
			var parts []*Sketch
			for rest := xs; len(rest) > 0; {
				k := 1 + r.IntN(len(rest))
				p := New(limit)
				for _, v := range rest[:k] {
					p.Add(v)
				}
				parts = append(parts, p)
				rest = rest[k:]
			}
			parts = append(parts, New(limit), new(Sketch))
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			for len(parts) > 1 { // a random tree of merges
				i := r.IntN(len(parts) - 1)
				m := new(Sketch)
				if r.IntN(2) == 0 {
					m = parts[i]
				} else if err := m.Merge(parts[i]); err != nil {
					t.Fatal(err)
				}
				if err := m.Merge(parts[i+1]); err != nil {
					t.Fatal(err)
				}
				parts = slices.Delete(parts, i, i+1)
				parts[i] = m
			}
			sameSketch(t, shape.name, parts[0], whole)
		}
	}
}

func sameSketch(t testing.TB, what string, got, want *Sketch) {
	t.Helper()
	if got.Exact() != want.Exact() || got.Limit() != want.Limit() || got.Bits() != want.Bits() || got.Invalid() != want.Invalid() {
		t.Fatalf("%s: exact %v limit %d bits %d invalid %d; want %v %d %d %d", what, got.Exact(), got.Limit(), got.Bits(),
			got.Invalid(), want.Exact(), want.Limit(), want.Bits(), want.Invalid())
	}
	if !reflect.DeepEqual(got.Table(), want.Table()) {
		t.Fatalf("%s:\n%v\n%v", what, got.Table(), want.Table())
	}
}

func TestSketchMergeErrors(t *testing.T) {
	a := New(10)
	a.Add(1)
	b, _ := NewBits(10, 7)
	if err := a.Merge(b); !errors.Is(err, ErrLayout) {
		t.Errorf("bits: %v", err)
	}
	if err := a.Merge(nil); err != nil {
		t.Error(err)
	}
	h := NewHistogram()
	if err := h.AddN(1, math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	before := a.Clone()
	if err := a.Merge(FromHistogram(h)); !errors.Is(err, ErrOverflow) {
		t.Errorf("overflow: %v", err)
	}
	sameSketch(t, "after a refused merge", a, before)

	small := New(3)
	small.Add(5)
	if err := a.Merge(small); err != nil || a.Limit() != 3 {
		t.Errorf("limit %d, %v", a.Limit(), err)
	}
	if err := a.Merge(a); err != nil || a.N() != 4 || a.Exact() {
		t.Errorf("itself: n %d exact %v %v", a.N(), a.Exact(), err)
	}
	if err := a.Merge(a); err != nil || a.N() != 8 {
		t.Errorf("itself: n %d %v", a.N(), err)
	}
}

func TestFromHistogram(t *testing.T) {
	h := NewHistogram()
	h.Add(math.NaN())
	s := FromHistogram(h)
	if s.N() != 0 || s.Invalid() != 1 || !s.Exact() {
		t.Error("empty histogram")
	}
	h.AddSlice([]float64{1, 2})
	s = FromHistogram(h)
	h.Add(3)
	if s.N() != 2 || s.Exact() || s.Invalid() != 1 {
		t.Error("not a copy")
	}
}

func TestRadixSort(t *testing.T) {
	for _, shape := range shapes {
		for _, n := range []int{radixMin - 1, radixMin, 3000, 20000} {
			xs := draws(9, n, shape.draw)
			for i := range xs {
				xs[i] += 0
			}
			want := sortedCopy(xs)
			if got := sortFloats(xs); !slices.Equal(got, want) {
				t.Fatalf("%s, n %d", shape.name, n)
			}
		}
	}
	for _, v := range []float64{0, 1, -1, 5e-324, -5e-324, math.MaxFloat64, -math.MaxFloat64} {
		if fromOrderedBits(orderedBits(v)) != v {
			t.Error(v)
		}
	}
}
