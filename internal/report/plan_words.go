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
