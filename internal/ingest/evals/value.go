package evals

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// value is the text of one JSON value that was checked; nil is an absent one.
// Numbers stay as they are spelt, so an id of 18 digits keeps them all.
type value []byte

// member is a member of an object.
type member struct {
	key string
	val value
}

// object is an object's members in order.
type object []member

// kind returns the first byte of the value, '0' for any number, NaN and
// infinity included, and 0 for an absent one.
func (v value) kind() byte {
	if len(v) == 0 {
		return 0
	}
	switch c := v[0]; c {
	case '"', '{', '[', 't', 'f', 'n':
		return c
	}
	return '0'
}

// null reports whether there is no value, or null.
func (v value) null() bool { return len(v) == 0 || v[0] == 'n' }

// members yields the members of an object; nothing for any other value.
func (v value) members() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		for key, val := range v.rawMembers() {
			if !yield(unquote(key), val) {
				return
			}
		}
	}
}

// rawMembers yields members with their keys in quotes, as spelt.
func (v value) rawMembers() iter.Seq2[value, value] {
	return func(yield func(value, value) bool) {
		if v.kind() != '{' {
			return
		}
		for i := skipBlanks(v, 1); i < len(v) && v[i] == '"'; i = skipBlanks(v, i+1) {
			k := i
			i += length(v[i:])
			key := v[k:i]
			i = skipBlanks(v, skipBlanks(v, i)+1) // the colon
			n := length(v[i:])
			if !yield(key, v[i:i+n]) {
				return
			}
			i = skipBlanks(v, i+n) // at the comma or the bracket
		}
	}
}

// elements yields the elements of an array; nothing for any other value.
func (v value) elements() iter.Seq[value] {
	return func(yield func(value) bool) {
		if v.kind() != '[' {
			return
		}
		for i := skipBlanks(v, 1); i < len(v) && v[i] != ']'; i = skipBlanks(v, i+1) {
			n := length(v[i:])
			if !yield(v[i : i+n]) {
				return
			}
			i = skipBlanks(v, i+n)
		}
	}
}

// object returns the members of an object, nil for any other value.
func (v value) object() object {
	var o object
	for k, m := range v.members() {
		o = append(o, member{k, m})
	}
	return o
}

// at returns the value under a path of keys, nil if there is none. Of a key
// that an object has twice the last counts.
func (v value) at(path ...string) value {
	for _, key := range path {
		var found value
		for k, m := range v.rawMembers() {
			if inner := k[1 : len(k)-1]; string(inner) == key || bytes.IndexByte(inner, '\\') >= 0 && unquote(k) == key {
				found = m
			}
		}
		if found == nil {
			return nil
		}
		v = found
	}
	return v
}

// get returns the last member of a key, nil if there is none.
func (o object) get(key string) value {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].val
		}
	}
	return nil
}

// text returns the content of a string, a number or truth value as spelt, ""
// for null, and the compact text of a list or an object.
func (v value) text() string {
	switch v.kind() {
	case 0, 'n':
		return ""
	case '"':
		return unquote(v)
	case '{', '[':
		return compact(v)
	}
	return string(v)
}

// str returns the content of a string, "" for any other value.
func (v value) str() string {
	if v.kind() != '"' {
		return ""
	}
	return unquote(v)
}

// number returns a number, NaN and infinity included.
func (v value) number() (float64, bool) {
	if v.kind() != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// truth returns a truth value.
func (v value) truth() (yes, ok bool) {
	k := v.kind()
	return k == 't', k == 't' || k == 'f'
}

// unquote decodes a checked string. Lone surrogates and invalid UTF-8 become
// U+FFFD.
func unquote(v value) string {
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	return string(textio.AppendUnescaped(nil, inner))
}

// compact leaves out the blanks between tokens.
func compact(v value) string {
	var b strings.Builder
	for i := 0; i < len(v); {
		switch {
		case isBlank(v[i]):
			i++
		case v[i] == '"':
			n := length(v[i:])
			b.Write(v[i : i+n])
			i += n
		default:
			b.WriteByte(v[i])
			i++
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// length returns the length of the checked value that b begins with.
func length(b []byte) int {
	var s scanner
	n, _ := s.feed(b)
	return n
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}
