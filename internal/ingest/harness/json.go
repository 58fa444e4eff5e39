package harness

import (
	"context"
	"fmt"
	"io"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

const (
	windowBytes = 256 << 10
	maxDepth    = 1000      // of nesting
	maxNumber   = 1 << 10   // bytes of a number
	maxKey      = 1 << 16   // bytes of a key
	maxText     = 1 << 20   // bytes of a string that are kept; the rest is walked over
	maxBuffered = 256 << 20 // a bug, not data, if the window grows beyond
)

// jsonReader walks over JSON text of any size, in a window of the file. It
// takes objects one after another, so that a file may hold several, and the
// numbers NaN, Infinity and -Infinity, which Python writes.
//
// The first fault stops it: all methods then do nothing, and err holds it.
type jsonReader struct {
	ctx   context.Context
	file  ingest.File
	end   int64 // of the text
	stop  int64 // records that begin here or behind belong to another partition
	off   int64 // of buf[0] in the file
	buf   []byte
	i     int // next byte
	keep  int // beginning of the token that must stay in the window, −1 if none
	depth int
	err   error

	key     []byte
	scratch []byte
}

// newJSON returns a reader of the file from an offset on.
func newJSON(ctx context.Context, f ingest.File, from int64) *jsonReader {
	return &jsonReader{ctx: ctx, file: f, end: f.Size, stop: f.Size, off: from, keep: -1}
}

// pos returns the offset of the next byte.
func (r *jsonReader) pos() int64 { return r.off + int64(r.i) }

// more reads further text into the window and reports false at the end of the
// text or after a fault.
func (r *jsonReader) more() bool {
	if r.err != nil {
		return false
	}
	if r.err = r.ctx.Err(); r.err != nil {
		return false
	}
	at := r.off + int64(len(r.buf))
	if at >= r.end {
		return false
	}
	from := r.i
	if r.keep >= 0 {
		from = r.keep
	}
	rest := len(r.buf) - from
	want := int(min(int64(max(windowBytes, rest)), r.end-at))
	if rest+want > maxBuffered {
		r.err = &fault{off: r.pos(), msg: "found a value that is too long to hold"}
		return false
	}
	if cap(r.buf) < rest+want {
		buf := make([]byte, rest, rest+want)
		copy(buf, r.buf[from:])
		r.buf = buf
	} else {
		copy(r.buf, r.buf[from:])
		r.buf = r.buf[:rest]
	}
	r.off += int64(from)
	r.i -= from
	if r.keep >= 0 {
		r.keep = 0
	}
	n, err := r.file.ReadAt(r.buf[rest:rest+want], at)
	r.buf = r.buf[:rest+n]
	if n < want {
		if err == nil || err == io.EOF {
			err = fmt.Errorf("the file is shorter than when it was opened: %w", io.ErrUnexpectedEOF)
		}
		r.err = err
	}
	return n > 0
}

// peek skips blanks and returns the next byte, 0 at the end.
func (r *jsonReader) peek() byte {
	for {
		for r.i < len(r.buf) {
			switch c := r.buf[r.i]; c {
			case ' ', '\t', '\n', '\r':
				r.i++
			default:
				return c
			}
		}
		if !r.more() {
			return 0
		}
	}
}

// atEnd reports whether only blanks are left.
func (r *jsonReader) atEnd() bool { return r.peek() == 0 && r.i >= len(r.buf) }

// fail notes that something else was expected at the next byte.
func (r *jsonReader) fail(expect string) {
	if r.err != nil {
		return
	}
	for len(r.buf)-r.i < 4 && r.more() { // so that what is found is a whole character
	}
	if r.err != nil {
		return
	}
	what, cut := textio.Found(r.buf, r.i), ""
	if r.i >= len(r.buf) {
		what, cut = "the end of the file", "; the file seems cut off"
	}
	r.err = &fault{off: r.pos(), byteOf: true, msg: "found " + what + ", expected " + expect + cut}
}

// take consumes the byte c after blanks.
func (r *jsonReader) take(c byte, expect string) bool {
	if r.err != nil {
		return false
	}
	if r.peek() != c {
		r.fail(expect)
		return false
	}
	r.i++
	return true
}

func (r *jsonReader) enter() bool {
	if r.depth++; r.depth > maxDepth {
		r.fail(fmt.Sprintf("at most %d levels of nesting", maxDepth))
	}
	return r.err == nil
}

// object walks over the object that comes next. member is called for every
// member with its key, which is valid until the member's value is read; a value
// that it leaves is skipped. A nil member skips all.
func (r *jsonReader) object(member func(key []byte)) {
	if !r.take('{', "an object, '{'") || !r.enter() {
		return
	}
	defer func() { r.depth-- }()
	if r.peek() == '}' {
		r.i++
		return
	}
	for r.err == nil {
		if r.peek() != '"' {
			r.fail("a key in quotes")
			return
		}
		r.key = append(r.key[:0], r.str(maxKey)...)
		if !r.take(':', "a colon") {
			return
		}
		r.peek()
		if before := r.pos(); member == nil {
			r.skip()
		} else if member(r.key); r.err == nil && r.pos() == before {
			r.skip()
		}
		switch r.peek() {
		case ',':
			r.i++
		case '}':
			r.i++
			return
		default:
			r.fail("a comma or '}'")
		}
	}
}

// array walks over the array that comes next. element is called for every
// element; one that it leaves is skipped. A nil element skips all.
func (r *jsonReader) array(element func()) {
	if !r.take('[', "an array, '['") || !r.enter() {
		return
	}
	defer func() { r.depth-- }()
	if r.peek() == ']' {
		r.i++
		return
	}
	for r.err == nil {
		r.peek()
		if before := r.pos(); element == nil {
			r.skip()
		} else if element(); r.err == nil && r.pos() == before {
			r.skip()
		}
		switch r.peek() {
		case ',':
			r.i++
		case ']':
			r.i++
			return
		default:
			r.fail("a comma or ']'")
		}
	}
}

// skip walks over any value.
func (r *jsonReader) skip() {
	switch c := r.peek(); c {
	case '{':
		r.object(nil)
	case '[':
		r.array(nil)
	case '"':
		r.str(0)
	default:
		r.scalar()
	}
}

// document walks over the object that is the whole text.
func (r *jsonReader) document(member func(key []byte)) {
	if r.object(member); r.err == nil && !r.atEnd() {
		r.fail("the end of the file")
	}
}

// records calls record at the beginning of every object of the text: of one
// object after another, or of the elements of an array.
func (r *jsonReader) records(record func()) {
	switch r.peek() {
	case '[':
		r.array(record)
		if !r.atEnd() {
			r.fail("the end of the file")
		}
	default:
		r.objects(record)
	}
}

// objects calls record at the beginning of every object of a text that holds
// one after another, up to the first that begins at or behind stop.
func (r *jsonReader) objects(record func()) {
	for r.err == nil {
		c := r.peek()
		if r.pos() >= r.stop {
			return
		}
		switch c {
		case '{':
			before := r.pos()
			if record(); r.err == nil && r.pos() == before {
				r.skip()
			}
		default:
			r.fail("an object, '{'")
		}
	}
}
