package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// compared sends two generated sides through the pipeline.
func compared(t *testing.T, opt compare.Options, ask []string, p verdict.Policy, specs ...fixtures.Spec) (*compare.Comparison, verdict.Decision, Meta) {
	t.Helper()
	in := compare.Inputs{Scan: metric.Scan{Workers: 2}}
	var layouts []*ingest.Layout
	m := Meta{Tool: Tool{"perfdiff", "test"}, Seed: 3, Notes: []Note{{"remark", "A remark."}}}
	for _, spec := range specs {
		r, err := fixtures.Generate(spec)
		if err != nil {
			t.Fatal(err)
		}
		src := r.Source()
		l, err := ingest.Resolve("made", src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		layouts = append(layouts, l)
		in.Sides = append(in.Sides, metric.Input{Files: []metric.File{{Path: "made", Source: src, Layout: l}}})
		m.Sides = append(m.Sides, SideMeta{Label: "made", Files: []FileMeta{{Path: "made", Reader: "memory", Columns: map[string]FieldFrom{"ttft": {"ttft_s", "s"}}}}})
	}
	var limits []string
	for _, l := range p.Limits {
		limits = append(limits, l.Ask())
	}
	items, err := metric.Select(ask, limits, nil, metric.Directions{}, layouts)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(items); err != nil {
		t.Fatal(err)
	}
	in.Plan = metric.NewPlan(items)
	run := compare.Compare
	if len(specs) == 1 {
		run = compare.Describe
	}
	c, err := run(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(specs) == 1 {
		return c, verdict.Decision{}, m
	}
	return c, verdict.Decide(c, p), m
}

// The document tells what was estimated and decided, number by number.
func TestBuild(t *testing.T) {
	before := fixtures.Default()
	before.Runs, before.RequestsPerRun, before.RunSpread, before.FailureRate = 4, 1200, 0.004, 0.004
	after := before
	after.Seed, after.TTFTFactor, after.PromptMedian = 2, 1.3, 900
	opt := compare.DefaultOptions()
	opt.By = []string{"replica"}
	critical, err := compare.ParseSlice("replica=replica-01")
	if err != nil {
		t.Fatal(err)
	}
	opt.Critical = []compare.SliceOf{critical}
	p := verdict.Default()
	limit, err := verdict.ParseLimit("ttft:p50<=10s")
	if err != nil {
		t.Fatal(err)
	}
	p.Limits = []verdict.Limit{limit}
	c, d, m := compared(t, opt, []string{"ttft:p50", "ttft:p99.9", "tpot:mean", "success_rate", "output_tps:p50"}, p, before, after)
	doc := Build(c, d, m)
	if *doc.Verdict != d.Outcome.String() || doc.ExitCode != d.Outcome.ExitCode() || doc.Seed != 3 || doc.Level != 0.95 {
		t.Errorf("verdict %s, exit code %d", *doc.Verdict, doc.ExitCode)
	}
	for i, s := range []*Side{doc.Baseline, doc.Candidate} {
		if got := s.OK + s.Failed + total(s.Rejected) + total(s.Excluded); got != s.Requests || s.Requests != c.Sides[i].Records() {
			t.Errorf("side %d: %d of %d records accounted for", i, got, s.Requests)
		}
		if s.FirstStart == nil || !strings.HasSuffix(*s.FirstStart, "Z") || s.Runs != 4 || s.Files[0].Rows != 4800 {
			t.Errorf("side %d: %+v", i, s)
		}
	}
	if len(doc.Results) != len(d.Gates) {
		t.Fatalf("%d results of %d gates", len(doc.Results), len(d.Gates))
	}
	limits, sliced, judgedSlices := 0, 0, 0
	for i, r := range doc.Results {
		g := &d.Gates[i]
		if r.Metric != g.Result.Metric.Name || r.Estimand != g.Result.Estimand.String() || float64(r.Baseline.Value) != g.Result.Baseline.Value || r.Candidate.N != g.Result.Candidate.N {
			t.Errorf("row %d: %s %s", i, r.Metric, r.Estimand)
		}
		if (r.Verdict != nil) != g.Judged || r.Blocking != g.Judged {
			t.Errorf("row %d: verdict %v, judged %v", i, r.Verdict, g.Judged)
		}
		if r.Ratio != nil && math.Abs(float64(r.Ratio.Value)-float64(r.Candidate.Value/r.Baseline.Value)) > 1e-12 {
			t.Errorf("row %d: ratio %v of %v and %v", i, r.Ratio.Value, r.Baseline.Value, r.Candidate.Value)
		}
		if r.Q != nil && *r.Q != g.Result.Estimand.Q {
			t.Errorf("row %d: q %v", i, *r.Q)
		}
		if r.Limit != nil {
			limits++
			if r.Margin != nil || r.LikeForLike != nil {
				t.Errorf("row %d: a limit with a margin", i)
			}
		}
		if r.Slice != nil {
			sliced++
			if r.Verdict != nil {
				judgedSlices++
			}
		}
		if r.Metric == "output_tps" && (r.Direction != "higher" || r.Verdict != nil) {
			t.Errorf("row %d: %s, judged without a margin %v", i, r.Direction, r.Verdict)
		}
		if r.Estimand == "p99.9" && r.Slice == nil && (r.Needed == nil || r.Needed.Requests == nil) {
			t.Errorf("row %d: a thin tail needs nothing", i)
		}
	}
	if limits != 1 || sliced == 0 || judgedSlices == 0 {
		t.Errorf("%d limits, %d slices of which %d are gates", limits, sliced, judgedSlices)
	}
	// The prompts grew: the change is split, and the parts add up.
	if len(doc.MixShift) == 0 {
		t.Fatal("no split")
	}
	for _, s := range doc.MixShift {
		if s.Within.Value+s.Mix.Value != s.Total.Value || len(s.Strata) == 0 {
			t.Errorf("%s %s: %v + %v is not %v", s.Metric, s.Estimand, s.Within.Value, s.Mix.Value, s.Total.Value)
		}
		share := Num(0)
		for _, st := range s.Strata {
			if st.Change.Lo.Known() && !st.Change.Value.Known() {
				t.Errorf("%s: stratum %s has no change and limits %+v", s.Metric, st.Label, st.Change)
			}
			share += st.BaselineShare
		}
		if math.Abs(float64(share)-1) > 1e-9 {
			t.Errorf("%s: shares add up to %v", s.Metric, share)
		}
	}
	if doc.Warnings[0] != m.Notes[0] {
		t.Errorf("warnings %v", doc.Warnings)
	}
	// What is written reads back the same.
	var b bytes.Buffer
	if err := WriteJSON(&b, doc); err != nil {
		t.Fatal(err)
	}
	var back Document
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&back); err != nil {
		t.Fatal(err)
	}
	sameNum := cmp.Comparer(func(a, b Num) bool { return a == b || !a.Known() && !b.Known() })
	if d := cmp.Diff(doc.Results, back.Results, sameNum, cmp.FilterPath(func(p cmp.Path) bool {
		s, ok := p.Last().(cmp.StructField)
		return ok && (s.Name() == "items" || s.Name() == "percent" || s.Name() == "many" || s.Name() == "tasks" || s.Name() == "paired")
	}, cmp.Ignore())); d != "" {
		t.Errorf("read back:\n%s", d)
	}
}

func TestBuildDescription(t *testing.T) {
	spec := fixtures.Default()
	spec.Runs, spec.RequestsPerRun = 3, 500
	c, _, m := compared(t, compare.DefaultOptions(), []string{"ttft:p50", "ttft:p99.99", "ttft:max"}, verdict.Default(), spec)
	doc := BuildDescription(c, m)
	if doc.Verdict != nil || doc.Candidate != nil || doc.ExitCode != 0 || doc.Command != "describe" {
		t.Errorf("%+v", doc)
	}
	for _, r := range doc.Results {
		if r.Delta != nil || r.Ratio != nil || r.Verdict != nil || r.PValue.Known() || !r.Baseline.Value.Known() {
			t.Errorf("%+v", r)
		}
	}
	// A value without an interval says why.
	for i, want := range []string{"", "needs 100,000 requests for an interval", "no interval for ttft max"} {
		text := ""
		for _, w := range doc.Results[i].Warnings {
			text += w.Text
		}
		if (want == "") != (text == "") || !strings.Contains(text, want) {
			t.Errorf("row %d: %q, want %q", i, text, want)
		}
	}
}
