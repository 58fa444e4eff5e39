package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats"
)

// mixShift lists the splits of all results.
func mixShift(c *compare.Comparison) []MixShift {
	out := []MixShift{}
	for i := range c.Results {
		r := &c.Results[i]
		l := r.Like
		if l == nil || !l.Total.OK || r.LimitOnly || r.Slice != nil { // of a slice the change like for like is in its row
			continue
		}
		same := func(v float64) float64 { return v }
		m := MixShift{
			Metric: r.Metric.Name, Estimand: r.Estimand.String(), By: c.Mix.By,
			Total: *change(l.Total, same), Within: *change(l.Within, same), Mix: *change(l.Mix, same),
			UnsupportedBaseline: Num(l.UnsupportedBaseline), UnsupportedCandidate: Num(l.UnsupportedCandidate),
			Factors: []FactorPart{}, OffSupport: *change(l.OffSupport, same), Strata: []Stratum{},
		}
		for _, f := range l.Factors {
			m.Factors = append(m.Factors, FactorPart{f.By, *change(f.Mix, same)})
		}
		for k, s := range c.Mix.Strata {
			row := Stratum{
				Label: s.Label, BaselineShare: Num(s.BaselineShare), CandidateShare: Num(s.CandidateShare),
				BaselineValue: Num(l.BaselineValues[k]), CandidateValue: Num(l.CandidateValues[k]),
				WithinContribution: none, MixContribution: none, Change: Change{none, none, none}, Warnings: []Note{},
			}
			if k < len(l.Strata) {
				row.Change = *change(l.Strata[k].Change, same)
				if l.Strata[k].Thin {
					row.Warnings = append(row.Warnings, Note{string(verdict.ThinTail), "too few requests lie beyond the percentile for an interval"})
				}
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

// printedMix returns the mix, its factors and the part without support as they are
// printed with so many places: rounded, and such that they add up to the total as that
// is printed. What rounding leaves over goes to the mix, since the change like for like
// stands in the table too, and of the parts of the mix to the largest.
func printedMix(m *MixShift, places int) (mix Change, factors []FactorPart, offSupport Num) {
	mix, factors, offSupport = m.Mix, slices.Clone(m.Factors), m.OffSupport.Value
	if !m.Total.Value.Known() || !m.Within.Value.Known() || !mix.Value.Known() {
		return mix, factors, offSupport
	}
	scale := math.Pow10(places)
	round := func(v Num) Num { return Num(math.Round(float64(v)*scale) / scale) }
	mix.Value = round(round(m.Total.Value) - round(m.Within.Value))
	if len(factors) == 0 {
		return mix, factors, offSupport
	}
	offSupport = round(offSupport)
	largest, rest := &offSupport, mix.Value-offSupport
	for i := range factors {
		v := &factors[i].Mix.Value
		*v = round(*v)
		rest -= *v
		if math.Abs(float64(*v)) > math.Abs(float64(*largest)) {
			largest = v
		}
	}
	*largest = round(*largest + rest)
	return mix, factors, offSupport
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

// sliceTrafficNotes tell which critical slices are split though the whole is not.
func sliceTrafficNotes(c *compare.Comparison) (out []string) {
	if c.Mix != nil && c.Mix.Used {
		return nil
	}
	for i := range c.Results {
		r := &c.Results[i]
		if r.Mix == nil || i > 0 && c.Results[i-1].Mix == r.Mix {
			continue
		}
		t := fmt.Sprintf("The shares of %s differ in %s (PSI %s), and its changes are judged like for like.", r.Mix.By, r.Slice, digits(r.Mix.PSI, 2))
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// mostFactorNotes bounds the sentences about the parts of the mix; the JSON
// report has all.
const mostFactorNotes = 6

// factorNotes tell what each factor of the mix brings, where the mix moved a
// result for certain.
func factorNotes(c *compare.Comparison) []string {
	var out []string
	for i := range c.Results {
		r := &c.Results[i]
		l := r.Like
		if l == nil || r.LimitOnly || len(l.Refused) > 0 || len(out) == mostFactorNotes {
			continue
		}
		print := func(v float64) string { return signed(v*100, 1) + " %" }
		if !l.Relative {
			print = func(v float64) string { return signed(v*100, 2) + " pp" }
		}
		if r.Metric.Kind != metric.Share && !l.Relative {
			continue // a difference in the metric's unit is for the JSON report
		}
		if len(l.FactorsRefused) > 0 {
			out = append(out, fmt.Sprintf("The mix of %s is not split over its columns: too few of the candidate's requests are like those of both sides mixed.", name(r)))
			continue
		}
		if len(l.Factors) == 0 || l.Mix.HasInterval() && l.Mix.Lo <= 0 && l.Mix.Hi >= 0 {
			continue
		}
		var parts []string
		for _, f := range l.Factors {
			text := f.By + " " + print(f.Mix.Value)
			if f.Mix.HasInterval() {
				text += " (" + print(f.Mix.Lo) + " to " + print(f.Mix.Hi) + ")"
			}
			parts = append(parts, text)
		}
		if l.Unsupported > 0 {
			parts = append(parts, "requests without counterpart "+print(l.OffSupport.Value))
		}
		out = append(out, fmt.Sprintf("The change of traffic moved %s by %s: %s.", name(r), print(l.Mix.Value), strings.Join(parts, ", ")))
	}
	return out
}

func tokens(v float64) string { return count(int64(math.Round(v))) }

// likeNote is the last column of a row whose change was split: the part of the
// traffic and the change like for like with its interval.
func likeNote(r *Result) string {
	l := r.LikeForLike
	switch {
	case l == nil || l.Delta != nil && !l.Delta.Value.Known():
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
	if slices.ContainsFunc(l.Refused, func(w stats.Warning) bool { return w.Code == mixshift.WarnOffSupport }) {
		return fmt.Sprintf("%s cannot be compared like for like by %s: %s of the baseline's requests and %s of the candidate's have no counterpart on the other side.%s",
			name(g.Result), c.Mix.By, share1(l.UnsupportedBaseline), share1(l.UnsupportedCandidate), fewer(c))
	}
	return fmt.Sprintf("%s cannot be compared like for like by %s: too few of the candidate's requests are like the baseline's.%s", name(g.Result), c.Mix.By, fewer(c))
}

// fewer is the advice where several columns are crossed.
func fewer(c *compare.Comparison) string {
	if len(c.Mix.Factors) < 2 {
		return ""
	}
	return " Fewer columns leave more in common."
}

// reversalNote points out a change that the traffic turned round: in all it goes
// one way, like for like the other.
func reversalNote(r *compare.Result) string {
	l := r.Like
	if l == nil || len(l.Refused) > 0 || !r.Delta.HasInterval() || !l.Delta.HasInterval() {
		return ""
	}
	way := opposite(r.Delta, l.Delta)
	if way == nil {
		return ""
	}
	return fmt.Sprintf("%s %s in all and %s like for like: the other traffic turned the change round%s.", name(r), way[0], way[1], mostBy(l))
}

// opposite are the words for two changes that are shown to go opposite ways, nil for
// others.
func opposite(all, part compare.Contrast) []string {
	switch {
	case all.Lo > 0 && part.Hi < 0:
		return []string{"rose", "fell"}
	case all.Hi < 0 && part.Lo > 0:
		return []string{"fell", "rose"}
	}
	return nil
}

// sliceReversalNote points out a change that goes one way in all, and the other way
// in every slice by some column.
func sliceReversalNote(c *compare.Comparison, r *compare.Result) string {
	if r.Slice != nil || !r.Delta.HasInterval() {
		return ""
	}
	for _, column := range c.Options.By {
		n, turned := 0, 0
		var way []string
		for i := range c.Results {
			s := &c.Results[i]
			if s.Slice == nil || s.Mover != nil || s.Metric != r.Metric || s.Estimand != r.Estimand || !slices.Equal(s.Slice.Columns, []string{column}) {
				continue
			}
			n++
			if w := opposite(r.Delta, s.Delta); w != nil && s.Delta.HasInterval() {
				turned, way = turned+1, w
			}
		}
		if n >= 2 && turned == n {
			shown := ""
			if c.ThinSlices > 0 {
				shown = " that is shown"
			}
			return fmt.Sprintf("%s %s in all and %s in every slice by %s%s: the other traffic turned the change round. --mix %s compares like for like by it.", name(r), way[0], way[1], column, shown, column)
		}
	}
	return ""
}

// mostBy names the factor that brings more than half of the mix.
func mostBy(l *compare.Like) string {
	for _, f := range l.Factors {
		if f.Mix.Value/l.Mix.Value > 0.5 {
			return ", that of " + f.By + " above all"
		}
	}
	return ""
}
