package plots

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// comparison is one of two sides with three runs each.
func comparison(t *testing.T) (*compare.Comparison, []metric.Item) {
	t.Helper()
	ttft, _ := metric.Known("ttft")
	ok, _ := metric.Known("success_rate")
	p99 := metric.Estimand{Kind: metric.Quantile, Q: 0.99}
	rate := metric.Estimand{Kind: metric.Rate}
	items := []metric.Item{{Metric: ttft, Estimands: []metric.Estimand{p99}}, {Metric: ok, Estimands: []metric.Estimand{rate}}}
	c := &compare.Comparison{Options: compare.DefaultOptions(), Design: compare.Design{Unit: compare.Run, Baseline: 3, Candidate: 3}}
	for s := range 2 {
		side := &metric.Side{}
		for run := range 3 {
			sk := sketch.New(0)
			for i := range 2000 {
				sk.Add((0.1 + 0.0005*float64(i)) * (1 + 0.1*float64(s) + 0.01*float64(run)))
			}
			side.Units = append(side.Units, &metric.Unit{Label: fmt.Sprint(run), Cells: []metric.Cell{{Sketch: sk}, {Sketch: sketch.New(0)}}})
		}
		c.Sides = append(c.Sides, side)
	}
	value := func(v float64) compare.Value { return compare.Value{OK: true, Value: v, N: 6000, Units: 3} }
	change := func(v, lo, hi float64) compare.Contrast {
		return compare.Contrast{OK: true, Value: v, Lo: lo, Hi: hi, DF: 4}
	}
	c.Results = []compare.Result{
		{Metric: ttft, Estimand: p99, Baseline: value(1.1), Candidate: value(1.21),
			Log: change(math.Log(1.1), math.Log(1.05), math.Log(1.15)), Delta: change(0.11, 0.05, 0.16), Bound: change(1.21, 1.19, 1.23)},
		{Metric: ok, Estimand: rate, Baseline: value(0.999), Candidate: value(0.998), Delta: change(-0.001, -0.002, 0.0005)},
	}
	return c, items
}

func TestViewFigures(t *testing.T) {
	c, items := comparison(t)
	v := View{Comparison: c, Items: items, Labels: [2]string{"before", "after"}, Judged: []Judged{
		{Result: &c.Results[0], Margin: 0.05, Relative: true, Verdict: Failed},
		{Result: &c.Results[1], Margin: 0.005, Verdict: Passed},
		{Result: &c.Results[0], Limited: true, Limit: 1, Verdict: Failed},
	}}
	for _, q := range []float64{0.5, 0.9, 0.95} {
		r := c.Results[0]
		r.Estimand.Q = q
		c.Results = append(c.Results, r)
	}
	figures, missing := v.Figures()
	var ids []string
	for _, f := range figures {
		ids = append(ids, f.ID)
		checkSVG(t, f, Options{})
	}
	if diff := cmp.Diff([]string{"gates", "runs", "change-ttft", "distribution-ttft"}, ids); diff != "" {
		t.Error(diff)
	}
	if len(missing) != 0 {
		t.Errorf("missing %q", missing)
	}
	gates := figures[0]
	if len(gates.Panels) != 3 {
		t.Fatalf("%d panels", len(gates.Panels))
	}
	type seen struct{ Value, Lo, Hi float64 }
	var got []seen
	for _, p := range gates.Panels {
		for _, iv := range marks[Interval](p) {
			got = append(got, seen{iv.Value, iv.Lo, iv.Hi})
		}
	}
	if diff := cmp.Diff([]seen{{0.1, 0.05, 0.15}, {-0.001, -0.002, 0.0005}, {0.21, 0.19, 0.23}}, got, close); diff != "" {
		t.Error(diff)
	}
	// Less success is harm: the margin lies below zero.
	if at := marks[Rule](gates.Panels[1])[1].At; at != -0.005 {
		t.Errorf("the margin of the rate lies at %v", at)
	}
	runs := marks[Dots](figures[1].Panels[0])
	want, err := c.Sides[1].Units[2].Cells[0].Sketch.Quantile(0.99)
	if err != nil || runs[1].Points[2].X != want {
		t.Errorf("the last run's p99 is drawn at %v, want %v", runs[1].Points[2].X, want)
	}
	line := marks[Line](figures[2].Panels[0])[0]
	if len(line.Points) != 4 || line.Points[0].X != 0.5 || line.Points[3].X != 0.99 {
		t.Errorf("the curve has the points %v", line.Points)
	}
}

// TestViewOfLittle: a side without values, one run a side, and no judged result
// leave figures out and say why.
func TestViewOfLittle(t *testing.T) {
	c, items := comparison(t)
	for _, s := range c.Sides {
		s.Units = s.Units[:1]
	}
	v := View{Comparison: c, Items: items, Labels: [2]string{"before", "after"}}
	figures, missing := v.Figures()
	if len(figures) != 1 || figures[0].ID != "distribution-ttft" || len(missing) != 1 {
		t.Errorf("%d figures, missing %q", len(figures), missing)
	}
	for _, s := range c.Sides {
		s.Units[0].Cells[0].Sketch = sketch.New(0)
	}
	figures, missing = v.Figures()
	if len(figures) != 0 || len(missing) != 2 || !strings.Contains(missing[1], "distribution of ttft: no side has a value") {
		t.Errorf("%d figures, missing %q", len(figures), missing)
	}
	// One side alone, as described.
	c, items = comparison(t)
	c.Sides = c.Sides[:1]
	figures, _ = View{Comparison: c, Items: items, Labels: [2]string{"input"}}.Figures()
	if len(figures) != 1 || len(figures[0].Legend) != 1 {
		t.Errorf("%d figures", len(figures))
	}
}

// TestMarginsDiffer: a margin that holds for one percentile alone is not drawn
// across all of them.
func TestMarginsDiffer(t *testing.T) {
	c, items := comparison(t)
	v := View{Comparison: c, Items: items, Judged: []Judged{
		{Result: &c.Results[0], Margin: 0.05, Relative: true}, {Result: &c.Results[0], Margin: 0.1, Relative: true}}}
	if a := v.against(items[0].Metric); a.Margin != 0 {
		t.Errorf("margin %v", a.Margin)
	}
	v.Judged = v.Judged[:1]
	if a := v.against(items[0].Metric); a.Margin != 0.05 {
		t.Errorf("margin %v", a.Margin)
	}
}
