package ingest_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// tree writes files below a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func opener() *ingest.Opener {
	return &ingest.Opener{Formats: []ingest.Format{textio.JSONL, textio.JSON, textio.CSV}}
}

func TestOpen(t *testing.T) {
	const records = "ttft_ms\n1\n"
	dir := tree(t, map[string]string{
		"b.csv": records, "a.jsonl": "{\"ttft_ms\":1}\n", "deep/c.csv": records, ".hidden.csv": records, "_SUCCESS": "", ".git/d.csv": records,
		"README": "Dear reader,\nthese are the runs of Monday, with a warm cache.\n", "plot.png": "\x89PNG\r\n\x1a\n\x00",
	})
	for _, c := range []struct {
		why, input string
		want       []string
		passed     []string
	}{
		{"a file", "b.csv", []string{"b.csv csv"}, nil},
		{"a hidden file that is named", ".hidden.csv", []string{".hidden.csv csv"}, nil},
		{"a directory, with those in it", "", []string{"a.jsonl jsonl", "b.csv csv", "deep/c.csv csv"}, []string{"README", "plot.png"}},
		{"a pattern", "*.csv", []string{"b.csv csv"}, nil},
		{"a pattern of hidden files", ".h*", []string{".hidden.csv csv"}, nil},
		{"a pattern of directories", "de*", []string{"deep/c.csv csv"}, nil},
		{"a pattern of one letter", "[ab].*", []string{"a.jsonl jsonl", "b.csv csv"}, nil},
		{"a pattern that takes all", "*", []string{"a.jsonl jsonl", "b.csv csv", "deep/c.csv csv"}, []string{"README", "plot.png"}},
	} {
		ins, notes, err := opener().Open(filepath.Join(dir, c.input))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		var got, passed []string
		for _, in := range ins {
			rel, _ := filepath.Rel(dir, in.Path)
			got = append(got, filepath.ToSlash(rel)+" "+in.Format)
		}
		for _, n := range notes {
			name, _, _ := strings.Cut(filepath.Base(n), " ")
			passed = append(passed, name)
			if !strings.HasSuffix(n, "passed over: not a record file") {
				t.Errorf("%s: note %q", c.why, n)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, d)
		}
		if d := cmp.Diff(c.passed, passed); d != "" {
			t.Errorf("%s: passed over (-want +got)\n%s", c.why, d)
		}
		if err := ingest.CloseAll(ins); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := tree(t, map[string]string{"empty.csv": "", "image.png": "\x89PNG\x00", "none/.hidden": "x", "words/README": "# Words\n", "broken.csv": "ttft_ms,a\n1,2\n3\n", "mixed/good.csv": "ttft_ms\n1\n", "mixed/broken.csv": "ttft_ms,a\n1,2\n3\n"})
	for _, c := range []struct {
		why, input string
		want       string
	}{
		{"no such file", "nope.csv", "nope.csv: no such file or directory"},
		{"no match", "*.parquet", "no file matches the pattern"},
		{"a pattern that is none", "[a-", "syntax error in pattern"},
		{"an empty file", "empty.csv", "the file is empty; expected one of jsonl, json, csv"},
		{"not records", "image.png", "not a record file: its content is none of jsonl, json, csv"},
		{"a directory of hidden files", "none", "the directory holds no files"},
		{"a directory without records", "words", "no record files in it; expected one of jsonl, json, csv"},
		{"a broken file", "broken.csv", "line 3: found 1 field, expected 2"},
		{"a broken file of records among others is not passed over", "mixed", "line 3: found 1 field, expected 2"},
	} {
		ins, _, err := opener().Open(filepath.Join(dir, c.input))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.want)
		}
		if len(ins) != 0 {
			t.Errorf("%s: %d files stay open", c.why, len(ins))
		}
	}
	o := opener()
	o.Force = "avro"
	if _, _, err := o.Open(filepath.Join(dir, "broken.csv")); err == nil || !strings.Contains(err.Error(), `there is no reader "avro"; readers are jsonl, json, csv`) {
		t.Errorf("forced: %v", err)
	}
	o.Force = "csv"
	if _, _, err := o.Open(filepath.Join(dir, "words", "README")); err != nil {
		t.Errorf("forced upon words: %v", err)
	}
}

// Standard input is read once, as if it were a file, and leaves none behind.
func TestOpenStdin(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	o := opener()
	if _, _, err := o.Open("-"); err == nil || !strings.Contains(err.Error(), "there is no standard input") {
		t.Errorf("without one: %v", err)
	}
	o.Stdin = strings.NewReader("ttft_ms\n1\n2\n")
	ins, _, err := o.Open("-")
	if err != nil {
		t.Fatal(err)
	}
	in := ins[0]
	if in.Path != "-" || in.Format != "csv" || in.File.Size != 12 || ingest.DisplayPath(in.Path) != "standard input" {
		t.Errorf("%+v", in)
	}
	if err := ingest.CloseAll(ins); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(tmp); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	o.Stdin = strings.NewReader("")
	if _, _, err := o.Open("-"); err == nil || !strings.HasPrefix(err.Error(), "standard input: the file is empty") {
		t.Errorf("empty: %v", err)
	}
	o.Stdin = failing{}
	if _, _, err := o.Open("-"); err == nil || !strings.Contains(err.Error(), "the pipe broke") {
		t.Errorf("broken: %v", err)
	}
	if left, _ := os.ReadDir(tmp); len(left) != 0 {
		t.Errorf("left behind by faults: %v", left)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

// What is packed is read unpacked.
func TestOpenUnpacks(t *testing.T) {
	dir := tree(t, map[string]string{"x.rot": "ggsg_zf\n1\n"})
	o := opener()
	closed := 0
	o.Unpack = func(f ingest.File) (ingest.File, func() error, error) {
		b, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size))
		if err != nil {
			return f, nil, err
		}
		b = bytes.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return 'a' + (r-'a'+13)%26
			}
			return r
		}, b)
		return ingest.File{Path: f.Path, Size: int64(len(b)), ReaderAt: bytes.NewReader(b)}, func() error { closed++; return nil }, nil
	}
	ins, _, err := o.Open(filepath.Join(dir, "x.rot"))
	if err != nil {
		t.Fatal(err)
	}
	if got := ingest.ColumnNames(ins[0].Source.Columns()); got != "ttft_ms" {
		t.Errorf("columns %q", got)
	}
	if err := ingest.CloseAll(ins); err != nil || closed != 1 {
		t.Errorf("closed %d times, %v", closed, err)
	}
	o.Unpack = func(f ingest.File) (ingest.File, func() error, error) { return f, nil, errors.New("a bad block") }
	if _, _, err := o.Open(filepath.Join(dir, "x.rot")); err == nil || !strings.Contains(err.Error(), "x.rot: a bad block") {
		t.Errorf("error %v", err)
	}
}

func TestExpandIsSorted(t *testing.T) {
	dir := tree(t, map[string]string{"z/1.csv": "x", "a/2.csv": "x", "m.csv": "x", "10.csv": "x", "9.csv": "x"})
	paths, many, err := ingest.Expand(dir, ingest.Hidden)
	if err != nil || !many || !slices.IsSorted(paths) || len(paths) != 5 {
		t.Errorf("%v, %v, %v", paths, many, err)
	}
	all, _, err := ingest.Expand(dir, func(name string) bool { return name == "a" || name == "m.csv" })
	if err != nil || len(all) != 3 {
		t.Errorf("without a and m.csv: %v, %v", all, err)
	}
	for name, want := range map[string]bool{".x": true, "_SUCCESS": true, "x": false, "a_b": false} {
		if ingest.Hidden(name) != want {
			t.Errorf("%s is hidden: %v", name, !want)
		}
	}
}

func TestSplitModel(t *testing.T) {
	for in, want := range map[string][2]string{
		"a.csv": {"a.csv", ""}, "a.csv#model=x/y": {"a.csv", "x/y"}, "a#b#model=x": {"a#b", "x"}, "#model=": {"", ""},
	} {
		if p, m := ingest.SplitModel(in); p != want[0] || m != want[1] {
			t.Errorf("%s: %q, %q", in, p, m)
		}
	}
}
