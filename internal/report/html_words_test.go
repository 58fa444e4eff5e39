package report

import (
	"slices"
	"testing"
)

// An open comparison says what most gates take, which of them nothing settles, and
// the margins that would have passed.
func TestDecideSteps(t *testing.T) {
	inconclusive := "INCONCLUSIVE"
	runs := func(n int) *Needed { return &Needed{Runs: &n} }
	doc := &Document{Verdict: &inconclusive}
	for _, g := range []struct {
		estimand string
		needed   *Needed
		margin   float64
	}{{"p50", runs(4), 0.0605}, {"p90", runs(20), 0.0715}, {"p95", &Needed{}, 0.0825}, {"p99", nil, 0.0935}, {"p99.9", nil, 0.2}} {
		doc.Results = append(doc.Results, Result{Metric: "ttft", Estimand: g.estimand, Verdict: &inconclusive, Needed: g.needed, Smallest: &Margin{Kind: "relative", Value: Num(g.margin)}})
	}
	want := []string{
		"Measure 20 more runs a side: as many as ttft p90 needs, the others need fewer.",
		"No affordable amount of data settles ttft p95, ttft p99 and ttft p99.9.",
		"Or, if that much harm is tolerable, accept a wider margin. The smallest that would have passed: ttft p50 6.1 %, ttft p90 7.2 %, ttft p95 8.3 %, ttft p99 9.4 %, and more in the table below.",
	}
	if got := decideSteps(doc, nil); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// What the assumed noise leaves open is no matter of more requests, and the page says
// so where it says what to do.
func TestNextStepsNameTheAssumedNoise(t *testing.T) {
	inconclusive := "INCONCLUSIVE"
	doc := &Document{Verdict: &inconclusive, Warnings: []Note{{"traffic_differs", "Another."}, {"noise_alone", "The noise alone leaves it open."}}}
	if got := nextSteps(doc); !slices.Contains(got, "The noise alone leaves it open.") || slices.Contains(got, "Another.") {
		t.Errorf("%q", got)
	}
}
