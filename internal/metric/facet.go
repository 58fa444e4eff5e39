package metric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Facet splits units into parts: slices or strata.
type Facet struct {
	// Columns are read as words; a part is a combination of their values. A
	// name is that of a column, or of a canonical field.
	Columns []string
	// Length is the numeric field whose value is binned where Columns is nil,
	// or a time, in nanoseconds, and Bin the function that does; ok is false for
	// a value that belongs to no part.
	Length Length
	Bin    func(v float64) (bin int, ok bool)
	// Limit and Bits are those of the sketches of the parts: there may be many,
	// so they are smaller than those of the units.
	Limit, Bits int
}

// Key names a part of a facet: the bin of a length, or the words of columns
// joined by a separator that Words undoes.
type Key struct {
	Bin  int
	Text string
}

// Unbinned is the bin of records whose length is missing or in no bin.
const Unbinned = -1 << 30

const wordSeparator = "\x1f"

// Words returns the value of each column of a part.
func (k Key) Words() []string { return strings.Split(k.Text, wordSeparator) }

// Compare orders keys by bin, then text.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Bin, o.Bin), strings.Compare(k.Text, o.Text))
}

// Part is a part of a unit: its own cells and tallies.
type Part struct {
	Counts ingest.Counts
	Good   int64 // good requests that met the plan's objective
	Cells  []Cell
}

// OK returns the number of requests that succeeded, Requests those that
// succeeded or failed.
func (p *Part) OK() int64       { return p.Counts[ingest.Good] }
func (p *Part) Requests() int64 { return p.OK() + p.Counts.Of(ingest.Failed) }

// MaxParts is the largest number of parts of a facet. A column with more
// values is an identifier, not a slice.
const MaxParts = 1000

// Keys lists the parts of a facet that any of the sides has, in order.
func Keys(sides []*Side, facet int) []Key {
	seen := map[Key]bool{}
	var keys []Key
	for _, s := range sides {
		for _, u := range s.Units {
			for k := range u.Facets[facet] {
				if !seen[k] {
					seen[k] = true
					keys = append(keys, k)
				}
			}
		}
	}
	slices.SortFunc(keys, Key.Compare)
	return keys
}

// columnIndex finds a column by its stored name, or by the canonical field it
// carries; −1 if the source has none.
func columnIndex(src ingest.Source, l *ingest.Layout, name string) int {
	for i, c := range src.Columns() {
		if c.Name == name {
			return i
		}
	}
	if f, ok := ingest.ParseField(name); ok && l.Fields[f].Bound() {
		return l.Fields[f].Column
	}
	return -1
}

// HasColumn reports whether a file has a column of that name or field.
func (f *File) HasColumn(name string) bool {
	return columnIndex(f.Source, f.Layout, name) >= 0
}

// ColumnNames lists the columns of a file, for messages.
func (f *File) ColumnNames() string { return ingest.ColumnNames(f.Source.Columns()) }

// LengthNamed returns the length that a column of that name or field carries;
// ok is false for a column of anything else.
func (f *File) LengthNamed(name string) (l Length, ok bool) {
	i := columnIndex(f.Source, f.Layout, name)
	for _, l := range [...]Length{PromptLength, OutputLength} {
		if b := f.Layout.Fields[l.field()]; i >= 0 && b.Bound() && b.Column == i {
			return l, true
		}
	}
	return 0, false
}

// partitioner splits the rows of a group by key without allocating.
type partitioner struct {
	keys  []Key
	ids   map[Key]int32
	at    []int32 // key of each row
	start []int32
	rows  []int32
	good  []int32
	memos map[*Facet]*binMemo
}

// facets adds the rows of one group to the parts of its unit.
func (c *collector) facets(u *Unit, side, file int, f *ingest.Frame, g group) error {
	first := 0 // of the facet's columns among the words of the frame
	for k := range c.plan.Facets {
		facet := &c.plan.Facets[k]
		cols := f.Words[first : first+len(facet.Columns)]
		first += len(facet.Columns)
		c.parts.number(f, facet, cols)
		if err := c.addParts(u, k, facet, side, file, f, g); err != nil {
			return err
		}
	}
	return nil
}

// number gives every row of the frame the index of its key.
func (p *partitioner) number(f *ingest.Frame, facet *Facet, cols []*ingest.Column) {
	if p.ids == nil {
		p.ids = map[Key]int32{}
	}
	clear(p.ids)
	p.keys = p.keys[:0]
	p.at = slices.Grow(p.at[:0], f.N)[:f.N]
	if facet.Columns == nil {
		p.numberLengths(f, facet)
		return
	}
	if len(cols) == 1 && cols[0] != nil {
		p.numberWords(cols[0])
		return
	}
	parts := make([]string, len(cols))
	for i := range p.at {
		for j, c := range cols {
			parts[j] = ""
			if c != nil {
				parts[j] = c.Str(i)
			}
		}
		p.at[i] = p.id(Key{Text: strings.Join(parts, wordSeparator)})
	}
}

// numberWords numbers rows by the words of one column.
func (p *partitioner) numberWords(c *ingest.Column) {
	last, lastID := int32(-2), int32(0)
	byCode := map[int32]int32{}
	for i := range p.at {
		word := code(c, i)
		if word != last {
			id, ok := byCode[word]
			if !ok {
				text := ""
				if word >= 0 {
					text = c.Dict[word]
				}
				id = p.id(Key{Text: text})
				byCode[word] = id
			}
			last, lastID = word, id
		}
		p.at[i] = lastID
	}
}

func (p *partitioner) numberLengths(f *ingest.Frame, facet *Facet) {
	c := f.Col(facet.Length.field())
	memo := p.memos[facet]
	if memo == nil {
		if p.memos == nil {
			p.memos = map[*Facet]*binMemo{}
		}
		memo = &binMemo{of: facet.Bin}
		p.memos[facet] = memo
	}
	var ids [64]int32 // index + 1 of the key of a small bin
	for i := range p.at {
		bin := Unbinned
		if c != nil && c.StateAt(i) == ingest.Present {
			if b, ok := memo.bin(valueAt(c, i)); ok {
				bin = b
			}
		}
		if bin >= 0 && bin < len(ids) {
			if ids[bin] == 0 {
				ids[bin] = p.id(Key{Bin: bin}) + 1
			}
			p.at[i] = ids[bin] - 1
			continue
		}
		p.at[i] = p.id(Key{Bin: bin})
	}
}

func valueAt(c *ingest.Column, i int) float64 {
	if c.Times != nil {
		return float64(c.Times[i])
	}
	return c.Floats[i]
}

func (p *partitioner) id(k Key) int32 {
	id, ok := p.ids[k]
	if !ok {
		id = int32(len(p.keys))
		p.ids[k] = id
		p.keys = append(p.keys, k)
	}
	return id
}

// addParts sorts the group's rows by key and adds each key's rows to its part.
func (c *collector) addParts(u *Unit, k int, facet *Facet, side, file int, f *ingest.Frame, g group) error {
	p := &c.parts
	n := len(p.keys)
	p.start = append(p.start[:0], make([]int32, 2*n+1)...)
	slot := func(i int32) int32 {
		s := 2 * p.at[i]
		if f.Reasons[i] != ingest.Good {
			s++
		}
		return s
	}
	total := 0
	eachRow(f.N, g.rows, func(i int32) { p.start[slot(i)+1]++; total++ })
	for i := 1; i <= 2*n; i++ {
		p.start[i] += p.start[i-1]
	}
	p.rows = slices.Grow(p.rows[:0], total)[:total]
	pos := append(p.good[:0], p.start[:2*n]...)
	p.good = pos
	eachRow(f.N, g.rows, func(i int32) { s := slot(i); p.rows[pos[s]] = i; pos[s]++ })
	for j, key := range p.keys {
		rows, good := p.rows[p.start[2*j]:p.start[2*j+2]], p.rows[p.start[2*j]:p.start[2*j+1]]
		if len(rows) == 0 {
			continue
		}
		part := u.Facets[k][key]
		if part == nil {
			if len(u.Facets[k]) >= MaxParts {
				return fmt.Errorf("column %s has more than %d values: it identifies records and does not slice them", strings.Join(facet.Columns, ", "), MaxParts)
			}
			var err error
			if part, err = newPart(facet, len(u.Cells)); err != nil {
				return err
			}
			u.Facets[k][key] = part
		}
		count(&part.Counts, f, rows)
		if c.plan.SLO != nil {
			part.Good += c.plan.SLO.met(f, good)
		}
		for i, ex := range c.extract[side][file] {
			if ex != nil {
				c.add(&part.Cells[i], ex, f, good)
			}
		}
	}
	return nil
}

func eachRow(n int, rows []int32, fn func(i int32)) {
	if rows == nil {
		for i := range int32(n) {
			fn(i)
		}
		return
	}
	for _, i := range rows {
		fn(i)
	}
}

func newPart(facet *Facet, items int) (*Part, error) {
	p := &Part{Cells: make([]Cell, items)}
	for i := range p.Cells {
		s, err := sketch.NewBits(facet.Limit, facet.Bits)
		if err != nil {
			return nil, err
		}
		p.Cells[i].Sketch = s
	}
	return p, nil
}

// Slice returns the part of a side that one key of a facet names, as a side of
// its own. Units without that part are left out.
func (s *Side) Slice(facet int, key Key) *Side {
	out := &Side{DuplicatesChecked: s.DuplicatesChecked}
	for _, u := range s.Units {
		p := u.Facets[facet][key]
		if p == nil {
			continue
		}
		out.Units = append(out.Units, &Unit{Label: u.Label, Replica: u.Replica, Counts: p.Counts, Good: p.Good, Cells: p.Cells})
		out.Counts.Add(&p.Counts)
	}
	return out
}
