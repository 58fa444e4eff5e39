package textio

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Every complaint about the data, word for word.
func TestMessages(t *testing.T) {
	rows := repeat("{\"a\":1}\n", sniffRecords)
	csvRows := "id,latency\n" + repeat("1,2\n", sniffRecords)
	number := func(unit ingest.Unit) ingest.Request { return ingest.Request{Form: ingest.Number, Unit: unit} }
	none := ingest.Unit{}
	for _, c := range []struct {
		name   string
		format ingest.Format
		in     string
		req    ingest.Request
		column string
		want   string
	}{
		// CSV, seen when it is opened
		{"empty", CSV, "", number(none), "", "the file is empty; expected a header line with column names"},
		{"mark alone", CSV, "\xef\xbb\xbf\n", number(none), "", "the file is empty; expected a header line with column names"},
		{"UTF-16", CSV, string(utf16Bytes("id,latency\n1,2\n", true, true)), number(none), "", "the text is UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"},
		{"binary", CSV, "PAR1\x00\x15\x04", number(none), "", "the file is binary, not CSV: it holds zero bytes"},
		{"twice", CSV, "a,b,a\n", number(none), "", `line 1: columns 1 and 3 of the header are both called "a"`},
		{"twice after trimming", CSV, "\na, a\n", number(none), "", `line 2: columns 1 and 2 of the header are both called "a"`},
		{"no name", CSV, "a,,c\n", number(none), "", "line 1: column 2 of the header has no name"},
		{"no first name", CSV, ",a\n0,1\n", number(none), "", "line 1: column 1 of the header has no name; pandas writes its row numbers so, unless told index=False"},
		{"blank header", CSV, "\"\"\n1\n", number(none), "", "line 1: the header is empty; expected column names"},
		{"no header", CSV, "1,2.5\n3,4\n", number(none), "", "line 1: found numbers (1, 2.5), expected a header line with column names"},
		{"headerless with empty cells", CSV, "1795,200,2.5,,abc,GET,7\n", number(none), "", "line 1: found numbers (1795, 200, 2.5), expected a header line with column names"},
		{"carriage returns", CSV, "a,b\r1,2\r", number(none), "", "line 1: lines end with a carriage return alone; expected LF or CRLF"},
		{"too few", CSV, "a,b,c\n1,2,3\n\n4\n5,6,7\n", number(none), "", "line 4: found 1 field, expected 3 as in the header"},
		{"too many", CSV, "a,b\n1,2\n1,2,3,\n", number(none), "", "line 3: found 4 fields, expected 2 as in the header"},
		{"cut off", CSV, "a,b,c\n1,2,3\n4,5", number(none), "", "line 3: found 2 fields, expected 3 as in the header; the file seems cut off"},
		{"bare quote", CSV, "a,b\n1,5\"\n", number(none), "", "line 2, byte 4: found a quote in a field that does not begin with one; quote the field and double the quote"},
		{"after a quote", CSV, "a,b\n\"1\" ,2\n", number(none), "", "line 2, byte 4: found ' ' after a closing quote, expected a comma or the end of the line"},
		{"after a quote, tabs", CSV, "a\tb\n\"1\"é\t2\n", number(none), "", "line 2, byte 4: found 'é' after a closing quote, expected a tab or the end of the line"},
		{"after a quote, semicolons", CSV, "a;b\n\"x\ny\"z;2\n", number(none), "", "line 3, byte 3: found 'z' after a closing quote, expected a semicolon or the end of the line"},
		{"open quote", CSV, "a,b\n1,\"2\n3,4\n", number(none), "", "line 2, byte 3: a quote is opened and not closed; the file seems cut off"},
		{"open quote, mark", CSV, "\xef\xbb\xbfa,\"b", number(none), "", "line 1, byte 3: a quote is opened and not closed; the file seems cut off"},

		// CSV, seen when it is scanned
		{"ragged", CSV, csvRows + "1,2,3\n", number(none), "latency", "line 1002: found 3 fields, expected 2 as in the header"},
		{"no unit", CSV, "id,latency\n" + repeat("1,157ms\n", 5) + "2,157\n", number(none), "latency", "line 7, column latency: 157 has no unit; the other cells have one"},
		{"late unit", CSV, csvRows + "\"x\ny\",157ms\n", number(none), "latency", "line 1002, column latency: 157ms has a unit; the cells of the first 1000 records have none"},
		{"late unit of a count", CSV, csvRows + "3,157ms\n", number(ingest.One), "latency", "line 1002, column latency: 157ms has a unit; the cells of the first 1000 records have none"},
		{"late number", CSV, "id,latency\n" + repeat("1,\n", sniffRecords) + "3,157\n", number(none), "latency", "line 1002, column latency: 157 has no unit, and the first 1000 records no value to tell it from"},
		{"late number, then unit", CSV, "id,latency\n" + repeat("1,\n", sniffRecords) + "3,157ms\n3,157\n", number(none), "latency", "line 1003, column latency: 157 has no unit, and the first 1000 records no value to tell it from"},
		{"time without unit", CSV, "start\n2025-06-01T12:00:00Z\n" + repeat("9", 50) + "\n", ingest.Request{Form: ingest.Time}, "start",
			"line 3, column start: " + repeat("9", 40) + "… has no unit; a time needs one (h, min, ms, ns, s, us) or to be a timestamp"},
		{"count is no time", CSV, "start\n5\n", ingest.Request{Form: ingest.Time, Unit: ingest.One}, "start",
			"line 2, column start: 5 has no unit; a time needs one (h, min, ms, ns, s, us) or to be a timestamp"},

		// JSON lines, when opened
		{"empty", JSONL, "", number(none), "", "the file holds no record; expected JSON objects"},
		{"blank", JSONL, "\n\n", number(none), "", "the file holds no record; expected JSON objects"},
		{"UTF-16", JSONL, string(utf16Bytes("{\"a\": 1}\n", true, false)), number(none), "", "the text is UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"},
		{"not an object", JSONL, "{\"a\":1}\n\n [1]\n", number(none), "", "line 3, byte 2: found '[', expected an object, '{'"},
		{"two on a line", JSONL, "{\"a\":1} {\"a\":1}\n", number(none), "", "line 1, byte 9: found '{', expected the end of the line (one object a line)"},
		{"garbage", JSONL, "{\"a\":1}x\n", number(none), "", "line 1, byte 8: found 'x', expected the end of the line (one object a line)"},
		{"no comma", JSONL, "{\"a\":1 \"b\":2}\n", number(none), "", "line 1, byte 8: found a quote, expected a comma or '}'"},
		{"no comma in list", JSONL, "{\"a\":[1 2]}\n", number(none), "", "line 1, byte 9: found '2', expected a comma or ']'"},
		{"trailing comma", JSONL, "{\"a\":1,}\n", number(none), "", "line 1, byte 8: found '}', expected a key in quotes"},
		{"Python", JSONL, "{'a':1}\n", number(none), "", "line 1, byte 2: found an apostrophe, expected a key in quotes"},
		{"no colon", JSONL, "{\"a\" 1}\n", number(none), "", "line 1, byte 6: found '1', expected a colon"},
		{"no value", JSONL, "{\"a\":}\n", number(none), "", "line 1, byte 6: found '}', expected a value"},
		{"wrong word", JSONL, "{\"a\":nul}\n", number(none), "", "line 1, byte 9: found '}', expected null"},
		{"leading zero", JSONL, "{\"a\":007}\n", number(none), "", "line 1, byte 7: found '0', expected no digit after a leading zero"},
		{"no digit", JSONL, "{\"a\":-}\n", number(none), "", "line 1, byte 7: found '}', expected a digit"},
		{"no fraction", JSONL, "{\"a\":1.}\n", number(none), "", "line 1, byte 8: found '}', expected a digit"},
		{"no exponent", JSONL, "{\"a\":1e}\n", number(none), "", "line 1, byte 8: found '}', expected a digit"},
		{"escape", JSONL, "{\"a\":\"\\x\"}\n", number(none), "", `line 1, byte 8: found 'x', expected an escape sequence (\" \\ \/ \b \f \n \r \t \u)`},
		{"hex", JSONL, "{\"a\":\"\\u00g0\"}\n", number(none), "", "line 1, byte 11: found 'g', expected a hexadecimal digit"},
		{"control", JSONL, "{\"a\":\"\t\"}\n", number(none), "", `line 1, byte 7: found '\t', expected a string without line breaks and control characters`},
		{"broken line", JSONL, "{\"a\":\"x\ny\"}\n", number(none), "", "line 1, byte 8: found the end of the line, expected the end of a string"},
		{"invalid byte", JSONL, "{\"a\":\xff}\n", number(none), "", "line 1, byte 6: found byte 0xff, expected a value"},
		{"mark", JSONL, "\xef\xbb\xbf{\"a\":}\n", number(none), "", "line 1, byte 6: found '}', expected a value"},
		{"cut off", JSONL, "{\"a\":1}\n{\"a\":1}\n{\"a\": \"tex", number(none), "", "line 3, byte 11: found the end of the file, expected the end of a string; the file seems cut off"},
		{"cut off after a value", JSONL, "{\"a\":1}\n{\"a\":1", number(none), "", "line 2, byte 7: found the end of the file, expected a comma or '}'; the file seems cut off"},
		{"deep list", JSONL, "{\"a\":" + repeat("[", maxDepth) + "\n", number(none), "", "line 1, byte 10005: found '[', expected at most 10000 levels of nesting"},
		{"deep object", JSONL, repeat("{\"a\":", maxDepth+1) + "\n", number(none), "", "line 1, byte 50001: found '{', expected at most 10000 levels of nesting"},

		// JSON lines, when scanned
		{"late garbage", JSONL, rows + "{\"a\":1]\n", number(none), "a", "line 1001, byte 7: found ']', expected a comma or '}'"},
		{"no unit", JSONL, "{\"a\":{\"value\":1,\"unit\":\"ms\"}}\n{\"a\":1.50}\n", number(none), "a", "line 2, column a: 1.50 has no unit; the other cells have one"},
		{"no unit of a list", JSONL, "{\"a\":{\"value\":[1],\"unit\":\"ms\"}}\n{\"a\":[2]}\n", ingest.Request{Form: ingest.NumberList}, "a", "line 2, column a: the list has no unit; the other cells have one"},
		{"late unit", JSONL, rows + "{\"a\":{\"value\":1,\"unit\":\"ms\"}}\n", number(none), "a", `line 1001, column a: {"value":1,"unit":"ms"} has a unit; the cells of the first 1000 records have none`},

		{"late unit of a list", JSONL, "{\"a\":[1]}\n" + rows + "{\"a\":{\"value\":[1],\"unit\":\"ms\"}}\n", ingest.Request{Form: ingest.NumberList}, "a", "line 1002, column a: [1] has a unit; the cells of the first 1000 records have none"},

		// a JSON array
		{"empty", JSON, "", number(none), "", "line 1, byte 1: found the end of the file, expected an array, '['; the file seems cut off"},
		{"no record", JSON, "[ ]", number(none), "", "the file holds no record; expected JSON objects"},
		{"not an array", JSON, "{\"a\":1}", number(none), "", "line 1, byte 1: found '{', expected an array, '['"},
		{"not an object", JSON, "[{\"a\":1},\n 5]", number(none), "", "line 2, byte 2: found '5', expected an object, '{'"},
		{"no comma", JSON, "[{\"a\":1}\n{\"a\":1}]", number(none), "", "line 2, byte 1: found '{', expected a comma or ']'"},
		{"trailing comma", JSON, "[{\"a\":1},]", number(none), "", "line 1, byte 10: found ']', expected an object, '{'"},
		{"garbage behind", JSON, "[{\"a\":1}]\n\n[", number(none), "", "line 3, byte 1: found '[', expected the end of the file"},
		{"inside", JSON, "[\n{\"a\":1},\n{\n\"a\": tru}]", number(none), "", "line 4, byte 9: found '}', expected true"},
		{"control inside", JSON, "[{\"a\":\"x\n\"}]", number(none), "", "line 1, byte 9: found the end of the line, expected a string without line breaks and control characters"},
		{"cut off", JSON, "[{\"a\":1},\n{\"a\":", number(none), "", "line 2, byte 6: found the end of the file, expected a value; the file seems cut off"},
		{"cut off behind", JSON, "[{\"a\":1}", number(none), "", "line 1, byte 9: found the end of the file, expected a comma or ']'; the file seems cut off"},
	} {
		t.Run(c.format.Name+"/"+c.name, func(t *testing.T) {
			s, err := c.format.Open(textFile(c.in))
			if err == nil && c.column != "" {
				c.req.Column = index(t, s, c.column)
				_, err = scan(s, []ingest.Request{c.req})
			} else if c.column != "" {
				t.Fatalf("open: %v", err)
			}
			if err == nil || err.Error() != c.want {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// The record limit is tried with a smaller one.
func TestTooLong(t *testing.T) {
	read := func(in string, next func(w *window) error) string {
		w := newWindow(context.Background(), textFile(in), 0)
		w.max = 1 << 20
		for {
			if err := next(w); err != nil {
				return locate(w.file, err).Error()
			}
			if w.atEnd() && len(w.rest()) == 0 {
				return ""
			}
		}
	}
	line := func(w *window) error { _, err := w.line(); return err }
	record := func(w *window) error {
		r := csvReader{w: w, delim: ',', want: 1}
		_, err := r.next()
		return err
	}
	element := func(w *window) error { _, _, _, err := (&elements{w: w, started: w.at() > 0}).next(); return err }
	long := repeat("x", 3<<20)
	for _, c := range []struct {
		in   string
		next func(*window) error
		want string
	}{
		{"a\nb\n" + long, line, "line 3: the record is longer than 1 MiB, the limit"},
		{"a\nb\n" + long[:1<<20] + "\n", line, ""},
		{"a,b\n1,\"" + repeat("x\n", 3<<20), record, "line 2: a quote is opened and not closed within 1 MiB, the limit for a record"},
		{"[{\"a\":1},\n{\"a\":\"" + long, element, "line 2: the record is longer than 1 MiB, the limit"},
	} {
		if got := read(c.in, c.next); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.in, got, c.want)
		}
	}
	if maxRecord < 20<<20 {
		t.Error("20 MB lines must work")
	}
}

// Misuse of the interface is an error too.
func TestBadRequests(t *testing.T) {
	ctx := context.Background()
	yield := func(*ingest.Batch) error { return nil }
	for _, in := range []string{"a\n1\n", "{\"a\":1}\n"} {
		s := open(t, textFile(in))
		for _, c := range []struct {
			partition int
			req       ingest.Request
			want      string
		}{
			{1, ingest.Request{}, "partition 1 of 1"},
			{-1, ingest.Request{}, "partition -1 of 1"},
			{0, ingest.Request{Column: 1}, "column 1 requested, the file has 1"},
			{0, ingest.Request{Form: 9}, "column a: unknown form 9"},
		} {
			err := s.Scan(ctx, c.partition, []ingest.Request{c.req}, yield)
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		}
	}
}

// A stop by the caller and a failure to read come back as they are.
func TestStops(t *testing.T) {
	stop := errors.New("stop")
	for _, in := range []string{"a\n" + repeat("1\n", 20000), repeat("{\"a\":1}\n", 20000), "[" + repeat("{\"a\":1},", 20000) + "{}]"} {
		s := open(t, textFile(in))
		req := []ingest.Request{{Form: ingest.Number}}
		calls := 0
		err := s.Scan(context.Background(), 0, req, func(*ingest.Batch) error { calls++; return stop })
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("yield: %v after %d calls", err, calls)
		}
		ctx, cancel := context.WithCancel(context.Background())
		err = s.Scan(ctx, 0, req, func(*ingest.Batch) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancel: %v", err)
		}
		f := textFile(in)
		f.Size += 100
		_, err = CSV.Open(f)
		if err == nil || !strings.Contains(err.Error(), "EOF") {
			_, err = scan(open(t, f), req)
			if err == nil || !strings.Contains(err.Error(), "shorter than when it was opened") {
				t.Errorf("shrunk file: %v", err)
			}
		}
	}
}
