package harness

import "github.com/perfdiff/perfdiff/internal/ingest"

// VLLM reads what vLLM's serving benchmark writes with --save-detailed: "vllm
// bench serve", the older benchmark_serving.py and its forks, and the Rust
// client vllm-bench. A file holds one JSON object, or several one after another
// as --append-result writes them, or a list of them; each is a run.
//
// Arrays in seconds run in the order of submission. e2e is latencies where it
// is there, else first-token time plus all gaps. Start times are of a clock
// of their own, not of the day; the intended send time is start − queue_times.
// A request failed if an error text says so, or a list of failed requests, or
// if it has no output, or zeros for times.
var VLLM = ingest.Format{Name: "vllm", Detect: detectVLLM, Open: openVLLM}

// vllmKeys stand in every result of the benchmark, detailed or not.
var vllmKeys = []string{"model_id", "tokenizer_id", "request_goodput:", "request_goodput", "burstiness", "best_of", "endpoint_type",
	"mean_e2el_ms", "aggregation_method"}

func detectVLLM(head []byte, _ ingest.File) bool {
	s := look(head).inArray()
	if s.first != '{' || isSGLang(&s) {
		return false
	}
	known := 0
	for _, k := range vllmKeys {
		if s.has(k) {
			known++
		}
	}
	bench := s.hasAny("num_prompts", "request_throughput", "completed", "total_input_tokens", "request_rate")
	return known >= 2 && bench || known >= 1 && s.hasAny("ttfts", "itls") || s.hasAny("ttfts", "itls") && s.hasAny("input_lens", "output_lens")
}

func openVLLM(f ingest.File) (ingest.Source, error) {
	return openRuns(f, runsKind{
		harness: "vllm-bench-serve",
		detail:  "--save-result --save-detailed",
		full:    "--save-detailed",
		fields:  map[string]string{"model_id": "model", "tokenizer_id": "tokenizer"},
	})
}
