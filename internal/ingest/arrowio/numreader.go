package arrowio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// numReader reads a flat column of numbers in the encodings writers use for
// them. Where a cell becomes a number by its unit alone, it does so on the way
// from the page, and a dictionary is converted once; else cells are collected
// first and converted then.
type numReader[T number] struct {
	pageReader
	conv    *converter
	convert func([]T)
	load    func(dst []T, b []byte) // plain values
	width   int
	direct  bool // cells are collected in the converter's slice

	scaled bool // unit alone makes a number of a cell
	unit   ingest.Unit
	plain  func(dst []float64, b []byte, u ingest.Unit) // plain values in the base unit
	table  []float64                                    // dictionary in the base unit

	buf  []T
	dict []T
	enc  parquet.Encoding
	b    []byte // all of a split page
	at   int    // next value of a split page
	wide []int64
	ids  []int32

	codes hybrid
	delta delta
}

// newNumReader returns the reader for a physical type, nil if there is none.
func newNumReader(conv *converter, p pageReader, phys parquet.Type) pagedReader {
	unit, scaled := conv.scaling(phys)
	switch phys {
	case parquet.Types.Int32:
		return &numReader[int32]{pageReader: p, conv: conv, width: 4, unit: unit, scaled: scaled, plain: plainInt32, load: loadInt32,
			convert: func(v []int32) { convertInts(conv, v) }}
	case parquet.Types.Int64:
		return &numReader[int64]{pageReader: p, conv: conv, width: 8, unit: unit, scaled: scaled, plain: plainInt64, load: loadInt64,
			direct:  conv.form == ingest.Time && conv.typ.times <= 1,
			convert: func(v []int64) { convertInts(conv, v) }}
	case parquet.Types.Float:
		return &numReader[float32]{pageReader: p, conv: conv, width: 4, unit: unit, scaled: scaled, plain: plainFloat32, load: loadFloat32,
			convert: func(v []float32) { convertFloats(conv, v) }}
	case parquet.Types.Double:
		return &numReader[float64]{pageReader: p, conv: conv, width: 8, unit: unit, scaled: scaled, plain: plainFloat64, load: loadFloat64,
			convert: func(v []float64) { convertFloats(conv, v) }}
	}
	return nil
}

func loadInt32(dst []int32, b []byte) {
	for i := range dst {
		dst[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

func loadInt64(dst []int64, b []byte) {
	for i := range dst {
		dst[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

func loadFloat32(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

func loadFloat64(dst []float64, b []byte) {
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// numEncodings are the encodings of data pages that numReader decodes, by
// physical type.
func numEncodings(phys parquet.Type) encodingSet {
	set := setOf(parquet.Encodings.Plain, parquet.Encodings.PlainDict, parquet.Encodings.RLEDict)
	switch phys {
	case parquet.Types.Int32, parquet.Types.Int64:
		return set | setOf(parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.ByteStreamSplit)
	case parquet.Types.Float, parquet.Types.Double:
		return set | setOf(parquet.Encodings.ByteStreamSplit)
	}
	return 0
}

func (r *numReader[T]) read(n int, out *ingest.Column) error {
	r.conv.begin(n)
	if times, ok := any(&r.conv.times).(*[]T); ok && r.direct {
		r.buf = *times
	} else if !r.scaled {
		r.buf = resize(r.buf, n)
	}
	k, err := r.fill(r, n)
	if err != nil {
		return err
	}
	if !r.scaled {
		r.convert(r.buf[:k])
	}
	r.conv.spread(r.present, k)
	r.conv.end(n, out)
	return nil
}

func (r *numReader[T]) dictionary(b []byte, n int) error {
	if n < 0 || len(b)/r.width < n {
		return fmt.Errorf("%d values in %d bytes", n, len(b))
	}
	if r.scaled {
		r.table = resize(r.table, n)
		r.plain(r.table, b[:n*r.width], r.unit)
		return nil
	}
	r.dict = resize(r.dict, n)
	r.load(r.dict, b)
	return nil
}

func (r *numReader[T]) page(e parquet.Encoding) (err error) {
	r.enc, r.at = e, 0
	switch {
	case e == parquet.Encodings.Plain:
	case e == parquet.Encodings.ByteStreamSplit:
		if r.b, err = r.body.take(r.body.left()); err == nil && len(r.b)%r.width != 0 {
			err = fmt.Errorf("%d bytes of values of %d bytes", len(r.b), r.width)
		}
	case isIndex(e):
		r.codes, err = r.index()
	case e == parquet.Encodings.DeltaBinaryPacked:
		r.delta = delta{}
		r.delta.b, err = r.body.take(r.body.left())
	default:
		err = fmt.Errorf("encoding %s", e)
	}
	return err
}

func (r *numReader[T]) values(at, n int) error {
	if r.scaled {
		return r.numbers(r.conv.floats[at : at+n])
	}
	dst := r.buf[at : at+n]
	switch {
	case isIndex(r.enc):
		return look(&r.codes, dst, r.dict, &r.ids)
	case r.enc == parquet.Encodings.Plain:
		for len(dst) > 0 {
			n := min(len(dst), 1<<10)
			b, err := r.body.take(n * r.width)
			if err != nil {
				return err
			}
			r.load(dst[:n], b)
			dst = dst[n:]
		}
		return nil
	}
	return r.unpack(dst)
}

// numbers fills dst with the next values in the base unit.
func (r *numReader[T]) numbers(dst []float64) error {
	switch {
	case isIndex(r.enc):
		return look(&r.codes, dst, r.table, &r.ids)
	case r.enc == parquet.Encodings.Plain:
		for len(dst) > 0 { // what is taken of a streamed page stays near the processor
			n := min(len(dst), 1<<10)
			b, err := r.body.take(n * r.width)
			if err != nil {
				return err
			}
			r.plain(dst[:n], b, r.unit)
			dst = dst[n:]
		}
		return nil
	}
	r.buf = resize(r.buf, len(dst))
	if err := r.unpack(r.buf); err != nil {
		return err
	}
	scale(dst, r.buf, r.unit)
	return nil
}

// unpack fills dst from a page whose values do not lie there as they are.
func (r *numReader[T]) unpack(dst []T) error {
	if r.enc == parquet.Encodings.ByteStreamSplit {
		return r.unsplit(dst)
	}
	r.wide = resize(r.wide, len(dst))
	if err := r.delta.decode(r.wide); err != nil {
		return fmt.Errorf("delta-coded values: %w", err)
	}
	for i, v := range r.wide {
		dst[i] = T(v)
	}
	return nil
}

// unsplit puts the bytes of values together: a split page holds all first
// bytes, then all second bytes, and so on.
func (r *numReader[T]) unsplit(dst []T) error {
	total := len(r.b) / r.width
	if len(dst) > total-r.at {
		return fmt.Errorf("%w: %d values, %d are left", errShort, len(dst), total-r.at)
	}
	var buf [1024]byte
	for len(dst) > 0 {
		n := min(len(dst), len(buf)/r.width)
		for w := range r.width {
			for i, c := range r.b[w*total+r.at : w*total+r.at+n] {
				buf[i*r.width+w] = c
			}
		}
		r.load(dst[:n], buf[:n*r.width])
		dst, r.at = dst[n:], r.at+n
	}
	return nil
}
