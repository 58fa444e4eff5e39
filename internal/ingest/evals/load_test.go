package evals

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestDetection asks every reader about every file: no file is of two formats.
func TestDetection(t *testing.T) {
	want := map[string]int{}
	err := filepath.WalkDir("testdata", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, ".md") || strings.HasPrefix(p, "testdata/fuzz") || strings.HasSuffix(p, ".gz") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		s := look(data[:min(len(data), headBytes)], file(p, string(data)))
		var matches []string
		all := readers()
		for _, r := range all[:len(all)-1] {
			if r.match(s) {
				matches = append(matches, r.name)
			}
			if r.aggregate != nil && r.aggregate(s) != "" {
				matches = append(matches, "aggregate of "+r.name)
			}
		}
		if len(matches) > 1 {
			t.Errorf("%s is of %q", p, matches)
		}
		if len(matches) == 1 {
			want[matches[0]]++
		} else if !strings.Contains(p, "exports/") {
			t.Errorf("%s is of no format", p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readers() {
		if want[r.name] == 0 && !slices.Contains([]string{"records", "mmlu-pro"}, r.name) {
			t.Errorf("no file of %s", r.name)
		}
	}
}

// Formats speaks for the readers.
func TestFormats(t *testing.T) {
	data, err := os.ReadFile("testdata/every_eval_ever/98ea850e-7019-4728-a558-8b1819ec47c2.json")
	if err != nil {
		t.Fatal(err)
	}
	f := file("x", string(data))
	for _, format := range Formats {
		if format.Name == "records" {
			continue
		}
		if format.Detect(data, f) {
			t.Errorf("%s detects an aggregate file", format.Name)
		}
		if format.Aggregate == nil {
			continue
		}
		if hint, ok := format.Aggregate(data, f); ok != (format.Name == "every-eval-ever") {
			t.Errorf("%s: %q, %v", format.Name, hint, ok)
		}
	}
}

const runA, runB = "2026-01-01T10-00-00.000000", "2026-01-02T09-00-00.000000"

func lmSamples(scores ...string) []byte {
	var b strings.Builder
	for i, s := range scores {
		b.WriteString(`{"doc_id": ` + string(rune('0'+i)) + `, "doc": {"q": "x"}, "target": "t", "resps": [], "filtered_resps": [], "filter": "none", "metrics": ["acc"], "doc_hash": "h", "acc": ` + s + "}\n")
	}
	return []byte(b.String())
}

// A folder with several tasks, a newer run of one of them, and files that hold
// no answers.
func TestLoadFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "__local__model")
	write(t, filepath.Join(dir, "samples_a_"+runA+".jsonl"), lmSamples("1", "0"))
	write(t, filepath.Join(dir, "samples_a_"+runB+".jsonl"), lmSamples("1", "1"))
	write(t, filepath.Join(dir, "samples_b_"+runA+".jsonl"), lmSamples("0"))
	write(t, filepath.Join(dir, "results_"+runA+".json"), []byte(`{"results": {"a": {}, "b": {}}, "versions": {"a": 1, "b": 2}, "configs": {}, "n-shot": {}, "config": {"limit": null, "seed": 1}, "model_name": "/local/model", "lm_eval_version": "1"}`))
	write(t, filepath.Join(dir, "results_"+runB+".json"), []byte(`{"results": {"a": {}}, "versions": {"a": 1}, "configs": {}, "n-shot": {}, "config": {}, "model_name": "/local/model", "lm_eval_version": "2"}`))
	write(t, filepath.Join(dir, "notes.txt"), []byte("- nothing\n"))
	write(t, filepath.Join(dir, "log.txt"), []byte("one, two\nthree\nfour, five, six\n"))
	write(t, filepath.Join(dir, "weights.npz"), []byte(archiveOf(t, zipMember{"a.npy", "x", 0})))
	write(t, filepath.Join(dir, "empty.jsonl"), nil)
	write(t, filepath.Join(dir, ".hidden.jsonl"), lmSamples("0"))
	for _, input := range []string{filepath.Dir(dir), dir, filepath.Join(filepath.Dir(dir), "*", "[a-z]*")} {
		s := load(t, input, ingest.AnswerOptions{})
		wantLines(t, s.Answers, "a|0|acc|none|| 1", "a|1|acc|none|| 1", "b|0|acc|none|| 0")
		wantNote(t, s.AnswerSet, "two runs of a: the newer, "+filepath.Join(dir, "samples_a_"+runB+".jsonl"))
		wantNote(t, s.AnswerSet, "empty.jsonl passed over")
		if s.Model != "/local/model" || fact(s.AnswerSet, "lm_eval_version") != "1 | 2" || fact(s.AnswerSet, "version.b") != "2" {
			t.Errorf("model %q, %v", s.Model, s.Fingerprint)
		}
		if len(s.Files) != 2 || s.Files[0].Answers != 2 || s.Files[1].Format != "lm-eval" {
			t.Errorf("files %v", s.Files)
		}
	}
}

func TestLoadFaults(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "twice", "a.csv"), []byte("id,score\n1,1\n2,0\n"))
	write(t, filepath.Join(dir, "twice", "b.csv"), []byte("id,score\n1,0\n2,0\n"))
	write(t, filepath.Join(dir, "models", "a.csv"), []byte("id,model,score\n1,x,1\n"))
	write(t, filepath.Join(dir, "models", "b.csv"), []byte("id,model,score\n1,y,1\n"))
	write(t, filepath.Join(dir, "aggregates", "results.json"), []byte(`{"results": {"a": {}}, "versions": {}, "configs": {}, "n-shot": {}}`))
	write(t, filepath.Join(dir, "none", "x.md"), []byte("# x\n"))
	write(t, filepath.Join(dir, "broken", "a.csv"), []byte("id,score\n1,1\n"))
	write(t, filepath.Join(dir, "broken", "b.jsonl"), []byte(`{"id": 1, "score": 1}`+"\n"+`{"id": 2, "sc`))
	write(t, filepath.Join(dir, "empty.csv"), nil)
	if err := os.MkdirAll(filepath.Join(dir, "void"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ input, want string }{
		{"twice", "both answer the same items, and no date says which is the newer"},
		{"models", "several models: x, y; choose one, as in INPUT#model=x"},
		{"models#model=z", `no "z" among x`},
		{"aggregates", "--log_samples"},
		{"none", "no answers in it"},
		{"void", "no files"},
		{"broken", "b.jsonl: line 2"},
		{"empty.csv", "the file is empty"},
		{"nowhere", "no such file"},
		{"*.parquet", "no file matches"},
		{"none/x.md", "its content is none of inspect, lm-eval"},
	}
	for _, tt := range tests {
		t.Run(tt.input, func(t *testing.T) {
			wantError(t, loadError(t, filepath.Join(dir, tt.input), ingest.AnswerOptions{}), tt.want)
		})
	}
	l := Loader{Force: "nonsense"}
	_, err := l.Load(context.Background(), filepath.Join(dir, "twice", "a.csv"), ingest.AnswerOptions{})
	wantError(t, err, `no reader "nonsense"`, "livebench")
	s := load(t, filepath.Join(dir, "models#model=y"), ingest.AnswerOptions{})
	if s.Model != "y" || len(s.Answers) != 1 {
		t.Errorf("%+v", s)
	}
}

// Files of one evaluation that share a few items are joined, and a note says
// that they do.
func TestLoadParts(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), []byte("id,score,lang\n1,1,en\n2,0,de\n3,0,de\n4,1,en\n5,1,en\n"))
	write(t, filepath.Join(dir, "b.csv"), []byte("id,score,kind\n5,1,x\n6,0,y\n7,0,y\n8,0,y\n9,0,y\n"))
	s := load(t, dir, ingest.AnswerOptions{})
	wantNote(t, s.AnswerSet, "1 answer in both")
	if len(s.Answers) != 10 || !slices.Equal(s.AttrNames, []string{"lang", "kind"}) {
		t.Fatalf("%d answers, attributes %q", len(s.Answers), s.AttrNames)
	}
	if !slices.Equal(s.Answers[1].Attr, []string{"de", ""}) || !slices.Equal(s.Answers[6].Attr, []string{"", "y"}) {
		t.Errorf("attributes %q and %q", s.Answers[1].Attr, s.Answers[6].Attr)
	}
}

// Repeats in a file each are told apart; one repeat for all says nothing.
func TestLoadRepeats(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "e1.csv"), []byte("id,epoch,score\n1,1,1\n"))
	write(t, filepath.Join(dir, "e2.csv"), []byte("id,epoch,score\n1,2,0\n"))
	wantLines(t, load(t, dir, ingest.AnswerOptions{}).Answers, "|1|score|||1 1", "|1|score|||2 0")
	wantLines(t, load(t, filepath.Join(dir, "e1.csv"), ingest.AnswerOptions{}).Answers, "|1|score||| 1")
}

func TestLoadStdinAndPacked(t *testing.T) {
	const text = "id,score\n1,1\n"
	l := Loader{Stdin: strings.NewReader(text)}
	s, err := l.Load(context.Background(), "-", ingest.AnswerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, s.Answers, "|1|score||| 1")
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "samples_a_"+runA+".jsonl.zst")
	write(t, path, w.EncodeAll(lmSamples("1"), nil))
	wantLines(t, load(t, path, ingest.AnswerOptions{}).Answers, "a|0|acc|none|| 1")
}

func TestRunDate(t *testing.T) {
	none := &ingest.AnswerSet{}
	tests := []struct {
		path string
		set  *ingest.AnswerSet
		want string
	}{
		{"a/samples_x_2025-10-14T15-11-56.507865.jsonl", none, "2025-10-14T15:11:56.507865Z"},
		{"2025-01-01T00-00-00/details_x_2025-10-14T15:11:56.5.parquet", none, "2025-10-14T15:11:56.5Z"},
		{"2025-05-12T20-28-13-04-00_popularity.json", none, "2025-05-13T00:28:13Z"},
		{"x.json", &ingest.AnswerSet{Fingerprint: []ingest.KeyValue{{Key: "created", Value: "2025-10-21T01:12:03+02:00"}}}, "2025-10-20T23:12:03Z"},
		{"2025-99-99T99-99-99.json", none, "0001-01-01T00:00:00Z"},
		{"x.json", none, "0001-01-01T00:00:00Z"},
	}
	for _, tt := range tests {
		if got := runDate(tt.path, tt.set).UTC().Format("2006-01-02T15:04:05.999999Z07:00"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, got, tt.want)
		}
	}
}

func TestUniverse(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, text string
		want       [][2]string
	}{
		{"ids.txt", "# ids\nb\na\n\nb\r\n", [][2]string{{"", "a"}, {"", "b"}}},
		{"one.txt", "django__django-1\ndjango__django-2\n", [][2]string{{"", "django__django-1"}, {"", "django__django-2"}}},
		{"ids.json", `["b", 7, "a"]`, [][2]string{{"", "7"}, {"", "a"}, {"", "b"}}},
		{"ids.csv", "item_id,task\n1,t\n2,t\n", [][2]string{{"t", "1"}, {"t", "2"}}},
		{"ids.jsonl", `{"instance_id": "x"}` + "\n" + `{"instance_id": "y"}`, [][2]string{{"", "x"}, {"", "y"}}},
		{"list.json", `[{"question_id": 5, "answer": "A"}]`, [][2]string{{"", "5"}}},
	}
	var l Loader
	for _, tt := range tests {
		path := filepath.Join(dir, tt.name)
		write(t, path, []byte(tt.text))
		got, err := l.Universe(context.Background(), path)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	got, err := l.Universe(context.Background(), "testdata/written/swe/org__agent.run7.json")
	if err != nil || len(got) != 6 {
		t.Errorf("%q, %v", got, err)
	}
	for name, text := range map[string]string{"none.txt": "\n", "binary": "a\x00b\n"} {
		write(t, filepath.Join(dir, name), []byte(text))
		if got, err := l.Universe(context.Background(), filepath.Join(dir, name)); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}
