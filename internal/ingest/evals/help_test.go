package evals

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// tolerance of means that were computed by another program.
const tolerance = 1e-12

// load reads an input that has to be readable.
func load(t testing.TB, input string, opt ingest.AnswerOptions) *Side {
	t.Helper()
	var l Loader
	s, err := l.Load(context.Background(), input, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// loadError reads an input that has to be refused.
func loadError(t testing.TB, input string, opt ingest.AnswerOptions) error {
	t.Helper()
	var l Loader
	s, err := l.Load(context.Background(), input, opt)
	if err == nil {
		t.Fatalf("%s: read %d answers, expected an error", input, len(s.Answers))
	}
	return err
}

// file makes a file of text.
func file(path, text string) ingest.File {
	return ingest.File{Path: path, Size: int64(len(text)), ReaderAt: strings.NewReader(text)}
}

// detected returns the reader that a text is for.
func detected(t testing.TB, text string) string {
	t.Helper()
	var l Loader
	r, hint, err := l.choose(file("x", text))
	if err != nil {
		t.Fatal(err)
	}
	if hint != "" {
		return "aggregate"
	}
	return r.name
}

// readText reads a text as the detected format.
func readText(t testing.TB, text string, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	t.Helper()
	var l Loader
	f := file("x", text)
	r, hint, err := l.choose(f)
	switch {
	case err != nil:
		return nil, err
	case hint != "" || r.read == nil:
		return nil, fmt.Errorf("%w: %s", ErrNoAnswers, hint)
	}
	return r.read(context.Background(), f, opt)
}

// lines writes answers in the order of the file: key and score.
func lines(as []ingest.Answer) []string {
	var out []string
	for _, a := range as {
		l := strings.Join([]string{a.Task, a.Item, a.Metric, a.Filter, a.Turn, a.Repeat}, "|") + " "
		switch a.State {
		case ingest.Scored:
			l += fmt.Sprint(a.Score)
		case ingest.Unscored:
			l += "unscored"
		case ingest.Errored:
			l += "errored"
		}
		out = append(out, l)
	}
	return out
}

// wantLines compares answers with lines.
func wantLines(t testing.TB, as []ingest.Answer, want ...string) {
	t.Helper()
	got := lines(as)
	if !slices.Equal(got, want) {
		t.Errorf("answers:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// wantNote looks for a note that contains the text.
func wantNote(t testing.TB, s *ingest.AnswerSet, text string) {
	t.Helper()
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, text) }) {
		t.Errorf("no note has %q: %q", text, s.Notes)
	}
}

// wantError looks for a text in an error.
func wantError(t testing.TB, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want one with %q", err, text)
		}
	}
}

// fact returns a value of the fingerprint.
func fact(s *ingest.AnswerSet, key string) string {
	for _, kv := range s.Fingerprint {
		if kv.Key == key {
			return kv.Value
		}
	}
	return ""
}

// attr returns an attribute of an answer.
func attr(t testing.TB, s *ingest.AnswerSet, a ingest.Answer, name string) string {
	t.Helper()
	i := slices.Index(s.AttrNames, name)
	if i < 0 {
		t.Fatalf("no attribute %q among %q", name, s.AttrNames)
	}
	return a.Attr[i]
}

// summary is the number of answers of a metric and the mean of their scores.
type summary struct {
	n    int
	mean float64
}

// summaries groups answers by task, metric and filter.
func summaries(as []ingest.Answer) map[string]summary {
	out := map[string]summary{}
	for _, a := range as {
		if a.State != ingest.Scored {
			continue
		}
		k := a.Task + "/" + a.Metric + "/" + a.Filter
		s := out[k]
		s.n++
		s.mean += a.Score
		out[k] = s
	}
	for k, s := range out {
		s.mean /= float64(s.n)
		out[k] = s
	}
	return out
}

func wantSummaries(t testing.TB, as []ingest.Answer, want map[string]summary) {
	t.Helper()
	got := summaries(as)
	keys := slices.Sorted(maps.Keys(want))
	if g := slices.Sorted(maps.Keys(got)); !slices.Equal(g, keys) {
		t.Fatalf("metrics %q, want %q", g, keys)
	}
	for _, k := range keys {
		if got[k].n != want[k].n || math.Abs(got[k].mean-want[k].mean) > tolerance {
			t.Errorf("%s: %d answers with the mean %.17g, want %d with %.17g", k, got[k].n, got[k].mean, want[k].n, want[k].mean)
		}
	}
}

// lightevalDir copies the details of a layout to a folder with the names that
// lighteval gives.
func lightevalDir(t testing.TB, layout string) string {
	t.Helper()
	from, to := filepath.Join("testdata/lighteval", layout), t.TempDir()
	err := filepath.Walk(from, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name := filepath.Join(to, filepath.Dir(rel), strings.ReplaceAll(filepath.Base(rel), "!", "|"))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// write puts a file into a folder.
func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Clone(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
