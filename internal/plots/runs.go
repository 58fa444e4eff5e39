package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// RunValues are the values of one percentile in each run of both sides.
type RunValues struct {
	Title string // "ttft p99"
	Unit  string
	Runs  [2][]float64
	// Sides are the values of the sides as a whole, NaN where there is none.
	Sides [2]float64
}

const (
	mostPanels = 12
	mostDots   = 120
)

// Runs draws one dot a run, a panel for each percentile: the spread that the
// interval comes from. An error of [ErrNothing] if no run has a value.
func Runs(values []RunValues, labels [2]string) (*Figure, error) {
	f := &Figure{ID: "runs", Title: "Run by run", Columns: 2}
	var alts []string
	for _, v := range values {
		p, alt, note := runPanel(v, labels)
		if p == nil {
			continue
		}
		if len(f.Panels) == mostPanels {
			f.Notes = append(f.Notes, fmt.Sprintf("Only the first %d percentiles are drawn.", mostPanels))
			break
		}
		if note != "" && !slices.Contains(f.Notes, note) {
			f.Notes = append(f.Notes, note)
		}
		f.Panels, alts = append(f.Panels, *p), append(alts, alt)
	}
	if len(f.Panels) == 0 {
		return nil, fmt.Errorf("run by run: no run has a value: %w", ErrNothing)
	}
	f.Legend = []Key{{"one run", Dots{Role: Baseline, Shape: Ring}}, {"one run", Dots{Role: Candidate}}, {"the side as a whole", Rule{Role: Ink}}}
	f.Legend[0].Label, f.Legend[1].Label = "a run of the baseline", "a run of the candidate"
	f.Alt = "A dot for every run. " + strings.Join(alts, " ")
	return f, nil
}

func runPanel(v RunValues, labels [2]string) (*Panel, string, string) {
	var s span
	for i := range v.Runs {
		s.add(v.Runs[i]...)
		s.add(v.Sides[i])
	}
	if s.n == 0 {
		return nil, "", ""
	}
	u := unitFor(v.Unit, math.Max(math.Abs(s.lo), math.Abs(s.hi)))
	p := &Panel{Title: v.Title, X: s.linear(u, "", 5), Rows: []Row{}}
	p.X.Label = u.name
	var alts []string
	note := ""
	for i, role := range []Role{Baseline, Candidate} {
		row := Row{Label: labels[i], Role: Ink}
		runs := slices.DeleteFunc(slices.Clone(v.Runs[i]), func(x float64) bool { return !known(x) })
		slices.Sort(runs)
		alt := labels[i] + ": no value"
		if n := len(runs); n > 0 {
			alt = fmt.Sprintf("%s: %d runs from %s to %s", labels[i], n, u.print(runs[0]), u.print(runs[n-1]))
			if n == 1 {
				alt = fmt.Sprintf("%s: one run, %s", labels[i], u.print(runs[0]))
			}
		}
		if len(runs) > mostDots {
			note = fmt.Sprintf("Of more than %d runs every k-th in order is drawn.", mostDots)
			thin := make([]float64, mostDots)
			for k := range thin {
				thin[k] = runs[k*(len(runs)-1)/(mostDots-1)]
			}
			runs = thin
		}
		if side := v.Sides[i]; known(side) {
			row.Value = u.print(side)
			p.Marks = append(p.Marks, Rule{Role: Ink, At: side, Short: true, Row: float64(i)})
		}
		p.Marks = append(p.Marks, Dots{Name: labels[i], Role: role, Shape: shapeOf(role), Points: swarm(runs, float64(i), (p.X.Max-p.X.Min)/24)})
		p.Rows, alts = append(p.Rows, row), append(alts, alt)
	}
	return p, v.Title + ": " + strings.Join(alts, "; ") + ".", note
}

// swarm moves dots that would cover one another up and down.
func swarm(sorted []float64, row, width float64) []Point {
	levels := []float64{0, -0.16, 0.16, -0.3, 0.3}
	last := make([]float64, len(levels))
	for i := range last {
		last[i] = math.Inf(-1)
	}
	var out []Point
	for _, x := range sorted {
		k := 0
		for j := range levels {
			if x-last[j] >= width {
				k = j
				break
			}
			if last[j] < last[k] {
				k = j
			}
		}
		last[k] = x
		out = append(out, Point{x, row + levels[k]})
	}
	return out
}
