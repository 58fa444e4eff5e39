package harness

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// fault is an error of the data whose place is still an offset in the file.
type fault struct {
	off    int64
	byteOf bool // the place is one byte, not only a line
	msg    string
}

func (f *fault) Error() string { return f.msg }

// place turns a fault into an error that names line and byte. Other errors are
// returned as they are.
func place(f ingest.File, err error) error {
	var ft *fault
	if !errors.As(err, &ft) {
		return err
	}
	line, start := int64(1), int64(0)
	buf := make([]byte, 64<<10)
	for at := int64(0); at < ft.off; {
		n, rerr := f.ReadAt(buf[:min(int64(len(buf)), ft.off-at)], at)
		line += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			start = at + int64(i) + 1
		}
		at += int64(n)
		if n == 0 || rerr != nil && rerr != io.EOF {
			break
		}
	}
	e := &textio.Error{Line: line, Msg: ft.msg}
	if ft.byteOf {
		e.Byte = ft.off - start + 1
	}
	return e
}

// found describes the byte that b begins with.
func found(b []byte) string {
	if len(b) == 0 {
		return "the end"
	}
	switch c := b[0]; {
	case c == '\n' || c == '\r':
		return "the end of the line"
	case c == '"':
		return "a quote"
	case c < utf8.RuneSelf:
		return strconv.QuoteRune(rune(c))
	}
	r, size := utf8.DecodeRune(b)
	if r == utf8.RuneError && size <= 1 {
		return "a byte that is no text"
	}
	return strconv.QuoteRune(r)
}
