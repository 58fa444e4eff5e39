package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// designText says in one line what the evidence is.
func designText(c *compare.Comparison) string {
	d, level := c.Design, percentOf(c.Options.Level)
	var units, requests []string
	for _, s := range c.Sides {
		units = append(units, count(int64(len(s.Units))))
		requests = append(requests, count(s.OK()+s.Failed()))
	}
	runs := strings.Join(units, " + ") + " runs"
	if runs == "1 + 1 runs" {
		runs = "one run a side"
	}
	head := runs + ", " + strings.Join(requests, " + ") + " requests, "
	if len(c.Sides) == 1 {
		head = plural(int64(len(c.Sides[0].Units)), "run") + ", " + plural(c.Sides[0].OK()+c.Sides[0].Failed(), "request") + ", "
	}
	single := min(d.Baseline, d.Candidate) <= 1
	if len(c.Sides) == 1 {
		single = d.Baseline <= 1
	}
	if where := emptySides(c); where != "" {
		return head + "no usable record" + where
	}
	switch {
	case d.Unit == compare.Request:
		return head + level + " intervals that take every request as independent (--unit request)"
	case d.Unit == compare.Replica && !single:
		return head + fmt.Sprintf("%d + %d replicas, replica-level %s intervals", d.Baseline, d.Candidate, level)
	case len(c.Sides) == 1 && single:
		return head + "within-run " + level + " intervals"
	case d.BorrowedSpread:
		return head + level + " intervals; the single run is taken to vary as the other side's runs do"
	case d.AssumedRunNoise > 0 && d.NoiseFrom != "":
		return head + level + " intervals: within-run, widened by the run-to-run noise measured in " + d.NoiseFrom + " (" + noiseRange(d) + ")"
	case d.AssumedRunNoise > 0:
		return head + level + " intervals: within-run, widened by an assumed run-to-run noise of " + percentOf(d.AssumedRunNoise) + " (--run-noise)"
	case single:
		return head + "within-run " + level + " intervals: about these two runs only (--run-noise 0%)"
	}
	if len(c.Sides) == 2 && d.Screening() {
		return head + "run-level " + level + " intervals; two runs a side are a screening, five make a test"
	}
	return head + "run-level " + level + " intervals"
}

// emptySides says which sides have no successful request, "" if none.
func emptySides(c *compare.Comparison) string {
	var empty []string
	for i, s := range c.Sides {
		if len(s.Units) == 0 || s.OK() == 0 {
			empty = append(empty, " in the "+[...]string{"baseline", "candidate"}[i])
		}
	}
	switch {
	case len(empty) == 0:
		return ""
	case len(c.Sides) == 1:
		return " in it"
	case len(empty) == 2:
		return " on either side"
	}
	return empty[0]
}

// noiseRange prints what is assumed where each estimand has its own noise.
func noiseRange(d compare.Design) string {
	lo, hi := fixed(d.LeastRunNoise*100, 1)+" %", fixed(d.AssumedRunNoise*100, 1)+" %"
	if lo == hi {
		return hi
	}
	return lo + " to " + hi
}

// percentOf prints a share as the user would write it. A level close to 1 keeps
// the digits that set it apart from 100 %.
func percentOf(share float64) string {
	if share < 1 && share > 1-1e-7 {
		return strings.TrimRight(strconv.FormatFloat(share*100, 'f', 12, 64), "0") + " %"
	}
	return number(share*100) + " %"
}

// name is how a sentence calls a result: "ttft p99", "success rate".
func name(r *compare.Result) string {
	if r.Items != nil {
		return itemName(r)
	}
	if r.Slice != nil {
		whole := *r
		whole.Slice = nil
		return name(&whole) + " of " + r.Slice.String()
	}
	switch {
	case r.Metric.Name == "success_rate":
		return "success rate"
	case r.Estimand.Kind == metric.Rate:
		return r.Metric.Name
	}
	return r.Metric.Name + " " + r.Estimand.String()
}

// amount prints a harm on a gate's scale: "11.4 %", "0.2 pp", "4 ms".
func amount(g *verdict.Gate, harm float64) string {
	if math.IsInf(harm, 0) {
		return "no bound"
	}
	r := g.Result
	switch {
	case g.Margin != nil && g.Margin.Scale == verdict.Relative || g.Margin == nil && r.Log.OK:
		if r.Metric.Direction == metric.HigherIsBetter {
			return share1(-math.Expm1(-harm))
		}
		return share1(math.Expm1(harm))
	case r.Metric.Percent():
		return fixed(harm*100, 2) + " pp"
	}
	return valueOf(harm, r)
}

func share1(v float64) string { return fixed(v*100, 1) + " %" }

func valueOf(v float64, r *compare.Result) string {
	return value(Num(v), r.Metric.Unit, false, scaleFor(r.Metric.Unit, v))
}

// side value of a result with its unit.
func valueText(v float64, r *compare.Result) string {
	return value(Num(v), r.Metric.Unit, r.Metric.Percent(), scaleFor(r.Metric.Unit, v))
}

func marginText(g *verdict.Gate) string {
	m := g.Margin
	switch {
	case m == nil:
		return ""
	case m.Scale == verdict.Relative:
		return percentOf(m.Value)
	case g.Result.Metric.Percent():
		return number(m.Value*100) + " pp"
	}
	return bare(m.Value, g.Result.Metric.Unit, false)
}

func limitText(g *verdict.Gate) string {
	return g.Limit.Op + " " + bare(g.Limit.Value, g.Result.Metric.Unit, g.Result.Metric.Percent())
}

// worse and better are the words for harm and its opposite.
func worse(r *compare.Result, harm float64) string {
	up := harm > 0
	switch {
	case r.Metric.Unit == metric.Seconds:
		if up {
			return "slower"
		}
		return "faster"
	case up == (r.Metric.Direction == metric.LowerIsBetter):
		return "higher"
	}
	return "lower"
}

// likeWords marks a change that was split from that of the traffic.
func likeWords(g *verdict.Gate) string {
	if g.Result.Like != nil && g.Limit == nil {
		return " like for like"
	}
	return ""
}

// harmSentence tells a change with its interval: "ttft p99 is slower by 17.6 %
// (11.0 % to 24.5 %)".
func harmSentence(g *verdict.Gate) string {
	lo, hi, h := g.HarmLo, g.HarmHi, g.Harm
	if h < 0 {
		lo, hi, h = -g.HarmHi, -g.HarmLo, -g.Harm
		// The size of an improvement is that of the ratio: 1 − ratio of what fell.
		if relativeGate(g) {
			size := math.Expm1
			if g.Result.Metric.Direction == metric.LowerIsBetter {
				size = func(v float64) float64 { return -math.Expm1(-v) }
			}
			return fmt.Sprintf("%s is %s%s by %s (%s to %s)", name(g.Result), worse(g.Result, g.Harm), likeWords(g),
				share1(size(h)), shareOrNone(size(lo)), shareOrNone(size(hi)))
		}
	}
	return fmt.Sprintf("%s is %s%s by %s (%s to %s)", name(g.Result), worse(g.Result, g.Harm), likeWords(g), amount(g, h), amount(g, lo), amount(g, hi))
}

// changeSentence tells a change whose direction is not sure: "ttft p50 changed
// by +1.2 % (-20.7 % to +21.4 %)".
func changeSentence(g *verdict.Gate) string {
	r := g.Result
	delta, log := r.Judged()
	ct, print := delta, func(v float64) string { return plus(v, valueOf(v, r)) }
	switch {
	case relativeGate(g):
		ct, print = log, func(v float64) string { v = math.Expm1(v); return signed(v*100, 1) + " %" }
	case r.Metric.Percent():
		print = func(v float64) string { return signed(v*100, 2) + " pp" }
	}
	bound := func(v float64) string {
		if math.IsInf(v, 0) {
			return "no bound"
		}
		return print(v)
	}
	return fmt.Sprintf("%s changed%s by %s (%s to %s)", name(r), likeWords(g), print(ct.Value), bound(ct.Lo), bound(ct.Hi))
}

func plus(v float64, text string) string {
	if v > 0 {
		return "+" + text
	}
	return text
}

func shareOrNone(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "no bound"
	}
	return share1(v)
}

func relativeGate(g *verdict.Gate) bool {
	return g.Margin != nil && g.Margin.Scale == verdict.Relative || g.Margin == nil && g.Result.Log.OK
}

// reasons turns the decision's facts into sentences.
func reasons(d verdict.Decision, c *compare.Comparison) []Reason {
	out := []Reason{}
	for _, r := range d.Reasons {
		text := ""
		switch r.Code {
		case verdict.GateFailed:
			text = failText(r.Gate)
		case verdict.SoftGateFailed:
			text = failText(r.Gate) + " The gate is soft: an owner has to accept it."
		case verdict.GateInconclusive:
			text = openText(r.Gate, c)
		case verdict.CheckFailed:
			text = checkText(r.Check)
		case verdict.NothingToJudge:
			text = nothingText(d)
		case verdict.AllGatesPassed:
			text = passText(d)
		}
		if reason := (Reason{string(r.Code), capital(text)}); !slices.Contains(out, reason) {
			out = append(out, reason)
		}
	}
	return out
}

// capital begins a sentence, unless it begins with a metric's name.
func capital(s string) string {
	if strings.HasPrefix(s, "success rate") {
		return "S" + s[1:]
	}
	return s
}

func failText(g *verdict.Gate) string {
	if g.Limit != nil {
		return fmt.Sprintf("%s of the candidate is %s (%s to %s), and the limit is %s.", name(g.Result),
			valueText(g.Result.Bound.Value, g.Result), boundText(g.Result.Bound.Lo, g.Result), boundText(g.Result.Bound.Hi, g.Result), limitText(g))
	}
	return harmSentence(g) + ", margin " + marginText(g) + "."
}

// boundText is a limit of an interval, which may be missing.
func boundText(v float64, r *compare.Result) string {
	if math.IsInf(v, 0) {
		return "no bound"
	}
	return valueText(v, r)
}

func openText(g *verdict.Gate, c *compare.Comparison) string {
	switch {
	case g.Why != verdict.TooWide && g.Why != verdict.Multiplicity:
		return whyText(g, c)
	case g.Limit != nil:
		text := fmt.Sprintf("%s of the candidate is %s (%s to %s), and the limit is %s", name(g.Result),
			valueText(g.Result.Bound.Value, g.Result), boundText(g.Result.Bound.Lo, g.Result), boundText(g.Result.Bound.Hi, g.Result), limitText(g))
		if g.Why == verdict.Multiplicity {
			return text + ": beyond it, but not once allowance is made for the number of gates."
		}
		return text + ", which lies inside that range."
	case g.Why == verdict.Multiplicity:
		return whyText(g, c) + decideText(g, c)
	}
	return changeSentence(g) + ", and the margin of " + marginText(g) + " lies inside that range." + decideText(g, c)
}

// decideText says what would settle an inconclusive gate.
func decideText(g *verdict.Gate, c *compare.Comparison) string {
	var parts []string
	switch {
	case g.Needed.Runs > 0:
		parts = append(parts, plural(int64(g.Needed.Runs), "more run")+" a side should settle it")
	case g.Needed.TooMany > 0 && !g.Needed.OnMargin:
		parts = append(parts, "with runs that vary so much, more than "+count(int64(g.Needed.TooMany))+" a side would be needed")
	case g.Needed.OnMargin:
		parts = append(parts, "the change sits so close to the margin that no affordable amount of data settles it")
	case g.Needed.Requests > 0:
		parts = append(parts, "about "+count(g.Needed.Requests)+" requests a side should settle it")
	case g.Needed.Items > 0:
		parts = append(parts, "about "+count(g.Needed.Items)+" items in all should settle it")
	}
	if !math.IsInf(g.HarmHi, 0) && g.Margin != nil && !(relativeGate(g) && harmShare(g, g.HarmHi) > absurdMargin) {
		m := *g
		parts = append(parts, "the smallest margin that would have passed is "+amount(&m, g.HarmHi))
	}
	if len(parts) == 0 {
		return ""
	}
	s := strings.Join(parts, "; ")
	return " " + strings.ToUpper(s[:1]) + s[1:] + "."
}

// absurdMargin is the relative margin from which it helps nobody to be told that
// it would have passed.
const absurdMargin = 10

// whyText says why a gate is not decided by its interval.
func whyText(g *verdict.Gate, c *compare.Comparison) string {
	r := g.Result
	if t := itemWhy(g, c); t != "" {
		return t
	}
	if len(c.Sides) == 1 {
		return describeWhy(g)
	}
	switch g.Why {
	case verdict.Missing:
		return fmt.Sprintf("There are no %s %s.", valuesName(r), missingSide(r))
	case verdict.Unsupported:
		return unsupportedText(g, c)
	case verdict.ThinTail:
		return fmt.Sprintf("%s needs %s requests a side to be judged; there are %s and %s values.", name(r), count(r.NeedRequests), count(r.Baseline.N), count(r.Candidate.N))
	case verdict.NoInterval:
		if r.Estimand.Kind == metric.Min || r.Estimand.Kind == metric.Max {
			return fmt.Sprintf("The data give no interval for the %s of %s, so its change cannot be judged; a high percentile such as p99 can.", map[bool]string{true: "smallest value", false: "largest value"}[r.Estimand.Kind == metric.Min], r.Metric)
		}
		if min(r.Baseline.N, r.Candidate.N) >= unevenFrom {
			return fmt.Sprintf("An interval for %s is not available: the run changes so much over time that its values come in stretches of slow and fast ones. Several runs a side give an interval.", name(r))
		}
		return fmt.Sprintf("An interval for %s is not available: %s and %s are too few.", name(r), plural(r.Baseline.N, "value"), plural(r.Candidate.N, "value"))
	case verdict.NoRatio:
		return fmt.Sprintf("A relative margin of %s is undefined: the baseline is %s and the candidate %s. Give an absolute margin, for example --margin %s=%s.",
			name(r), valueText(r.Baseline.Value, r), valueText(r.Candidate.Value, r), r.Metric, exampleMargin(r))
	case verdict.Multiplicity:
		if g.Limit != nil {
			return capital(openText(g, c))
		}
		return fmt.Sprintf("%s, beyond the margin of %s on its own, but not once allowance is made for the number of gates (p = %s, needed %s).",
			harmSentence(g), marginText(g), digits(g.PFail, 2), digits(g.AdjustedAlpha, 2))
	}
	return ""
}

// describeWhy says why a value that is shown alone has no interval.
func describeWhy(g *verdict.Gate) string {
	r := g.Result
	switch {
	case g.Why == verdict.Missing:
		return fmt.Sprintf("There are no %s.", valuesName(r))
	case g.Why == verdict.ThinTail:
		return fmt.Sprintf("%s needs %s requests for an interval; there are %s.", name(r), count(r.NeedRequests), plural(r.Baseline.N, "value"))
	case r.Estimand.Kind == metric.Min || r.Estimand.Kind == metric.Max:
		return fmt.Sprintf("The data give no interval for %s.", name(r))
	case r.Baseline.N >= unevenFrom:
		return fmt.Sprintf("An interval for %s is not available: the run changes so much over time that its values come in stretches of slow and fast ones.", name(r))
	}
	return fmt.Sprintf("An interval for %s is not available: %s %s too few.", name(r), plural(r.Baseline.N, "value"), isAre(r.Baseline.N))
}

func isAre(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// valuesName is what a result's values are called.
func valuesName(r *compare.Result) string {
	if r.Slice != nil {
		whole := *r
		whole.Slice = nil
		return valuesName(&whole) + " of " + r.Slice.String()
	}
	if r.Metric.Kind == metric.Share {
		return "requests"
	}
	return r.Metric.Name + " values"
}

// unevenFrom is the number of values from which a missing interval is a matter
// of their order in time and no longer of their number.
const unevenFrom = 100

// acceptedNote says that a known regression is tolerated, or no longer.
func acceptedNote(g *verdict.Gate, a *verdict.Acceptance) Note {
	if a.Expired {
		return Note{"acceptance_expired", fmt.Sprintf("The acceptance of %s (%s, %s) expired on %s: the ordinary margin of %s holds.", name(g.Result), a.Reason, a.Owner, a.Expires, marginText(g))}
	}
	return Note{"accepted", fmt.Sprintf("%s may be worse by up to %s until %s: %s (%s).", name(g.Result), marginText(g), a.Expires, a.Reason, a.Owner)}
}

func exampleMargin(r *compare.Result) string {
	if r.Metric.Unit == metric.Seconds {
		return "10ms"
	}
	return "1"
}

func missingSide(r *compare.Result) string {
	switch {
	case !r.Baseline.OK && !r.Candidate.OK:
		return "on either side"
	case !r.Baseline.OK:
		return "in the baseline"
	}
	return "in the candidate"
}

func nothingText(d verdict.Decision) string {
	for i := range d.Gates {
		if g := &d.Gates[i]; g.Margin == nil && g.Limit == nil {
			return "Nothing was judged: no compared metric has a margin or a limit. Name one with --margin or --limit."
		}
	}
	return "Nothing could be judged: the data are too few for every gate."
}

// passText names the gate that came closest to its margin.
func passText(d verdict.Decision) string {
	var closest *verdict.Gate
	n := int64(0)
	room := func(g *verdict.Gate) float64 { return g.HarmHi / g.Threshold }
	for i := range d.Gates {
		g := &d.Gates[i]
		if !g.Judged {
			continue
		}
		n++
		if g.Margin != nil && (closest == nil || room(g) > room(closest)) {
			closest = g
		}
	}
	s := "Every gate is within its margin (" + plural(n, "gate") + ")."
	switch {
	case closest == nil:
		return "Every limit is kept (" + plural(n, "limit") + ")."
	case closest.HarmHi >= 0:
		s += fmt.Sprintf(" The closest is %s: at most %s %s, margin %s.", name(closest.Result), amount(closest, closest.HarmHi), worse(closest.Result, 1), marginText(closest))
	case n == 1:
		s += " It improved."
	default:
		s += " Every metric with a margin improved."
	}
	return s
}

func checkText(c *verdict.Check) string {
	switch c.Code {
	case verdict.RejectedRecords:
		if c.Status == verdict.CheckOK {
			return "No record was rejected."
		}
		return fmt.Sprintf("%s of the baseline's records and %s of the candidate's could not be used (see below why); up to %s is tolerated.",
			fixed(c.Baseline*100, 2)+" %", fixed(c.Candidate*100, 2)+" %", percentOf(c.Limit))
	case verdict.TooGood:
		return fmt.Sprintf("%s fell from %s to %s, more than %s times: check that the candidate did the same work before believing it.",
			name(c.Result), valueText(c.Baseline, c.Result), valueText(c.Candidate, c.Result), number(c.Limit))
	case verdict.NoSpread:
		var values []string
		for _, v := range []compare.Value{c.Result.Baseline, c.Result.Candidate} {
			if v.OK {
				values = append(values, valueText(v.Value, c.Result))
			}
		}
		return fmt.Sprintf("All %s values of a side are the same (%s): real latencies vary, so the measurement is doubtful.",
			c.Result.Metric, strings.Join(values, " and "))
	}
	if t := itemCheckText(c); t != "" {
		return t
	}
	return comparableText(c)
}

// warnings gathers remarks about the sides.
func warnings(c *compare.Comparison, m Meta) []Note {
	out := append([]Note{}, m.Notes...)
	if c.ThinSlices > 0 {
		out = append(out, Note{"thin_slices", fmt.Sprintf("%s with fewer than %s requests on a side: not shown", plural(int64(c.ThinSlices), "slice"), count(c.Options.MinSupport))})
	}
	out = append(out, burnNotes(c)...)
	for i := range c.Results {
		if t := reversalNote(&c.Results[i]); t != "" {
			out = append(out, Note{"reversal", t})
		}
	}
	out = append(out, searchNotes(c)...)
	if t := trafficNote(c); t != "" {
		out = append(out, Note{"traffic_differs", t})
	}
	for i, s := range c.Sides {
		label := m.Sides[i].Label
		for j, f := range m.Sides[i].Files {
			if s.Files[j].Rows == 0 {
				out = append(out, Note{"no_records", f.Path + " holds no record"})
			}
		}
		if len(s.UnknownStatus) > 0 {
			out = append(out, Note{"unknown_status", fmt.Sprintf("%s: the status %s is not known and counts as a failure; write ok for requests that succeeded", label, listed(s.UnknownStatus))})
		}
		if len(s.UnknownPhases) > 0 {
			out = append(out, Note{"unknown_phase", fmt.Sprintf("%s: phase %s is neither warm-up nor measurement by its name; its records are kept", label, strings.Join(s.UnknownPhases, ", "))})
		}
		if !s.DuplicatesChecked && hasColumn(m.Sides[i], "request_id") {
			out = append(out, Note{"duplicates_not_checked", fmt.Sprintf("%s: request ids were not checked for duplicates (more than %s records)", label, count(metric.MaxDuplicateRows))})
		}
		for _, u := range s.Units {
			if len(u.Files) > 1 && hasColumn(m.Sides[i], "run") {
				out = append(out, Note{"run_in_several_files", fmt.Sprintf("%s: run %q occurs in %d files and is taken as one run", label, u.Label, len(u.Files))})
				break
			}
		}
	}
	for i := range c.Results {
		r := &c.Results[i]
		if r.Metric.AssumedDirection {
			n := Note{"assumed_direction", fmt.Sprintf("%s: lower is assumed to be better; say --higher-is-better %s if it is not", r.Metric, r.Metric)}
			if len(out) == 0 || out[len(out)-1] != n {
				out = append(out, n)
			}
		}
	}
	return out
}

// hasColumn reports whether some file of the side carries the field.
func hasColumn(m SideMeta, field string) bool {
	for _, f := range m.Files {
		if _, ok := f.Columns[field]; ok {
			return true
		}
	}
	return false
}

// listed prints words in quotation marks, the first few of many.
func listed(words []string) string {
	const most = 5
	var out []string
	for i, w := range words {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(words)-most))
			break
		}
		if r := []rune(w); len(r) > 40 {
			w = string(r[:39]) + "…"
		}
		out = append(out, fmt.Sprintf("%q", w))
	}
	return strings.Join(out, ", ")
}
