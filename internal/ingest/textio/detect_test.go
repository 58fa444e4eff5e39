package textio

import (
	"bytes"
	"testing"
	"unicode/utf16"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func utf16Bytes(s string, mark, big bool) []byte {
	units := utf16.Encode([]rune(s))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b []byte
	for _, u := range units {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func TestDetect(t *testing.T) {
	long := `{"prompt": "` + repeat("x", 300_000) + `"}`
	for _, c := range []struct {
		name string
		in   string
		want string
	}{
		{"header and rows", "a,b\n1,2\n", "csv"},
		{"header alone", "a,b\n", "csv"},
		{"no newline", "a,b", "csv"},
		{"one column", "latency_ms\n5\n", "csv"},
		{"byte order mark", "\xef\xbb\xbfa,b\n1,2\n", "csv"},
		{"quoted header", "\"a\",\"b\"\n1,2\n", "csv"},
		{"UTF-16 with mark", string(utf16Bytes("latency_ms,class\n1,2\n", true, false)), "csv"}, // refused by Open
		{"UTF-16 without", string(utf16Bytes("latency_ms,class\n1,2\n", false, true)), "csv"},
		{"rune cut by the end of the file", "a,b\n1,\xe6\x97", ""},
		{"Latin-1", "a,b\n1,na\xefve\n", ""},
		{"zero bytes", "a,b\n1,\x00\n", ""},
		{"Parquet", "PAR1\x15\x04\x15", ""},
		{"gzip", "\x1f\x8b\x08\x00\x00", ""},
		{"empty", "", ""},
		{"blank", " \n\n", ""},
		{"markup", "<html>\n", ""},
		{"YAML", "---\na: 1\n", ""},
		{"YAML without mark", "benchmarks:\n- 1\n", ""},
		{"prose", "This tool was made by us.\nIt reads files, and more.\nIt writes, too.\n", ""},
		{"headerless", "1795,200,2.5,,abc\n", "csv"}, // a complaint of Open
		{"comment", "# made by\na,b\n", ""},
		{"lines of objects", "{\"a\":1}\n{\"a\":2}\n", "jsonl"},
		{"one object", "{\"a\":1}", "jsonl"},
		{"blank lines first", "\r\n \n{\"a\":1}\r\n", "jsonl"},
		{"mark and object", "\xef\xbb\xbf{\"a\":1}\n", "jsonl"},
		{"first line beyond the head", long + "\n" + long + "\n", "jsonl"},
		{"NaN", "{\"a\":NaN,\"b\":-Infinity}\n", "jsonl"},
		{"second line bad", "{\"a\":1}\nx\n", "jsonl"}, // a complaint of Open
		{"pretty-printed object", "{\n \"a\": 1\n}\n", ""},
		{"two objects on a line", "{\"a\":1}{\"a\":2}\n", ""},
		{"Python", "{'a': 1}\n", ""},
		{"array of objects", "[{\"a\":1},\n {\"a\":2}]\n", "json"},
		{"pretty-printed array", "[\n  {\n    \"a\": 1\n  }\n]\n", "json"},
		{"array of numbers", "[1,2]\n", ""},
		{"empty array", "[]\n", ""},
		{"array of nothing more", "[", ""},
	} {
		f := textFile(c.in)
		head := []byte(c.in)[:min(len(c.in), 64<<10)]
		got := ""
		for _, format := range []ingest.Format{CSV, JSONL, JSON} {
			if format.Detect(bytes.Clone(head), f) {
				got += format.Name
			}
		}
		if got != c.want {
			t.Errorf("%s: detected %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSniffDelimiter(t *testing.T) {
	for _, c := range []struct {
		in   string
		want byte
	}{
		{"a,b,c\n1,2,3\n", ','},
		{"a;b;c\n1,5;2,5;3,5\n", ';'},
		{"a\tb\n1,5\t2\n", '\t'},
		{"a;b,c\n1;2,3\n4;5,6\n", ','},
		{"x;y,z;w\n1;2;3\n4;5;6\n", ';'},
		{"a,b;c\n1,2\n3,4\n5,6\n1,2,3\n", ','}, // one ragged row
		{"latency\n1\n", ','},
		{"\"a;b\",c\n1,2\n", ','},
	} {
		if got := sniffDelimiter([]byte(c.in)); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
