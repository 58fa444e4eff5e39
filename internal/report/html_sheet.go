package report

import "html/template"

// partView is a table of a plan or a calibration.
type partView struct {
	Text, Tail template.HTML
	Table      tableView
}

// sheetView lays out a report that is not about a change.
func sheetView(doc *Document, pg sheet, o HTMLOptions) *pageView {
	v := &pageView{Tool: toolName(doc), Title: Printable(pg.title), Missing: o.Missing, Command: o.Command,
		Guide: docLink(doc.Tool.Version, "METHODS.md"), Reading: docLink(doc.Tool.Version, "docs/reading-a-report.md")}
	for _, l := range pg.lead {
		v.Lines = append(v.Lines, prose(l))
	}
	for _, p := range o.Pictures {
		v.Figures = append(v.Figures, pictureOf(p))
	}
	for _, p := range pg.parts {
		v.Parts = append(v.Parts, partOf(p))
	}
	for _, n := range pg.notes {
		v.Remarks = append(v.Remarks, prose(n))
	}
	v.Prints = fingerprint(doc)
	return v
}

func partOf(p part) partView {
	g := p.grid.used()
	t := tableView{}
	for i, h := range g.head {
		t.Head = append(t.Head, headCell{Printable(h), g.right[i]})
	}
	last := "" // the name in the first column: in a grid it stands once
	for _, r := range g.rows {
		var row rowView
		for i, text := range r {
			class := ""
			if named := !g.right[0] && i == 0; named && text != "" {
				last = text
			} else if named {
				text = last
			}
			at := i == 1 && g.head[1] == "at"
			switch {
			case at:
				class = "at"
				row.Cells[0].At = Printable(text)
			case i == 0 && g.right[i]:
				class = "head n"
			case i == 0:
				class = "head"
			case g.right[i]:
				class = "n"
			}
			cell := textCell(Printable(g.head[i]), text, class)
			if i == 0 && g.right[0] {
				cell.At = cell.Label // a number alone names no card
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return partView{Text: prose(p.head), Tail: prose(p.tail), Table: t}
}
