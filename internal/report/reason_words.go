package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

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

// wideBuckets says that the buckets of a histogram decide, and not the runs.
func wideBuckets() string {
	return "the buckets of the histograms are too wide there: no number of runs settles it, finer buckets do"
}

// moreRuns is what would settle a gate: "4 more runs a side", or pairs of them.
func moreRuns(n int, paired bool) string {
	switch {
	case paired && n == 1:
		return "1 more pair of runs"
	case paired:
		return count(int64(n)) + " more pairs of runs"
	}
	return plural(int64(n), "more run") + " a side"
}

// decideText says what would settle an inconclusive gate.
func decideText(g *verdict.Gate, c *compare.Comparison) string {
	var parts []string
	switch {
	case g.Needed.Buckets:
		parts = append(parts, wideBuckets())
	case g.Needed.Runs > 0:
		parts = append(parts, moreRuns(g.Needed.Runs, c.Design.PairedRuns())+" should settle it")
	case g.Needed.TooMany > 0 && !g.Needed.OnMargin && c.Design.PairedRuns():
		parts = append(parts, "with pairs that differ so much, more than "+count(int64(g.Needed.TooMany))+" of them would be needed")
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
		parts = append(parts, "the smallest margin that would have passed is "+passingText(g))
	}
	if len(parts) == 0 {
		return ""
	}
	s := strings.Join(parts, "; ")
	return " " + strings.ToUpper(s[:1]) + s[1:] + "."
}

// passingText is the smallest margin of a gate that would have passed.
func passingText(g *verdict.Gate) string {
	if m := g.Result.Metric; !relativeGate(g) {
		return marginAbove(g.HarmHi, false, m.Percent(), m.Unit)
	}
	return marginAbove(harmShare(g, g.HarmHi), true, false, "")
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
		if r.Metric.Kind == metric.Share && slices.ContainsFunc(c.Sides, (*metric.Side).NoOutcomes) {
			return "Nothing says how many requests failed."
		}
		return fmt.Sprintf("There are no %s %s%s.", valuesName(r), missingSide(r), otherGaps(r))
	case verdict.Unsupported:
		return unsupportedText(g, c)
	case verdict.ValuesMissing:
		return fmt.Sprintf("%s rests on those runs and requests that have a value of it; too many have none.", name(r))
	case verdict.ThinTail:
		text := fmt.Sprintf("%s needs %s requests a side to be judged; there are %s and %s values.", name(r), count(r.NeedRequests), count(r.Baseline.N), count(r.Candidate.N))
		for _, w := range r.Warnings {
			if w.Code == "unequal_runs" {
				text += " " + strings.ToUpper(w.Text[:1]) + w.Text[1:] + "."
			}
		}
		return text
	case verdict.NoInterval:
		for _, w := range r.Warnings {
			if w.Code == "open_bucket" {
				return w.Text + "."
			}
		}
		if r.Estimand.Kind == metric.Min || r.Estimand.Kind == metric.Max {
			return fmt.Sprintf("The data give no interval for the %s of %s, so its change cannot be judged; a high percentile such as p99 can.", map[bool]string{true: "smallest value", false: "largest value"}[r.Estimand.Kind == metric.Min], r.Metric)
		}
		if r.Baseline.Open && r.Candidate.Open {
			return fmt.Sprintf("The change of %s is not known: on both sides it reaches requests that timed out, and is at least what is shown. A longer timeout, or a lower percentile, tells more.", name(r))
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
		return fmt.Sprintf("There are no %s%s.", valuesName(r), otherGaps(r))
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

// otherGaps tells of gaps of the other kind where those asked for are missing.
func otherGaps(r *compare.Result) string {
	for _, w := range r.Warnings {
		if w.Code == "chunk_gaps" {
			return ": " + w.Text
		}
	}
	return ""
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
	n, open := int64(0), int64(0)
	room := func(g *verdict.Gate) float64 { return g.HarmHi / g.Threshold }
	for i := range d.Gates {
		g := &d.Gates[i]
		switch {
		case !g.Judged:
			continue
		case g.Soft && g.Outcome == verdict.Inconclusive:
			open++
			continue
		}
		n++
		if g.Margin != nil && (closest == nil || room(g) > room(closest)) {
			closest = g
		}
	}
	s, but := "Every gate is within its margin", ""
	if open > 0 {
		but = ", but for " + plural(open, "soft gate") + " that " + isAre(open) + " open"
	}
	if closest == nil {
		return "Every limit is kept (" + plural(n, "limit") + ")" + but + "."
	}
	s += " (" + plural(n, "gate") + ")" + but + "."
	switch {
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
		tolerated := "; up to " + percentOf(c.Limit) + " is tolerated"
		if c.Rule == "tail" {
			tolerated = fmt.Sprintf(", and the slow ones may be among them; for %s a difference of %s is tolerated", c.Result.Estimand, percentOf(c.Limit))
		}
		of := ""
		if c.Name != "" {
			of = " of " + Printable(c.Name)
		}
		return fmt.Sprintf("%s of the baseline's records%s and %s of the candidate's could not be used (see below why)%s.",
			fixed(c.Baseline*100, 2)+" %", of, fixed(c.Candidate*100, 2)+" %", tolerated)
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
