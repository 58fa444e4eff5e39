package report

import (
	"fmt"
	"slices"
	"strings"
)

// notes are the lines below the table: checks that did not pass, what was left
// out of each side, and remarks.
func notes(doc *Document) []string {
	var out []string
	shown, _ := topReasons(doc)
	for _, c := range doc.Comparability {
		if c.Status != "ok" && (c.Check != "prompt_length" || strings.HasPrefix(c.Text, promptsDiffer)) && !slices.Contains(shown, Reason{"check_failed", c.Text}) {
			out = append(out, c.Text)
		}
	}
	for _, s := range []*Side{doc.Baseline, doc.Candidate} {
		if s != nil {
			if t := sideText(s); t != "" {
				out = append(out, t)
			}
		}
	}
	if t := thinNote(doc); t != "" {
		out = append(out, t)
	}
	many := multiplicityNote(doc)
	if many != "" {
		out = append(out, many)
	}
	seen := map[string]bool{}
	for _, r := range doc.Results {
		if r.items && r.Slice != nil && r.Verdict == nil {
			continue // a slice that is only looked at
		}
		for _, n := range r.Warnings {
			if skipNote(n.Code) || r.Slice != nil && tallyNote(n.Code) || n.Code == "multiplicity" && many != "" || seen[n.Text] || slices.ContainsFunc(shown, func(r Reason) bool { return strings.HasPrefix(r.Text, n.Text) }) {
				continue
			}
			seen[n.Text] = true
			text := n.Text
			if r.items {
				text = capitalWord(text)
			}
			out = append(out, sentence(text))
		}
	}
	for _, n := range doc.Warnings {
		if !seen[n.Text] {
			seen[n.Text] = true
			out = append(out, sentence(n.Text))
		}
	}
	return out
}

// multiplicityNote says once which gates exceed their margin on their own and
// not among so many; "" if there is at most one.
func multiplicityNote(doc *Document) string {
	var names []string
	gates := 0
	for _, r := range doc.Results {
		if r.Verdict != nil {
			gates++
		}
		if slices.ContainsFunc(r.Warnings, func(n Note) bool { return n.Code == "multiplicity" }) {
			name := r.Metric + " " + r.Estimand
			if s := sliceText(r.Slice); s != "" {
				name += " of " + s
			}
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return ""
	}
	return fmt.Sprintf("Beyond their margins on their own, but not once allowance is made for %d gates: %s.", gates, strings.Join(names, ", "))
}

// skipNote leaves out what the table or the reasons say already.
func skipNote(code string) bool {
	switch code {
	case "no_data", "unsupported", "values_missing", "no_interval", "no_ratio", "no_spread", "one_sided", "thin_tail", "few_items", "wide_buckets", "task_without_pairs", "at_least", "ratio_without_interval":
		return true
	}
	return false
}

// tallyNote tells notes that count requests: those of a slice are among those of
// all traffic, which its metric's own row counts.
func tallyNote(code string) bool {
	switch code {
	case "timeouts_counted", "timeouts_untold", "missing_values", "not_applicable", "first_gap_dropped", "chunk_gaps":
		return true
	}
	return false
}

// thinNote says once which percentiles are too thin and what they take.
func thinNote(doc *Document) string {
	var parts []string
	first := map[string]int64{} // by percentile
	for _, r := range doc.Results {
		if r.Needed == nil || r.Needed.Requests == nil || !slices.ContainsFunc(r.Warnings, func(n Note) bool { return n.Code == "thin_tail" }) {
			continue
		}
		label, takes := r.Estimand, *r.Needed.Requests
		if n, seen := first[r.Estimand]; !seen {
			first[r.Estimand] = takes
		} else if n != takes { // a request gives more or fewer values of this metric
			label = r.Metric + " " + label
		}
		if part := fmt.Sprintf("%s takes %s", label, count(takes)); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case doc.Candidate == nil:
		return "Too few requests for an interval: " + strings.Join(parts, ", ") + "."
	}
	return "Too few requests to judge every percentile: " + strings.Join(parts, ", ") + " a side."
}

// sentence ends a remark as a sentence and begins it as one, unless its first
// word is the name of a metric, a file or a run.
func sentence(s string) string {
	for _, word := range []string{"in ", "failures ", "all ", "the "} {
		if strings.HasPrefix(s, word) {
			s = strings.ToUpper(s[:1]) + s[1:]
		}
	}
	if s == "" {
		return s
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// sideText tells what of a side does not count as a successful request.
func sideText(s *Side) string {
	var parts []string
	if s.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%s failed (%s)", count(s.Failed), countList(s.Failures)))
	}
	if n := total(s.Rejected); n > 0 {
		parts = append(parts, fmt.Sprintf("%s rejected (%s)", count(n), countList(s.Rejected)))
	}
	if n := total(s.Excluded); n > 0 {
		parts = append(parts, fmt.Sprintf("%s left out (%s)", count(n), countList(s.Excluded)))
	}
	if len(parts) == 0 {
		return ""
	}
	if s.items {
		return fmt.Sprintf("%s: %s, %s with a score, %s.", s.Label, plural(s.Requests, "answer"), count(s.OK), strings.Join(parts, ", "))
	}
	noun := "record"
	if s.histograms {
		noun = "request"
	}
	return fmt.Sprintf("%s: %s, %s ok, %s.", s.Label, plural(s.Requests, noun), count(s.OK), strings.Join(parts, ", "))
}

func countList(cs []Count) string {
	var parts []string
	for _, c := range cs {
		word := strings.ReplaceAll(c.Reason, "_", " ")
		if len(cs) > 1 {
			word = count(c.Count) + " " + word
		}
		parts = append(parts, word)
	}
	return strings.Join(parts, ", ")
}

func total(cs []Count) (n int64) {
	for _, c := range cs {
		n += c.Count
	}
	return n
}
