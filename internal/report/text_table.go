package report

import (
	"math"
	"slices"
	"strings"
)

// column is one of a table of the text report.
type column struct {
	head    string
	right   bool
	verdict bool // coloured by the outcome of the row
	text    func(r row) string
}

// shape is how a table is laid out: what a terminal has room for.
type shape struct {
	bars  bool // each change drawn against its margin
	below bool // remarks stand below their rows
	short bool // without the values of the sides and the margins
}

// shapes are tried from the widest on; the last is taken where none fits. What
// is not written to a terminal has the plain one.
var shapes = []shape{{bars: true}, {bars: true, below: true}, {}, {below: true}, {below: true, short: true}}

// columnsOf lists the columns of the rows in a shape; slices have a column of
// their own, where a long name is cut: the other formats have it in full.
func columnsOf(doc *Document, lines []row, s shape) []column {
	describe := doc.Command == "describe"
	at, tasks := "at", !doc.ofItems()
	if doc.ofItems() {
		at = "task"
		for _, r := range lines {
			tasks = tasks || r.at != ""
		}
	}
	out := []column{{head: "metric", text: func(r row) string { return Printable(r.metric) }}}
	add := func(wanted bool, c column) {
		if wanted {
			out = append(out, c)
		}
	}
	add(tasks, column{head: at, text: func(r row) string { return r.at }})
	add(len(lines) > 0 && lines[0].slice != "", column{head: "slice", text: func(r row) string { return short(Printable(r.slice)) }})
	before := "before"
	if describe {
		before = "value"
	}
	add(!s.short || describe, column{head: before, right: true, text: func(r row) string { return r.before }})
	add(!s.short && !describe, column{head: "after", right: true, text: func(r row) string { return r.after }})
	add(!describe, column{head: "change", right: true, text: func(r row) string { return r.change }})
	add(true, column{head: percentOf(doc.Level) + " interval", text: func(r row) string { return r.interval }})
	add(!s.short && !describe, column{head: "margin", right: true, text: func(r row) string { return r.margin }})
	add(s.bars && !describe, column{head: barHead, verdict: true, text: func(r row) string { return r.bar.draw(r.outcome) }})
	add(!describe, column{head: "verdict", verdict: true, text: func(r row) string { return r.verdict }})
	add(!s.below, column{text: func(r row) string { return r.note }})
	return out
}

// table writes rows in aligned columns, in the widest shape that a terminal has
// room for.
func table(b *strings.Builder, doc *Document, opt TextOptions, lines []row) {
	tried := []shape{{}}
	if opt.Columns > 0 {
		tried = slices.DeleteFunc(slices.Clone(shapes), func(s shape) bool { return s.bars && !opt.Bars })
	}
	for i, s := range tried {
		columns := columnsOf(doc, lines, s)
		cells, widths := cellsOf(doc, columns, lines)
		total := 2 * (len(columns) - 1)
		for _, w := range widths {
			total += w
		}
		if i == len(tried)-1 || total <= opt.Columns {
			writeTable(b, opt, columns, cells, widths, lines, s)
			return
		}
	}
}

// cellsOf are the texts of a table with its headings. A metric is named once.
func cellsOf(doc *Document, columns []column, lines []row) (cells [][]string, widths []int) {
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.head
	}
	cells, last := [][]string{head}, ""
	for _, r := range lines {
		texts := make([]string, len(columns))
		for i, c := range columns {
			texts[i] = c.text(r)
		}
		key := r.metric
		if r.slice != "" {
			key += " " + r.at
		}
		if key == last {
			texts[0] = ""
			if r.slice != "" && texts[1] == r.at {
				texts[1] = ""
			}
		}
		last = key
		cells = append(cells, texts)
	}
	widths = make([]int, len(columns))
	for _, c := range cells {
		for i, s := range c {
			widths[i] = max(widths[i], displayWidth(s))
		}
	}
	return cells, widths
}

func writeTable(b *strings.Builder, opt TextOptions, columns []column, cells [][]string, widths []int, lines []row, s shape) {
	p := paint(opt.Color)
	for n, c := range cells {
		var line strings.Builder
		for i, text := range c {
			pad := strings.Repeat(" ", widths[i]-displayWidth(text))
			if i > 0 {
				line.WriteString("  ")
			}
			switch {
			case n == 0:
				text = p.dim(text)
			case columns[i].verdict:
				text = p.verdict(lines[n-1].tone(), text)
			}
			if columns[i].right {
				line.WriteString(pad + text)
			} else {
				line.WriteString(text + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if n > 0 && s.below && lines[n-1].note != "" {
			wrap(b, strings.Repeat(" ", min(widths[0]+2, 8)), lines[n-1].note, opt.Width)
		}
	}
}

// gauge is a judged change against its margin: the harm in units of the margin,
// so that 1 is the margin and what is worse lies right. NaN is not available.
type gauge struct {
	value, lo, hi float64
	ok            bool
}

// gaugeOf takes the change that is judged, like for like where it was split.
func gaugeOf(r *Result) gauge {
	if r.Margin == nil || r.Limit != nil || !(r.Margin.Value > 0) {
		return gauge{}
	}
	ratio, delta := r.Ratio, r.Delta
	if r.LikeForLike != nil {
		ratio, delta = r.LikeForLike.Ratio, r.LikeForLike.Delta
	}
	c, origin := delta, 0.0
	scale := float64(r.Margin.Value)
	switch {
	case r.Margin.Kind == "relative" && ratio != nil && !r.items:
		c, origin = ratio, 1
	case r.Margin.Kind == "relative":
		scale *= math.Abs(float64(r.Baseline.Value)) // of the old score
	}
	if c == nil || !c.Value.Known() || !(scale > 0) {
		return gauge{}
	}
	at := func(v Num) float64 { return (float64(v) - origin) / scale }
	g := gauge{at(c.Value), at(c.Lo), at(c.Hi), true}
	if r.Direction == "higher" {
		g = gauge{-g.value, -g.hi, -g.lo, true}
	}
	return g
}

const (
	barCells = 21
	barZero  = barCells / 2
	barUnit  = 5 // cells of a margin
	barHead  = "better    0  margin"
)

// draw sets the interval as a line and the change as a point, by its outcome,
// between no change (┊) and the margin (│); arrows lie beyond the edge.
func (g gauge) draw(outcome string) string {
	if !g.ok {
		return ""
	}
	cells := []rune(strings.Repeat(" ", barCells))
	place := func(v float64) int {
		return int(math.Max(0, math.Min(barCells-1, barZero+math.Round(v*barUnit))))
	}
	outside := func(v float64) bool { return math.Abs(v*barUnit) >= barZero+0.5 }
	cells[barZero], cells[barZero+barUnit] = '┊', '│'
	if lo, hi := g.lo, g.hi; !math.IsNaN(lo) || !math.IsNaN(hi) {
		if math.IsNaN(lo) {
			lo = math.Inf(-1)
		}
		if math.IsNaN(hi) {
			hi = math.Inf(1)
		}
		for i := place(lo); i <= place(hi); i++ {
			cells[i] = map[rune]rune{' ': '─', '─': '─', '┊': '┼', '│': '┼'}[cells[i]]
		}
		if outside(lo) {
			cells[place(lo)] = '◀'
		}
		if outside(hi) {
			cells[place(hi)] = '▶'
		}
	}
	if !outside(g.value) {
		cells[place(g.value)] = map[string]rune{"PASS": '●', "FAIL": '◆', "": '·'}[outcome]
		if outcome == "INCONCLUSIVE" {
			cells[place(g.value)] = '○'
		}
	}
	return string(cells)
}
