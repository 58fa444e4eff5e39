package evals

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// readAny reads a text by one reader and verifies what may be relied on.
func readAny(t *testing.T, r reader, path, text string) {
	t.Helper()
	opt := ingest.AnswerOptions{KeepText: true}
	set, err := r.read(context.Background(), file(path, text), opt)
	if err != nil {
		if set != nil {
			t.Fatalf("%s: a set and the error %v", r.name, err)
		}
		return
	}
	if len(set.Answers) == 0 {
		t.Fatalf("%s: no answers and no error", r.name)
	}
	for _, a := range set.Answers {
		switch {
		case len(a.Attr) != len(set.AttrNames):
			t.Fatalf("%s: %d attributes of %d: %+v", r.name, len(a.Attr), len(set.AttrNames), a)
		case a.Item == "" || a.Metric == "" && r.name == "records":
			t.Fatalf("%s: an answer without item or metric: %+v", r.name, a)
		case a.State != ingest.Scored && a.Score != 0, a.Score != a.Score, a.Score-a.Score != 0:
			t.Fatalf("%s: score %v of %+v", r.name, a.Score, a)
		}
	}
}

// seeds adds the small files of testdata, cut to a size that can be mutated.
func seeds(f *testing.F, endings ...string) {
	const most = 6 << 10
	err := filepath.WalkDir("testdata", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(p, "testdata/fuzz") {
			return err
		}
		for _, e := range endings {
			if !strings.HasSuffix(p, e) {
				continue
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			if len(data) > most && e != ".eval" && e != ".parquet" {
				if i := bytes.IndexByte(data, '\n'); i > 0 && i < 4*most {
					data = data[:i]
				} else {
					data = data[:most]
				}
			}
			f.Add(string(data))
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

// fuzzReaders gives every text to the named readers, whatever it looks like.
func fuzzReaders(f *testing.F, names ...string) {
	f.Fuzz(func(t *testing.T, text string) {
		look([]byte(text[:min(len(text), headBytes)]), file("x", text))
		for _, r := range readers() {
			for _, n := range names {
				if r.name == n {
					readAny(t, r, "reviews/m/x.jsonl", text)
				}
			}
		}
	})
}

func FuzzInspect(f *testing.F) {
	seeds(f, ".eval", ".json")
	fuzzReaders(f, "inspect")
}

func FuzzLMEval(f *testing.F) {
	seeds(f, ".jsonl")
	fuzzReaders(f, "lm-eval")
}

func FuzzLighteval(f *testing.F) {
	seeds(f, ".parquet")
	fuzzReaders(f, "lighteval")
}

func FuzzPythonDict(f *testing.F) {
	for _, s := range []string{"{'acc': 1, 'f1': nan}", `{"a": [True, None, np.float64(1.)], 'b': {'c': 'd\''}}`, "{1: (2,)}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		o, err := pythonDict(s)
		if err != nil {
			return
		}
		for _, m := range o {
			if !isJSON(m.val) {
				t.Fatalf("%q: member %q is %q", s, m.key, m.val)
			}
		}
	})
}

func FuzzDocuments(f *testing.F) {
	seeds(f, ".json")
	fuzzReaders(f, "helm", "evalplus", "bigcodebench", "swe-bench", "promptfoo", "deepeval", "opencompass")
}

func FuzzLines(f *testing.F) {
	seeds(f, ".jsonl", "56.json")
	fuzzReaders(f, "every-eval-ever", "humaneval", "openai-evals", "openai-evals-api", "mt-bench", "arena-hard", "livebench", "alpaca-eval", "evalscope", "nemo-evaluator", "mmlu-pro")
}

func FuzzRecords(f *testing.F) {
	seeds(f, ".csv", "braintrust.jsonl")
	f.Add("id,score\n1,C\n")
	fuzzReaders(f, "records")
}

// TestSpoiled cuts and spoils every file in many places: no reader may panic,
// hang, or invent.
func TestSpoiled(t *testing.T) {
	err := filepath.WalkDir("testdata", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(p, "testdata/fuzz") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if len(data) > 40<<10 {
			return nil
		}
		var l Loader
		r, _, err := l.choose(file(p, string(data)))
		if err != nil || r.read == nil {
			return err
		}
		const places = 12
		for i := range places {
			at := i * len(data) / places
			readAny(t, r, p, string(data[:at]))
			spoiled := bytes.Clone(data)
			spoiled[at] ^= 0x15
			readAny(t, r, p, string(spoiled))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
