package report

import (
	"fmt"
	"math"
)

// planPage lays out a plan of runs and requests.
func planPage(doc *Document) sheet {
	title := doc.Tool.Name + " plan"
	if doc.Baseline != nil {
		title += "  " + doc.Baseline.Label
	}
	pg := sheet{title: title}
	for _, r := range doc.Reasons {
		pg.lead = append(pg.lead, r.Text)
	}
	pg.lead = append(pg.lead, fmt.Sprintf("%s, seed %d", doc.Design.Text, doc.Seed))
	if doc.Baseline != nil {
		pg.parts = append(pg.parts, part{grid: planRows(doc)})
	}
	d := deciding(doc)
	if len(d.BySize) > 0 {
		pg.parts = append(pg.parts, sizePart(doc, d))
	}
	if len(d.ByLength) > 0 && d.Runs != nil {
		pg.parts = append(pg.parts, lengthPart(d))
	}
	seen := map[string]bool{}
	for i := range doc.Plan {
		for _, w := range doc.Plan[i].Warnings {
			text := capitalWord(w.Text)
			if w.Code == "few_runs" || w.Code == "thin_tail" || w.Code == "no_length" {
				text = capitalWords(planName(&doc.Plan[i])) + ": " + w.Text
			}
			if w.Code == "impossible" {
				text = capitalWords(w.Text)
			}
			if !seen[text] {
				seen[text] = true
				pg.notes = append(pg.notes, sentence(text))
			}
		}
	}
	if doc.Baseline != nil {
		if t := sideText(doc.Baseline); t != "" {
			pg.notes = append(pg.notes, t)
		}
	}
	for _, n := range doc.Warnings {
		pg.notes = append(pg.notes, sentence(n.Text))
	}
	return pg
}

func planRows(doc *Document) grid {
	size := int64(0)
	for i := range doc.Plan {
		if p := &doc.Plan[i]; p.Unit == "run" && size == 0 {
			size = p.MDESize
		}
	}
	shows := "shows"
	if size > 0 {
		shows = count(size) + " runs show"
	}
	g := grid{
		head:  []string{"metric", "at", "margin", "run SD", "95 % interval", "planned", "from requests", "runs", "requests", shows},
		right: []bool{false, false, true, true, false, true, true, true, true, true},
	}
	g.head[4] = percentOf(doc.Level) + " interval"
	last := ""
	for i := range doc.Plan {
		p := &doc.Plan[i]
		name := p.Metric
		if name == "success_rate" {
			name = "ok"
		}
		if name == last {
			name = ""
		} else {
			last = name
		}
		row := []string{name, p.Estimand, p.marginText(), "", "", "", "", "", "", p.change(p.MDE)}
		if p.Unit == "run" {
			sd, planned, within := p.known("run_sd"), p.known("planned_run_sd"), p.known("within_run_sd")
			row[3] = p.spread(sd)
			if planned != sd {
				row[5] = p.spread(planned)
			}
			if lo, hi := p.known("run_sd_lo"), p.known("run_sd_hi"); !math.IsNaN(lo) && !math.IsNaN(hi) {
				row[4] = p.spreads(lo, hi)
			}
			if within > 0 && sd > 0 {
				row[6] = fixed(100*math.Min(1, within*within/(sd*sd)), 0) + " %"
			}
			if p.MDESize != size {
				row[9] = ""
			}
		}
		if p.Runs != nil {
			row[7] = count(int64(*p.Runs))
		}
		if p.Requests != nil {
			row[8] = count(*p.Requests)
		}
		if p.Runs == nil && p.Requests == nil && p.Margin != nil {
			row[7] = "none"
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func sizePart(doc *Document, p *Plan) part {
	what := planName(p)
	g := grid{
		head:  []string{"runs", "requests", "change or margin shown", "beyond the margin from", "power"},
		right: []bool{true, true, true, true, true},
	}
	for _, at := range p.BySize {
		row := []string{"", "", p.change(at.MDE), p.change(at.FailsAt), ""}
		if at.Runs > 0 {
			row[0] = count(int64(at.Runs))
		}
		if at.Requests > 0 {
			row[1] = count(at.Requests)
		}
		if at.Power.Known() {
			row[4] = fixed(100*float64(at.Power), 0) + " %"
		}
		g.rows = append(g.rows, row)
	}
	head := "What a side of that size shows of " + what + " with " + percentOf(p.Power) + " power"
	if p.Margin != nil && g.rows[0][4] != "" {
		head += ", and its power for the margin of " + p.marginText()
	}
	return part{head: head + ":", grid: g}
}

func lengthPart(p *Plan) part {
	g := grid{head: []string{"requests a run", "run SD", "runs", "requests"}, right: []bool{true, true, true, true}}
	n := p.known("requests_per_run")
	var here, longest PlanAtLength
	for _, at := range p.ByLength {
		row := []string{count(at.RequestsPerRun), p.spread(float64(at.RunSD)), "too many", ""}
		if at.Runs > 0 {
			row[2], row[3] = count(int64(at.Runs)), count(at.Requests)
		}
		g.rows = append(g.rows, row)
		if math.Abs(float64(at.RequestsPerRun)-n) <= 0.5 {
			here = at
		}
		longest = at
	}
	return part{head: "What to buy, longer runs or more of them (" + planName(p) + "):", grid: g, tail: buyText(p, here, longest)}
}

// buyText says whether longer runs or more of them help.
func buyText(p *Plan, here, longest PlanAtLength) string {
	planned, within := p.known("planned_run_sd"), p.known("within_run_sd")
	share := math.Min(1, within*within/(planned*planned))
	advice := "longer runs help only in part"
	switch {
	case share < 0.25:
		advice = "buy more runs, longer ones hardly help"
	case share > 0.6:
		advice = "buy longer runs"
	}
	text := fmt.Sprintf("Requests account for %s of the planned variance of a run: %s.", fixed(100*share, 0)+" %", advice)
	if here.Runs > 0 && longest.Runs > 0 && longest.Runs < here.Runs {
		text += fmt.Sprintf(" Runs of %s would need %s instead of %s.", plural(longest.RequestsPerRun, "request"), count(int64(longest.Runs)), count(int64(here.Runs)))
	}
	if d := p.known("dependence"); d >= 1.5 {
		text += fmt.Sprintf(" Requests of a run resemble their neighbours: %s of them tell as much as one that stands alone.", digits(d, 2))
	}
	return text
}
