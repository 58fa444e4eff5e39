package harness

import "github.com/perfdiff/perfdiff/internal/ingest"

// column is a column that a reader can fill.
type column uint8

// The columns, in the order in which a source lists them.
const (
	colRequestID column = iota
	colSession
	colRun
	colReplica
	colStage
	colPhase
	colModel
	colEndpoint
	colStatus
	colError
	numText

	colStart column = iota - 1
	colScheduled
	colTTFT
	colTTFO
	colTTFB
	colE2E
	colLatency
	colPromptTokens
	colOutputTokens
	colCachedTokens
	colReasoningTokens
	colRequestedTokens
	colHTTPStatus
	colConcurrency
	colRate
	colTurn
	colGaps
	numColumns
)

// spec is how a column is listed.
type spec struct {
	name  string
	form  ingest.Form
	class ingest.Class
	typ   string
}

// specs is the one table of the columns.
var specs = [numColumns]spec{
	colRequestID: {"request_id", ingest.Text, ingest.TextClass, "text"},
	colSession:   {"session", ingest.Text, ingest.TextClass, "text"},
	colRun:       {"run", ingest.Text, ingest.TextClass, "text"},
	colReplica:   {"replica", ingest.Text, ingest.TextClass, "text"},
	colStage:     {"stage", ingest.Text, ingest.TextClass, "text"},
	colPhase:     {"phase", ingest.Text, ingest.TextClass, "text"},
	colModel:     {"model", ingest.Text, ingest.TextClass, "text"},
	colEndpoint:  {"endpoint", ingest.Text, ingest.TextClass, "text"},
	colStatus:    {"status", ingest.Text, ingest.TextClass, "text"},
	colError:     {"error", ingest.Text, ingest.TextClass, "text"},

	colStart:     {"start", ingest.Time, ingest.InstantClass, "timestamp"},
	colScheduled: {"scheduled", ingest.Time, ingest.InstantClass, "timestamp"},

	colTTFT:            {"ttft_s", ingest.Number, ingest.NumericClass, "number"},
	colTTFO:            {"ttfo_s", ingest.Number, ingest.NumericClass, "number"},
	colTTFB:            {"ttfb_s", ingest.Number, ingest.NumericClass, "number"},
	colE2E:             {"e2e_s", ingest.Number, ingest.NumericClass, "number"},
	colLatency:         {"latency_s", ingest.Number, ingest.NumericClass, "number"},
	colPromptTokens:    {"prompt_tokens", ingest.Number, ingest.NumericClass, "number"},
	colOutputTokens:    {"output_tokens", ingest.Number, ingest.NumericClass, "number"},
	colCachedTokens:    {"cached_tokens", ingest.Number, ingest.NumericClass, "number"},
	colReasoningTokens: {"reasoning_tokens", ingest.Number, ingest.NumericClass, "number"},
	colRequestedTokens: {"requested_tokens", ingest.Number, ingest.NumericClass, "number"},
	colHTTPStatus:      {"http_status", ingest.Number, ingest.NumericClass, "number"},
	colConcurrency:     {"concurrency", ingest.Number, ingest.NumericClass, "number"},
	colRate:            {"rate", ingest.Number, ingest.NumericClass, "number"},
	colTurn:            {"turn_index", ingest.Number, ingest.NumericClass, "number"},

	colGaps: {"", ingest.NumberList, ingest.ListClass, "list of numbers"},
}

// Names of the column of gaps: inter-token latencies, or gaps between messages
// that may carry several tokens.
const (
	tokenGaps = "itl_s"
	chunkGaps = "chunk_gap_s"
)

func (c column) form() ingest.Form { return specs[c].form }

// info lists the column; gaps is the name of the column of gaps.
func (c column) info(gaps string) ingest.ColumnInfo {
	s := specs[c]
	if c == colGaps {
		s.name = gaps
	}
	return ingest.ColumnInfo{Name: s.name, Type: s.typ, Class: s.class}
}

// columnSet is a set of columns.
type columnSet uint64

func (s columnSet) has(c column) bool { return s&(1<<c) != 0 }
func (s *columnSet) add(c column)     { *s |= 1 << c }
func (s *columnSet) remove(c column)  { *s &^= 1 << c }
func setOf(cs ...column) (s columnSet) {
	for _, c := range cs {
		s.add(c)
	}
	return s
}
