package harness

import "github.com/perfdiff/perfdiff/internal/ingest"

// SGLang reads what SGLang's bench_serving writes with --output-details: a line
// per run, appended to the file by every run. A line may be of any length.
//
// Arrays in seconds run in the order of submission; e2e is first-token time
// plus all gaps, as no latency is written. The harness calls a stream without
// any text a success and gives it the requested length; here it is incomplete,
// and the length is requested_tokens. The native back end spreads the gap
// before each message evenly over its tokens, the OpenAI ones write a gap per
// message.
var SGLang = ingest.Format{Name: "sglang", Detect: detectSGLang, Open: openSGLang}

func detectSGLang(head []byte, _ ingest.File) bool {
	s := look(head).inArray()
	return s.first == '{' && isSGLang(&s)
}

// isSGLang looks for keys that no other harness writes beside a run's results.
func isSGLang(s *shape) bool {
	bench := s.hasAny("backend", "request_throughput", "duration", "completed", "ttfts", "dataset_name", "request_rate")
	return bench && (s.hasAny("mean_e2e_latency_ms", "server_info", "sharegpt_output_len", "random_range_ratio", "total_output_tokens_retokenized", "accept_length") ||
		s.has("tag", "dataset_name", "backend"))
}

func openSGLang(f ingest.File) (ingest.Source, error) {
	return openRuns(f, runsKind{
		harness: "sglang-bench-serving",
		detail:  "--output-details",
		full:    "--output-details",
		fields: map[string]string{"server.model_path": "model", "server.version": "version", "model_id": "model",
			"tokenizer_id": "tokenizer"},
	})
}
