package textio

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// builder fills one requested column of the current batch, a cell at a time.
type builder struct {
	form ingest.Form
	unit ingest.Unit
	per  uint64 // nanoseconds a unit, 0 if it is not known
	info ingest.ColumnInfo

	n     int // cells
	col   ingest.Column
	state []ingest.State // as long as the column once a cell is not Present
	dict  dict
}

// newBuilders checks the requests and makes a builder for each.
func newBuilders(cols []ingest.ColumnInfo, req []ingest.Request) ([]*builder, error) {
	bs := make([]*builder, len(req))
	for i, r := range req {
		if r.Column < 0 || r.Column >= len(cols) {
			return nil, fmt.Errorf("column %d requested, the file has %d", r.Column, len(cols))
		}
		if r.Form > ingest.NumberList {
			return nil, fmt.Errorf("column %s: unknown form %d", cols[r.Column].Name, r.Form)
		}
		bs[i] = &builder{form: r.Form, unit: r.Unit, per: perUnit(r.Unit), info: cols[r.Column]}
		bs[i].reset()
	}
	return bs, nil
}

// reset begins a new batch.
func (b *builder) reset() {
	b.n = 0
	b.state = b.state[:0]
	c := &b.col
	c.Floats, c.Times, c.IDs = c.Floats[:0], c.Times[:0], c.IDs[:0]
	b.dict.fresh()
	if b.form == ingest.NumberList {
		c.Offsets = append(c.Offsets[:0], 0)
	}
}

// column returns the batch's column.
func (b *builder) column() ingest.Column {
	b.col.Dict = b.dict.words
	b.col.State = nil
	if len(b.state) > 0 {
		b.col.State = b.state
	}
	return b.col
}

// end appends a cell of the given state; the value has been appended already.
func (b *builder) end(s ingest.State) {
	b.n++
	if s != ingest.Present && len(b.state) == 0 {
		b.state = slices.Grow(b.state, ingest.BatchRows)[:b.n-1]
		clear(b.state)
		b.state = append(b.state, s)
	} else if len(b.state) > 0 {
		b.state = append(b.state, s)
	}
	if b.form == ingest.NumberList {
		b.col.Offsets = append(b.col.Offsets, int32(len(b.col.Floats)))
	}
}

// absent appends a cell without a value.
func (b *builder) absent(s ingest.State) {
	c := &b.col
	switch b.form {
	case ingest.Number:
		c.Floats = append(c.Floats, 0)
	case ingest.Time:
		c.Times = append(c.Times, 0)
	case ingest.Text:
		c.IDs = append(c.IDs, 0)
	}
	b.end(s)
}

// undo takes the last cell back.
func (b *builder) undo() {
	b.n--
	c := &b.col
	switch b.form {
	case ingest.Number:
		c.Floats = c.Floats[:b.n]
	case ingest.Time:
		c.Times = c.Times[:b.n]
	case ingest.Text:
		c.IDs = c.IDs[:b.n]
	case ingest.NumberList:
		c.Offsets = c.Offsets[:b.n+1]
		c.Floats = c.Floats[:c.Offsets[b.n]]
	}
	if len(b.state) > 0 {
		b.state = b.state[:b.n]
	}
}

func (b *builder) float(v float64) error {
	b.col.Floats = append(b.col.Floats, v)
	b.end(ingest.Present)
	return nil
}

func (b *builder) text(s []byte) error {
	b.col.IDs = append(b.col.IDs, b.dict.id(s))
	b.end(ingest.Present)
	return nil
}

func (b *builder) fail(format string, args ...any) error {
	return &fault{column: b.info.Name, msg: fmt.Sprintf(format, args...)}
}

// cell appends a cell that is spelt s. quoted says that s stood in quotes, so
// that null is a text and not the lack of one.
func (b *builder) cell(s []byte, quoted bool) error {
	switch b.form {
	case ingest.Text:
		if len(s) == 0 || !quoted && isNullText(s) {
			b.absent(ingest.Missing)
			return nil
		}
		return b.text(s)
	case ingest.Number:
		if d := scanDecimal(s); d.n > 0 && d.n == len(s) {
			return b.bare(d.float(s), s)
		}
	}
	s = trim(s)
	if isNull(s) {
		b.absent(ingest.Missing)
		return nil
	}
	switch b.form {
	case ingest.Number:
		return b.number(s)
	case ingest.Time:
		return b.time(s)
	}
	return b.list(s, ingest.Unit{})
}

// number appends a number that is not plain digits.
func (b *builder) number(s []byte) error {
	if v, ok := parseSpecial(s); ok {
		return b.float(v)
	}
	if v, ok := parseBool(s); ok && b.info.Class == ingest.BoolClass {
		return b.float(v)
	}
	q, ok := parseQuantity(s)
	switch {
	case !ok:
		b.absent(ingest.Malformed)
		return nil
	case !q.unit.Known():
		return b.bare(q.dec.float(q.text), s)
	}
	return b.withUnit(q.dec.float(q.text), q.unit, s)
}

// bare appends a number without a unit of its own.
func (b *builder) bare(v float64, s []byte) error {
	if err := b.checkBare(excerpt, s); err != nil {
		return err
	}
	return b.float(b.unit.ToBase(v))
}

// checkBare refuses a number without a unit where none is asked for and the
// other cells have one, or there are no others to tell.
func (b *builder) checkBare(name func([]byte) string, s []byte) error {
	switch {
	case b.per != 0:
	case b.info.CellUnits:
		return b.fail("%s has no unit; the other cells have one", name(s))
	case b.info.Class == ingest.NullClass && !b.unit.Known():
		return b.fail("%s has no unit, and the first %d records no value to tell it from", name(s), sniffRecords)
	}
	return nil
}

// withUnit appends a number with its own unit.
func (b *builder) withUnit(v float64, u ingest.Unit, s []byte) error {
	if err := b.checkUnit(s); err != nil {
		return err
	}
	return b.float(u.ToBase(v))
}

// checkUnit refuses a unit of time where none is asked for and the other cells
// have none.
func (b *builder) checkUnit(s []byte) error {
	if b.per != 0 || b.info.CellUnits || b.info.Class == ingest.NullClass && !b.unit.Known() {
		return nil
	}
	return b.fail("%s has a unit; the cells of the first %d records have none", excerpt(s), sniffRecords)
}

// time appends a point in time.
func (b *builder) time(s []byte) error {
	ns, ok := parseTimestamp(s)
	if !ok {
		q, isNumber := parseQuantity(s)
		if !isNumber {
			b.absent(ingest.Malformed)
			return nil
		}
		per := b.per
		if q.unit.Known() {
			per = perUnit(q.unit)
		}
		if per == 0 {
			return b.fail("%s has no unit; a time needs one (%s) or to be a timestamp", excerpt(s), unitList())
		}
		if ns, ok = q.dec.nanos(q.text, per); !ok {
			b.absent(ingest.Malformed)
			return nil
		}
	}
	b.col.Times = append(b.col.Times, ns)
	b.end(ingest.Present)
	return nil
}

// list appends a list of numbers, "[0.1, 0.2]". own is the unit the cell
// names for it, if it does.
func (b *builder) list(s []byte, own ingest.Unit) error {
	start := len(b.col.Floats)
	floats, ok := appendList(b.col.Floats, s)
	if !ok || len(floats) > math.MaxInt32 {
		b.col.Floats = floats[:start]
		b.end(ingest.Malformed)
		return nil
	}
	b.col.Floats = floats
	u, err := own, error(nil)
	switch {
	case !own.Known():
		u = b.unit
		err = b.checkBare(func([]byte) string { return "the list" }, nil)
	case perUnit(own) != 0:
		err = b.checkUnit(s)
	}
	if err != nil {
		b.col.Floats = floats[:start]
		return err
	}
	for i := start; i < len(floats); i++ {
		floats[i] = u.ToBase(floats[i])
	}
	b.end(ingest.Present)
	return nil
}
