package plots

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Sample is the distribution of one side.
type Sample struct {
	Label string
	Role  Role
	Dist  *sketch.Mixture // nil or empty: the side has no values
}

const (
	// lowestQ and highestQ are the ends of the percentile axis.
	lowestQ, highestQ = 0.01, 0.999
	// curvePoints is how many points a curve has, however many values there are.
	curvePoints = 241
)

// shown are the percentiles that are marked on a curve and told in the text
// alternative.
var shown = []float64{0.5, 0.95, 0.99}

// Distribution draws the empirical distribution of each sample: the share of
// values at or below a value, on an axis that opens the tails up to p99.9. The
// curve passes through the quantiles of the mixtures and so through the printed
// percentiles; it has the same number of points for any number of values. A
// curve of n values ends at 1 − 1/n.
//
// The axis of values is logarithmic where they spread widely and are positive,
// else linear. An error of [ErrNothing] if no sample has a value.
func Distribution(metric, base string, samples []Sample) (*Figure, error) {
	f := &Figure{ID: "distribution-" + slug(metric), Title: "Distribution of " + metric}
	var s span
	var lines, dots []Mark
	var curves []Dots
	top := 0.9
	positive := true
	for _, side := range samples {
		if side.Dist == nil || side.Dist.N() == 0 {
			f.Notes = append(f.Notes, side.Label+" has no values.")
			continue
		}
		line, marks, err := curve(side)
		if err != nil {
			return nil, fmt.Errorf("distribution of %s: %w", metric, err)
		}
		for _, at := range line.Points {
			s.add(at.X)
			top = math.Max(top, at.Y)
		}
		positive = positive && s.lo > 0
		lines, dots = append(lines, line), append(dots, marks)
		curves = append(curves, marks)
		f.Legend = append(f.Legend, Key{side.Label, Line{Role: line.Role, Dashed: line.Dashed}})
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("distribution of %s: no side has a value: %w", metric, ErrNothing)
	}
	u := unitFor(base, math.Max(math.Abs(s.lo), math.Abs(s.hi)))
	if base == seconds && s.lo > 0 && s.wide() {
		u = unitFor(base, math.Sqrt(s.lo)*math.Sqrt(s.hi))
	}
	p := Panel{X: s.value(u, metric, 7), Y: percentileAxis("percentile: share of values at or below", lowestQ*0.85, 1-(1-top)*0.85)}
	// The last side first: the dashes of the first are seen on top of it.
	for i := len(lines) - 1; i >= 0; i-- {
		p.Marks = append(p.Marks, lines[i])
	}
	p.Marks = append(p.Marks, dots...)
	f.Panels = []Panel{p}
	f.Alt = "Cumulative distribution of " + metric + "."
	for _, d := range curves {
		var parts []string
		for _, at := range d.Points {
			parts = append(parts, percentileName(at.Y)+" "+unitFor(base, at.X).print(at.X))
		}
		f.Alt += " " + d.Name + ": " + strings.Join(parts, ", ") + "."
	}
	if !positive && s.hi > 0 && s.lo <= 0 {
		f.Notes = append(f.Notes, "Some values are zero or less, so the axis of values is linear.")
	}
	return f, nil
}

// curve samples one distribution evenly along the percentile axis.
func curve(side Sample) (Line, Dots, error) {
	n := float64(side.Dist.N())
	lo, hi := math.Max(lowestQ, math.Min(0.5, 1/n)), math.Min(highestQ, math.Max(0.5, 1-1/n))
	a := Axis{Scale: Percentile, Min: lo, Max: hi}
	line := Line{Name: side.Label, Role: side.Role, Dashed: side.Role == Baseline}
	from, to := a.transform(lo), a.transform(hi)
	for k := range curvePoints {
		t := from + (to-from)*float64(k)/(curvePoints-1)
		q := math.Max(lo, math.Min(hi, 1/(1+math.Pow(10, -t))))
		if k == curvePoints-1 {
			q = hi
		}
		v, err := side.Dist.Quantile(q)
		if err != nil {
			return line, Dots{}, err
		}
		if !known(v) {
			return line, Dots{}, fmt.Errorf("%v is too large to be drawn: %w", v, ErrNothing)
		}
		line.Points = append(line.Points, Point{v, q})
		if lo == hi { // a single value
			break
		}
	}
	dots := Dots{Name: side.Label, Role: side.Role, Shape: shapeOf(side.Role)}
	for _, q := range shown {
		if q < lo || q > hi {
			continue
		}
		v, err := side.Dist.Quantile(q)
		if err != nil {
			return line, dots, err
		}
		dots.Points = append(dots.Points, Point{v, q})
	}
	return line, dots, nil
}

func shapeOf(r Role) Shape {
	switch r {
	case Baseline:
		return Ring
	case Adjusted:
		return Diamond
	}
	return Disc
}

// percentileName is "p50" for 0.5, "p99.9" for 0.999.
func percentileName(q float64) string {
	return "p" + trimZeros(fmt.Sprintf("%.4f", q*100))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// slug makes a file name of a name: letters, digits and hyphens.
func slug(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
			continue
		}
		dash = true
	}
	if b.Len() == 0 {
		return fmt.Sprintf("x%x", s)
	}
	return b.String()
}
