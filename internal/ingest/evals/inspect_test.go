package evals

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const inspectSpec = `"eval": {"task": "t", "model": "org/m", "created": "2026-01-02T03:04:05+00:00", "dataset": {"name": "d", "samples": 3}, "config": {"epochs": 2}, "packages": {"inspect_ai": "0.3.206"}}, "plan": {"steps": [{"solver": "generate", "params": {}}], "config": {"temperature": 0.5}}`

func inspectLog(status, samples string) string {
	return `{"version": 2, "status": "` + status + `", ` + inspectSpec + `, "results": {"scores": [{"metrics": {"accuracy": {"value": NaN}}}]}, "samples": [` + samples + `]}`
}

func inspectSample(id, epoch, rest string) string {
	return fmt.Sprintf(`{"id": %s, "epoch": %s, "input": "q", "target": "a", "messages": [{"content": "%s"}], %s}`, id, epoch, strings.Repeat("long ", 100), rest)
}

func TestInspectScores(t *testing.T) {
	tests := []struct {
		name, samples string
		want, notes   []string
	}{
		{"letters, truth values, numbers, words", strings.Join([]string{
			inspectSample("1", "1", `"scores": {"s": {"value": "C"}}`), inspectSample("2", "1", `"scores": {"s": {"value": "I"}}`),
			inspectSample("3", "1", `"scores": {"s": {"value": "P"}}`), inspectSample("4", "1", `"scores": {"s": {"value": "N"}}`),
			inspectSample("5", "1", `"scores": {"s": {"value": true}}`), inspectSample("6", "1", `"scores": {"s": {"value": "no"}}`),
			inspectSample("7", "1", `"scores": {"s": {"value": "0.25"}}`), inspectSample("8", "1", `"scores": {"s": {"value": NaN}}`),
			inspectSample("9", "1", `"scores": {"s": {"value": null}}`), inspectSample("10", "1", `"scores": {"s": {"value": "left"}}`)}, ","),
			[]string{"t|1|s||| 1", "t|2|s||| 0", "t|3|s||| 0.5", "t|4|s||| 0", "t|5|s||| 1", "t|6|s||| 0", "t|7|s||| 0.25", "t|8|s||| unscored", "t|9|s||| unscored", "t|10|s||| unscored"},
			[]string{"1 answer marked N", `1 of 10 values of scorer s are words that are no score, such as "left"`}},
		{"several values, lists and words alone", inspectSample(`"a"`, "1", `"scores": {"multi": {"value": {"x": 0.5, "y": "C"}}, "list": {"value": [1, 2]}, "side": {"value": "left"}}`),
			[]string{"t|a|multi.x||| 0.5", "t|a|multi.y||| 1"}, []string{"list gives a list", `side gives words, such as "left"`}},
		{"errors and limits", strings.Join([]string{
			inspectSample("1", "1", `"scores": {"s": {"value": 1}, "r": {"value": 0}}`), inspectSample("2", "1", `"scores": {}, "error": {"message": "boom", "traceback": ""}`),
			inspectSample("3", "1", `"scores": {"s": {"value": 0}, "r": {"value": 0}}, "limit": {"type": "token", "limit": 10}`), inspectSample("4", "1", `"scores": null`)}, ","),
			[]string{"t|1|s||| 1", "t|1|r||| 0", "t|3|s||| 0", "t|3|r||| 0", "t|2|s||| errored", "t|2|r||| errored", "t|4|s||| unscored", "t|4|r||| unscored"},
			[]string{"1 sample ended at a limit"}},
		{"epochs, and the last of two", strings.Join([]string{
			inspectSample("1", "1", `"scores": {"s": {"value": 0}}`), inspectSample("1", "2", `"scores": {"s": {"value": 0}}`),
			inspectSample(`"1"`, "1", `"scores": {"s": {"value": 1}}`)}, ","),
			[]string{"t|1|s|||2 0", "t|1|s|||1 1"}, []string{"1 sample in the log again"}},
		{"version 1", inspectSample("1", "1", `"score": {"value": "C", "answer": "a"}`), []string{"t|1|score||| 1"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := readText(t, inspectLog("success", tt.samples), ingest.AnswerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, s.Answers, tt.want...)
			for _, n := range tt.notes {
				wantNote(t, s, n)
			}
			if len(s.Notes) != len(tt.notes) {
				t.Errorf("notes %q", s.Notes)
			}
		})
	}
}

func TestInspectRun(t *testing.T) {
	s, err := readText(t, inspectLog("cancelled", inspectSample("1", "1", `"metadata": {"topic": "x", "n": 3, "f": 0.5}, "scores": {"s": {"value": 1}}`)), ingest.AnswerOptions{KeepText: true})
	if err != nil {
		t.Fatal(err)
	}
	wantNote(t, s, `status "cancelled"`)
	for key, want := range map[string]string{"model": "org/m", "created": "2026-01-02T03:04:05+00:00", "inspect_ai": "0.3.206", "solver": "generate{}", "plan.config": `{"temperature":0.5}`, "status": "cancelled"} {
		if got := fact(s, key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
	a := s.Answers[0]
	if attr(t, s, a, "topic") != "x" || attr(t, s, a, "n") != "3" || a.Text != "q" || a.GoldHash != fingerprint("a") {
		t.Errorf("attributes %q, answer %+v", s.AttrNames, a)
	}
	if _, err := readText(t, inspectLog("success", ""), ingest.AnswerOptions{Model: "other"}); err == nil {
		t.Error("no error about another model")
	}
}

// member is a file of an archive.
type zipMember struct {
	name, text string
	method     uint16
}

// archive makes a .eval file.
func archiveOf(t testing.TB, members ...zipMember) string {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	z.RegisterCompressor(methodZstd, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestInspectArchive(t *testing.T) {
	header := zipMember{"header.json", `{"version": 2, "status": "success", ` + inspectSpec + `}`, zip.Deflate}
	start := zipMember{"_journal/start.json", `{"version": 2, ` + inspectSpec + `}`, methodZstd}
	one := func(id, epoch, score string, method uint16) zipMember {
		return zipMember{"samples/" + id + "_epoch_" + epoch + ".json", inspectSample(id, epoch, `"scores": {"s": {"value": `+score+`}}`), method}
	}
	tests := []struct {
		name        string
		members     []zipMember
		want, notes []string
	}{
		{"deflate", []zipMember{start, one("1", "1", "1", zip.Deflate), header}, []string{"t|1|s||| 1"}, nil},
		{"stored", []zipMember{start, one("1", "1", "1", zip.Store), header}, []string{"t|1|s||| 1"}, nil},
		{"zstd", []zipMember{start, one("1", "1", "1", methodZstd), one("2", "1", "0", methodZstd), header}, []string{"t|1|s||| 1", "t|2|s||| 0"}, nil},
		{"no header", []zipMember{start, one("1", "1", "1", methodZstd)}, []string{"t|1|s||| 1"}, []string{"has no header"}},
		{"a name twice", []zipMember{start, one("1", "1", "0", zip.Deflate), one("2", "1", "0", zip.Deflate), one("1", "1", "1", zip.Deflate), header},
			[]string{"t|2|s||| 0", "t|1|s||| 1"}, []string{"1 sample in the log again"}},
		{"summaries are not samples", []zipMember{start, {"summaries.json", "[]", zip.Deflate}, {"samples/x.txt", "x", zip.Deflate}, {"other/samples/1.json", "{}", zip.Deflate}, one("1", "1", "1", zip.Deflate), header}, []string{"t|1|s||| 1"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := readText(t, archiveOf(t, tt.members...), ingest.AnswerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, s.Answers, tt.want...)
			for _, n := range tt.notes {
				wantNote(t, s, n)
			}
		})
	}
}

// Writers that append make zstd data of several frames.
func TestZstdFrames(t *testing.T) {
	var buf bytes.Buffer
	for _, part := range []string{"one ", "two"} {
		w, err := zstd.NewWriter(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	text := buf.String()
	a := &archive{}
	defer a.close()
	for range 2 {
		r := a.unzstd(strings.NewReader(text))
		got, err := io.ReadAll(r)
		if err != nil || string(got) != "one two" || r.Close() != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestInspectHostileArchives(t *testing.T) {
	header := zipMember{"header.json", `{"version": 2, ` + inspectSpec + `}`, zip.Deflate}
	good := archiveOf(t, header, zipMember{"samples/1_epoch_1.json", inspectSample("1", "1", `"scores": {"s": {"value": 1}}`), zip.Deflate})
	raw := rawMember(t, "samples/1_epoch_1.json", 14, []byte("data"))
	tests := []struct{ name, text, want string }{
		{"another archive", archiveOf(t, zipMember{"a.txt", "a", zip.Deflate}), "no log of Inspect"},
		{"cut short", good[:len(good)-30], "cut short"},
		{"cut in half", good[:len(good)/2], "cut short"},
		{"empty archive", archiveOf(t), "no log of Inspect"},
		{"a header without eval", archiveOf(t, zipMember{"header.json", `{"version": 2}`, zip.Deflate}), "no eval"},
		{"a header that is no object", archiveOf(t, zipMember{"header.json", `[1]`, zip.Deflate}), "expected"},
		{"a sample cut short", archiveOf(t, header, zipMember{"samples/1_epoch_1.json", `{"id": 1, "epoch"`, zip.Deflate}), "member samples/1_epoch_1.json: line 1"},
		{"a sample without id", archiveOf(t, header, zipMember{"samples/1_epoch_1.json", `{"epoch": 1}`, zip.Deflate}), "without id"},
		{"two values in a sample", archiveOf(t, header, zipMember{"samples/1_epoch_1.json", `{"id": 1} {"id": 2}`, zip.Deflate}), "expected the end"},
		{"an unknown method", raw, "packed by method 14"},
		{"no samples", archiveOf(t, header), "no samples"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readText(t, tt.text, ingest.AnswerOptions{})
			wantError(t, err, tt.want)
		})
	}
	// One wrong byte in the packed sample: the checksum says so.
	broken := []byte(good)
	i := bytes.Index(broken, []byte("samples/1_epoch_1.json")) + len("samples/1_epoch_1.json") + 20
	broken[i] ^= 0xff
	if _, err := readText(t, string(broken), ingest.AnswerOptions{}); err == nil {
		t.Error("a wrong byte goes unnoticed")
	}
}

// rawMember makes a log with a member packed by any method.
func rawMember(t testing.TB, name string, method uint16, data []byte) string {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	w, err := z.Create("header.json")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, `{"version": 2, `+inspectSpec+`}`) //nolint:errcheck // a buffer
	r, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: method, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	r.Write(data) //nolint:errcheck // a buffer
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// A bomb of zeros inside a string is stopped by the budget, and costs no memory
// on the way.
func TestZipBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks a gigabyte")
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	z.RegisterCompressor(methodZstd, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
	w, err := z.Create("header.json")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, `{"version": 2, `+inspectSpec+`}`) //nolint:errcheck // a buffer
	if w, err = z.CreateHeader(&zip.FileHeader{Name: "samples/1_epoch_1.json", Method: methodZstd}); err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, `{"id": 1, "epoch": 1, "messages": "`) //nolint:errcheck // a buffer
	block := bytes.Repeat([]byte("0"), 1<<20)
	for range 1100 {
		w.Write(block) //nolint:errcheck // a buffer
	}
	io.WriteString(w, `"}`) //nolint:errcheck // a buffer
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 1<<20 {
		t.Fatalf("the bomb has %d bytes", buf.Len())
	}
	_, err = readText(t, buf.String(), ingest.AnswerOptions{})
	wantError(t, err, "unpacks to more than")
}
