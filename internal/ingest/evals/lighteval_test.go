package evals

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
)

// TestLighteval reads the COPA pair in the three layouts: the same scores as
// lm-eval's samples of it, 2 lost and 6 gained.
func TestLighteval(t *testing.T) {
	tests := []struct {
		layout, task string
		want         func(acc float64) map[string]summary
	}{
		{"v0.1-v0.7", "lighteval|copa|0", func(acc float64) map[string]summary {
			return map[string]summary{"lighteval|copa|0/acc/": {20, acc}}
		}},
		{"v0.8-v0.10", "lighteval|copa|0", func(acc float64) map[string]summary {
			return map[string]summary{"lighteval|copa|0/acc/": {20, acc}}
		}},
		{"v0.11+", "lighteval|copa", func(acc float64) map[string]summary {
			return map[string]summary{"lighteval|copa/acc/": {20, acc}}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.layout, func(t *testing.T) {
			dir := lightevalDir(t, tt.layout)
			files, err := filepath.Glob(filepath.Join(dir, "details/*/*/*/details_lighteval|copa|0_*.parquet"))
			if err != nil || len(files) != 2 {
				t.Fatalf("%q, %v", files, err)
			}
			after, before := load(t, files[0], ingest.AnswerOptions{}), load(t, files[1], ingest.AnswerOptions{})
			if before.Model != "sshleifer/tiny-gpt2" || after.Model != "hf-internal-testing/tiny-random-gpt2" {
				t.Errorf("models %q and %q", before.Model, after.Model)
			}
			wantSummaries(t, before.Answers, tt.want(0.6))
			wantSummaries(t, after.Answers, tt.want(0.8))
			n, lost, gained := outcomes(before.Answers, after.Answers, nil)
			if n != 20 || lost != 2 || gained != 6 {
				t.Errorf("%d pairs, %d lost, %d gained; want 20, 2, 6", n, lost, gained)
			}
			for i, a := range before.Answers {
				if b := after.Answers[i]; a.GoldHash == 0 || a.QuestionHash == 0 || a.GoldHash != b.GoldHash || a.QuestionHash != b.QuestionHash {
					t.Errorf("answer %d: gold %x and %x, question %x and %x", i, a.GoldHash, b.GoldHash, a.QuestionHash, b.QuestionHash)
				}
			}
			wantError(t, loadError(t, dir, ingest.AnswerOptions{}), "several models")
		})
	}
}

// A task with two sampling methods has a row for each; a metric of the other
// method is null there, which is no missing score.
func TestLightevalTwoMethods(t *testing.T) {
	dir := lightevalDir(t, "v0.11+")
	files, err := filepath.Glob(filepath.Join(dir, "details/sshleifer/tiny-gpt2/*/details_lighteval|copa_two_methods|0_*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	s := load(t, files[0], ingest.AnswerOptions{})
	wantSummaries(t, s.Answers, map[string]summary{"lighteval|copa/acc/": {20, 0.6}, "lighteval|copa/em/": {20, 0.25}})
	keys := map[string]int{}
	for _, l := range lines(s.Answers) {
		keys[strings.Fields(l)[0]]++
	}
	for k, n := range keys {
		if n != 1 {
			t.Errorf("%s is there %d times", k, n)
		}
	}
}

// parquet writes columns of text and numbers.
func parquet(t testing.TB, fields []arrowio.OutField, cols []arrowio.OutColumn, meta []ingest.KeyValue) string {
	t.Helper()
	var buf bytes.Buffer
	if err := arrowio.WriteParquet(&buf, fields, cols, meta, arrowio.WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// The first Open LLM Leaderboard has the columns of early lighteval, with
// numbers in metrics and the text of an item said twice now and then.
func TestLeaderboardV1(t *testing.T) {
	text := parquet(t, []arrowio.OutField{
		{Name: "example", Kind: arrowio.Text}, {Name: "full_prompt", Kind: arrowio.Text},
		{Name: "metrics.acc", Kind: arrowio.Float64, Nullable: true}, {Name: "metrics.acc_norm", Kind: arrowio.Float64}, {Name: "gold_index", Kind: arrowio.Int64},
	}, []arrowio.OutColumn{
		{Texts: []string{"a", "b", "a"}}, {Texts: []string{"pa", "pb", "pa"}},
		{Floats: []float64{1, 0, 0}, Valid: []bool{true, true, false}}, {Floats: []float64{0, 1, 1}}, {Ints: []int64{0, 1, 2}},
	}, nil)
	f := file("details_harness|arc:challenge|25_2023-08-01T10:11:12.123456.parquet", text)
	if r := detected(t, text); r != "lighteval" {
		t.Fatalf("detected %s", r)
	}
	s, err := readLighteval(t.Context(), f, ingest.AnswerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := textID("a", ""), textID("b", "")
	const task = "harness|arc:challenge|25|"
	wantLines(t, s.Answers, task+a+"|acc||| 1", task+a+"|acc_norm||| 0", task+b+"|acc||| 0", task+b+"|acc_norm||| 1", task+a+"#2|acc_norm||| 1")
	if s.Answers[0].GoldHash == s.Answers[2].GoldHash {
		t.Error("golds 0 and 1 have one hash")
	}
}

// The dicts are what repr of Python 3 and NumPy 2 spells.
func TestPythonDict(t *testing.T) {
	tests := []struct {
		in   string
		want []member
	}{
		{"", nil},
		{"None", nil},
		{"{}", nil},
		{"{'acc': 1, 'f1': nan}", []member{{"acc", value("1")}, {"f1", value("NaN")}}},
		{`{'a': True, "b": None, 'c': -inf, 'd': 1e-05}`, []member{{"a", value("true")}, {"b", value("null")}, {"c", value("-Infinity")}, {"d", value("1e-05")}}},
		{`{'a': np.float64(0.5), 'b': array([1., 2.]), 'c': (1, 2,)}`, []member{{"a", value("0.5")}, {"b", value("[1,2]")}, {"c", value("[1,2]")}}},
		{`{'it\'s': "don't", 'x': 'a"b\n', 3: [{'y': []}]}`, []member{{"it's", value(`"don't"`)}, {"x", value(`"a\"b\n"`)}, {"3", value(`[{"y":[]}]`)}}},
		{`{'e': Enum.X, 'f': set()}`, []member{{"e", value(`"Enum.X"`)}, {"f", value("null")}}},
	}
	for _, tt := range tests {
		got, err := pythonDict(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: %q", tt.in, got)
			continue
		}
		for i := range got {
			if got[i].key != tt.want[i].key || string(got[i].val) != string(tt.want[i].val) {
				t.Errorf("%s: member %q, want %q", tt.in, got[i], tt.want[i])
			}
		}
	}
	for _, bad := range []string{"1", "{", "{'a'", "{'a': ", "{'a': }", "{'a': 1", "{'a' 1}", "{'a': 'x}", "{'a': f(1}", "{'a': 1} x", "[1]", strings.Repeat("{'a':", 200)} {
		if o, err := pythonDict(bad); err == nil {
			t.Errorf("%s: %q, expected an error", bad, o)
		}
	}
}
