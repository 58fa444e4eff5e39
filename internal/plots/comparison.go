package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Judged is a result with what the decision made of it.
type Judged struct {
	Result *compare.Result
	// Margin is a share of the baseline if Relative, else in the metric's unit;
	// 0 for none.
	Margin   float64
	Relative bool
	// Limited tells that the candidate alone is held against Limit.
	Limited bool
	Limit   float64
	Verdict Role // Passed, Failed, Open or Muted
}

// View is a comparison as the figures see it.
type View struct {
	Comparison *compare.Comparison
	Items      []metric.Item // in the order of the cells
	Labels     [2]string
	Judged     []Judged
	Course     *compare.Course // nil where it was not collected
}

// CurveQuantiles are the quantiles at which the change is drawn, where a
// comparison has results for them.
func CurveQuantiles() []float64 {
	return []float64{0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999}
}

// FewCurveQuantiles are those that are enough where each one costs much.
func FewCurveQuantiles() []float64 { return []float64{0.25, 0.5, 0.75, 0.9, 0.95, 0.99} }

// Figures draws all that a comparison has the data for, the judged changes
// first. What could not be drawn is told in sentences.
func (v View) Figures() (figures []*Figure, missing []string) {
	add := func(f *Figure, err error) {
		if err != nil {
			missing = append(missing, strings.TrimSuffix(err.Error(), ": "+ErrNothing.Error()))
		} else if f != nil {
			figures = append(figures, f)
		}
	}
	if len(v.Comparison.Sides) == 2 {
		add(v.Gates())
		for _, g := range v.slices() {
			add(Forest(g.id, g.title, []Group{g.Group}, v.Comparison.Options.Level))
		}
		for i, r := range v.split() {
			add(waterfallOf(r, v.Comparison.Mix))
			if i == 0 {
				add(strataOf(r, v.Comparison.Mix, v.Comparison.Options.Level))
			}
		}
		add(v.runs())
	}
	for i, it := range v.Items {
		if k := it.Metric.Kind; k != metric.PerRequest && k != metric.PerGap {
			continue
		}
		if len(v.Comparison.Sides) == 2 {
			add(v.change(it.Metric))
		}
		add(v.distribution(i, it.Metric))
	}
	v.courses(add)
	return figures, missing
}

// Gates draws every result against its margin.
func (v View) Gates() (*Figure, error) {
	relative, shares := Group{Unit: "%"}, Group{Unit: "pp"}
	var others []Group
	in := func(title, unit string) *Group {
		i := slices.IndexFunc(others, func(g Group) bool { return g.Unit == unit && g.Title == title })
		if i < 0 {
			others = append(others, Group{Title: title, Unit: unit})
			i = len(others) - 1
		}
		return &others[i]
	}
	const limits = "Candidate against its limit (at 0)"
	for _, j := range v.Judged {
		if j.Result.Slice != nil && j.Verdict == Muted {
			continue
		}
		row, unit := j.change(nameOf(j.Result))
		var g *Group
		switch {
		case j.Limited:
			g = in(limits, unit)
		case unit == "%":
			g = &relative
		case unit == "pp":
			g = &shares
		default:
			g = in("", unit)
		}
		g.Rows = append(g.Rows, row)
		g.LikeForLike = g.LikeForLike || j.Result.Like != nil && !j.Limited
	}
	return Forest("gates", "Change against the margin", append([]Group{relative, shares}, others...), v.Comparison.Options.Level)
}

// nameOf names a result by metric, estimand, task and slice.
func nameOf(r *compare.Result) string {
	s := r.Metric.Name + " " + r.Estimand.String()
	if r.Metric.Kind == metric.Share && r.Estimand.Kind == metric.Rate {
		s = strings.ReplaceAll(r.Metric.Name, "_", " ")
	}
	if r.Task != "" {
		s = r.Task + " " + s
	}
	if r.Slice != nil {
		s += ", " + r.Slice.String()
	}
	return s
}

// change is a row of a forest and the unit of its values: the change that is
// judged, like for like where it was split.
func (j Judged) change(label string) (Change, string) {
	r := j.Result
	row := Change{Label: label, Verdict: j.Verdict, Margin: j.Margin}
	if r.Metric.Direction == metric.HigherIsBetter {
		row.Margin = -row.Margin
	}
	delta, log := r.Judged()
	share := r.Metric.Kind == metric.Share
	same := func(x float64) float64 { return x }
	unit := r.Metric.Unit
	if share {
		unit = "pp"
	}
	switch {
	case j.Limited:
		row.Margin = 0
		row.Value, row.Lo, row.Hi = limitsOf(r.Bound, func(x float64) float64 { return x - j.Limit })
	case j.Relative || j.Margin == 0 && log.OK && !share:
		unit = "%"
		row.Value, row.Lo, row.Hi = limitsOf(log, math.Expm1)
	default:
		row.Value, row.Lo, row.Hi = limitsOf(delta, same)
	}
	return row, unit
}

// limitsOf returns a contrast's value and limits; NaN where it has none.
func limitsOf(c compare.Contrast, to func(float64) float64) (value, lo, hi float64) {
	if !c.OK {
		return math.NaN(), math.NaN(), math.NaN()
	}
	if !c.HasInterval() {
		return to(c.Value), math.NaN(), math.NaN()
	}
	lo = math.Inf(-1)
	if !math.IsInf(c.Lo, -1) {
		lo = to(c.Lo)
	}
	return to(c.Value), lo, to(c.Hi)
}

// item returns the position of a metric in the cells.
func (v View) item(m *metric.Metric) int {
	return slices.IndexFunc(v.Items, func(it metric.Item) bool { return it.Metric.Name == m.Name })
}

// runs draws the judged percentiles run by run; nil if no side has two runs.
func (v View) runs() (*Figure, error) {
	sides := v.Comparison.Sides
	if max(len(sides[0].Units), len(sides[1].Units)) < 2 {
		return nil, nil
	}
	var values []RunValues
	for _, j := range v.Judged {
		r := j.Result
		at := v.item(r.Metric)
		if at < 0 || r.Estimand.Kind != metric.Quantile || j.Limited || j.Verdict == Muted || r.Slice != nil {
			continue
		}
		rv := RunValues{Title: r.Metric.Name + " " + r.Estimand.String(), Unit: r.Metric.Unit}
		for s, value := range []compare.Value{r.Baseline, r.Candidate} {
			rv.Sides[s] = math.NaN()
			if value.OK {
				rv.Sides[s] = value.Value
			}
			for _, part := range sides[s].Sketches(at) {
				x, err := part.Quantile(r.Estimand.Q)
				if err != nil {
					return nil, fmt.Errorf("run by run: %s: %w", rv.Title, err)
				}
				rv.Runs[s] = append(rv.Runs[s], x)
			}
		}
		values = append(values, rv)
	}
	if len(values) == 0 {
		return nil, nil
	}
	return Runs(values, v.Labels)
}

// distribution draws the distributions of a metric's sides as the results see
// them: runs have one vote each.
func (v View) distribution(item int, m *metric.Metric) (*Figure, error) {
	var samples []Sample
	for s, side := range v.Comparison.Sides {
		parts := side.Sketches(item)
		sample := Sample{Label: v.Labels[s], Role: Baseline + Role(s)}
		if len(parts) > 0 {
			mix := sketch.NewPooled
			if v.Comparison.Design.Unit == compare.Run {
				mix = func(p []*sketch.Sketch) (*sketch.Mixture, error) { return sketch.NewMixture(p, nil) }
			}
			d, err := mix(parts)
			if err != nil {
				return nil, fmt.Errorf("distribution of %s: %w", m.Name, err)
			}
			sample.Dist = d
		}
		samples = append(samples, sample)
	}
	if len(samples) == 1 {
		samples[0].Role = Candidate
	}
	return Distribution(m.Name, m.Unit, samples)
}

// change draws the change of a metric at every percentile that was computed;
// nil if there are too few to make a curve.
func (v View) change(m *metric.Metric) (*Figure, error) {
	var at []ChangeAt
	against := v.against(m)
	for i := range v.Comparison.Results {
		r := &v.Comparison.Results[i]
		_, log := r.Judged()
		if r.Slice != nil || r.Metric.Name != m.Name || r.Estimand.Kind != metric.Quantile || !r.Log.OK || !log.OK {
			continue
		}
		c := ChangeAt{Q: r.Estimand.Q, Total: math.NaN()}
		c.Ratio, c.Lo, c.Hi = limitsOf(log, math.Exp)
		if r.Like != nil {
			c.Total = math.Exp(r.Log.Value)
			against.LikeForLike = true
		}
		if !slices.ContainsFunc(at, func(o ChangeAt) bool { return o.Q == c.Q }) {
			at = append(at, c)
		}
	}
	if len(at) < 4 {
		return nil, nil
	}
	slices.SortFunc(at, func(a, b ChangeAt) int { return cmp.Compare(a.Q, b.Q) })
	return QuantileChange(m.Name, at, v.Comparison.Options.Level, against)
}

// against returns the relative margin that all percentiles of a metric share;
// none is drawn where they differ.
func (v View) against(m *metric.Metric) Against {
	a := Against{HigherIsBetter: m.Direction == metric.HigherIsBetter}
	for _, j := range v.Judged {
		if j.Result.Metric.Name != m.Name || !j.Relative || j.Margin == 0 || j.Limited {
			continue
		}
		if a.Margin != 0 && a.Margin != j.Margin {
			a.Margin = 0
			return a
		}
		a.Margin = j.Margin
	}
	return a
}
