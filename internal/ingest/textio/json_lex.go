package textio

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// maxDepth is how deep JSON may be nested, as in encoding/json.
const maxDepth = 10000

// lexer walks over the JSON text b. Its methods take the index where something
// begins and return the index behind it, or −1 after noting what is wrong. It
// is as strict as encoding/json but for the numbers NaN, Infinity and
// -Infinity, which Python writes.
type lexer struct {
	b      []byte
	badAt  int
	expect string
}

// fail notes that something else was expected at i.
func (x *lexer) fail(i int, expect string) int {
	x.badAt, x.expect = i, expect
	return -1
}

// fault returns what fail noted. cut says that the text ends the file without a
// line end, and so may be a part of a record.
func (x *lexer) fault(cut bool) *fault {
	what := Found(x.b, x.badAt)
	msg := fmt.Sprintf("found %s, expected %s", what, x.expect)
	if cut && x.badAt >= len(x.b) {
		msg = fmt.Sprintf("found the end of the file, expected %s; the file seems cut off", x.expect)
	}
	return &fault{off: int64(x.badAt), byteOf: true, msg: msg}
}

func (x *lexer) space(i int) int { return blanks(x.b, i) }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// PlainText walks over the inside of a JSON string from i on, eight bytes at a
// time, as long as there is none to look at: no quote, no backslash, no control
// character. The byte where it stops need not be one, near the end of b.
func PlainText(b []byte, i int) int {
	for i+8 <= len(b) {
		v := binary.LittleEndian.Uint64(b[i:])
		q, s := v^('"'*ones), v^('\\'*ones)
		if m := ((q-ones)&^q | (s-ones)&^s | (v-' '*ones)&^v) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	return i
}

// str walks over the string whose quote is at i. escaped says that it holds a
// backslash.
func (x *lexer) str(i int) (end int, escaped bool) {
	b := x.b
	i++
	for {
		i = PlainText(b, i)
		if i >= len(b) {
			return x.fail(len(b), "the end of a string"), escaped
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, escaped
		case c == '\\':
			escaped = true
			if i = x.escape(i); i < 0 {
				return i, escaped
			}
		case c < ' ':
			return x.fail(i, "a string without line breaks and control characters"), escaped
		default:
			i++
		}
	}
}

// escape walks over the escape sequence whose backslash is at i.
func (x *lexer) escape(i int) int {
	if i+1 >= len(x.b) {
		return x.fail(i+1, "an escape sequence")
	}
	switch x.b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if j >= len(x.b) || !isHex(x.b[j]) {
				return x.fail(j, "a hexadecimal digit")
			}
		}
		return i + 6
	}
	return x.fail(i+1, `an escape sequence (\" \\ \/ \b \f \n \r \t \u)`)
}

func isHex(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// number walks over a number, NaN or infinity.
func (x *lexer) number(i int) int {
	b := x.b
	if b[i] == '-' {
		if i++; i < len(b) && b[i] == 'I' {
			return x.literal(i, "Infinity")
		}
	}
	j := digitsEnd(b, i)
	switch {
	case j == i:
		return x.fail(i, "a digit")
	case b[i] == '0' && j > i+1:
		return x.fail(i+1, "no digit after a leading zero")
	}
	i = j
	if i < len(b) && b[i] == '.' {
		if j = digitsEnd(b, i+1); j == i+1 {
			return x.fail(j, "a digit")
		}
		i = j
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if j = digitsEnd(b, i); j == i {
			return x.fail(j, "a digit")
		}
		i = j
	}
	return i
}

// literal walks over a word.
func (x *lexer) literal(i int, word string) int {
	for j := 0; j < len(word); j++ {
		if i+j >= len(x.b) || x.b[i+j] != word[j] {
			return x.fail(i+j, word)
		}
	}
	return i + len(word)
}

// skip walks over any value.
func (x *lexer) skip(i, depth int) int {
	if i >= len(x.b) {
		return x.fail(i, "a value")
	}
	switch c := x.b[i]; c {
	case '"':
		i, _ = x.str(i)
		return i
	case '{':
		return x.object(i, depth, nil)
	case '[':
		return x.array(i, depth)
	case 't':
		return x.literal(i, "true")
	case 'f':
		return x.literal(i, "false")
	case 'n':
		return x.literal(i, "null")
	case 'N':
		return x.literal(i, "NaN")
	case 'I':
		return x.literal(i, "Infinity")
	default:
		if c == '-' || c-'0' <= 9 {
			return x.number(i)
		}
		return x.fail(i, "a value")
	}
}

// array walks over the array at i.
func (x *lexer) array(i, depth int) int {
	if depth >= maxDepth {
		return x.fail(i, fmt.Sprintf("at most %d levels of nesting", maxDepth))
	}
	if i = x.space(i + 1); i < len(x.b) && x.b[i] == ']' {
		return i + 1
	}
	for {
		if i = x.skip(i, depth+1); i < 0 {
			return i
		}
		i = x.space(i)
		switch {
		case i < len(x.b) && x.b[i] == ',':
			i = x.space(i + 1)
		case i < len(x.b) && x.b[i] == ']':
			return i + 1
		default:
			return x.fail(i, "a comma or ']'")
		}
	}
}

// object walks over the object at i. member, if not nil, is called for every
// member with the raw key and the index of the value, and walks over it.
func (x *lexer) object(i, depth int, member func(key []byte, escaped bool, i int) int) int {
	if depth >= maxDepth {
		return x.fail(i, fmt.Sprintf("at most %d levels of nesting", maxDepth))
	}
	if i = x.space(i + 1); i < len(x.b) && x.b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(x.b) || x.b[i] != '"' {
			return x.fail(i, "a key in quotes")
		}
		start := i + 1
		end, escaped := x.str(i)
		if end < 0 {
			return end
		}
		if i = x.space(end); i >= len(x.b) || x.b[i] != ':' {
			return x.fail(i, "a colon")
		}
		i = x.space(i + 1)
		if member != nil {
			i = member(x.b[start:end-1], escaped, i)
		} else {
			i = x.skip(i, depth+1)
		}
		if i < 0 {
			return i
		}
		i = x.space(i)
		switch {
		case i < len(x.b) && x.b[i] == ',':
			i = x.space(i + 1)
		case i < len(x.b) && x.b[i] == '}':
			return i + 1
		default:
			return x.fail(i, "a comma or '}'")
		}
	}
}
