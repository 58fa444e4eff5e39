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
	late := write(t, "late.jsonl", strings.Repeat(token, 5000)+strings.Repeat(chunk, 400))
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

// Lists without a gap are no gaps: nothing of them is a gate unless it is asked for.
func TestEmptyGaps(t *testing.T) {
	for name, text := range map[string]string{
		"empty.jsonl": strings.Repeat(`{"ttft_s":0.1,"e2e_s":0.5,"output_tokens":5,"itl_s":[]}`+"\n", 100),
		"vllm.json":   `{"backend":"vllm","model_id":"m","num_prompts":100,"duration":10,"completed":100,"input_lens":[` + strings.Repeat("5,", 99) + `5],"output_lens":[` + strings.Repeat("5,", 99) + `5],"ttfts":[` + strings.Repeat("0.1,", 99) + `0.1],"itls":[` + strings.Repeat("[],", 99) + `[]],"errors":[` + strings.Repeat(`"",`, 99) + `""]}`,
	} {
		a := write(t, name, text)
		doc := document(t, 3, a, a)
		for _, r := range doc.Results {
			if r.Metric == "itl" || r.Metric == "chunk_gap" {
				t.Errorf("%s: %s %s is compared", name, r.Metric, r.Estimand)
			}
		}
		if r := row(t, document(t, 3, "-m", "itl:p50", a, a), "itl", "p50"); r.Kind != "no_data" {
			t.Errorf("%s: %s", name, r.Kind)
		}
	}
}
