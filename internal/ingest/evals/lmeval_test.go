package evals

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestDocHash recomputes the hashes that the harness stored.
func TestDocHash(t *testing.T) {
	n := 0
	for _, pattern := range []string{"testdata/lm-eval/*/samples_*.jsonl", "testdata/lm-eval/*/*/samples_*.jsonl"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			err = eachRecord(context.Background(), file(name, string(data)), func(v value) error {
				o := v.object()
				want := o.get("doc_hash").str()
				if got := docHash(object{}, o.get("doc")); got != want {
					t.Errorf("%s, doc %s: hash %s, the harness has %s", name, o.get("doc_id").text(), got, want)
				}
				n++
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n != 51 {
		t.Errorf("%d documents, want 51", n)
	}
}

// pythonDump escapes as json.dumps(ensure_ascii=False, indent=2) of Python 3.
func TestPythonDump(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"a":[],"b":{},"c":[1,2.50,null,true]}`, "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    2.50,\n    null,\n    true\n  ]\n}"},
		{`"\u00e9\u2028\u0007\n\"\\/\t\u007f"`, "\"é\u2028\\u0007\\n\\\"\\\\/\\t\u007f\""},
		{`NaN`, "NaN"},
	}
	for _, tt := range tests {
		var b strings.Builder
		pythonDump(&b, value(tt.in), 0)
		if b.String() != tt.want {
			t.Errorf("%s: %q, want %q", tt.in, b.String(), tt.want)
		}
	}
}

const sample = `{"doc_id": %ID, "doc": {"q": "x"}, "target": "t", "arguments": {}, "resps": [["%R"]], "filtered_resps": ["f"], "exact_match": 1.0}` + "\n"

func unlabelled(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(sample, "%ID", pairs[i]), "%R", pairs[i+1]))
	}
	return b.String()
}

// Filters that are not named are numbered only where every document has the
// same number of samples, made from the same responses.
func TestUnnamedFilters(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"one filter", unlabelled("0", "a", "1", "b"), []string{"|0|exact_match||| 1", "|1|exact_match||| 1"}},
		{"two filters", unlabelled("0", "a", "1", "b", "0", "a", "1", "b"),
			[]string{"|0|exact_match|#1|| 1", "|1|exact_match|#1|| 1", "|0|exact_match|#2|| 1", "|1|exact_match|#2|| 1"}},
		{"a run that was appended", unlabelled("0", "a", "0", "b"), []string{"|0|exact_match||| 1", "|0|exact_match||| 1"}},
		{"a document more often than others", unlabelled("0", "a", "1", "b", "0", "a"), []string{"|0|exact_match||| 1", "|1|exact_match||| 1", "|0|exact_match||| 1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := readText(t, tt.text, ingest.AnswerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, s.Answers, tt.want...)
		})
	}
}

// Two models in one folder: each samples file belongs to the results of the
// same date.
func TestLMEvalTwoModels(t *testing.T) {
	const dir = "testdata/lm-eval/mmlu_pro_plus"
	wantError(t, loadError(t, dir, ingest.AnswerOptions{}), "several models", "/workspace/gemma3_12b_u2", "#model=")
	s := load(t, dir+"#model=/workspace/gemma-3-12b-it-base", ingest.AnswerOptions{})
	wantSummaries(t, s.Answers, map[string]summary{"mmlu_pro_plus_chemistry/exact_match/custom-extract": {3, 2. / 3}})
	for key, want := range map[string]string{
		"lm_eval_version": "0.4.9.1", "limit": "100.0", "random_seed": "0", "n_shot.mmlu_pro_plus_chemistry": "5",
		"chat_template_sha": "7de1c58e208eda46e9c7f86397df37ec49883aeece39fb961e0a6b24088dd3c4", "n_shot.mmlu_pro_plus_law": "",
	} {
		if got := fact(s.AnswerSet, key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
	if len(s.Files) != 1 {
		t.Errorf("files %v", s.Files)
	}
}

func TestLMEvalOldName(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("testdata/written/lm-eval/v0.4.2/pretrained=org-m_copa.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "pretrained=org-m_super_copa.jsonl"), data)
	write(t, filepath.Join(dir, "results.json"), []byte(`{"results": {"copa": {}, "super_copa": {}}, "versions": {}, "config": {"model_args": "pretrained=org/m,dtype=auto"}, "configs": {}}`))
	s := load(t, dir, ingest.AnswerOptions{})
	if s.Model != "org/m" || s.Answers[0].Task != "super_copa" {
		t.Errorf("model %q, task %q", s.Model, s.Answers[0].Task)
	}
	// json.dumps and hashlib of Python 3 over the first document
	const want = "07243c75"
	if got := docHash(object{}, value(`{"premise": "It rained.", "label": 1}`)); !strings.HasPrefix(got, want) {
		t.Errorf("hash %s, want %s…", got, want)
	}
}

func TestLMEvalText(t *testing.T) {
	s := load(t, copaBefore, ingest.AnswerOptions{KeepText: true})
	if s.Answers[0].Text != "effect" && !strings.Contains(s.Answers[0].Text, "faucet") {
		t.Errorf("text %q", s.Answers[0].Text)
	}
	if s := load(t, copaBefore, ingest.AnswerOptions{}); s.Answers[0].Text != "" {
		t.Errorf("text %q without KeepText", s.Answers[0].Text)
	}
}
