package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the report for a review comment: the verdict and the
// rows that decided first, everything else folded.
func WriteMarkdown(w io.Writer, doc *Document) error {
	if pg, ok := doc.sheet(); ok {
		return pg.markdown(w)
	}
	var b strings.Builder
	md := markdownEscape
	if doc.Verdict != nil {
		fmt.Fprintf(&b, "### %s %s: %s → %s\n\n", verdictMark(*doc.Verdict), *doc.Verdict, md(doc.Baseline.Label), md(doc.Candidate.Label))
	} else {
		fmt.Fprintf(&b, "### %s\n\n", md(doc.Baseline.Label))
	}
	shown, more := topReasons(doc)
	for _, r := range shown {
		fmt.Fprintf(&b, "- %s\n", md(r.Text))
	}
	if more > 0 {
		fmt.Fprintf(&b, "- %s below\n", plural(int64(more), "more reason"))
	}
	if len(shown) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s, seed %d\n\n", md(doc.Design.Text), doc.Seed)
	lines := rows(doc)
	if doc.Command == "describe" {
		fmt.Fprintf(&b, "| metric | at | value | %s interval | n |\n|---|---|--:|---|---|\n", percentOf(doc.Level))
		for _, r := range lines {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", md(r.metric), md(r.at), r.before, md(r.interval), r.note)
		}
	} else {
		var open, rest []row
		for _, r := range lines {
			if r.moved {
				continue
			}
			if r.outcome == "PASS" || r.outcome == "" {
				rest = append(rest, r)
			} else {
				open = append(open, r)
			}
		}
		if len(open) == 0 {
			open, rest = rest, nil
		}
		markdownTable(&b, doc, open)
		rest, more := cutSlicedRows(rest)
		if len(rest) > 0 {
			fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", plural(int64(len(rest)), "more row"))
			markdownTable(&b, doc, rest)
			if more > 0 {
				fmt.Fprintf(&b, "\n%s in the JSON report.\n", plural(int64(more), "more slice"))
			}
			b.WriteString("\n</details>\n")
		}
		itemMarkdown(&b, doc)
		moversMarkdown(&b, doc)
	}
	if ns := notes(doc); len(ns) > 0 {
		b.WriteString("\n")
		for _, n := range ns {
			fmt.Fprintf(&b, "- %s\n", md(n))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownTable(b *strings.Builder, doc *Document, rs []row) {
	fmt.Fprintf(b, "| metric | at | before | after | change | %s interval | margin | verdict | |\n|---|---|--:|--:|--:|---|--:|---|---|\n", percentOf(doc.Level))
	for _, r := range rs {
		v := r.verdict
		if r.tone() == "FAIL" {
			v = "**FAIL**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", markdownEscape(metricCell(r)), markdownEscape(r.at), r.before, r.after, r.change, markdownEscape(r.interval), markdownEscape(r.margin), v, r.note)
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
