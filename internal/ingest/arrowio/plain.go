package arrowio

import (
	"encoding/binary"
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Numbers as they lie in a page, in the base unit: ingest.Unit.ToBase of each.
// A division takes as long as the rest of the loop, so it must be the only one.

func plainFloat64(dst []float64, b []byte, u ingest.Unit) {
	num, den := u.Factors()
	b = b[:8*len(dst)]
	switch {
	case den > 1:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])) / den
		}
	case num > 1:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])) * num
		}
	default:
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}

func plainFloat32(dst []float64, b []byte, u ingest.Unit) {
	b = b[:4*len(dst)]
	for i := range dst {
		dst[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	rescale(dst, u)
}

func plainInt32(dst []float64, b []byte, u ingest.Unit) {
	b = b[:4*len(dst)]
	for i := range dst {
		dst[i] = float64(int32(binary.LittleEndian.Uint32(b[4*i:])))
	}
	rescale(dst, u)
}

func plainInt64(dst []float64, b []byte, u ingest.Unit) {
	b = b[:8*len(dst)]
	for i := range dst {
		dst[i] = float64(int64(binary.LittleEndian.Uint64(b[8*i:])))
	}
	rescale(dst, u)
}

// rescale converts numbers in place.
func rescale(v []float64, u ingest.Unit) {
	if num, den := u.Factors(); num > 1 || den > 1 {
		scale(v, v, u)
	}
}
