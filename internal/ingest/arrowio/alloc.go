package arrowio

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

const (
	// maxHeld bounds what the decoders of one file hold at a time. A sound
	// file with pages of the largest size, read by many workers, comes near it.
	maxHeld = 4 << 30
	// maxKept bounds what is kept for reuse.
	maxKept = 256 << 20
)

// pool is an allocator that reuses page buffers: they are large, and clearing
// and collecting them costs as much as unpacking a page into them. The memory
// it gives out is not cleared; only page buffers come from it, which are
// filled before they are read.
type pool struct {
	mu   sync.Mutex
	free map[int][][]byte // by capacity
	kept int
	held int
	open int // scans in progress
}

var _ memory.Allocator = (*pool)(nil)

// roundSize rounds up to one of four sizes an octave, so that buffers of about
// the same size can stand in for each other.
func roundSize(n int) int {
	const least = 4 << 10
	if n <= least {
		return least
	}
	shift := bits.Len(uint(n-1)) - 3
	return ((n-1)>>shift + 1) << shift
}

// Allocate returns n bytes of any content.
func (p *pool) Allocate(n int) []byte {
	size := roundSize(n)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held+size > maxHeld {
		panic(fmt.Sprintf("more than %d bytes of pages at a time", maxHeld))
	}
	p.held += size
	if f := p.free[size]; len(f) > 0 {
		p.free[size] = f[:len(f)-1]
		p.kept -= size
		return f[len(f)-1][:n]
	}
	return make([]byte, n, size)
}

// Free takes a buffer back.
func (p *pool) Free(b []byte) {
	size := cap(b)
	if size == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = max(p.held-size, 0)
	if p.open > 0 && p.kept+size <= maxKept && size == roundSize(size) {
		if p.free == nil {
			p.free = make(map[int][][]byte)
		}
		p.free[size] = append(p.free[size], b[:0])
		p.kept += size
	}
}

// Reallocate grows or shrinks a buffer and keeps its content.
func (p *pool) Reallocate(n int, b []byte) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	out := p.Allocate(n)
	copy(out, b)
	p.Free(b)
	return out
}

// enter and leave bracket a scan; with the last one the buffers go.
func (p *pool) enter() {
	p.mu.Lock()
	p.open++
	p.mu.Unlock()
}

func (p *pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open--; p.open == 0 {
		p.free, p.kept, p.held = nil, 0, 0
	}
}
