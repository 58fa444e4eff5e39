package arrowio

import (
	"encoding/binary"
	"errors"
)

var errFlatbuf = errors.New("its metadata are no valid flatbuffer")

// flatbuf is a flatbuffer that is read with every offset and length checked.
// The generated readers of the library trust them, and allocate by them. The
// first fault sticks in bad; values read after it are zero.
type flatbuf struct {
	b     []byte
	bad   bool
	texts int // bytes of the strings read so far
}

// table is a table in a flatbuffer; the zero table has no fields.
type table struct {
	f      *flatbuf
	pos    int // of the table
	vtable int
	slots  int // bytes of the vtable
}

func (f *flatbuf) u16(pos int) int {
	if pos < 0 || pos+2 > len(f.b) {
		f.bad = true
		return 0
	}
	return int(binary.LittleEndian.Uint16(f.b[pos:]))
}

func (f *flatbuf) i32(pos int) int {
	if pos < 0 || pos+4 > len(f.b) {
		f.bad = true
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(f.b[pos:])))
}

func (f *flatbuf) i64(pos int) int64 {
	if pos < 0 || pos+8 > len(f.b) {
		f.bad = true
		return 0
	}
	return int64(binary.LittleEndian.Uint64(f.b[pos:]))
}

// root returns the table the buffer begins with.
func (f *flatbuf) root() table { return f.table(f.i32(0)) }

// table reads the frame of the table at pos.
func (f *flatbuf) table(pos int) table {
	if f.bad {
		return table{}
	}
	vt := pos - f.i32(pos)
	size := f.u16(vt)
	if f.bad || size < 4 || vt+size > len(f.b) {
		f.bad = true
		return table{}
	}
	return table{f: f, pos: pos, vtable: vt, slots: size}
}

// at returns where field i lies, 0 if it has its default.
func (t table) at(i int) int {
	slot := 4 + 2*i
	if t.f == nil || t.f.bad || slot+2 > t.slots {
		return 0
	}
	off := t.f.u16(t.vtable + slot)
	if off == 0 {
		return 0
	}
	return t.pos + off
}

func (t table) has(i int) bool { return t.at(i) != 0 }

func (t table) byte(i int, def byte) byte {
	p := t.at(i)
	if p == 0 {
		return def
	}
	if p >= len(t.f.b) {
		t.f.bad = true
		return 0
	}
	return t.f.b[p]
}

func (t table) bool(i int) bool { return t.byte(i, 0) != 0 }

func (t table) short(i, def int) int {
	if p := t.at(i); p != 0 {
		return int(int16(t.f.u16(p)))
	}
	return def
}

func (t table) int(i, def int) int {
	if p := t.at(i); p != 0 {
		return t.f.i32(p)
	}
	return def
}

func (t table) long(i int) int64 {
	if p := t.at(i); p != 0 {
		return t.f.i64(p)
	}
	return 0
}

// sub returns the table that field i points to.
func (t table) sub(i int) table {
	p := t.at(i)
	if p == 0 {
		return table{}
	}
	return t.f.table(t.follow(p))
}

// follow returns where the offset at p leads.
func (t table) follow(p int) int { return p + int(uint32(t.f.i32(p))) }

// vector returns the first element of the vector in field i and their number,
// all within the buffer.
func (t table) vector(i, size int) (pos, n int) {
	p := t.at(i)
	if p == 0 {
		return 0, 0
	}
	p = t.follow(p)
	n = t.f.i32(p)
	if t.f.bad || n < 0 || n > (len(t.f.b)-p-4)/size {
		t.f.bad = true
		return 0, 0
	}
	return p + 4, n
}

func (t table) string(i int) string {
	p, n := t.vector(i, 1)
	if n == 0 {
		return ""
	}
	// Offsets may lead to the same string again and again.
	if t.f.texts += n; t.f.texts > 4*len(t.f.b)+1<<20 {
		t.f.bad = true
		return ""
	}
	return string(t.f.b[p : p+n])
}

// tables calls each for the tables of the vector in field i.
func (t table) tables(i int, each func(table)) {
	p, n := t.vector(i, 4)
	for k := 0; k < n && !t.f.bad; k++ {
		each(t.f.table(t.follow(p + 4*k)))
	}
}
