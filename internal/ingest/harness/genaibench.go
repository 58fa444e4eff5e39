package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// GenAIBench reads the result files of SGLang's genai-bench. Times are in
// seconds, or in milliseconds where the file's _time_unit says so. A request
// failed if it has an error code.
var GenAIBench = ingest.Format{Name: "genai-bench", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.first == '{' && (s.has("individual_request_metrics") || s.hasAny("aggregated_metrics.num_completed_requests", "aggregated_metrics.scenario"))
}, Open: openGenAIBench}

func openGenAIBench(f ingest.File) (ingest.Source, error) {
	l := layout{harness: "genai-bench"}
	unit, list, completed := ingest.Second, false, missing
	r := newJSON(context.Background(), f, textio.TextStart(f))
	r.document(func(key []byte) {
		switch string(key) {
		case "_time_unit":
			word := r.string()
			u, ok := ingest.ParseUnit(word)
			if !ok && r.err == nil {
				r.err = fmt.Errorf("_time_unit is %q, expected s or ms", word)
			}
			unit = u
		case "individual_request_metrics":
			list = r.peek() == '['
		case "aggregated_metrics":
			if r.peek() != '{' {
				return
			}
			r.object(func(key []byte) {
				switch string(key) {
				case "scenario", "num_concurrency", "batch_size", "iteration_type":
					name := string(key)
					l.info.print(name, r.string())
				case "num_completed_requests":
					completed, _ = r.float()
				case "error_codes_frequency":
					r.skip()
				}
			})
		}
	})
	switch {
	case r.err != nil:
		return nil, place(f, r.err)
	case !list:
		return nil, errors.New("the file holds aggregates only; expected the list individual_request_metrics, which genai-bench writes for every scenario and concurrency into its experiment folder")
	}
	concurrency := ""
	for _, kv := range l.info.prints {
		if kv.Key == "fingerprint.num_concurrency" {
			concurrency = kv.Value
		}
	}
	l.each = func(s *scan) error {
		r := s.json()
		r.document(func(key []byte) {
			if string(key) != "individual_request_metrics" {
				return
			}
			r.array(func() {
				at := r.pos()
				if genaiBenchRecord(&s.row, r, unit); !s.row.has.has(colError) {
					s.known(r, at)
				}
				s.row.parseNumber(colConcurrency, []byte(concurrency), ingest.One)
				s.put(r)
			})
		})
		return r.err
	}
	t, err := openTable(f, l)
	if err != nil {
		return nil, err
	}
	t.crossCheck(completed)
	return t, nil
}

func genaiBenchRecord(w *row, r *jsonReader, unit ingest.Unit) {
	code, text := "", ""
	r.object(func(key []byte) {
		switch string(key) {
		case "ttft":
			r.number(w, colTTFT, unit)
		case "e2e_latency":
			r.number(w, colE2E, unit)
		case "num_input_tokens":
			r.number(w, colPromptTokens, ingest.One)
		case "num_output_tokens":
			r.number(w, colOutputTokens, ingest.One)
		case "num_reasoning_tokens":
			r.number(w, colReasoningTokens, ingest.One)
		case "error_code":
			code = r.string()
		case "error_message":
			text = firstLine(r.string())
		}
	})
	if code == "" || code == "null" || code == "0" || code == "200" {
		w.zeroFails("no answer and no error text")
		return
	}
	if text == "" {
		text = "error code " + code
	}
	w.setWord(colError, text)
	w.fail(statusOf(text))
}
