package arrowio

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	// maxHeld bounds what the decoders of one file hold at a time. A sound
	// file with pages of the largest size, read by many workers, comes near it.
	maxHeld = 4 << 30
	// maxKept bounds what is kept for reuse.
	maxKept = 256 << 20
)

// pool is an allocator that reuses page buffers: they are large, and clearing
// and collecting them costs as much as unpacking a page into them. It keeps the
// readers of columns as well, which have tables and decoders of their own. The memory
// it gives out is not cleared; only page buffers come from it, which are
// filled before they are read.
type pool struct {
	mu   sync.Mutex
	free map[int][][]byte // by capacity
	kept int
	held int
	open int  // scans in progress
	last bool // a scan of the last partition has begun
	idle map[ingest.Request][]pagedReader
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

// resize returns n bytes of any content, in b if they fit. Else b is freed.
func (p *pool) resize(b []byte, n int) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	p.Free(b)
	return p.Allocate(n)
}

// enter and leave bracket a scan; with the last one of the last partition the
// buffers go.
func (p *pool) enter(last bool) {
	p.mu.Lock()
	p.open++
	p.last = p.last || last
	p.mu.Unlock()
}

func (p *pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open--; p.open == 0 && p.last {
		p.free, p.kept, p.held, p.last, p.idle = nil, 0, 0, false, nil
	}
}

// reader returns an idle reader for a request, nil if there is none.
func (p *pool) reader(r ingest.Request) pagedReader {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle[r]
	if len(idle) == 0 {
		return nil
	}
	p.idle[r] = idle[:len(idle)-1]
	return idle[len(idle)-1]
}

// keep takes a reader that has come to the end of a chunk.
func (p *pool) keep(r ingest.Request, reader pagedReader) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle == nil {
		p.idle = make(map[ingest.Request][]pagedReader)
	}
	p.idle[r] = append(p.idle[r], reader)
}
