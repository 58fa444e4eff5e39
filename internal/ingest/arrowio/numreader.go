package arrowio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// numReader reads a flat column of numbers in the encodings writers use for
// them.
type numReader[T number] struct {
	pageReader
	conv    *converter
	convert func([]T)
	load    func(dst []T, b []byte) // plain values
	width   int
	direct  bool // values go straight to the converter's slice

	buf  []T
	dict []T
	enc  parquet.Encoding
	b    []byte // what is left of a plain page, all of a split one
	at   int    // next value of a split page
	ids  []int32
	wide []int64

	index hybrid
	delta delta
}

// newNumReader returns the reader for a physical type, nil if there is none.
func newNumReader(conv *converter, p pageReader, phys parquet.Type) cellReader {
	switch phys {
	case parquet.Types.Int32:
		return &numReader[int32]{pageReader: p, conv: conv, width: 4,
			convert: func(v []int32) { convertInts(conv, v) },
			load: func(dst []int32, b []byte) {
				for i := range dst {
					dst[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
				}
			}}
	case parquet.Types.Int64:
		return &numReader[int64]{pageReader: p, conv: conv, width: 8, direct: conv.form == ingest.Time && conv.typ.times <= 1,
			convert: func(v []int64) { convertInts(conv, v) },
			load: func(dst []int64, b []byte) {
				for i := range dst {
					dst[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
				}
			}}
	case parquet.Types.Float:
		return &numReader[float32]{pageReader: p, conv: conv, width: 4,
			convert: func(v []float32) { convertFloats(conv, v) },
			load: func(dst []float32, b []byte) {
				for i := range dst {
					dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
				}
			}}
	case parquet.Types.Double:
		return &numReader[float64]{pageReader: p, conv: conv, width: 8, direct: conv.form == ingest.Number,
			convert: func(v []float64) { convertFloats(conv, v) },
			load: func(dst []float64, b []byte) {
				for i := range dst {
					dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
				}
			}}
	}
	return nil
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
	if !r.direct {
		r.buf = resize(r.buf, n)
	} else if floats, ok := any(&r.conv.floats).(*[]T); ok {
		r.buf = *floats
	} else if times, ok := any(&r.conv.times).(*[]T); ok {
		r.buf = *times
	}
	k, err := r.fill(r, n)
	if err != nil {
		return err
	}
	r.convert(r.buf[:k])
	r.conv.spread(r.present, k)
	r.conv.end(n, out)
	return nil
}

func (r *numReader[T]) dictionary(b []byte, n int) error {
	if len(b)/r.width < n {
		return fmt.Errorf("%d values in %d bytes", n, len(b))
	}
	r.dict = resize(r.dict, n)
	r.load(r.dict, b)
	return nil
}

func (r *numReader[T]) page(e parquet.Encoding, b []byte) (err error) {
	r.enc, r.b, r.at = e, b, 0
	switch e {
	case parquet.Encodings.Plain:
	case parquet.Encodings.ByteStreamSplit:
		if len(b)%r.width != 0 {
			err = fmt.Errorf("%d bytes of values of %d bytes", len(b), r.width)
		}
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		r.index, err = r.indices(b)
	case parquet.Encodings.DeltaBinaryPacked:
		r.delta = delta{b: b}
	default:
		err = fmt.Errorf("encoding %s", e)
	}
	return err
}

func (r *numReader[T]) values(at, n int) error {
	dst := r.buf[at : at+n]
	switch r.enc {
	case parquet.Encodings.Plain:
		size := n * r.width
		if size > len(r.b) {
			return fmt.Errorf("%w: %d bytes of values, %d are left", errShort, size, len(r.b))
		}
		r.load(dst, r.b[:size])
		r.b = r.b[size:]
	case parquet.Encodings.ByteStreamSplit:
		return r.unsplit(dst)
	case parquet.Encodings.DeltaBinaryPacked:
		r.wide = resize(r.wide, n)
		if err := r.delta.decode(r.wide); err != nil {
			return fmt.Errorf("delta-coded values: %w", err)
		}
		for i, v := range r.wide {
			dst[i] = T(v)
		}
	default:
		r.ids = resize(r.ids, n)
		if err := r.index.decode(r.ids); err != nil {
			return fmt.Errorf("dictionary indices: %w", err)
		}
		dict := r.dict
		for i, id := range r.ids {
			dst[i] = dict[id]
		}
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
