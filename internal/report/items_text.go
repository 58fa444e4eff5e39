package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// mostSlices is how many slices a text or Markdown report shows; the JSON
// report has them all.
const mostSlices = 30

// cutSlices keeps the slices that are gates and the worst of the others.
func cutSlices(rows []row) (shown []row, more int) {
	left := mostSlices
	for _, r := range rows {
		if r.outcome == "" && left == 0 {
			more++
			continue
		}
		if r.outcome == "" {
			left--
		}
		shown = append(shown, r)
	}
	return shown, more
}

// cutSlicedRows does the same to rows of which only some are slices.
func cutSlicedRows(rows []row) (shown []row, more int) {
	var whole, sliced []row
	for _, r := range rows {
		if r.slice == "" {
			whole = append(whole, r)
		} else {
			sliced = append(sliced, r)
		}
	}
	slices.SortStableFunc(sliced, func(a, b row) int { return -cmp.Compare(a.harm, b.harm) })
	sliced, more = cutSlices(sliced)
	return append(whole, sliced...), more
}

// itemSection writes the parts that only reports about items have.
func itemSection(b *strings.Builder, doc *Document, width int) {
	if !doc.ofItems() {
		return
	}
	if t := crossTable(doc); t != "" {
		b.WriteString("\n" + t)
	}
	if lines := flipLines(doc); len(lines) > 0 {
		b.WriteString("\n")
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	if t := repeatText(doc); t != "" {
		b.WriteString("\n")
		wrap(b, "", t, width)
	}
}

// crossTable is the two-by-two table of the first result, or the counts of
// better and worse scores.
func crossTable(doc *Document) string {
	if doc.Pairs == nil || len(doc.Results) == 0 || doc.Pairs.Matched == 0 {
		return ""
	}
	p, r := doc.Pairs, &doc.Results[0]
	name := pairsName(r)
	if p.BothRight == nil {
		return fmt.Sprintf("%s: %s lower, %s higher, %s the same on both sides.\n", name, plural(int64(lower(p, r)), "item"), count(int64(p.OnlyBaseline+p.OnlyCandidate-lower(p, r))), count(int64(p.Matched-p.OnlyBaseline-p.OnlyCandidate)))
	}
	cells := [][]string{
		{name, "right after", "wrong after"},
		{"right before", count(int64(*p.BothRight)), count(int64(p.OnlyBaseline))},
		{"wrong before", count(int64(p.OnlyCandidate)), count(int64(*p.BothWrong))},
	}
	widths := make([]int, 3)
	for _, c := range cells {
		for i, s := range c {
			widths[i] = max(widths[i], displayWidth(s))
		}
	}
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c[0] + strings.Repeat(" ", widths[0]-displayWidth(c[0])))
		for i := 1; i < 3; i++ {
			b.WriteString("  " + strings.Repeat(" ", widths[i]-displayWidth(c[i])) + c[i])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// lower counts the items whose score is lower after.
func lower(p *Pairs, r *Result) int {
	if r.Direction == "higher" {
		return p.OnlyBaseline
	}
	return p.OnlyCandidate
}

func pairsName(r *Result) string {
	filter := ""
	if r.Filter != nil {
		filter = *r.Filter
	}
	name := scoreName(r.Metric, filter)
	if r.Average != nil {
		name += ", all tasks"
	}
	return Printable(name)
}

// flipLines lists the worst flips.
func flipLines(doc *Document) []string {
	var out []string
	lost := 0
	for _, f := range doc.Flips {
		if f.worse {
			lost++
		}
	}
	if doc.listed <= 0 || lost == 0 {
		return nil
	}
	shown := min(doc.listed, lost)
	head := "Worse after, the worst first:"
	if shown < lost {
		head = fmt.Sprintf("Worse after, %s of %s (--flips), the worst first:", count(int64(shown)), count(int64(lost)))
	}
	out = append(out, head)
	for _, f := range doc.Flips[:shown] {
		out = append(out, "  "+flipLine(f))
		for _, t := range flipTexts(f) {
			out = append(out, "    "+Printable(t))
		}
	}
	return out
}

func flipTexts(f Flip) []string {
	switch {
	case f.BaselineText == "" && f.CandidateText == "":
		return nil
	case f.BaselineText == f.CandidateText || f.CandidateText == "":
		return []string{f.BaselineText}
	case f.BaselineText == "":
		return []string{f.CandidateText}
	}
	return []string{"before: " + f.BaselineText, "after: " + f.CandidateText}
}

func flipLine(f Flip) string {
	parts := []string{f.Item}
	if f.Turn != "" {
		parts[0] += " turn " + f.Turn
	}
	if f.Task != "" {
		parts = append(parts, f.Task)
	}
	parts = append(parts, scoreName(f.Metric, f.Filter), number(float64(f.Baseline))+" -> "+number(float64(f.Candidate)))
	if s := sliceText(f.Slice); s != "" {
		parts = append(parts, s)
	}
	return Printable(strings.Join(parts, "  "))
}

// repeatText says how much of the noise comes from answering an item again.
func repeatText(doc *Document) string {
	for i := range doc.Results {
		r := &doc.Results[i]
		n := r.Repeats
		if n == nil {
			continue
		}
		text := "Answers an item: " + perItem(n.Baseline) + " and " + perItem(n.Candidate) + "."
		sides := []string{"Before, two", "After, two"}
		if doc.Candidate == nil {
			text, sides = "Answers an item: "+perItem(n.Baseline)+".", []string{"Two", ""}
		}
		for _, s := range []struct {
			name string
			side *RepeatSide
		}{{sides[0], n.Baseline}, {sides[1], n.Candidate}} {
			if s.side == nil {
				continue
			}
			within, between := float64(s.side.Within), math.Max(0, float64(s.side.Between))
			share := 0.0
			if within+between > 0 {
				share = within / (within + between)
			}
			text += fmt.Sprintf(" %s answers to one item score the same %s of the time, and %s of the variance lies within items.", s.name, share1(float64(s.side.Agreement)), share1(share))
		}
		if se := float64(n.SE); se > 0 {
			text += fmt.Sprintf(" Twice the answers would make the standard error of the %s %s smaller, ever more answers %s; beyond that only more items help.",
				map[bool]string{true: "mean", false: "change"}[doc.Candidate == nil], share1(1-float64(n.SETwice)/se), share1(1-float64(n.SELimit)/se))
		}
		return text
	}
	return ""
}

func perItem(s *RepeatSide) string {
	if s == nil {
		return "1"
	}
	return number(math.Round(float64(s.PerItem)*100) / 100)
}

func capitalWord(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// itemMarkdown writes the same parts for a review comment.
func itemMarkdown(b *strings.Builder, doc *Document) {
	if !doc.ofItems() {
		return
	}
	md := markdownEscape
	if p := doc.Pairs; p != nil && p.BothRight != nil && p.Matched > 0 {
		fmt.Fprintf(b, "\n| %s | right after | wrong after |\n|---|--:|--:|\n| right before | %s | %s |\n| wrong before | %s | %s |\n", md(pairsName(&doc.Results[0])),
			count(int64(*p.BothRight)), count(int64(p.OnlyBaseline)), count(int64(p.OnlyCandidate)), count(int64(*p.BothWrong)))
	} else if t := crossTable(doc); t != "" {
		b.WriteString("\n" + md(strings.TrimSpace(t)) + "\n")
	}
	if lines := flipLines(doc); len(lines) > 0 {
		fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", md(lines[0]))
		for _, l := range lines[1:] {
			indent := ""
			if strings.HasPrefix(l, "    ") {
				indent = "  "
			}
			fmt.Fprintf(b, "%s- %s\n", indent, md(strings.TrimSpace(l)))
		}
		b.WriteString("\n</details>\n")
	}
	if t := repeatText(doc); t != "" {
		b.WriteString("\n" + md(t) + "\n")
	}
}

// meanOfTasks names an average over tasks; no task may have had a score.
func meanOfTasks(n int) string {
	if n == 0 {
		return "mean of tasks"
	}
	return "mean of " + plural(int64(n), "task")
}

// itemCells names a result in the first two columns of the table.
func itemCells(r *Result) (metric, task string) {
	metric = r.Metric
	if r.Filter != nil {
		metric = scoreName(metric, *r.Filter)
	}
	switch {
	case r.Average != nil && *r.Average == "micro":
		task = "all items"
	case r.Average != nil:
		task = meanOfTasks(r.tasks)
	case r.Task != nil:
		task = Printable(*r.Task)
	case r.Slice != nil && r.many:
		task = "all items"
	}
	return metric, task
}

// ofItems reports whether the report is about scores of items.
func (doc *Document) ofItems() bool {
	return doc.Design.Unit == "item" || doc.Design.Unit == "cluster"
}
