package bootstrap

import (
	"math"
	"testing"
)

// The streams are part of what makes an answer reproducible: a change of these
// numbers changes every bootstrap result of every user.
func TestStreamIsPinned(t *testing.T) {
	for _, c := range []struct{ seed, r, want uint64 }{
		{0, 0, 0x82f0f6516611e070}, {1, 0, 0xb1129fa9a674bb55}, {1, 1, 0x500769832b125e11}, {math.MaxUint64, 7, 0x2c41a78d89d5d3bc},
	} {
		if got := Stream(c.seed, c.r).Uint64(); got != c.want {
			t.Errorf("Stream(%d, %d) starts with %#x, want %#x", c.seed, c.r, got, c.want)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	const n = 20000
	var sum, lagged, last float64
	for r := range uint64(n) {
		rng := Stream(3, r)
		v := rng.Uint64()
		if seen[v] {
			t.Fatalf("replicate %d repeats a stream", r)
		}
		seen[v] = true
		u := rng.Float64() - 0.5
		sum += u
		lagged += u * last
		last = u
	}
	// Standard errors: 1/√(12n) of the mean, 1/(12√n) of the lagged product.
	if z := sum / n * math.Sqrt(12*n); math.Abs(z) > 4 {
		t.Errorf("first draws of neighbouring streams have mean %v SE from 1/2", z)
	}
	if z := lagged / n * 12 * math.Sqrt(n); math.Abs(z) > 4 {
		t.Errorf("neighbouring streams are correlated: z = %v", z)
	}
	if SubSeed(1, 0) == SubSeed(1, 1) || SubSeed(1, 0) == SubSeed(2, 0) || SubSeed(1, 0) == 1 {
		t.Error("SubSeed does not separate")
	}
}
