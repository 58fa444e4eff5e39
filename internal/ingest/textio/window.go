package textio

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	// maxRecord is the longest record that is read.
	maxRecord = 64 << 20
	blockSize = 256 << 10
)

// window is the part of a file that is in memory: buf[pos:] is not consumed
// yet. It grows only while one record does not fit.
type window struct {
	ctx  context.Context
	file ingest.File
	off  int64 // of buf[0]
	buf  []byte
	pos  int
	max  int // bytes of a record
	step int // bytes read at once, at least
}

func newWindow(ctx context.Context, f ingest.File, off int64) *window {
	return &window{ctx: ctx, file: f, off: off, max: maxRecord, step: blockSize}
}

// at returns the file offset of the next byte.
func (w *window) at() int64 { return w.off + int64(w.pos) }

// rest returns what is in memory and not consumed.
func (w *window) rest() []byte { return w.buf[w.pos:] }

// atEnd reports whether rest holds all that is left of the file.
func (w *window) atEnd() bool { return w.off+int64(len(w.buf)) >= w.file.Size }

// more reads a block behind what is there, or as much again as is there, so
// that a long record is read in few steps. It reports false at the end of the
// file. Slices of the buffer that were taken before are no longer valid.
func (w *window) more() (bool, error) {
	if w.atEnd() {
		return false, nil
	}
	if err := w.ctx.Err(); err != nil {
		return false, err
	}
	rest := len(w.buf) - w.pos
	if rest > w.max {
		return false, &fault{off: w.at(), msg: fmt.Sprintf("the record is longer than %d MiB, the limit", w.max>>20)}
	}
	left := w.file.Size - w.off - int64(len(w.buf))
	want := int(min(left, int64(max(w.step, rest))))
	if cap(w.buf) < rest+want {
		buf := make([]byte, rest, rest+want)
		copy(buf, w.buf[w.pos:])
		w.buf = buf
	} else {
		copy(w.buf, w.buf[w.pos:])
		w.buf = w.buf[:rest]
	}
	w.off += int64(w.pos)
	w.pos = 0
	n, err := readFull(w.file, w.buf[rest:rest+want], w.off+int64(rest))
	w.buf = w.buf[:rest+n]
	if n < want {
		if err == nil || err == io.EOF {
			err = fmt.Errorf("the file is shorter than when it was opened: %w", io.ErrUnexpectedEOF)
		}
		return false, err
	}
	return true, nil
}

func readFull(r io.ReaderAt, b []byte, off int64) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = r.ReadAt(b[n:], off+int64(n))
		n += k
	}
	return n, err
}

// line consumes a line and returns it with its newline, which only the last
// line of a file can lack. It returns nil at the end of the file.
func (w *window) line() ([]byte, error) {
	seen := 0
	for {
		rest := w.rest()
		if i := bytes.IndexByte(rest[seen:], '\n'); i >= 0 {
			w.pos += seen + i + 1
			return rest[:seen+i+1], nil
		}
		seen = len(rest)
		ok, err := w.more()
		if err != nil {
			return nil, err
		}
		if !ok {
			if seen == 0 {
				return nil, nil
			}
			w.pos += seen
			return rest, nil
		}
	}
}
