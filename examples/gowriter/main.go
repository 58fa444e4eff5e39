// Command gowriter shows how to write the requests of your own load generator
// as records that perfdiff reads: one JSON object a line and request.
//
//	go run ./examples/gowriter > records.jsonl
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Record is one request. Times are of one clock, in seconds; a failed request is
// written too, with what went wrong.
type Record struct {
	RequestID    string   `json:"request_id"`
	Run          string   `json:"run"`
	Start        float64  `json:"start_s"`
	Status       string   `json:"status"` // ok, or error
	Error        string   `json:"error,omitempty"`
	PromptTokens int      `json:"prompt_tokens"`
	OutputTokens int      `json:"output_tokens"`
	TTFT         *float64 `json:"ttft_s,omitempty"` // nil where no token came
	E2E          *float64 `json:"e2e_s,omitempty"`  // nil where the request did not end well
}

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write writes three requests as a client would have seen them.
func write(w io.Writer) error {
	seconds := func(v float64) *float64 { return &v }
	out := json.NewEncoder(w)
	for _, r := range []Record{
		{RequestID: "a", Run: "run-1", Start: 100, Status: "ok", PromptTokens: 512, OutputTokens: 101, TTFT: seconds(0.25), E2E: seconds(1.25)},
		{RequestID: "b", Run: "run-1", Start: 100.5, Status: "ok", PromptTokens: 1024, OutputTokens: 201, TTFT: seconds(0.375), E2E: seconds(2.375)},
		{RequestID: "c", Run: "run-1", Start: 101, Status: "error", Error: "timeout after 30 s", PromptTokens: 512},
	} {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	return nil
}
