package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Oha reads the CSV of oha (--output-format csv). Times are in seconds from the
// start of the run. The tool writes no request that failed without an answer,
// so that a success rate cannot be known. The delay of the first byte is ttfb_s; 0 means that it is not
// known. With --latency-correction durations count from the intended start,
// which the file does not tell.
var Oha = ingest.Format{Name: "oha", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	if s.first == '{' {
		return s.has("summary.successRate", "summary.requestsPerSec")
	}
	return s.columns("request-start", "request-duration", "status")
}, Open: openOha}

func openOha(f ingest.File) (ingest.Source, error) {
	s := look(fileHead(f))
	if s.first == '{' {
		return nil, errors.New("the file holds aggregates only; run oha again with --output-format csv")
	}
	l := layout{harness: "oha", each: func(s *scan) error {
		return s.csv(csvLayout{need: []string{"request-start", "request-duration", "status"}}, ohaRecord)
	}}
	l.info.note("oha writes no request that failed without an answer: the success rate of this file is no measurement")
	return openTable(f, l)
}

func ohaRecord(s *scan, rec *csvRecord) error {
	w := &s.row
	w.parseTime(colStart, rec.cell("request-start"), ingest.Second)
	w.parseNumber(colTTFB, rec.cell("Response-delay"), ingest.Second)
	if w.has.has(colTTFB) && w.num[colTTFB] == 0 {
		w.clear(colTTFB)
	}
	w.parseNumber(colLatency, rec.cell("request-duration"), ingest.Second)
	w.parseNumber(colHTTPStatus, rec.cell("status"), ingest.One)
	w.setWord(colStatus, statusOK)
	return s.emit()
}
