package textio

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func TestCSVClasses(t *testing.T) {
	const head = "n,units,when,flag,text,list,none,nan,stray,mixed,id\n"
	in := head +
		"1,157ms,2025-06-01T12:00:00Z,true,abc,\"[0.1, 0.2]\",,NaN,1,x,007\n" +
		"2.5e3,2 s,2025-06-01 12:00:00.5,False,n/a,[],null,inf,timeout,1,008\n" +
		"N/A,1m0.5s,NULL,,none,\"[NaN,1]\",None,-Infinity,3,y,123456789012345678901\n"
	want := []ingest.ColumnInfo{
		{Name: "n", Type: "number", Class: ingest.NumericClass},
		{Name: "units", Type: "number with unit", Class: ingest.NumericClass, CellUnits: true},
		{Name: "when", Type: "timestamp", Class: ingest.InstantClass},
		{Name: "flag", Type: "true/false", Class: ingest.BoolClass},
		{Name: "text", Type: "text", Class: ingest.TextClass},
		{Name: "list", Type: "list of numbers", Class: ingest.ListClass},
		{Name: "none", Type: "empty", Class: ingest.NullClass},
		{Name: "nan", Type: "number", Class: ingest.NumericClass},
		{Name: "stray", Type: "number", Class: ingest.NumericClass},
		{Name: "mixed", Type: "text", Class: ingest.TextClass},
		{Name: "id", Type: "number", Class: ingest.NumericClass},
	}
	if diff := cmp.Diff(want, open(t, textFile(in)).Columns()); diff != "" {
		t.Error(diff)
	}
	for _, c := range open(t, textFile(head)).Columns() {
		if c.Class != ingest.NullClass {
			t.Errorf("header alone: %+v", c)
		}
	}
}

// cellCase is a cell read in some form.
type cellCase struct {
	why   string
	cell  string
	form  ingest.Form
	unit  ingest.Unit
	state ingest.State
	want  any
}

const (
	present   = ingest.Present
	missing   = ingest.Missing
	malformed = ingest.Malformed
)

var cellCases = []cellCase{
	{"milliseconds", "157", ingest.Number, ingest.Millisecond, present, 0.157},
	{"no unit known: as it is", "157", ingest.Number, ingest.Unit{}, present, 157.0},
	{"blanks around", " 157 \t", ingest.Number, ingest.Second, present, 157.0},
	{"sign and exponent", "+1.5E3", ingest.Number, ingest.One, present, 1500.0},
	{"cell's unit wins", "157ms", ingest.Number, ingest.Second, present, 0.157},
	{"minutes and seconds", "1m2.5s", ingest.Number, ingest.Millisecond, present, 62.5},
	{"empty", "", ingest.Number, ingest.Second, missing, 0.0},
	{"null", "NULL", ingest.Number, ingest.Second, missing, 0.0},
	{"Python", "None", ingest.Number, ingest.Second, missing, 0.0},
	{"database dump", `\N`, ingest.Number, ingest.Second, missing, 0.0},
	{"NaN", "NaN", ingest.Number, ingest.Millisecond, present, math.NaN()},
	{"pandas", "nan", ingest.Number, ingest.Millisecond, present, math.NaN()},
	{"infinity", "-inf", ingest.Number, ingest.Millisecond, present, math.Inf(-1)},
	{"beyond float64", "1e400", ingest.Number, ingest.Second, present, math.Inf(1)},
	{"not available", "N/A", ingest.Number, ingest.Second, malformed, 0.0},
	{"word", "abc", ingest.Number, ingest.Second, malformed, 0.0},
	{"thousands", "1,234", ingest.Number, ingest.Second, malformed, 0.0},
	{"decimal comma", "1,5", ingest.Number, ingest.Second, malformed, 0.0},
	{"hexadecimal", "0x1p3", ingest.Number, ingest.Second, malformed, 0.0},
	{"unknown unit", "5 parsec", ingest.Number, ingest.Second, malformed, 0.0},
	{"truth among others", "true", ingest.Number, ingest.One, malformed, 0.0},
	{"list", "[1]", ingest.Number, ingest.Second, malformed, 0.0},

	{"RFC 3339", "2025-06-01T14:00:00.000000001+02:00", ingest.Time, ingest.Unit{}, present, int64(1748779200_000_000_001)},
	{"space, no zone", "2025-06-01 12:00:00.123", ingest.Time, ingest.Unit{}, present, int64(1748779200_123_000_000)},
	{"nanoseconds", "1759522419154568925", ingest.Time, ingest.Nanosecond, present, int64(1759522419154568925)},
	{"decimal seconds", "1748779200.123456789", ingest.Time, ingest.Second, present, int64(1748779200_123_456_789)},
	{"relative, own unit", "1.5s", ingest.Time, ingest.Nanosecond, present, int64(1_500_000_000)},
	{"empty", "", ingest.Time, ingest.Second, missing, int64(0)},
	{"word", "yesterday", ingest.Time, ingest.Second, malformed, int64(0)},
	{"NaN", "NaN", ingest.Time, ingest.Second, malformed, int64(0)},
	{"beyond int64", "1e12", ingest.Time, ingest.Second, malformed, int64(0)},
	{"date alone", "2025-06-01", ingest.Time, ingest.Second, malformed, int64(0)},

	{"zeros stay", "007", ingest.Text, ingest.Unit{}, present, "007"},
	{"long number stays", "123456789012345678901", ingest.Text, ingest.Unit{}, present, "123456789012345678901"},
	{"blanks stay", " a ", ingest.Text, ingest.Unit{}, present, " a "},
	{"category", "none", ingest.Text, ingest.Unit{}, present, "none"},
	{"Namibia", "NA", ingest.Text, ingest.Unit{}, present, "NA"},
	{"empty", "", ingest.Text, ingest.Unit{}, missing, ""},
	{"null", "null", ingest.Text, ingest.Unit{}, missing, ""},
	{"Python", "None", ingest.Text, ingest.Unit{}, missing, ""},

	{"list", "[0.1, 2e0]", ingest.NumberList, ingest.Second, present, []float64{0.1, 2}},
	{"list in milliseconds", "[100,200]", ingest.NumberList, ingest.Millisecond, present, []float64{0.1, 0.2}},
	{"blank around", " [ 1 ,2 ] ", ingest.NumberList, ingest.Second, present, []float64{1, 2}},
	{"empty list", "[]", ingest.NumberList, ingest.Second, present, []float64{}},
	{"NaN in a list", "[nan, Infinity]", ingest.NumberList, ingest.Second, present, []float64{math.NaN(), math.Inf(1)}},
	{"empty", "", ingest.NumberList, ingest.Second, missing, []float64(nil)},
	{"null in a list", "[1, null]", ingest.NumberList, ingest.Second, malformed, []float64(nil)},
	{"nested list", "[[1]]", ingest.NumberList, ingest.Second, malformed, []float64(nil)},
	{"cut list", "[1, 2", ingest.NumberList, ingest.Second, malformed, []float64(nil)},
	{"trailing comma", "[1,]", ingest.NumberList, ingest.Second, malformed, []float64(nil)},
	{"scalar", "1", ingest.NumberList, ingest.Second, malformed, []float64(nil)},
}

// check reads row of column x and compares it with the case.
func (c cellCase) check(t *testing.T, how string, s ingest.Source, row int) {
	t.Helper()
	got := column(t, s, "x", c.form, c.unit)
	if row >= len(got.State) {
		t.Errorf("%s, %q, %s: %d rows", how, c.cell, c.why, len(got.State))
		return
	}
	var v any
	switch c.form {
	case ingest.Number:
		v = got.Floats[row]
	case ingest.Time:
		v = got.Times[row]
	case ingest.Text:
		v = got.Texts[row]
	case ingest.NumberList:
		v = got.Lists[row]
	}
	if got.State[row] != c.state || !cmp.Equal(v, c.want, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()) {
		t.Errorf("%s, %q, %s: %v, state %d, want %v, state %d", how, c.cell, c.why, v, got.State[row], c.want, c.state)
	}
}

// Each cell alone among plain ones, before, behind, and in quotes.
func TestCSVCells(t *testing.T) {
	plain := map[ingest.Form]string{ingest.Number: "1", ingest.Time: "1", ingest.Text: "w", ingest.NumberList: "[1]"}
	for _, c := range cellCases {
		cell := `"` + c.cell + `"`
		other := plain[c.form]
		if c.form == ingest.Time && !c.unit.Known() {
			other = "" // a bare number would be an error
		}
		quotedNull := c.form == ingest.Text && c.state == missing && c.cell != ""
		if !quotedNull {
			c.check(t, "quoted", open(t, textFile("y,x\n1,"+cell+"\n2,"+other+"\n")), 0)
		} else {
			got := column(t, open(t, textFile("y,x\n1,"+cell+"\n")), "x", ingest.Text, ingest.Unit{})
			if got.Texts[0] != c.cell {
				t.Errorf("quoted %s: %q", c.cell, got.Texts[0])
			}
		}
		c.check(t, "semicolons", open(t, textFile("y;x;z\r\n1;"+other+";1\r\n2;"+c.cell+";2")), 1)
	}
}

// Quotes, embedded line ends and blank lines, column by column.
func TestCSVQuoting(t *testing.T) {
	in := "a,b\r\n\"x,\"\"y\"\"\",\"1\r\n2\"\r\n\r\n,\n\"\"\"\",\" \"\n"
	s := open(t, textFile(in+"z,\"p\"\r"))
	a, b := column(t, s, "a", ingest.Text, ingest.Unit{}), column(t, s, "b", ingest.Text, ingest.Unit{})
	if diff := cmp.Diff([]string{`x,"y"`, "", `"`, "z"}, a.Texts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"1\n2", "", " ", "p"}, b.Texts); diff != "" {
		t.Error(diff)
	}
	if _, err := CSV.Open(textFile(in + "\"p\"\r\n")); err == nil || err.Error() != "line 7: found 1 field, expected 2 as in the header" {
		t.Error(err)
	}
}

// Truth values are 1 and 0 where the column holds them.
func TestBoolAsNumber(t *testing.T) {
	for _, in := range []string{"x\ntrue\nFalse\n", "{\"x\":true}\n{\"x\":false}\n", "{\"x\":\"True\"}\n{\"x\":\"false\"}\n"} {
		got := column(t, open(t, textFile(in)), "x", ingest.Number, ingest.One)
		if !slices.Equal(got.Floats, []float64{1, 0}) || got.count(present) != 2 {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

// A batch ends after 8,192 records, and a dictionary that has grown is replaced
// while what was handed out stays.
func TestBatchesAndDictionaries(t *testing.T) {
	const n = 3*maxWords/2 + 1
	var in []byte
	in = append(in, "id,run\n"...)
	for i := range n {
		in = fmt.Appendf(in, "id-%d,r%d\n", i, i/1000)
	}
	s := open(t, memFile(in))
	got := column(t, s, "id", ingest.Text, ingest.Unit{})
	for i, id := range got.Texts {
		if id != fmt.Sprintf("id-%d", i) {
			t.Fatalf("row %d is %s", i, id)
		}
	}
	if len(got.Texts) != n {
		t.Errorf("%d rows", len(got.Texts))
	}
	longest := 0
	req := []ingest.Request{{Column: 0, Form: ingest.Text}, {Column: 1, Form: ingest.Text}, {Column: 1, Form: ingest.Number}}
	err := s.Scan(t.Context(), 0, req, func(b *ingest.Batch) error {
		longest = max(longest, len(b.Cols[0].Dict))
		if b.Cols[0].State != nil || b.Cols[2].State == nil {
			t.Error("states are nil exactly if every cell is present")
		}
		return nil
	})
	if err != nil || longest > maxWords+ingest.BatchRows || longest < maxWords {
		t.Errorf("%v, a dictionary of %d words", err, longest)
	}
}
