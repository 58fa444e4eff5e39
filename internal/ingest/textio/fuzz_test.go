package textio

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// fuzzForms asks for every column in every form, with and without a unit.
func fuzzForms(s ingest.Source) (req []ingest.Request) {
	for i := range min(len(s.Columns()), 40) {
		for form := ingest.Number; form <= ingest.NumberList; form++ {
			req = append(req, ingest.Request{Column: i, Form: form, Unit: ingest.Millisecond})
		}
		req = append(req, ingest.Request{Column: i})
	}
	return req
}

// costs runs f and fails if it has allocated more than a multiple of the
// input's size beyond what every scan needs.
func costs(t *testing.T, size int, f func()) {
	const fixed, times = 16 << 20, 200
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > fixed+times*uint64(size) {
		t.Fatalf("%d bytes of input took %d bytes of memory", size, got)
	}
}

// drainAll opens and scans, whatever comes of it.
func drainAll(t *testing.T, format ingest.Format, in []byte) {
	f := memFile(in)
	format.Detect(in[:min(len(in), 64<<10)], f)
	s, err := format.Open(f)
	if err != nil {
		if err.Error() == "" || !utf8.ValidString(err.Error()) {
			t.Fatalf("message %q", err)
		}
		return
	}
	for p := range s.Partitions() {
		if err := s.Scan(context.Background(), p, fuzzForms(s), func(*ingest.Batch) error { return nil }); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("an error without a line: %v", err)
			}
		}
	}
}

// FuzzCSV compares with encoding/csv: what that reads with a sound header is
// read alike, what it refuses is refused.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a,b\r\n\"x\r\ny\",\"\"\"\"\r\n", "a;b\n1;2", "\xef\xbb\xbfa\n1\n\n2\r", "a,b\n1\n",
		"a\n\"b\"c\n", "a\n\"", "a\tb\n\"1\"\t2\n", "a,b\nnull,None\n", "a\n1\r\r\n", "a,b\n[1],157ms\n,\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		costs(t, len(in), func() { drainAll(t, CSV, in) })
		if !cmp.Equal(split(in, "csv", blockSize), split(in, "csv", 3)) {
			t.Fatal("records depend on blocks")
		}
		s, err := CSV.Open(memFile(in))
		src, _ := s.(*csvSource)
		comma := ','
		if src != nil {
			comma = rune(src.delim)
		}
		r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(in, utf8BOM)))
		r.Comma = comma
		records, refErr := r.ReadAll()
		if err != nil {
			// Other than encoding/csv the header has to be names.
			if refErr == nil && len(records) > 0 && soundHeader(records[0]) && !looksUTF16(in) && bytes.IndexByte(in, 0) < 0 && comma == rune(sniffDelimiter(in)) {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		var req []ingest.Request
		for i := range s.Columns() {
			req = append(req, ingest.Request{Column: i, Form: ingest.Text})
		}
		got, err := scan(s, req)
		if refErr != nil {
			if err == nil {
				t.Fatalf("encoding/csv refuses: %v", refErr)
			}
			return
		}
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		for c := range req {
			if len(got[c].Texts) != len(records)-1 {
				t.Fatalf("%d records, want %d", len(got[c].Texts), len(records)-1)
			}
			for i, rec := range records[1:] {
				if want := rec[c]; got[c].Texts[i] != want && !isNullText([]byte(want)) {
					t.Fatalf("record %d, column %d: %q, want %q", i, c, got[c].Texts[i], want)
				}
			}
		}
	})
}

// soundHeader reports whether every name is there, once, and no number.
func soundHeader(names []string) bool {
	seen := map[string]bool{}
	for _, n := range names {
		n = strings.ToValidUTF8(strings.Trim(n, " \t"), "\uFFFD")
		_, number := parseFloat([]byte(n))
		if n == "" || seen[n] || number || strings.Contains(n, "\r") {
			return false
		}
		seen[n] = true
	}
	return true
}

// FuzzJSONL compares with encoding/json line by line.
func FuzzJSONL(f *testing.F) {
	for _, s := range []string{"{\"a\":1}\n{\"a\":{\"b\":[1,2]}}\n", "{\"a\":\"\\ud83d\\ude42\\n\"}", "{\"a\":{\"value\":1,\"unit\":\"ms\"}}\n{\"a\":2}",
		"{\"a\":1,\"a\":null}\n\n{\"a\":{\"b\":1},\"a\":{\"c\":2}}", "{\"a\":NaN,\"b\":-Infinity}", "{\"a\":tru", "{\"a.b\":1,\"a\":{\"b\":2}}", "{\"\":1e400}\r\n",
		"{\"\\u0061\": [ { } , [ ] ] }", "{\"a\":\"\xff\"}", "\xef\xbb\xbf{\"a\":-0.0e+1}", "{\"a\":{},\"b\":[]}"} {
		f.Add([]byte(s), uint16(7))
	}
	f.Fuzz(func(t *testing.T, in []byte, chunk uint16) {
		costs(t, len(in), func() { drainAll(t, JSONL, in) })
		s, err := JSONL.Open(memFile(in))
		if bytes.Contains(in, []byte("NaN")) || bytes.Contains(in, []byte("Infinity")) || looksUTF16(in) || !utf8.Valid(in) {
			return
		}
		records, valid := reference(bytes.TrimPrefix(in, utf8BOM))
		if err != nil {
			if valid && len(records) > 0 {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		var req []ingest.Request
		for i := range s.Columns() {
			req = append(req, ingest.Request{Column: i, Form: ingest.Text})
		}
		got, err := scan(s, req)
		if valid != (err == nil) {
			t.Fatalf("valid: %v, but: %v", valid, err)
		}
		if !valid {
			return
		}
		for c := range req {
			paths := s.(*jsonSource).paths[c]
			if len(paths) != 1 {
				continue
			}
			for i, rec := range records {
				want := lookUp(rec, paths[0])
				if got[c].Texts[i] != want {
					t.Fatalf("record %d, %q: %q, want %q", i, paths[0], got[c].Texts[i], want)
				}
			}
		}
		s.(*jsonSource).chunk = int64(chunk%1000) + 4
		again, err := scan(s, req)
		if err != nil || !cmp.Equal(got, again) {
			t.Fatalf("other partitions: %v %s", err, cmp.Diff(got, again))
		}
	})
}

// reference splits lines and decodes each with encoding/json.
func reference(in []byte) (records []json.RawMessage, valid bool) {
	for line := range bytes.Lines(in) {
		line = bytes.Trim(line, " \t\r\n")
		if len(line) == 0 {
			continue
		}
		if line[0] != '{' || !json.Valid(line) {
			return nil, false
		}
		records = append(records, line)
	}
	return records, true
}

// lookUp returns the text of the value at a path.
func lookUp(raw json.RawMessage, path []string) string {
	for _, key := range path {
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			return ""
		}
		raw = m[key]
	}
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"':
		var s string
		json.Unmarshal(raw, &s)
		return s
	case raw[0] == '{' || raw[0] == '[':
		var b bytes.Buffer
		json.Compact(&b, raw)
		if b.Len() == 2 {
			return ""
		}
		return b.String()
	}
	return string(raw)
}

// FuzzJSON compares an array with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"[{\"a\":1},{\"a\":\"]\"}]", "[\n{\n\"a\": [1,{}]\n}\n]\n", "[]", "[{}", "[{}]x", "[{},]", "[{}{}]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		costs(t, len(in), func() { drainAll(t, JSON, in) })
		if !cmp.Equal(split(in, "elements", blockSize), split(in, "elements", 3)) {
			t.Fatal("records depend on blocks")
		}
		if bytes.Contains(in, []byte("NaN")) || bytes.Contains(in, []byte("Infinity")) || looksUTF16(in) {
			return
		}
		s, err := JSON.Open(memFile(in))
		if err == nil {
			_, err = scan(s, []ingest.Request{})
		}
		var ref []json.RawMessage
		valid := json.Unmarshal(bytes.TrimPrefix(in, utf8BOM), &ref) == nil && len(ref) > 0
		for _, r := range ref {
			valid = valid && r[0] == '{'
		}
		if valid != (err == nil) {
			t.Fatalf("valid: %v, but: %v", valid, err)
		}
	})
}

// FuzzCell compares numbers with strconv and looks for panics.
func FuzzCell(f *testing.F) {
	for _, c := range cellCases {
		f.Add(c.cell)
	}
	f.Fuzz(func(t *testing.T, in string) {
		checkFloat(t, in)
		for form := ingest.Number; form <= ingest.NumberList; form++ {
			bs, _ := newBuilders([]ingest.ColumnInfo{{Name: "x"}}, []ingest.Request{{Form: form, Unit: ingest.Hour}})
			if err := bs[0].cell([]byte(in), false); err != nil || bs[0].n != 1 {
				t.Fatalf("%v, %d cells", err, bs[0].n)
			}
			bs[0].undo()
			bs[0].absent(missing)
			if c := bs[0].column(); c.StateAt(0) != missing || c.List(0) != nil || c.Str(0) != "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// FuzzDecompress looks for panics and for output beyond the bounds.
func FuzzDecompress(f *testing.F) {
	f.Add(packGzip([]byte("a,b\n1,2\n")))
	f.Add(packZstd([]byte("a,b\n1,2\n")))
	f.Add(packGzip(make([]byte, 1<<20)))
	f.Add(packZstd(make([]byte, 1<<20)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in []byte) {
		out, cleanup, err := decompress(memFile(in), dir, bounds{free: 1 << 16, ratio: 10, total: 1 << 20})
		if limit := max(1<<16, 10*int64(len(in))); err == nil && out.Size > limit {
			t.Errorf("%d bytes from %d", out.Size, len(in))
		}
		if err == nil {
			if n, err := io.Copy(io.Discard, io.NewSectionReader(out, 0, out.Size)); n != out.Size || err != nil {
				t.Error(n, err)
			}
		}
		if err := cleanup(); err != nil {
			t.Error(err)
		}
	})
}
