package sketch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestLayout(t *testing.T) {
	for _, bits := range []int{1, 5, 7, DefaultBits, MaxBits} {
		top := 2 + binsPerSide(bits)
		for _, i := range []int32{0, 1, 2, 3, 1000 % top, top / 2, top - 1, top, -1, -2, -top + 1, -top} {
			lower, upper, ok := BinEdges(bits, i)
			if !ok || lower > upper {
				t.Fatalf("bits %d bin %d: %v to %v", bits, i, lower, upper)
			}
			inside, outside := lower, upper
			if i < 0 {
				inside, outside = upper, lower
			}
			if i == 1 || i == -1 {
				inside = math.Copysign(5e-324, float64(i))
			}
			if got, ok := BinIndex(bits, inside); !ok || got != i {
				t.Errorf("bits %d: value %v in bin %d, want %d", bits, inside, got, i)
			}
			if i != 0 && i != top && i != -top {
				want := i + 1
				if i < 0 {
					want = i - 1
				}
				if got, _ := BinIndex(bits, outside); got != want {
					t.Errorf("bits %d: value %v in bin %d, want %d", bits, outside, got, want)
				}
			}
		}
		if _, _, ok := BinEdges(bits, top+1); ok {
			t.Errorf("bits %d: bin %d exists", bits, top+1)
		}
		if _, _, ok := BinEdges(bits, math.MinInt32); ok {
			t.Errorf("bits %d: bin %d exists", bits, math.MinInt32)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, ok := BinIndex(DefaultBits, v); ok {
			t.Errorf("value %v has a bin", v)
		}
	}
	for _, bits := range []int{-1, 0, MaxBits + 1} {
		if _, ok := BinIndex(bits, 1); ok {
			t.Errorf("%d bits have bins", bits)
		}
		if _, err := NewHistogramBits(bits); !errors.Is(err, ErrDomain) {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
}

// The formula of BinIndex, which queries in other languages repeat.
func TestLayoutFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		v := math.Ldexp(1+r.Float64(), r.IntN(128)-64)
		bits := 1 + r.IntN(MaxBits)
		e := math.Floor(math.Log2(v))
		if math.Ldexp(1, int(e)) > v {
			e--
		}
		scale := math.Ldexp(1, bits)
		want := 2 + (e+64)*scale + math.Floor((v/math.Ldexp(1, int(e))-1)*scale)
		if got, _ := BinIndex(bits, v); float64(got) != want {
			t.Fatalf("bits %d, v %v: index %d, want %v", bits, v, got, want)
		}
		a, b, _ := BinEdges(bits, int32(want))
		if !(a <= v && v < b && (b-a)/a <= math.Ldexp(1, -bits)) {
			t.Fatalf("bits %d, v %v: bin %v to %v", bits, v, a, b)
		}
	}
}

func TestHistogramQuantile(t *testing.T) {
	for _, bits := range []int{3, 7, DefaultBits, MaxBits} {
		eachSample(t, func(t *testing.T, xs []float64) {
			h := newHist(t, bits, xs)
			checkQuantiles(t, h, xs)
		})
	}
}

// checkQuantiles compares with the oracle, within the stated error.
func checkQuantiles(t *testing.T, h *Histogram, xs []float64) {
	t.Helper()
	sorted := sortedCopy(xs)
	if h.Count() != int64(len(xs)) || h.Min() != sorted[0] || h.Max() != sorted[len(xs)-1] {
		t.Fatalf("n %d, %v to %v; want %d, %v to %v", h.Count(), h.Min(), h.Max(), len(xs), sorted[0], sorted[len(xs)-1])
	}
	eps := h.RelativeError()
	last := math.Inf(-1)
	for _, q := range levels {
		got, err := h.Quantile(q)
		if err != nil {
			t.Fatal(err)
		}
		want, magnitude := type7(sorted, q)
		if math.Abs(got-want) > eps*magnitude*(1+rounding)+rounding*magnitude {
			t.Fatalf("n %d q %v: %v, want %v within %v", len(xs), q, got, want, eps)
		}
		if got < last || got < h.Min() || got > h.Max() {
			t.Fatalf("n %d q %v: %v after %v, range %v to %v", len(xs), q, got, last, h.Min(), h.Max())
		}
		last = got
	}
	if q0, _ := h.Quantile(0); q0 != sorted[0] {
		t.Fatalf("q 0: %v, want %v", q0, sorted[0])
	}
	if q1, _ := h.Quantile(1); q1 != sorted[len(xs)-1] {
		t.Fatalf("q 1: %v, want %v", q1, sorted[len(xs)-1])
	}
}

// Interpolation is what makes the typical error far smaller than the bound.
func TestHistogramInterpolates(t *testing.T) {
	xs := draws(5, 200000, shapes[0].draw)
	h := newHist(t, 7, xs)
	sorted := sortedCopy(xs)
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99} {
		want, _ := type7(sorted, q)
		got, err := h.Quantile(q)
		if must(t, got, err); math.Abs(got/want-1) > h.RelativeError()/10 {
			t.Errorf("q %v: %v, want %v", q, got, want)
		}
	}
}

func TestHistogramCDF(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		h := newHist(t, DefaultBits, xs)
		sorted := sortedCopy(xs)
		n := float64(len(xs))
		last := 0.0
		for i := 0; i < len(sorted); i += max(1, len(sorted)/50) {
			v := sorted[i]
			got := h.CDF(v)
			index, _ := BinIndex(DefaultBits, v)
			lo := sort.Search(len(sorted), func(i int) bool { return binIndex(DefaultBits, sorted[i]) >= index })
			hi := sort.Search(len(sorted), func(i int) bool { return binIndex(DefaultBits, sorted[i]) > index })
			if got < float64(lo)/n-rounding || got > float64(hi)/n+rounding || got < last {
				t.Fatalf("n %d: F(%v) = %v after %v, bin holds %d to %d", len(xs), v, got, last, lo, hi)
			}
			last = got
		}
		if h.CDF(math.Inf(1)) != 1 || h.CDF(h.Max()) != 1 || h.CDF(math.Inf(-1)) != 0 || !math.IsNaN(h.CDF(math.NaN())) {
			t.Fatal("ends")
		}
		if h.CDF(math.Nextafter(h.Min(), math.Inf(-1))) != 0 || h.CDF(h.Min()) < 1/n {
			t.Fatal("start")
		}
	})
}

func TestHistogramAddForms(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		guard := slices.Clone(xs)
		one, slice, counted := NewHistogram(), new(Histogram), NewHistogram()
		for _, v := range xs {
			one.Add(v)
			if err := counted.AddN(v, 1); err != nil {
				t.Fatal(err)
			}
		}
		slice.AddSlice(xs)
		sameHist(t, "AddSlice", slice, one)
		sameHist(t, "AddN", counted, one)
		if !slices.Equal(xs, guard) {
			t.Fatal("argument changed")
		}
		c := one.Clone()
		one.Reset()
		if one.Count() != 0 || one.Bits() != DefaultBits || len(one.Table().Rows) != 0 {
			t.Fatal("reset")
		}
		one.AddSlice(xs)
		sameHist(t, "after reset", one, c)
	})
}

func TestHistogramInvalid(t *testing.T) {
	xs := []float64{math.NaN(), 1, math.Inf(1), 2, math.Inf(-1), 3, math.Float64frombits(math.Float64bits(math.NaN()) | signBit)}
	h := NewHistogram()
	h.AddSlice(xs)
	for _, v := range xs {
		h.Add(v)
	}
	if h.Count() != 6 || h.Invalid() != 8 || h.Min() != 1 || h.Max() != 3 {
		t.Errorf("n %d invalid %d %v to %v", h.Count(), h.Invalid(), h.Min(), h.Max())
	}
	if v, _ := h.Quantile(0.5); math.Abs(v-2) > 2*h.RelativeError() {
		t.Errorf("median %v", v)
	}
}

func TestHistogramSpecialCounts(t *testing.T) {
	var h Histogram
	h.AddSlice([]float64{0, math.Copysign(0, -1), 1e-300, -1e-300, -5e-324, 1e30, -1e30, 1, -1, MinMagnitude, MaxMagnitude})
	if h.Zeros() != 2 || h.Underflow() != 3 || h.Overflow() != 3 || h.Negatives() != 4 || h.Count() != 11 {
		t.Errorf("zeros %d under %d over %d negative %d n %d", h.Zeros(), h.Underflow(), h.Overflow(), h.Negatives(), h.Count())
	}
	var zero Histogram
	zero.Add(math.Copysign(0, -1))
	if math.Signbit(zero.Min()) || math.Signbit(zero.Max()) {
		t.Error("minus zero kept")
	}
}

func TestHistogramEmpty(t *testing.T) {
	for _, h := range []*Histogram{new(Histogram), NewHistogram()} {
		if _, err := h.Quantile(0.5); !errors.Is(err, ErrEmpty) {
			t.Errorf("quantile: %v", err)
		}
		if !math.IsNaN(h.Min()) || !math.IsNaN(h.Max()) || !math.IsNaN(h.CDF(1)) || h.RelativeError() != 0 {
			t.Error("empty histogram answers")
		}
		h.Add(1)
		for _, q := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
			if _, err := h.Quantile(q); !errors.Is(err, ErrDomain) {
				t.Errorf("q %v: %v", q, err)
			}
		}
	}
}

// A bin's counter of 32 bits carries instead of wrapping.
func TestHistogramCarry(t *testing.T) {
	h := NewHistogram()
	const n = math.MaxUint32
	for _, v := range []float64{1, -1} {
		if err := h.AddN(v, n); err != nil {
			t.Fatal(err)
		}
	}
	h.Add(1)
	h.AddSlice([]float64{1, 1, -1})
	if h.Count() != 2*n+4 {
		t.Errorf("count %d", h.Count())
	}
	h.Add(1e6) // the window grows after a carry
	h.Add(1e-6)
	o := h.Clone()
	if err := h.Merge(o); err != nil {
		t.Fatal(err)
	}
	want := map[float64]int64{-1: 2 * (n + 1), 1: 2 * (n + 3), 1e6: 2, 1e-6: 2}
	for v, c := range want {
		index, _ := BinIndex(DefaultBits, v)
		for b := range h.Bins() {
			if b.Index == index {
				if b.Count != c {
					t.Errorf("%v: %d values, want %d", v, b.Count, c)
				}
				delete(want, v)
			}
		}
	}
	if len(want) != 0 {
		t.Errorf("not found: %v", want)
	}
	specialized := newHist(t, 7, nil)
	if err := specialized.AddN(2, n); err != nil {
		t.Fatal(err)
	}
	specialized.AddSlice([]float64{2, 2})
	if got := specialized.Table().Rows[0].Count; got != n+2 {
		t.Errorf("count %d", got)
	}
}

func TestHistogramOverflow(t *testing.T) {
	h := NewHistogram()
	if err := h.AddN(1, -1); !errors.Is(err, ErrDomain) {
		t.Error(err)
	}
	if err := h.AddN(1, math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	if err := h.AddN(1, 1); !errors.Is(err, ErrOverflow) {
		t.Error(err)
	}
	before := h.Clone()
	if err := h.Merge(h); !errors.Is(err, ErrOverflow) {
		t.Error(err)
	}
	sameHist(t, "after a refused merge", h, before)
	if v, err := h.Quantile(0.5); err != nil || v != 1 {
		t.Error(v, err)
	}
}

func TestHistogramMergeLaws(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		whole := newHist(t, DefaultBits, xs)
		i, j := len(xs)/3, 2*len(xs)/3
		a, b, c := newHist(t, DefaultBits, xs[:i]), newHist(t, DefaultBits, xs[i:j]), newHist(t, DefaultBits, xs[j:])
		b.Add(math.NaN())
		whole.Add(math.NaN())
		merge := func(hs ...*Histogram) *Histogram {
			var m Histogram
			for _, h := range hs {
				before := h.Clone()
				if err := m.Merge(h); err != nil {
					t.Fatal(err)
				}
				sameHist(t, "argument", h, before)
			}
			return &m
		}
		sameHist(t, "one shot", merge(a, b, c), whole)
		sameHist(t, "commutes", merge(c, a, b), whole)
		sameHist(t, "associates", merge(a, merge(b, c)), merge(merge(a, b), c))
		sameHist(t, "identity", merge(a, NewHistogram(), new(Histogram)), a)
		checkQuantiles(t, merge(c, b, a), xs)

		twice := whole.Clone()
		if err := twice.Merge(twice); err != nil {
			t.Fatal(err)
		}
		sameHist(t, "itself", twice, merge(whole, whole))
	})
	h := NewHistogram()
	if err := h.Merge(newHist(t, 7, []float64{1})); !errors.Is(err, ErrLayout) {
		t.Errorf("other layout: %v", err)
	}
	if err := h.Merge(nil); err != nil || h.Count() != 0 {
		t.Errorf("nil: %v", err)
	}
}
