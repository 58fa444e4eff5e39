package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// slowFile gives a byte less than asked for at times, as a network file does.
type slowFile struct{ b []byte }

func (s slowFile) ReadAt(p []byte, off int64) (int, error) {
	return io.ReadFull(iotest.HalfReader(bytes.NewReader(s.b[off:])), p)
}

// tree reads a value into what encoding/json would make of it.
func tree(r *jsonReader) any {
	switch r.peek() {
	case '{':
		m := map[string]any{}
		r.object(func(key []byte) {
			k := string(key)
			m[k] = tree(r)
		})
		return m
	case '[':
		l := []any{}
		r.array(func() { l = append(l, tree(r)) })
		return l
	}
	switch t := r.value(); t.kind {
	case kindTrue:
		return true
	case kindFalse:
		return false
	case kindString:
		return string(t.text)
	case kindNumber:
		return json.Number(t.text)
	}
	return nil
}

func sameTree(t *testing.T, text string) {
	t.Helper()
	for _, f := range []ingest.File{textFile(text), {Size: int64(len(text)), ReaderAt: slowFile{[]byte(text)}}} {
		r := newJSON(context.Background(), f, 0)
		got := tree(r)
		if r.err == nil && !r.atEnd() {
			r.fail("the end")
		}
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		err := d.Decode(&want)
		if err == nil {
			if _, more := d.Token(); more != io.EOF {
				err = errors.New("more")
			}
		}
		if (err == nil) != (r.err == nil) {
			t.Fatalf("%.60q: error %v, encoding/json says %v", text, r.err, err)
		}
		if err != nil {
			return
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if !bytes.Equal(a, b) {
			t.Fatalf("%.60q: read %.200s, want %.200s", text, a, b)
		}
		r = newJSON(context.Background(), f, 0)
		if r.skip(); r.err != nil || !r.atEnd() {
			t.Fatalf("%.60q: skipping stops at %d: %v", text, r.pos(), r.err)
		}
	}
}

var jsonTexts = []string{
	`{}`, `[]`, ` { "a" : [ 1 , -2.5e-3 , "x" , null , true , false ] , "b" : { "c" : { } } } `,
	`{"a\u00e9\n\"b": "\ud83d\ude00 \\ \/ \b\f\t\r", "lone": "\ud800x"}`,
	`{"a": 1, "a": 2}`, `["` + strings.Repeat("0123456789abcdef", 1000) + `"]`, `[1, 2`, `{"a": }`, `{"a" 1}`, `[1 2]`, `["a]`,
	`["\x"]`, `["\u12g4"]`, `{"a": 1,}`, `[,]`, `{a: 1}`, "[\"a\nb\"]", `[tru]`, `[nulL]`, `[--1]`, `[1.]`, `[1e]`, `[+1]`, `hello`, ``, `[1] x`, `["\`,
	`[1.7976931348623157e308, 5e-324, 123456789012345678901234567890, 0.1]`, "\x00", "\"\"\x00", `[` + strings.Repeat(`[`, 5) + strings.Repeat(`]`, 6), `{"é": "日本語"}`,
}

func TestJSONReader(t *testing.T) {
	for _, text := range jsonTexts {
		if text == `` || text == `[1.]` {
			continue // encoding/json knows no empty text; a point without digits is let pass here
		}
		sameTree(t, text)
	}
	// Across the borders of the window.
	for shift := range 24 {
		pad := strings.Repeat(" ", windowBytes-20+2*shift)
		sameTree(t, `{"a": `+pad+`"some \u00e9 text", "b": [1.25, -3.5e2, null, true], "long": "`+strings.Repeat(`x\n`, 200)+`"}`)
	}
}

func TestJSONNumbers(t *testing.T) {
	r := newJSON(context.Background(), textFile(`[NaN, Infinity, -Infinity, null, "2.5", "x", {}, [1], true, 1.5]`), 0)
	var got []float64
	var ok []bool
	r.array(func() {
		v, is := r.float()
		got, ok = append(got, v), append(ok, is)
	})
	if r.err != nil {
		t.Fatal(r.err)
	}
	if !math.IsNaN(got[0]) || isMissing(got[0]) || !math.IsInf(got[1], 1) || !math.IsInf(got[2], -1) || !isMissing(got[3]) || got[4] != 2.5 || got[9] != 1.5 {
		t.Errorf("numbers %v", got)
	}
	for i, want := range []bool{true, true, true, true, true, false, false, false, false, true} {
		if ok[i] != want {
			t.Errorf("element %d: ok %v, want %v", i, ok[i], want)
		}
	}
}

func TestJSONBounds(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"deep", strings.Repeat("[", 1e6), "at most 1000 levels of nesting"},
		{"a number without end", "[" + strings.Repeat("1", 1e6), "expected the end of a number"},
		{"a string without end", `["` + strings.Repeat("x", 3<<20), "expected the end of a string; the file seems cut off"},
	} {
		r := newJSON(context.Background(), textFile(c.text), 0)
		r.array(func() { tree(r) })
		if r.err == nil || !strings.Contains(r.err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, r.err, c.want)
		}
		if len(r.buf) > 4<<20 {
			t.Errorf("%s: the window has grown to %d bytes", c.why, len(r.buf))
		}
	}
	// Of a long text a part is kept; the rest is walked over.
	long := strings.Repeat(`é\n`, 1<<20)
	r := newJSON(context.Background(), textFile(`["`+long+`", 7]`), 0)
	var text []byte
	var seven float64
	r.array(func() {
		if t := r.value(); t.kind == kindString {
			text = bytes.Clone(t.text)
		} else if t.kind == kindNumber {
			seven = 7
		}
	})
	if r.err != nil || seven != 7 || len(text) < maxText/2 || len(text) > maxText || !strings.HasPrefix(strings.ReplaceAll(long, `\n`, "\n"), string(text)) {
		t.Errorf("a long text: %d bytes kept, then %v, error %v", len(text), seven, r.err)
	}
}

func TestJSONCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := Mooncake.Open(textFile(`{"timestamp": 0, "input_length": 1, "output_length": 2, "hash_ids": [1]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Scan(ctx, 0, nil, func(*ingest.Batch) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
