package harness

import (
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The wanted numbers were computed from the files by a few lines of Python
// each, apart from this code; those of a harness that writes its own aggregates
// agree with them.

func TestVLLMSamples(t *testing.T) {
	for _, c := range []struct {
		file                 string
		rows, ok             int64
		ttft, tpotMS, gapsMS float64
		cols                 string
	}{
		{"vllm/gen_vllm-legacy_before.json", 200, 187, 0.056308, 15.647, 15.666,
			"stage status error ttft_s e2e_s prompt_tokens output_tokens rate itl_s"},
		{"vllm/gen_vllm-legacy_after_slower15pct.json", 200, 187, 0.062073, 18.055, 18.019,
			"stage status error ttft_s e2e_s prompt_tokens output_tokens rate itl_s"},
		{"vllm/gen_vllm-2026_maxconc8_before.json", 150, 140, 0.052748, 13.176, 13.120,
			"stage status error start scheduled ttft_s e2e_s prompt_tokens output_tokens concurrency rate itl_s"},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := open(t, "vllm", sample(t, c.file))
			r := load(t, s)
			equal(t, "rows", r.Total(), c.rows)
			equal(t, "ok", r.Of(ingest.OK), c.ok)
			equal(t, "failed", r.Of(ingest.Failed), c.rows-c.ok)
			near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), c.ttft, 1e-6)
			near(t, "mean TPOT ms", 1e3*mean(r.tpot), c.tpotMS, 1e-3)
			near(t, "mean gap ms", 1e3*mean(r.gaps), c.gapsMS, 1e-3)
			equal(t, "columns", strings.Join(names(s), " "), c.cols)
			equal(t, "model", meta(s, "fingerprint.model"), "loopback/mock-8b")
			equal(t, "kind of gaps", meta(s, "fingerprint.gap_kind"), "token")
			equal(t, "notes", len(notes(s)), 0)
		})
	}
}

// Of the 13 failures of the legacy file, 10 have a first-token time of zero and
// 3 broke off in the middle of the stream, with a first-token time and gaps.
func TestVLLMFailuresHaveNoLatency(t *testing.T) {
	s := open(t, "vllm", sample(t, "vllm/gen_vllm-legacy_before.json"))
	src := s.(*runsSource)
	var w row
	zero, midway := 0, 0
	for i := range src.rows {
		w.reset()
		src.runs[0].fill(&w, int(i))
		if string(w.text[colStatus]) == statusOK {
			continue
		}
		if w.has.has(colE2E) {
			t.Errorf("request %d failed and has a latency", i)
		}
		if w.has.has(colTTFT) {
			midway++
		} else {
			zero++
		}
	}
	equal(t, "failures without a first token", zero, 10)
	equal(t, "failures in the middle of the stream", midway, 3)
}

func TestSGLangSamples(t *testing.T) {
	s := open(t, "sglang", sample(t, "sglang/gen_sglang_native_before.jsonl"))
	r := load(t, s)
	equal(t, "rows", r.Total(), 300)
	equal(t, "ok", r.Of(ingest.OK), 141+150)
	noteWith(t, s, "run 1: the file says that 144 requests completed; by their errors, lengths and times 141 of 150 did")
	equal(t, "model", meta(s, "fingerprint.model"), "loopback/mock-8b")
	equal(t, "version", meta(s, "fingerprint.version"), "mock")
	// The file's own mean of the first run has three zeros in it.
	near(t, "mean TTFT of run 1", mean(r.cols[ingest.TTFT][:141])*141/144, 0.0423, 1e-4)
	near(t, "mean TTFT of run 2", mean(r.cols[ingest.TTFT][141:]), 0.0435, 1e-4)
	near(t, "mean TPOT ms of run 2", 1e3*mean(r.tpot[141:]), 15.515, 1e-3) // the file: 15.516, up to the end of the stream
	equal(t, "first run", r.all[ingest.Run][0], "sglang/gen_sglang_native_before.jsonl#1 rep0")
	equal(t, "last run", r.all[ingest.Run][299], "sglang/gen_sglang_native_before.jsonl#2 rep1")
	equal(t, "partitions", s.Partitions(), 2)
	requested := 0
	for i, e := range r.all[ingest.Error] {
		if e == "the answer is empty: no first token" {
			equal(t, "status", r.all[ingest.Status][i], "incomplete")
			requested++
		}
	}
	equal(t, "empty answers that the file calls successes", requested, 3)
}

func TestAIPerfSamples(t *testing.T) {
	s := open(t, "aiperf", sample(t, "aiperf/profile_export.0.1-dev-ttft-keys.jsonl"))
	r := load(t, s)
	equal(t, "rows", r.Total(), 100)
	equal(t, "ok", r.Of(ingest.OK), 89)
	equal(t, "cancelled", r.Counts[ingest.FailedCancelled], 11)
	// avg of profile_export_aiperf.json: 2343.219436988764 ms
	near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), 2.343219, 1e-6)
	near(t, "mean latency", mean(r.cols[ingest.E2E]), 9.05965, 1e-5)
	near(t, "mean TPOT ms", 1e3*mean(r.tpot), 27.76, 1e-2)
	near(t, "mean tokens", mean(r.cols[ingest.OutputTokens]), 242.97, 1e-2)
	if c := names(s); !strings.Contains(strings.Join(c, " "), "chunk_gap_s") {
		t.Errorf("columns %v: gaps between chunks should be chunk_gap_s", c)
	}

	s = open(t, "aiperf", sample(t, "aiperf/derived_profile_export.current-schema.jsonl"))
	r = load(t, s)
	equal(t, "warm-up", r.Counts[ingest.WarmupPhase], 3)
	equal(t, "ok", r.Of(ingest.OK), 87)
	equal(t, "cancelled", r.Counts[ingest.FailedCancelled], 10)
	for _, name := range names(s) {
		if name == "scheduled" {
			t.Error("the file has no intended times and the source lists some")
		}
	}
}

func TestLLMPerfSamples(t *testing.T) {
	for _, c := range []struct {
		file      string
		rows, ok  int64
		ttft, e2e float64
		digit     float64
	}{
		{"llmperf/yi34b_tgi_c1_individual_responses.json", 83, 83, 0.59288, 7.180, 1e-5},
		{"llmperf/yi34b_vllm_c1_individual_responses.json", 80, 80, 0.58693, 7.439, 1e-5},
		{"llmperf/yi34b_tgi_c16_individual_responses.json", 112, 112, 6.05637, 17.633, 1e-5},
		{"llmperf/yi34b_vllm_c16_individual_responses.json", 112, 112, 5.36765, 18.070, 1e-5},
		{"llmperf/leaderboard2023_bedrock_70b_individual.json", 150, 101, 0.40837, 7.058, 1e-5},
	} {
		t.Run(c.file, func(t *testing.T) {
			r := load(t, open(t, "llmperf", sample(t, c.file)))
			equal(t, "rows", r.Total(), c.rows)
			equal(t, "ok", r.Of(ingest.OK), c.ok)
			equal(t, "failed", r.Of(ingest.Failed), c.rows-c.ok)
			near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), c.ttft, c.digit)
			near(t, "mean latency", mean(r.cols[ingest.E2E]), c.e2e, 1e-3)
		})
	}
}

func TestDistServeSamples(t *testing.T) {
	for _, c := range []struct {
		file         string
		ttft, tpotMS float64
	}{
		{"distserve/opt13b_sharegpt_vllm-100-1.converted.json", 0.161200, 34.247},
		{"distserve/opt13b_sharegpt_distserve-100-1.converted.json", 0.093342, 27.803},
	} {
		r := load(t, open(t, "distserve", sample(t, c.file)))
		equal(t, "ok", r.Of(ingest.OK), 100)
		equal(t, "rows", r.Total(), 100)
		near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), c.ttft, 1e-6)
		near(t, "mean TPOT ms", 1e3*mean(r.tpot), c.tpotMS, 1e-3)
	}
}

func TestLMBenchmarkSample(t *testing.T) {
	r := load(t, open(t, "lmbenchmark", sample(t, "lmbenchmark/sharegpt_test_output_3.csv")))
	equal(t, "rows", r.Total(), 252)
	equal(t, "ok", r.Of(ingest.OK), 252)
	near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), 0.137509, 1e-6)
	near(t, "mean latency", mean(r.cols[ingest.E2E]), 9.80979, 1e-5)
}

func TestVegetaSamples(t *testing.T) {
	for _, c := range []struct {
		file, attack string
		latencyMS    float64
	}{
		{"vegeta/gen_vegeta_before.csv", "before", 23.32},
		{"vegeta/gen_vegeta_after_slower15pct.csv", "after_slower15pct", 26.51},
	} {
		r := load(t, open(t, "vegeta", sample(t, c.file)))
		equal(t, "rows", r.Total(), 300)
		equal(t, "ok", r.Of(ingest.OK), 290)
		equal(t, "failed", r.Of(ingest.Failed), 10)
		near(t, "mean latency ms", 1e3*mean(r.cols[ingest.Latency]), c.latencyMS, 1e-2)
		equal(t, "run", r.all[ingest.Run][0], c.file+"#"+c.attack)
	}
}

func TestK6Samples(t *testing.T) {
	for _, c := range []struct {
		file      string
		latencyMS float64
	}{
		{"k6/gen_k6_before.csv", 23.04},
		{"k6/gen_k6_before.json", 23.04},
		{"k6/gen_k6_after_slower15pct.csv", 26.54},
	} {
		r := load(t, open(t, "k6", sample(t, c.file)))
		equal(t, "rows", r.Total(), 61)
		equal(t, "ok", r.Of(ingest.OK), 59)
		equal(t, "failed", r.Of(ingest.Failed), 2)
		near(t, "mean latency ms", 1e3*mean(r.cols[ingest.Latency]), c.latencyMS, 1e-2)
	}
}

func TestInferencePerfSample(t *testing.T) {
	s := open(t, "inference-perf", sample(t, "inference-perf/v0.5.0_per_request_lifecycle_metrics.json"))
	r := load(t, s)
	equal(t, "rows", r.Total(), 6)
	equal(t, "ok", r.Of(ingest.OK), 5)
	equal(t, "failed", r.Of(ingest.Failed), 1)
	// The times of the fixture are start + k·d for the k-th chunk: 1/9, 1/10,
	// 1.2/7, 1/9 and 1.5/11 s to the first.
	near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), (1.0/9+0.1+1.2/7+1.0/9+1.5/11)/5, 1e-8)
	noteWith(t, s, "which stage of the load")
}

func TestGenAIPerfSamples(t *testing.T) {
	dir := "genai-perf/fixture_"
	s := open(t, "genai-perf", sample(t, dir+"openai_profile_data.profile_export.json"))
	r := load(t, s)
	// Request 1 was sent at 1 and its first content came at 5, the last at 12:
	// the message of a role only at 3 is none. Request 2: 2, 7, 15.
	if got, want := r.cols[ingest.TTFT], []float64{4e-9, 5e-9}; got[0] != want[0] || got[1] != want[1] {
		t.Errorf("TTFT %v, want %v", got, want)
	}
	if got, want := r.cols[ingest.E2E], []float64{11e-9, 13e-9}; got[0] != want[0] || got[1] != want[1] {
		t.Errorf("latencies %v, want %v", got, want)
	}
	if got := lists(t, s, "chunk_gap_s"); got[0][0] != 3e-9 || got[1][1] != 4e-9 {
		t.Errorf("gaps %v", got)
	}
	equal(t, "concurrency", r.cols[ingest.Concurrency][0], 10)

	r = load(t, open(t, "genai-perf", sample(t, dir+"openai_completions_profile_data.profile_export.json")))
	equal(t, "TTFT of a completion", r.cols[ingest.TTFT][0], 2e-9)

	r = load(t, open(t, "genai-perf", sample(t, dir+"empty_profile_data.profile_export.json")))
	equal(t, "answers without content", r.Of(ingest.Failed), 1)

	s = open(t, "genai-perf", sample(t, dir+"triton_profile_data.profile_export.json"))
	r = load(t, s)
	equal(t, "ok", r.Of(ingest.OK), 4)
	equal(t, "step of the first request", r.all[ingest.Stage][0], "concurrency=10")
	equal(t, "step of the last", r.all[ingest.Stage][3], "request_rate=2")
	if r.all[ingest.Run][0] == r.all[ingest.Run][3] {
		t.Error("two load steps share a run")
	}
	noteWith(t, s, "2 load steps")
}

func TestGenAIBenchSample(t *testing.T) {
	s := open(t, "genai-bench", sample(t, "genai-bench/mock_run_data.json"))
	r := load(t, s)
	equal(t, "ok", r.Of(ingest.OK), 2)
	near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), 0.351487, 1e-6)
	near(t, "mean latency", mean(r.cols[ingest.E2E]), 2.176340, 1e-6)
	equal(t, "concurrency", r.cols[ingest.Concurrency][0], 1)
	noteWith(t, s, "the file says that 32 requests completed")
}

func TestGuideLLMSample(t *testing.T) {
	s := open(t, "guidellm", sample(t, "guidellm/v0.2_benchmarks_stripped.json"))
	r := load(t, s)
	equal(t, "ok", r.Of(ingest.OK), 1)
	// time_to_first_token_ms 21.281957626342773, inter_token_latency_ms
	// 5.258346167136365, output_tokens 128: the stamps are microseconds.
	near(t, "TTFT", r.cols[ingest.TTFT][0], 0.021282, 1e-6)
	near(t, "TPOT ms", 1e3*r.tpot[0], 5.25835, 1e-5)
	equal(t, "prompt tokens", r.cols[ingest.PromptTokens][0], 257)
	equal(t, "model", meta(s, "fingerprint.model"), "example_model")
	equal(t, "stage", r.all[ingest.Stage][0], "synchronous")
}

func TestTraces(t *testing.T) {
	s := open(t, "azure-llm", sample(t, "azure-llm-2023/AzureLLMInferenceTrace_conv.first2000.csv"))
	r := load(t, s)
	equal(t, "rows", r.Total(), 2000)
	equal(t, "columns", strings.Join(names(s), " "), "start prompt_tokens output_tokens")
	// 2023-11-16 18:15:46.6805900 UTC
	equal(t, "first arrival", int64(r.cols[ingest.Start][0]*1e3), 1700158546680)

	s = open(t, "burstgpt", sample(t, "burstgpt/BurstGPT_1.head29.csv"))
	r = load(t, s)
	equal(t, "rows", r.Total(), 29)
	equal(t, "failed", r.Of(ingest.Failed), 1)
	equal(t, "first arrival", r.cols[ingest.Start][0], 5)
	equal(t, "prompt tokens", r.cols[ingest.PromptTokens][0], 472)

	for _, f := range []string{"mooncake/conversation_trace.first300.jsonl", "mooncake/synthetic_trace.first300.jsonl"} {
		s = open(t, "mooncake", sample(t, f))
		r = load(t, s)
		equal(t, "rows", r.Total(), 300)
		noteWith(t, s, "no latencies")
	}
	equal(t, "prompt tokens", r.cols[ingest.PromptTokens][0], 40160)
}

// Aggregates are refused with the flag or the file that helps.
func TestAggregatesAreRefused(t *testing.T) {
	refuse(t, "vllm", sample(t, "vllm/nondetailed_gptoss120b_conc4.json"), "aggregates only", "--save-result --save-detailed")
	refuse(t, "aiperf", sample(t, "aiperf/profile_export_aiperf.json"), "aggregates only", "profile_export.jsonl", "--export-level records")
	refuse(t, "aiperf", sample(t, "aiperf/profile_export_aiperf.csv"), "aggregates only", "profile_export.jsonl")
	refuse(t, "guidellm", sample(t, "guidellm/guidellm_report_v2.json"), "aggregates only", "--sample-requests")
	refuse(t, "guidellm", sample(t, "guidellm/v0.2_benchmarks_stripped.yaml"), "YAML", "--output-path benchmarks.json")
	refuse(t, "inference-perf", sample(t, "inference-perf/v0.5.0_stage_0_lifecycle_metrics.json"), "report.request_lifecycle.per_request: true")
	refuse(t, "inference-perf", sample(t, "inference-perf/v0.5.0_summary_lifecycle_metrics.json"), "per_request_lifecycle_metrics.json")
	refuse(t, "llmperf", sample(t, "llmperf/yi34b_tgi_c16_summary.json"), "_individual_responses.json", "--results-dir")
	for _, f := range []string{"stats", "stats_history", "failures", "exceptions"} {
		refuse(t, "aggregates", sample(t, "locust/fw_llmbench_batch_100_"+f+".csv"), "Locust", "events.request")
	}
	// A case of a public report: summaries that were fed to a comparison.
	refuse(t, "aiperf", textFile(`{"request_count": {"unit": "requests", "avg": 80.0}, "request_latency": {"unit": "ms", "avg": 6655.5, "p50": 6653.9, "p95": 6661.0, "std": 13.07}}`),
		"aggregates only", "profile_export.jsonl", "profile_export.json of GenAI-Perf", "--profile-export-file")
	// Built from the descriptions of the layouts.
	refuse(t, "sglang", textFile(`{"tag": null, "backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "duration": 10.5, "completed": 100, "mean_e2e_latency_ms": 437.4}`+"\n"), "line 1", "--output-details")
	refuse(t, "vllm", textFile(`{"date": "20260901-101112", "backend": "vllm", "model_id": "m", "tokenizer_id": "m", "num_prompts": 10, "ttfts": [0.1], "output_lens": [1], "aggregation_method": "median", "aggregated_repetitions": 3}`), "median of several runs")
	refuse(t, "aggregates", textFile(`[{"benchmark": {"name": "vLLM benchmark"}, "model": {"name": "m"}, "metric": {"name": "mean_ttft_ms", "benchmark_values": [1.5]}}]`), "without .pytorch", "--save-detailed")
	refuse(t, "vegeta", textFile(`{"latencies": {"total": 1, "mean": 2, "50th": 3}, "bytes_in": {"total": 1}, "status_codes": {"200": 5}}`), "vegeta encode")
	refuse(t, "k6", textFile(`{"root_group": {"name": ""}, "metrics": {"http_req_duration": {"avg": 1.5, "p(95)": 2}}}`), "--out json=FILE")
	refuse(t, "oha", textFile(`{"summary": {"successRate": 1.0, "total": 10.2, "requestsPerSec": 99.1}}`), "--output-format csv")
	refuse(t, "loadgen", textFile(`:::MLLOG {"key": "loadgen_version", "value": "4.0", "time_ms": 0.01}`+"\n"), "enable_trace")
	refuse(t, "llmeter", textFile(`{"total_requests": 10, "clients": 2, "n_requests": 5, "model_id": "m"}`), "responses.jsonl")
	refuse(t, "genai-bench", textFile(`{"aggregated_metrics": {"scenario": "D(100,100)", "num_completed_requests": 5}}`), "individual_request_metrics")
	refuse(t, "distserve", textFile("[{'prompt_len': 5, 'output_len': 4, 'issue_time': 1.5}]\nmore text\n"), "Python list", "ast.literal_eval")
	refuse(t, "aggregates", textFile("SQLite format 3\x00\x10\x00"), "SQLite", "sqlite3 -csv -header")
}
