package arrowio

import (
	"encoding/binary"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// ipcReader reads one requested column, record batch by record batch.
type ipcReader struct {
	col  *ipcColumn
	conv *converter
	rows int
	bits [][]byte // validity of the column and of the structures it is in

	cells fixedCells // of the column, or of the elements of its lists
	texts textCells
	dict  *dictionary
	ids   []int32
	list  listCells

	present []bool
}

func newIPCReader(col *ipcColumn, r ingest.Request) *ipcReader {
	return &ipcReader{col: col, conv: newConverter(col.typ, r)}
}

// open loads what the column needs from a record batch.
func (r *ipcReader) open(b *ipcBatch, fields []arrowField, dict func(int64) (*dictionary, error)) (err error) {
	r.rows, r.bits = int(b.m.rows), r.bits[:0]
	if r.col.typ.kind == nullCell && !r.col.typ.list {
		return nil
	}
	f, p := &fields[r.col.path[0]], b.parts[r.col.path[0]]
	for _, i := range r.col.path[1:] {
		if err := r.addBits(b, p); err != nil {
			return err
		}
		f, p = &f.children[i], p.children[i]
	}
	if err := r.addBits(b, p); err != nil {
		return err
	}
	switch {
	case f.dict:
		d, err := dict(f.dictID)
		if err != nil {
			return err
		}
		if d != r.dict {
			r.dict = d
			r.conv.words.setPage(d.words)
		}
		return r.cells.load(b, indexField(f), p)
	case r.col.typ.list:
		if err := r.list.load(b, f, p); err != nil {
			return err
		}
		return r.cells.load(b, &f.children[0], p.children[0])
	case r.col.typ.kind == textCell:
		return r.texts.load(b, f, p)
	}
	return r.cells.load(b, f, p)
}

// indexField describes the indices of a dictionary column.
func indexField(f *arrowField) *arrowField {
	return &arrowField{name: f.name, typ: arrowInt, bits: f.indexBits, signed: f.indexSign}
}

func (r *ipcReader) addBits(b *ipcBatch, p parts) error {
	if got := b.nodes[p.node].a; got != b.m.rows {
		return fmt.Errorf("%d rows, the record batch has %d", got, b.m.rows)
	}
	v, err := b.bitmap(p)
	if err == nil && v != nil {
		r.bits = append(r.bits, v)
	}
	return err
}

// listRows returns how many rows may be read at a time.
func (r *ipcReader) listRows() int {
	if !r.col.typ.list || r.rows == 0 {
		return ingest.BatchRows
	}
	return max(maxListValues/max(r.cells.rows/r.rows, 1), 1)
}

// read fills out with n rows from lo on.
func (r *ipcReader) read(lo, n int, out *ingest.Column) error {
	r.conv.begin(n)
	r.present = resize(r.present, n)
	count := r.fillPresent(lo)
	switch {
	case r.col.typ.kind == nullCell && !r.col.typ.list:
		r.conv.mask(r.present[:n], 0)
	case r.dict != nil:
		if err := r.readIndices(lo, n); err != nil {
			return err
		}
	case r.col.typ.list:
		return r.readLists(lo, n, out)
	case r.col.typ.kind == textCell:
		r.ids = resize(r.ids, n)
		k := 0
		for i, ok := range r.present {
			if ok {
				b, err := r.texts.at(lo + i)
				if err != nil {
					return fmt.Errorf("row %d: %w", lo+i, err)
				}
				r.ids[k] = r.conv.words.add(b)
				k++
			}
		}
		r.conv.convertIDs(r.ids[:k])
		r.conv.spread(r.present, k)
	default:
		r.cells.convert(r.conv, lo, n)
		r.conv.mask(r.present, count)
	}
	r.conv.end(n, out)
	return nil
}

// fillPresent tells which rows have a value, and how many.
func (r *ipcReader) fillPresent(lo int) (n int) {
	null := r.col.typ.kind == nullCell && !r.col.typ.list
	for i := range r.present {
		r.present[i] = !null
	}
	for _, b := range r.bits {
		for i := range r.present {
			r.present[i] = r.present[i] && bit(b, lo+i)
		}
	}
	for _, ok := range r.present {
		if ok {
			n++
		}
	}
	return n
}

func (r *ipcReader) readIndices(lo, n int) error {
	f := r.cells.field
	r.cells.widen(f.bits, f.signed, lo, n)
	r.ids = resize(r.ids, n)
	k := 0
	for i, id := range r.cells.ints {
		if !r.present[i] {
			continue
		}
		if uint64(id) >= uint64(len(r.dict.words)) {
			return fmt.Errorf("row %d: index %d into a dictionary of %d", lo+i, id, len(r.dict.words))
		}
		if r.dict.nulls != nil && r.dict.nulls[id] {
			r.present[i] = false
			continue
		}
		r.ids[k] = int32(id)
		k++
	}
	r.conv.words.translate(r.ids[:k])
	r.conv.convertIDs(r.ids[:k])
	r.conv.spread(r.present, k)
	return nil
}

// mask marks the cells without a value; k is how many have one.
func (c *converter) mask(present []bool, k int) {
	if k == len(present) {
		return
	}
	st := c.states()
	for i, ok := range present {
		if !ok {
			st[i] = ingest.Missing
		}
	}
}

// textCells are texts as stored.
type textCells struct {
	rows    int
	offsets []byte
	wide    bool // offsets of 64 bits
	data    []byte
	views   []byte
	blocks  [][]byte
}

func (t *textCells) load(b *ipcBatch, f *arrowField, p parts) (err error) {
	*t = textCells{rows: int(b.nodes[p.node].a)}
	if f.typ == arrowUtf8View || f.typ == arrowBinaryView {
		if t.views, err = b.buffer(p.buffers[1], 16*int64(t.rows)); err != nil {
			return err
		}
		for _, i := range p.buffers[2:] {
			block, err := b.buffer(i, 0)
			if err != nil {
				return err
			}
			t.blocks = append(t.blocks, block)
		}
		return nil
	}
	t.wide = f.typ == arrowLargeUtf8 || f.typ == arrowLargeBinary
	if t.offsets, err = b.offsets(p.buffers[1], t.rows, t.wide); err != nil {
		return err
	}
	t.data, err = b.buffer(p.buffers[2], 0)
	return err
}

// offsets reads rows + 1 offsets; none may be there for no rows.
func (b *ipcBatch) offsets(i, rows int, wide bool) ([]byte, error) {
	if rows == 0 {
		return nil, nil
	}
	size := int64(4)
	if wide {
		size = 8
	}
	return b.buffer(i, size*(int64(rows)+1))
}

func offset(b []byte, i int, wide bool) int64 {
	if wide {
		return int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
}

// at returns the text of row i.
func (t *textCells) at(i int) ([]byte, error) {
	if t.views == nil {
		lo, hi := offset(t.offsets, i, t.wide), offset(t.offsets, i+1, t.wide)
		if lo < 0 || hi < lo || hi > int64(len(t.data)) {
			return nil, fmt.Errorf("a text from %d to %d in a buffer of %d bytes", lo, hi, len(t.data))
		}
		return t.data[lo:hi], nil
	}
	v := t.views[16*i : 16*i+16]
	n := int64(int32(binary.LittleEndian.Uint32(v)))
	if n >= 0 && n <= 12 {
		return v[4 : 4+n], nil
	}
	block, off := int64(int32(binary.LittleEndian.Uint32(v[8:]))), int64(int32(binary.LittleEndian.Uint32(v[12:])))
	if n < 0 || block < 0 || block >= int64(len(t.blocks)) || off < 0 || off+n > int64(len(t.blocks[block])) {
		return nil, fmt.Errorf("a text of %d bytes at %d of buffer %d, which is not there", n, off, block)
	}
	return t.blocks[block][off : off+n], nil
}
