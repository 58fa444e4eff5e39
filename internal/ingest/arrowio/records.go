package arrowio

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// RecordInput is a file of records to be converted.
type RecordInput struct {
	Path   string
	Source ingest.Source
	Layout *ingest.Layout
	// Run is the label of the file's records where it has no run column; ""
	// leaves the column out.
	Run string
}

// longCell is the length from which a text that carries no field is left out:
// prompts and answers are not what slices are made of.
const longCell = 256

// WriteRecords writes the records of several files as one Parquet file of the
// canonical schema: the fields that any of them has, and the other numeric and
// text columns under their own names. It keeps every value that a comparison
// uses, and the records that it would reject. It returns the number of records
// and remarks on what was left out.
func WriteRecords(ctx context.Context, w io.Writer, inputs []RecordInput, meta []ingest.KeyValue) (rows int64, notes []string, err error) {
	c := newConversion(inputs)
	out, err := NewParquetWriter(w, c.fields, meta, WriterOptions{})
	if err != nil {
		return 0, nil, err
	}
	for i := range inputs {
		in := &inputs[i]
		req, slots := c.requests(in)
		for p := range in.Source.Partitions() {
			err := in.Source.Scan(ctx, p, req, func(b *ingest.Batch) error {
				rows += int64(b.N)
				return out.Write(c.columns(in, b, slots))
			})
			if err != nil {
				return rows, nil, fmt.Errorf("%s: %w", in.Path, err)
			}
		}
	}
	for i, n := range c.dropped {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("column %q: %d texts longer than %d bytes left out", c.fields[i].Name, n, longCell))
		}
	}
	return rows, notes, out.Close()
}

// conversion knows the columns of the file that is written.
type conversion struct {
	fields  []OutField
	index   map[string]int // by name
	field   []ingest.Field // NumFields for a column that carries no field
	dropped []int64
}

func newConversion(inputs []RecordInput) *conversion {
	c := &conversion{index: map[string]int{}}
	add := func(name string, kind Kind, f ingest.Field) {
		if _, ok := c.index[name]; !ok {
			c.index[name] = len(c.fields)
			c.fields = append(c.fields, OutField{Name: name, Kind: kind, Nullable: true})
			c.field = append(c.field, f)
		}
	}
	kinds := map[ingest.Form]Kind{ingest.Number: Float64, ingest.Time: Timestamp, ingest.Text: Text, ingest.NumberList: FloatList}
	for _, col := range ingest.CanonicalSchema() {
		for i := range inputs {
			if inputs[i].Layout.Fields[col.Field].Bound() || col.Field == ingest.Run && inputs[i].Run != "" {
				add(col.Name, kinds[col.Field.Form()], col.Field)
			}
		}
	}
	for i := range inputs {
		for _, g := range spare(inputs[i].Layout, inputs[i].Layout.Generic) {
			add(genericName(g), Float64, ingest.NumFields)
		}
		for _, t := range spare(inputs[i].Layout, inputs[i].Layout.Text) {
			add(t.Name, Text, ingest.NumFields)
		}
	}
	c.dropped = make([]int64, len(c.fields))
	return c
}

// spare lists the columns that carry no field.
func spare(l *ingest.Layout, cols []ingest.GenericColumn) []ingest.GenericColumn {
	var out []ingest.GenericColumn
	for _, c := range cols {
		bound := false
		for f := range l.Fields {
			bound = bound || l.Fields[f].Bound() && l.Fields[f].Column == c.Column
		}
		if !bound {
			out = append(out, c)
		}
	}
	return out
}

// genericName is the name under which a numeric column is written. A column
// whose cells carried their units becomes one of seconds.
func genericName(g ingest.GenericColumn) string {
	if _, u := ingest.SplitUnit(ingest.NormalName(g.Name)); !u.Known() && g.Unit != ingest.One {
		return g.Name + "_s"
	}
	return g.Name
}

// requests lists what is read of an input, and the column each goes to.
func (c *conversion) requests(in *RecordInput) (req []ingest.Request, slots []int) {
	for _, col := range ingest.CanonicalSchema() {
		if b := in.Layout.Fields[col.Field]; b.Bound() {
			req = append(req, ingest.Request{Column: b.Column, Form: col.Field.Form(), Unit: b.Unit})
			slots = append(slots, c.index[col.Name])
		}
	}
	for _, g := range spare(in.Layout, in.Layout.Generic) {
		unit := g.Unit
		if _, named := ingest.SplitUnit(ingest.NormalName(g.Name)); named.Known() {
			unit = ingest.One // the name keeps its suffix, so the number stays as it is
		}
		req = append(req, ingest.Request{Column: g.Column, Form: ingest.Number, Unit: unit})
		slots = append(slots, c.index[genericName(g)])
	}
	for _, t := range spare(in.Layout, in.Layout.Text) {
		req = append(req, ingest.Request{Column: t.Column, Form: ingest.Text})
		slots = append(slots, c.index[t.Name])
	}
	return req, slots
}

// columns turns a batch into the columns of the file.
func (c *conversion) columns(in *RecordInput, b *ingest.Batch, slots []int) []OutColumn {
	out := make([]OutColumn, len(c.fields))
	for i, f := range c.fields {
		out[i] = emptyColumn(f.Kind, b.N)
	}
	for i, slot := range slots {
		c.fill(&out[slot], slot, in, &b.Cols[i], b.N)
	}
	if in.Run != "" && !in.Layout.Fields[ingest.Run].Bound() {
		run := &out[c.index[ingest.Run.String()]]
		for i := range run.Texts {
			run.Texts[i], run.Valid[i] = in.Run, true
		}
	}
	return out
}

func emptyColumn(k Kind, n int) OutColumn {
	c := OutColumn{Valid: make([]bool, n)}
	switch k {
	case Float64:
		c.Floats = make([]float64, n)
	case Text:
		c.Texts = make([]string, n)
	case FloatList:
		c.Offsets = make([]int32, n+1)
	default:
		c.Ints = make([]int64, n)
	}
	return c
}

// fill copies the cells of one column. A cell that could not be read stays
// visible as such where its column can say so: as NaN among numbers.
func (c *conversion) fill(out *OutColumn, slot int, in *RecordInput, col *ingest.Column, n int) {
	status := c.field[slot] == ingest.Status
	binding := in.Layout.Fields[ingest.Status]
	for i := range n {
		state := col.StateAt(i)
		switch c.fields[slot].Kind {
		case Float64:
			switch state {
			case ingest.Present:
				out.Floats[i], out.Valid[i] = col.Floats[i], true
			case ingest.Malformed:
				out.Floats[i], out.Valid[i] = math.NaN(), true
			}
		case Timestamp:
			if state == ingest.Present {
				out.Ints[i], out.Valid[i] = col.Times[i], true
			}
		case FloatList:
			if state == ingest.Present {
				out.Floats = append(out.Floats, col.List(i)...)
				out.Valid[i] = true
			}
			out.Offsets[i+1] = int32(len(out.Floats))
		case Text:
			if state != ingest.Present {
				continue
			}
			word := col.Str(i)
			switch {
			case status:
				word = binding.StatusWord(word)
			case c.field[slot] == ingest.NumFields && len(word) > longCell:
				c.dropped[slot]++
				continue
			}
			out.Texts[i], out.Valid[i] = word, true
		}
	}
}
