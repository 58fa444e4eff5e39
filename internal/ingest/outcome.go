package ingest

// Outcome says what one record is evidence of.
type Outcome uint8

// The outcomes.
const (
	OK       Outcome = iota // a request that succeeded: its latencies count
	Failed                  // a request that did not: it counts in rates only
	Rejected                // a record that cannot be true: it counts in nothing
	Excluded                // outside the measured part: warm-up, another model, no partner
)

// Reason says why a record is not OK.
type Reason uint8

// The reasons, by outcome.
const (
	Good Reason = iota
	// failed
	FailedStatus
	FailedHTTP
	FailedError
	FailedTimeout
	FailedCancelled
	FailedEmpty
	UnknownStatus
	// rejected
	NotANumber
	Infinite
	Negative
	ZeroLatency
	NoLatency
	TTFTOverE2E
	BadTokens
	BadTime
	DuplicateID
	// excluded
	WarmupTime
	WarmupPhase
	OtherModel
	Unpaired
	NumReasons // not a reason
)

type reasonInfo struct {
	code    string
	text    string // "N records: …"
	outcome Outcome
}

var reasons = [NumReasons]reasonInfo{
	Good:            {"good", "good", OK},
	FailedStatus:    {"status", "status says that the request failed", Failed},
	FailedHTTP:      {"http_status", "the HTTP status is not 2xx", Failed},
	FailedError:     {"error", "an error is recorded", Failed},
	FailedTimeout:   {"timeout", "the request timed out", Failed},
	FailedCancelled: {"cancelled", "the request was cancelled", Failed},
	FailedEmpty:     {"empty", "the answer has no tokens", Failed},
	NotANumber:      {"not_a_number", "a value is not a number", Rejected},
	Infinite:        {"infinite", "a value is infinite", Rejected},
	Negative:        {"negative", "a latency is negative", Rejected},
	ZeroLatency:     {"zero_latency", "a latency is exactly zero", Rejected},
	NoLatency:       {"no_latency", "no latency is recorded", Rejected},
	TTFTOverE2E:     {"ttft_over_e2e", "the first token comes after the end", Rejected},
	BadTokens:       {"bad_token_count", "a token count is negative or not whole", Rejected},
	BadTime:         {"bad_time", "a time cannot be read", Rejected},
	UnknownStatus:   {"unknown_status", "the status word is not known, and so counts as a failure", Failed},
	DuplicateID:     {"duplicate_id", "the request id was seen before in this run", Rejected},
	WarmupTime:      {"warmup", "the request started during the warm-up", Excluded},
	WarmupPhase:     {"warmup_phase", "the record belongs to a warm-up phase", Excluded},
	OtherModel:      {"other_model", "the record is of another model than the chosen one", Excluded},
	Unpaired:        {"unpaired", "the record has no partner on the other side (--pair)", Excluded},
}

// Code returns the stable name of the reason.
func (r Reason) Code() string { return reasons[r].code }

// Text describes the reason.
func (r Reason) Text() string { return reasons[r].text }

// Outcome returns the outcome the reason leads to.
func (r Reason) Outcome() Outcome { return reasons[r].outcome }

// Elsewhere reports whether the record is none of those that are compared: of
// another model, or without a partner. A run of such records alone is no run.
func (r Reason) Elsewhere() bool { return r == OtherModel || r == Unpaired }

// Counts tallies records by reason.
type Counts [NumReasons]int64

// Add adds o to c.
func (c *Counts) Add(o *Counts) {
	for i := range c {
		c[i] += o[i]
	}
}

// Of returns how many records had the outcome.
func (c *Counts) Of(o Outcome) int64 {
	var n int64
	for r, k := range c {
		if reasons[r].outcome == o {
			n += k
		}
	}
	return n
}

// Total returns how many records were counted.
func (c *Counts) Total() int64 {
	var n int64
	for _, k := range c {
		n += k
	}
	return n
}
