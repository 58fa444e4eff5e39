package textio

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// split returns the records of in as one of the readers splits them, reading
// step bytes at once.
func split(in []byte, reader string, step int) []string {
	w := newWindow(context.Background(), memFile(in), 0)
	w.step = step
	var next func() (string, bool, error)
	switch reader {
	case "csv":
		r := csvReader{w: w, delim: ',', want: 1 << 20}
		next = func() (string, bool, error) {
			ok, err := r.next()
			var b strings.Builder
			for _, f := range r.fields {
				fmt.Fprintf(&b, "%q %v;", f.b, f.quoted)
			}
			return fmt.Sprint(b.String(), r.n, r.start, r.last), ok, err
		}
	case "lines", "elements":
		var r records = &lines{w: w, end: int64(len(in))}
		if reader == "elements" {
			r = &elements{w: w}
		}
		next = func() (string, bool, error) {
			b, off, cut, err := r.next()
			return fmt.Sprintf("%q %d %v", b, off, cut), b != nil, err
		}
	}
	var out []string
	for {
		s, ok, err := next()
		if err != nil {
			return append(out, locate(w.file, err).Error())
		}
		if !ok {
			return out
		}
		out = append(out, s)
	}
}

// Records do not depend on where the blocks that are read begin.
func TestBlocksDoNotMatter(t *testing.T) {
	for reader, ins := range map[string][]string{
		"csv": {"a,b\r\n\"x,\"\"y\"\"\",\"1\r\n2\"\r\n\r\n,\n\"\"\"\",\" \"\nz,\"p\"\r", "a\n\"b\nc", "a\n\"b\n\"c\n", "a,\"b\n\n\n\"\n",
			"a,b\n" + repeat("\"long\nlonger\n\"\"\n\",2\n", 20)},
		"lines":    {"{\"a\":1}\n\r\n \n{\"a\":2}\r\n{\"a\"", "\n\n", "", "{}"},
		"elements": {"[{\"a\":\"]\\\"}\"},\n\n{\"a\":[{}]} ] \n", "[{\"a\":1}{", "[{\"a\":1},", "[{\"a\":\"x", "[", " [ ]", "[{}]x", "[{\"a\":\"\n\"}]"},
	} {
		for _, in := range ins {
			want := split([]byte(in), reader, blockSize)
			for step := 1; step <= len(in); step++ {
				if diff := cmp.Diff(want, split([]byte(in), reader, step)); diff != "" {
					t.Fatalf("%s: %q, %d bytes at once: %s", reader, in, step, diff)
				}
			}
		}
	}
}

// Hostile files of a megabyte take neither much time nor much memory.
func TestHostileFiles(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return repeat(s, size/len(s)) }
	number := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, in := range map[string]string{
		"quotes":                fill("\""),
		"opened each line":      "a\n" + fill("\"\n"),
		"lines in quotes":       "a\n\"" + fill("\n") + "\"",
		"CRLF in quotes":        "a\n\"" + fill("\r\n") + "\"",
		"columns":               "x" + number(",c%d", 60_000) + "\n" + fill(","),
		"lists":                 "a,b\n" + fill("[],[]\n"),
		"list":                  "a;b\n[" + fill("1,") + "1];1",
		"digits":                "a\n" + fill("9"),
		"decimal":               "a\n0." + fill("0") + "1",
		"blank lines":           "a\n1\n" + fill("\n"),
		"delimiters":            fill(","),
		"brackets":              "{\"a\":" + fill("["),
		"objects":               fill("{\"a\":"),
		"deep":                  repeat("{\"a\":", 9000) + "1" + repeat("}", 9000),
		"keys":                  "{\"x\":1" + number(",\"k%d\":1", 60_000) + "}",
		"long keys, one object": "{\"" + fill("k") + "\":{\"x\":1" + number(",\"k%d\":1", 60_000) + "}}",
		"new keys each line":    number("{\"a%[1]d\":{\"b%[1]d\":{\"c%[1]d\":1}}}\n", 20_000),
		"path of long keys":     repeat("{\"a123456789\":", 30) + "{\"x\":1" + number(",\"k%d\":1", 60_000) + "}" + repeat("}", 30),
		"one key":               "{\"a\":1" + fill(",\"a\":{\"b\":{\"c\":1}}") + "}",
		"escapes":               "{\"a\":\"" + fill("\\u0000") + "\"}",
		"empty objects":         fill("{}\n"),
		"number list":           "{\"a\":[" + fill("1,") + "1]}",
		"array":                 "[{\"a\":1}" + fill(",{}") + "]",
		"array, open":           "[" + fill("{\"a\":["),
		"units":                 "{\"a\":{\"value\":1,\"unit\":\"" + fill("m") + "\"}}",
	} {
		for _, format := range []ingest.Format{CSV, JSONL, JSON} {
			start := time.Now()
			costs(t, len(in), func() { drainAll(t, format, []byte(in)) })
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s, read as %s, took %v", name, format.Name, took)
			} else if took > 300*time.Millisecond {
				t.Logf("%s, read as %s, took %v", name, format.Name, took)
			}
		}
	}
}
