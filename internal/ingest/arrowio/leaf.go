package arrowio

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// leaf is a stored column of a Parquet file.
type leaf struct {
	name     string // dotted path without the groups that only make lists
	typeName string
	typ      cellType
	phys     parquet.Type
	width    int // of a fixed-length byte array
	uuid     bool

	maxDef, maxRep int16
	listDef        int16 // level from which on a list has an element
}

// leafWalk lists the leaves of a schema in the order of their chunks.
type leafWalk struct {
	schema *schema.Schema
	arrow  map[string]*arrowField // by name, from the stored Arrow schema
	leaves []leaf
}

func listLeaves(s *schema.Schema, stored arrowSchema) []leaf {
	w := leafWalk{schema: s, arrow: map[string]*arrowField{}}
	w.addArrow("", stored.fields)
	root := s.Root()
	for i := range root.NumFields() {
		w.node(root.Field(i), "", place{})
	}
	return w.leaves
}

// addArrow indexes the stored Arrow schema the way leaves are named.
func (w *leafWalk) addArrow(prefix string, fields []arrowField) {
	for i := range fields {
		f := &fields[i]
		name := prefix + f.name
		switch f.typ {
		case arrowStruct:
			w.addArrow(name+".", f.children)
		case arrowList, arrowLargeList, arrowFixedList, arrowListView, arrowLargeListView:
			if len(f.children) == 1 {
				w.arrow[name] = &f.children[0]
			}
		default:
			w.arrow[name] = f
		}
	}
}

// place is where in the tree a node stands.
type place struct {
	def   int16 // definition level of the parent
	list  int16 // definition level of the repeated group it is within, 0: none
	lists int   // repeated groups it is within
	odd   bool  // within a map, or a list of structures
}

func (w *leafWalk) node(n schema.Node, prefix string, p place) {
	name := prefix + n.Name()
	g, isGroup := n.(*schema.GroupNode)
	switch n.RepetitionType() {
	case parquet.Repetitions.Optional:
		p.def++
	case parquet.Repetitions.Repeated: // a bare repeated field is a list of two levels
		p.def++
		p.list = p.def
		p.lists++
		p.odd = p.odd || isGroup
	}
	switch {
	case !isGroup:
		w.leaf(n, name, p)
	case isListGroup(g):
		w.repeated(g.Field(0), name, p)
	default:
		if isMapGroup(g) {
			p.odd = true
		}
		for i := range g.NumFields() {
			w.node(g.Field(i), name+".", p)
		}
	}
}

// repeated walks the middle level of a list. By the format's rules it is the
// element itself if it is no group, has several fields, or is named so.
func (w *leafWalk) repeated(n schema.Node, name string, p place) {
	p.def++
	p.list = p.def
	p.lists++
	g, isGroup := n.(*schema.GroupNode)
	if !isGroup {
		w.leaf(n, name, p)
		return
	}
	if g.NumFields() == 1 && n.Name() != "array" && n.Name() != name+"_tuple" {
		e := g.Field(0)
		if _, deep := e.(*schema.GroupNode); !deep && e.RepetitionType() != parquet.Repetitions.Repeated {
			if e.RepetitionType() == parquet.Repetitions.Optional {
				p.def++
			}
			w.leaf(e, name, p)
			return
		}
	}
	p.odd = true
	for i := range g.NumFields() {
		w.node(g.Field(i), name+".", p)
	}
}

func isListGroup(g *schema.GroupNode) bool {
	_, logical := g.LogicalType().(schema.ListLogicalType)
	return (logical || g.ConvertedType() == schema.ConvertedTypes.List) && g.NumFields() == 1 &&
		g.Field(0).RepetitionType() == parquet.Repetitions.Repeated
}

func isMapGroup(g *schema.GroupNode) bool {
	_, logical := g.LogicalType().(schema.MapLogicalType)
	return logical || g.ConvertedType() == schema.ConvertedTypes.Map || g.ConvertedType() == schema.ConvertedTypes.MapKeyValue
}

func (w *leafWalk) leaf(n schema.Node, name string, p place) {
	c := w.schema.Column(len(w.leaves))
	l := leaf{
		name: name, phys: c.PhysicalType(), width: c.TypeLength(),
		maxDef: c.MaxDefinitionLevel(), maxRep: c.MaxRepetitionLevel(), listDef: p.list,
	}
	l.typ = l.cellType(c.LogicalType(), c.ConvertedType(), w.arrow[name])
	l.typ.list = p.lists == 1
	l.typeName = l.describe(c.LogicalType())
	if p.odd || p.lists > 1 {
		l.typ.kind = otherCell
		l.typeName = "nested " + l.typeName
	}
	w.leaves = append(w.leaves, l)
}

// maxFixedBytes is the longest fixed-length byte array that is read: decimals
// have up to 32 bytes. The decoder allocates a batch by it.
const maxFixedBytes = 64

// cellType finds out what the cells of a leaf are: from its annotation, else
// from the stored Arrow schema, else from the physical type.
func (l *leaf) cellType(logical schema.LogicalType, converted schema.ConvertedType, stored *arrowField) cellType {
	if l.phys == parquet.Types.FixedLenByteArray && (l.width < 1 || l.width > maxFixedBytes) {
		return cellType{}
	}
	switch t := logical.(type) {
	case schema.NullLogicalType:
		return cellType{kind: nullCell}
	case schema.DecimalLogicalType:
		return cellType{kind: decimalCell, scale: int(t.Scale())}
	case schema.DateLogicalType:
		return dayCell
	case schema.TimestampLogicalType:
		return parquetTime(instantCell, t.TimeUnit())
	case *schema.TimestampLogicalType:
		return parquetTime(instantCell, t.TimeUnit())
	case schema.TimeLogicalType:
		return parquetTime(clockCell, t.TimeUnit())
	case *schema.TimeLogicalType:
		return parquetTime(clockCell, t.TimeUnit())
	case schema.IntLogicalType:
		if !t.IsSigned() {
			return cellType{kind: uintCell}
		}
		return cellType{kind: intCell}
	case schema.Float16LogicalType:
		return cellType{kind: floatCell}
	case schema.UUIDLogicalType:
		l.uuid = true
		return cellType{kind: textCell}
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		return cellType{kind: textCell}
	}
	if converted == schema.ConvertedTypes.Decimal || converted == schema.ConvertedTypes.Interval {
		return cellType{}
	}
	if stored != nil && !stored.dict {
		if t, ok := l.storedType(stored); ok {
			return t
		}
	}
	switch l.phys {
	case parquet.Types.Boolean:
		return cellType{kind: boolCell}
	case parquet.Types.Int32, parquet.Types.Int64:
		return cellType{kind: intCell}
	case parquet.Types.Int96:
		return cellType{kind: instantCell, unit: ingest.Nanosecond}
	case parquet.Types.Float, parquet.Types.Double:
		return cellType{kind: floatCell}
	case parquet.Types.ByteArray:
		if _, none := logical.(schema.NoLogicalType); none {
			return cellType{kind: textCell}
		}
	}
	return cellType{}
}

// storedType is for types that Parquet has no annotation for: durations, and
// times in seconds.
func (l *leaf) storedType(f *arrowField) (cellType, bool) {
	if l.phys != parquet.Types.Int64 && l.phys != parquet.Types.Int32 {
		return cellType{}, false
	}
	kind := map[arrowType]cellKind{arrowDuration: durationCell, arrowTimestamp: instantCell, arrowTime: clockCell}[f.typ]
	if f.typ == arrowDate && f.unit == 1 {
		return cellType{kind: dateCell, unit: ingest.Millisecond}, true
	}
	if kind == otherCell || !f.timeUnit().Known() {
		return cellType{}, false
	}
	return cellType{kind: kind, unit: f.timeUnit()}, true
}

func parquetTime(kind cellKind, u schema.TimeUnitType) cellType {
	switch u {
	case schema.TimeUnitMillis:
		return cellType{kind: kind, unit: ingest.Millisecond}
	case schema.TimeUnitMicros:
		return cellType{kind: kind, unit: ingest.Microsecond}
	case schema.TimeUnitNanos:
		return cellType{kind: kind, unit: ingest.Nanosecond}
	}
	return cellType{}
}

// describe names the type for messages.
func (l *leaf) describe(logical schema.LogicalType) string {
	name := l.phys.String()
	switch l.typ.kind {
	case uintCell:
		name = "unsigned " + name
	case decimalCell:
		if d, ok := logical.(schema.DecimalLogicalType); ok {
			name = fmt.Sprintf("DECIMAL(%d,%d)", d.Precision(), d.Scale())
		}
	case instantCell:
		name = fmt.Sprintf("TIMESTAMP(%s)", l.typ.unit.Name)
	case clockCell:
		name = fmt.Sprintf("TIME(%s)", l.typ.unit.Name)
	case durationCell:
		name = fmt.Sprintf("DURATION(%s)", l.typ.unit.Name)
	case dateCell:
		name = "DATE"
	case textCell:
		name = "text"
	case nullCell:
		name = "null"
	}
	if l.typ.list {
		return "list of " + name
	}
	return name
}
