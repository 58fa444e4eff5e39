package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// ChangeAt is the change of one quantile: second side ÷ first with its
// interval. Limits that are NaN are not available; infinite ones are unbounded.
type ChangeAt struct {
	Q             float64
	Ratio, Lo, Hi float64
	// Total is the ratio as the traffic was, where Ratio is like for like; NaN
	// or 0 elsewhere.
	Total float64
}

// Against is what a change is held against.
type Against struct {
	// Margin is the tolerable harm as a share, 0 for none.
	Margin float64
	// HigherIsBetter turns the side of the harm.
	HigherIsBetter bool
	// LikeForLike tells that the changes are, and that totals stand beside them.
	LikeForLike bool
}

// QuantileChange draws the change of every quantile with its interval band and
// what the margin tolerates: a shift function. Quantiles without an interval
// are drawn as a line alone. An error of [ErrNothing] if no change is finite.
func QuantileChange(metric string, at []ChangeAt, level float64, against Against) (*Figure, error) {
	f := &Figure{ID: "change-" + slug(metric), Title: "Change of " + metric + " at every percentile"}
	line := Line{Name: "change", Role: Candidate}
	thin := Line{Name: "change without an interval", Role: Candidate, Dashed: true, Thin: true}
	band := Band{Name: "interval", Role: Candidate}
	total := Line{Name: "as the traffic was", Role: Adjusted, Dashed: true, Thin: true}
	var s span
	qs, bounded := span{}, span{}
	for _, c := range at {
		if !(c.Q > 0 && c.Q < 1) || !(c.Ratio > 1/largest) || !known(c.Ratio) {
			continue
		}
		qs.add(c.Q)
		here, gap := Point{c.Q, c.Ratio}, Point{math.NaN(), math.NaN()}
		if n := len(line.Points); math.IsNaN(c.Lo) || math.IsNaN(c.Hi) {
			if n > 0 && !math.IsNaN(line.Points[n-1].X) {
				thin.Points = append(thin.Points, gap, line.Points[n-1])
			}
			line.Points, thin.Points = append(line.Points, gap), append(thin.Points, here)
		} else {
			if m := len(thin.Points); m > 0 && n > 0 && math.IsNaN(line.Points[n-1].X) {
				thin.Points = append(thin.Points, here)
			}
			line.Points = append(line.Points, here)
			bounded.add(c.Ratio)
		}
		band.X, band.Lo, band.Hi = append(band.X, c.Q), append(band.Lo, c.Lo), append(band.Hi, c.Hi)
		s.add(c.Ratio)
		if c.Total > 1/largest && known(c.Total) {
			total.Points = append(total.Points, Point{c.Q, c.Total})
			s.add(c.Total)
		}
	}
	if qs.n == 0 {
		return nil, fmt.Errorf("change of %s: no percentile has a ratio: %w", metric, ErrNothing)
	}
	m := against.Margin
	s.add(1, 1+1.5*m)
	if m < 1 {
		s.add(1 - 1.5*m*(1-m/2))
	}
	// Limits widen the axis only so far; the band is cut off at its edge.
	reach := 1.6 * math.Max(2*m, math.Max(bounded.hi-1, 1-bounded.lo))
	cutOff := false
	for i := range band.X {
		for _, v := range []float64{band.Lo[i], band.Hi[i]} {
			if math.IsNaN(v) {
				continue
			}
			limit := math.Max(1-reach, math.Min(1+reach, v))
			cutOff = cutOff || limit != v
			if limit > 0 {
				s.add(limit)
			}
		}
	}
	var y Axis
	if s.lo > 0 && s.hi/s.lo > 4 {
		y = s.log(unit{factor: 1}, "after ÷ before", 6)
		for i := range y.Ticks {
			y.Ticks[i].Label += "×"
		}
	} else {
		y = shareAxis(s, "change of the percentile")
	}
	qs.lo, qs.hi = math.Max(lowestQ/10, qs.lo*0.85), 1-(1-qs.hi)*0.85
	p := Panel{X: percentileAxis("percentile", qs.lo, qs.hi), Y: y}
	if m > 0 {
		harm, gain := 1+m, 1/(1+m)
		if against.HigherIsBetter {
			harm, gain = 1-m, 1/(1-m)
		}
		p.Marks = append(p.Marks, Area{Role: Zone, Lo: math.Min(harm, gain), Hi: math.Max(harm, gain), OnY: true})
		p.Marks = append(p.Marks, Rule{Role: Frame, At: harm, OnY: true, Dashed: true, Label: "margin " + trimZeros(fmt.Sprintf("%.3f", m*100)) + " %"})
		f.Legend = append(f.Legend, Key{"tolerated by the margin", Area{Role: Zone}})
	}
	p.Marks = append(p.Marks, Rule{Role: Ink, At: 1, OnY: true}, band)
	word := "change, after ÷ before"
	var others []Key
	if against.LikeForLike {
		word = "change like for like"
		if len(total.Points) > 0 {
			p.Marks = append(p.Marks, total)
			others = []Key{{total.Name, Line{Role: total.Role, Dashed: true, Thin: true}}}
		}
	}
	if len(thin.Points) > 0 {
		p.Marks = append(p.Marks, thin)
		f.Notes = append(f.Notes, "Thin and dashed: too few values beyond the percentile for an interval.")
	}
	if bounded.n > 0 {
		p.Marks = append(p.Marks, line)
	}
	f.Legend = slices.Concat([]Key{{word, Line{Role: Candidate}}, {levelName(level) + " interval", Band{Role: Candidate}}}, others, f.Legend)
	f.Panels = []Panel{p}
	f.Alt = "Change of " + metric + " by percentile. " + changesText(at)
	if cutOff {
		f.Notes = append(f.Notes, "The interval goes on beyond the edge of the figure.")
	}
	return f, nil
}

// shareAxis is an axis of ratios labelled with changes in per cent.
func shareAxis(s span, label string) Axis {
	shifted := span{s.lo - 1, s.hi - 1, s.n}
	a := shifted.linear(percent, label, 6)
	a.Min, a.Max = a.Min+1, a.Max+1
	for i := range a.Ticks {
		a.Ticks[i].At++
	}
	return a
}

func levelName(level float64) string { return trimZeros(fmt.Sprintf("%.3f", level*100)) + " %" }

// changesText tells a few of the changes in words.
func changesText(at []ChangeAt) string {
	var parts []string
	for _, q := range shown {
		best := -1
		for i, c := range at {
			if c.Ratio > 0 && math.Abs(c.Q-q) < 1e-9 {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		c := at[best]
		t := percentileName(c.Q) + " " + percent.print(c.Ratio-1)
		if !math.IsNaN(c.Lo) && !math.IsNaN(c.Hi) {
			t += " (" + boundText(percent, c.Lo-1) + " to " + boundText(percent, c.Hi-1) + ")"
		}
		parts = append(parts, t)
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%d percentiles.", len(at))
	}
	return strings.Join(parts, "; ") + "."
}

func boundText(u unit, v float64) string {
	if math.IsInf(v, 0) {
		return "no bound"
	}
	return u.print(v)
}
