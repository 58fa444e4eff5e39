package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// mixShift lists the splits of all results.
func mixShift(c *compare.Comparison) []MixShift {
	out := []MixShift{}
	for i := range c.Results {
		r := &c.Results[i]
		l := r.Like
		if l == nil || !l.Total.OK || r.LimitOnly {
			continue
		}
		same := func(v float64) float64 { return v }
		m := MixShift{
			Metric: r.Metric.Name, Estimand: r.Estimand.String(), By: c.Mix.By,
			Total: *change(l.Total, same), Within: *change(l.Within, same), Mix: *change(l.Mix, same),
			UnsupportedBaseline: Num(l.UnsupportedBaseline), UnsupportedCandidate: Num(l.UnsupportedCandidate),
			Strata: []Stratum{},
		}
		for k, s := range c.Mix.Strata {
			row := Stratum{
				Label: s.Label, BaselineShare: Num(s.BaselineShare), CandidateShare: Num(s.CandidateShare),
				BaselineValue: Num(l.BaselineValues[k]), CandidateValue: Num(l.CandidateValues[k]),
				WithinContribution: none, MixContribution: none,
			}
			if l.WithinContribution != nil {
				row.WithinContribution, row.MixContribution = Num(l.WithinContribution[k]), Num(l.MixContribution[k])
			}
			m.Strata = append(m.Strata, row)
		}
		out = append(out, m)
	}
	return out
}

// trafficNote says how the traffic of the two sides differs.
func trafficNote(c *compare.Comparison) string {
	if c.Mix == nil || !c.Mix.Used {
		return ""
	}
	if c.Design.WithinRun() {
		return fmt.Sprintf("The shares of %s differ (PSI %s), and with --unit %s changes are not judged like for like.", c.Mix.By, digits(c.Mix.PSI, 2), c.Design.Unit)
	}
	if c.Traffic != nil && strings.HasSuffix(c.Mix.By, " length") {
		word, setting := "Prompt", metric.PromptSetting
		if c.Mix.ByOutput {
			word, setting = "Output", metric.OutputSetting
		}
		a, okA := c.Traffic[0].Median(setting)
		b, okB := c.Traffic[1].Median(setting)
		if okA && okB && c.Mix.P < c.Options.MixAlpha {
			return fmt.Sprintf("%s length shifted: median %s → %s tokens (PSI %s); changes are judged like for like, in %s of %s.",
				word, tokens(a), tokens(b), digits(c.Mix.PSI, 2), plural(int64(len(c.Mix.Strata)), "range"), c.Mix.By)
		}
	}
	if !c.Mix.ByColumns {
		return fmt.Sprintf("Changes are judged like for like, in %s of %s (PSI %s).", plural(int64(len(c.Mix.Strata)), "range"), c.Mix.By, digits(c.Mix.PSI, 2))
	}
	return fmt.Sprintf("Changes are judged like for like by %s (PSI %s).", c.Mix.By, digits(c.Mix.PSI, 2))
}

func tokens(v float64) string { return count(int64(math.Round(v))) }

// likeNote is the last column of a row whose change was split: the part of the
// traffic and the change like for like with its interval.
func likeNote(r *Result) string {
	l := r.LikeForLike
	switch {
	case l == nil:
		return ""
	case isShare(r) && l.Delta != nil:
		pp := func(v Num) string { return signed(float64(v)*100, 2) }
		return "like for like " + pp(l.Delta.Value) + " pp " + interval(l.Delta.Lo, l.Delta.Hi, pp, "")
	case l.Ratio != nil && (r.Margin == nil || r.Margin.Kind == "relative"):
		pc := func(v Num) string { return signed((float64(v)-1)*100, 1) }
		return "like for like " + pc(l.Ratio.Value) + " % " + interval(l.Ratio.Lo, l.Ratio.Hi, pc, "")
	case l.Delta != nil:
		s := scaleFor(r.Unit, float64(l.Delta.Value))
		d := func(v Num) string { return plus(float64(v), digits(float64(v)*s.factor, 3)) }
		return "like for like " + withUnit(d(l.Delta.Value), s.name) + " " + interval(l.Delta.Lo, l.Delta.Hi, d, "")
	}
	return ""
}

// unsupportedText says why a split is not to be relied on.
func unsupportedText(g *verdict.Gate, c *compare.Comparison) string {
	l := g.Result.Like
	if l.Unsupported > 0.01 {
		return fmt.Sprintf("%s cannot be compared like for like by %s: %s of the baseline's requests and %s of the candidate's have no counterpart on the other side.",
			name(g.Result), c.Mix.By, share1(l.UnsupportedBaseline), share1(l.UnsupportedCandidate))
	}
	return fmt.Sprintf("%s cannot be compared like for like by %s: too few of the candidate's requests are like the baseline's.", name(g.Result), c.Mix.By)
}

// reversalNote points out a change that the traffic turned round: in all it goes
// one way, like for like the other.
func reversalNote(r *compare.Result) string {
	l := r.Like
	if l == nil || len(l.Refused) > 0 || !r.Delta.HasInterval() || !l.Delta.HasInterval() {
		return ""
	}
	total, like := r.Delta, l.Delta
	up := total.Lo > 0 && like.Hi < 0
	if !up && !(total.Hi < 0 && like.Lo > 0) {
		return ""
	}
	words := [2]string{"rose", "fell"}
	if !up {
		words = [2]string{"fell", "rose"}
	}
	return fmt.Sprintf("%s %s in all and %s like for like: the other traffic turned the change round.", name(r), words[0], words[1])
}
