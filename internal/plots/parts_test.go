package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// TestSplitFigures: a comparison like for like shows the way from before to
// after, the strata, and both changes at every percentile.
func TestSplitFigures(t *testing.T) {
	c, items := comparison(t)
	change := func(v float64) compare.Contrast {
		return compare.Contrast{OK: true, Value: v, Lo: v - 0.01, Hi: v + 0.01, DF: 4}
	}
	c.Mix = &compare.Mix{By: "prompt length", Used: true, Strata: []compare.Stratum{
		{Label: "1-255", BaselineShare: 0.7, CandidateShare: 0.4}, {Label: "256-1023", BaselineShare: 0.3, CandidateShare: 0.6}, {Label: "unknown"}}}
	c.Results[0].Like = &compare.Like{Relative: true, Log: change(math.Log(1.04)), Delta: change(0.044), Total: change(0.1), Within: change(0.04), Mix: change(0.06),
		BaselineValues: []float64{0.5, 1, math.NaN()}, CandidateValues: []float64{0.52, 1.05, math.NaN()}}
	for _, q := range []float64{0.5, 0.9, 0.95} {
		r := c.Results[0]
		r.Estimand.Q = q
		c.Results = append(c.Results, r)
	}
	v := View{Comparison: c, Items: items, Labels: [2]string{"before", "after"}, Judged: []Judged{
		{Result: &c.Results[0], Margin: 0.05, Relative: true, Verdict: Open}, {Result: &c.Results[2], Margin: 0.05, Relative: true, Verdict: Open}}}
	figures, missing := v.Figures()
	byID := map[string]*Figure{}
	var ids []string
	for _, f := range figures {
		byID[f.ID] = f
		ids = append(ids, f.ID)
		checkSVG(t, f, Options{})
	}
	if diff := cmp.Diff([]string{"gates", "mix-ttft-p99", "strata-ttft-p99", "runs", "change-ttft", "distribution-ttft"}, ids); diff != "" {
		t.Fatal(diff, missing)
	}
	if got := byID["gates"].Panels[0].X.Label; got != "change like for like (%)" {
		t.Errorf("the axis is called %q", got)
	}
	// The judged change is the one like for like.
	if iv := marks[Interval](byID["gates"].Panels[0])[0]; math.Abs(iv.Value-0.04) > 1e-12 {
		t.Errorf("the gate is drawn at %v", iv.Value)
	}
	bars := marks[Bar](byID["mix-ttft-p99"].Panels[0])
	if diff := cmp.Diff([]float64{1.1, 1.166, 1.166, 1.21}, []float64{bars[0].Y0, bars[0].Y1, bars[1].Y0, bars[1].Y1}, close); diff != "" {
		t.Error(diff)
	}
	strata := byID["strata-ttft-p99"]
	if diff := cmp.Diff([]Row{{"1-255 (70 → 40 %)", "+4.0 %", Ink}, {"256-1023 (30 → 60 %)", "+5.0 %", Ink}}, strata.Panels[0].Rows); diff != "" {
		t.Error(diff)
	}
	if len(strata.Notes) != 2 || !strings.Contains(strata.Notes[1], "No stratum has enough requests") || strings.Contains(strata.Alt, "0 % intervals") {
		t.Errorf("notes %q, alt %q", strata.Notes, strata.Alt)
	}
	lines := marks[Line](byID["change-ttft"].Panels[0])
	if len(lines) != 2 || lines[0].Name != "as the traffic was" || math.Abs(lines[0].Points[0].Y-1.1) > 1e-12 || math.Abs(lines[1].Points[0].Y-1.04) > 1e-12 {
		t.Errorf("lines %+v", lines)
	}
}

func TestSliceFigures(t *testing.T) {
	c, items := comparison(t)
	slice := func(value string, log float64) *compare.Result {
		r := c.Results[0]
		r.Slice = &compare.SliceOf{Columns: []string{"region"}, Values: []string{value}}
		r.Log = compare.Contrast{OK: true, Value: log, Lo: log - 0.1, Hi: log + 0.1, DF: 4}
		return &r
	}
	v := View{Comparison: c, Items: items, Labels: [2]string{"before", "after"}, Judged: []Judged{
		{Result: &c.Results[0], Margin: 0.05, Relative: true, Verdict: Open},
		{Result: slice("us", 0.01), Margin: 0.05, Relative: true, Verdict: Muted},
		{Result: slice("eu", 0.3), Margin: 0.05, Relative: true, Verdict: Failed},
		{Result: slice("asia", -0.1), Margin: 0.05, Relative: true, Verdict: Muted}}}
	figures, missing := v.Figures()
	if figures[0].ID != "gates" || figures[1].ID != "slices-ttft-p99" {
		t.Fatalf("figures %s, %s; missing %q", figures[0].ID, figures[1].ID, missing)
	}
	// A critical slice is a gate, the others are only explored.
	if rows := figures[0].Panels[0].Rows; len(rows) != 2 || rows[1].Label != "ttft p99, region=eu" {
		t.Errorf("gates %+v", rows)
	}
	var labels []string
	for _, r := range figures[1].Panels[0].Rows {
		labels = append(labels, r.Label+" "+r.Value)
	}
	if diff := cmp.Diff([]string{"region=eu +35.0 %  FAIL", "region=us +1.0 %", "region=asia -9.5 %"}, labels); diff != "" {
		t.Error(diff)
	}
}
