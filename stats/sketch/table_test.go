package sketch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
)

func TestTableRoundTrip(t *testing.T) {
	for _, bits := range []int{1, 7, DefaultBits, MaxBits} {
		eachSample(t, func(t *testing.T, xs []float64) {
			h := newHist(t, bits, xs)
			h.Add(math.NaN())
			back, err := FromTable(h.Table())
			if err != nil {
				t.Fatal(err)
			}
			sameHist(t, "table", back, h)
			checkQuantiles(t, back, xs)

			data, err := h.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var decoded Histogram
			if err := decoded.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			sameHist(t, "binary", &decoded, h)
			checkQuantiles(t, &decoded, xs)
			// Merging after decoding is merging.
			if err := decoded.Merge(back); err != nil || decoded.Count() != 2*h.Count() {
				t.Fatal(err)
			}
		})
	}
}

func TestSketchRoundTrip(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		for _, limit := range []int{len(xs), len(xs) - 1, HistogramOnly} {
			s := New(limit)
			s.AddSlice(xs)
			s.Add(math.Inf(1))
			back, err := SketchFromTable(s.Table(), limit)
			if err != nil {
				t.Fatal(err)
			}
			sameSketch(t, "table", back, s)
			data, err := s.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var decoded Sketch
			if err := decoded.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			sameSketch(t, "binary", &decoded, s)
			again, _ := decoded.MarshalBinary()
			if !bytes.Equal(again, data) {
				t.Fatal("second encoding differs")
			}
			if s.Exact() {
				if !slices.Equal(decoded.Sorted(), s.Sorted()) {
					t.Fatal("values differ")
				}
				small, err := SketchFromTable(s.Table(), HistogramOnly)
				if err != nil || small.Exact() {
					t.Fatal("limit ignored", err)
				}
				var h Histogram
				if err := h.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
				sameHist(t, "histogram of values", &h, s.Hist())
			}
		}
	})
}

func TestEmptyRoundTrip(t *testing.T) {
	h := NewHistogram()
	h.Add(math.NaN())
	for _, s := range []*Sketch{new(Sketch), New(5), FromHistogram(h)} {
		back, err := SketchFromTable(s.Table(), s.Limit())
		if err != nil {
			t.Fatal(err)
		}
		sameSketch(t, "table", back, s)
		data, _ := s.MarshalBinary()
		var d Sketch
		if err := d.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		sameSketch(t, "binary", &d, s)
	}
	data, _ := h.MarshalBinary()
	var back Histogram
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	sameHist(t, "empty histogram", &back, h)
}

func TestTableRefuses(t *testing.T) {
	h := newHist(t, DefaultBits, []float64{-2, 0, 1, 1, 1e30})
	s := New(10)
	s.AddSlice([]float64{1, 2, 2, 3})
	cases := []struct {
		name   string
		from   Table
		change func(t *Table)
		want   error
	}{
		{"bits", h.Table(), func(t *Table) { t.Bits = 99 }, ErrDomain},
		{"no bits", s.Table(), func(t *Table) { t.Bits = 0 }, ErrDomain},
		{"negative total", h.Table(), func(t *Table) { t.N = -1 }, ErrCorrupt},
		{"negative invalid", h.Table(), func(t *Table) { t.Invalid = -1 }, ErrCorrupt},
		{"negative count", h.Table(), func(t *Table) { t.Rows[1].Count = -1 }, ErrCorrupt},
		{"zero count", h.Table(), func(t *Table) { t.Rows[1].Count = 0 }, ErrCorrupt},
		{"overflow", h.Table(), func(t *Table) { t.Rows[1].Count = math.MaxInt64 }, ErrOverflow},
		{"wrong total", h.Table(), func(t *Table) { t.N++ }, ErrCorrupt},
		{"rows missing", h.Table(), func(t *Table) { t.Rows = nil }, ErrCorrupt},
		{"unsorted", h.Table(), func(t *Table) { t.Rows[0], t.Rows[1] = t.Rows[1], t.Rows[0] }, ErrCorrupt},
		{"twice", h.Table(), func(t *Table) { t.Rows[1] = t.Rows[2] }, ErrCorrupt},
		{"NaN edge", h.Table(), func(t *Table) { t.Rows[2].Lower = math.NaN() }, ErrCorrupt},
		{"infinite edge", h.Table(), func(t *Table) { t.Rows[3].Upper = math.Inf(1) }, ErrCorrupt},
		{"edge of another bin", h.Table(), func(t *Table) { t.Rows[2].Index++ }, ErrCorrupt},
		{"no such bin", h.Table(), func(t *Table) { t.Rows[3].Index = math.MaxInt32 }, ErrCorrupt},
		{"no such bin below", h.Table(), func(t *Table) { t.Rows[0].Index = math.MinInt32 }, ErrCorrupt},
		{"NaN minimum", h.Table(), func(t *Table) { t.Min = math.NaN() }, ErrCorrupt},
		{"infinite maximum", h.Table(), func(t *Table) { t.Max = math.Inf(1) }, ErrCorrupt},
		{"minimum above maximum", h.Table(), func(t *Table) { t.Min, t.Max = t.Max, t.Min }, ErrCorrupt},
		{"minimum in another bin", h.Table(), func(t *Table) { t.Min = 0 }, ErrCorrupt},
		{"maximum in another bin", h.Table(), func(t *Table) { t.Max = 1 }, ErrCorrupt},
		{"value NaN", s.Table(), func(t *Table) { t.Rows[0].Lower, t.Rows[0].Upper = math.NaN(), math.NaN() }, ErrCorrupt},
		{"value with width", s.Table(), func(t *Table) { t.Rows[0].Upper = 1.5 }, ErrCorrupt},
		{"values unsorted", s.Table(), func(t *Table) { t.Rows[0], t.Rows[1] = t.Rows[1], t.Rows[0] }, ErrCorrupt},
		{"value in another bin", s.Table(), func(t *Table) { t.Rows[0].Index++ }, ErrCorrupt},
		{"minimum not a value", s.Table(), func(t *Table) { t.Min = 1.0001 }, ErrCorrupt},
		{"huge count of a value", s.Table(), func(t *Table) { t.Rows[0].Count = math.MaxInt64 - 3 }, ErrCorrupt},
		{"one value, two ends", newHist(t, 3, []float64{1}).Table(), func(t *Table) { t.Max = 1.01 }, ErrCorrupt},
	}
	for _, c := range cases {
		c.change(&c.from)
		if h, err := FromTable(c.from); !errors.Is(err, c.want) || h != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if s, err := SketchFromTable(c.from, 10); !errors.Is(err, c.want) || s != nil {
			t.Errorf("%s: sketch: %v, want %v", c.name, err, c.want)
		}
	}
	// A count is a number, not an allocation.
	table := s.Table()
	table.Rows[0].Count, table.N = 1<<60, 1<<60+3
	if s, err := SketchFromTable(table, 0); err != nil || s.Exact() || s.N() != 1<<60+3 {
		t.Errorf("many equal values: %v", err)
	}
}

func TestBinaryRefuses(t *testing.T) {
	s := New(100)
	s.AddSlice(draws(1, 50, shapes[0].draw))
	exact, _ := s.MarshalBinary()
	s.SetLimit(HistogramOnly)
	bins, _ := s.MarshalBinary()
	for _, data := range [][]byte{exact, bins} {
		for n := range data {
			var d Sketch
			if err := d.UnmarshalBinary(data[:n]); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrDomain) {
				t.Fatalf("%d of %d bytes: %v", n, len(data), err)
			}
			if !reflect.DeepEqual(d, Sketch{}) {
				t.Fatal("changed by a refused decoding")
			}
		}
		var d Sketch
		if err := d.UnmarshalBinary(append(slices.Clone(data), 0)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("a byte too many: %v", err)
		}
		for i := range data {
			for bit := range 8 {
				c := slices.Clone(data)
				c[i] ^= 1 << bit
				checkDecoded(t, c)
			}
		}
	}
	var h Histogram
	if err := h.UnmarshalBinary(nil); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	// Lengths that promise more than there is.
	huge := appendHeader(nil, kindValues, DefaultBits, math.MaxInt64, 1<<60, 0, 1<<60)
	if err := h.UnmarshalBinary(huge); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	huge = appendHeader(nil, kindBins, DefaultBits, 1, 1<<60, 0, 1<<60)
	if err := h.UnmarshalBinary(binary.AppendUvarint(huge, 1)); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

// checkDecoded decodes arbitrary bytes: they are refused, or they are a sketch
// that holds together.
func checkDecoded(t *testing.T, data []byte) {
	t.Helper()
	var s Sketch
	if err := s.UnmarshalBinary(data); err != nil {
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrDomain) && !errors.Is(err, ErrOverflow) {
			t.Fatalf("error of no kind: %v", err)
		}
		return
	}
	back, err := SketchFromTable(s.Table(), s.Limit())
	if err != nil {
		t.Fatalf("decoded sketch has no table: %v", err)
	}
	sameSketch(t, "table of decoded bytes", back, &s)
	if s.N() == 0 {
		return
	}
	last := s.Min()
	for _, q := range levels {
		v, err := s.Quantile(q)
		if err != nil || v < last && v < last-1e-9*math.Abs(last) || v > s.Max() {
			t.Fatalf("q %v: %v after %v, %v", q, v, last, err)
		}
		last = v
	}
	m, err := NewMixture([]*Sketch{&s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := m.Quantile(0.5); err != nil || v < s.Min() || v > s.Max() {
		t.Fatalf("mixture: %v %v", v, err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, shape := range shapes {
		for _, limit := range []int{HistogramOnly, 100} {
			s := New(limit)
			s.AddSlice(draws(1, 30, shape.draw))
			data, _ := s.MarshalBinary()
			f.Add(data)
		}
	}
	f.Fuzz(checkDecoded)
}

// FuzzHistogram checks the laws on values made of arbitrary bytes.
func FuzzHistogram(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), uint8(3))
	f.Add(binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.MaxFloat64)), uint8(10))
	f.Fuzz(func(t *testing.T, data []byte, b uint8) {
		bits := 1 + int(b)%MaxBits
		var xs, valid []float64
		for ; len(data) >= 8; data = data[8:] {
			v := math.Float64frombits(binary.LittleEndian.Uint64(data))
			xs = append(xs, v)
			if v-v == 0 {
				valid = append(valid, v)
			}
		}
		h := newHist(t, bits, xs)
		if h.Count() != int64(len(valid)) || h.Invalid() != int64(len(xs)-len(valid)) {
			t.Fatalf("n %d invalid %d", h.Count(), h.Invalid())
		}
		if len(valid) > 0 {
			checkQuantiles(t, h, valid)
		}
		k := len(xs) / 2
		m := newHist(t, bits, xs[k:])
		if err := m.Merge(newHist(t, bits, xs[:k])); err != nil {
			t.Fatal(err)
		}
		sameHist(t, "merged", m, h)
		back, err := FromTable(h.Table())
		if err != nil {
			t.Fatal(err)
		}
		sameHist(t, "table", back, h)
	})
}
