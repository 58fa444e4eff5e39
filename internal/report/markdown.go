package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// mostMarkdown is how long a Markdown report may be, in bytes: GitHub takes
// comments of up to 65,536 characters.
const mostMarkdown = 65_000

// Marker is the first line of a Markdown report. It is not seen, and tells the
// comment of an earlier report from others, so that it can be replaced.
func Marker(tool string) string { return "<!-- " + strings.ReplaceAll(tool, "--", "") + " report -->" }

// WriteMarkdown writes the report for a review comment: a hidden marker, the
// verdict, the rows that changed and those that are not decided, and everything
// else folded. A report that is too long for a comment leaves out rows and
// remarks, the least important first, and says how many.
func WriteMarkdown(w io.Writer, doc *Document) error {
	marker := Marker(doc.Tool.Name) + "\n"
	if pg, ok := doc.sheet(); ok {
		if _, err := io.WriteString(w, marker); err != nil {
			return err
		}
		return pg.markdown(w)
	}
	text := ""
	for _, c := range []markdownCut{{math.MaxInt, math.MaxInt, math.MaxInt, 400}, {200, 200, 60, 400}, {100, 60, 30, 200}, {60, 0, 15, 120}, {20, 0, 5, 80}, {5, 0, 0, 40}} {
		if text = marker + markdownOf(doc, c); len(text) <= mostMarkdown {
			break
		}
	}
	_, err := io.WriteString(w, cutMarkdown(text))
	return err
}

// cutMarkdown ends a text that is still too long at the end of a line.
func cutMarkdown(text string) string {
	if len(text) <= mostMarkdown {
		return text
	}
	const end = "\nThe rest is left out, to fit a comment; the JSON report has all.\n"
	const unfold = "\n</details>\n"
	text = text[:mostMarkdown-len(end)-len(unfold)]
	text = text[:strings.LastIndexByte(text, '\n')+1]
	if strings.Count(text, "<details>") > strings.Count(text, "</details>") {
		text += unfold
	}
	return text + end
}

// markdownCut bounds a report: how many rows are shown and folded, how many
// remarks there are, and how many letters a label has.
type markdownCut struct{ open, rest, notes, label int }

// clip shortens a text to the cut's letters, remarks and reasons to four times
// as many.
func (c markdownCut) clip(s string, times int) string {
	n := c.label * times
	if len(s) <= n {
		return markdownEscape(s)
	}
	rs := []rune(s)
	if len(rs) <= n {
		return markdownEscape(s)
	}
	return markdownEscape(string(rs[:n])) + "…"
}

func markdownOf(doc *Document, cut markdownCut) string {
	var b strings.Builder
	if doc.Verdict != nil {
		fmt.Fprintf(&b, "### %s %s: %s → %s\n\n", verdictMark(*doc.Verdict), *doc.Verdict, cut.clip(doc.Baseline.Label, 1), cut.clip(doc.Candidate.Label, 1))
	} else {
		fmt.Fprintf(&b, "### %s\n\n", cut.clip(doc.Baseline.Label, 1))
	}
	shown, more := topReasons(doc)
	for _, r := range shown {
		fmt.Fprintf(&b, "- %s\n", cut.clip(r.Text, 4))
	}
	if more > 0 {
		fmt.Fprintf(&b, "- %s below\n", plural(int64(more), "more reason"))
	}
	if len(shown) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s, seed %d\n\n", cut.clip(doc.Design.Text, 4), doc.Seed)
	if doc.Command == "describe" {
		fmt.Fprintf(&b, "| metric | at | value | %s interval | n |\n|---|---|--:|---|---|\n", percentOf(doc.Level))
		lines, left := firstRows(rows(doc), cut.open)
		for _, r := range lines {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cut.clip(r.metric, 1), cut.clip(r.at, 1), r.before, markdownEscape(r.interval), r.note)
		}
		b.WriteString(leftOut(left, "row"))
	} else {
		markdownResults(&b, doc, cut)
		itemMarkdown(&b, doc)
		moversMarkdown(&b, doc)
	}
	if ns := notes(doc); len(ns) > 0 {
		b.WriteString("\n")
		for i, n := range ns {
			if i == cut.notes {
				b.WriteString(strings.TrimPrefix(leftOut(len(ns)-i, "remark"), "\n"))
				break
			}
			fmt.Fprintf(&b, "- %s\n", cut.clip(n, 4))
		}
	}
	return b.String()
}

// markdownResults writes the rows that changed or are open, and folds the rest.
func markdownResults(b *strings.Builder, doc *Document, cut markdownCut) {
	var open, rest []row
	for i, r := range rows(doc) {
		switch {
		case r.moved:
		case r.outcome == "":
			rest = append(rest, r)
		case r.outcome != "PASS" || changed(&doc.Results[i]):
			open = append(open, r)
		default:
			rest = append(rest, r)
		}
	}
	slices.SortStableFunc(open, func(a, b row) int { return urgency(a) - urgency(b) })
	if len(open) == 0 {
		open, rest = rest, nil
	}
	open, left := firstRows(open, cut.open)
	markdownTable(b, doc, open, cut)
	b.WriteString(leftOut(left, "row"))
	rest, more := cutSlicedRows(rest)
	rest, left = firstRows(rest, cut.rest)
	if len(rest) > 0 {
		fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", plural(int64(len(rest)), "more row"))
		markdownTable(b, doc, rest, cut)
		if more > 0 {
			fmt.Fprintf(b, "\n%s in the JSON report.\n", plural(int64(more), "more slice"))
		}
		b.WriteString("\n</details>\n")
	}
	b.WriteString(leftOut(left, "row"))
}

// changed reports a gate that passed and whose change is nevertheless sure.
func changed(r *Result) bool {
	return r.Verdict != nil && (r.Kind == "improved" || r.Kind == "regressed_within_margin" || r.Kind == "regressed")
}

// urgency orders rows: failed, not decided, the others.
func urgency(r row) int {
	switch r.outcome {
	case "FAIL":
		return 0
	case "PASS", "":
		return 2
	}
	return 1
}

func firstRows(rs []row, n int) (shown []row, left int) {
	if len(rs) <= n {
		return rs, 0
	}
	return rs[:n], len(rs) - n
}

func leftOut(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s left out, to fit a comment; the JSON report has all.\n", plural(int64(n), noun))
}

func markdownTable(b *strings.Builder, doc *Document, rs []row, cut markdownCut) {
	fmt.Fprintf(b, "| metric | at | before | after | change | %s interval | margin | verdict | |\n|---|---|--:|--:|--:|---|--:|---|---|\n", percentOf(doc.Level))
	for _, r := range rs {
		v := r.verdict
		if r.tone() == "FAIL" {
			v = "**FAIL**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", cut.clip(metricCell(r), 1), cut.clip(r.at, 1), r.before, r.after, r.change, markdownEscape(r.interval), markdownEscape(r.margin), v, r.note)
	}
}

func verdictMark(v string) string {
	switch v {
	case "PASS":
		return "✅"
	case "FAIL":
		return "❌"
	}
	return "⚠️"
}

var markdownEscaper = strings.NewReplacer("\\", "\\\\", "&", "&amp;", "~", "\\~", "$", "\\$", "|", "\\|", "<", "&lt;", ">", "&gt;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "\n", " ", "\r", " ", "@", "@\u200b")

// markdownEscape makes text safe inside a paragraph or a table cell: no markup,
// no row break, no mention.
func markdownEscape(s string) string { return markdownEscaper.Replace(Printable(s)) }

// metricCell names the metric and, of a slice, the slice.
func metricCell(r row) string {
	if r.slice == "" {
		return r.metric
	}
	return r.metric + ", " + r.slice
}
