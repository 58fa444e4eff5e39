package arrowio

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// batcher is what the library's typed column readers share.
type batcher[T any] interface {
	file.ColumnChunkReader
	ReadBatch(n int64, values []T, defs, reps []int16) (levels int64, read int, err error)
}

// typed is a column chunk whose values are read as T and converted.
type typed[T any] struct {
	conv    *converter
	r       batcher[T]
	leaf    *leaf
	buf     []T
	convert func([]T)
	// direct reads into the converter's own slice where no other is needed.
	direct func() []T
}

// values reads up to n levels and converts the values among them.
func (t *typed[T]) values(n int, buf []T, defs, reps []int16) (levels, read int, err error) {
	lv, read, err := t.r.ReadBatch(int64(n), buf, defs, reps)
	if err == nil && lv == 0 {
		if err = t.r.Err(); err == nil {
			err = errShort
		}
	}
	return int(lv), read, err
}

// finish verifies that nothing is left.
func (t *typed[T]) finish() error {
	if t.r.HasNext() {
		return errors.New("more values than rows")
	}
	return t.r.Err()
}

func (t *typed[T]) close() { t.r.Close() }

// newReader makes the reader of a chunk by its physical type.
func newReader(conv *converter, r file.ColumnChunkReader, l *leaf, values int64) (cellReader, error) {
	switch r := r.(type) {
	case *file.Int32ColumnChunkReader:
		return wrap(conv, r, l, values, func(v []int32) { convertInts(conv, v) })
	case *file.Int64ColumnChunkReader:
		return wrap(conv, r, l, values, func(v []int64) { convertInts(conv, v) })
	case *file.Float32ColumnChunkReader:
		return wrap(conv, r, l, values, func(v []float32) { convertFloats(conv, v) })
	case *file.Float64ColumnChunkReader:
		return wrap(conv, r, l, values, func(v []float64) { convertFloats(conv, v) })
	case *file.BooleanColumnChunkReader:
		return wrap(conv, r, l, values, conv.convertBools)
	case *file.Int96ColumnChunkReader:
		return wrap(conv, r, l, values, conv.convertInt96)
	case *file.ByteArrayColumnChunkReader:
		return wrap(conv, r, l, values, func(v []parquet.ByteArray) { convertBytes(conv, l, v) })
	case *file.FixedLenByteArrayColumnChunkReader:
		return wrap(conv, r, l, values, func(v []parquet.FixedLenByteArray) { convertBytes(conv, l, v) })
	}
	return nil, fmt.Errorf("physical type %s is not read", l.phys)
}

func wrap[T any](conv *converter, r batcher[T], l *leaf, values int64, convert func([]T)) (cellReader, error) {
	t := typed[T]{conv: conv, r: r, leaf: l, convert: convert}
	if l.typ.kind == nullCell {
		t.convert = func(v []T) {
			if len(v) > 0 {
				panic("a value in a column of nulls")
			}
		}
	}
	if l.maxRep > 0 {
		return &listReader[T]{typed: t, values: values}, nil
	}
	if floats, ok := any(&conv.floats).(*[]T); ok && conv.form == ingest.Number {
		t.direct = func() []T { return *floats }
	}
	return &flatReader[T]{typed: t}, nil
}

// flatReader reads a column that has one cell a row.
type flatReader[T any] struct {
	typed[T]
	defs    []int16
	present []bool
}

func (f *flatReader[T]) read(n int, out *ingest.Column) error {
	f.conv.begin(n)
	if f.direct != nil {
		f.buf = f.direct()
	} else {
		f.buf = resize(f.buf, n)
	}
	var defs []int16
	if f.leaf.maxDef > 0 {
		f.defs = resize(f.defs, n)
		defs = f.defs
	}
	got, k := 0, 0
	for got < n {
		var part []int16
		if defs != nil {
			part = defs[got:n]
		}
		lv, read, err := f.typed.values(n-got, f.buf[k:n], part, nil)
		if err != nil {
			return err
		}
		got, k = got+lv, k+read
	}
	f.convert(f.buf[:k])
	if k < n {
		if err := f.spread(n, k); err != nil {
			return err
		}
	}
	f.conv.end(n, out)
	return nil
}

// spread puts nulls between the k values.
func (f *flatReader[T]) spread(n, k int) error {
	f.present = resize(f.present, n)
	found := 0
	for i, d := range f.defs[:n] {
		f.present[i] = d == f.leaf.maxDef
		if f.present[i] {
			found++
		}
	}
	if found != k {
		return fmt.Errorf("%w: %d values found, the levels call for %d", errShort, k, found)
	}
	f.conv.spread(f.present, k)
	return nil
}

// convertBools converts the first len(v) cells.
func (c *converter) convertBools(v []bool) {
	c.narrow = resize(c.narrow, len(v))
	for i, x := range v {
		c.narrow[i] = 0
		if x {
			c.narrow[i] = 1
		}
	}
	convertInts(c, c.narrow)
}

// convertInt96 converts the old timestamps: nanoseconds of the day, and the
// Julian day number.
func (c *converter) convertInt96(v []parquet.Int96) {
	const epoch = 2440588 // Julian day of 1970-01-01
	c.wide = resize(c.wide, len(v))
	for i := range v {
		b := v[i][:]
		ns := int64(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
		day := int64(uint32(b[8]) | uint32(b[9])<<8 | uint32(b[10])<<16 | uint32(b[11])<<24)
		days, ok := mulNanos(day-epoch, 86400*1e9)
		sum := days + ns
		if !ok || (ns > 0) != (sum > days) && ns != 0 {
			c.states()[i] = ingest.Malformed
			sum = 0
		}
		c.wide[i] = sum
	}
	convertInts(c, c.wide)
}

// convertBytes converts byte arrays: decimals, half-precision floats, UUIDs
// and text.
func convertBytes[T ~[]byte](c *converter, l *leaf, v []T) {
	switch {
	case l.typ.kind == decimalCell:
		c.bytes = resize(c.bytes, len(v))
		for i, b := range v {
			c.bytes[i] = b
		}
		c.convertBigs(c.bytes)
	case l.typ.kind == floatCell:
		half := make([]float32, len(v))
		for i, b := range v {
			half[i] = float32(math.NaN())
			if len(b) == 2 {
				half[i] = float16.FromBits(uint16(b[0]) | uint16(b[1])<<8).Float32()
			}
		}
		convertFloats(c, half)
	default:
		c.words32 = resize(c.words32, len(v))
		for i, b := range v {
			if l.uuid && len(b) == 16 {
				c.words32[i] = c.words.add(spellUUID(b))
			} else {
				c.words32[i] = c.words.add(b)
			}
		}
		c.convertIDs(c.words32)
	}
}

func spellUUID(b []byte) []byte {
	out := make([]byte, 36)
	hex.Encode(out, b[:4])
	hex.Encode(out[9:], b[4:6])
	hex.Encode(out[14:], b[6:8])
	hex.Encode(out[19:], b[8:10])
	hex.Encode(out[24:], b[10:])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return out
}

// plainWidth returns the least bytes that a plain value takes.
func (l *leaf) plainWidth() int {
	switch l.phys {
	case parquet.Types.Int32, parquet.Types.Float, parquet.Types.ByteArray: // an array begins with its length
		return 4
	case parquet.Types.Int64, parquet.Types.Double:
		return 8
	case parquet.Types.Int96:
		return 12
	case parquet.Types.FixedLenByteArray:
		return l.width
	}
	return 0
}
