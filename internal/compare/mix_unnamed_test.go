package compare_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// Requests of one side that do not tell their stratum may be its slow ones: with more
// than a few of them a change like for like, which leaves them out, is not to be relied on.
func TestUnnamedStrata(t *testing.T) {
	// A table of 4,000 requests in 4 runs, of which one in every has no prompt length
	// (or has length) and no word, and is three times as slow.
	side := func(seed uint64, longer float64, every int, length float64) *table {
		tb := tiers{seed: seed, runs: 4, requests: 1000, gold: "gold", prompts: map[bool]float64{true: longer, false: longer}, slower: map[bool]float64{true: 1, false: 1}}.table()
		for i := range tb.len() {
			if every > 0 && i%every == 0 {
				tb.columns[2].words[i], tb.columns[3].numbers[i] = "", length
				tb.columns[4].numbers[i] *= 3
			}
		}
		return tb
	}
	none := math.NaN()
	length, word := []string(nil), []string{"kind"}
	for _, c := range []struct {
		mix           []string
		longer        float64
		before, after int // one in so many
		length        float64
		metric        string
		refused       bool
	}{
		{length, 1.5, 0, 0, none, "ttft:p50", false},
		{length, 1.5, 0, 25, none, "ttft:p50", true},
		{length, 1.5, 0, 25, 0, "ttft:p50", true},
		{length, 1.5, 25, 0, none, "ttft:p50", true},
		{length, 1.5, 25, 25, none, "ttft:p50", false}, // they have a counterpart
		{length, 1.5, 0, 125, none, "ttft:p50", false},
		{length, 1.5, 0, 125, none, "ttft:p95", false},
		{length, 1.5, 0, 125, none, "ttft:p99", true},
		{length, 1.5, 0, 500, none, "ttft:p99", false},
		{word, 1, 0, 25, none, "ttft:p50", true},
		{word, 1, 25, 25, none, "ttft:p50", false},
		{word, 1, 0, 125, none, "ttft:p99", true},
		{[]string{"kind", "prompt_tokens"}, 1, 0, 25, none, "ttft:p50", true},
	} {
		name := fmt.Sprintf("%+v", c)
		opt := compare.DefaultOptions()
		opt.Mix = c.mix
		got := compareTables(t, opt, []string{c.metric}, side(1, 1, c.before, c.length), side(2, c.longer, c.after, c.length)).Results[0]
		if got.Like == nil {
			t.Errorf("%s: not split", name)
			continue
		}
		if refused := len(got.Like.Refused) > 0; refused != c.refused {
			t.Errorf("%s: refused %v", name, got.Like.Refused)
		}
	}
}
