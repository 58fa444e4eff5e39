package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// maxBuffer is the largest buffer that is read, unpacked.
const maxBuffer = 2 << 30

// maxWindow is the largest zstd window that is read.
const maxWindow = 128 << 20

// span is a node's length and nulls, or a buffer's offset and length.
type span struct{ a, b int64 }

// ipcBatch is a record batch, or the one column of a dictionary, whose buffers
// are read when they are wanted.
type ipcBatch struct {
	s       *ipcSource
	m       message
	nodes   []span
	buffers []span
	codec   int // −1 none, 0 LZ4 frame, 1 zstd
	parts   []parts
}

// openBatch reads the metadata of a message and checks them against the fields
// it should have.
func (s *ipcSource) openBatch(m message, fields []arrowField) (*ipcBatch, error) {
	m2, t, err := s.readMessage(m.off, m.size)
	if err != nil {
		return nil, err
	}
	b := &ipcBatch{s: s, m: m2, codec: -1}
	b.nodes, b.buffers = readSpans(t, 1), readSpans(t, 2)
	if t.has(3) {
		c := t.sub(3)
		b.codec = int(c.byte(0, 0))
		if b.codec > 1 || c.byte(1, 0) != 0 {
			return nil, fmt.Errorf("compression %d is not read", b.codec)
		}
	}
	l := layout{unionNulls: m2.unionNulls}
	pos, n := t.vector(4, 8)
	for i := range n {
		l.views = append(l.views, t.f.i64(pos+8*i))
	}
	if t.f.bad {
		return nil, errFlatbuf
	}
	for i := range fields {
		b.parts = append(b.parts, l.field(&fields[i]))
	}
	if l.bad || l.nodes != len(b.nodes) || l.buffers != len(b.buffers) {
		return nil, fmt.Errorf("%d nodes and %d buffers, the schema calls for %d and %d", len(b.nodes), len(b.buffers), l.nodes, l.buffers)
	}
	for i, p := range b.parts {
		if got := b.nodes[p.node].a; got != m2.rows {
			return nil, fmt.Errorf("column %q: %d rows, the record batch has %d", fields[i].name, got, m2.rows)
		}
	}
	for i, n := range b.nodes {
		if n.a < 0 || n.b < 0 || n.b > n.a {
			return nil, fmt.Errorf("node %d: %d rows, %d of them null", i, n.a, n.b)
		}
	}
	for i, sp := range b.buffers {
		if sp.a < 0 || sp.b < 0 || sp.a > m2.bodySize || sp.b > m2.bodySize-sp.a {
			return nil, fmt.Errorf("buffer %d: %d bytes at %d in a body of %d", i, sp.b, sp.a, m2.bodySize)
		}
	}
	return b, nil
}

func readSpans(t table, field int) (out []span) {
	pos, n := t.vector(field, 16)
	for i := range n {
		out = append(out, span{t.f.i64(pos + 16*i), t.f.i64(pos + 16*i + 8)})
	}
	return out
}

// buffer reads and unpacks a buffer that must hold at least want bytes. The
// size that compressed data claim is believed only as far as they bear it out.
func (b *ipcBatch) buffer(i int, want int64) ([]byte, error) {
	sp := b.buffers[i]
	if sp.b == 0 {
		if want > 0 {
			return nil, fmt.Errorf("an empty buffer, %d bytes expected", want)
		}
		return nil, nil
	}
	raw := make([]byte, sp.b)
	if n, err := b.s.file.ReadAt(raw, b.m.body+sp.a); n < len(raw) {
		return nil, err
	}
	if b.codec >= 0 {
		if len(raw) < 8 {
			return nil, errShort
		}
		size := int64(binary.LittleEndian.Uint64(raw))
		raw = raw[8:]
		if size != -1 {
			if size < 0 || size > maxBuffer {
				return nil, fmt.Errorf("a buffer of %d bytes unpacked, at most %d are read", size, maxBuffer)
			}
			if size < want { // before any is unpacked
				return nil, fmt.Errorf("a buffer of %d bytes, %d expected", size, want)
			}
			var err error
			if raw, err = b.s.unpack(raw, int(size), b.codec); err != nil {
				return nil, fmt.Errorf("it cannot be unpacked: %w", err)
			}
		}
	}
	if int64(len(raw)) < want {
		return nil, fmt.Errorf("a buffer of %d bytes, %d expected", len(raw), want)
	}
	return raw, nil
}

// unpack returns the size bytes that b unpacks to.
func (s *ipcSource) unpack(b []byte, size, codec int) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	if codec == 0 {
		return readGrowing(lz4.NewReader(&sliceReader{b}), size)
	}
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	if h.HasFCS && h.FrameContentSize > uint64(size) {
		return nil, fmt.Errorf("zstd: %d bytes unpacked, %d expected", h.FrameContentSize, size)
	}
	if h.WindowSize > maxWindow || h.WindowSize > 8<<20 && h.WindowSize > 2*uint64(size) {
		return nil, fmt.Errorf("zstd: a window of %d bytes for %d bytes of data", h.WindowSize, size)
	}
	d, _ := s.zstd.Get().(*zstd.Decoder)
	if d == nil {
		var err error
		if d, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecodeAllCapLimit(true)); err != nil {
			return nil, err
		}
	}
	defer s.zstd.Put(d)
	if h.HasFCS && h.FrameContentSize == uint64(size) {
		out, err := d.DecodeAll(b, make([]byte, 0, size))
		if err == nil && len(out) != size {
			err = fmt.Errorf("zstd: %d bytes unpacked, %d expected", len(out), size)
		}
		return out, err
	}
	if err := d.Reset(&sliceReader{b}); err != nil {
		return nil, err
	}
	return readGrowing(d, size)
}

// readGrowing reads exactly size bytes. Memory grows with what really comes.
func readGrowing(r io.Reader, size int) ([]byte, error) {
	out := make([]byte, 0, min(size, 1<<20))
	for len(out) < size {
		if len(out) == cap(out) {
			out = append(out, 0)[:len(out)]
		}
		n, err := r.Read(out[len(out):min(cap(out), size)])
		out = out[:len(out)+n]
		if err != nil {
			if errors.Is(err, io.EOF) && len(out) == size {
				break
			}
			return nil, fmt.Errorf("%w: %d of %d bytes unpacked (%w)", errShort, len(out), size, err)
		}
	}
	var one [1]byte
	if n, _ := r.Read(one[:]); n > 0 {
		return nil, fmt.Errorf("more than %d bytes unpacked", size)
	}
	return out, nil
}

type sliceReader struct{ b []byte }

func (s *sliceReader) Read(p []byte) (int, error) {
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.b)
	s.b = s.b[n:]
	return n, nil
}
