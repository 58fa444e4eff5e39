package report

import (
	"fmt"
	"io"
	"strings"
)

// sheet is a report that is not about a change: a plan or a calibration.
type sheet struct {
	title string
	lead  []string
	parts []part
	notes []string
}

// part is a table with a line above and a remark below.
type part struct {
	head string
	grid grid
	tail string
}

// grid is a small table.
type grid struct {
	head  []string
	right []bool // columns that are set to the right
	rows  [][]string
}

// sheet lays out a report that is not about a change; ok is false for any other.
func (doc *Document) sheet() (p sheet, ok bool) {
	if doc.ofRuns() {
		return planPage(doc), true
	}
	if doc.itemPlan != nil {
		return *doc.itemPlan, true
	}
	if doc.Calibration != nil {
		return calibrationSheet(doc), true
	}
	return sheet{}, false
}

func (p sheet) text(w io.Writer, doc *Document, opt TextOptions) error {
	var b strings.Builder
	b.WriteString(Printable(p.title) + "\n")
	for _, l := range p.lead {
		wrap(&b, "  ", l, opt.Width)
	}
	for _, part := range p.parts {
		b.WriteString("\n")
		if part.head != "" {
			wrap(&b, "", part.head, opt.Width)
		}
		part.grid.text(&b, paint(opt.Color))
		if part.tail != "" {
			wrap(&b, "", part.tail, opt.Width)
		}
	}
	if len(p.notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range p.notes {
		wrap(&b, "", n, opt.Width)
	}
	if opt.Verbose {
		writeVerbose(&b, doc, opt.Width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p sheet) markdown(w io.Writer) error {
	var b strings.Builder
	md := markdownEscape
	fmt.Fprintf(&b, "### %s\n\n", md(p.title))
	for _, l := range p.lead {
		fmt.Fprintf(&b, "%s\n\n", md(l))
	}
	for i, part := range p.parts {
		if i > 0 {
			b.WriteString("\n")
		}
		if part.head != "" {
			fmt.Fprintf(&b, "%s\n\n", md(part.head))
		}
		part.grid.markdown(&b)
		if part.tail != "" {
			fmt.Fprintf(&b, "\n%s\n", md(part.tail))
		}
	}
	if len(p.notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range p.notes {
		fmt.Fprintf(&b, "- %s\n", md(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// used drops columns without a word in them.
func (g grid) used() grid {
	out := grid{rows: make([][]string, len(g.rows))}
	for c := range g.head {
		empty := true
		for _, r := range g.rows {
			empty = empty && r[c] == ""
		}
		if empty {
			continue
		}
		out.head, out.right = append(out.head, g.head[c]), append(out.right, g.right[c])
		for i, r := range g.rows {
			out.rows[i] = append(out.rows[i], r[c])
		}
	}
	return out
}

func (g grid) text(b *strings.Builder, p paint) {
	g = g.used()
	widths := make([]int, len(g.head))
	all := append([][]string{g.head}, g.rows...)
	for _, r := range all {
		for i, s := range r {
			widths[i] = max(widths[i], displayWidth(Printable(s)))
		}
	}
	for n, r := range all {
		var line strings.Builder
		for i, s := range r {
			s = Printable(s)
			pad := strings.Repeat(" ", widths[i]-displayWidth(s))
			if n == 0 {
				s = p.dim(s)
			}
			if i > 0 {
				line.WriteString("  ")
			}
			if g.right[i] {
				line.WriteString(pad + s)
			} else {
				line.WriteString(s + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

func (g grid) markdown(b *strings.Builder) {
	g = g.used()
	if len(g.head) == 0 {
		return
	}
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + markdownEscape(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(g.head)
	for _, r := range g.right {
		if r {
			b.WriteString("|--:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, r := range g.rows {
		line(r)
	}
}
