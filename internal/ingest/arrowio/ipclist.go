package arrowio

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// listCells are the bounds of lists as stored.
type listCells struct {
	rows    int
	items   int64 // elements that are there
	offsets []byte
	sizes   []byte // of list views
	wide    bool
	fixed   int64 // elements of every list, −1 if they differ

	floats []float64
	bounds []int32
	state  []ingest.State
}

func (l *listCells) load(b *ipcBatch, f *arrowField, p parts) (err error) {
	l.rows, l.items = int(b.nodes[p.node].a), b.nodes[p.children[0].node].a
	l.offsets, l.sizes, l.fixed = nil, nil, -1
	switch f.typ {
	case arrowFixedList:
		l.fixed = int64(f.size)
		if l.fixed < 0 || l.fixed > 0 && int64(l.rows) > l.items/l.fixed {
			return fmt.Errorf("%d lists of %d elements, %d elements found", l.rows, l.fixed, l.items)
		}
		return nil
	case arrowListView, arrowLargeListView:
		l.wide = f.typ == arrowLargeListView
		size := int64(4)
		if l.wide {
			size = 8
		}
		if l.offsets, err = b.buffer(p.buffers[1], size*int64(l.rows)); err != nil {
			return err
		}
		l.sizes, err = b.buffer(p.buffers[2], size*int64(l.rows))
		return err
	}
	l.wide = f.typ == arrowLargeList
	l.offsets, err = b.offsets(p.buffers[1], l.rows, l.wide)
	return err
}

// at returns the bounds of list i.
func (l *listCells) at(i int) (lo, hi int64, err error) {
	switch {
	case l.fixed >= 0:
		lo = int64(i) * l.fixed
		hi = lo + l.fixed
	case l.sizes != nil:
		lo = offset(l.offsets, i, l.wide)
		n := offset(l.sizes, i, l.wide)
		if hi = lo + n; n < 0 {
			hi = -1
		}
	default:
		lo, hi = offset(l.offsets, i, l.wide), offset(l.offsets, i+1, l.wide)
	}
	if lo < 0 || hi < lo || hi > l.items {
		return 0, 0, fmt.Errorf("row %d: a list from %d to %d of %d elements", i, lo, hi, l.items)
	}
	return lo, hi, nil
}

// readLists fills out with n lists from lo on.
func (r *ipcReader) readLists(lo, n int, out *ingest.Column) error {
	l := &r.list
	l.floats, l.bounds, l.state = l.floats[:0], append(resize(l.bounds, n+1)[:0], 0), resize(l.state, n)
	missing := false
	for i := range n {
		l.state[i] = ingest.Present
		if !r.present[i] {
			l.state[i] = ingest.Missing
			missing = true
			l.bounds = append(l.bounds, int32(len(l.floats)))
			continue
		}
		from, to, err := l.at(lo + i)
		if err != nil {
			return err
		}
		if int64(len(l.floats))+to-from > 64*maxListValues {
			return fmt.Errorf("row %d: lists of more than %d elements together", lo+i, 64*maxListValues)
		}
		r.appendList(int(from), int(to))
		l.bounds = append(l.bounds, int32(len(l.floats)))
	}
	*out = ingest.Column{Floats: l.floats, Offsets: l.bounds}
	if missing {
		out.State = l.state
	}
	return nil
}

// appendList adds the elements that have a value.
func (r *ipcReader) appendList(from, to int) {
	if from == to || r.cells.field.typ == arrowNull {
		return
	}
	r.conv.begin(to - from)
	r.cells.convert(r.conv, from, to-from)
	if r.cells.valid == nil {
		r.list.floats = append(r.list.floats, r.conv.floats[:to-from]...)
		return
	}
	for i, v := range r.conv.floats[:to-from] {
		if bit(r.cells.valid, from+i) {
			r.list.floats = append(r.list.floats, v)
		}
	}
}
