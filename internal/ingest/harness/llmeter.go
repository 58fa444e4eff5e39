package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// LLMeter reads responses.jsonl of AWS LLMeter. Times are in seconds; reasoning
// tokens are among the output tokens. A request failed if it has an error, and
// then has no times.
var LLMeter = ingest.Format{Name: "llmeter", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.first == '{' && (s.has("time_to_last_token", "time_to_first_token") || isLLMeterSummary(&s))
}, Open: func(f ingest.File) (ingest.Source, error) {
	if s := look(fileHead(f)); isLLMeterSummary(&s) {
		return nil, errors.New("the file holds aggregates only; give responses.jsonl of the same folder instead, which LLMeter writes when the run has an output_path")
	}
	return openTable(f, layout{harness: "llmeter", lines: true, each: func(s *scan) error {
		return s.records(func(r *jsonReader) { llmeterRecord(&s.row, r) })
	}})
}}

func isLLMeterSummary(s *shape) bool {
	return s.hasAny("time_to_last_token-average", "time_to_first_token-average", "time_to_last_token-p50") ||
		s.has("total_requests", "clients", "n_requests")
}

func llmeterRecord(w *row, r *jsonReader) {
	text, failed := "", false
	r.object(func(key []byte) {
		switch string(key) {
		case "id":
			r.text(w, colRequestID)
		case "time_to_first_token":
			r.number(w, colTTFT, ingest.Second)
		case "time_to_last_token":
			r.number(w, colE2E, ingest.Second)
		case "num_tokens_input":
			r.number(w, colPromptTokens, ingest.One)
		case "num_tokens_output":
			r.number(w, colOutputTokens, ingest.One)
		case "num_tokens_input_cached":
			r.number(w, colCachedTokens, ingest.One)
		case "num_tokens_output_reasoning":
			r.number(w, colReasoningTokens, ingest.One)
		case "request_time":
			r.time(w, colStart, ingest.Second)
		case "error":
			switch r.peek() {
			case '{', '[':
				failed = true
			default:
				text = firstLine(r.string())
				failed = text != "" && text != "null"
			}
		}
	})
	switch {
	case failed:
		if text == "" {
			text = "failed"
		}
		w.setWord(colError, text)
		w.fail(statusOf(text))
	case !w.has.has(colTTFT) && !w.has.has(colE2E):
		w.fail(statusIncomplete)
	default:
		w.zeroFails("the answer is empty")
	}
}
