package harness

import (
	"github.com/perfdiff/perfdiff/internal/ingest"
)

// AzureLLM reads the LLM inference traces of Azure: arrivals and lengths, no
// latencies.
var AzureLLM = ingest.Format{Name: "azure-llm", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.columns("TIMESTAMP", "ContextTokens", "GeneratedTokens")
}, Open: func(f ingest.File) (ingest.Source, error) {
	l := layout{harness: "azure-llm-trace", each: func(s *scan) error {
		return s.csv(csvLayout{need: []string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}}, azureRecord)
	}}
	l.info.note("the trace holds arrivals and lengths, no latencies")
	return openTable(f, l)
}}

func azureRecord(s *scan, rec *csvRecord) error {
	w := &s.row
	w.parseTime(colStart, rec.cell("TIMESTAMP"), ingest.Second)
	w.parseNumber(colPromptTokens, rec.cell("ContextTokens"), ingest.One)
	w.parseNumber(colOutputTokens, rec.cell("GeneratedTokens"), ingest.One)
	return s.emit()
}

// BurstGPT reads the BurstGPT traces. Times are in seconds from the first day;
// the newer files have the elapsed time of a request, which is e2e. A request
// without response tokens failed.
var BurstGPT = ingest.Format{Name: "burstgpt", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.columns("Timestamp", "Request tokens", "Response tokens")
}, Open: func(f ingest.File) (ingest.Source, error) {
	l := layout{harness: "burstgpt-trace", each: func(s *scan) error {
		return s.csv(csvLayout{need: []string{"Timestamp", "Request tokens", "Response tokens"}}, burstRecord)
	}}
	if s := look(fileHead(f)); !s.columns("Elapsed time") {
		l.info.note("the trace holds arrivals and lengths, no latencies")
	}
	return openTable(f, l)
}}

func burstRecord(s *scan, rec *csvRecord) error {
	w := &s.row
	w.parseTime(colStart, rec.cell("Timestamp"), ingest.Second)
	w.parseText(colSession, rec.cell("Session ID"))
	w.parseText(colModel, rec.cell("Model"))
	w.parseText(colEndpoint, rec.cell("Log Type"))
	w.parseNumber(colE2E, rec.cell("Elapsed time"), ingest.Second)
	w.parseNumber(colPromptTokens, rec.cell("Request tokens"), ingest.One)
	w.parseNumber(colOutputTokens, rec.cell("Response tokens"), ingest.One)
	w.zeroFails("no response tokens")
	return s.emit()
}

// Mooncake reads the traces of Mooncake, as AIPerf and others replay them:
// arrivals in milliseconds from the beginning, lengths and blocks of the
// prompt, no latencies.
var Mooncake = ingest.Format{Name: "mooncake", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.first == '{' && s.has("timestamp", "hash_ids") && s.hasAny("input_length", "output_length")
}, Open: func(f ingest.File) (ingest.Source, error) {
	l := layout{harness: "mooncake-trace", lines: true, each: func(s *scan) error {
		return s.records(func(r *jsonReader) { mooncakeRecord(s, r) })
	}}
	l.info.note("the trace holds arrivals and lengths, no latencies")
	return openTable(f, l)
}}

func mooncakeRecord(s *scan, r *jsonReader) {
	r.object(func(key []byte) {
		switch string(key) {
		case "timestamp":
			r.time(&s.row, colStart, ingest.Millisecond)
		case "session_id":
			r.text(&s.row, colSession)
		case "input_length":
			r.number(&s.row, colPromptTokens, ingest.One)
		case "output_length":
			r.number(&s.row, colOutputTokens, ingest.One)
		}
	})
}
