package harness

import (
	"fmt"
	"testing"
)

// Who counted the tokens is told where the records tell it.
func TestTokenSource(t *testing.T) {
	const lifecycle = `[{"start_time": 1, "end_time": 2, "request": "{}", "info": {"output_tokens": 8, "chunk_times": [1.1, 2.0]%s}, "error": null}]`
	const spend = "request_id,startTime,endTime,call_type,spend,completion_tokens\na,2026-01-05 09:00:00,2026-01-05 09:00:01,acompletion,0,%s\n"
	for _, c := range []struct{ reader, text, want string }{
		{"inference-perf", fmt.Sprintf(lifecycle, `, "server_usage": {"completion_tokens": 7}`), "server"},
		{"inference-perf", fmt.Sprintf(lifecycle, ""), "client"},
		{"llmperf", `[{"error_code": null, "ttft_s": 0.1, "end_to_end_latency_s": 1, "number_input_tokens": 5, "number_output_tokens": 9}]`, "client"},
		{"litellm", fmt.Sprintf(spend, "12"), "server"},
		{"aiperf", `{"metadata": {"request_start_ns": 1}, "metrics": {"request_latency": {"value": 9, "unit": "ms"}, "output_sequence_length": {"value": 5, "unit": "tokens"}}}` + "\n", "client"},
		{"aiperf", `{"metadata": {"request_start_ns": 1}, "metrics": {"request_latency": {"value": 9, "unit": "ms"}, "output_sequence_length": {"value": 5, "unit": "tokens"}, "usage_completion_tokens": {"value": 6, "unit": "tokens"}}}` + "\n", "server"},
		{"aiperf", `{"metadata": {"request_start_ns": 1}, "metrics": {"request_latency": {"value": 9, "unit": "ms"}, "output_sequence_length": {"value": 5, "unit": "tokens"}}}` + "\n" +
			`{"metadata": {"request_start_ns": 1}, "metrics": {"request_latency": {"value": 9, "unit": "ms"}, "usage_completion_tokens": {"value": 6, "unit": "tokens"}}}` + "\n", "client | server"},
		{"aiperf", `{"metadata": {"request_start_ns": 1}, "metrics": {"request_latency": {"value": 9, "unit": "ms"}}}` + "\n", ""},
	} {
		s := open(t, c.reader, textFile(c.text))
		if got := meta(s, "fingerprint.token_source"); got != c.want {
			t.Errorf("%s: %q, want %q\n%s", c.reader, got, c.want, c.text)
		}
	}
}
