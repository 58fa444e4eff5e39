package sketch

import (
	"slices"
	"sync"
)

// foundBins are the bins in which the last few quantiles were found. A mixture
// without a part, or of other weights, has them nearby, and a search that begins
// there is short. It finds what it would have found from anywhere.
type foundBins struct {
	mu  sync.Mutex
	q   [mostFound]float64
	bin [mostFound]int32
	n   int // noted so far
}

const mostFound = 4

// note keeps the bin of the quantile of level q.
func (f *foundBins) note(q float64, bin int32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Contains(f.q[:min(f.n, mostFound)], q) {
		return
	}
	f.q[f.n%mostFound], f.bin[f.n%mostFound] = q, bin
	f.n++
}

// near returns the bin that a quantile of level q was found in; ok is false if none
// was.
func (f *foundBins) near(q float64) (bin int32, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.q[:min(f.n, mostFound)], q); i >= 0 {
		return f.bin[i], true
	}
	return 0, false
}
