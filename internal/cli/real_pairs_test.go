package cli_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// The pairs of real harnesses whose second file was made 15 % slower are seen as
// slower by about that, with the caveat of a single run where there is one.
func TestRealPairsAreSeenAsSlower(t *testing.T) {
	const real, harness = "../../fixtures/real", "../ingest/harness/testdata"
	for _, c := range []struct{ dir, before, after, metric, caveat string }{
		{real, "vllm/gen_vllm-legacy_before.json", "vllm/gen_vllm-legacy_after_slower15pct.json", "tpot", "assumed run-to-run noise"},
		{real, "sglang/gen_sglang_native_before.jsonl", "sglang/gen_sglang_native_after_slower15pct.jsonl", "tpot", "two runs a side are a screening"},
		{real, "vegeta/gen_vegeta_before.csv", "vegeta/gen_vegeta_after_slower15pct.csv", "latency", "assumed run-to-run noise"},
		{harness, "k6/gen_k6_before.csv", "k6/gen_k6_after_slower15pct.csv", "latency", "assumed run-to-run noise"},
	} {
		res := run(t, "-m", c.metric+":mean", "--format", "json", filepath.Join(c.dir, c.before), filepath.Join(c.dir, c.after))
		doc := decode(t, res.stdout)
		r := doc.Results[0]
		if r.Ratio == nil {
			t.Fatalf("%s: no ratio: %s", c.before, res.stdout)
		}
		// The requests are few, and part of each is the harness's own time.
		if v := float64(r.Ratio.Value); math.Abs(v-1.15) > 0.03 {
			t.Errorf("%s: %s is %v times as long, want about 1.15", c.before, c.metric, v)
		}
		if lo, hi := float64(r.Ratio.Lo), float64(r.Ratio.Hi); !(lo < 1.15 && 1.15 < hi) {
			t.Errorf("%s: interval %v to %v without 1.15", c.before, lo, hi)
		}
		if !strings.Contains(doc.Design.Text, c.caveat) {
			t.Errorf("%s: design %q without %q", c.before, doc.Design.Text, c.caveat)
		}
	}
}
