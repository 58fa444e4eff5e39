package textio

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Error is a fault of the data, with its place.
type Error struct {
	Line   int64  // 1-based; 0: not of one line
	Byte   int64  // 1-based within the line; 0: not of one byte
	Column string // name of the column, "" if not of one column
	Msg    string // what was found and what was expected
}

// Error returns the place and the message: "line 7, column ttft: …".
func (e *Error) Error() string {
	var place []string
	if e.Line > 0 {
		place = append(place, "line "+strconv.FormatInt(e.Line, 10))
	}
	if e.Byte > 0 {
		place = append(place, "byte "+strconv.FormatInt(e.Byte, 10))
	}
	if e.Column != "" {
		place = append(place, "column "+e.Column)
	}
	if len(place) == 0 {
		return e.Msg
	}
	return strings.Join(place, ", ") + ": " + e.Msg
}

// fault is an Error whose place is still an offset. The hot paths count no
// lines; locate does, when something went wrong.
type fault struct {
	off    int64 // from the start of the file, or of the record where noted
	byteOf bool  // the place is one byte, not only a line
	column string
	msg    string
}

func (f *fault) Error() string { return f.msg }

// shift turns an offset within a record into one within the file.
func (f *fault) shift(record int64) *fault {
	f.off += record
	return f
}

// locate turns a fault into an Error that names its place. Other errors are
// returned as they are.
func locate(f ingest.File, err error) error {
	ft, ok := err.(*fault)
	if !ok {
		return err
	}
	e := ErrorAt(f, ft.off, ft.byteOf, ft.msg)
	e.Column = ft.column
	return e
}

// ErrorAt returns an Error of the line that holds the byte at an offset of the
// file, by counting the lines before it, and of the byte too if byteOf. A byte
// order mark does not count.
func ErrorAt(f ingest.File, off int64, byteOf bool, msg string) *Error {
	line, start := int64(1), int64(0)
	buf := make([]byte, 64<<10)
	for at := int64(0); at < off; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), off-at)], at)
		line += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			start = at + int64(i) + 1
		}
		at += int64(n)
		if n == 0 || err != nil && err != io.EOF {
			break
		}
	}
	e := &Error{Line: line, Msg: msg}
	if byteOf {
		if start == 0 {
			start = TextStart(f)
		}
		e.Byte = off - start + 1
	}
	return e
}

// Found describes the byte at i of b, and the character it begins, for a
// message.
func Found(b []byte, i int) string {
	if i >= len(b) {
		return "the end of the line"
	}
	switch c := b[i]; {
	case c == '\n' || c == '\r':
		return "the end of the line"
	case c == '"':
		return "a quote"
	case c == '\'':
		return "an apostrophe"
	case c < utf8.RuneSelf:
		return strconv.QuoteRune(rune(c))
	}
	r, size := utf8.DecodeRune(b[i:])
	if r == utf8.RuneError && size <= 1 {
		return fmt.Sprintf("byte 0x%02x", b[i])
	}
	return strconv.QuoteRune(r)
}

// excerpt quotes nothing but cuts: the text of a cell for a message.
func excerpt(b []byte) string {
	const limit = 40
	if len(b) <= limit {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return strings.ToValidUTF8(string(b[:cut]), "\uFFFD") + "…"
}
