package ingest

import (
	"slices"
	"strings"
)

// Field is a canonical field of a per-request record.
type Field uint8

// The canonical fields. Times are points in time, latencies are durations.
const (
	RequestID Field = iota
	PromptID
	Run
	Replica
	Session
	Start
	End
	Scheduled
	FirstToken
	TTFT
	TPOT
	ITL
	ChunkGap
	E2E
	Latency
	PromptTokens
	OutputTokens
	CachedTokens
	Status
	HTTPStatus
	Error
	Phase
	Stage
	Concurrency
	Rate
	NumFields // not a field
)

// Form is the shape a column is read in.
type Form uint8

// The forms.
const (
	Number     Form = iota // float64 in the base unit
	Time                   // int64 nanoseconds, since the epoch or since any fixed origin
	Text                   // dictionary-coded strings
	NumberList             // a list of float64 in the base unit
)

type fieldInfo struct {
	name string
	form Form
	// isTime marks a duration or a point in time: a bare number needs a unit.
	isTime  bool
	aliases []string // normalised stems, the most trusted first
}

// fields is the one table of canonical fields: name, form and the column names
// that are recognised without --column. Order is that of the constants.
var fields = [NumFields]fieldInfo{
	RequestID:    {"request_id", Text, false, []string{"request_id", "req_id", "x_request_id", "request_num"}},
	PromptID:     {"prompt_id", Text, false, []string{"prompt_id", "prompt_hash", "question_id"}},
	Run:          {"run", Text, false, []string{"run", "run_id", "run_index", "run_name", "run_number"}},
	Replica:      {"replica", Text, false, []string{"replica", "replica_id", "instance", "pod", "engine_id"}},
	Session:      {"session", Text, false, []string{"session", "session_id", "conversation_id"}},
	Start:        {"start", Time, true, []string{"start", "start_time", "start_timestamp", "request_start", "request_start_time", "started_at", "sent_at", "send_time", "timestamp"}},
	End:          {"end", Time, true, []string{"end", "end_time", "end_timestamp", "request_end", "request_end_time", "ended_at", "finished_at", "finish_time", "completed_at"}},
	Scheduled:    {"scheduled", Time, true, []string{"scheduled", "scheduled_time", "scheduled_at", "scheduled_start", "intended_start", "intended_start_time", "credit_issued"}},
	FirstToken:   {"first_token", Time, true, []string{"first_token", "first_token_time", "first_token_at", "first_token_timestamp"}},
	TTFT:         {"ttft", Number, true, []string{"ttft", "time_to_first_token", "first_token_latency"}},
	TPOT:         {"tpot", Number, true, []string{"tpot", "time_per_output_token"}},
	ITL:          {"itl", NumberList, true, []string{"itl", "itls", "inter_token_latency", "inter_token_latencies"}},
	ChunkGap:     {"chunk_gap", NumberList, true, []string{"chunk_gap", "chunk_gaps", "inter_chunk_latency", "inter_chunk_latencies"}},
	E2E:          {"e2e", Number, true, []string{"e2e", "e2el", "e2e_latency", "end_to_end_latency", "request_latency", "total_latency"}},
	Latency:      {"latency", Number, true, []string{"latency", "response_time", "duration", "elapsed"}},
	PromptTokens: {"prompt_tokens", Number, false, []string{"prompt_tokens", "input_tokens", "prompt_len", "input_len", "prompt_length", "input_length", "num_prompt_tokens", "num_input_tokens", "input_sequence_length"}},
	OutputTokens: {"output_tokens", Number, false, []string{"output_tokens", "completion_tokens", "generated_tokens", "output_len", "output_length", "num_output_tokens", "output_sequence_length"}},
	CachedTokens: {"cached_tokens", Number, false, []string{"cached_tokens", "cached_prompt_tokens", "cache_hit_tokens"}},
	Status:       {"status", Text, false, []string{"status", "outcome", "success", "ok", "succeeded", "is_success", "failed", "is_error"}},
	HTTPStatus:   {"http_status", Number, false, []string{"http_status", "status_code", "http_code", "http_status_code"}},
	Error:        {"error", Text, false, []string{"error", "error_message", "error_code", "exception"}},
	Phase:        {"phase", Text, false, []string{"phase", "benchmark_phase", "credit_phase"}},
	Stage:        {"stage", Text, false, []string{"stage", "load_stage"}},
	Concurrency:  {"concurrency", Number, false, []string{"concurrency", "max_concurrency"}},
	Rate:         {"rate", Number, false, []string{"rate", "request_rate"}},
}

// String returns the canonical name, as --column takes it.
func (f Field) String() string {
	if f < NumFields {
		return fields[f].name
	}
	return "unknown"
}

// Form returns the shape the field is read in.
func (f Field) Form() Form { return fields[f].form }

// IsTime reports whether a bare number in this field needs a unit.
func (f Field) IsTime() bool { return fields[f].isTime }

// ParseField returns the field with the canonical name.
func ParseField(name string) (Field, bool) {
	for f := Field(0); f < NumFields; f++ {
		if fields[f].name == name {
			return f, true
		}
	}
	return NumFields, false
}

// Measured reports whether a column of this name carries a field that is a
// number or a time, as the columns of records do and prose does not.
func Measured(column string) bool {
	name := NormalName(column)
	for _, n := range [...]string{name, leaf(name)} {
		stem, _ := SplitUnit(n)
		for f := range fields {
			if fields[f].form != Text && (slices.Contains(fields[f].aliases, n) || fields[f].isTime && slices.Contains(fields[f].aliases, stem)) {
				return true
			}
		}
	}
	return false
}

// FieldNames lists the canonical names in order, for messages.
func FieldNames() string {
	names := make([]string, NumFields)
	for f := Field(0); f < NumFields; f++ {
		names[f] = fields[f].name
	}
	return strings.Join(names, ", ")
}
