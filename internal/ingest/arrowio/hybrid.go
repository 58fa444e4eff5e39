package arrowio

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// hybrid decodes Parquet's mix of run-length and bit-packed integers, used for
// definition levels and dictionary indices.
type hybrid struct {
	b     []byte
	bits  uint  // of a value, 0 to 32
	limit int32 // values must be below
	run   int   // values left in a run of equal values
	value int32
	pack  int // values left in a bit-packed run
	in    int // values of the bit-packed run already decoded
	start []byte
}

func newHybrid(b []byte, bits uint, limit int) hybrid {
	return hybrid{b: b, bits: bits, limit: int32(limit)}
}

// next begins the next run.
func (h *hybrid) next() error {
	head, n := binary.Uvarint(h.b)
	if n <= 0 {
		return errShort
	}
	h.b = h.b[n:]
	if head&1 == 0 {
		size := int(h.bits+7) / 8
		if len(h.b) < size {
			return errShort
		}
		h.value = 0
		for i := range size {
			h.value |= int32(h.b[i]) << (8 * i)
		}
		h.b = h.b[size:]
		h.run = int(min(head>>1, 1<<31))
		return h.check(h.value)
	}
	groups := int(min(head>>1, 1<<28))
	h.pack, h.in = groups*8, 0
	size := groups * int(h.bits)
	if size > len(h.b) { // the last run may be cut short
		size = len(h.b)
		if h.bits > 0 {
			h.pack = size * 8 / int(h.bits)
		}
		if h.pack == 0 {
			return errShort
		}
	}
	h.start, h.b = h.b[:size], h.b[size:]
	return nil
}

func (h *hybrid) check(v int32) error {
	if uint32(v) >= uint32(h.limit) {
		return fmt.Errorf("index %d, it must be below %d", uint32(v), h.limit)
	}
	return nil
}

// all reports whether the next n values all equal v, and then steps over them.
func (h *hybrid) all(n int, v int32) bool {
	if h.run == 0 && h.pack == 0 && h.next() != nil {
		return false
	}
	if h.run < n || h.value != v {
		return false
	}
	h.run -= n
	return true
}

// decode fills dst.
func (h *hybrid) decode(dst []int32) error {
	for len(dst) > 0 {
		switch {
		case h.run > 0:
			n := min(h.run, len(dst))
			for i := range dst[:n] {
				dst[i] = h.value
			}
			h.run -= n
			dst = dst[n:]
		case h.pack > 0:
			n := min(h.pack, len(dst))
			h.unpack(dst[:n])
			if h.bits >= 32 || 1<<h.bits > int64(h.limit) {
				if err := h.checkAll(dst[h.below(n):n]); err != nil {
					return err
				}
			}
			h.pack -= n
			h.in += n
			dst = dst[n:]
		default:
			if err := h.next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// look fills dst with the entries of table that the next values name. The
// limit of the values is the length of the table. ids is memory to be used.
func look[T any](h *hybrid, dst, table []T, ids *[]int32) error {
	const step = 1 << 10
	*ids = resize(*ids, step)
	for len(dst) > 0 {
		switch {
		case h.run > 0:
			n := min(h.run, len(dst))
			v := table[h.value]
			for i := range dst[:n] {
				dst[i] = v
			}
			h.run -= n
			dst = dst[n:]
		case h.pack > 0:
			n := min(h.pack, len(dst), step)
			buf := (*ids)[:n]
			h.unpack(buf)
			// A table is often larger than what is near the processor: in a loop
			// this short many entries are on their way at a time.
			for i, id := range buf {
				if uint(id) >= uint(len(table)) {
					return fmt.Errorf("dictionary indices: %w", h.check(id))
				}
				dst[i] = table[id]
			}
			h.pack -= n
			h.in += n
			dst = dst[n:]
		default:
			if err := h.next(); err != nil {
				return fmt.Errorf("dictionary indices: %w", err)
			}
		}
	}
	return nil
}

// quarters and halves are the values that a byte packs, of two and of four bits.
var quarters, halves = func() (q [256][4]int32, h [256][2]int32) {
	for b := range int32(256) {
		q[b] = [4]int32{b & 3, b >> 2 & 3, b >> 4 & 3, b >> 6}
		h[b] = [2]int32{b & 15, b >> 4}
	}
	return q, h
}()

// unpack decodes the next values of the bit-packed run, without a check.
func (h *hybrid) unpack(dst []int32) {
	width := h.bits
	mask := uint64(1)<<width - 1
	at := uint(h.in) * width
	src := h.start
	// Eight bytes from the one a value begins in hold 57 bits from it on.
	switch {
	case width == 0:
		clear(dst)
		return
	case width == 2 && at&7 == 0:
		n := min(len(dst)/4, len(src)-int(at>>3))
		for i, b := range src[at>>3:][:n] {
			*(*[4]int32)(dst[4*i:]) = quarters[b]
		}
		dst, at = dst[4*n:], at+8*uint(n)
	case width == 4 && at&7 == 0:
		n := min(len(dst)/2, len(src)-int(at>>3))
		for i, b := range src[at>>3:][:n] {
			*(*[2]int32)(dst[2*i:]) = halves[b]
		}
		dst, at = dst[2*n:], at+8*uint(n)
	case width <= 7:
		for len(dst) >= 8 && int(at>>3)+8 <= len(src) {
			x := binary.LittleEndian.Uint64(src[at>>3:]) >> (at & 7)
			d := (*[8]int32)(dst)
			d[0] = int32(x & mask)
			d[1] = int32(x >> (width & 63) & mask)
			d[2] = int32(x >> (2 * width & 63) & mask)
			d[3] = int32(x >> (3 * width & 63) & mask)
			d[4] = int32(x >> (4 * width & 63) & mask)
			d[5] = int32(x >> (5 * width & 63) & mask)
			d[6] = int32(x >> (6 * width & 63) & mask)
			d[7] = int32(x >> (7 * width & 63) & mask)
			dst, at = dst[8:], at+8*width
		}
	case width <= 14:
		for len(dst) >= 4 && int(at>>3)+8 <= len(src) {
			x := binary.LittleEndian.Uint64(src[at>>3:]) >> (at & 7)
			d := (*[4]int32)(dst)
			d[0] = int32(x & mask)
			d[1] = int32(x >> (width & 63) & mask)
			d[2] = int32(x >> (2 * width & 63) & mask)
			d[3] = int32(x >> (3 * width & 63) & mask)
			dst, at = dst[4:], at+4*width
		}
	case width <= 19:
		for len(dst) >= 3 && int(at>>3)+8 <= len(src) {
			x := binary.LittleEndian.Uint64(src[at>>3:]) >> (at & 7)
			d := (*[3]int32)(dst)
			d[0] = int32(x & mask)
			d[1] = int32(x >> (width & 63) & mask)
			d[2] = int32(x >> (2 * width & 63) & mask)
			dst, at = dst[3:], at+3*width
		}
	default:
		for len(dst) >= 1 && int(at>>3)+8 <= len(src) {
			dst[0] = int32(binary.LittleEndian.Uint64(src[at>>3:]) >> (at & 7) & mask)
			dst, at = dst[1:], at+width
		}
	}
	for i := range dst {
		var tail [8]byte
		copy(tail[:], src[min(int(at>>3), len(src)):])
		dst[i] = int32(binary.LittleEndian.Uint64(tail[:]) >> (at & 7) & mask)
		at += width
	}
}

// below returns how many of the next n values of the bit-packed run are known to
// be below the limit, from a look at them as they are packed.
func (h *hybrid) below(n int) int {
	if h.bits != 2 && h.bits != 4 || h.in*int(h.bits)%8 != 0 {
		return 0
	}
	src := h.start[h.in*int(h.bits)/8:]
	src = src[:n*int(h.bits)/64*8]
	const bytes = math.MaxUint64 / math.MaxUint8
	lanes := uint64(bytes) * (1<<h.bits - 1)
	add := uint64(bytes) * (0x80 - uint64(h.limit))
	var top uint64 // has the highest bit of a byte set where a value is too large
	for b := src; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		for shift := uint(0); shift < 8; shift += h.bits {
			top |= x>>(shift&7)&lanes + add
		}
	}
	if top&(bytes*0x80) != 0 {
		return 0
	}
	return len(src) * 8 / int(h.bits)
}

// checkAll verifies that all values are below the limit.
func (h *hybrid) checkAll(v []int32) error {
	var top [4]uint32 // so that no maximum waits for the one before
	for ; len(v) >= 4; v = v[4:] {
		x := (*[4]int32)(v)
		top[0], top[1] = max(top[0], uint32(x[0])), max(top[1], uint32(x[1]))
		top[2], top[3] = max(top[2], uint32(x[2])), max(top[3], uint32(x[3]))
	}
	for _, x := range v {
		top[0] = max(top[0], uint32(x))
	}
	return h.check(int32(slices.Max(top[:])))
}
