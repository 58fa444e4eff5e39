package cli_test

import (
	"strings"
	"testing"
)

// Lists of gaps that are short only behind the first records, which are looked
// at, are no inter-token latencies either.
func TestLateChunkGaps(t *testing.T) {
	const token, chunk = `{"ttft_s":0.1,"e2e_s":0.5,"output_tokens":5,"itl_s":[0.1,0.1,0.1,0.1]}` + "\n", `{"ttft_s":0.1,"e2e_s":0.5,"output_tokens":5,"itl_s":[0.4]}` + "\n"
	tokens := write(t, "tokens.jsonl", strings.Repeat(token, 5100))
	late := write(t, "late.jsonl", strings.Repeat(token, 5000)+strings.Repeat(chunk, 100))
	r := row(t, document(t, 3, "-m", "itl:p50", tokens, late), "itl", "p50")
	if r.Kind != "no_data" || r.Candidate.Value.Known() || !r.Baseline.Value.Known() {
		t.Errorf("%s: baseline %v, candidate %v", r.Kind, r.Baseline.Value, r.Candidate.Value)
	}
	warned(t, r, "chunk_gaps")
	slips := write(t, "slips.jsonl", strings.Repeat(token, 5060)+strings.Repeat(chunk, 40))
	if r := row(t, document(t, 3, "-m", "itl:p50", tokens, slips), "itl", "p50"); r.Kind == "no_data" {
		t.Error("40 of 5100 lists are slips of counting")
	}
}
