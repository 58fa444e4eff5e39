package arrowio

import (
	"github.com/perfdiff/perfdiff/internal/ingest"
)

// cellKind is how a stored cell is to be understood.
type cellKind uint8

const (
	otherCell cellKind = iota
	intCell
	uintCell
	floatCell
	decimalCell // an integer, divided by 10^scale
	boolCell    // 0 or 1
	instantCell // an integer, in unit, since 1970
	dateCell    // an integer, in unit, since 1970; whole days
	clockCell   // an integer, in unit, since midnight
	durationCell
	textCell
	nullCell
)

// cellType is the type of the cells of a column, whatever the file format.
type cellType struct {
	kind  cellKind
	scale int         // decimalCell
	unit  ingest.Unit // instantCell, dateCell, clockCell, durationCell
	times int64       // stored × times is in unit; 0 means 1
	list  bool        // the cells are lists of it
}

// dayCell is a date that is stored as a number of days.
var dayCell = cellType{kind: dateCell, unit: ingest.Second, times: 86400}

// class returns what the cells can be read as.
func (t cellType) class() ingest.Class {
	if t.list {
		switch t.kind {
		case intCell, uintCell, floatCell, decimalCell, durationCell, nullCell:
			return ingest.ListClass
		}
		return ingest.OtherClass
	}
	switch t.kind {
	case intCell, uintCell, floatCell, decimalCell:
		return ingest.NumericClass
	case boolCell:
		return ingest.BoolClass
	case instantCell, dateCell, clockCell:
		return ingest.InstantClass
	case durationCell:
		return ingest.DurationClass
	case textCell:
		return ingest.TextClass
	case nullCell:
		return ingest.NullClass
	}
	return ingest.OtherClass
}

// readable tells why cells of the type cannot be read in a form, "" if they
// can.
func (t cellType) readable(form ingest.Form, unit ingest.Unit) string {
	if t.kind == nullCell && !t.list {
		return ""
	}
	if t.list || form == ingest.NumberList {
		if t.class() == ingest.ListClass && form == ingest.NumberList {
			return ""
		}
		if form == ingest.NumberList {
			return "a list of numbers is wanted"
		}
		return "a single value is wanted"
	}
	if t.kind == otherCell {
		return "it can be read neither as number, time nor text"
	}
	if form == ingest.Time {
		switch t.kind {
		case boolCell:
			return "a time is wanted"
		case intCell, uintCell, floatCell, decimalCell:
			if !unit.Known() || unit == ingest.One {
				return "a time is wanted, and its numbers have no unit"
			}
		}
	}
	return ""
}
