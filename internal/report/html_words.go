package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// shortName is how a sentence of the page calls a result.
func shortName(r *Result) string {
	switch {
	case r.items:
		metric, task := itemCells(r)
		return strings.TrimSpace(Printable(metric) + " " + task)
	case r.Metric == "success_rate":
		return "the success rate"
	case r.Estimand == "rate":
		return Printable(r.Metric)
	}
	return Printable(r.Metric) + " " + r.Estimand
}

// meaning says what the verdict means, for someone who never saw one.
func meaning(doc *Document) string {
	switch *doc.Verdict {
	case "PASS":
		return "Every judged change is shown to be smaller than its margin, on data that can be compared."
	case "FAIL":
		return "At least one change is shown to be worse than its margin allows."
	case "EXCEPTION_REQUIRED":
		return "Only gates that an owner may accept are beyond their margin. Someone has to accept them."
	}
	for _, r := range doc.Reasons {
		switch r.Code {
		case "check_failed":
			return "No verdict: the two sides are not comparable, or not to be believed, as they are."
		case "nothing_to_judge":
			return "No verdict: nothing could be judged."
		}
	}
	return "No verdict yet: the data show neither that the changes are within their margins nor that they are beyond."
}

// howSure says what the certainty rests on.
func howSure(doc *Document) []string {
	design := Printable(doc.Design.Text)
	out := []string{capitalize(design) + "."}
	out = append(out, fmt.Sprintf("Of 100 comparisons like this one, about %s have an interval that holds the true change.", number(doc.Level*100)))
	if t := smallestSeen(doc); t != "" {
		out = append(out, t)
	}
	if len(doc.Comparability) > 0 {
		out = append(out, checksText(doc.Comparability))
	}
	return out
}

func capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// smallestSeen tells the smallest harm that the gates could have seen.
func smallestSeen(doc *Document) string {
	type seen struct {
		name string
		by   float64
	}
	var all []seen
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Verdict == nil || r.Margin == nil || r.Margin.Kind != "relative" || !r.MDE.Known() {
			continue
		}
		by := float64(r.MDE) - 1
		if r.Direction == "higher" {
			by = 1 - float64(r.MDE)
		}
		all = append(all, seen{shortName(r), by})
	}
	if len(all) == 0 {
		return ""
	}
	least := slices.MinFunc(all, func(a, b seen) int { return cmp.Compare(a.by, b.by) })
	most := slices.MaxFunc(all, func(a, b seen) int { return cmp.Compare(a.by, b.by) })
	if least == most {
		return fmt.Sprintf("A harm of %s in %s would have shown in four of five such comparisons.", share1(least.by), least.name)
	}
	return fmt.Sprintf("The smallest harm that shows in four of five such comparisons lies between %s (%s) and %s (%s).", share1(least.by), least.name, share1(most.by), most.name)
}

// nextSteps says what the verdict asks for.
func nextSteps(doc *Document) []string {
	var out []string
	add := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	failed, open := judgedNames(doc, "FAIL"), judgedNames(doc, "INCONCLUSIVE")
	switch *doc.Verdict {
	case "FAIL":
		add("Hold the change back and look at %s first.", nameList(failed))
		add("If that much harm is the price of the change, say so: give the metric a wider margin with --margin, and run the comparison again.")
		if len(open) > 0 {
			add("%s undecided; more data would not turn the FAIL.", countOf(open))
		}
	case "EXCEPTION_REQUIRED":
		add("Ask the owner of %s to accept the harm or to hold the change back.", nameList(failed))
	case "PASS":
		add("Nothing in these data stands against the change.")
		add("Keep this page with it: it says what was shown and by which data.")
	default:
		out = append(out, decideSteps(doc, open)...)
	}
	if thin := thinNote(doc); thin != "" {
		add("%s", Printable(thin))
	}
	for _, n := range doc.Warnings {
		if n.Code == noiseAlone {
			add("%s", Printable(n.Text))
		}
	}
	return out
}

// decideSteps says what would settle an open comparison.
func decideSteps(doc *Document, open []string) []string {
	var out []string
	for _, r := range doc.Reasons {
		switch r.Code {
		case "check_failed":
			out = append(out, "Settle what the comparability checks object to, and measure again: "+Printable(r.Text))
		case "nothing_to_judge":
			out = append(out, Printable(r.Text))
		}
	}
	runs, gates, requests, items, most := 0, 0, int64(0), int64(0), ""
	var never []string // open whatever is measured
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Verdict == nil || *r.Verdict != "INCONCLUSIVE" {
			continue
		}
		if r.Needed == nil || r.Needed.Runs == nil && r.Needed.Requests == nil && r.Needed.Items == nil {
			if r.Smallest != nil {
				never = append(never, shortName(r))
			}
			continue
		}
		if r.Needed.Runs != nil {
			gates++
			if *r.Needed.Runs > runs {
				runs, most = *r.Needed.Runs, shortName(r)
			}
		}
		if r.Needed.Requests != nil {
			requests = max(requests, *r.Needed.Requests)
		}
		if r.Needed.Items != nil {
			items = max(items, *r.Needed.Items)
		}
	}
	if runs > 0 {
		t := "Measure " + moreRuns(runs, doc.Design.Pair != nil && doc.Design.Pair.Of == "run")
		if gates > 1 {
			t += fmt.Sprintf(": as many as %s needs, the others need fewer", most)
		}
		out = append(out, t+".")
	}
	if requests > 0 {
		out = append(out, fmt.Sprintf("Measure %s requests a side, in all.", count(requests)))
	}
	if items > 0 {
		out = append(out, fmt.Sprintf("Have both sides answer %s items in all.", count(items)))
	}
	if len(never) > 0 && len(out) > 0 {
		out = append(out, fmt.Sprintf("No affordable amount of data settles %s.", nameList(never)))
	}
	if wider := passingMargins(doc); len(wider) > 0 {
		out = append(out, "Or, if that much harm is tolerable, accept a wider margin. The smallest that would have passed: "+strings.Join(wider, ", ")+".")
	}
	if len(out) == 0 {
		out = append(out, fmt.Sprintf("Look at why %s could not be judged, in the table below.", nameList(open)))
	}
	return out
}

// passingMargins lists the smallest passing margins of the open gates.
func passingMargins(doc *Document) []string {
	const most = 4
	var out []string
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Verdict == nil || *r.Verdict != "INCONCLUSIVE" || r.Smallest == nil {
			continue
		}
		if len(out) == most {
			return append(out, "and more in the table below")
		}
		text := marginAbove(float64(r.Smallest.Value), r.Smallest.Kind == "relative", isShare(r), r.Unit)
		out = append(out, shortName(r)+" "+text)
	}
	return out
}

func judgedNames(doc *Document, verdict string) []string {
	var out []string
	for i := range doc.Results {
		if r := &doc.Results[i]; r.Verdict != nil && *r.Verdict == verdict {
			name := shortName(r)
			if s := sliceText(r.Slice); s != "" {
				name += " of " + Printable(s)
			}
			out = append(out, name)
		}
	}
	return out
}

// nameList joins names: "a", "a and b", "a, b and 3 more".
func nameList(names []string) string {
	switch n := len(names); {
	case n == 0:
		return "the gates"
	case n == 1:
		return names[0]
	case n <= 3:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	default:
		return strings.Join(names[:2], ", ") + " and " + fmt.Sprint(n-2) + " more"
	}
}

func countOf(names []string) string {
	if len(names) == 1 {
		return "One other gate is"
	}
	return fmt.Sprintf("%d other gates are", len(names))
}
