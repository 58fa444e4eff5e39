package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Window is one stretch of time of a run.
type Window struct {
	Start float64 // seconds after the run's first request
	N     int64   // values in it
	// Values are the percentiles, parallel to the figure's; NaN where the window
	// has too few values.
	Values []float64
}

// Series is one run over time.
type Series struct {
	Run     string
	Role    Role // Baseline or Candidate
	Windows []Window
}

// Over says what the windows hold.
type Over struct {
	Metric      string
	Unit        string
	Length      float64 // seconds of a window
	Percentiles []float64
	Labels      [2]string
}

const (
	mostSeries = 24
	mostMixed  = 4 // runs of both sides in one panel
)

// Windows draws percentiles over the time of each run, a panel for each
// percentile: warm-up, drift and stalls show. Of many runs each side has a panel
// of its own, on the same scale. A window without a value is a gap.
// An error of [ErrNothing] if there is no value at all.
func Windows(o Over, series []Series) (*Figure, error) {
	f := &Figure{ID: "time-" + slug(o.Metric), Title: fmt.Sprintf("%s over time, windows of %s", o.Metric, duration(o.Length))}
	if len(series) > mostSeries {
		f.Notes = append(f.Notes, fmt.Sprintf("Only the first %d of %d runs are drawn.", mostSeries, len(series)))
		series = series[:mostSeries]
	}
	both, apart := [2]bool{}, false
	var times span
	for _, s := range series {
		both[side(s.Role)] = true
		apart = len(series) > mostMixed && both[0] && both[1]
		for _, w := range s.Windows {
			times.add(w.Start, w.Start+o.Length)
		}
	}
	gaps := 0
	var alts []string
	for k, q := range o.Percentiles {
		var s span
		var marks [2][]Mark // by side
		var ends [2]span
		for _, run := range series {
			line := Line{Name: run.Run, Role: run.Role, Dashed: run.Role == Baseline && !apart, Thin: len(series) > 2}
			last := math.Inf(-1)
			found, missed := false, 0
			for _, w := range run.Windows {
				if !known(w.Start) {
					continue
				}
				if w.Start-last > 1.5*o.Length && found {
					line.Points = append(line.Points, Point{math.NaN(), math.NaN()})
				}
				last = w.Start
				v := math.NaN()
				if k < len(w.Values) {
					v = w.Values[k]
				}
				if !known(v) {
					missed++
					line.Points = append(line.Points, Point{math.NaN(), math.NaN()})
					continue
				}
				if found {
					gaps += missed // a gap lies between two values
				}
				found, missed = true, 0
				s.add(v)
				ends[side(run.Role)].add(v)
				line.Points = append(line.Points, Point{w.Start + o.Length/2, v})
			}
			if found {
				marks[side(run.Role)] = append(marks[side(run.Role)], line)
			}
		}
		if s.n == 0 {
			continue
		}
		u := unitFor(o.Unit, math.Max(math.Abs(s.lo), math.Abs(s.hi)))
		name := o.Metric + " " + percentileName(q)
		p := Panel{X: timeAxis(times), Y: s.value(u, name, 5), Height: 170}
		if !apart {
			p.Marks = slices.Concat(marks[0], marks[1])
			f.Panels = append(f.Panels, p)
		}
		for i := range marks {
			if apart {
				p.Title, p.Marks = o.Labels[i], marks[i]
				f.Panels = append(f.Panels, p)
			}
		}
		for i, e := range ends {
			if e.n > 0 {
				alts = append(alts, fmt.Sprintf("%s of %s lies between %s and %s.", name, o.Labels[i], u.print(e.lo), u.print(e.hi)))
			}
		}
	}
	if len(f.Panels) == 0 {
		return nil, fmt.Errorf("%s over time: no window has a value: %w", o.Metric, ErrNothing)
	}
	if apart {
		f.Columns = 2
		f.Notes = append(f.Notes, "A line is one run.")
	} else {
		f.Legend = []Key{{o.Labels[0], Line{Role: Baseline, Dashed: true}}, {o.Labels[1], Line{Role: Candidate}}}
	}
	if gaps > 0 {
		f.Notes = append(f.Notes, "A gap is a window with too few values.")
	}
	f.Alt = "Percentiles over the time of each run. " + strings.Join(alts, " ")
	return f, nil
}

// side is the place of a role in pairs.
func side(r Role) int { return min(1, int(r-Baseline)) }

func duration(s float64) string {
	if s >= 60 && math.Mod(s, 60) == 0 {
		return trimZeros(fmt.Sprintf("%.3f", s/60)) + " min"
	}
	return trimZeros(fmt.Sprintf("%.3f", s)) + " s"
}

// timeAxis shows seconds after the start in the unit that suits.
func timeAxis(s span) Axis {
	u := unit{name: "s", factor: 1}
	steps := []float64{1, 2, 5, 10, 15, 30, 60, 120}
	switch {
	case s.hi > 3*86400:
		u = unit{name: "days", factor: 1.0 / 86400}
	case s.hi > 3*3600:
		u = unit{name: "h", factor: 1.0 / 3600}
		steps = []float64{1, 2, 3, 6, 12, 24}
	case s.hi > 180:
		u = unit{name: "min", factor: 1.0 / 60}
	}
	a := s.linear(u, "since the start of the run", 7)
	if s.lo >= 0 {
		a.Min = 0
	}
	for _, step := range steps {
		if width := (a.Max - a.Min) * u.factor; width/step > 1 && width/step <= 9 {
			a.Ticks = stepTicks(a.Min, a.Max, step, u)
			break
		}
	}
	return a
}
