package evals

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

const (
	// maxValue is the longest single value that is held in memory: a record of
	// a JSONL file, a sample of a log.
	maxValue  = 64 << 20
	blockSize = 128 << 10
)

// stream reads a JSON text of any size from front to back. What is skipped is
// never held in memory.
type stream struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	pos  int
	off  int64 // of buf[0]
	line int64 // lines that end before buf[0]
	bol  int64 // offset of the line that holds buf[0]
	end  bool
	lim  int
}

func newStream(ctx context.Context, r io.Reader) *stream {
	return &stream{ctx: ctx, r: r, lim: maxValue}
}

// fault is an error with its place in the text.
type fault struct {
	line, col int64
	msg       string
}

func (f *fault) Error() string { return fmt.Sprintf("line %d, byte %d: %s", f.line, f.col, f.msg) }

// fault describes what is wrong at buf[i].
func (s *stream) fault(i int, format string, args ...any) error {
	i = min(i, len(s.buf))
	line := s.line + int64(bytes.Count(s.buf[:i], []byte{'\n'}))
	bol := s.bol
	if j := bytes.LastIndexByte(s.buf[:i], '\n'); j >= 0 {
		bol = s.off + int64(j) + 1
	}
	return &fault{line + 1, s.off + int64(i) - bol + 1, fmt.Sprintf(format, args...)}
}

func (s *stream) found(i int) string {
	if i >= len(s.buf) {
		return "the end of the file; it seems cut off"
	}
	return fmt.Sprintf("%q", s.buf[i:min(i+1, len(s.buf))])
}

// more reads a block behind what is there, dropping what was consumed. It
// reports false at the end.
func (s *stream) more() (bool, error) {
	if s.end {
		return false, nil
	}
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	if s.pos > 0 {
		gone := s.buf[:s.pos]
		s.line += int64(bytes.Count(gone, []byte{'\n'}))
		if j := bytes.LastIndexByte(gone, '\n'); j >= 0 {
			s.bol = s.off + int64(j) + 1
		}
		s.off += int64(s.pos)
		s.buf = s.buf[:copy(s.buf, s.buf[s.pos:])]
		s.pos = 0
	}
	n := len(s.buf)
	if cap(s.buf)-n < blockSize {
		grown := make([]byte, n, 2*n+blockSize)
		copy(grown, s.buf)
		s.buf = grown
	}
	k, err := io.ReadFull(s.r, s.buf[n:cap(s.buf)])
	first := s.off == 0 && n == 0
	s.buf = s.buf[:n+k]
	if first && bytes.HasPrefix(s.buf, []byte("\xef\xbb\xbf")) {
		s.pos = 3
		s.bol = 3
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		s.end = true
		return k > 0, nil
	}
	return err == nil, err
}

// peek returns the next byte that is not blank, 0 at the end.
func (s *stream) peek() (byte, error) {
	for {
		if s.pos = skipBlanks(s.buf, s.pos); s.pos < len(s.buf) {
			return s.buf[s.pos], nil
		}
		if ok, err := s.more(); !ok {
			return 0, err
		}
	}
}

// raw consumes a value and returns it, checked. It is valid until the next
// call. A longer value than the limit is an error.
func (s *stream) raw() (value, error) {
	if c, err := s.peek(); err != nil {
		return nil, err
	} else if c == 0 {
		return nil, s.fault(s.pos, "found %s, expected a value", s.found(s.pos))
	}
	var sc scanner
	n := 0
	for {
		k, done := sc.feed(s.buf[s.pos+n:])
		if n += k; done {
			break
		}
		if n > s.lim {
			break
		}
		if ok, err := s.more(); err != nil {
			return nil, err
		} else if !ok {
			break
		}
	}
	if n > s.lim {
		return nil, s.fault(s.pos, "a value of more than %d MiB, the limit", s.lim>>20)
	}
	v := s.buf[s.pos : s.pos+n]
	end, expect := textio.CheckJSON(v)
	if expect == "" && end < len(v) {
		expect = "the end of the value"
	}
	if expect != "" {
		return nil, s.fault(s.pos+end, "found %s, expected %s", s.found(s.pos+end), expect)
	}
	s.pos += n
	return value(v), nil
}

// skip consumes a value and keeps nothing of it.
func (s *stream) skip() error {
	if c, err := s.peek(); err != nil {
		return err
	} else if c == 0 {
		return s.fault(s.pos, "found %s, expected a value", s.found(s.pos))
	}
	var sc scanner
	for {
		n, done := sc.feed(s.buf[s.pos:])
		s.pos += n
		if done {
			return nil
		}
		if ok, err := s.more(); err != nil {
			return err
		} else if !ok {
			if sc.scalar {
				return nil
			}
			return s.fault(s.pos, "found %s", s.found(s.pos))
		}
	}
}

// object walks over an object. member consumes the value of each key.
func (s *stream) object(member func(key string) error) error {
	return s.each('{', '}', func() error {
		if c, err := s.peek(); err != nil {
			return err
		} else if c != '"' {
			return s.fault(s.pos, "found %s, expected a key in quotes", s.found(s.pos))
		}
		k, err := s.raw()
		if err != nil {
			return err
		}
		key := k.str()
		if c, err := s.peek(); err != nil {
			return err
		} else if c != ':' {
			return s.fault(s.pos, "found %s, expected a colon", s.found(s.pos))
		}
		s.pos++
		return member(key)
	})
}

// array walks over an array. element consumes each element.
func (s *stream) array(element func() error) error { return s.each('[', ']', element) }

func (s *stream) each(open, shut byte, one func() error) error {
	if c, err := s.peek(); err != nil {
		return err
	} else if c != open {
		return s.fault(s.pos, "found %s, expected %q", s.found(s.pos), open)
	}
	s.pos++
	for first := true; ; first = false {
		c, err := s.peek()
		switch {
		case err != nil:
			return err
		case c == shut:
			s.pos++
			return nil
		case !first && c != ',':
			return s.fault(s.pos, "found %s, expected a comma or %q", s.found(s.pos), shut)
		case !first:
			s.pos++
			if c, err = s.peek(); err != nil {
				return err
			} else if c == shut {
				return s.fault(s.pos, "found %s, expected a value", s.found(s.pos))
			}
		}
		if err := one(); err != nil {
			return err
		}
	}
}

// finish says whether something other than blanks follows.
func (s *stream) finish() error {
	if c, err := s.peek(); err != nil {
		return err
	} else if c != 0 {
		return s.fault(s.pos, "found %s, expected the end of the file", s.found(s.pos))
	}
	return nil
}

// only hands over a value that begins with c, and skips any other.
func (s *stream) only(c byte, use func() error) error {
	found, err := s.peek()
	switch {
	case err != nil:
		return err
	case found == c:
		return use()
	}
	return s.skip()
}
