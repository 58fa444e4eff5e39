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
	for _, r := range g.rows {
		var row rowView
		for i, text := range r {
			class := ""
			switch {
			case i == 0 && g.right[i]:
				class = "head n"
			case i == 0:
				class = "head"
			case g.right[i]:
				class = "n"
			}
			row.Cells = append(row.Cells, textCell(Printable(g.head[i]), text, class))
		}
		t.Rows = append(t.Rows, row)
	}
	return partView{Text: prose(p.head), Tail: prose(p.tail), Table: t}
}
