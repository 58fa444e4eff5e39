package arrowio

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// body is what a page holds: unpacked as a whole, or as it is asked for.
type body struct {
	b   []byte // unpacked and not taken
	src io.Reader
	n   int64 // bytes that src has still to give
	buf []byte
}

func (b *body) whole(data []byte) { b.b, b.src, b.n = data, nil, 0 }

func (b *body) stream(src io.Reader, size int64) { b.b, b.src, b.n = nil, src, size }

// left returns how many bytes are left to be taken.
func (b *body) left() int { return len(b.b) + int(b.n) }

// take returns the next n bytes; they are good until the next call.
func (b *body) take(n int) ([]byte, error) {
	switch {
	case n < 0 || n > b.left():
		return nil, fmt.Errorf("%w: %d bytes are wanted, %d are left", errShort, n, b.left())
	case b.src == nil:
		out := b.b[:n]
		b.b = b.b[n:]
		return out, nil
	}
	b.buf = resize(b.buf, n)
	if _, err := io.ReadFull(b.src, b.buf); err != nil {
		return nil, unpacking(err)
	}
	b.n -= int64(n)
	return b.buf, nil
}

// end reads what is left of a stream and verifies that it ends there.
func (b *body) end() error {
	if b.src == nil {
		return nil
	}
	for b.n > 0 {
		if _, err := b.take(int(min(b.n, 64<<10))); err != nil {
			return err
		}
	}
	src := b.src
	b.whole(nil)
	var more [1]byte
	switch _, err := io.ReadFull(src, more[:]); {
	case err == nil:
		return errLong
	case !errors.Is(err, io.EOF):
		return unpacking(err)
	}
	return nil
}

func unpacking(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errShort
	}
	return err
}

const (
	// maxBack is how far back the packed data of a streamed page may refer.
	maxBack = 8 << 20
	// peekSize holds the header of a block of packed data: what is beyond goes
	// straight to where it is unpacked from.
	peekSize = 512
)

// inflater unpacks zstd data as they are read.
type inflater struct {
	in  *bufio.Reader
	dec *zstd.Decoder
}

// open returns a reader of the data that r packs; nil where the data refer so
// far back that they are better unpacked as a whole.
func (z *inflater) open(r io.Reader) (io.Reader, error) {
	if z.in == nil {
		z.in = bufio.NewReaderSize(r, peekSize)
	} else {
		z.in.Reset(r)
	}
	head, err := z.in.Peek(zstd.HeaderMaxSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var h zstd.Header
	if h.Decode(head) != nil || h.Skippable || h.DictionaryID != 0 {
		return nil, nil
	}
	window := h.WindowSize
	if h.SingleSegment {
		window = h.FrameContentSize
	}
	if window > maxBack {
		return nil, nil
	}
	if z.dec == nil {
		z.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxBack))
		if err != nil {
			return nil, err
		}
	}
	return z.dec, z.dec.Reset(z.in)
}
