package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// PowerLine is the power of a plan by size.
type PowerLine struct {
	Label  string  // "margin 5 %"
	Points []Point // X is the size, Y the power
	// Needed is the size that reaches the target; 0 if none does.
	Needed float64
}

// size reports a number of runs, requests or items.
func size(x float64) bool { return x >= 1 && x < 1e15 }

// demanding keeps the n lines that need most, in their order; one that reaches
// the target nowhere needs more than any other.
func demanding(lines []PowerLine, n int) []PowerLine {
	need := func(l PowerLine) float64 {
		if size(l.Needed) {
			return l.Needed
		}
		return math.Inf(1)
	}
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(need(lines[b]), need(lines[a])) })
	order = order[:n]
	slices.Sort(order)
	var out []PowerLine
	for _, i := range order {
		out = append(out, lines[i])
	}
	return out
}

// Power draws power against the number of runs, requests or items, with the
// target and the size that reaches it. An error of [ErrNothing] without a point.
func Power(what string, lines []PowerLine, target float64) (*Figure, error) {
	f := &Figure{ID: "power-" + slug(what), Title: "How many " + what + " a decision needs"}
	var s span
	var marks []Mark
	var alts []string
	roles := []Role{Candidate, Adjusted, Baseline, Passed, Open}
	if len(lines) > len(roles) {
		f.Notes = append(f.Notes, fmt.Sprintf("Of %d lines the %d that need most are drawn.", len(lines), len(roles)))
		lines = demanding(lines, len(roles))
	}
	for i, l := range lines {
		role := roles[i]
		line := Line{Name: l.Label, Role: role, Dashed: role == Baseline}
		for _, at := range l.Points {
			if size(at.X) && at.Y >= 0 && at.Y <= 1 {
				line.Points = append(line.Points, at)
				s.add(at.X)
			}
		}
		if len(line.Points) == 0 {
			continue
		}
		marks = append(marks, line)
		alt := l.Label + ": not reached here"
		if size(l.Needed) {
			s.add(l.Needed)
			text := grouped(fmt.Sprint(int64(math.Ceil(l.Needed))))
			marks = append(marks, Dots{Name: l.Label, Role: role, Shape: shapeOf(role), Points: []Point{{l.Needed, target}}})
			if len(lines) == 1 { // the numbers of several would cover one another; the key has them
				marks = append(marks, Label{Role: role, At: Point{l.Needed, target}, Text: "  " + text, Anchor: Start, Below: true})
			}
			alt = l.Label + ": " + text + " " + what
		}
		alts = append(alts, alt)
		f.Legend = append(f.Legend, Key{alt, Line{Role: role, Dashed: line.Dashed}})
	}
	if len(marks) == 0 {
		return nil, fmt.Errorf("power: there is no size to draw: %w", ErrNothing)
	}
	one := span{0, 1, 2}
	p := Panel{X: s.value(unit{factor: 1}, what, 7), Y: one.linear(share, "power", 6)}
	p.Y.Min, p.Y.Max = 0, 1.04
	p.Y.Ticks = linearTicks(0, 1, 6, share)
	p.Marks = append([]Mark{Rule{Role: Frame, At: target, OnY: true, Dashed: true, Label: "target " + levelName(target)}}, marks...)
	f.Panels = []Panel{p}
	f.Alt = fmt.Sprintf("Power by number of %s, target %s. %s.", what, levelName(target), strings.Join(alts, "; "))
	return f, nil
}
