package evals

import (
	"bytes"

	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

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

// isJSON reports whether b is one JSON value and nothing else.
func isJSON(b []byte) bool {
	n, expect := textio.CheckJSON(b)
	return expect == "" && n == len(b)
}

// isNumber reports whether b is a number as JSON spells it.
func isNumber(b string) bool {
	return b != "" && (b[0] == '-' || isDigit(b[0])) && isJSON([]byte(b))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
