package report

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/calibrate"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// BuildCalibration makes the document of a calibration.
func BuildCalibration(r *calibrate.Result, parts *compare.Parts, opt calibrate.Options, m Meta) *Document {
	c := partsComparison(parts)
	doc := base(c, m, "calibrate")
	doc.Baseline = side(parts.Side, m.Sides[0])
	n := float64(r.Splits)
	out := &Calibration{
		Unit: parts.Design.Unit.String(), Units: len(parts.Side.Units), Size: r.Size, Splits: r.Splits, All: r.All,
		Pass: Num(float64(r.Pass) / n), Fail: Num(float64(r.Fail) / n), Inconclusive: Num(float64(r.Inconclusive) / n), Exception: Num(float64(r.Exception) / n),
		Checks: []CalibrationCheck{}, Rows: []CalibrationRow{},
	}
	if parts.Blocks {
		out.Unit, doc.Baseline.Runs = "block", 1
	}
	for _, ch := range r.Checks {
		out.Checks = append(out.Checks, CalibrationCheck{string(ch.Code), Num(float64(ch.N) / n)})
	}
	for i := range r.Rows {
		out.Rows = append(out.Rows, calibrationRow(&r.Rows[i], c.Options.Level))
	}
	doc.Calibration = out
	doc.Design.Text = calibrationDesign(doc, opt)
	doc.Reasons = append(doc.Reasons, Reason{"calibration", calibrationAnswer(out, r)})
	doc.Warnings = append(doc.Warnings, warnings(c, m)...)
	if n := len(parts.Copies); n > 0 {
		doc.Warnings = append(doc.Warnings, Note{"copied_runs", fmt.Sprintf("%s of %d %s the values of another one (%s): copies are alike, so the noise between runs is larger than what was measured, and a comparison of them cannot pass",
			plural(int64(n), "run"), len(parts.Side.Units), numbered(n, "has", "have"), listed(parts.Copies))})
	}
	return doc
}

func calibrationRow(r *calibrate.Row, level float64) CalibrationRow {
	out := CalibrationRow{
		Metric: r.Metric.Name, Estimand: r.Estimand.String(), Relative: r.Scale == verdict.Relative,
		Fail: none, Inconclusive: none, Misses: none, RunSD: Change{none, none, none}, WithinSD: none, BetweenSD: none,
	}
	if r.Slice != nil {
		out.Slice = map[string]string{}
		for i, col := range r.Slice.Columns {
			out.Slice[col] = r.Slice.Values[i]
		}
	}
	h := planHarm{r.Scale, r.Metric.Direction}
	out.harm = Plan{Metric: out.Metric, Estimand: out.Estimand, RunPlan: RunPlan{Relative: out.Relative, MetricUnit: r.Metric.Unit, share: r.Metric.Kind == metric.Share, harm: h}}
	if r.Margin != nil {
		out.Margin = margin(r.Margin.Scale, r.Margin.Value)
		out.harm.Margin = out.Margin
	}
	if r.Judged > 0 {
		out.Fail, out.Inconclusive = Num(float64(r.Fail)/float64(r.Judged)), Num(float64(r.Inconclusive)/float64(r.Judged))
	}
	if r.Intervals > 0 {
		out.Misses = Num(float64(r.Missed) / float64(r.Intervals))
	}
	for _, x := range []struct {
		harm float64
		into **Margin
	}{{r.Passing, &out.PassingMargin}, {r.Provable, &out.ProvableMargin}} {
		if v := h.share(x.harm); !math.IsNaN(v) && v > 0 {
			*x.into = margin(r.Scale, v)
		}
	}
	if s := r.Spread; s != nil {
		n := s.Natural
		if out.Relative {
			n = s.Log
		}
		if !math.IsNaN(n.SD) && n.SD > 0 {
			out.RunSD.Value, out.WithinSD, out.BetweenSD = Num(n.SD), Num(n.Within), Num(n.Between())
			half := (1 - level) / 2
			if v, err := stats.SDUpperLimit(n.SD, n.DF, half); err == nil {
				out.RunSD.Lo = Num(v)
			}
			if v, err := stats.SDUpperLimit(n.SD, n.DF, 1-half); err == nil {
				out.RunSD.Hi = Num(v)
			}
		}
	}
	return out
}

func calibrationDesign(doc *Document, opt calibrate.Options) string {
	c := doc.Calibration
	unit := c.Unit
	units := plural(int64(c.Units), unit)
	if unit == "block" {
		units = "one run in " + plural(int64(c.Units), "block") + " of time"
	}
	splits := "all " + plural(int64(c.Splits), "split")
	if !c.All {
		splits = plural(int64(c.Splits), "split") + " at random"
	}
	return fmt.Sprintf("%s, %s; %d + %d %ss a split, %s; level %s", units, plural(doc.Baseline.OK+doc.Baseline.Failed, "request"), c.Size, c.Size, unit, splits, percentOf(doc.Level))
}

func calibrationAnswer(c *Calibration, r *calibrate.Result) string {
	out := fmt.Sprintf("Nothing changed, and the verdict is FAIL in %s of %s (%s), INCONCLUSIVE in %s, PASS in %s.",
		count(int64(r.Fail)), plural(int64(r.Splits), "split"), share1(float64(c.Fail)), share1(float64(c.Inconclusive)), share1(float64(c.Pass)))
	if r.Exception > 0 {
		out += fmt.Sprintf(" EXCEPTION_REQUIRED in %s.", share1(float64(c.Exception)))
	}
	return out
}
