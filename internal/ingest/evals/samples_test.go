package evals

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	copaBefore = "testdata/lm-eval/copa/sshleifer__tiny-gpt2"
	copaAfter  = "testdata/lm-eval/copa/hf-internal-testing__tiny-random-gpt2"
	humanEval  = "testdata/human-eval/rex.hEvalTest35_noExp_1dPro_1CPT_500Tkns_"
	mmluPro    = "testdata/mmlu-pro/compact_Mistral-7B-v0."
)

// TestSamples counts what is in real files. The counts and means were computed
// from the same files by a few lines of Python that read only the score.
func TestSamples(t *testing.T) {
	tests := []struct {
		name, input, format, model string
		want                       map[string]summary
		attrs                      []string
	}{
		{"lm-eval before", copaBefore, "lm-eval", "sshleifer/tiny-gpt2", map[string]summary{"copa/acc/none": {20, 0.6}}, []string{"question", "label"}},
		{"lm-eval after", copaAfter, "lm-eval", "hf-internal-testing/tiny-random-gpt2", map[string]summary{"copa/acc/none": {20, 0.8}}, []string{"question", "label"}},
		{"lm-eval two metrics", "testdata/lm-eval/arc_easy", "lm-eval", "", map[string]summary{"arc_easy/acc/none": {5, 0.2}, "arc_easy/acc_norm/none": {5, 0.2}}, []string{"answerKey"}},
		{"lm-eval results beside", "testdata/lm-eval/mmlu_pro_plus/samples_mmlu_pro_plus_chemistry_2025-10-14T14-44-39.372006.jsonl", "lm-eval", "/workspace/gemma3_12b_u2",
			map[string]summary{"mmlu_pro_plus_chemistry/exact_match/custom-extract": {3, 1. / 3}}, []string{"category", "src"}},
		{"inspect log", "testdata/inspect/analysis-test_logs-2025-05-12T20-28-13-04-00_popularity.json", "inspect", "openai/gpt-4o-mini", map[string]summary{"popularity/match/": {3, 2. / 3}}, nil},
		{"inspect judge", "testdata/inspect/analysis-test_logs-2025-05-12T20-28-26-04-00_security-guide.json", "inspect", "openai/gpt-4o-mini", map[string]summary{"security_guide/model_graded_fact/": {3, 1}}, nil},
		{"inspect archive", "testdata/inspect/log-test_eval_log-log_read_sample.eval", "inspect", "ollama/gemma3", map[string]summary{"popularity/match/": {1, 1}}, nil},
		{"inspect old archive", "testdata/inspect/log-test_eval_log-log_formats.eval", "inspect", "ollama/llama3.1", map[string]summary{"popularity/match/": {1, 0}}, nil},
		{"inspect choices", "testdata/inspect/analysis-test_logs_choices-mmlu-summary-choices.eval", "inspect", "openai/gpt-4o", map[string]summary{"inspect_evals/mmlu_0_shot/choice/": {1, 0}}, []string{"subject"}},
		{"inspect pair, before", "testdata/inspect/eee-data_arc_qwen.json", "inspect", "ollama/qwen2.5:0.5b", map[string]summary{"inspect_evals/arc_easy/choice/": {3, 1. / 3}}, nil},
		{"inspect pair, after", "testdata/inspect/eee-data_arc_sonnet.json", "inspect", "anthropic/claude-sonnet-4-0", map[string]summary{"inspect_evals/arc_easy/choice/": {5, 1}}, nil},
		{"helm", "testdata/helm", "helm", "openai/gpt2", helmWant, []string{"instance_id", "split"}},
		{"every_eval_ever", "testdata/every_eval_ever", "every-eval-ever", "demo-org/demo-model", map[string]summary{"demo-source.demo_bench/accuracy/": {1, 1}}, []string{"subject", "interaction_type"}},
		{"human-eval", humanEval + "1SPT_Samples.jsonl_results.jsonl", "humaneval", "", map[string]summary{"HumanEval/pass/": {164, 108. / 164}}, nil},
		{"human-eval again", humanEval + "1SPT1_Samples.jsonl_results.jsonl", "humaneval", "", map[string]summary{"HumanEval/pass/": {164, 106. / 164}}, nil},
		{"human-eval repeats", humanEval + "10SPT_Samples.jsonl_results.jsonl", "humaneval", "", map[string]summary{"HumanEval/pass/": {1640, 1078. / 1640}}, nil},
		{"mmlu-pro before", mmluPro + "1_5shots.jsonl.gz", "mmlu-pro", "", map[string]summary{"mmlu_pro/acc/": {12032, 3582. / 12032}}, []string{"src", "category"}},
		{"mmlu-pro after", mmluPro + "2-hf_5shots.jsonl.gz", "mmlu-pro", "", map[string]summary{"mmlu_pro/acc/": {12032, 3510. / 12032}}, []string{"src", "category"}},
		{"swe-bench", "testdata/swe-bench/auto-code-rover-run-1.report.json", "swe-bench", "", map[string]summary{"/resolved/": {249, 54. / 249}}, []string{"repo"}},
		{"evalscope before", "testdata/evalscope/reviews/qwen-plus", "evalscope", "qwen-plus", map[string]summary{
			"gsm8k_main/acc/":                     {10, 1},
			"ifeval_default/prompt_level_strict/": {10, 0.9}, "ifeval_default/inst_level_strict/": {10, 0.96666666666666667},
			"ifeval_default/prompt_level_loose/": {10, 0.9}, "ifeval_default/inst_level_loose/": {10, 0.96666666666666667}}, nil},
		{"evalscope after", "testdata/evalscope/reviews/qwen3-max/ifeval_default.jsonl", "evalscope", "qwen3-max", map[string]summary{
			"ifeval_default/prompt_level_strict/": {10, 0.8}, "ifeval_default/inst_level_strict/": {10, 0.86666666666666667},
			"ifeval_default/prompt_level_loose/": {10, 0.9}, "ifeval_default/inst_level_loose/": {10, 0.96666666666666667}}, nil},
		{"alpaca before", "testdata/alpaca_eval/annotations.gpt-3.5-turbo-1106.56.json", "alpaca-eval", "gpt-3.5-turbo-1106",
			map[string]summary{"alpaca_eval/preference/weighted_alpaca_eval_gpt4_turbo": {56, 0.03403201789642856}}, []string{"dataset"}},
		{"alpaca after", "testdata/alpaca_eval/annotations.gpt-3.5-turbo-1106_concise.56.json", "alpaca-eval", "gpt-3.5-turbo-1106_concise",
			map[string]summary{"alpaca_eval/preference/weighted_alpaca_eval_gpt4_turbo": {56, 0.019421432592857144}}, []string{"dataset"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := load(t, tt.input, ingest.AnswerOptions{})
			if s.Files[0].Format != tt.format || s.Model != tt.model {
				t.Errorf("read as %s of model %q, want %s of %q", s.Files[0].Format, s.Model, tt.format, tt.model)
			}
			wantSummaries(t, s.Answers, tt.want)
			for _, name := range tt.attrs {
				if !slices.Contains(s.AttrNames, name) {
					t.Errorf("attributes %q, want %s among them", s.AttrNames, name)
				}
			}
		})
	}
}

var helmWant = func() map[string]summary {
	m := map[string]summary{}
	for _, name := range []string{"exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"} {
		for _, k := range []string{name, name + "@5"} {
			m["mmlu:subject=philosophy,method=multiple_choice_joint/"+k+"/"] = summary{10, 0.1}
		}
	}
	return m
}()

// LiveBench keeps three models in a file and a file for each task. The counts
// are of the 8 tasks here; the whole run has 18.
func TestLiveBench(t *testing.T) {
	const a = "zft-community-8b-bs4"
	err := loadError(t, "testdata/livebench", ingest.AnswerOptions{})
	wantError(t, err, "several models", a+"-02", "#model="+a)
	for model, mean := range map[string]float64{a: 0.2063911953775864, a + "-02": 0.31653751359339155, a + "-03": 0.17710482677249437} {
		s := load(t, "testdata/livebench#model="+model, ingest.AnswerOptions{})
		sum, tasks := 0.0, map[string]int{}
		for _, x := range s.Answers {
			sum += x.Score
			tasks[x.Task]++
		}
		if s.Model != model || len(s.Answers) != 410 || math.Abs(sum/410-mean) > tolerance {
			t.Errorf("%s: model %q, %d answers with the mean %v, want 410 with %v", model, s.Model, len(s.Answers), sum/410, mean)
		}
		if len(tasks) != 8 || tasks["AMPS_Hard"] != 100 || tasks["typos"] != 50 {
			t.Errorf("tasks %v", tasks)
		}
		if c := attr(t, s.AnswerSet, s.Answers[0], "category"); c != "coding" {
			t.Errorf("category %q", c)
		}
	}
	err = loadError(t, "testdata/livebench#model=nobody", ingest.AnswerOptions{})
	wantError(t, err, `no "nobody" among`)
}

// outcomes counts how a pair of answers changed, items that only one side has
// being wrong on the other.
func outcomes(before, after []ingest.Answer, in func(item string) bool) (n, lost, gained int) {
	type pair struct{ a, b float64 }
	pairs := map[string]*pair{}
	at := func(x ingest.Answer) *pair {
		k := strings.Join([]string{x.Task, x.Item, x.Metric, x.Filter}, "|")
		if pairs[k] == nil {
			pairs[k] = &pair{}
		}
		return pairs[k]
	}
	for _, x := range before {
		if in == nil || in(x.Item) {
			at(x).a = x.Score
		}
	}
	for _, x := range after {
		if in == nil || in(x.Item) {
			at(x).b = x.Score
		}
	}
	for _, p := range pairs {
		switch {
		case p.a > p.b:
			lost++
		case p.a < p.b:
			gained++
		}
	}
	return len(pairs), lost, gained
}

// TestPairs verifies that the items of two files pair: how many answers were
// lost and gained. Sources: the README of the errorbars fixtures for COPA;
// counts over the same files in Python for the others.
func TestPairs(t *testing.T) {
	tests := []struct {
		name, before, after string
		n, lost, gained     int
	}{
		{"COPA", copaBefore, copaAfter, 20, 2, 6},
		{"MMLU-Pro", mmluPro + "1_5shots.jsonl.gz", mmluPro + "2-hf_5shots.jsonl.gz", 12032, 1073, 1001},
		{"HumanEval", humanEval + "1SPT_Samples.jsonl_results.jsonl", humanEval + "1SPT1_Samples.jsonl_results.jsonl", 164, 2, 0},
		{"LiveBench 02", "testdata/livebench#model=zft-community-8b-bs4", "testdata/livebench#model=zft-community-8b-bs4-02", 410, 45, 99},
		{"LiveBench 03", "testdata/livebench#model=zft-community-8b-bs4", "testdata/livebench#model=zft-community-8b-bs4-03", 410, 55, 36},
		{"evalscope", "testdata/evalscope/reviews/qwen-plus/gsm8k_main.jsonl", "testdata/evalscope/reviews/qwen3-max/gsm8k_main.jsonl", 10, 0, 0},
		{"AlpacaEval", "testdata/alpaca_eval/annotations.gpt-3.5-turbo-1106.56.json", "testdata/alpaca_eval/annotations.gpt-3.5-turbo-1106_concise.56.json", 56, 40, 16},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := load(t, tt.before, ingest.AnswerOptions{}), load(t, tt.after, ingest.AnswerOptions{})
			n, lost, gained := outcomes(a.Answers, b.Answers, nil)
			if n != tt.n || lost != tt.lost || gained != tt.gained {
				t.Errorf("%d pairs, %d lost, %d gained; want %d, %d, %d", n, lost, gained, tt.n, tt.lost, tt.gained)
			}
			hashes := map[string][2]uint64{}
			for _, x := range a.Answers {
				hashes[x.Task+"|"+x.Item] = [2]uint64{x.GoldHash, x.QuestionHash}
			}
			for _, x := range b.Answers {
				if h, ok := hashes[x.Task+"|"+x.Item]; !ok || h != [2]uint64{x.GoldHash, x.QuestionHash} {
					t.Fatalf("%s %s: gold and question %x, the other file has %x", x.Task, x.Item, [2]uint64{x.GoldHash, x.QuestionHash}, h)
				}
			}
		})
	}
}

// TestSWEBenchUniverse: the reports list 249 and 238 of 300 instances; 216 are
// in both. With the ids that should be there the rates are 0.18 and 0.19, and
// 16 instances were lost and 19 gained; over the shared ids alone the rate
// would be 0.245.
func TestSWEBenchUniverse(t *testing.T) {
	dir := "testdata/swe-bench"
	a := load(t, filepath.Join(dir, "auto-code-rover-run-1.report.json"), ingest.AnswerOptions{})
	b := load(t, filepath.Join(dir, "auto-code-rover-run-2.report.json"), ingest.AnswerOptions{})
	var l Loader
	ids, err := l.Universe(t.Context(), filepath.Join(dir, "universe.SWE-bench_Lite_golden.report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) != 323 {
		t.Fatalf("%d ids, want 300 of the test split and 23 of the other", len(ids))
	}
	dev := []string{"sqlfluff/sqlfluff", "marshmallow-code/marshmallow", "pvlib/pvlib-python", "pylint-dev/astroid", "pyvista/pyvista", "pydicom/pydicom"}
	test, repos := map[string]bool{}, map[string]int{}
	for _, id := range ids {
		if repo := sweRepo(id[1]); !slices.Contains(dev, repo) {
			test[id[1]] = true
			repos[repo]++
		}
	}
	if len(test) != 300 || len(repos) != 12 || repos["django/django"] != 114 {
		t.Errorf("%d ids in %d repositories, %d of django, want 300 in 12, 114", len(test), len(repos), repos["django/django"])
	}
	right := func(s *Side) (n, listed int, in map[string]bool) {
		in = map[string]bool{}
		for _, x := range s.Answers {
			if !test[x.Item] {
				t.Errorf("%s is in no split", x.Item)
			}
			in[x.Item] = x.Score == 1
			listed++
			if x.Score == 1 {
				n++
			}
		}
		return n, listed, in
	}
	na, la, ina := right(a)
	nb, lb, inb := right(b)
	if na != 54 || nb != 57 || la != 249 || lb != 238 {
		t.Errorf("%d of %d and %d of %d resolved, want 54 of 249 and 57 of 238", na, la, nb, lb)
	}
	shared, rightShared := 0, 0
	for id, r := range ina {
		if _, ok := inb[id]; ok {
			shared++
			if r {
				rightShared++
			}
		}
	}
	if shared != 216 || math.Abs(float64(rightShared)/216-0.24537037037037038) > tolerance {
		t.Errorf("%d shared ids, %d right, want 216 with 0.245", shared, rightShared)
	}
	if _, lost, gained := outcomes(a.Answers, b.Answers, nil); lost != 16 || gained != 19 {
		t.Errorf("%d lost, %d gained, want 16, 19", lost, gained)
	}
	if r := attr(t, a.AnswerSet, a.Answers[0], "repo"); r != sweRepo(a.Answers[0].Item) || r == "" {
		t.Errorf("repo %q of %s", r, a.Answers[0].Item)
	}
	wantNote(t, a.AnswerSet, "--universe")
}

// HumanEval has 10 samples of each task and no number for them; of 160 of the
// 164 tasks all samples agree.
func TestHumanEvalRepeats(t *testing.T) {
	s := load(t, humanEval+"10SPT_Samples.jsonl_results.jsonl", ingest.AnswerOptions{})
	right, repeats := map[string]int{}, map[string]bool{}
	for _, a := range s.Answers {
		right[a.Item] += int(a.Score)
		repeats[a.Item+"/"+a.Repeat] = true
	}
	same := 0
	for _, n := range right {
		if n == 0 || n == 10 {
			same++
		}
	}
	if len(right) != 164 || len(repeats) != 1640 || same != 160 {
		t.Errorf("%d tasks, %d repeats, %d tasks without variation; want 164, 1640, 160", len(right), len(repeats), same)
	}
	wantNote(t, s.AnswerSet, "10 samples timed out")
}

// The notes name what no score shows.
func TestMMLUProNotes(t *testing.T) {
	for v, n := range map[string]string{"1_5shots.jsonl.gz": "1251 ", "2-hf_5shots.jsonl.gz": "1334 "} {
		s := load(t, mmluPro+v, ingest.AnswerOptions{})
		wantNote(t, s.AnswerSet, n+"answers could not be extracted")
	}
}
