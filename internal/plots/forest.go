package plots

import (
	"fmt"
	"math"
	"strings"
)

// Group is a panel of a forest: rows that share an axis.
type Group struct {
	Title string
	// Unit is that of the changes: "%" and "pp" for shares, or a base unit.
	Unit string
	Rows []Change
	// LikeForLike tells that the changes are what is left with equal traffic.
	LikeForLike bool
}

// Change is a row of a forest: a change with its interval against its margin.
type Change struct {
	Label         string
	Value, Lo, Hi float64 // infinite limits are unbounded, NaN is not available
	// Margin is where the harm begins to be too large, with its sign; NaN or 0
	// for none.
	Margin float64
	// Verdict is Passed, Failed, Open, Muted for a row that is not judged, or
	// Candidate where none is expected.
	Verdict Role
}

const mostRows = 40

// Forest draws changes below one another, each with its interval and what its
// margin tolerates: one row a gate, a stratum or a slice. Rows without a finite
// value are left out with a note. An error of [ErrNothing] if none is left.
func Forest(id, title string, groups []Group, level float64) (*Figure, error) {
	f := &Figure{ID: id, Title: title}
	if strings.TrimSpace(printable(title)) == "" {
		f.Title = id
	}
	used := map[Role]bool{}
	var alts []string
	rows, without, over := 0, 0, 0
	margins := false
	for _, g := range groups {
		var kept []Change
		for _, r := range g.Rows {
			switch {
			case !known(r.Value):
				without++
			case rows == mostRows:
				over++
			default:
				kept = append(kept, r)
				used[r.Verdict] = true
				margins = margins || r.hasMargin()
				rows++
			}
		}
		if len(kept) == 0 {
			continue
		}
		p, alt := forestPanel(g, kept)
		f.Panels, alts = append(f.Panels, p), append(alts, alt...)
	}
	if len(f.Panels) == 0 {
		return nil, fmt.Errorf("%s: no row has a change that can be drawn: %w", title, ErrNothing)
	}
	for _, k := range []struct {
		role Role
		text string
	}{{Passed, "pass"}, {Failed, "FAIL"}, {Open, "inconclusive"}, {Muted, "not judged"}} {
		if used[k.role] {
			f.Legend = append(f.Legend, Key{k.text, Interval{Role: k.role, Shape: verdictShape(k.role)}})
		}
	}
	if margins {
		f.Legend = append(f.Legend, Key{"tolerated by the margin", Area{Role: Zone}})
	}
	if without > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s without a value left out.", rowCount(without)))
	}
	if over > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s more not drawn.", rowCount(over)))
	}
	f.Alt = fmt.Sprintf("Changes with %s intervals. %s", levelName(level), strings.Join(alts, " "))
	return f, nil
}

func rowCount(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}

func (c Change) hasMargin() bool { return c.Margin != 0 && known(c.Margin) }

func verdictShape(r Role) Shape {
	switch r {
	case Failed:
		return Diamond
	case Open:
		return Ring
	case Muted:
		return Square
	}
	return Disc
}

var verdictWords = map[Role]string{Passed: "pass", Failed: "FAIL", Open: "inconclusive", Muted: "not judged"}

// groupUnit is the unit that suits the changes of a group.
func groupUnit(g Group, rows []Change) unit {
	switch g.Unit {
	case "%":
		return percent
	case "pp":
		return points
	}
	var s span
	for _, r := range rows {
		s.add(r.Value, r.Margin)
	}
	u := unitFor(g.Unit, math.Max(math.Abs(s.lo), math.Abs(s.hi)))
	u.signed = true
	return u
}

func forestPanel(g Group, rows []Change) (Panel, []string) {
	u := groupUnit(g, rows)
	s := span{}
	s.add(0)
	for _, r := range rows {
		s.add(r.Value)
		if r.hasMargin() {
			s.add(1.3*r.Margin, -1.1*r.Margin)
		}
	}
	// A wide interval does not squeeze the others: it ends in an arrow.
	reach := 2 * math.Max(math.Abs(s.lo), math.Abs(s.hi))
	if reach > 0 {
		for _, r := range rows {
			for _, v := range []float64{r.Lo, r.Hi} {
				s.add(math.Max(-reach, math.Min(reach, v)))
			}
		}
	}
	word := "change"
	if g.LikeForLike {
		word = "change like for like"
	}
	p := Panel{Title: g.Title, X: s.linear(u, word, 7), Rows: []Row{}}
	var zones, ticks, bars []Mark
	var alts []string
	for i, r := range rows {
		at := float64(i)
		if r.hasMargin() {
			m := math.Abs(r.Margin)
			zones = append(zones, Bar{Role: Zone, X0: math.Max(-m, p.X.Min), X1: math.Min(m, p.X.Max), Y0: at - 0.32, Y1: at + 0.32})
			ticks = append(ticks, Rule{Role: Frame, At: r.Margin, Short: true, Row: at})
		}
		iv := Interval{Name: r.Label, Role: r.Verdict, Shape: verdictShape(r.Verdict), At: at, Value: r.Value, Lo: r.Lo, Hi: r.Hi}
		text := u.print(r.Value)
		alt := r.Label + " " + text
		if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) {
			iv.Lo, iv.Hi = r.Value, r.Value
			alt += ", no interval"
		} else {
			alt += " (" + boundText(u, r.Lo) + " to " + boundText(u, r.Hi) + ")"
		}
		bars = append(bars, iv)
		word := verdictWords[r.Verdict]
		if word != "" {
			alt += ": " + word
			text += "  " + word
		}
		alts = append(alts, alt+".")
		role := r.Verdict
		if role == Candidate {
			role = Ink
		}
		p.Rows = append(p.Rows, Row{Label: r.Label, Value: text, Role: role})
	}
	p.Marks = append(p.Marks, zones...)
	p.Marks = append(p.Marks, Rule{Role: Frame, At: 0})
	p.Marks = append(p.Marks, ticks...)
	p.Marks = append(p.Marks, bars...)
	return p, alts
}
