package harness

import "github.com/perfdiff/perfdiff/internal/ingest"

// LMBenchmark reads the CSV of LMCache's LMBenchmark and of the multi-round QA
// benchmark of the vLLM production stack. Times are in seconds since 1970; e2e
// is finish − launch. The layout marks no failure: a request with a zero or no
// time, or without output, is incomplete.
var LMBenchmark = ingest.Format{Name: "lmbenchmark", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.columns("launch_time", "finish_time", "ttft", "generation_tokens")
}, Open: func(f ingest.File) (ingest.Source, error) {
	return openTable(f, layout{harness: "lmbenchmark", each: func(s *scan) error {
		return s.csv(csvLayout{need: []string{"launch_time", "finish_time", "ttft", "generation_tokens"}}, lmbenchmarkRecord)
	}})
}}

func lmbenchmarkRecord(s *scan, rec *csvRecord) error {
	w := &s.row
	w.parseTime(colStart, rec.cell("launch_time"), ingest.Second)
	start, started := w.at[colStart], w.has.has(colStart)
	w.parseNumber(colTTFT, rec.cell("ttft"), ingest.Second)
	w.parseNumber(colPromptTokens, rec.cell("prompt_tokens"), ingest.One)
	w.parseNumber(colOutputTokens, rec.cell("generation_tokens"), ingest.One)
	w.parseText(colSession, rec.cell("user_id"))
	var end row
	if end.parseTime(colStart, rec.cell("finish_time"), ingest.Second); end.has.has(colStart) && started {
		w.setNumber(colE2E, seconds(start, end.at[colStart]))
	}
	w.zeroFails("the answer is empty")
	return s.emit()
}

// zeroFails sets the status of a layout that marks no failure: a zero time or an
// empty answer is no success.
func (w *row) zeroFails(why string) {
	for _, c := range [...]column{colTTFT, colE2E, colLatency, colOutputTokens} {
		if w.has.has(c) && w.num[c] == 0 {
			w.setWord(colError, why)
			w.fail(statusIncomplete)
			return
		}
	}
	w.setWord(colStatus, statusOK)
}
