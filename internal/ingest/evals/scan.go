package evals

import (
	"bytes"
	"fmt"
)

// maxDepth is how deep JSON may be nested, as in encoding/json.
const maxDepth = 10000

// scanner finds the end of a JSON value by its quotes and brackets, checking
// nothing else. It can be fed piece by piece.
type scanner struct {
	depth   int
	inText  bool
	escaped bool
	scalar  bool
}

// feed walks on and returns how many bytes belong to the value, and whether it
// is complete. A number or word is complete only at the byte behind it.
func (s *scanner) feed(b []byte) (n int, done bool) {
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inText:
			if c != '"' && c != '\\' {
				if i += plain(b[i:]); i >= len(b) {
					return len(b), false
				}
				c = b[i]
			}
			if c == '\\' {
				s.escaped = true
				continue
			}
			s.inText = false
			if s.depth == 0 {
				return i + 1, true
			}
		case s.scalar && s.depth == 0:
			if c == ',' || c == ']' || c == '}' || c == ':' || isBlank(c) || c == '"' || c == '{' || c == '[' {
				return i, true
			}
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth <= 0 {
				return i + 1, true
			}
		default:
			s.scalar = s.depth == 0
		}
	}
	return len(b), false
}

// plain returns how many bytes come before the next quote or backslash.
func plain(b []byte) int {
	q := bytes.IndexByte(b, '"')
	if q < 0 {
		q = len(b)
	}
	if e := bytes.IndexByte(b[:q], '\\'); e >= 0 {
		return e
	}
	return q
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// checker is as strict about a value as encoding/json but for NaN, Infinity
// and -Infinity, which Python writes. Its methods take the index where
// something begins and return the index behind it, or −1 after noting what is
// wrong.
type checker struct {
	b      []byte
	badAt  int
	expect string
}

func (x *checker) fail(i int, expect string) int {
	x.badAt, x.expect = i, expect
	return -1
}

func (x *checker) space(i int) int {
	for i < len(x.b) && isBlank(x.b[i]) {
		i++
	}
	return i
}

func (x *checker) is(i int, c byte) bool { return i < len(x.b) && x.b[i] == c }

func (x *checker) value(i, depth int) int {
	if i >= len(x.b) {
		return x.fail(i, "a value")
	}
	switch c := x.b[i]; c {
	case '"':
		return x.text(i)
	case '{', '[':
		return x.nested(i, depth)
	case 't':
		return x.word(i, "true")
	case 'f':
		return x.word(i, "false")
	case 'n':
		return x.word(i, "null")
	case 'N':
		return x.word(i, "NaN")
	case 'I':
		return x.word(i, "Infinity")
	default:
		if c == '-' || isDigit(c) {
			return x.number(i)
		}
		return x.fail(i, "a value")
	}
}

// nested walks over an object or an array.
func (x *checker) nested(i, depth int) int {
	if depth >= maxDepth {
		return x.fail(i, fmt.Sprintf("at most %d levels of nesting", maxDepth))
	}
	isObject := x.b[i] == '{'
	end, what := byte(']'), "a comma or ']'"
	if isObject {
		end, what = '}', "a comma or '}'"
	}
	if i = x.space(i + 1); x.is(i, end) {
		return i + 1
	}
	for {
		if isObject {
			if !x.is(i, '"') {
				return x.fail(i, "a key in quotes")
			}
			if i = x.text(i); i < 0 {
				return i
			}
			if i = x.space(i); !x.is(i, ':') {
				return x.fail(i, "a colon")
			}
			i = x.space(i + 1)
		}
		if i = x.value(i, depth+1); i < 0 {
			return i
		}
		switch i = x.space(i); {
		case x.is(i, ','):
			i = x.space(i + 1)
		case x.is(i, end):
			return i + 1
		default:
			return x.fail(i, what)
		}
	}
}

func (x *checker) text(i int) int {
	for i++; i < len(x.b); i++ {
		switch c := x.b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = x.escape(i + 1); i < 0 {
				return i
			}
		case c < ' ':
			return x.fail(i, "a string without line breaks and control characters")
		}
	}
	return x.fail(len(x.b), "the end of a string")
}

// escape walks over an escape sequence and returns its last byte.
func (x *checker) escape(i int) int {
	if i >= len(x.b) {
		return x.fail(i, "an escape sequence")
	}
	switch x.b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i
	case 'u':
		for j := i + 1; j <= i+4; j++ {
			if j >= len(x.b) || !isDigit(x.b[j]) && (x.b[j]|0x20 < 'a' || x.b[j]|0x20 > 'f') {
				return x.fail(j, "a hexadecimal digit")
			}
		}
		return i + 4
	}
	return x.fail(i, "an escape sequence")
}

func (x *checker) word(i int, w string) int {
	if !bytes.HasPrefix(x.b[i:], []byte(w)) {
		return x.fail(i, w)
	}
	return i + len(w)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (x *checker) digits(i int) int {
	j := i
	for j < len(x.b) && isDigit(x.b[j]) {
		j++
	}
	if j == i {
		return x.fail(i, "a digit")
	}
	return j
}

func (x *checker) number(i int) int {
	if x.b[i] == '-' {
		if i++; x.is(i, 'I') {
			return x.word(i, "Infinity")
		}
	}
	if x.is(i, '0') && i+1 < len(x.b) && isDigit(x.b[i+1]) {
		return x.fail(i+1, "no digit after a leading zero")
	}
	if i = x.digits(i); i < 0 {
		return i
	}
	if x.is(i, '.') {
		if i = x.digits(i + 1); i < 0 {
			return i
		}
	}
	if i < len(x.b) && x.b[i]|0x20 == 'e' {
		i++
		if x.is(i, '+') || x.is(i, '-') {
			i++
		}
		return x.digits(i)
	}
	return i
}
