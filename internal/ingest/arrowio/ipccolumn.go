package arrowio

import (
	"github.com/perfdiff/perfdiff/internal/ingest"
)

// ipcColumn is a column as requests name it: a field, or one within structures.
type ipcColumn struct {
	name     string
	typeName string
	typ      cellType
	field    *arrowField
	path     []int // of children, from the top
}

func listColumns(fields []arrowField) (out []ipcColumn) {
	for i := range fields {
		out = appendColumns(out, &fields[i], "", []int{i})
	}
	return out
}

func appendColumns(out []ipcColumn, f *arrowField, prefix string, path []int) []ipcColumn {
	name := prefix + f.name
	if f.typ == arrowStruct && !f.dict {
		for i := range f.children {
			out = appendColumns(out, &f.children[i], name+".", append(path[:len(path):len(path)], i))
		}
		return out
	}
	c := ipcColumn{name: name, typeName: f.String(), typ: f.cellType(), field: f, path: path}
	if f.dict {
		switch f.indexBits {
		case 8, 16, 32, 64:
		default:
			c.typ = cellType{}
		}
	}
	return append(out, c)
}

// cellType returns what the cells of a field are.
func (f *arrowField) cellType() cellType {
	switch f.typ {
	case arrowNull:
		return cellType{kind: nullCell}
	case arrowBool:
		return cellType{kind: boolCell}
	case arrowInt:
		switch {
		case f.bits != 8 && f.bits != 16 && f.bits != 32 && f.bits != 64:
			return cellType{}
		case f.signed:
			return cellType{kind: intCell}
		}
		return cellType{kind: uintCell}
	case arrowFloat:
		if f.bits != 0 {
			return cellType{kind: floatCell}
		}
	case arrowDecimal:
		switch f.bits {
		case 32, 64, 128, 256:
			return cellType{kind: decimalCell, scale: f.scale}
		}
	case arrowDate:
		if f.unit == 0 {
			return dayCell
		}
		return cellType{kind: dateCell, unit: ingest.Millisecond}
	case arrowTime, arrowTimestamp, arrowDuration:
		kind := map[arrowType]cellKind{arrowTime: clockCell, arrowTimestamp: instantCell, arrowDuration: durationCell}[f.typ]
		if f.timeUnit().Known() && (f.typ != arrowTime || f.bits == 32 || f.bits == 64) {
			return cellType{kind: kind, unit: f.timeUnit()}
		}
	case arrowUtf8, arrowLargeUtf8, arrowUtf8View, arrowBinary, arrowLargeBinary, arrowBinaryView:
		return cellType{kind: textCell}
	case arrowList, arrowLargeList, arrowFixedList, arrowListView, arrowLargeListView:
		if len(f.children) == 1 && !f.children[0].dict && !f.dict {
			t := f.children[0].cellType()
			if !t.list {
				t.list = true
				return t
			}
		}
	}
	return cellType{}
}

// width returns the bits of a cell of fixed size, 0 if it has none.
func (f *arrowField) width() int {
	if f.dict {
		return f.indexBits
	}
	switch f.typ {
	case arrowInt, arrowFloat, arrowDecimal, arrowTime:
		return f.bits
	case arrowBool:
		return 1
	case arrowDate:
		return 32 << (f.unit & 1)
	case arrowTimestamp, arrowDuration:
		return 64
	}
	return 0
}

// parts lists the nodes and buffers of a field in a record batch, those of its
// children included.
type parts struct {
	node     int
	buffers  []int // validity first, where there is one
	children []parts
}

// layout walks a record batch's nodes and buffers in the order they are stored.
type layout struct {
	nodes, buffers, variadic int
	views                    []int64 // numbers of variadic buffers
	unionNulls               bool
	bad                      bool
}

func (l *layout) take(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = l.buffers
		l.buffers++
	}
	return out
}

func (l *layout) field(f *arrowField) (p parts) {
	p.node = l.nodes
	l.nodes++
	if f.dict {
		p.buffers = l.take(2)
		return p
	}
	switch f.typ {
	case arrowNull, arrowRunEnd:
	case arrowStruct, arrowFixedList:
		p.buffers = l.take(1)
	case arrowUtf8, arrowBinary, arrowLargeUtf8, arrowLargeBinary, arrowListView, arrowLargeListView:
		p.buffers = l.take(3)
	case arrowUtf8View, arrowBinaryView:
		extra := 0
		if l.variadic < len(l.views) && l.views[l.variadic] >= 0 && l.views[l.variadic] < 1<<20 {
			extra = int(l.views[l.variadic])
		} else {
			l.bad = true
		}
		l.variadic++
		p.buffers = l.take(2 + extra)
	case arrowUnion:
		n := 1
		if f.dense {
			n++
		}
		if l.unionNulls {
			n++
		}
		p.buffers = l.take(n)
	default:
		p.buffers = l.take(2)
	}
	for i := range f.children {
		p.children = append(p.children, l.field(&f.children[i]))
	}
	return p
}
