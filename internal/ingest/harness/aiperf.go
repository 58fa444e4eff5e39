package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// AIPerf reads the records of NVIDIA AIPerf, profile_export.jsonl, with the
// keys of today and of 2025 (ttft, timestamp_ns, credit_phase). Every metric
// names its unit. Token counts of the server win over those of the client's
// tokenizer. A request failed if it has an error, was cancelled, or has neither
// a latency nor tokens; its metrics are then absent. The intended send time is
// the issue of its credit.
var AIPerf = ingest.Format{Name: "aiperf", Detect: detectAIPerf, Open: openAIPerf}

func detectAIPerf(head []byte, _ ingest.File) bool {
	s := look(head)
	switch {
	case s.first == '{':
		records := s.has("metadata") && s.hasAny("metadata.benchmark_phase", "metadata.credit_phase", "metadata.x_request_id", "metadata.request_start_ns", "metadata.credit_issued_ns")
		return records || isPerfSummary(&s)
	case s.first != 0:
		return s.columns("Metric", "avg", "min", "max", "p99")
	}
	return false
}

// isPerfSummary recognises the aggregates of AIPerf and of its predecessor
// GenAI-Perf: metrics of a unit and an average.
func isPerfSummary(s *shape) bool {
	for _, at := range []string{"", "records."} {
		for _, m := range []string{"request_latency", "time_to_first_token", "ttft", "request_throughput", "output_sequence_length", "input_sequence_length"} {
			if s.has(at+m+".unit", at+m+".avg") {
				return true
			}
		}
	}
	return false
}

var errPerfSummary = errors.New("the file holds aggregates only (averages and percentiles), no value per request; give the records instead: " +
	"profile_export.jsonl of AIPerf (written with --export-level records) or profile_export.json of GenAI-Perf (--profile-export-file)")

func openAIPerf(f ingest.File) (ingest.Source, error) {
	s := look(fileHead(f))
	if s.first != '{' || isPerfSummary(&s) {
		return nil, errPerfSummary
	}
	if !s.has("metrics") && s.hasAny("responses", "payload", "request_headers") {
		return nil, errors.New("the file holds raw requests and responses without metrics; give profile_export.jsonl of the same run instead")
	}
	return openTable(f, layout{harness: "aiperf", lines: true, each: eachAIPerf,
		empty: "the file holds no record; expected lines of AIPerf's profile_export.jsonl"})
}

func eachAIPerf(s *scan) error {
	a := aiperfRecord{w: &s.row}
	return s.records(a.read)
}

// aiperfRecord reads one record after another.
type aiperfRecord struct {
	w                          *row
	errType, errText           string
	failed, cancelled          bool
	visible, reasoning         float64
	clientPrompt, clientOutput float64
}

func (a *aiperfRecord) read(r *jsonReader) {
	*a = aiperfRecord{w: a.w, visible: missing, reasoning: missing, clientPrompt: missing, clientOutput: missing}
	r.object(func(key []byte) {
		switch string(key) {
		case "metadata":
			r.object(func(key []byte) { a.metadata(r, string(key)) })
		case "metrics":
			r.object(func(key []byte) { a.metric(r, string(key)) })
		case "error":
			a.failure(r)
		}
	})
	a.finish()
}

func (a *aiperfRecord) metadata(r *jsonReader, key string) {
	switch key {
	case "x_request_id":
		r.text(a.w, colRequestID)
	case "request_num":
		if !a.w.has.has(colRequestID) {
			r.text(a.w, colRequestID)
		}
	case "conversation_id":
		r.text(a.w, colSession)
	case "turn_index":
		r.number(a.w, colTurn, ingest.One)
	case "request_start_ns", "timestamp_ns":
		r.time(a.w, colStart, ingest.Nanosecond)
	case "credit_issued_ns":
		r.time(a.w, colScheduled, ingest.Nanosecond)
	case "benchmark_phase", "credit_phase":
		r.text(a.w, colPhase)
	case "was_cancelled":
		a.cancelled = r.truth()
	}
}

func (a *aiperfRecord) metric(r *jsonReader, key string) {
	number := func(c column) {
		if v, ok := r.measured(); !ok {
			a.w.setBad(c)
		} else if !isMissing(v) {
			a.w.setNumber(c, v)
		}
	}
	count := func(dst *float64) {
		if v, ok := r.measured(); ok {
			*dst = v
		}
	}
	switch key {
	case "time_to_first_token", "ttft":
		if !a.w.has.has(colTTFT) { // a key that occurs twice is the second token's by mistake
			number(colTTFT)
		}
	case "time_to_first_output_token":
		number(colTTFO)
	case "request_latency":
		number(colE2E)
	case "inter_chunk_latency":
		var ok bool
		if a.w.gaps, ok = r.measuredList(a.w.gaps[:0]); ok {
			a.w.setGaps()
		}
	case "usage_prompt_tokens":
		number(colPromptTokens)
	case "usage_completion_tokens":
		number(colOutputTokens)
		a.w.counted = byServer
	case "usage_prompt_cache_read_tokens":
		number(colCachedTokens)
	case "input_sequence_length":
		count(&a.clientPrompt)
	case "output_sequence_length":
		count(&a.clientOutput)
	case "output_token_count":
		count(&a.visible)
	case "reasoning_token_count", "usage_reasoning_tokens":
		count(&a.reasoning)
	}
}

func (a *aiperfRecord) failure(r *jsonReader) {
	switch r.peek() {
	case '{':
		a.failed = true
		r.object(func(key []byte) {
			switch string(key) {
			case "code":
				r.number(a.w, colHTTPStatus, ingest.One)
				if c := a.w.number(colHTTPStatus); c < 100 || c > 599 {
					a.w.clear(colHTTPStatus)
				}
			case "type":
				a.errType = r.string()
			case "message":
				a.errText = r.string()
			}
		})
	case '"':
		a.errText = r.string()
		a.failed = a.errText != ""
	}
}

func (a *aiperfRecord) finish() {
	w := a.w
	fallback := func(c column, v float64) {
		if !w.has.has(c) && !isMissing(v) {
			w.setNumber(c, v)
		}
	}
	if !w.has.has(colOutputTokens) {
		w.counted = byClient
	}
	fallback(colPromptTokens, a.clientPrompt)
	fallback(colOutputTokens, a.clientOutput)
	fallback(colReasoningTokens, a.reasoning)
	switch {
	case !isMissing(a.visible) && !isMissing(a.reasoning):
		fallback(colOutputTokens, a.visible+a.reasoning)
	case !isMissing(a.visible):
		fallback(colOutputTokens, a.visible)
	default:
		fallback(colOutputTokens, a.reasoning)
	}
	text := a.errType
	if a.errText != "" {
		if text != "" {
			text += ": "
		}
		text += firstLine(a.errText)
	}
	if text != "" {
		w.setWord(colError, text)
	}
	switch {
	case a.cancelled:
		w.fail(statusCancelled)
	case a.failed:
		w.fail(statusOf(text))
	case !w.has.has(colE2E) && !w.has.has(colTTFT), w.has.has(colOutputTokens) && w.num[colOutputTokens] == 0:
		w.fail(statusIncomplete)
	default:
		w.setWord(colStatus, statusOK)
	}
}

// measured reads a number that may stand in an object with its unit; a time is
// given in seconds.
func (r *jsonReader) measured() (float64, bool) {
	if r.peek() != '{' {
		return r.float()
	}
	v, ok, unit := missing, true, ""
	r.object(func(key []byte) {
		switch string(key) {
		case "value":
			v, ok = r.float()
		case "unit":
			unit = r.string()
		}
	})
	if u, is := ingest.ParseUnit(unit); is && !isMissing(v) {
		v = u.ToBase(v)
	}
	return v, ok
}

// measuredList is measured for a list of times.
func (r *jsonReader) measuredList(dst []float64) ([]float64, bool) {
	ok, unit := false, ""
	r.object(func(key []byte) {
		switch string(key) {
		case "value":
			dst, ok = r.floats(dst, ingest.Second)
		case "unit":
			unit = r.string()
		}
	})
	if u, is := ingest.ParseUnit(unit); is {
		for i := range dst {
			dst[i] = u.ToBase(dst[i])
		}
	}
	return dst, ok
}

// fileHead reads the beginning of a file again, for Open.
func fileHead(f ingest.File) []byte {
	head := make([]byte, min(f.Size, 64<<10))
	n, _ := f.ReadAt(head, 0)
	return head[:n]
}
