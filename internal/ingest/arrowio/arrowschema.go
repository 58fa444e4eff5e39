package arrowio

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// arrowType numbers the types of Arrow's metadata.
type arrowType byte

const (
	arrowNull arrowType = iota + 1
	arrowInt
	arrowFloat
	arrowBinary
	arrowUtf8
	arrowBool
	arrowDecimal
	arrowDate
	arrowTime
	arrowTimestamp
	arrowInterval
	arrowList
	arrowStruct
	arrowUnion
	arrowFixedBinary
	arrowFixedList
	arrowMap
	arrowDuration
	arrowLargeBinary
	arrowLargeUtf8
	arrowLargeList
	arrowRunEnd
	arrowBinaryView
	arrowUtf8View
	arrowListView
	arrowLargeListView
)

var arrowNames = [...]string{"", "null", "int", "float", "binary", "string", "bool", "decimal", "date", "time",
	"timestamp", "interval", "list", "struct", "union", "fixed_size_binary", "fixed_size_list", "map", "duration",
	"large_binary", "large_string", "large_list", "run_end_encoded", "binary_view", "string_view", "list_view",
	"large_list_view"}

const (
	maxArrowFields = 100_000
	maxArrowDepth  = 32
)

// arrowField is a column or a part of one in an Arrow schema.
type arrowField struct {
	name     string
	typ      arrowType
	bits     int  // width of an integer, float, decimal, time
	signed   bool // arrowInt
	scale    int  // arrowDecimal
	unit     int  // of dates, times, timestamps, durations
	zone     string
	size     int  // of a fixed-size list or binary
	dense    bool // arrowUnion
	children []arrowField

	dict      bool // the cells are indices into a dictionary
	dictID    int64
	indexBits int
	indexSign bool
}

// arrowUnits are the units of times by their number.
var arrowUnits = [...]ingest.Unit{ingest.Second, ingest.Millisecond, ingest.Microsecond, ingest.Nanosecond}

// arrowSchema is what a schema message says.
type arrowSchema struct {
	fields []arrowField
	meta   []ingest.KeyValue
}

// parseArrowSchema reads a Schema table.
func parseArrowSchema(t table) (s arrowSchema, err error) {
	if t.f == nil {
		return s, errFlatbuf
	}
	if t.short(0, 0) != 0 {
		return s, errors.New("big-endian data are not read")
	}
	left := maxArrowFields
	s.fields = parseArrowFields(t, 1, &left, 0)
	t.tables(2, func(kv table) {
		s.meta = append(s.meta, ingest.KeyValue{Key: kv.string(0), Value: kv.string(1)})
	})
	slices.SortStableFunc(s.meta, func(a, b ingest.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	if t.f.bad || left < 0 {
		return arrowSchema{}, errFlatbuf
	}
	return s, nil
}

// parseArrowFields reads the vector of Fields in field i. Offsets can lead
// back, so the number of fields and their depth are bounded.
func parseArrowFields(t table, i int, left *int, depth int) (out []arrowField) {
	t.tables(i, func(ft table) {
		if *left--; *left < 0 || depth > maxArrowDepth {
			ft.f.bad = true
			return
		}
		f := arrowField{name: ft.string(0), typ: arrowType(ft.byte(2, 0))}
		f.parseType(ft.sub(3))
		if ft.has(4) {
			d := ft.sub(4)
			f.dict, f.dictID, f.indexBits, f.indexSign = true, d.long(0), 32, true
			if d.has(1) {
				f.indexBits, f.indexSign = d.sub(1).int(0, 0), d.sub(1).bool(1)
			}
		}
		f.children = parseArrowFields(ft, 5, left, depth+1)
		out = append(out, f)
	})
	return out
}

func (f *arrowField) parseType(t table) {
	switch f.typ {
	case arrowInt:
		f.bits, f.signed = t.int(0, 0), t.bool(1)
	case arrowFloat:
		if p := t.short(0, 0); p >= 0 && p <= 2 {
			f.bits = 16 << p
		}
	case arrowDecimal:
		f.scale, f.bits = t.int(1, 0), t.int(2, 128)
	case arrowDate:
		f.unit = t.short(0, 1)
	case arrowTime:
		f.unit, f.bits = t.short(0, 1), t.int(1, 32)
	case arrowTimestamp:
		f.unit, f.zone = t.short(0, 0), t.string(1)
	case arrowDuration:
		f.unit = t.short(0, 1)
	case arrowFixedBinary, arrowFixedList:
		f.size = t.int(0, 0)
	case arrowUnion:
		f.dense = t.short(0, 0) == 1
	}
}

// timeUnit returns the unit of a time, timestamp or duration.
func (f *arrowField) timeUnit() ingest.Unit {
	if f.unit < 0 || f.unit >= len(arrowUnits) {
		return ingest.Unit{}
	}
	return arrowUnits[f.unit]
}

// String names the type for messages: "timestamp[us, UTC]".
func (f *arrowField) String() string {
	name := fmt.Sprintf("type %d", f.typ)
	if int(f.typ) < len(arrowNames) {
		name = arrowNames[f.typ]
	}
	switch f.typ {
	case arrowInt:
		name = fmt.Sprintf("int%d", f.bits)
		if !f.signed {
			name = "u" + name
		}
	case arrowFloat:
		name = fmt.Sprintf("float%d", f.bits)
	case arrowDecimal:
		name = fmt.Sprintf("decimal%d(scale %d)", f.bits, f.scale)
	case arrowTime, arrowDuration:
		name += "[" + f.timeUnit().Name + "]"
	case arrowTimestamp:
		if f.zone != "" {
			name += "[" + f.timeUnit().Name + ", " + f.zone + "]"
		} else {
			name += "[" + f.timeUnit().Name + "]"
		}
	case arrowList, arrowLargeList, arrowFixedList, arrowListView, arrowLargeListView:
		if len(f.children) == 1 {
			name += "<" + f.children[0].String() + ">"
		}
	}
	if f.dict {
		name = "dictionary<" + name + ">"
	}
	return name
}

// parseMessage reads the header of an encapsulated message.
func parseMessage(b []byte) (kind byte, header table, body int64, err error) {
	f := &flatbuf{b: b}
	m := f.root()
	kind, header, body = m.byte(1, 0), m.sub(2), m.long(3)
	if f.bad || header.f == nil || body < 0 {
		return 0, table{}, 0, errFlatbuf
	}
	return kind, header, body, nil
}

const (
	messageSchema     = 1
	messageDictionary = 2
	messageBatch      = 3
)

// storedArrowSchema reads the Arrow schema that Parquet writers put into the
// key-value metadata, base64-coded.
func storedArrowSchema(text string) (arrowSchema, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		if b, err = base64.RawStdEncoding.DecodeString(text); err != nil {
			return arrowSchema{}, err
		}
	}
	if len(b) >= 8 && binary.LittleEndian.Uint32(b) == continuation {
		b = b[4:]
	}
	if len(b) < 8 {
		return arrowSchema{}, errShort
	}
	kind, header, _, err := parseMessage(b[4:])
	if err != nil {
		return arrowSchema{}, err
	}
	if kind != messageSchema {
		return arrowSchema{}, fmt.Errorf("message of type %d, %d (schema) expected", kind, messageSchema)
	}
	return parseArrowSchema(header)
}

// continuation begins every message since format version 0.15.
const continuation = 0xffffffff
