package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// Search is what a search for moved slices looked at.
type Search struct {
	Columns []string `json:"columns"`
	Slices  int      `json:"slices"` // with enough requests
	Tests   int      `json:"tests"`
	// Found counts the slices that moved otherwise than the rest. Those that
	// others account for, and those beyond the first ten, are no results.
	Found   int             `json:"found"`
	Skipped []SkippedColumn `json:"skipped"`
}

// SkippedColumn is a column, or a pair of them, that was not searched.
type SkippedColumn struct {
	Columns []string `json:"columns"`
	Reason  string   `json:"reason" jsonschema:"enum=many_values,enum=many_columns"`
	Limit   int      `json:"limit"`
}

// Moved is what a search says of a slice that moved otherwise than the rest of
// the traffic. Where Relative is true, Rest is a ratio and Gap the ratio of the
// slice's ratio to it; else both are differences.
type Moved struct {
	Relative bool   `json:"relative"`
	Rest     Change `json:"rest"`
	Gap      Change `json:"gap"`
	P        Num    `json:"p"` // before Benjamini–Hochberg; after it: p_adjusted
}

var skipReasons = [...]string{compare.ManyValues: "many_values", compare.ManyColumns: "many_columns"}

func search(s *compare.Search) *Search {
	if s == nil {
		return nil
	}
	out := &Search{Columns: append([]string{}, s.Columns...), Slices: s.Slices, Tests: s.Tests, Found: s.Found, Skipped: []SkippedColumn{}}
	for _, k := range s.Skipped {
		out.Skipped = append(out.Skipped, SkippedColumn{k.Columns, skipReasons[k.Why], k.Limit})
	}
	return out
}

func moved(m *compare.Mover) *Moved {
	if m == nil {
		return nil
	}
	scale := func(v float64) float64 { return v }
	if m.Relative {
		scale = math.Exp
	}
	return &Moved{Relative: m.Relative, Rest: *change(m.Rest, scale), Gap: *change(m.Gap, scale), P: Num(m.P)}
}

// searchNotes say what was not searched.
func searchNotes(c *compare.Comparison) []Note {
	if c.Search == nil {
		return nil
	}
	var out []Note
	for _, k := range c.Search.Skipped {
		text := fmt.Sprintf("Column %s has more than %s values and was not searched for slices that moved.", k.Columns[0], count(int64(k.Limit)))
		switch {
		case k.Why == compare.ManyColumns:
			text = fmt.Sprintf("Column %s was not searched for slices that moved: the first %s columns were.", k.Columns[0], count(int64(k.Limit)))
		case len(k.Columns) > 1:
			text = fmt.Sprintf("Columns %s together have more than %s values and were not searched as a pair.", strings.Join(k.Columns, " and "), count(int64(k.Limit)))
		}
		out = append(out, Note{"not_searched", text})
	}
	if c.Mix != nil && c.Mix.Used && c.Search.Found > 0 {
		out = append(out, Note{"search_not_like_for_like", "Slices that moved are compared as their traffic was, and not like for like."})
	}
	return out
}

// moversPart is the table of the slices that moved most; ok is false where they
// were not searched for.
func moversPart(doc *Document) (p part, ok bool) {
	s := doc.Search
	if s == nil {
		return p, false
	}
	if s.Tests == 0 {
		p.head = "Moved most: there is no slice with enough requests to search."
		return p, true
	}
	where := fmt.Sprintf("%s of %s", plural(int64(s.Slices), "slice"), strings.Join(s.Columns, ", "))
	if s.Found == 0 {
		p.head = fmt.Sprintf("Moved most: no slice moved otherwise than the rest, among %s (%s, Benjamini–Hochberg at %s).", where, plural(int64(s.Tests), "test"), percentOf(1-doc.Level))
		return p, true
	}
	p.head = fmt.Sprintf("Moved most otherwise than the rest, among %s:", where)
	p.grid = grid{
		head:  []string{"metric", "at", "slice", "before", "after", "change", "the rest", "beyond it", percentOf(doc.Level) + " interval", "p"},
		right: []bool{false, false, false, true, true, true, true, true, false, true},
	}
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Moved == nil {
			continue
		}
		l := layRow(doc, r)
		rest, gap, interval := movedCells(r)
		p.grid.rows = append(p.grid.rows, []string{l.metric, l.at, l.slice, l.before, l.after, l.change, rest, gap, interval, pText(r.PAdjusted)})
	}
	p.tail = fmt.Sprintf("p is after Benjamini–Hochberg over %s.", plural(int64(s.Tests), "test"))
	if left := s.Found - len(p.grid.rows); left > 0 {
		p.tail += fmt.Sprintf(" %s moved too: these account for them, or they moved less.", plural(int64(left), "more slice"))
	}
	return p, true
}

// movedCells prints the change of the rest and the gap, in the words of the
// column of changes.
func movedCells(r *Result) (rest, gap, iv string) {
	m := r.Moved
	switch {
	case m.Relative:
		pc := func(v Num) string { return signed((float64(v)-1)*100, 1) }
		return pc(m.Rest.Value) + " %", pc(m.Gap.Value) + " %", interval(m.Gap.Lo, m.Gap.Hi, pc, "")
	case isShare(r):
		pp := func(v Num) string { return signed(float64(v)*100, 2) }
		return pp(m.Rest.Value) + " pp", pp(m.Gap.Value) + " pp", interval(m.Gap.Lo, m.Gap.Hi, pp, "")
	}
	s := scaleFor(r.Unit, widest(&m.Gap))
	d := func(v Num) string { return plus(float64(v), digits(float64(v)*s.factor, 3)) }
	return withUnit(d(m.Rest.Value), s.name), withUnit(d(m.Gap.Value), s.name), interval(m.Gap.Lo, m.Gap.Hi, d, "")
}

// pText prints a p-value; beyond four digits it is only small.
func pText(p Num) string {
	if p.Known() && p < 1e-4 {
		return "<0.0001"
	}
	return digits(float64(p), 2)
}

// moversText and moversMarkdown write the section of slices that moved.
func moversText(b *strings.Builder, doc *Document, opt TextOptions) {
	p, ok := moversPart(doc)
	if !ok {
		return
	}
	b.WriteString("\n")
	wrap(b, "", p.head, opt.Width)
	if len(p.grid.rows) > 0 {
		p.grid.text(b, paint(opt.Color))
	}
	if p.tail != "" {
		wrap(b, "", p.tail, opt.Width)
	}
}

func moversMarkdown(b *strings.Builder, doc *Document) {
	p, ok := moversPart(doc)
	if !ok {
		return
	}
	fmt.Fprintf(b, "\n%s\n", markdownEscape(p.head))
	if len(p.grid.rows) > 0 {
		b.WriteString("\n")
		p.grid.markdown(b)
	}
	if p.tail != "" {
		fmt.Fprintf(b, "\n%s\n", markdownEscape(p.tail))
	}
}
