package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// LLMPerf reads the individual responses of Ray's llmperf. Its
// inter_token_latency_s includes the first token, and is not read. A request
// failed if it has an error code, with or without a text; one of code −1 has
// zeros for times and a single token, which are set aside.
var LLMPerf = ingest.Format{Name: "llmperf", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.has("[].ttft_s", "[].end_to_end_latency_s") || s.has("ttft_s", "end_to_end_latency_s", "number_output_tokens") || isLLMPerfSummary(&s)
}, Open: openLLMPerf}

func isLLMPerfSummary(s *shape) bool {
	return s.first == '{' && s.has("num_concurrent_requests") && s.hasAny("results_ttft_s_mean", "results_inter_token_latency_s_quantiles_p25", "results_inter_token_latency_s_mean", "mean_input_tokens")
}

func openLLMPerf(f ingest.File) (ingest.Source, error) {
	if s := look(fileHead(f)); isLLMPerfSummary(&s) {
		return nil, errors.New("the file holds aggregates only; give the file …_individual_responses.json beside it, which llmperf writes with --results-dir")
	}
	return openTable(f, layout{harness: "llmperf", lines: true, each: func(s *scan) error {
		return s.records(func(r *jsonReader) { llmperfRecord(s, r) })
	}})
}

func llmperfRecord(s *scan, r *jsonReader) {
	w := &s.row
	code, text := "", ""
	r.object(func(key []byte) {
		switch string(key) {
		case "error_code":
			code = r.string()
		case "error_msg":
			text = firstLine(r.string())
		case "ttft_s":
			r.number(w, colTTFT, ingest.Second)
		case "end_to_end_latency_s":
			r.number(w, colE2E, ingest.Second)
		case "number_input_tokens":
			r.number(w, colPromptTokens, ingest.One)
		case "number_output_tokens":
			r.number(w, colOutputTokens, ingest.One)
			w.counted = byClient
		}
	})
	if code == "" || code == "null" {
		w.zeroFails("no answer and no error text")
		return
	}
	if w.number(colE2E) == 0 {
		w.clear(colOutputTokens) // a single token stands for none
	}
	if text == "" {
		text = "error code " + code
	}
	w.setWord(colError, text)
	w.fail(statusOf(text))
}
