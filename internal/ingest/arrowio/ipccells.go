package arrowio

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

// fixedCells are cells of fixed width, as stored.
type fixedCells struct {
	field *arrowField
	rows  int
	valid []byte // bitmap, nil: all
	data  []byte

	ints   []int64
	ints32 []int32
	floats []float64
	halves []float32
	bytes  [][]byte
}

// bitmap reads the validity of a node and verifies its count of nulls.
func (b *ipcBatch) bitmap(p parts) ([]byte, error) {
	n := b.nodes[p.node]
	if len(p.buffers) == 0 || b.buffers[p.buffers[0]].b == 0 {
		if n.b > 0 {
			return nil, fmt.Errorf("%d nulls and no validity", n.b)
		}
		return nil, nil
	}
	v, err := b.buffer(p.buffers[0], (n.a+7)/8)
	if err != nil {
		return nil, fmt.Errorf("validity: %w", err)
	}
	if nulls := n.a - countBits(v, int(n.a)); nulls != n.b {
		return nil, fmt.Errorf("%d nulls found, %d expected", nulls, n.b)
	}
	if n.b == 0 {
		return nil, nil
	}
	return v, nil
}

func countBits(b []byte, n int) (sum int64) {
	whole := b[:n/8]
	for ; len(whole) >= 8; whole = whole[8:] {
		sum += int64(bits.OnesCount64(binary.LittleEndian.Uint64(whole)))
	}
	for _, c := range whole {
		sum += int64(bits.OnesCount8(c))
	}
	if n%8 > 0 {
		sum += int64(bits.OnesCount8(b[n/8] & (1<<(n%8) - 1)))
	}
	return sum
}

func bit(b []byte, i int) bool { return b[i>>3]>>(i&7)&1 != 0 }

// load reads the cells of a node.
func (c *fixedCells) load(b *ipcBatch, f *arrowField, p parts) (err error) {
	c.field, c.rows = f, int(b.nodes[p.node].a)
	c.data = nil
	if c.valid, err = b.bitmap(p); err != nil || f.typ == arrowNull {
		return err
	}
	width := int64(f.width())
	if width == 0 || len(p.buffers) < 2 {
		return fmt.Errorf("%s is not read", f)
	}
	if b.nodes[p.node].a > math.MaxInt64/256 {
		return fmt.Errorf("%d rows", c.rows)
	}
	c.data, err = b.buffer(p.buffers[1], (int64(c.rows)*width+7)/8)
	return err
}

// convert hands the cells from lo on to the converter.
func (c *fixedCells) convert(conv *converter, lo, n int) {
	switch f := c.field; f.typ {
	case arrowBool:
		c.ints32 = resize(c.ints32, n)
		for i := range c.ints32 {
			c.ints32[i] = int32(c.data[(lo+i)>>3] >> ((lo + i) & 7) & 1)
		}
		convertInts(conv, c.ints32)
	case arrowFloat:
		c.convertFloat(conv, lo, n)
	case arrowDecimal:
		if f.bits > 64 {
			c.convertDecimal(conv, lo, n)
			return
		}
		c.widen(f.bits, true, lo, n)
		convertInts(conv, c.ints)
	default:
		width := f.width()
		if width == 32 && conv.typ.kind != uintCell {
			c.ints32 = resize(c.ints32, n)
			data := c.data[4*lo : 4*(lo+n)]
			for i := range c.ints32 {
				c.ints32[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
			}
			convertInts(conv, c.ints32)
			return
		}
		c.widen(width, f.typ != arrowInt || f.signed, lo, n)
		convertInts(conv, c.ints)
	}
}

// widen reads integers of any width into ints.
func (c *fixedCells) widen(width int, signed bool, lo, n int) {
	c.ints = resize(c.ints, n)
	size := width / 8
	data := c.data[size*lo : size*(lo+n)]
	for i := range c.ints {
		b := data[size*i : size*i+size]
		switch size {
		case 1:
			c.ints[i] = int64(b[0])
		case 2:
			c.ints[i] = int64(binary.LittleEndian.Uint16(b))
		case 4:
			c.ints[i] = int64(binary.LittleEndian.Uint32(b))
		default:
			c.ints[i] = int64(binary.LittleEndian.Uint64(b))
		}
	}
	if shift := 64 - width; signed && shift > 0 {
		for i, v := range c.ints {
			c.ints[i] = v << shift >> shift
		}
	}
}

func (c *fixedCells) convertFloat(conv *converter, lo, n int) {
	size := c.field.bits / 8
	data := c.data[size*lo : size*(lo+n)]
	if size == 8 {
		c.floats = resize(c.floats, n)
		for i := range c.floats {
			c.floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		convertFloats(conv, c.floats)
		return
	}
	c.halves = resize(c.halves, n)
	for i := range c.halves {
		if size == 4 {
			c.halves[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		} else {
			c.halves[i] = float16.FromBits(binary.LittleEndian.Uint16(data[2*i:])).Float32()
		}
	}
	convertFloats(conv, c.halves)
}

// convertDecimal turns the little-endian integers round.
func (c *fixedCells) convertDecimal(conv *converter, lo, n int) {
	size := c.field.bits / 8
	data := append([]byte(nil), c.data[size*lo:size*(lo+n)]...)
	c.bytes = resize(c.bytes, n)
	for i := range c.bytes {
		b := data[size*i : size*i+size]
		for l, r := 0, size-1; l < r; l, r = l+1, r-1 {
			b[l], b[r] = b[r], b[l]
		}
		c.bytes[i] = b
	}
	conv.convertBigs(c.bytes)
}
