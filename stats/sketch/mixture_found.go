package sketch

import (
	"slices"
	"sync"
)

// foundKeys are the bins in which the last few quantiles were found. A mixture
// without a part, or of other weights, has them nearby, and a search that begins
// there is short. It finds what it would have found from anywhere.
type foundKeys struct {
	mu  sync.Mutex
	q   [mostFound]float64
	key [mostFound]int32
	n   int // noted so far
}

const (
	mostFound = 4
	// Quantiles of a mixture without one of its parts mostly lie so many bins from
	// those of the whole.
	foundReach = 8
)

// note keeps the bin of the quantile of level q.
func (f *foundKeys) note(q float64, key int32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Contains(f.q[:min(f.n, mostFound)], q) {
		return
	}
	f.q[f.n%mostFound], f.key[f.n%mostFound] = q, key
	f.n++
}

// near returns the bins between which the quantile of level q is likely to lie, nil
// if none like it was found.
func (f *foundKeys) near(q float64) []int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, known := range f.q[:min(f.n, mostFound)] {
		if known == q {
			return []int32{f.key[i] + foundReach, f.key[i] - foundReach}
		}
	}
	return nil
}
