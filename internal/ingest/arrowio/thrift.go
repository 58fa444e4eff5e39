package arrowio

import "errors"

// The compact protocol's types.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftByte
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
	thriftUUID
)

const thriftDepth = 32 // how deep structures may nest; Parquet's go 7 deep

var (
	errThriftShort = errors.New("it ends within a value")
	errThriftForm  = errors.New("it is not in the compact protocol")
)

// thrift reads the compact protocol, the form of Parquet's headers. It is here
// so that every length is checked against the bytes there are before a decoder
// allocates for it, and to see the page headers.
type thrift struct {
	b   []byte
	pos int
	err error
}

func (t *thrift) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *thrift) byte() byte {
	if t.err != nil {
		return 0
	}
	if t.pos >= len(t.b) {
		t.fail(errThriftShort)
		return 0
	}
	t.pos++
	return t.b[t.pos-1]
}

func (t *thrift) uvarint() uint64 {
	var v uint64
	for shift := uint(0); shift < 64; shift += 7 {
		c := t.byte()
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	t.fail(errThriftForm)
	return 0
}

func (t *thrift) int() int64 {
	v := t.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// advance steps over n bytes.
func (t *thrift) advance(n uint64) {
	if t.err != nil {
		return
	}
	if n > uint64(len(t.b)-t.pos) {
		t.fail(errThriftShort)
		return
	}
	t.pos += int(n)
}

// field reads a field header. ok is false at the end of the structure.
func (t *thrift) field(last int16) (id int16, typ byte, ok bool) {
	head := t.byte()
	if t.err != nil || head == thriftStop {
		return 0, 0, false
	}
	typ = head & 0x0f
	if delta := head >> 4; delta != 0 {
		id = last + int16(delta)
	} else {
		id = int16(t.int())
	}
	if typ > thriftUUID {
		t.fail(errThriftForm)
	}
	return id, typ, t.err == nil
}

// skip steps over a value of the type, checking all lengths in it.
func (t *thrift) skip(typ byte, depth int) {
	if depth > thriftDepth {
		t.fail(errThriftForm)
	}
	if t.err != nil {
		return
	}
	switch typ {
	case thriftTrue, thriftFalse: // the type is the value
	case thriftByte:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.uvarint()
	case thriftDouble:
		t.advance(8)
	case thriftUUID:
		t.advance(16)
	case thriftBinary:
		t.advance(t.uvarint())
	case thriftList, thriftSet:
		head := t.byte()
		n, elem := uint64(head>>4), head&0x0f
		if n == 15 {
			n = t.uvarint()
		}
		t.elements(n, elem, depth)
	case thriftMap:
		n := t.uvarint()
		if n == 0 {
			return
		}
		kv := t.byte()
		if n > uint64(len(t.b)-t.pos) {
			t.fail(errThriftShort)
			return
		}
		for range n {
			t.element(kv>>4, depth)
			t.element(kv&0x0f, depth)
		}
	case thriftStruct:
		t.structure(depth)
	default:
		t.fail(errThriftForm)
	}
}

func (t *thrift) elements(n uint64, typ byte, depth int) {
	if n > uint64(len(t.b)-t.pos) { // every element takes a byte at least
		t.fail(errThriftShort)
		return
	}
	for range n {
		if t.err != nil {
			return
		}
		t.element(typ, depth)
	}
}

// element steps over a value in a container, where a truth value is a byte.
func (t *thrift) element(typ byte, depth int) {
	if typ == thriftTrue || typ == thriftFalse {
		typ = thriftByte
	}
	t.skip(typ, depth+1)
}

func (t *thrift) structure(depth int) {
	for last := int16(0); ; {
		id, typ, ok := t.field(last)
		if !ok {
			return
		}
		t.skip(typ, depth+1)
		last = id
	}
}

// fields calls each for the fields of a structure; it must read or skip them.
func (t *thrift) fields(each func(id int16, typ byte)) {
	for last := int16(0); ; {
		id, typ, ok := t.field(last)
		if !ok {
			return
		}
		each(id, typ)
		last = id
	}
}
