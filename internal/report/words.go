package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

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
