package sketch

import (
	"math/bits"
	"sync"
)

// spares hold the memory of sketches that became histograms, by the logarithm of
// their limit: the next sketch needs as much, for as short a time.
var spares [maxSpare + 1]sync.Pool

const (
	maxSpare = 16 // log2 of DefaultLimit
	// A sketch that takes memory over has at least one part in spareShare of its
	// limit: most of them will pass it.
	spareShare = 8
)

// spareOf returns the pool for a limit, nil if there is none.
func spareOf(limit int) *sync.Pool {
	if k := bits.Len(uint(limit)) - 1; limit > 0 && limit == 1<<k && k <= maxSpare {
		return &spares[k]
	}
	return nil
}

// room returns xs with room for n more values, or as many as the limit leaves.
// It doubles the memory: growth by less would copy the values more often.
func room(xs []float64, n, limit int) []float64 {
	want := len(xs) + min(n, limit-len(xs))
	if want <= cap(xs) {
		return xs
	}
	if pool := spareOf(limit); pool != nil && want > limit/spareShare {
		if s, ok := pool.Get().(*[]float64); ok {
			return append((*s)[:0], xs...)
		}
	}
	return append(make([]float64, 0, min(max(want, 2*cap(xs)), limit)), xs...)
}

// release gives the memory of values that nobody needs any more to others.
func release(xs []float64, limit int) {
	if pool := spareOf(limit); pool != nil && cap(xs) == limit {
		pool.Put(&xs)
	}
}
