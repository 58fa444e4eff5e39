package evals

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
)

// readAs reads a text as records whatever it looks like.
func readAs(t testing.TB, path, text string, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	t.Helper()
	return readRecords(context.Background(), file(path, text), opt)
}

// The same answers in every format of records.
func TestRecordFormats(t *testing.T) {
	fields := []arrowio.OutField{
		{Name: "item_id", Kind: arrowio.Text}, {Name: "task", Kind: arrowio.Text}, {Name: "score", Kind: arrowio.Float64, Nullable: true},
		{Name: "repeat", Kind: arrowio.Int64}, {Name: "hard", Kind: arrowio.Bool}, {Name: "status", Kind: arrowio.Text},
	}
	cols := []arrowio.OutColumn{
		{Texts: []string{"007", "8", "8"}}, {Texts: []string{"t", "t", "u"}}, {Floats: []float64{1, 0, 0.5}, Valid: []bool{true, false, true}},
		{Ints: []int64{0, 1, 2}}, {Bools: []bool{true, false, true}}, {Texts: []string{"ok", "", "error"}},
	}
	var ipc bytes.Buffer
	if err := arrowio.WriteIPC(&ipc, fields, cols, nil, false, arrowio.WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"parquet": parquet(t, fields, cols, nil),
		"arrow":   ipc.String(),
		"csv":     "item_id,task,score,repeat,hard,status\n007,t,1,0,true,ok\n8,t,,1,false,\n8,u,0.5,2,true,error\n",
		"csv ;":   "item_id;task;score;repeat;hard;status\r\n007;t;1;0;true;ok\r\n8;t;;1;false;\r\n8;u;0.5;2;true;error\r\n",
		"bom":     "\xef\xbb\xbfitem_id,task,score,repeat,hard,status\n007,t,1,0,true,ok\n8,t,NaN,1,false,\n8,u,0.5,2,true,error",
		"jsonl": `{"item_id": "007", "task": "t", "score": 1, "repeat": 0, "hard": true, "status": "ok"}
{"item_id": 8, "task": "t", "score": null, "repeat": 1, "hard": false, "status": null}

{"item_id": 8, "task": "u", "score": 0.5, "repeat": 2, "hard": true, "status": "error"}`,
		"json": `[{"item_id": "007", "task": "t", "score": true, "repeat": 0, "hard": true, "status": "ok"},
 {"item_id": 8, "task": "t", "score": NaN, "repeat": 1, "hard": false}, {"item_id": 8, "task": "u", "score": 0.5, "repeat": 2, "hard": true, "status": "error"}]`,
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			if name == "json" { // a column that is now true and now a number
				text = string(bytes.Replace([]byte(text), []byte("true, \"repeat\""), []byte("1, \"repeat\""), 1))
			}
			if r := detected(t, text); r != "records" {
				t.Fatalf("detected %s", r)
			}
			s, err := readText(t, text, ingest.AnswerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, s.Answers, "t|007|score|||0 1", "t|8|score|||1 unscored", "u|8|score|||2 errored")
			if !slices.Equal(s.AttrNames, []string{"hard"}) || s.Answers[1].Attr[0] != "false" {
				t.Errorf("attributes %q, %q", s.AttrNames, s.Answers[1].Attr)
			}
			wantNote(t, s, "1 score empty, null or no number")
		})
	}
}

func TestRecordColumns(t *testing.T) {
	tests := []struct {
		name, text string
		opt        ingest.AnswerOptions
		want       []string
		attrs      []string
	}{
		{"long format", "id,metric,score\na,acc,1\na,f1,0.5\n", ingest.AnswerOptions{}, []string{"|a|acc||| 1", "|a|f1||| 0.5"}, nil},
		{"name and value", "id,metric_name,value\na,acc,1\n", ingest.AnswerOptions{}, []string{"|a|acc||| 1"}, nil},
		{"wide format", "question_id,acc,my_score,latency\n1,1,0.5,2.5\n", ingest.AnswerOptions{}, []string{"|1|acc||| 1", "|1|my_score||| 0.5"}, nil},
		{"letters", "id,score\na,C\nb,I\nc,correct\nd,\n", ingest.AnswerOptions{}, []string{"|a|score||| 1", "|b|score||| 0", "|c|score||| 1", "|d|score||| unscored"}, nil},
		{"truth values", "id,score\na,True\nb,False\n", ingest.AnswerOptions{}, []string{"|a|score||| 1", "|b|score||| 0"}, nil},
		{"score beside others", "id,score,acc\na,1,0\n", ingest.AnswerOptions{}, []string{"|a|score||| 1"}, []string{"acc"}},
		{"further scores", "id,score,x\na,1,0.5\n", ingest.AnswerOptions{Scores: []string{"x"}}, []string{"|a|score||| 1", "|a|x||| 0.5"}, nil},
		{"scores alone", "id,x,acc\na,1,0\n", ingest.AnswerOptions{Scores: []string{"x"}}, []string{"|a|x||| 1"}, []string{"acc"}},
		{"by hand", "who,what,points\na,t,1\n", ingest.AnswerOptions{Columns: map[string]string{"item": "who", "task": "what", "score": "points"}}, []string{"t|a|points||| 1"}, nil},
		{"another item", "id,name,score\n1,a,1\n", ingest.AnswerOptions{Columns: map[string]string{"item": "name"}}, []string{"|a|score||| 1"}, []string{"id"}},
		{"filter, turn and epoch", "id,score,filter,turn,epoch\na,1,strict,2,3\n", ingest.AnswerOptions{}, []string{"|a|score|strict|2|3 1"}, nil},
		{"18 digits", `{"id": 900000000000000001, "score": 1}` + "\n" + `{"id": "900000000000000002", "score": 0}`, ingest.AnswerOptions{}, []string{"|900000000000000001|score||| 1", "|900000000000000002|score||| 0"}, nil},
		{"an error message", "id,score,error\na,0,timeout\nb,1,\nc,0,False\n", ingest.AnswerOptions{}, []string{"|a|score||| errored", "|b|score||| 1", "|c|score||| 0"}, nil},
		{"nested scores", `{"id": 1, "scores": {"A b": 0.5}, "metadata": {"lang": "en"}}`, ingest.AnswerOptions{}, []string{"|1|A b||| 0.5"}, []string{"metadata.lang"}},
		{"slices", "id,score,slice.lang\na,1,en\nb,0,de\nc,1,de\n", ingest.AnswerOptions{}, []string{"|a|score||| 1", "|b|score||| 0", "|c|score||| 1"}, []string{"lang"}},
		{"one model", "id,model,score\na,x,1\na,y,0\n", ingest.AnswerOptions{Model: "y"}, []string{"|a|score||| 0"}, nil},
		{"duplicates stay", "id,score\na,1\na,1\na,0\n", ingest.AnswerOptions{}, []string{"|a|score||| 1", "|a|score||| 1", "|a|score||| 0"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := readAs(t, "x", tt.text, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, s.Answers, tt.want...)
			if !slices.Equal(s.AttrNames, tt.attrs) {
				t.Errorf("attributes %q, want %q", s.AttrNames, tt.attrs)
			}
		})
	}
}

func TestRecordFaults(t *testing.T) {
	tests := []struct {
		name, text string
		opt        ingest.AnswerOptions
		want       string
	}{
		{"no item", "a,score\n1,1\n", ingest.AnswerOptions{}, "--column item=COLUMN; columns are a, score"},
		{"no score", "id,latency\n1,1\n", ingest.AnswerOptions{}, "--column score=COLUMN"},
		{"no such column", "id,score\n1,1\n", ingest.AnswerOptions{Columns: map[string]string{"item": "x"}}, `no column "x" for field item; columns are id, score`},
		{"no such field", "id,score\n1,1\n", ingest.AnswerOptions{Columns: map[string]string{"itme": "id"}}, `no field "itme"`},
		{"no such score", "id,score\n1,1\n", ingest.AnswerOptions{Scores: []string{"x"}}, `no column "x" with a score`},
		{"a word for a score", "id,score\na,left\n", ingest.AnswerOptions{}, `record 1: column score holds "left": expected a number`},
		{"a word among numbers", "id,score\na,1\nb,2\nc,x\n", ingest.AnswerOptions{}, "record 3: column score holds a word among its numbers"},
		{"an item without id", "id,score\na,1\n,0\n", ingest.AnswerOptions{}, "record 2: the item has no id"},
		{"several models", "id,model,score\na,x,1\na,y,0\n", ingest.AnswerOptions{}, "several models: x, y; choose one, as in FILE#model=x"},
		{"another model", "id,model,score\na,x,1\n", ingest.AnswerOptions{Model: "y"}, `no "y" among x`},
		{"no model", "id,score\na,1\n", ingest.AnswerOptions{Model: "y"}, "does not say which model"},
		{"no records", "# a title", ingest.AnswerOptions{}, "no file of records"},
		{"a list for an item", `{"id": [1], "score": 1}`, ingest.AnswerOptions{Columns: map[string]string{"item": "id"}}, "cannot be field item"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readAs(t, "x", tt.text, tt.opt)
			wantError(t, err, tt.want)
		})
	}
}

func TestRecordNotes(t *testing.T) {
	s, err := readAs(t, "x", "id,score,status,why\na,1,weird,one\nb,0,ok,two\nc,1,ok,three\n", ingest.AnswerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantNote(t, s, "1 record had a status that says nothing here (weird)")
	wantNote(t, s, "no attributes, since they differ from item to item: why")
}

// A cluster is an attribute however many there are; any other column of as many
// words is none.
func TestRecordCluster(t *testing.T) {
	text := "id,score,cluster,other\n"
	for i := range 100 {
		id := string(rune('A'+i/26)) + string(rune('a'+i%26))
		text += id + ",1,c" + id + ",o" + id + "\n"
	}
	s, err := readAs(t, "x", text, ingest.AnswerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.AttrNames, []string{"cluster"}) || s.Answers[1].Attr[0] != "cAb" {
		t.Errorf("attributes %q, %q", s.AttrNames, s.Answers[1].Attr)
	}
}

// What a file and one beside it say of the run.
func TestRecordMeta(t *testing.T) {
	fields := []arrowio.OutField{{Name: "item_id", Kind: arrowio.Text}, {Name: "metric", Kind: arrowio.Text}, {Name: "score", Kind: arrowio.Float64}, {Name: "question", Kind: arrowio.Text}}
	cols := []arrowio.OutColumn{{Texts: []string{"a"}}, {Texts: []string{"wer"}}, {Floats: []float64{0.25}}, {Texts: []string{"what?"}}}
	meta := []ingest.KeyValue{{Key: "qualdiff.model", Value: "m"}, {Key: "qualdiff.seed", Value: "7"}, {Key: "qualdiff.higher_is_better", Value: `{"wer": false, "acc": true}`}, {Key: "other", Value: "x"}}
	s, err := readAs(t, "x", parquet(t, fields, cols, meta), ingest.AnswerOptions{KeepText: true})
	if err != nil {
		t.Fatal(err)
	}
	want := &ingest.AnswerSet{
		Model: "m", LowerIsBetter: []string{"wer"}, Fingerprint: []ingest.KeyValue{{Key: "model", Value: "m"}, {Key: "seed", Value: "7"}},
		Answers: []ingest.Answer{{Item: "a", Metric: "wer", Score: 0.25, QuestionHash: fingerprint("what?"), Text: "what?", Attr: []string{}}},
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "r.csv"), []byte("id,score\na,1\n"))
	write(t, filepath.Join(dir, "r.meta.json"), []byte(`{"qualdiff.model": "n", "limit": 5, "higher_is_better": false}`))
	l := load(t, filepath.Join(dir, "r.csv"), ingest.AnswerOptions{})
	if l.Model != "n" || fact(l.AnswerSet, "limit") != "5" || !slices.Equal(l.LowerIsBetter, []string{"score"}) {
		t.Errorf("%+v", l.AnswerSet)
	}
}

// Samples of the Open LLM Leaderboard 2 as a data set library writes them.
func TestLeaderboardV2Table(t *testing.T) {
	fields := []arrowio.OutField{
		{Name: "doc_id", Kind: arrowio.Int64}, {Name: "doc.subject", Kind: arrowio.Text}, {Name: "target", Kind: arrowio.Text}, {Name: "filter", Kind: arrowio.Text},
		{Name: "doc_hash", Kind: arrowio.Text}, {Name: "prompt_hash", Kind: arrowio.Text}, {Name: "acc_norm", Kind: arrowio.Float64},
	}
	cols := []arrowio.OutColumn{
		{Ints: []int64{0, 1, 2}}, {Texts: []string{"law", "law", "art"}}, {Texts: []string{"A", "B", "A"}}, {Texts: []string{"none", "none", "none"}},
		{Texts: []string{"h0", "h1", "h2"}}, {Texts: []string{"p0", "p1", "p2"}}, {Floats: []float64{1, 0, 1}},
	}
	s, err := readText(t, parquet(t, fields, cols, nil), ingest.AnswerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, s.Answers, "|0|acc_norm|none|| 1", "|1|acc_norm|none|| 0", "|2|acc_norm|none|| 1")
	a := s.Answers[2]
	if a.GoldHash != fingerprint("A") || a.QuestionHash != fingerprint("h2") || attr(t, s, a, "doc.subject") != "art" {
		t.Errorf("%+v, attributes %q", a, s.AttrNames)
	}
}
