package arrowio

import (
	"encoding/binary"
	"fmt"
)

// delta decodes DELTA_BINARY_PACKED: a first value, then blocks of differences,
// each block with its least difference and cut into mini-blocks of one bit
// width. 32-bit values wrap around, as the format has it.
type delta struct {
	b     []byte
	begun bool
	left  int // values left, by the header
	first bool
	last  int64

	minis, per int // mini-blocks of a block, values of a mini-block
	least      int64
	widths     []byte
	mini       int    // next mini-block of the block
	pack       []byte // bits of the mini-block
	bits       uint
	in         int // values of the mini-block decoded
}

const maxMiniBlock = 1 << 16

func (d *delta) uvarint() (uint64, error) {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		return 0, errShort
	}
	d.b = d.b[n:]
	return v, nil
}

func (d *delta) header() error {
	var v [4]uint64
	for i := range v {
		var err error
		if v[i], err = d.uvarint(); err != nil {
			return err
		}
	}
	if v[1] == 0 || v[1] > 1<<10 || v[0]%v[1] != 0 || v[0]/v[1] > maxMiniBlock || v[0]/v[1]%8 != 0 || v[0] == 0 || v[2] > 1<<31 {
		return fmt.Errorf("blocks of %d values in %d parts", v[0], v[1])
	}
	d.minis, d.per, d.left = int(v[1]), int(v[0]/v[1]), int(v[2])
	d.last = int64(v[3]>>1) ^ -int64(v[3]&1)
	d.begun, d.first, d.mini, d.in = true, true, d.minis, d.per
	return nil
}

// decode fills dst.
func (d *delta) decode(dst []int64) error {
	if !d.begun {
		if err := d.header(); err != nil {
			return err
		}
	}
	if len(dst) > d.left {
		return fmt.Errorf("%w: %d values, %d are left", errShort, len(dst), d.left)
	}
	d.left -= len(dst)
	if d.first && len(dst) > 0 {
		d.first = false
		dst[0] = d.last
		dst = dst[1:]
	}
	for len(dst) > 0 {
		if d.in == d.per {
			if err := d.next(); err != nil {
				return err
			}
		}
		n := min(len(dst), d.per-d.in)
		d.unpack(dst[:n])
		d.in += n
		dst = dst[n:]
	}
	return nil
}

// next begins the next mini-block.
func (d *delta) next() error {
	if d.mini == d.minis {
		v, err := d.uvarint()
		if err != nil {
			return err
		}
		d.least = int64(v>>1) ^ -int64(v&1)
		if len(d.b) < d.minis {
			return errShort
		}
		d.widths, d.b = d.b[:d.minis], d.b[d.minis:]
		d.mini = 0
	}
	d.bits = uint(d.widths[d.mini])
	d.mini++
	size := d.per / 8 * int(d.bits)
	if d.bits > 64 {
		return fmt.Errorf("differences of %d bits", d.bits)
	}
	if size > len(d.b) { // the last one may be cut short
		size = len(d.b)
	}
	d.pack, d.b, d.in = d.b[:size], d.b[size:], 0
	return nil
}

// unpack decodes the next values of the mini-block. Bits beyond its end are 0.
func (d *delta) unpack(dst []int64) {
	last, least, width := d.last, d.least, d.bits
	if width == 0 {
		for i := range dst {
			last += least
			dst[i] = last
		}
		d.last = last
		return
	}
	mask := ^uint64(0) >> (64 - width)
	at := uint(d.in) * width
	for i := range dst {
		p, shift := int(at>>3), at&7
		var v uint64
		if p+9 <= len(d.pack) {
			v = binary.LittleEndian.Uint64(d.pack[p:]) >> shift
			if shift+width > 64 {
				v |= uint64(d.pack[p+8]) << (64 - shift)
			}
		} else {
			var tail [9]byte
			copy(tail[:], d.pack[min(p, len(d.pack)):])
			v = binary.LittleEndian.Uint64(tail[:]) >> shift
			if shift+width > 64 {
				v |= uint64(tail[8]) << (64 - shift)
			}
		}
		last += least + int64(v&mask)
		dst[i] = last
		at += width
	}
	d.last = last
}
