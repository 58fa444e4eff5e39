package harness

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// kind is what a JSON value is.
type kind uint8

const (
	kindNone kind = iota // none was read, because of a fault
	kindNull
	kindTrue
	kindFalse
	kindNumber
	kindString
	kindNested // an object or an array, which is not consumed
)

// value is a JSON value. Its text is valid until the next read.
type value struct {
	kind kind
	text []byte // of a number as it is spelt, of a string without escapes
}

// value reads the value that comes next. Of a nested one only the kind is told.
func (r *jsonReader) value() value {
	switch r.peek() {
	case '"':
		s := r.str(maxText)
		if r.err != nil {
			return value{}
		}
		return value{kindString, s}
	case '{', '[':
		return value{kind: kindNested}
	}
	return r.scalar()
}

// scalar reads a number, true, false or null.
func (r *jsonReader) scalar() value {
	switch c := r.peek(); c {
	case 't':
		return r.word("true", kindTrue)
	case 'f':
		return r.word("false", kindFalse)
	case 'n':
		return r.word("null", kindNull)
	case 'N':
		return r.word("NaN", kindNumber)
	case 'I':
		return r.word("Infinity", kindNumber)
	default:
		if c != '-' && c-'0' > 9 {
			r.fail("a value")
			return value{}
		}
	}
	r.keep = r.i
	defer func() { r.keep = -1 }()
	for r.i++; ; r.i++ {
		if r.i == len(r.buf) && !r.more() {
			break
		}
		if c := r.buf[r.i]; !numberByte[c] {
			break
		}
		if r.i-r.keep > maxNumber {
			r.fail("the end of a number")
		}
	}
	if r.err != nil {
		return value{}
	}
	text := r.buf[r.keep:r.i]
	if _, n := textio.ScanFloat(text); n != len(text) && string(text) != "-Infinity" {
		r.i = r.keep + n
		r.fail("a number")
		return value{}
	}
	return value{kindNumber, text}
}

// numberByte holds the bytes of numbers, -Infinity included.
var numberByte = func() (t [256]bool) {
	for _, c := range "0123456789+-.eEInfity" {
		t[c] = true
	}
	return t
}()

func (r *jsonReader) word(w string, k kind) value {
	for r.err == nil && len(r.buf)-r.i < len(w) && r.more() {
	}
	for j := range len(w) {
		if r.err != nil {
			return value{}
		}
		if r.i+j >= len(r.buf) || r.buf[r.i+j] != w[j] {
			r.i += j
			r.fail(w)
			return value{}
		}
	}
	text := r.buf[r.i : r.i+len(w)]
	r.i += len(w)
	return value{k, text}
}

// str reads the string that comes next and returns its text, at most limit
// bytes of it as it is spelt. Without a limit nothing is kept.
func (r *jsonReader) str(limit int) []byte {
	if !r.take('"', "a string in quotes") {
		return nil
	}
	escaped := false
	var text []byte // what was kept before the window had to move on
	r.keep = -1
	if limit > 0 {
		r.keep = r.i
	}
	for {
		b, i := r.buf, textio.PlainText(r.buf, r.i)
		r.i = i
		if r.keep >= 0 && i-r.keep > limit {
			text = append([]byte(nil), b[r.keep:r.keep+cutAt(b[r.keep:], limit)]...)
			r.keep = -1
		}
		if r.i >= len(r.buf) {
			if !r.more() {
				r.keep = -1
				r.fail("the end of a string")
				return nil
			}
			continue
		}
		switch c := r.buf[r.i]; {
		case c == '"':
			if r.keep >= 0 {
				text = r.buf[r.keep:r.i]
			}
			r.keep = -1
			r.i++
			if escaped && limit > 0 {
				r.scratch = textio.AppendUnescaped(r.scratch[:0], text)
				text = r.scratch
			}
			return text
		case c == '\\':
			escaped = true
			if !r.escape() {
				r.keep = -1
				return nil
			}
		case c < ' ':
			r.keep = -1
			r.fail("a string without line breaks and control characters")
			return nil
		default:
			r.i++
		}
	}
}

// escape walks over the escape sequence that comes next.
func (r *jsonReader) escape() bool {
	for r.err == nil && len(r.buf)-r.i < 6 && r.more() {
	}
	if r.err != nil {
		return false
	}
	b := r.buf[r.i:]
	if len(b) < 2 {
		r.i = len(r.buf)
		r.fail("an escape sequence")
		return false
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		r.i += 2
		return true
	case 'u':
		for j := 2; j < 6; j++ {
			if j >= len(b) || !(b[j]-'0' <= 9 || b[j]|0x20 >= 'a' && b[j]|0x20 <= 'f') {
				r.i += j
				r.fail("a hexadecimal digit")
				return false
			}
		}
		r.i += 6
		return true
	}
	r.i++
	r.fail(`an escape sequence (\" \\ \/ \b \f \n \r \t \u)`)
	return false
}

// cutAt returns the largest length up to limit at which raw can be cut without
// cutting an escape sequence or a character: before the last backslash or
// character that begins near it.
func cutAt(raw []byte, limit int) int {
	n := limit
	for k := n - 1; k >= 0 && k > n-8; k-- {
		if raw[k] == '\\' {
			for k > 0 && raw[k-1] == '\\' {
				k--
			}
			return k
		}
	}
	for n > 0 && raw[n]&0xc0 == 0x80 {
		n--
	}
	return n
}

// float reads a number, null as the value missing. Anything else is skipped and
// told by ok.
func (r *jsonReader) float() (v float64, ok bool) {
	if r.peek() == 0 || r.err != nil {
		r.fail("a value")
		return 0, false
	}
	if c := r.buf[r.i]; c == '-' || c-'0' <= 9 {
		for len(r.buf)-r.i < 64 && r.more() {
		}
		if v, n := textio.ScanFloat(r.buf[r.i:]); n > 0 && r.i+n < len(r.buf) && !numberByte[r.buf[r.i+n]] {
			r.i += n
			return v, true
		}
	}
	t := r.value()
	switch t.kind {
	case kindNull:
		return missing, true
	case kindNumber:
		return textio.ParseFloat(t.text)
	case kindString:
		return textio.ParseFloat(t.text)
	case kindNested:
		r.skip()
	}
	return 0, false
}

// missing stands for null in a list of numbers: a NaN of its own, which is told
// by its bits.
var missing = math.Float64frombits(missingBits)

const missingBits = 0x7ff8_0000_6e75_6c6c

func isMissing(v float64) bool { return math.Float64bits(v) == missingBits }
