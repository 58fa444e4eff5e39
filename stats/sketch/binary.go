package sketch

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The binary form:
//
//	magic "pdsk", version 1, kind (0 histogram, 1 values), bits       7 bytes
//	limit (varint), N, invalid, rows (uvarints)
//	minimum and maximum (float64, little-endian), if N > 0
//	kind 0: per row the index, then differences of indices, and the count
//	kind 1: per value, in order, the difference of its ordered bits
const (
	magic      = "pdsk"
	version    = 1
	kindBins   = 0
	kindValues = 1
)

// MarshalBinary returns a compact form of the histogram, about three bytes a bin
// that holds values. The error is always nil.
func (h *Histogram) MarshalBinary() ([]byte, error) {
	return appendBins(nil, h, HistogramOnly, h.invalid), nil
}

// UnmarshalBinary replaces the histogram with an encoded one, or by the
// histogram of an encoded exact sketch.
// Errors: as [FromTable], [ErrCorrupt] also for bytes that are no such form or go
// on after it; h is unchanged then. Memory is bounded by the layout and by the
// length of data.
func (h *Histogram) UnmarshalBinary(data []byte) error {
	s, err := decode(data)
	if err != nil {
		return err
	}
	*h = *s.Hist()
	return nil
}

// MarshalBinary returns a compact form of the sketch. The error is always nil.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	if s.hist != nil {
		return appendBins(nil, s.hist, s.Limit(), uint64(s.Invalid())), nil
	}
	b := appendHeader(nil, kindValues, s.Bits(), s.Limit(), uint64(len(s.xs)), uint64(s.invalid), len(s.xs))
	var last uint64
	for _, v := range s.Sorted() {
		k := orderedBits(v)
		b = binary.AppendUvarint(b, k-last)
		last = k
	}
	return b, nil
}

// UnmarshalBinary replaces the sketch with an encoded one, its limit included.
// Errors: as [Histogram.UnmarshalBinary]; s is unchanged then.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	d, err := decode(data)
	if err != nil {
		return err
	}
	*s = *d
	return nil
}

func appendHeader(b []byte, kind byte, bits, limit int, n, invalid uint64, rows int) []byte {
	b = append(b, magic...)
	b = append(b, version, kind, byte(bits))
	b = binary.AppendVarint(b, int64(limit))
	b = binary.AppendUvarint(b, n)
	b = binary.AppendUvarint(b, invalid)
	return binary.AppendUvarint(b, uint64(rows))
}

func appendBins(b []byte, h *Histogram, limit int, invalid uint64) []byte {
	b = appendHeader(b, kindBins, h.Bits(), limit, h.n, invalid, h.bins())
	if h.n > 0 {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(h.min))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(h.max))
	}
	var last int32
	h.each(func(index int32, c uint64) bool {
		b = binary.AppendVarint(b, int64(index-last))
		b = binary.AppendUvarint(b, c)
		last = index
		return true
	})
	return b
}

// reader takes fields off encoded bytes; after a fault it returns zeros.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) float() float64 {
	if len(r.data) < 8 {
		r.bad = true
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.data))
	r.data = r.data[8:]
	return v
}

// decode reads either kind. It trusts no length: every row takes at least two
// bytes of data and every value at least one.
func decode(data []byte) (*Sketch, error) {
	const fixed = len(magic) + 3
	if len(data) < fixed || string(data[:len(magic)]) != magic || data[len(magic)] != version {
		return nil, fmt.Errorf("%d bytes that are no sketch of version %d: %w", len(data), version, ErrCorrupt)
	}
	kind, bits := data[fixed-2], int(data[fixed-1])
	r := &reader{data: data[fixed:]}
	limit, n, invalid, rows := r.varint(), r.uvarint(), r.uvarint(), r.uvarint()
	if r.bad || kind > kindValues || n > maxCount || invalid > maxCount ||
		limit < HistogramOnly || limit == 0 || limit != int64(int(limit)) || rows > uint64(len(r.data)) {
		return nil, fmt.Errorf("header of kind %d, %d values, %d rows in %d bytes: %w", kind, n, rows, len(data), ErrCorrupt)
	}
	t := Table{Bits: bits, Exact: kind == kindValues, N: int64(n), Invalid: int64(invalid)}
	if t.Exact {
		return r.values(&t, rows, int(limit))
	}
	if n > 0 {
		t.Min, t.Max = r.float(), r.float()
	}
	if rows > uint64(len(r.data)/2) {
		return nil, fmt.Errorf("%d rows in %d bytes: %w", rows, len(r.data), ErrCorrupt)
	}
	t.Rows = make([]Bin, 0, rows)
	var index int64
	for range rows {
		index += r.varint()
		c := r.uvarint()
		if r.bad || index != int64(int32(index)) || c > maxCount {
			return nil, fmt.Errorf("row %d of %d: %w", len(t.Rows), rows, ErrCorrupt)
		}
		lower, upper, _ := BinEdges(max(min(bits, MaxBits), 1), int32(index))
		t.Rows = append(t.Rows, Bin{int32(index), lower, upper, int64(c)})
	}
	if len(r.data) > 0 {
		return nil, fmt.Errorf("%d bytes after the last row: %w", len(r.data), ErrCorrupt)
	}
	return SketchFromTable(t, int(limit))
}

// values reads the values of an exact sketch.
func (r *reader) values(t *Table, rows uint64, limit int) (*Sketch, error) {
	if err := CheckBits(t.Bits); err != nil {
		return nil, err
	}
	if rows != uint64(t.N) || t.N > int64(max(limit, 0)) {
		return nil, fmt.Errorf("%d values in %d rows with limit %d: %w", t.N, rows, limit, ErrCorrupt)
	}
	s := &Sketch{limit: limit, bits: t.Bits, invalid: t.Invalid, sorted: true}
	s.xs = make([]float64, 0, rows)
	var key uint64
	for i := range rows {
		d := r.uvarint()
		v := fromOrderedBits(key + d)
		if r.bad || key+d < key || v-v != 0 || v == 0 && math.Signbit(v) {
			return nil, fmt.Errorf("value %d of %d: %w", i, rows, ErrCorrupt)
		}
		key += d
		s.xs = append(s.xs, v)
	}
	if len(r.data) > 0 {
		return nil, fmt.Errorf("%d bytes after the last value: %w", len(r.data), ErrCorrupt)
	}
	return s, nil
}
