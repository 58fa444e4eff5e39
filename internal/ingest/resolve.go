package ingest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Override maps a canonical field to a column by hand (--column).
type Override struct {
	Field  Field
	Column string
	Unit   Unit // zero: from the name or the type
}

// ParseOverride reads FIELD=COL[:UNIT].
func ParseOverride(text string) (Override, error) {
	name, col, ok := strings.Cut(text, "=")
	f, known := ParseField(strings.TrimSpace(name))
	switch {
	case !ok || col == "":
		return Override{}, fmt.Errorf("column mapping %q: want FIELD=COLUMN[:UNIT], for example ttft=first_tok:ms", text)
	case !known:
		return Override{}, fmt.Errorf("column mapping %q: there is no field %q; fields are %s", text, name, FieldNames())
	}
	o := Override{Field: f, Column: col}
	if i := strings.LastIndexByte(col, ':'); i >= 0 {
		u, ok := ParseUnit(col[i+1:])
		if !ok {
			return Override{}, fmt.Errorf("column mapping %q: unknown unit %q; units are %s", text, col[i+1:], strings.Join(UnitWords(), ", "))
		}
		if !f.IsTime() {
			return Override{}, fmt.Errorf("column mapping %q: field %s is not a time and takes no unit", text, f)
		}
		o.Column, o.Unit = col[:i], u
	}
	return o, nil
}

// Binding is the column that carries a field.
type Binding struct {
	Column int // index into Source.Columns, −1 if no column carries the field
	Name   string
	Unit   Unit
	Invert bool // Status only: the column says failed, not succeeded
	Flag   bool // Status only: the column is a yes/no of success
}

// Bound reports whether a column carries the field.
func (b Binding) Bound() bool { return b.Column >= 0 && b.Name != "" }

// GenericColumn is a column that can be a metric of its own, whether or not it
// carries a canonical field.
type GenericColumn struct {
	Name   string // as stored
	Column int
	Unit   Unit // the time unit of its suffix, else One
}

// Layout says which column of a source carries which field.
type Layout struct {
	Fields  [NumFields]Binding
	Generic []GenericColumn
	Text    []GenericColumn // text and boolean columns that carry no field: slices
	// Notes are remarks for the user: columns that look like a field and
	// cannot be used, and why.
	Notes []string
}

// TellsOfRequests reports whether a field is bound that only records of requests
// carry: a latency, an outcome, or two points in the life of a request.
func (l *Layout) TellsOfRequests() bool {
	for _, f := range []Field{TTFT, TPOT, ITL, ChunkGap, E2E, Latency, Status, HTTPStatus, Error} {
		if l.Fields[f].Bound() {
			return true
		}
	}
	points := 0
	for _, f := range []Field{Scheduled, Start, FirstToken, End} {
		if l.Fields[f].Bound() {
			points++
		}
	}
	return points >= 2
}

// Resolve finds the columns that carry the canonical fields: those named by an
// override, else the first alias that matches a whole column name (unit suffix
// removed), else the last part of a dotted path. It fails when an override
// names no column, when a latency has no unit, and when two columns carry the
// same field equally well.
func Resolve(path string, cols []ColumnInfo, overrides []Override) (*Layout, error) {
	l := &Layout{}
	for f := range l.Fields {
		l.Fields[f].Column = -1
	}
	taken := make([]bool, len(cols))
	for _, o := range overrides {
		i := slices.IndexFunc(cols, func(c ColumnInfo) bool { return c.Name == o.Column })
		if i < 0 {
			return nil, fmt.Errorf("%s: there is no column %q for field %s; columns are %s", path, o.Column, o.Field, ColumnNames(cols))
		}
		stem, u := SplitUnit(NormalName(leaf(cols[i].Name)))
		if o.Unit.Known() {
			u = o.Unit
		}
		if why := unfit(o.Field, cols[i], u); why != "" {
			return nil, fmt.Errorf("%s: column %q (%s) cannot be field %s: %s", path, o.Column, cols[i].Type, o.Field, why)
		}
		l.Fields[o.Field] = bind(o.Field, i, cols[i], stem, u)
		taken[i] = true
	}
	for f := Field(0); f < NumFields; f++ {
		if l.Fields[f].Column >= 0 {
			continue
		}
		if err := l.find(path, f, cols, taken); err != nil {
			return nil, err
		}
	}
	l.listColumns(cols)
	return l, nil
}

// listColumns lists the numeric columns, each of which can be a metric of its
// own even where it carries a field, and the free columns of words.
func (l *Layout) listColumns(cols []ColumnInfo) {
	bound := map[int]Binding{}
	for _, b := range l.Fields {
		if b.Bound() {
			bound[b.Column] = b
		}
	}
	for i, c := range cols {
		b, taken := bound[i]
		_, u := SplitUnit(NormalName(c.Name))
		if !u.Known() {
			switch {
			case c.Class == DurationClass:
				u = Second
			case c.CellUnits: // a bare number among cells with units stays unknown
				u = Unit{}
			default:
				u = One
			}
		}
		if taken {
			u = b.Unit
		}
		switch c.Class {
		case NumericClass, DurationClass:
			l.Generic = append(l.Generic, GenericColumn{c.Name, i, u})
		case TextClass, BoolClass:
			if !taken {
				l.Text = append(l.Text, GenericColumn{c.Name, i, One})
			}
		}
	}
}

// find binds field f to the best matching free column, if there is one.
func (l *Layout) find(path string, f Field, cols []ColumnInfo, taken []bool) error {
	type match struct {
		col, rank int
		stem      string
		unit      Unit
	}
	var best []match
	for i, c := range cols {
		if taken[i] {
			continue
		}
		full := NormalName(c.Name)
		for _, whole := range []bool{true, false} {
			name := full
			if !whole {
				if name = leaf(full); name == full {
					continue
				}
			}
			stem, u := name, Unit{}
			a := slices.Index(fields[f].aliases, name)
			if a < 0 && f.IsTime() {
				stem, u = SplitUnit(name)
				a = slices.Index(fields[f].aliases, stem)
			}
			if a < 0 {
				continue
			}
			rank := 2 * a
			if !whole {
				rank += 1000
			}
			if len(best) > 0 && rank > best[0].rank {
				continue
			}
			why := unfit(f, c, u)
			if why == needUnit && (f == TTFT || f == TPOT || f == E2E || f == Latency || f == ITL || f == ChunkGap) {
				return fmt.Errorf("%s: column %q has no unit: rename it (%s_ms) or say --column %s=%s:ms (units: %s)",
					path, c.Name, c.Name, f, c.Name, strings.Join(UnitWords(), ", "))
			}
			if why != "" {
				if !((f == ITL || f == ChunkGap) && c.Class == NumericClass) { // a mean gap a request: common, and not a list of gaps
					l.Notes = append(l.Notes, fmt.Sprintf("column %q looks like %s and is not used: %s", c.Name, f, why))
				}
				continue
			}
			if len(best) > 0 && rank < best[0].rank {
				best = best[:0]
			}
			best = append(best, match{i, rank, stem, u})
			break
		}
	}
	if len(best) == 0 {
		return nil
	}
	if len(best) > 1 {
		return fmt.Errorf("%s: columns %q and %q both look like %s: choose one with --column %s=%s",
			path, cols[best[0].col].Name, cols[best[1].col].Name, f, f, cols[best[0].col].Name)
	}
	b := best[0]
	l.Fields[f] = bind(f, b.col, cols[b.col], b.stem, b.unit)
	taken[b.col] = true
	return nil
}

const needUnit = "it has no unit; name it with a suffix such as _ms, or map it with --column FIELD=COLUMN:ms"

// unfit says why a column cannot carry a field, "" if it can.
func unfit(f Field, c ColumnInfo, u Unit) string {
	switch f.Form() {
	case Number:
		switch c.Class {
		case NumericClass, DurationClass, NullClass:
		case BoolClass, TextClass, InstantClass, ListClass, OtherClass:
			return fmt.Sprintf("a number is needed, the column holds %s", c.Type)
		}
	case Time:
		switch c.Class {
		case InstantClass:
			return ""
		case NumericClass, DurationClass, NullClass:
		default:
			return fmt.Sprintf("a time is needed, the column holds %s", c.Type)
		}
	case NumberList:
		if c.Class != ListClass && c.Class != NullClass {
			return fmt.Sprintf("a list of numbers is needed, the column holds %s", c.Type)
		}
	case Text:
		if c.Class == ListClass || c.Class == OtherClass && f != Error {
			return fmt.Sprintf("words are needed, the column holds %s", c.Type)
		}
	}
	if f.IsTime() && !u.Known() && !c.CellUnits && c.Class != DurationClass && c.Class != NullClass {
		return needUnit
	}
	return ""
}

func bind(f Field, i int, c ColumnInfo, stem string, u Unit) Binding {
	if !u.Known() && (c.Class == DurationClass || !f.IsTime()) {
		u = One
		if f.IsTime() {
			u = Second
		}
	}
	b := Binding{Column: i, Name: c.Name, Unit: u}
	if f == Status {
		switch stem {
		case "success", "ok", "succeeded", "is_success":
			b.Flag = true
		case "failed", "is_error":
			b.Flag, b.Invert = true, true
		}
	}
	return b
}

// leaf returns the last part of a dotted path.
func leaf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// ClipName shortens a name that would fill a message.
func ClipName(name string) string {
	const most = 80
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most]) + "…"
}

// ColumnNames lists the names of columns, for messages.
func ColumnNames(cols []ColumnInfo) string {
	const most = 30
	var names []string
	for i, c := range cols {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(cols)-most))
			break
		}
		names = append(names, ClipName(c.Name))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
