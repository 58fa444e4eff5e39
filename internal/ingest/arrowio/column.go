package arrowio

import (
	"fmt"
	"math"
)

// Kind is the type of a column to be written.
type Kind uint8

// The kinds.
const (
	Float64   Kind = iota // OutColumn.Floats
	Int64                 // OutColumn.Ints
	Int32                 // OutColumn.Ints, each within 32 bits
	Text                  // OutColumn.Texts, or IDs into Dict; stored dictionary-coded
	Timestamp             // OutColumn.Ints: nanoseconds since 1970-01-01 UTC
	Bool                  // OutColumn.Bools
	FloatList             // OutColumn.Floats cut by Offsets
)

var kindNames = [...]string{"float64", "int64", "int32", "text", "timestamp", "bool", "list of float64"}

// String returns the kind's name, for messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// OutField describes a column to be written.
type OutField struct {
	Name     string
	Kind     Kind
	Nullable bool
}

// OutColumn holds the cells of one column to be written. The Kind of its field
// says which slice is read. A null cell still takes a place in its slice; a
// null list should be empty.
type OutColumn struct {
	Floats  []float64
	Ints    []int64
	Texts   []string
	IDs     []int32 // Text, when Texts is nil: indices into Dict
	Dict    []string
	Bools   []bool
	Offsets []int32 // FloatList: list i is Floats[Offsets[i]:Offsets[i+1]]; len is rows + 1
	Valid   []bool  // nil: every cell has a value
}

// rows returns how many cells the column holds as the kind sees it.
func (c *OutColumn) rows(k Kind) int {
	switch k {
	case Float64:
		return len(c.Floats)
	case Text:
		if c.Texts == nil {
			return len(c.IDs)
		}
		return len(c.Texts)
	case Bool:
		return len(c.Bools)
	case FloatList:
		return max(len(c.Offsets)-1, 0)
	default:
		return len(c.Ints)
	}
}

// text returns cell i of a Text column.
func (c *OutColumn) text(i int) string {
	if c.Texts != nil {
		return c.Texts[i]
	}
	return c.Dict[c.IDs[i]]
}

// valid reports whether cell i has a value.
func (c *OutColumn) valid(i int) bool { return c.Valid == nil || c.Valid[i] }

// checkColumns verifies that the columns fit the fields and have equal length,
// and returns it.
func checkColumns(fields []OutField, cols []OutColumn) (rows int, err error) {
	if len(cols) != len(fields) {
		return 0, fmt.Errorf("%d columns given, the schema has %d", len(cols), len(fields))
	}
	for i := range cols {
		f, c := fields[i], &cols[i]
		n := c.rows(f.Kind)
		if i == 0 {
			rows = n
		}
		if n != rows {
			return 0, fmt.Errorf("column %q: %d rows, column %q has %d", f.Name, n, fields[0].Name, rows)
		}
		if err := c.check(f, n); err != nil {
			return 0, fmt.Errorf("column %q: %w", f.Name, err)
		}
	}
	return rows, nil
}

// check verifies one column against its field.
func (c *OutColumn) check(f OutField, n int) error {
	if c.Valid != nil {
		if len(c.Valid) != n {
			return fmt.Errorf("%d validity flags for %d rows", len(c.Valid), n)
		}
		if !f.Nullable {
			for i, ok := range c.Valid {
				if !ok {
					return fmt.Errorf("row %d is null, the field is not nullable", i)
				}
			}
		}
	}
	switch f.Kind {
	case Int32:
		for i, v := range c.Ints {
			if v != int64(int32(v)) {
				return fmt.Errorf("row %d: %d does not fit in %d bits", i, v, 32)
			}
		}
	case Text:
		if c.Texts == nil {
			for i, id := range c.IDs {
				if c.valid(i) && (id < 0 || int(id) >= len(c.Dict)) {
					return fmt.Errorf("row %d: index %d into a dictionary of %d", i, id, len(c.Dict))
				}
			}
		}
	case FloatList:
		return checkOffsets(c.Offsets, len(c.Floats))
	case Float64, Int64, Timestamp, Bool:
	default:
		return fmt.Errorf("unknown kind %d", f.Kind)
	}
	return nil
}

func checkOffsets(offsets []int32, n int) error {
	for i, o := range offsets {
		if o < 0 || int(o) > n || i > 0 && o < offsets[i-1] {
			return fmt.Errorf("offset %d is %d: offsets must rise from 0 to at most %d", i, o, n)
		}
	}
	return nil
}

func checkFields(fields []OutField) error {
	if len(fields) == 0 || len(fields) > math.MaxInt16 {
		return fmt.Errorf("%d columns: want 1 to %d", len(fields), math.MaxInt16)
	}
	seen := make(map[string]bool, len(fields))
	for i, f := range fields {
		switch {
		case f.Name == "":
			return fmt.Errorf("column %d has no name", i)
		case seen[f.Name]:
			return fmt.Errorf("two columns are named %q", f.Name)
		case int(f.Kind) >= len(kindNames):
			return fmt.Errorf("column %q: unknown kind %d", f.Name, f.Kind)
		}
		seen[f.Name] = true
	}
	return nil
}
