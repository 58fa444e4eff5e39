package report

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/plan"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// BuildPlan makes the document of a plan. parts is the pilot, nil where the
// numbers were given.
func BuildPlan(rows []plan.Row, ask plan.Ask, parts *compare.Parts, m Meta) *Document {
	doc := base(&compare.Comparison{Options: compare.Options{Level: ask.Level}, Design: compare.Design{Unit: compare.Run}}, m, "plan")
	if parts != nil {
		c := partsComparison(parts)
		doc.Baseline = side(parts.Side, m.Sides[0])
		doc.Design.Unit, doc.Design.BaselineUnits = c.Design.Unit.String(), c.Design.Baseline
		doc.Warnings = append(doc.Warnings, warnings(c, m)...)
	}
	for i := range rows {
		doc.Plan = append(doc.Plan, planRow(&rows[i]))
	}
	doc.Design.Text = planDesign(doc, ask, parts)
	if text := planAnswer(doc, ask); text != "" {
		doc.Reasons = append(doc.Reasons, Reason{"plan", text})
	}
	return doc
}

// partsComparison is what the remarks about a side read.
func partsComparison(p *compare.Parts) *compare.Comparison {
	return &compare.Comparison{Options: p.Options, Design: p.Design, Sides: []*metric.Side{p.Side}}
}

// planHarm turns harms of a row into what is printed and reported.
type planHarm struct {
	scale     verdict.Scale
	direction metric.Direction
}

// share is a harm as a share, or the difference.
func (h planHarm) share(v float64) float64 {
	if math.IsNaN(v) {
		return v
	}
	return h.scale.HarmShare(v, h.direction)
}

// reported is a harm as a ratio, or the difference, as Result.MDE has it.
func (h planHarm) reported(v float64) Num {
	if h.scale == verdict.Absolute || math.IsNaN(v) {
		return Num(v)
	}
	if h.direction == metric.HigherIsBetter {
		v = -v
	}
	return Num(math.Exp(v))
}

func planRow(r *plan.Row) Plan {
	h := planHarm{r.Scale, r.Direction}
	out := Plan{
		Metric: "any", Estimand: "any", Effect: none, Power: r.Power, Level: r.Level, Assumptions: assumptions(r),
		MDE: h.reported(r.MDE), Curve: []PowerAt{}, Trade: []TradeAt{}, Warnings: []Note{},
		RunPlan: RunPlan{
			Unit: [...]string{"run", "request"}[r.Unit], MetricUnit: r.ValueUnit, Relative: r.Scale == verdict.Relative, Source: r.Spread.Source.String(),
			AtEstimate: r.AtEstimate, RequestsPerRun: r.EnoughRequests, share: r.Share, harm: h,
		},
	}
	if r.Metric != nil {
		out.Metric, out.Estimand = r.Metric.Name, r.Estimand.String()
	} else if r.Unit == plan.Requests {
		out.Estimand = "mean"
	}
	if r.Margin != nil {
		out.Margin = margin(r.Margin.Scale, r.Margin.Value)
	}
	if r.HasEffect {
		out.Effect = Num(h.share(r.Effect))
	}
	if r.Runs > 0 {
		out.Runs = &r.Runs
	}
	if r.Requests > 0 {
		out.Requests = &r.Requests
	}
	out.MDESize = int64(max(r.MDERuns, r.MDERequests))
	for _, at := range r.BySize {
		out.BySize = append(out.BySize, PlanAtSize{at.Runs, at.Requests, h.reported(at.MDE), h.reported(at.FailsAt), Num(at.Power)})
		if !math.IsNaN(at.Power) {
			size := int64(at.Runs)
			if r.Unit == plan.Requests {
				size = at.Requests
			}
			out.Curve = append(out.Curve, PowerAt{size, Num(at.Power)})
		}
	}
	for _, at := range r.ByLength {
		out.ByLength = append(out.ByLength, PlanAtLength{at.RequestsPerRun, Num(at.SD), at.Runs, at.Requests})
	}
	for _, w := range r.Warnings {
		out.Warnings = append(out.Warnings, Note{w.Code, w.Text})
	}
	if r.Impossible != nil {
		out.Warnings = append(out.Warnings, Note{"impossible", impossibleText(&out, r)})
	}
	return out
}

// assumptions lists the known numbers that a plan rests on.
func assumptions(r *plan.Row) map[string]Num {
	s := r.Spread
	out := map[string]Num{}
	add := func(key string, v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out[key] = Num(v)
		}
	}
	if r.Unit == plan.Runs {
		add("run_sd", s.SD)
		add("run_sd_lo", s.Lo)
		add("run_sd_hi", s.Hi)
		add("planned_run_sd", s.Planned)
		add("within_run_sd", s.Within)
		add("between_run_sd", stats.ExcessSD(s.SD, s.Within))
	}
	add("requests_per_run", s.RequestsPerRun)
	add("dependence", s.Dependence)
	add("request_sd", s.RequestSD)
	add("rate", s.Rate)
	if s.PilotRuns > 0 {
		add("pilot_runs", float64(s.PilotRuns))
	}
	return out
}

// impossibleText says why no size decides.
func impossibleText(p *Plan, r *plan.Row) string {
	what := "runs"
	if r.Unit == plan.Requests {
		what = "requests"
	}
	switch {
	case plan.IsImpossible(r.Impossible) && r.Margin != nil && r.HasEffect && r.Effect >= r.Margin.Harm(r.Direction):
		return fmt.Sprintf("no number of %s shows that %s stays within its margin of %s when it is assumed to be worse by %s", what, planName(p), p.marginText(), p.amount(r.Effect))
	case plan.IsImpossible(r.Impossible) && r.Margin == nil && r.HasEffect && r.Effect == 0:
		return fmt.Sprintf("no number of %s shows a change of %s that is assumed not to be there", what, planName(p))
	}
	if r.About > 0 {
		return fmt.Sprintf("%s would take about %s runs a side, more than can be planned for", planName(p), roughly(r.About))
	}
	text := r.Impossible.Error()
	for err := r.Impossible; err != nil; err = errors.Unwrap(err) { // leave out the kind of the error
		if inner := errors.Unwrap(err); inner != nil {
			text = strings.TrimSuffix(text, ": "+inner.Error())
		}
	}
	return planName(p) + ": " + text
}

// roughly prints a large number with two digits that count.
func roughly(v float64) string {
	unit := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	return count(int64(math.Round(v/unit) * unit))
}

// PlanFailure returns why nothing can be planned, "" if something can.
func PlanFailure(doc *Document) string {
	why := ""
	for i := range doc.Plan {
		p := &doc.Plan[i]
		bad := ""
		for _, w := range p.Warnings {
			if w.Code == "impossible" {
				bad = w.Text
			}
		}
		if bad == "" {
			return ""
		}
		if why == "" {
			why = bad
		}
	}
	return why
}
