package textio

import (
	"bytes"
	"unicode/utf8"
)

// records yields the objects of a file one after another.
type records interface {
	// next returns the text of an object, nil at the end, and its offset. cut
	// says that it ends with the file and not with a line.
	next() (b []byte, off int64, cut bool, err error)
}

// lines yields the lines that begin before end, blank ones left out.
type lines struct {
	w   *window
	end int64
}

func (r *lines) next() (b []byte, off int64, cut bool, err error) {
	for {
		off = r.w.at()
		if off >= r.end {
			return nil, off, false, nil
		}
		b, err = r.w.line()
		if err != nil || b == nil {
			return nil, off, false, err
		}
		cut = b[len(b)-1] != '\n'
		if !cut {
			b = b[:len(b)-1]
		}
		if blanks(b, 0) < len(b) {
			return b, off, cut, nil
		}
	}
}

// align moves to the first line that begins at or behind the window, whose
// first byte is the one before. It keeps nothing in memory on the way.
func (r *lines) align() error {
	for r.w.at() < r.end {
		rest := r.w.rest()
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			r.w.pos += i + 1
			return nil
		}
		r.w.pos = len(r.w.buf)
		if ok, err := r.w.more(); !ok {
			return err
		}
	}
	return nil
}

// elements yields the objects of an array that spans the file.
type elements struct {
	w       *window
	started bool
	done    bool
}

func (r *elements) next() (b []byte, off int64, cut bool, err error) {
	if r.done {
		return nil, r.w.at(), false, nil
	}
	c, err := r.peek()
	switch {
	case err != nil:
		return nil, r.w.at(), false, err
	case !r.started && c == '[':
		r.started = true
		r.w.pos++
		if c, err = r.peek(); c == ']' && err == nil {
			return r.finish()
		}
	case !r.started:
		return nil, 0, false, r.fault("an array, '['")
	case c == ',':
		r.w.pos++
		c, err = r.peek()
	case c == ']':
		return r.finish()
	default:
		return nil, 0, false, r.fault("a comma or ']'")
	}
	if err == nil && c != '{' {
		err = r.fault("an object, '{'")
	}
	if err != nil {
		return nil, 0, false, err
	}
	return r.element()
}

// element takes the object that begins here.
func (r *elements) element() (b []byte, off int64, cut bool, err error) {
	for {
		x := lexer{b: r.w.rest()}
		if end := x.closing(); end >= 0 || x.badAt < len(x.b) {
			if end < 0 { // no use in reading on: let the parser say why
				end = x.badAt + 1
			}
			off = r.w.at()
			r.w.pos += end
			return x.b[:end], off, false, nil
		}
		ok, err := r.w.more()
		if err != nil {
			return nil, 0, false, err
		}
		if !ok {
			off = r.w.at()
			r.w.pos = len(r.w.buf)
			return x.b, off, true, nil
		}
	}
}

// closing finds the end of the object at the beginning of b by its brackets,
// checking nothing else. badAt is the end of b if there is none yet.
func (x *lexer) closing() int {
	depth := 0
	for i := 0; i < len(x.b); i++ {
		switch x.b[i] {
		case '"':
			end, _ := x.str(i)
			if end < 0 {
				return end
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return x.fail(len(x.b), "'}'")
}

// finish takes the closing bracket, behind which nothing may follow.
func (r *elements) finish() ([]byte, int64, bool, error) {
	r.w.pos++
	r.done = true
	for {
		r.w.pos += blanks(r.w.rest(), 0)
		if len(r.w.rest()) > 0 {
			return nil, 0, false, r.fault("the end of the file")
		}
		if ok, err := r.w.more(); !ok {
			return nil, r.w.at(), false, err
		}
	}
}

// peek returns the next byte that is not blank, 0 at the end of the file.
func (r *elements) peek() (byte, error) {
	for {
		r.w.pos += blanks(r.w.rest(), 0)
		if rest := r.w.rest(); len(rest) > 0 {
			return rest[0], nil
		}
		if ok, err := r.w.more(); !ok {
			return 0, err
		}
	}
}

func (r *elements) fault(expect string) error {
	for len(r.w.rest()) < utf8.UTFMax { // so that what is found is a whole character
		if ok, err := r.w.more(); err != nil {
			return err
		} else if !ok {
			break
		}
	}
	x := lexer{b: r.w.rest(), expect: expect}
	return x.fault(true).shift(r.w.at())
}
