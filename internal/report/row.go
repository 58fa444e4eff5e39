package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// row is a result as the tables print it.
type row struct {
	metric, at, slice, before, after, change, interval, margin, verdict, note string

	harm    float64 // the change in the direction that is worse, to sort slices by
	outcome string  // the verdict as in the document, "" if the row is not judged
	soft    bool    // an owner may accept it beyond its margin
	bar     gauge   // the judged change against its margin
	moved   bool    // a search found the slice; it has a table of its own
}

// tone is the outcome that a row is coloured by: a soft gate beyond its margin
// blocks nothing by itself.
func (r row) tone() string {
	if r.soft && r.outcome == "FAIL" {
		return "EXCEPTION_REQUIRED"
	}
	return r.outcome
}

// rows lays the results out. In describe mode only the baseline is filled.
func rows(doc *Document) []row {
	var out []row
	for i := range doc.Results {
		out = append(out, layRow(doc, &doc.Results[i]))
	}
	return out
}

// split separates the rows of all traffic from those of slices, which come by
// metric and estimand with the worst change first.
func split(doc *Document) (whole, sliced []row) {
	for _, r := range rows(doc) {
		if r.moved {
			continue
		}
		if r.slice == "" {
			whole = append(whole, r)
		} else {
			sliced = append(sliced, r)
		}
	}
	order := map[string]int{}
	for _, r := range sliced {
		if k := r.metric + " " + r.at; order[k] == 0 {
			order[k] = len(order) + 1
		}
	}
	slices.SortStableFunc(sliced, func(a, b row) int {
		return cmp.Or(cmp.Compare(order[a.metric+" "+a.at], order[b.metric+" "+b.at]), -cmp.Compare(a.harm, b.harm))
	})
	return whole, sliced
}

func layRow(doc *Document, r *Result) row {
	share := isShare(r)
	s := scaleFor(r.Unit, float64(r.Baseline.Value))
	if !r.Baseline.Value.Known() {
		s = scaleFor(r.Unit, float64(r.Candidate.Value))
	}
	out := row{metric: r.Metric, at: r.Estimand, before: sideValue(r.Baseline, r.Unit, share, s), after: sideValue(r.Candidate, r.Unit, share, s)}
	if r.Metric == "success_rate" {
		out.metric = "ok"
	}
	if r.items {
		out.metric, out.at = itemCells(r)
	}
	out.slice, out.moved = sliceText(r.Slice), r.Moved != nil
	switch {
	case r.Ratio != nil && !r.items:
		out.harm = float64(r.Ratio.Value)
	case r.Delta != nil:
		out.harm = float64(r.Delta.Value)
	}
	if r.Direction == "higher" {
		out.harm = -out.harm
	}
	if r.items && r.Slice != nil && r.Verdict == nil && (r.Delta == nil || !r.Delta.Lo.Known() && !r.Delta.Hi.Known()) {
		out.harm = math.Inf(-1) // too few items to say: last
	}
	if doc.Command == "describe" {
		out.interval = interval(r.Baseline.Lo, r.Baseline.Hi, func(v Num) string { return value(v, r.Unit, share, s) }, "")
		out.note = plural(r.Baseline.N, valueNoun(r))
		if r.Baseline.N == 0 {
			out.note = "no data"
		}
		out.note = joined(out.note, restsOn(doc, r))
		return out
	}
	out.change, out.interval = changeText(r, s)
	out.bar = gaugeOf(r)
	switch {
	case r.Limit != nil:
		out.margin = r.Limit.Op + " " + bare(float64(r.Limit.Value), r.Unit, share)
		out.interval = interval(r.Candidate.Lo, r.Candidate.Hi, func(v Num) string { return value(v, r.Unit, share, s) }, "")
		out.change = "limit"
	case r.Margin == nil:
	case r.Margin.Kind == "relative":
		out.margin = number(float64(r.Margin.Value)*100) + " %"
	case share:
		out.margin = number(float64(r.Margin.Value)*100) + " pp"
	default:
		out.margin = bare(float64(r.Margin.Value), r.Unit, false)
	}
	out.verdict, out.note = verdictText(r)
	if l := likeNote(r); l != "" {
		if out.note == "improved" {
			out.note = ""
		}
		out.note = joined(l, out.note)
	}
	out.note = joined(out.note, restsOn(doc, r))
	if r.Verdict != nil {
		out.outcome, out.soft = *r.Verdict, r.Soft
	}
	return out
}

// joined puts remarks behind each other.
func joined(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

// restsOn says how many runs a row rests on where these are fewer than the report
// has: "4 + 5 runs".
func restsOn(doc *Document, r *Result) string {
	if r.items || doc.Design.Unit != compare.Run.String() || doc.Design.Pair != nil {
		return ""
	}
	a, b := r.Baseline.Units, r.Candidate.Units
	if doc.Candidate == nil {
		if a == 0 || a >= doc.Baseline.Runs {
			return ""
		}
		return plural(int64(a), "run")
	}
	if a == 0 || b == 0 || a >= doc.Baseline.Runs && b >= doc.Candidate.Runs {
		return ""
	}
	return count(int64(a)) + " + " + count(int64(b)) + " runs"
}

// sideValue prints the value of a side.
func sideValue(e Estimate, unit string, share bool, s scale) string {
	text := value(e.Value, unit, share, s)
	if e.AtLeast {
		return "≥ " + text
	}
	return text
}

// sliceText names a slice: "region=eu, tier=gold", columns in order.
func sliceText(slice map[string]string) string {
	parts := make([]string, 0, len(slice))
	for _, col := range slices.Sorted(maps.Keys(slice)) {
		value := slice[col]
		if value == "" {
			value = "(none)"
		}
		parts = append(parts, col+"="+value)
	}
	return strings.Join(parts, ", ")
}

// bare prints a number that the user gave, as one would write it.
func bare(v float64, unit string, share bool) string {
	if share {
		return number(v*100) + " %"
	}
	s := scaleFor(unit, v)
	return withUnit(number(v*s.factor), s.name)
}

func isShare(r *Result) bool {
	return r.percent || r.Estimand == "rate" && r.Unit == metric.Unitless
}

// valueNoun is what one value of a row is of.
func valueNoun(r *Result) string {
	switch {
	case r.items:
		return "item"
	case r.Metric == "itl" || r.Metric == "chunk_gap":
		return "gap"
	case r.Estimand == "rate" && r.Unit != metric.Unitless:
		return "run"
	}
	return "request"
}

// changeText prints the change and its interval: in percent, in percentage
// points for shares, in the metric's unit for an absolute margin.
func changeText(r *Result, s scale) (change, iv string) {
	absolute := r.Margin != nil && r.Margin.Kind == "absolute"
	switch {
	case isShare(r) && r.Delta != nil && !(r.items && r.Margin != nil && r.Margin.Kind == "relative"):
		pp := func(v Num) string { return signed(float64(v)*100, 2) }
		return pp(r.Delta.Value) + " pp", interval(r.Delta.Lo, r.Delta.Hi, pp, "")
	case r.Ratio != nil && !absolute:
		pc := func(v Num) string { return signed((float64(v)-1)*100, 1) }
		return pc(r.Ratio.Value) + " %", interval(r.Ratio.Lo, r.Ratio.Hi, pc, "")
	case r.Delta != nil:
		if w := widest(r.Delta); w > 0 {
			s = scaleFor(r.Unit, w)
		}
		d := func(v Num) string {
			t := digits(float64(v)*s.factor, 3)
			if v > 0 {
				t = "+" + t
			}
			return t
		}
		return withUnit(d(r.Delta.Value), s.name), interval(r.Delta.Lo, r.Delta.Hi, d, "")
	}
	return "n/a", ""
}

// widest is the largest of a change and its limits, by size.
func widest(c *Change) float64 {
	w := 0.0
	for _, v := range []Num{c.Value, c.Lo, c.Hi} {
		if v.Known() {
			w = max(w, math.Abs(float64(v)))
		}
	}
	return w
}

// interval prints limits in brackets; a null limit is shown as unbounded.
func interval(lo, hi Num, f func(Num) string, unit string) string {
	if !lo.Known() && !hi.Known() {
		return "n/a"
	}
	side := func(v Num, none string) string {
		if !v.Known() {
			return none
		}
		return f(v)
	}
	return fmt.Sprintf("[%s, %s]%s", side(lo, "-∞"), side(hi, "+∞"), unit)
}

// verdictText is the last two columns.
func verdictText(r *Result) (verdict, note string) {
	switch {
	case r.Verdict == nil:
		verdict = "not judged"
		if r.Slice != nil {
			verdict = "explored"
		}
		if r.Margin == nil {
			verdict = "shown"
		}
	case *r.Verdict == "PASS":
		verdict = "pass"
	case *r.Verdict == "FAIL":
		verdict = "FAIL"
	default:
		verdict = "inconclusive"
	}
	if r.Verdict != nil && r.Soft {
		verdict = "soft " + verdict
	}
	for _, w := range r.Warnings {
		switch w.Code {
		case "thin_tail":
			note = "too few requests"
		case "no_data":
			note = "no data"
		case "values_missing":
			note = "values missing"
		case "unsupported":
			note = "traffic without counterpart"
		case "open_bucket":
			note = "in the open bucket"
		case "wide_buckets":
			note = "buckets too wide"
		case "no_interval":
			note = "no interval"
		case "no_ratio":
			note = "no ratio at zero"
		case "one_sided":
			note = "bounded on one side"
		case "multiplicity":
			note = "not after Holm"
		case "few_items":
			note = "too few items"
		case "missing_scores":
			note = "missing scores decide"
		}
	}
	if r.Slice != nil && r.Verdict == nil && r.PAdjusted.Known() && float64(r.PAdjusted) <= 1-r.Level {
		note = "changed (p = " + digits(float64(r.PAdjusted), 2) + " over all slices)"
		if r.Moved != nil {
			note = "moved otherwise than the rest (p = " + digits(float64(r.PAdjusted), 2) + " over all searched)"
		}
	}
	if r.Needed != nil {
		if r.Needed.Runs != nil {
			note = moreRuns(*r.Needed.Runs, r.Needed.paired)
		}
		if r.Needed.Requests != nil {
			note = "needs " + count(*r.Needed.Requests) + " requests a side"
		}
		if r.Needed.Items != nil {
			note = "needs " + count(*r.Needed.Items) + " items"
		}
	}
	if note == "" && r.Verdict != nil && r.Kind == "improved" && r.Limit == nil {
		note = "improved"
	}
	return verdict, note
}
