package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/plan"
)

// ofRuns reports whether the document is a plan of runs and requests.
func (doc *Document) ofRuns() bool {
	return doc.Command == "plan" && len(doc.Plan) > 0 && doc.Plan[0].Unit != ""
}

func planName(p *Plan) string {
	switch {
	case p.Metric == "any":
		return "the metric"
	case p.Metric == "success_rate":
		return "success rate"
	case p.Estimand == "rate":
		return p.Metric
	}
	return p.Metric + " " + p.Estimand
}

// amount prints a harm of the plan: "5 %", "0.3 pp", "4 ms".
func (p *Plan) amount(harm float64) string {
	v := p.harm.share(harm)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return ""
	case p.Relative:
		return share1(v)
	case p.share:
		return digits(v*100, 2) + " pp"
	}
	return value(Num(v), p.MetricUnit, false, scaleFor(p.MetricUnit, v))
}

// change prints a reported ratio or difference.
func (p *Plan) change(v Num) string {
	if !v.Known() {
		return ""
	}
	x := float64(v)
	if p.Relative {
		x = math.Abs(math.Log(x))
	}
	return p.amount(x)
}

// spread prints a standard deviation.
func (p *Plan) spread(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0) || v == 0:
		return ""
	case p.Relative:
		return digits(v*100, 2) + " %"
	case p.share:
		return digits(v*100, 2) + " pp"
	}
	return value(Num(v), p.MetricUnit, false, scaleFor(p.MetricUnit, v))
}

// spreads prints an interval of standard deviations.
func (p *Plan) spreads(lo, hi float64) string {
	bare := func(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, " %"), " pp") }
	return "[" + bare(p.spread(lo)) + ", " + bare(p.spread(hi)) + "]"
}

func (p *Plan) marginText() string {
	m := p.Margin
	switch {
	case m == nil:
		return ""
	case m.Kind == "relative":
		return percentOf(float64(m.Value))
	case p.share:
		return number(float64(m.Value)*100) + " pp"
	}
	s := scaleFor(p.MetricUnit, float64(m.Value))
	return withUnit(number(float64(m.Value)*s.factor), s.name)
}

func (p *Plan) known(key string) float64 {
	if v, ok := p.Assumptions[key]; ok {
		return float64(v)
	}
	return math.NaN()
}

// deciding is the row that takes the most.
func deciding(doc *Document) *Plan {
	var out *Plan
	size := func(p *Plan) int64 {
		switch {
		case p.Runs != nil:
			return int64(*p.Runs) << 32
		case p.Unit == "run" && len(p.BySize) > 0:
			return 1 << 32
		case p.Requests != nil:
			return *p.Requests
		}
		return 0
	}
	for i := range doc.Plan {
		if p := &doc.Plan[i]; out == nil || size(p) > size(out) {
			out = p
		}
	}
	return out
}

// planDesign says in one line what the plan rests on.
func planDesign(doc *Document, ask plan.Ask, parts *compare.Parts) string {
	var out []string
	d := deciding(doc)
	level := fmt.Sprintf("level %s (one-sided %s)", percentOf(ask.Level), percentOf((1-ask.Level)/2))
	if parts == nil {
		text := "given numbers"
		if k := d.known("pilot_runs"); !math.IsNaN(k) {
			text += fmt.Sprintf(", the spread planned at its upper %s limit, since it is from %s", percentOf(ask.UpperLevel), plural(int64(k), "run"))
		}
		return text + ", " + level
	}
	units := plural(int64(len(parts.Side.Units)), "run")
	if parts.Design.Unit == compare.Replica {
		units = plural(int64(len(parts.Side.Units)), "replica")
	}
	out = append(out, "pilot: "+units, plural(parts.Side.OK()+parts.Side.Failed(), "request"))
	switch {
	case parts.Design.Unit == compare.Request:
		out = append(out, "every request independent (--unit request)")
	case len(parts.Side.Units) == 1:
		noise := percentOf(parts.Options.RunNoise)
		if parts.Options.Noise != nil {
			noise = "as in " + parts.Options.Noise.From
		}
		out = append(out, "noise between runs assumed to be "+noise+" (--run-noise)")
	default:
		if sd, planned := d.known("run_sd"), d.known("planned_run_sd"); planned > sd {
			out = append(out, fmt.Sprintf("spreads planned at their upper %s limit, since they are from few runs", percentOf(ask.UpperLevel)))
		}
	}
	return strings.Join(append(out, level), ", ")
}

// planAnswer is the answer in a sentence.
func planAnswer(doc *Document, ask plan.Ask) string {
	p := deciding(doc)
	if p == nil {
		return ""
	}
	power := percentOf(p.Power) + " power"
	size := ""
	switch {
	case p.Unit == "request" && p.Requests != nil:
		size = plural(*p.Requests, "request") + " a side"
	case p.Runs != nil:
		size = plural(int64(*p.Runs), "run") + " a side"
		if n := p.known("requests_per_run"); n >= 1 {
			size += " of " + plural(int64(math.Round(n)), "request")
		}
	}
	more := ""
	if n := decided(doc); n > 1 {
		more = "; the other rows take no more"
	}
	var out string
	switch {
	case size == "" && p.MDE.Known():
		return fmt.Sprintf("%s show with %s a change of %s by %s, or, if nothing changed, that a margin as wide is kept.", capitalWords(planSize(p, p.MDESize)), power, planName(p), p.change(p.MDE))
	case size == "":
		return ""
	case p.Margin != nil && p.Effect.Known() && p.Effect != 0:
		word := "worse"
		v := float64(p.Effect)
		if v < 0 {
			word, v = "better", -v
		}
		out = fmt.Sprintf("%s show with %s that %s is not worse by %s, if it is %s by %s%s.", size, power, planName(p), p.marginText(), word, p.plain(v), more)
	case p.Margin != nil:
		out = fmt.Sprintf("%s show with %s that %s is not worse by %s, if nothing changed%s.", size, power, planName(p), p.marginText(), more)
	default:
		out = fmt.Sprintf("%s show with %s that %s changed, if it changes by %s%s.", size, power, planName(p), p.plain(math.Abs(float64(p.Effect))), more)
	}
	if p.Source == "pilot" && p.Unit == "run" && p.AtEstimate > 0 && p.Runs != nil && p.AtEstimate < *p.Runs {
		out += fmt.Sprintf(" If the spread were exactly as estimated, %s would do.", count(int64(p.AtEstimate)))
	}
	if ask.Runs > 0 && p.MDE.Known() {
		out += fmt.Sprintf(" %s show a change of %s, or that a margin as wide is kept.", capitalWords(planSize(p, p.MDESize)), p.change(p.MDE))
		if p.RequestsPerRun > 0 && p.Runs != nil && *p.Runs > ask.Runs {
			out += fmt.Sprintf(" With %s a run they would be enough.", plural(p.RequestsPerRun, "request"))
		}
	}
	return capitalWords(out)
}

// plain prints a share or a difference that is already on the scale of reports.
func (p *Plan) plain(v float64) string {
	if p.Relative {
		return share1(v)
	}
	return p.amount(v)
}

func planSize(p *Plan, n int64) string {
	if p.Unit == "request" {
		return plural(n, "request") + " a side"
	}
	return plural(n, "run") + " a side"
}

func decided(doc *Document) (n int) {
	for i := range doc.Plan {
		if doc.Plan[i].Runs != nil || doc.Plan[i].Requests != nil {
			n++
		}
	}
	return n
}

func capitalWords(s string) string {
	for _, word := range []string{"success rate", "the metric", "no number"} {
		if strings.HasPrefix(s, word) {
			return capitalWord(s)
		}
	}
	return s
}

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
