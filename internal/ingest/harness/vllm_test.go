package harness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The wanted numbers were computed from the files with a few lines of Python,
// and agree with the aggregates that the harness wrote beside the records.
func TestVLLMNumbers(t *testing.T) {
	for _, c := range []struct {
		file                 string
		rows, ok             int64
		ttft, tpotMS, gapsMS float64
		cols                 string
	}{
		{"vllm/gen_vllm-legacy_before.json", 200, 187, 0.056308, 15.647, 15.666, "stage status error ttft_s e2e_s prompt_tokens output_tokens rate itl_s"},
		{"vllm/gen_vllm-legacy_after_slower15pct.json", 200, 187, 0.062073, 18.055, 18.019, ""},
		{"vllm/gen_vllm-2026_maxconc8_before.json", 150, 140, 0.052748, 13.176, 13.120, "stage status error start scheduled ttft_s e2e_s prompt_tokens output_tokens concurrency rate itl_s"},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := open(t, "vllm", sample(t, c.file))
			r := load(t, s)
			equal(t, "rows", r.Total(), c.rows)
			equal(t, "ok", r.Of(ingest.OK), c.ok)
			equal(t, "failed", r.Of(ingest.Failed), c.rows-c.ok)
			near(t, "mean TTFT", mean(r.cols[ingest.TTFT]), c.ttft, 1e-6)
			near(t, "mean TPOT ms", 1e3*mean(r.tpot), c.tpotMS, 1e-3)
			near(t, "mean gap ms", 1e3*mean(r.gaps), c.gapsMS, 1e-3)
			t.Log(names(s), s.Metadata())
		})
	}
	_ = fmt.Sprint
	_ = strings.Join
}
