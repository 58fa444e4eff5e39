package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// exact is a number as the page carries it for sorting and for programs.
func exact(v Num) string {
	if !v.Known() {
		return ""
	}
	return strconv.FormatFloat(float64(v), 'g', -1, 64)
}

func textCell(label, text, class string) cellView {
	return cellView{Label: label, Text: Printable(text), Class: class}
}

func valueCell(label, text string, v Num) cellView {
	return cellView{Label: label, Text: text, Class: "n", HasValue: true, Value: exact(v)}
}

// resultTables lays out the results as the text report does, slices apart.
func resultTables(doc *Document) (whole, sliced tableView) {
	heads := []headCell{{"metric", false}, {"at", false}}
	if doc.Command == "describe" {
		heads = append(heads, headCell{"value", true}, headCell{percentOf(doc.Level) + " interval", false}, headCell{"n", false})
	} else {
		heads = append(heads, headCell{"before", true}, headCell{"after", true}, headCell{"change", true}, headCell{percentOf(doc.Level) + " interval", false},
			headCell{"margin", true}, headCell{"verdict", false}, headCell{"remark", false})
	}
	whole = tableView{ID: "table-results", Caption: caption(doc), Head: heads}
	sliced = tableView{ID: "table-slices", Caption: "Each row is a part of the traffic. Slices that are not gates are explored, not judged.",
		Head: append([]headCell{heads[0], heads[1], {"slice", false}}, heads[2:]...)}
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Moved != nil {
			continue // in a table of its own
		}
		t := &whole
		if r.Slice != nil {
			t = &sliced
		}
		t.Rows = append(t.Rows, resultRow(doc, r))
		if v := t.Rows[len(t.Rows)-1].Verdict; v != "" && !slices.Contains(t.Verdicts, v) {
			t.Verdicts = append(t.Verdicts, v)
		}
	}
	return whole, sliced
}

func caption(doc *Document) string {
	if doc.Command == "describe" {
		return ""
	}
	return "A row passes if its whole interval stays below the margin and fails if it lies beyond."
}

func resultRow(doc *Document, r *Result) rowView {
	l := layRow(doc, r)
	out := rowView{Cells: []cellView{{Label: "metric", Text: Printable(l.metric), Class: "head", At: l.at}, textCell("at", l.at, "at")}}
	if r.Slice != nil {
		out.Cells = append(out.Cells, textCell("slice", l.slice, ""))
	}
	add := func(c cellView) { out.Cells = append(out.Cells, c) }
	level := percentOf(doc.Level) + " interval"
	if doc.Command == "describe" {
		add(valueCell("value", l.before, r.Baseline.Value))
		add(textCell(level, l.interval, "i"))
		add(cellView{Label: "n", Text: l.note, HasValue: true, Value: strconv.FormatInt(r.Baseline.N, 10)})
		return out
	}
	add(valueCell("before", l.before, r.Baseline.Value))
	add(valueCell("after", l.after, r.Candidate.Value))
	add(valueCell("change", l.change, sortable(r)))
	add(textCell(level, l.interval, "i"))
	margin := none
	if r.Margin != nil {
		margin = r.Margin.Value
	} else if r.Limit != nil {
		margin = r.Limit.Value
	}
	add(valueCell("margin", l.margin, margin))
	out.Verdict = l.verdict
	add(cellView{Label: "verdict", Text: l.verdict, Tone: verdictTone(l.tone()), Class: "chips"})
	add(textCell("remark", l.note, "text"))
	return out
}

// sortable is the number that the column of changes is sorted by.
func sortable(r *Result) Num {
	switch {
	case r.Limit != nil:
		return none
	case r.Ratio != nil && !isShare(r) && (r.Margin == nil || r.Margin.Kind == "relative"):
		return r.Ratio.Value - 1
	case r.Delta != nil:
		return r.Delta.Value
	}
	return none
}

// numbersTable has every number of the results, for those who check them.
func numbersTable(doc *Document) tableView {
	t := tableView{ID: "table-numbers", Caption: "In base units: seconds, tokens, shares of one, ratios. An empty cell is unbounded or not available.",
		Head: []headCell{{"result", false}}}
	head := func(names ...string) {
		for _, n := range names {
			t.Head = append(t.Head, headCell{n, true})
		}
	}
	head("before", "before from", "before to", "n before", "units before")
	if doc.Command != "describe" {
		head("after", "after from", "after to", "n after", "units after",
			"difference", "difference from", "difference to", "ratio", "ratio from", "ratio to",
			"like for like ratio", "like for like ratio from", "like for like ratio to",
			"p (harm ≥ margin)", "p (harm ≥ 0)", "p over all slices", "α of the gate", "smallest effect seen", "smallest margin passed")
	}
	head("histogram error")
	t.Head = append(t.Head, headCell{"method", false})
	for i := range doc.Results {
		t.Rows = append(t.Rows, numbersRow(doc, &doc.Results[i]))
	}
	return t
}

func numbersRow(doc *Document, r *Result) rowView {
	out := rowView{Cells: []cellView{textCell("result", caseName(r), "head")}}
	num := func(label string, vs ...Num) {
		for i, v := range vs {
			text := ""
			if v.Known() {
				text = digits(float64(v), 6)
			}
			out.Cells = append(out.Cells, valueCell(label+[...]string{"", " from", " to"}[i], text, v))
		}
	}
	whole := func(label string, n int64) {
		out.Cells = append(out.Cells, valueCell(label, count(n), Num(n)))
	}
	side := func(name string, e Estimate) {
		num(name, e.Value, e.Lo, e.Hi)
		whole("n "+name, e.N)
		whole("units "+name, int64(e.Units))
	}
	change := func(label string, c *Change) {
		if c == nil {
			c = &Change{none, none, none}
		}
		num(label, c.Value, c.Lo, c.Hi)
	}
	side("before", r.Baseline)
	if doc.Command != "describe" {
		side("after", r.Candidate)
		change("difference", r.Delta)
		change("ratio", r.Ratio)
		var like *Change
		if r.LikeForLike != nil {
			like = r.LikeForLike.Ratio
		}
		change("like for like ratio", like)
		num("p (harm ≥ margin)", r.PValue)
		num("p (harm ≥ 0)", r.PSuperior)
		num("p over all slices", r.PAdjusted)
		num("α of the gate", r.AdjustedAlpha)
		num("smallest effect seen", r.MDE)
		smallest := none
		if r.Smallest != nil {
			smallest = r.Smallest.Value
		}
		num("smallest margin passed", smallest)
	}
	num("histogram error", r.RelativeError)
	out.Cells = append(out.Cells, textCell("method", r.Method, "text"))
	return out
}

// mixOf lays out one split of a change.
func mixOf(doc *Document, m *MixShift) mixView {
	share := m.Estimand == "rate"
	places, unit := 1, " %"
	if share {
		places, unit = 2, " pp"
	}
	print := func(v Num) string {
		if !v.Known() {
			return "no bound"
		}
		return signed(float64(v)*100, places) + unit
	}
	part := func(c Change) string { return print(c.Value) + " (" + print(c.Lo) + " to " + print(c.Hi) + ")" }
	mix, factors, offSupport := printedMix(m, places+2)
	out := mixView{Title: m.Metric + " " + m.Estimand + ": total " + print(m.Total.Value) + " = like for like " + print(m.Within.Value) + " + mix " + print(mix.Value),
		Text: "By " + Printable(m.By) + ": total " + part(m.Total) + " = like for like " + part(m.Within) + " + mix " + part(mix) + ".",
		Head: []headCell{{Printable(m.By), false}, {"share before", true}, {"share after", true}, {"before", true}, {"after", true}, {"change", true}, {"interval", false}, {"from the system", true}, {"from the mix", true}}}
	if len(factors) > 0 {
		var parts []string
		for _, f := range factors {
			parts = append(parts, Printable(f.By)+" "+part(f.Mix))
		}
		out.Text += " The mix is " + strings.Join(append(parts, "requests without counterpart "+print(offSupport)), " + ") + "."
	}
	base := "1"
	for i := range doc.Results {
		if r := &doc.Results[i]; r.Metric == m.Metric && r.Estimand == m.Estimand {
			base = r.Unit
		}
	}
	for i := range m.Strata {
		s := &m.Strata[i]
		pc := func(v Num) string {
			if !v.Known() {
				return ""
			}
			return fixed(float64(v)*100, 1) + " %"
		}
		val := func(v Num) string {
			if !v.Known() {
				return ""
			}
			return value(v, base, share, scaleFor(base, float64(v)))
		}
		contribution := func(v Num) string {
			if !v.Known() {
				return ""
			}
			return print(v)
		}
		limits := ""
		if s.Change.Lo.Known() || s.Change.Hi.Known() {
			limits = print(s.Change.Lo) + " to " + print(s.Change.Hi)
		}
		out.Rows = append(out.Rows, rowView{Cells: []cellView{
			textCell(out.Head[0].Text, s.Label, "head"),
			valueCell("share before", pc(s.BaselineShare), s.BaselineShare), valueCell("share after", pc(s.CandidateShare), s.CandidateShare),
			valueCell("before", val(s.BaselineValue), s.BaselineValue), valueCell("after", val(s.CandidateValue), s.CandidateValue),
			valueCell("change", contribution(s.Change.Value), s.Change.Value), textCell("interval", limits, ""),
			valueCell("from the system", contribution(s.WithinContribution), s.WithinContribution), valueCell("from the mix", contribution(s.MixContribution), s.MixContribution),
		}})
	}
	return out
}

// checkRows lists the comparability checks, those that object first.
func checkRows(doc *Document) ([]rowView, string) {
	var rows []rowView
	for _, status := range []string{"fail", "warn", "ok"} {
		for _, c := range doc.Comparability {
			if c.Status != status {
				continue
			}
			tone, word := "t-pass", "ok"
			switch status {
			case "fail":
				tone, word = "t-fail", "objects"
			case "warn":
				tone, word = "t-open", "differs"
			}
			rows = append(rows, rowView{Cells: []cellView{
				textCell("check", strings.ReplaceAll(c.Check, "_", " "), "head"), {Label: "result", Text: word, Tone: tone, Class: "chips"}, textCell("what was found", c.Text, "text")}})
		}
	}
	return rows, checksText(doc.Comparability)
}

// checksText says in a sentence what the comparability checks found.
func checksText(checks []Check) string {
	names := map[string][]string{}
	for _, c := range checks {
		names[c.Status] = append(names[c.Status], strings.ReplaceAll(c.Check, "_", " "))
	}
	fail, warn, total := names["fail"], names["warn"], count(int64(len(checks)))
	switch {
	case len(fail) > 0:
		return fmt.Sprintf("%s of %s comparability checks %s a PASS impossible (%s): the two sides are not comparable, or not to be believed, as they are.",
			count(int64(len(fail))), total, map[bool]string{true: "makes", false: "make"}[len(fail) == 1], nameList(fail))
	case len(warn) > 0:
		return fmt.Sprintf("%s of %s comparability checks found something (%s); it does not stand in the way of a verdict.", count(int64(len(warn))), total, nameList(warn))
	case len(checks) == 1:
		return "The one comparability check found like conditions on both sides."
	case len(checks) == 2:
		return "Both comparability checks found like conditions on the two sides."
	default:
		return "All " + total + " comparability checks found like conditions on both sides."
	}
}
