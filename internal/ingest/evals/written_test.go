package evals

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestWritten reads files that were written by hand from the sources of the
// harnesses, and expects every answer. Ids of 16 hexadecimal digits are
// hashlib.sha256(text.encode() + b"\xff").hexdigest()[:16] of Python.
func TestWritten(t *testing.T) {
	tests := []struct {
		input, format string
		want          []string
		notes         []string
	}{
		{"evalplus/samples.eval_results.json", "evalplus", []string{
			"HumanEval|HumanEval/0|base|||0 1", "HumanEval|HumanEval/0|plus|||0 1", "HumanEval|HumanEval/0|base|||1 1", "HumanEval|HumanEval/0|plus|||1 0",
			"HumanEval|HumanEval/1|base|||0 0", "HumanEval|HumanEval/1|plus|||0 0", "HumanEval|HumanEval/1|base|||1 0", "HumanEval|HumanEval/1|plus|||1 0",
		}, []string{"1 sample timed out"}},
		{"evalplus/legacy_eval_results.json", "evalplus", []string{
			"HumanEval|HumanEval/0|base||| 1", "HumanEval|HumanEval/0|plus||| 0", "HumanEval|HumanEval/1|base||| 1", "HumanEval|HumanEval/1|plus||| 1",
			"HumanEval|HumanEval/2|base||| 0", "HumanEval|HumanEval/2|plus||| 0",
		}, nil},
		{"bigcodebench", "bigcodebench", []string{
			"BigCodeBench-complete-full|BigCodeBench/0|pass||| 1", "BigCodeBench-complete-full|BigCodeBench/1|pass||| 0", "BigCodeBench-complete-full|BigCodeBench/2|pass||| 0",
		}, []string{"1 task left out", "1 sample timed out"}},
		{"promptfoo/out.json#model=openai:gpt-4o", "promptfoo", []string{
			"|e1b68ea75ca7fb03|success||| 1", "|e1b68ea75ca7fb03|score||| 1", "|e1b68ea75ca7fb03|exact||| 1",
			"|1ec7789ec3b9d5cf|success||| 0", "|1ec7789ec3b9d5cf|score||| 0.5", "|1ec7789ec3b9d5cf|exact||| 0",
			"|e1b68ea75ca7fb03#2|success||| unscored", "|e1b68ea75ca7fb03#2|score||| unscored", "|e1b68ea75ca7fb03#2|exact||| unscored",
		}, []string{"1 result could not be graded"}},
		{"promptfoo/out.json#model=openai:gpt-4o-mini", "promptfoo", []string{
			"|1ec7789ec3b9d5cf|success||| 1", "|1ec7789ec3b9d5cf|score||| 1", "|1ec7789ec3b9d5cf|exact||| 1",
			"|e1b68ea75ca7fb03|success||| errored", "|e1b68ea75ca7fb03|score||| errored", "|e1b68ea75ca7fb03|exact||| errored",
		}, []string{"1 result ended in an error"}},
		{"promptfoo/out.jsonl#model=echo | p", "promptfoo", []string{
			"|e1b68ea75ca7fb03|success|||0 1", "|e1b68ea75ca7fb03|score|||0 1", "|e1b68ea75ca7fb03|success|||1 0", "|e1b68ea75ca7fb03|score|||1 0",
		}, nil},
		{"deepeval", "deepeval", []string{
			"|a15a56a84271eb1d|Correctness||| 0.9", "|a15a56a84271eb1d|Answer Relevancy||| 1",
			"|50b05cc4af70755c|Correctness||| 0.2", "|50b05cc4af70755c|Answer Relevancy||| unscored", "|fixed-7|Correctness||| 1",
		}, []string{"1 score missing because the judge failed"}},
		{"openai/2306_run.jsonl", "openai-evals", []string{
			"sums|sums.dev.2|match||| 1", "sums|sums.dev.0|match||| 0", "sums|sums.dev.0|score||| 0.25", "sums|sums.dev.0|metascore||| unscored",
			"sums|sums.dev.1|match||| errored", "sums|sums.dev.1|score||| errored", "sums|sums.dev.1|metascore||| errored",
			"sums|sums.dev.3|match||| unscored", "sums|sums.dev.3|score||| unscored", "sums|sums.dev.3|metascore||| unscored",
		}, nil},
		{"openai/output_items.jsonl", "openai-evals-api", []string{
			"eval_1|5|String check||| 1", "eval_1|5|Tone||| 0", "eval_1|6|String check||| errored", "eval_1|6|Tone||| errored",
		}, nil},
		{"mt_bench/gpt-4_single.jsonl#model=vicuna-a", "mt-bench", []string{
			"mt_bench|81|score|gpt-4|1| 9", "mt_bench|81|score|gpt-4|2| 7.5", "mt_bench|82|score|gpt-4|2| unscored", "mt_bench|82|score|gpt-4|1| 10",
		}, []string{"1 answer judged again", "1 judgment failed"}},
		{"arena", "arena-hard", []string{
			"arena_hard|u1|win_share|gpt-4.1|| 1", "arena_hard|u2|win_share|gpt-4.1|| 0.5", "arena_hard|u3|win_share|gpt-4.1|| unscored", "arena_hard|u4|win_share|gpt-4.1|| 0.5",
		}, []string{"1 question had a game without", "1 question had no verdict"}},
		{"nemo", "nemo-evaluator", []string{
			"sums|1|reward|||0 1", "sums|1|exact|||0 1", "sums|0|reward|||0 0.5", "sums|0|exact|||0 0",
			"sums|0|reward|||1 unscored", "sums|0|exact|||1 1", "sums|1|reward|||1 unscored", "sums|1|exact|||1 1",
		}, []string{"1 reward came from a judge that failed"}},
		{"opencompass/results/model-a/gsm8k.json", "opencompass", []string{
			"gsm8k|gsm8k_0|correct|||0 1", "gsm8k|gsm8k_0|correct|||1 1", "gsm8k|gsm8k_1|correct|||0 0", "gsm8k|gsm8k_1|correct|||1 1",
		}, nil},
		{"opencompass/results/model-a/mmlu_law.json", "opencompass", []string{"mmlu_law|0|correct||| 1", "mmlu_law|1|correct||| 0"}, nil},
		{"swe/org__agent.run7.json", "swe-bench", []string{
			"|django__django-1|resolved||| 1", "|django__django-2|resolved||| 0", "|django__django-4|resolved||| 0", "|psf__requests-3|resolved||| 0", "|sympy__sympy-5|resolved||| errored",
		}, []string{"1 instance had an empty patch"}},
		{"swe/logs", "swe-bench", []string{"|django__django-1|resolved||| 1", "|django__django-2|resolved||| 0"}, nil},
		{"lm-eval/v0.4.2", "lm-eval", []string{"|0|acc||| 1", "|1|acc||| 0"}, nil},
		{"lm-eval/v0.4.5", "lm-eval", []string{
			"gsm8k|0|exact_match|#1|| 1", "gsm8k|1|exact_match|#1|| 0", "gsm8k|0|exact_match|#2|| 1", "gsm8k|1|exact_match|#2|| 1",
		}, []string{"does not name its filters", "1 answer could not be extracted"}},
		{"lm-eval/v0.4.13", "lm-eval", []string{
			"mixed|0|prompt_level_strict_acc|none|| 1", "mixed|0|inst_level_strict_acc|none|| 0.75", "mixed|0|brier|none|| unscored",
			"mixed|1|prompt_level_strict_acc|none|| 0", "mixed|1|inst_level_strict_acc|none|| 0", "mixed|1|brier|none|| unscored",
		}, []string{"f1 holds lists or pairs", "word_perplexity holds lists or pairs", "bypass scores nothing", "inst_level_strict_acc is a list of truth values", "2 scores of brier null"}},
		{"exports/langsmith.csv", "records", []string{
			"|11111111-0000-0000-0000-000000000001|correctness||| 1", "|11111111-0000-0000-0000-000000000001|tone||| 0.5",
			"|11111111-0000-0000-0000-000000000002|correctness||| 0", "|11111111-0000-0000-0000-000000000002|tone||| unscored",
			"|11111111-0000-0000-0000-000000000003|correctness||| errored", "|11111111-0000-0000-0000-000000000003|tone||| errored",
		}, nil},
		{"exports/braintrust.jsonl", "records", []string{
			"|row-1|Factuality||| 0.6", "|row-1|Exact||| 1", "|row-2|Factuality||| unscored", "|row-2|Exact||| 0", "|row-3|Factuality||| errored", "|row-3|Exact||| errored",
		}, nil},
		{"exports/ragas.csv", "records", []string{
			"|57c913ecfd829c42|faithfulness||| 0.5", "|57c913ecfd829c42|answer_relevancy||| 0.75", "|50b05cc4af70755c|faithfulness||| unscored", "|50b05cc4af70755c|answer_relevancy||| 0.25",
			"|57c913ecfd829c42#2|faithfulness||| 1", "|57c913ecfd829c42#2|answer_relevancy||| unscored",
		}, []string{"items are known by the text"}},
	}
	for _, tt := range tests {
		t.Run(tt.input, func(t *testing.T) {
			s := load(t, "testdata/written/"+tt.input, ingest.AnswerOptions{})
			if s.Files[0].Format != tt.format {
				t.Errorf("read as %s, want %s", s.Files[0].Format, tt.format)
			}
			wantLines(t, s.Answers, tt.want...)
			for _, n := range tt.notes {
				wantNote(t, s.AnswerSet, n)
			}
		})
	}
}

// TestWrittenRuns expects what the files say of a run.
func TestWrittenRuns(t *testing.T) {
	kv := func(pairs ...string) (out []ingest.KeyValue) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, ingest.KeyValue{Key: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	tests := []struct {
		input string
		want  ingest.AnswerSet // without answers and notes
	}{
		{"lm-eval/v0.4.13", ingest.AnswerSet{Model: "org/m", AttrNames: []string{"prompt"}, LowerIsBetter: []string{"brier"}, Fingerprint: kv(
			"git_hash", "abc", "limit", "2.0", "lm_eval_version", "0.4.13", "model", "org/m", "model_args", `{"pretrained":"org/m","dtype":"auto"}`,
			"n_shot.mixed", "0", "prompts.mixed", "f1b7ce32aebe0f55", "random_seed", "0", "version.mixed", "2.0")}},
		{"nemo", ingest.AnswerSet{Model: "org/m", AttrNames: []string{"category"}, Fingerprint: kv("config.model", "org/m", "config.temperature", "0.0", "model", "org/m")}},
		{"deepeval", ingest.AnswerSet{AttrNames: []string{"topic", "id"}, Fingerprint: kv(
			"hyperparameters.model", "m-1", "hyperparameters.temperature", "0", "judge.Answer Relevancy", "judge-1", "judge.Correctness", "judge-1")}},
		{"swe/org__agent.run7.json", ingest.AnswerSet{Model: "org/agent", AttrNames: []string{"repo"}, Fingerprint: kv("model", "org/agent"), Universe: [][2]string{
			{"", "django__django-1"}, {"", "django__django-2"}, {"", "django__django-4"}, {"", "psf__requests-3"}, {"", "sympy__sympy-5"}, {"", "sympy__sympy-6"}}}},
		{"openai/2306_run.jsonl", ingest.AnswerSet{Model: "gpt-4", Fingerprint: kv(
			"created", "2023-06-01 10:00:00", "eval_name", "sums.dev.v0", "model", "gpt-4", "run_config", `{"seed":20220722}`, "split", "dev")}},
		{"mt_bench/gpt-4_single.jsonl#model=vicuna-b", ingest.AnswerSet{Model: "vicuna-b", AttrNames: []string{"question_id"}, Fingerprint: kv("model", "vicuna-b")}},
		{"arena", ingest.AnswerSet{Model: "model-x", AttrNames: []string{"category"}, Fingerprint: kv("compared_with", "o3-mini", "model", "model-x")}},
	}
	for _, tt := range tests {
		t.Run(tt.input, func(t *testing.T) {
			got := *load(t, "testdata/written/"+tt.input, ingest.AnswerOptions{}).AnswerSet
			got.Answers, got.Notes = nil, nil
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestAggregates refuses files that hold no answers, and says what would.
func TestAggregates(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"lm-eval", "testdata/lm-eval/mmlu_pro_plus/results_2025-10-14T14-44-39.372006.json", "--log_samples"},
		{"every_eval_ever", "testdata/every_eval_ever/98ea850e-7019-4728-a558-8b1819ec47c2.json", "*_samples.jsonl"},
		{"helm", "testdata/helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2/run_spec.json", "per_instance_stats.json"},
		{"inspect", "testdata/inspect/analysis-test_logs-2025-05-12T20-28-13-04-00_no-samples.json", "--log-samples"},
		{"inspect with NaN", "testdata/inspect/log-test_eval_log-log_with_nan.txt", "--log-samples"},
		{"bigcodebench", "testdata/written/bigcodebench/m--main--bigcodebench-complete--vllm-0.0-1-sanitized_calibrated_pass_at_k.json", "_eval_results.json"},
		{"mt-bench pairs", "testdata/written/mt_bench/gpt-4_pair.jsonl", "--mode single"},
		{"nemo", "testdata/written/nemo/eval-20250601.json", "results.jsonl"},
		{"opencompass", "testdata/written/opencompass/predictions/model-a/mmlu_law.json", "--dump-eval-details"},
		{"opencompass without correct", "testdata/written/opencompass/results/model-a/summary_bleu.json", "says whether the answer is correct"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantError(t, loadError(t, tt.input, ingest.AnswerOptions{}), tt.input+": ", tt.want)
		})
	}
	texts := []struct{ name, text, want string }{
		{"lighteval", `{"config_general": {"model_name": "m"}, "results": {"all": {}}, "versions": {}, "config_tasks": {}}`, "--save-details"},
		{"helm stats", `[{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 1}]`, "per_instance_stats.json"},
		{"helm requests", `{"adapter_spec": {}, "request_states": []}`, "per_instance_stats.json"},
		{"swe-bench predictions", `{"instance_id": "a__b-1", "model_name_or_path": "m", "model_patch": "diff"}`, "run_evaluation"},
		{"simple-evals", `{"score": 0.5, "metrics": {}, "htmls": [], "convos": []}`, "HTML"},
		{"mlperf", `[{"seq_id": 0, "qsl_idx": 3, "data": "00"}]`, "accuracy script"},
		{"evalscope report", `{"name": "a@b", "dataset_name": "b", "model_name": "a", "metrics": []}`, "reviews/"},
	}
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readText(t, tt.text, ingest.AnswerOptions{})
			wantError(t, err, tt.want)
		})
	}
}
