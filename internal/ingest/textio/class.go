package textio

import (
	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	// The class of a column is decided from so many records, or from those
	// that begin in so many bytes if that is fewer.
	sniffRecords = 1000
	sniffBytes   = 64 << 20
)

// kind is what one cell looks like.
type kind uint8

const (
	kindNull  kind = iota // empty, null, N/A: no evidence
	kindNaN               // NaN, inf: evidence only if there is no other
	kindEmpty             // an empty list or object: the same
	kindNumber
	kindTime
	kindBool
	kindText
	kindList
	kindObject
	kindOther
	numKinds
)

// tally counts the kinds of cells of a column.
type tally struct {
	count  [numKinds]int
	total  int
	units  bool   // a cell had its own unit of time
	quoted bool   // a number stood in quotes, in JSON
	other  string // a unit that is none of time, "tokens"
}

func (t *tally) add(k kind) {
	t.count[k]++
	t.total++
}

// addText counts a cell that is spelt s.
func (t *tally) addText(s []byte, scratch *[]float64) kind {
	k := t.kindOf(trim(s), scratch)
	t.add(k)
	return k
}

func (t *tally) kindOf(s []byte, scratch *[]float64) kind {
	if isNull(s) || isNA(s) {
		return kindNull
	}
	if _, ok := parseSpecial(s); ok {
		return kindNaN
	}
	if _, ok := parseBool(s); ok {
		return kindBool
	}
	if _, ok := parseTimestamp(s); ok {
		return kindTime
	}
	if q, ok := parseQuantity(s); ok {
		t.units = t.units || q.unit.Known()
		return kindNumber
	}
	if s[0] == '[' {
		var ok bool
		if *scratch, ok = appendList((*scratch)[:0], s); ok && len(*scratch) == 0 {
			return kindEmpty
		} else if ok {
			return kindList
		}
	}
	return kindText
}

// info names the class. Numbers, times, truth values or lists have to be more
// than half of what there is, so that a stray word in a column of numbers is a
// malformed number and not a reason to call the column text.
func (t *tally) info(name string) ingest.ColumnInfo {
	c := ingest.ColumnInfo{Name: name}
	evidence := 0
	for k := kindNumber; k < numKinds; k++ {
		evidence += t.count[k]
	}
	mostly := func(k kind) bool { return 2*t.count[k] > evidence }
	switch {
	case evidence == 0 && t.count[kindNaN] > 0:
		c.Class, c.Type = ingest.NumericClass, "number"
	case evidence == 0 && t.count[kindEmpty] > 0:
		c.Class, c.Type = ingest.ListClass, "empty list"
	case evidence == 0:
		c.Class, c.Type = ingest.NullClass, "empty"
	case mostly(kindNumber):
		c.Class, c.Type, c.CellUnits = ingest.NumericClass, "number", t.units
		switch {
		case t.units:
			c.Type = "number with unit"
		case t.other != "":
			c.Type = "number, " + t.other
		case t.quoted:
			c.Type = "number in quotes"
		}
	case mostly(kindTime):
		c.Class, c.Type = ingest.InstantClass, "timestamp"
	case mostly(kindBool):
		c.Class, c.Type = ingest.BoolClass, "true/false"
	case mostly(kindList):
		c.Class, c.Type, c.CellUnits = ingest.ListClass, "list of numbers", t.units
	case t.count[kindObject] == t.total:
		c.Class, c.Type = ingest.OtherClass, "object"
	case t.count[kindOther] == evidence:
		c.Class, c.Type = ingest.OtherClass, "list"
	case t.count[kindObject] == evidence:
		c.Class, c.Type = ingest.TextClass, "object"
	default:
		c.Class, c.Type = ingest.TextClass, "text"
	}
	return c
}
