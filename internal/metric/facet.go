package metric

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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
	// Cuts are lengths crossed with the columns: the bin of each, as a number,
	// comes before the words of the columns, "" for a length in no bin.
	Cuts []Cut
	// Length is the numeric field whose value is binned where there are neither
	// columns nor cuts, or a time, in nanoseconds, and Bin the function that does;
	// ok is false for a value that belongs to no part.
	Length Length
	Bin    func(v float64) (bin int, ok bool)
	// Only are the parts that are wanted of columns; nil for all. Other records are
	// in none. They are named by the words of the first OnlyBy columns, or of all if
	// that is 0.
	Only   []Key
	OnlyBy int
	// Limit and Bits are those of the sketches of the parts: there may be many,
	// so they are smaller than those of the units.
	Limit, Bits int
	// Most is how many parts there may be, MaxParts if it is 0. More are an
	// error; a facet that is Optional is left out then, see Side.Dropped.
	Most     int
	Optional bool
}

// Cut is a length whose values are binned; bins are from 0.
type Cut struct {
	Length Length
	Bin    func(v float64) (bin int, ok bool)
}

// onlyKeys is the set of the parts that are wanted, nil for all.
func (f *Facet) onlyKeys() map[Key]bool {
	if f.Only == nil {
		return nil
	}
	keys := map[Key]bool{}
	for _, k := range f.Only {
		keys[k] = true
	}
	return keys
}

// chooses returns the key by which a part is wanted or not.
func (f *Facet) chooses(words []string) Key {
	if words = words[len(f.Cuts):]; f.OnlyBy > 0 {
		words = words[:f.OnlyBy]
	}
	return WordsKey(words...)
}

// byLength tells that the parts are bins of a single length.
func (f *Facet) byLength() bool { return f.Columns == nil && f.Cuts == nil }

func (f *Facet) most() int {
	if f.Most > 0 {
		return f.Most
	}
	return MaxParts
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

// A word may hold the separator itself.
var (
	escapeWord   = strings.NewReplacer("\x1e", "\x1e0", wordSeparator, "\x1e1")
	unescapeWord = strings.NewReplacer("\x1e0", "\x1e", "\x1e1", wordSeparator)
)

// WordsKey names the part that has these values of the columns.
func WordsKey(words ...string) Key {
	text := make([]string, len(words))
	for i, w := range words {
		text[i] = escapeWord.Replace(w)
	}
	return Key{Text: strings.Join(text, wordSeparator)}
}

// Words returns the value of each column of a part.
func (k Key) Words() []string {
	words := strings.Split(k.Text, wordSeparator)
	for i, w := range words {
		words[i] = unescapeWord.Replace(w)
	}
	return words
}

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
	for _, l := range [...]Length{PromptLength, OutputLength, CachedLength} {
		if b := f.Layout.Fields[l.field()]; i >= 0 && b.Bound() && b.Column == i {
			return l, true
		}
	}
	return 0, false
}

// facets adds the rows of one group to the parts of its unit.
func (c *collector) facets(u *Unit, f *ingest.Frame, g *group) error {
	for k := range c.plan.Facets {
		if c.dropped[k] {
			continue
		}
		err := c.facet(u, k, f, g)
		if many := (*tooManyParts)(nil); errors.As(err, &many) {
			c.dropped[k] = true // see dropFacets
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) facet(u *Unit, k int, f *ingest.Frame, g *group) error {
	facet, keys := &c.plan.Facets[k], &c.parts.facets[k]
	for _, i := range g.bad {
		if f.Reasons[i].Elsewhere() {
			continue
		}
		key, ok := keys.key(i)
		if !ok {
			continue
		}
		part, err := c.part(u, k, key)
		if err != nil {
			return err
		}
		part.Counts[f.Reasons[i]]++
		c.late(part.Cells, f, []int32{i})
	}
	if keys.choose {
		g = &group{good: keys.wanted(g.good), bad: g.bad}
	}
	if g.good.len() == 0 {
		return nil
	}
	if key, one := keys.sole(g.good); one {
		return c.addPart(u, k, facet, key, f, g.good)
	}
	if n := len(keys.keys); c.spreads && n <= sketch.MaxScatter && g.good.len() >= n*fewPerPart {
		return c.spread(u, k, f, g)
	}
	byKey := c.parts.sort(keys, g.good)
	for j, key := range keys.keys {
		if len(byKey[j]) == 0 {
			continue
		}
		if err := c.addPart(u, k, facet, key, f, rows{list: byKey[j]}); err != nil {
			return err
		}
	}
	return nil
}

// addPart adds good rows to a part of a unit.
func (c *collector) addPart(u *Unit, k int, facet *Facet, key Key, f *ingest.Frame, good rows) error {
	part, err := c.part(u, k, key)
	if err != nil {
		return err
	}
	part.Counts[ingest.Good] += int64(good.len())
	if c.plan.SLO != nil {
		part.Good += c.plan.SLO.met(f, good)
	}
	c.add(part.Cells, f, good)
	return nil
}

// tooManyParts tells that a facet has more parts than it may have.
type tooManyParts struct{ facet *Facet }

func (e *tooManyParts) Error() string {
	var names []string
	for _, c := range e.facet.Cuts {
		names = append(names, c.Length.field().String())
	}
	names = append(names, e.facet.Columns...)
	if len(names) == 1 {
		return fmt.Sprintf("column %s has more than %d values: it identifies records and does not slice them", names[0], e.facet.most())
	}
	return fmt.Sprintf("columns %s have more than %d combinations of values, which is too many to slice by: name fewer columns", strings.Join(names, ", "), e.facet.most())
}

// part returns the part of a unit that a key names.
func (c *collector) part(u *Unit, k int, key Key) (*Part, error) {
	part := u.Facets[k][key]
	if part != nil {
		return part, nil
	}
	facet, keys := &c.plan.Facets[k], &c.parts.facets[k]
	if len(u.Facets[k]) >= facet.most() {
		return nil, &tooManyParts{facet}
	}
	part, err := newPart(facet, len(u.Cells))
	if err != nil {
		return nil, err
	}
	if last := keys.latest[key]; last != nil {
		for i := range part.Cells {
			part.Cells[i].Sketch.Expect(last.Cells[i].Sketch)
		}
	}
	keys.latest[key] = part
	u.Facets[k][key] = part
	return part, nil
}

// dropFacets empties the optional facets that have too many parts: those that a
// worker gave up, and those of which all sides together have too many. Of the others
// it is an error if a unit has too many. So the outcome does not depend on which
// worker read what.
func (p *Plan) dropFacets(workers []worker, sides []*Side) error {
	dropped := make([]bool, len(p.Facets))
	for k := range p.Facets {
		facet := &p.Facets[k]
		tooMany := facet.Optional && len(Keys(sides, k)) > facet.most()
		for _, w := range workers {
			tooMany = tooMany || w.(*collector).dropped[k]
		}
		for _, side := range sides {
			for _, u := range side.Units {
				tooMany = tooMany || len(u.Facets[k]) > facet.most()
			}
		}
		if !tooMany {
			continue
		}
		if !facet.Optional {
			return &tooManyParts{facet}
		}
		dropped[k] = true
		for _, side := range sides {
			for _, u := range side.Units {
				u.Facets[k] = map[Key]*Part{}
			}
		}
	}
	for _, side := range sides {
		side.Dropped = dropped
	}
	return nil
}

// keepOnly takes away the parts that are not wanted.
func (p *Plan) keepOnly(sides []*Side) {
	for k := range p.Facets {
		only := p.Facets[k].onlyKeys()
		if only == nil {
			continue
		}
		for _, side := range sides {
			for _, u := range side.Units {
				maps.DeleteFunc(u.Facets[k], func(key Key, _ *Part) bool { return !only[p.Facets[k].chooses(key.Words())] })
			}
		}
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
		out.addPart(u, u.Facets[facet][key])
	}
	return out
}
