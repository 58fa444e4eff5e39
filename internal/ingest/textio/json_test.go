package textio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func TestJSONColumns(t *testing.T) {
	in := `{"id":"007","n":1,"big":123456789012345678901,"deep":{"a":{"b":[1,2]}},"when":"2025-06-01T12:00:00Z"}` + "\n" +
		`{"id":"x","n":NaN,"ttft":{"value":5,"unit":"ms"},"gaps":{"unit":"ms","value":[1,2]},"error":null,"new":"157 ms"}` + "\n" +
		`{"n":"12","ttft":{"value":null,"unit":"ms"},"tokens":{"value":5,"unit":"tokens"},"error":{"code":499,"why":"x"},"mixed":[1,"a"],"empty":[],"nothing":{}}` + "\n" +
		`{"ok":true,"three":{"value":5,"unit":"ms","n":3},"words":{"value":"a","unit":"ms"},"late":-Infinity,"quoted":"5"}` + "\n"
	want := []ingest.ColumnInfo{
		{Name: "id", Type: "text", Class: ingest.TextClass},
		{Name: "n", Type: "number in quotes", Class: ingest.NumericClass},
		{Name: "big", Type: "number", Class: ingest.NumericClass},
		{Name: "deep", Type: "object", Class: ingest.TextClass}, // absent in some records
		{Name: "deep.a", Type: "object", Class: ingest.OtherClass},
		{Name: "deep.a.b", Type: "list of numbers", Class: ingest.ListClass},
		{Name: "when", Type: "timestamp", Class: ingest.InstantClass},
		{Name: "ttft", Type: "number with unit", Class: ingest.NumericClass, CellUnits: true},
		{Name: "gaps", Type: "list of numbers", Class: ingest.ListClass, CellUnits: true},
		{Name: "error", Type: "object", Class: ingest.TextClass},
		{Name: "error.code", Type: "number", Class: ingest.NumericClass},
		{Name: "error.why", Type: "text", Class: ingest.TextClass},
		{Name: "new", Type: "number with unit", Class: ingest.NumericClass, CellUnits: true},
		{Name: "tokens", Type: "number, tokens", Class: ingest.NumericClass},
		{Name: "mixed", Type: "list", Class: ingest.OtherClass},
		{Name: "empty", Type: "empty list", Class: ingest.ListClass},
		{Name: "nothing", Type: "empty", Class: ingest.NullClass},
		{Name: "ok", Type: "true/false", Class: ingest.BoolClass},
		{Name: "three", Type: "object", Class: ingest.TextClass},
		{Name: "three.value", Type: "number", Class: ingest.NumericClass},
		{Name: "three.unit", Type: "text", Class: ingest.TextClass},
		{Name: "three.n", Type: "number", Class: ingest.NumericClass},
		{Name: "words", Type: "object", Class: ingest.TextClass},
		{Name: "words.value", Type: "text", Class: ingest.TextClass},
		{Name: "words.unit", Type: "text", Class: ingest.TextClass},
		{Name: "late", Type: "number", Class: ingest.NumericClass},
		{Name: "quoted", Type: "number in quotes", Class: ingest.NumericClass},
	}
	if diff := cmp.Diff(want, open(t, textFile(in)).Columns()); diff != "" {
		t.Error(diff)
	}
}

// Every cell of CSV as a JSON string, which differs in null alone.
func TestJSONStrings(t *testing.T) {
	for _, c := range cellCases {
		if c.cell == "true" {
			continue // alone it makes a column of truth values
		}
		if c.form == ingest.Text && c.state == missing && c.cell != "" {
			c.state, c.want = present, c.cell
		}
		for _, q := range []string{strconv.QuoteToASCII(c.cell), strconv.Quote(c.cell)} {
			c.check(t, "string", open(t, textFile(`{"y":1, "x": `+q+"}\r\n")), 0)
		}
	}
}

func TestJSONCells(t *testing.T) {
	ms, none := ingest.Millisecond, ingest.Unit{}
	for _, c := range []cellCase{
		{"number", `157`, ingest.Number, ms, present, 0.157},
		{"number", `-1.5e3`, ingest.Number, ingest.One, present, -1500.0},
		{"null", `null`, ingest.Number, ms, missing, 0.0},
		{"NaN", `NaN`, ingest.Number, ms, present, math.NaN()},
		{"infinity", `-Infinity`, ingest.Number, ms, present, math.Inf(-1)},
		{"own unit", `{"value": 157, "unit": "ms"}`, ingest.Number, ingest.Second, present, 0.157},
		{"own unit, other order", `{"unit":"us","value":157}`, ingest.Number, none, present, 157e-6},
		{"own unit, escaped", `{"unit":"\u00b5s","value":157}`, ingest.Number, none, present, 157e-6},
		{"own unit, NaN", `{"value":NaN,"unit":"ms"}`, ingest.Number, none, present, math.NaN()},
		{"own unit, null", `{"value":null,"unit":"ms"}`, ingest.Number, none, missing, 0.0},
		{"own unit, text", `{"value":"5","unit":"ms"}`, ingest.Number, none, malformed, 0.0},
		{"own unit and more", `{"value":5,"unit":"ms","n":1}`, ingest.Number, none, malformed, 0.0},
		{"value twice", `{"value":5,"value":6}`, ingest.Number, none, malformed, 0.0},
		{"value alone", `{"value":5}`, ingest.Number, none, malformed, 0.0},
		{"tokens", `{"value":5,"unit":"tokens"}`, ingest.Number, none, present, 5.0},
		{"tokens, counted", `{"value":5,"unit":"tokens"}`, ingest.Number, ingest.One, present, 5.0},
		{"tokens are no time", `{"value":5,"unit":"tokens"}`, ingest.Number, ms, malformed, 0.0},
		{"object", `{"a":1}`, ingest.Number, ms, malformed, 0.0},
		{"list", `[1]`, ingest.Number, ms, malformed, 0.0},
		{"truth", `true`, ingest.Time, ms, malformed, int64(0)},

		{"time", `1759522419154568925`, ingest.Time, ingest.Nanosecond, present, int64(1759522419154568925)},
		{"time, own unit", `{"value":1748779200.5,"unit":"s"}`, ingest.Time, none, present, int64(1748779200_500_000_000)},
		{"time, NaN", `{"value":NaN,"unit":"s"}`, ingest.Time, none, malformed, int64(0)},
		{"time, beyond int64", `{"value":1e30,"unit":"s"}`, ingest.Time, none, malformed, int64(0)},
		{"time, tokens", `{"value":1,"unit":"tokens"}`, ingest.Time, ms, malformed, int64(0)},
		{"time, null", `null`, ingest.Time, ms, missing, int64(0)},
		{"time, list", `[1]`, ingest.Time, ms, malformed, int64(0)},

		{"text", `"a\n\"\u00e9\ud83d\ude42\\"`, ingest.Text, none, present, "a\n\"é🙂\\"},
		{"lone surrogate", `"\ud83dx"`, ingest.Text, none, present, "\uFFFDx"},
		{"quoted null", `"null"`, ingest.Text, none, present, "null"},
		{"empty", `""`, ingest.Text, none, missing, ""},
		{"null", `null`, ingest.Text, none, missing, ""},
		{"number as it is written", `1.50`, ingest.Text, none, present, "1.50"},
		{"19 digits", `1234567890123456789`, ingest.Text, none, present, "1234567890123456789"},
		{"truth", `true`, ingest.Text, none, present, "true"},
		{"object", `{ "code" : 499, "why": "a  b\"" }`, ingest.Text, none, present, `{"code":499,"why":"a  b\""}`},
		{"list", `[ 1, "a b" ]`, ingest.Text, none, present, `[1,"a b"]`},
		{"empty object", `{ }`, ingest.Text, none, missing, ""},
		{"empty list", `[]`, ingest.Text, none, missing, ""},

		{"list", `[0.1, 2]`, ingest.NumberList, ingest.Second, present, []float64{0.1, 2}},
		{"list, NaN", `[NaN,-Infinity]`, ingest.NumberList, ingest.Second, present, []float64{math.NaN(), math.Inf(-1)}},
		{"list, own unit", `{"value":[100,200],"unit":"ms"}`, ingest.NumberList, ingest.Second, present, []float64{0.1, 0.2}},
		{"list, tokens", `{"value":[1,2],"unit":"tokens"}`, ingest.NumberList, none, present, []float64{1, 2}},
		{"list, tokens are no time", `{"value":[1,2],"unit":"tokens"}`, ingest.NumberList, ms, malformed, []float64(nil)},
		{"list, null", `null`, ingest.NumberList, ms, missing, []float64(nil)},
		{"list of texts", `["1"]`, ingest.NumberList, ms, malformed, []float64(nil)},
		{"list of objects", `[{"value":1,"unit":"ms"}]`, ingest.NumberList, ms, malformed, []float64(nil)},
		{"list, number", `5`, ingest.NumberList, ms, malformed, []float64(nil)},
		{"list, one with unit", `{"value":5,"unit":"ms"}`, ingest.NumberList, ms, malformed, []float64(nil)},
	} {
		c.check(t, "line", open(t, textFile("{\"x\":null}\n{ \"y\":[{\"x\":2}],\"x\" : "+c.cell+"\t,\"z\":{\"x\":5}}\n")), 1)
		c.check(t, "array", open(t, textFile("[{\"x\":null},\n{\"x\" : "+c.cell+"}\n]\n")), 1)
	}
}

// Paths, and of what is there twice the last.
func TestJSONPaths(t *testing.T) {
	for _, c := range []struct {
		why, in string
		want    []string
	}{
		{"nested", `{"a":{"b":{"c":"x"}}}`, []string{"x"}},
		{"absent in some", `{"a":{"b":{"c":"x"}}}|{}|{"a":1}|{"a":{"b":"w"}}|{"a":{"b":{"c":"y"}}}`, []string{"x", "", "", "", "y"}},
		{"escaped key", `{"\u0061":{"b":{"\u0063":"x"}}}`, []string{"x"}},
		{"value twice", `{"a":{"b":{"c":"x","c":"y"}}}`, []string{"y"}},
		{"then null", `{"a":{"b":{"c":"x","c":null}}}`, []string{""}},
		{"object twice", `{"a":{"b":{"c":"x"},"b":{"d":1}}}`, []string{""}},
		{"object, then null", `{"a":{"b":{"c":"x"}},"a":null}`, []string{""}},
		{"object, then object", `{"a":{"b":{"c":"x"}},"a":{"b":{"c":"y"}}}`, []string{"y"}},
		{"dots in a key", `{"a.b":{"c":"x"}}|{"a":{"b":{"c":"y"}}}|{"a.b.c":"z"}`, []string{"x", "y", "z"}},
		{"both spellings", `{"a.b.c":"z","a":{"b":{"c":"y"}}}`, []string{"y"}},
		{"invalid key", "{\"a\":{\"b\":{\"c\":\"x\",\"\xff\":1,\"\\ufffd\":2}}}", []string{"x"}},
	} {
		in := strings.ReplaceAll(c.in, "|", "\n")
		got := column(t, open(t, textFile(in)), "a.b.c", ingest.Text, ingest.Unit{})
		if diff := cmp.Diff(c.want, got.Texts); diff != "" {
			t.Errorf("%s: %s", c.why, diff)
		}
	}
	got := column(t, open(t, textFile("{\"\xff\":1,\"a\":2}\n{\"\xff\":3}\n")), "\uFFFD", ingest.Number, ingest.One)
	if diff := cmp.Diff([]float64{1, 3}, got.Floats); diff != "" {
		t.Error(diff)
	}
}

// A path and one below it are read at the same time, in any form.
func TestJSONTogether(t *testing.T) {
	s := open(t, textFile("{\"error\":null,\"n\":5}\n{\"error\":{\"code\":499, \"n\":[1]},\"n\":6}\n{\"n\":\"x\"}\n"))
	req := []ingest.Request{
		{Column: index(t, s, "error"), Form: ingest.Text},
		{Column: index(t, s, "error.code"), Form: ingest.Number, Unit: ingest.One},
		{Column: index(t, s, "error.n"), Form: ingest.NumberList, Unit: ingest.One},
		{Column: index(t, s, "n"), Form: ingest.Number, Unit: ingest.One},
		{Column: index(t, s, "n"), Form: ingest.Text},
	}
	got, err := scan(s, req)
	if err != nil {
		t.Fatal(err)
	}
	want := []cells{
		{State: []ingest.State{missing, present, missing}, Texts: []string{"", `{"code":499,"n":[1]}`, ""}},
		{State: []ingest.State{missing, present, missing}, Floats: []float64{0, 499, 0}},
		{State: []ingest.State{missing, present, missing}, Lists: [][]float64{nil, {1}, nil}},
		{State: []ingest.State{present, present, malformed}, Floats: []float64{5, 6, 0}},
		{State: []ingest.State{present, present, present}, Texts: []string{"5", "6", "x"}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// The cells do not depend on where a file is cut into partitions, or on the
// records being lines or elements.
func TestPartitionsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var records []string
	for i := range 300 {
		records = append(records, fmt.Sprintf(`{"i":%d,"pad":"%s","v":[%d]}`, i, repeat("é", rng.IntN(40)), rng.IntN(9)))
	}
	text := "\xef\xbb\xbf\n" + strings.Join(records, "\n\r\n") // no newline at the end
	req := []ingest.Request{{Column: 0, Form: ingest.Number}, {Column: 1, Form: ingest.Text}, {Column: 2, Form: ingest.NumberList}}
	array, err := scan(open(t, textFile("["+strings.Join(records, " ,\n")+"]")), req)
	if err != nil || len(array[0].Floats) != 300 {
		t.Fatal(err)
	}
	for chunk := int64(4); chunk < 5000; chunk += 1 + chunk/3 {
		s := open(t, textFile(text)).(*jsonSource)
		s.chunk = chunk
		if n := s.Partitions(); n != (len(text)+int(chunk)-1)/int(chunk) {
			t.Fatalf("%d partitions", n)
		}
		got, err := scan(s, req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(array, got); diff != "" {
			t.Fatalf("pieces of %d bytes: %s", chunk, diff)
		}
	}
}

// The place of a fault is right in every partition.
func TestPartitionsNameTheLine(t *testing.T) {
	s := open(t, textFile(repeat("{\"a\":1}\n", 3000)+"{\"a\":1]\n"+repeat("{\"a\":1}\n", 3000))).(*jsonSource)
	s.chunk = 1000
	failed := 0
	for p := range s.Partitions() {
		err := s.Scan(t.Context(), p, nil, func(*ingest.Batch) error { return nil })
		if err == nil {
			continue
		}
		failed++
		if want := "line 3001, byte 7: found ']', expected a comma or '}'"; err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if e, ok := err.(*Error); !ok || e.Line != 3001 || e.Byte != 7 {
			t.Errorf("%#v", err)
		}
	}
	if failed != 1 {
		t.Errorf("%d partitions failed", failed)
	}
}

// A map of many keys, a tree and a long key do not become columns without end.
func TestJSONBounds(t *testing.T) {
	var many strings.Builder
	for i := range maxKeys + 10 {
		fmt.Fprintf(&many, `,"k%d":1`, i)
	}
	s := open(t, textFile(`{"map":{`+many.String()[1:]+`},"deep":`+repeat(`{"a":`, 100)+"1"+repeat("}", 100)+`,"`+repeat("x", 600)+`":1,"last":5}`))
	if n := len(s.Columns()); n != 1+maxKeys+maxLevels+1 {
		t.Errorf("%d columns", n)
	}
	if got := column(t, s, "last", ingest.Number, ingest.One); got.Floats[0] != 5 {
		t.Error(got)
	}
	if got := column(t, s, "map", ingest.Text, ingest.Unit{}); len(got.Texts[0]) != many.Len()+1 {
		t.Errorf("the map's text has %d bytes", len(got.Texts[0]))
	}
}

// Partitions can be scanned at the same time.
func TestConcurrentScans(t *testing.T) {
	s := open(t, memFile(benchJSONL(2000))).(*jsonSource)
	s.chunk = 64 << 10
	var mu sync.Mutex
	rows := 0
	req := requests(t, s, benchForms, "request_id", "metadata.run", "metrics.ttft", "itl")
	var wg sync.WaitGroup
	for p := range s.Partitions() {
		wg.Go(func() {
			err := s.Scan(t.Context(), p, req, func(b *ingest.Batch) error {
				mu.Lock()
				defer mu.Unlock()
				rows += b.N
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if rows != 2000 {
		t.Errorf("%d rows", rows)
	}
}
