package textio

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// appendUnescaped appends the text of a string whose inside is raw, which has
// been walked over and so is valid. Lone surrogates and invalid UTF-8 become
// U+FFFD, as in encoding/json.
func appendUnescaped(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		if c != '\\' {
			if c < utf8.RuneSelf {
				dst = append(dst, c)
				i++
				continue
			}
			r, n := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		c = raw[i+1]
		i += 2
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(raw[i:])
			i += 4
			if utf16.IsSurrogate(r) {
				pair := utf8.RuneError
				if i+6 <= len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
					pair = utf16.DecodeRune(r, hex4(raw[i+2:]))
				}
				if r = pair; r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func hex4(b []byte) (r rune) {
	for _, c := range b[:4] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// appendCompact appends a valid JSON value without the blanks between tokens.
func appendCompact(dst, raw []byte) []byte {
	x := lexer{b: raw}
	for i := 0; i < len(raw); {
		switch raw[i] {
		case ' ', '\t', '\r', '\n':
			i++
		case '"':
			end, _ := x.str(i)
			dst = append(dst, bytes.ToValidUTF8(raw[i:end], []byte("\uFFFD"))...)
			i = end
		default:
			dst = append(dst, raw[i])
			i++
		}
	}
	return dst
}

// stringText returns the text of a valid JSON string with its quotes, using
// scratch if it has to be decoded.
func stringText(raw []byte, scratch *[]byte) []byte {
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return raw
	}
	*scratch = appendUnescaped((*scratch)[:0], raw)
	return *scratch
}

// valueUnit returns the two parts of an object of exactly {"value": …,
// "unit": "…"}, in either order: both as they are spelt.
func valueUnit(raw []byte) (value, unit []byte, ok bool) {
	x := lexer{b: raw}
	n := 0
	ok = true
	end := x.object(0, 0, func(key []byte, escaped bool, i int) int {
		end := x.skip(i, 1)
		n++
		switch {
		case end < 0:
		case string(key) == "value" && value == nil:
			value = raw[i:end]
		case string(key) == "unit" && unit == nil && raw[i] == '"':
			unit = raw[i:end]
		default:
			ok = false
		}
		return end
	})
	return value, unit, ok && end == len(raw) && n == 2 && value != nil && unit != nil
}
