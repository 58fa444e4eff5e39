package evals

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

func TestRecords(t *testing.T) {
	long := strings.Repeat("x", 16<<20)
	tests := []struct {
		name, text string
		want       []string
	}{
		{"lines", "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":3}", []string{"1", "2", "3"}},
		{"an array", " [ {\"a\":1} ,\n{\"a\":2}\n]\n", []string{"1", "2"}},
		{"pretty objects", "{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", []string{"1", "2"}},
		{"a byte order mark", "\xef\xbb\xbf{\"a\":1}", []string{"1"}},
		{"U+2028 in a string", "{\"a\":\"x\u2028y\"}\n{\"a\":2}", []string{"x\u2028y", "2"}},
		{"brackets and quotes in strings", `{"a":"}]\"{\\"}` + "\n" + `{"a":"\u0022\ud83d\ude00"}`, []string{`}]"{\`, `"😀`}},
		{"NaN and infinity", `{"a":NaN}{"a":-Infinity}{"a":Infinity}`, []string{"NaN", "-Infinity", "Infinity"}},
		{"a key twice", `{"a":1,"a":2}`, []string{"2"}},
		{"an escaped key", `{"\u0061":1}`, []string{"1"}},
		{"18 digits", `{"a":123456789012345678}`, []string{"123456789012345678"}},
		{"a line of 16 MB", `{"b":"` + long + `","a":1}` + "\n" + `{"a":"` + long[:5] + `"}`, []string{"1", "xxxxx"}},
		{"nothing", "\n", nil},
		{"an empty array", "[]", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := eachRecord(context.Background(), file("x", tt.text), func(v value) error {
				got = append(got, v.at("a").text())
				if g := v.object().get("a").text(); g != got[len(got)-1] {
					t.Errorf("object: %q, value: %q", g, got[len(got)-1])
				}
				return nil
			})
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%.100q, %v; want %.100q", got, err, tt.want)
			}
		})
	}
}

func TestRecordErrors(t *testing.T) {
	deep := strings.Repeat("[", 10001) + strings.Repeat("]", 10001)
	tests := []struct{ name, text, want string }{
		{"half a line", "{\"a\":1}\n{\"a\":2,\"b", "line 2, byte 10: found the end of the file; it seems cut off"},
		{"half an array", "[{\"a\":1},", "line 1, byte 10"},
		{"an array in two", "[{\"a\":1}\n{\"a\":2}]", "line 2, byte 1: found \"{\", expected a comma"},
		{"a comma too many", "[{\"a\":1},]", "expected a value"},
		{"behind an array", "[{\"a\":1}] x", "expected the end of the file"},
		{"no object", "{\"a\":1}\n5", "line 2, byte 1: found \"5\", expected a record"},
		{"a word", `{"a":nope}`, "line 1, byte 7: found \"o\", expected null"},
		{"a leading zero", `{"a":01}`, "no digit after a leading zero"},
		{"a line break in a string", "{\"a\":\"x\ny\"}", "line 1, byte 8"},
		{"a wrong escape", `{"a":"\x"}`, "an escape sequence"},
		{"no key", `{1:2}`, "a key in quotes"},
		{"no colon", `{"a" 1}`, "a colon"},
		{"too deep", `{"a":` + deep + `}`, "levels of nesting"},
		{"a value that never ends", `{"a":"` + strings.Repeat("x", maxValue+blockSize) + `"}`, "more than 64 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := eachRecord(context.Background(), file("x", tt.text), func(value) error { return nil })
			wantError(t, err, tt.want)
		})
	}
	err := eachRecord(context.Background(), file("x", "{}\n{}\n"), func(value) error { return errors.New("no good") })
	wantError(t, err, "line 1: no good")
}

// Reading stops when it is cancelled or fails.
func TestStreamStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := eachRecord(ctx, file("x", "{}"), func(value) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s := newStream(context.Background(), iotest.ErrReader(errors.New("broken disk")))
	if err := s.skip(); err == nil || err.Error() != "broken disk" {
		t.Errorf("broken: %v", err)
	}
	text := `{"a": [1, {"b": "x"}], "c": "y\"z"}`
	s = newStream(context.Background(), iotest.OneByteReader(strings.NewReader(text+" "+text)))
	if err := s.skip(); err != nil {
		t.Fatal(err)
	}
	v, err := s.raw()
	if err != nil || string(v) != text {
		t.Errorf("%q, %v", v, err)
	}
}

// A checked value is what encoding/json accepts, and reads the same.
func sameAsStandard(t *testing.T, text string) {
	t.Helper()
	i := skipBlanks([]byte(text), 0)
	n, expect := textio.CheckJSON([]byte(text[i:]))
	end := i + n
	ok := expect == "" && skipBlanks([]byte(text), end) == len(text)
	if std := json.Valid([]byte(text)); std && !ok {
		t.Fatalf("%q: refused at %d, expected %s", text, end, expect)
	} else if ok && !std && !strings.Contains(text, "NaN") && !strings.Contains(text, "Infinity") {
		t.Fatalf("%q: accepted", text)
	}
	if !ok {
		return
	}
	v := value(text[i:end])
	if n := length(v); n != len(v) {
		t.Fatalf("%q: length %d", v, n)
	}
	var m map[string]any
	if v.kind() == '{' && json.Unmarshal([]byte(text), &m) == nil {
		seen := map[string]bool{}
		for k := range v.members() {
			seen[k] = true
		}
		for k, want := range m {
			if !seen[k] {
				t.Fatalf("%q: no member %q", text, k)
			}
			got := v.at(k)
			if s, ok := want.(string); ok && got.str() != s {
				t.Fatalf("%q: member %q is %q, want %q", text, k, got.str(), s)
			}
			if f, ok := want.(float64); ok {
				if g, ok := got.number(); !ok || g != f {
					t.Fatalf("%q: member %q is %v, want %v", text, k, g, f)
				}
			}
		}
		if len(seen) != len(m) {
			t.Fatalf("%q: %d members, want %d", text, len(seen), len(m))
		}
	}
	if v.kind() == '[' {
		var a []json.RawMessage
		n := 0
		for range v.elements() {
			n++
		}
		if json.Unmarshal([]byte(text), &a) == nil && len(a) != n {
			t.Fatalf("%q: %d elements, want %d", text, n, len(a))
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e-3,"x\u00e9\ud83d"],"b":{"c":null}}`, `[]`, `{}`, `-0`, `01`, `"\ud800"`, `{"a":NaN}`, " {\"a\" : 1 , \"a\":2}\n", "\"\x00\"", "\"\xff\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { sameAsStandard(t, text) })
}

func TestGrade(t *testing.T) {
	tests := []struct {
		in   string
		want string
	}{
		{`1`, "1"}, {`0.25`, "0.25"}, {`-1`, "-1"}, {`true`, "1"}, {`false`, "0"}, {`null`, "unscored"}, {`NaN`, "unscored"}, {`Infinity`, "unscored"}, {`1e999`, "unscored"},
		{`"C"`, "1"}, {`"I"`, "0"}, {`"P"`, "0.5"}, {`"N"`, "0"}, {`"yes"`, "1"}, {`"No"`, "0"}, {`"True"`, "1"}, {`"correct"`, "1"}, {`"incorrect"`, "0"}, {`" 0.5 "`, "0.5"}, {`"1e3"`, "1000"},
		{`""`, "unscored"}, {`"NaN"`, "unscored"}, {`"inf"`, "unscored"}, {`"left"`, "no"}, {`"0x10"`, "no"}, {`"1_000"`, "no"}, {`"5%"`, "no"}, {`[1]`, "no"}, {`{"a":1}`, "no"},
	}
	for _, tt := range tests {
		s, ok := grade(value(tt.in))
		got := "no"
		switch {
		case ok && s.state == ingest.Unscored:
			got = "unscored"
		case ok:
			got = fmt.Sprint(s.value)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
	}
	if s := points(math.NaN()); s.state != ingest.Unscored {
		t.Errorf("NaN is %v", s)
	}
}

func TestAttrTable(t *testing.T) {
	b := newBuilder(ingest.AnswerOptions{})
	b.force("forced")
	for i := range 100 {
		b.begin(record{item: fmt.Sprint(i)})
		b.attr("unique", fmt.Sprint("u", i))
		b.attr("forced", fmt.Sprint("f", i))
		b.attr("half", fmt.Sprint("h", i%50))
		b.attr("few", fmt.Sprint("g", i%3))
		if i >= 90 {
			b.attr("late", "l")
		}
		if i == 50 {
			b.attr("long", strings.Repeat("x", maxAttrBytes+1))
		}
		b.attr("long", "short")
		b.add("m", flag(true))
	}
	set, err := b.finish()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.AttrNames, []string{"forced", "half", "few", "late"}) {
		t.Errorf("attributes %q", set.AttrNames)
	}
	if got := set.Answers[95].Attr; !slices.Equal(got, []string{"f95", "h45", "g2", "l"}) {
		t.Errorf("attributes of 95: %q", got)
	}
	if got := set.Answers[7].Attr; !slices.Equal(got, []string{"f7", "h7", "g1", ""}) {
		t.Errorf("attributes of 7: %q", got)
	}
}

func TestFingerprint(t *testing.T) {
	if fingerprint() != 0 || fingerprint("", "") != 0 {
		t.Error("nothing has a fingerprint")
	}
	if fingerprint("ab", "c") == fingerprint("a", "bc") || fingerprint("a") == fingerprint("b") {
		t.Error("different texts have one fingerprint")
	}
	if textID("ab", "c") == textID("a", "bc") {
		t.Error("different texts have one id")
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]string{"a\n  b": "a b", "ééééé": "éé…", "abcd": "abcd", "abcdef": "abcd…"} {
		if got := clip(in, 4); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
