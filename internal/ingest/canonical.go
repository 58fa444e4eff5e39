package ingest

import "strings"

// SchemaVersion is that of the canonical record schema, in the key-value
// metadata of a converted file under SchemaKey.
const (
	SchemaVersion = "1"
	SchemaKey     = "perfdiff.schema_version"
)

// CanonicalColumn describes a column of the canonical record schema.
type CanonicalColumn struct {
	Field Field
	Name  string
	Type  string // "double", "text", "timestamp[ns]", "list<double>"
	Unit  string // "s", "tokens", ""
	Text  string
}

var fieldTexts = [NumFields]string{
	RequestID:    "identifies the request within its run; a repeated one is rejected",
	PromptID:     "identifies the prompt, for pairs",
	Run:          "the run: the unit of evidence; one file is one run where it is absent",
	Replica:      "what served the request: replica, engine, host",
	Session:      "conversation or client",
	Start:        "when the request was sent",
	End:          "when its last byte came",
	Scheduled:    "when it should have been sent; latencies then count from here",
	FirstToken:   "when the first token came",
	TTFT:         "time to first token",
	TPOT:         "time per output token after the first; computed from the others where absent",
	ITL:          "gaps between tokens, one for each after the first",
	ChunkGap:     "gaps between messages that may carry several tokens each",
	E2E:          "end-to-end latency",
	Latency:      "latency, where it is the only one and not further known",
	PromptTokens: "tokens of the prompt, as served",
	OutputTokens: "tokens of the answer, as served",
	CachedTokens: "prompt tokens that the prefix cache served",
	Status:       "ok, or how the request failed: error, timeout, cancelled, …",
	HTTPStatus:   "HTTP status; other than 2xx is a failure",
	Error:        "what went wrong, empty if nothing did",
	Phase:        "warmup records are left out",
	Stage:        "step of a load profile",
	Concurrency:  "requests in flight that the client was told to keep",
	Rate:         "requests a second that the client was told to send",
}

// CanonicalSchema lists the columns of the canonical schema in order. Every
// column may be absent, and every cell null.
func CanonicalSchema() []CanonicalColumn {
	out := make([]CanonicalColumn, NumFields)
	for f := Field(0); f < NumFields; f++ {
		c := CanonicalColumn{Field: f, Name: f.String(), Text: fieldTexts[f]}
		switch f.Form() {
		case Number:
			c.Type = "double"
			switch {
			case f.IsTime():
				c.Unit = Second.Name
				c.Name += "_s"
			case strings.HasSuffix(c.Name, "_tokens"):
				c.Unit = "tokens"
			case f == Rate:
				c.Unit = "1/s"
			}
		case NumberList:
			c.Type, c.Unit = "list<double>", Second.Name
			c.Name += "_s"
		case Time:
			c.Type = "timestamp[ns]"
		case Text:
			c.Type = "text"
		}
		out[f] = c
	}
	return out
}

// StatusWord returns the word that stands for a cell of the status column in a
// file of another name: a yes/no column becomes ok or failed.
func (b Binding) StatusWord(word string) string {
	if !b.Flag {
		return word
	}
	switch statusReason(word, b) {
	case Good:
		return "ok"
	case FailedStatus:
		return "failed"
	}
	return word
}
