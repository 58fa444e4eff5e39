package compare_test

import (
	"context"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// judge sends two generated sides through the pipeline. Without metrics it looks
// at the default ones.
func judge(t testing.TB, before, after fixtures.Spec, opt compare.Options, metrics ...string) (*compare.Comparison, verdict.Decision) {
	t.Helper()
	var sides []fixtures.Records
	for _, spec := range []fixtures.Spec{before, after} {
		records, err := fixtures.Generate(spec)
		if err != nil {
			t.Fatal(err)
		}
		sides = append(sides, records)
	}
	return judgeRecords(t, sides, opt, metrics...)
}

func judgeRecords(t testing.TB, sides []fixtures.Records, opt compare.Options, metrics ...string) (*compare.Comparison, verdict.Decision) {
	t.Helper()
	var inputs []metric.Input
	var layouts []*ingest.Layout
	for _, records := range sides {
		src := records.Source()
		l, err := ingest.Resolve("generated", src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		layouts = append(layouts, l)
		inputs = append(inputs, metric.Input{Files: []metric.File{{Path: "generated", Label: "generated", Source: src, Layout: l}}})
	}
	items, err := metric.Select(metrics, nil, nil, metric.Directions{}, layouts)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Compare(context.Background(), compare.Inputs{Sides: inputs, Plan: metric.NewPlan(items), Scan: metric.Scan{Workers: 1}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c, verdict.Decide(c, verdict.Default())
}

// Only the prompts grew, by 1.6: the like-for-like interval covers no change
// and nothing fails, while the total change is far beyond the margin.
func TestLongerPromptsAreNotARegression(t *testing.T) {
	t.Parallel()
	pairs := 200
	if testing.Short() {
		pairs = 5
	}
	covered, n := map[float64]int{}, map[float64]int{}
	for i := range pairs {
		before := fixtures.Default()
		before.Runs, before.RunSpread, before.Seed = 6, 0.01, uint64(2*i+1)
		after := before
		after.PromptMedian *= 1.6
		after.Seed++
		c, d := judge(t, before, after, compare.DefaultOptions())
		if d.Outcome == verdict.Fail {
			t.Errorf("pair %d fails: %+v", i, d.Reasons[0].Gate.Result.Like)
		}
		for _, r := range c.Results {
			if r.Metric.Name != "ttft" {
				continue
			}
			if r.Like == nil {
				t.Fatalf("pair %d, ttft %s: not split", i, r.Estimand)
			}
			if r.Log.Value < math.Log(1.15) {
				t.Errorf("pair %d, ttft %s: total change only %v", i, r.Estimand, math.Exp(r.Log.Value))
			}
			if got := r.Like.Within.Value + r.Like.Mix.Value; got != r.Like.Total.Value {
				t.Errorf("pair %d, ttft %s: parts add up to %v, total %v", i, r.Estimand, got, r.Like.Total.Value)
			}
			n[r.Estimand.Q]++
			if r.Like.Log.Lo <= 0 && 0 <= r.Like.Log.Hi {
				covered[r.Estimand.Q]++
			}
		}
	}
	for _, q := range []float64{.5, .95, .99} {
		share := float64(covered[q]) / float64(n[q])
		t.Logf("p%v: covered in %.1f %% of %d", q*100, 100*share, n[q])
		if !testing.Short() && share < .93 {
			t.Errorf("p%v: covered in %.3f of %d pairs, want .93", q*100, share, n[q])
		}
	}
}

// A slowdown of 10 % behind shorter prompts: the total hides it, the verdict
// does not.
func TestShorterPromptsDoNotHideASlowdown(t *testing.T) {
	before := fixtures.Default()
	before.Runs, before.RunSpread, before.RequestsPerRun = 6, 0.01, 4000
	after := before
	after.TTFTFactor, after.PromptMedian, after.Seed = 1.12, before.PromptMedian/1.25, 2
	c, d := judge(t, before, after, compare.DefaultOptions())
	if d.Outcome != verdict.Fail {
		t.Errorf("verdict %s, want FAIL", d.Outcome)
	}
	for _, r := range c.Results {
		if r.Metric.Name == "ttft" && r.Estimand.Q == .5 {
			if math.Abs(r.Log.Value) > math.Log(1.05) {
				t.Errorf("the total moved by %v: the test wants it hidden", math.Exp(r.Log.Value))
			}
			if lo := math.Exp(r.Like.Log.Lo); lo < 1.05 {
				t.Errorf("like for like from %v, want beyond the margin", lo)
			}
		}
	}
}

// Equal traffic is not split.
func TestEqualTrafficIsNotSplit(t *testing.T) {
	split := 0
	for i := range 20 {
		before := fixtures.Default()
		before.Seed = uint64(100 + 2*i)
		after := before
		after.Seed++
		c, _ := judge(t, before, after, compare.DefaultOptions())
		if c.Mix.Used {
			split++
		}
	}
	if split > 5 { // 1 in 20 is expected at the level of the test
		t.Errorf("%d of 20 pairs with equal traffic were split", split)
	}
}
