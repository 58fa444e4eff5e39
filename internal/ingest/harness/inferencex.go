package harness

import (
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// InferenceX reads the CSV of SemiAnalysis InferenceX's trace replay. A failed
// request has success False, zeros for times and often no error text. The
// served number of tokens wins over the expected one. The delays of the trace
// are think times of its users, no waits of a queue, and are not read.
var InferenceX = ingest.Format{Name: "inferencex", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.columns("ttft", "ttlt", "output_tokens_actual", "success")
}, Open: func(f ingest.File) (ingest.Source, error) {
	return openTable(f, layout{harness: "inferencex-trace-replay", each: func(s *scan) error {
		return s.csv(csvLayout{need: []string{"ttft", "ttlt", "output_tokens_actual", "success"}}, inferencexRecord)
	}})
}}

func inferencexRecord(s *scan, rec *csvRecord) error {
	w := &s.row
	w.parseTime(colStart, rec.cell("request_start_time"), ingest.Second)
	w.parseNumber(colTTFT, rec.cell("ttft"), ingest.Second)
	w.parseNumber(colE2E, rec.cell("ttlt"), ingest.Second)
	w.parseNumber(colPromptTokens, rec.cell("input_tokens"), ingest.One)
	w.parseNumber(colOutputTokens, rec.cell("output_tokens_actual"), ingest.One)
	w.parseNumber(colRequestedTokens, rec.cell("output_tokens_expected"), ingest.One)
	w.parseText(colSession, rec.cell("user_id"))
	if trace, idx := rec.text("trace_id"), rec.text("request_idx"); trace != "" && idx != "" {
		w.setWord(colRequestID, rec.text("user_id")+"/"+trace+"/"+idx)
	}
	w.parseText(colError, rec.cell("error_message"))
	if w.want.has(colGaps) {
		w.stampGaps(rec.cell("token_timestamps"))
	}
	switch success := strings.ToLower(strings.TrimSpace(rec.text("success"))); {
	case success == "true" || success == "1":
		w.zeroFails("the answer is empty")
	case w.has.has(colError):
		w.fail(statusOf(string(w.text[colError])))
	default:
		w.fail(statusError)
	}
	return s.emit()
}

// stampGaps takes the gaps between the times of messages, a list in seconds.
func (w *row) stampGaps(cell []byte) {
	if isNull(cell) {
		return
	}
	stamps, ok := textio.ParseList(w.gaps[:0], cell)
	if !ok || len(stamps) > maxGaps {
		w.gaps = stamps[:0]
		w.setBad(colGaps)
		return
	}
	for i := 1; i < len(stamps); i++ {
		stamps[i-1] = stamps[i] - stamps[i-1]
	}
	w.gaps = stamps[:max(len(stamps)-1, 0)]
	w.setGaps()
}
