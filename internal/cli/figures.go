package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/plots"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// figures are the drawings of a report. The zero value has none.
type figures struct {
	all     []*plots.Figure
	missing []string
}

// forFigures adds to the items the quantiles that the figures show. They are
// marked as not asked for, so that no table and no gate has them. In a run that
// stands alone every quantile is looked at in the order of time, which costs as
// much as reading it, so there are few of them.
func forFigures(ctx context.Context, items []metric.Item, sides []metric.Input) ([]metric.Item, error) {
	quantiles := plots.CurveQuantiles()
	lone, err := loneRuns(ctx, sides)
	if err != nil {
		return nil, err
	}
	if lone {
		quantiles = plots.FewCurveQuantiles()
	}
	items = slices.Clone(items)
	for i := range items {
		it := &items[i]
		if it.Metric.Kind != metric.PerRequest && it.Metric.Kind != metric.PerGap {
			continue
		}
		it.Estimands, it.LimitOnly = slices.Clone(it.Estimands), slices.Clone(it.LimitOnly)
		for _, q := range quantiles {
			if e := (metric.Estimand{Kind: metric.Quantile, Q: q}); !slices.Contains(it.Estimands, e) {
				it.Estimands, it.LimitOnly = append(it.Estimands, e), append(it.LimitOnly, e)
			}
		}
	}
	return items, nil
}

// figuresOf draws a comparison and its decision; d is empty for a description.
func figuresOf(ctx context.Context, s *session, c *compare.Comparison, items []metric.Item, d verdict.Decision) (f figures, err error) {
	v := plots.View{Comparison: c, Items: items}
	if v.Course, err = compare.CourseOf(ctx, s.inputs(items, nil), c.Sides...); err != nil {
		return f, err
	}
	for i, s := range s.meta {
		v.Labels[i] = s.Label
	}
	for i := range d.Gates {
		g := &d.Gates[i]
		j := plots.Judged{Result: g.Result, Verdict: role(g)}
		if g.Margin != nil {
			j.Margin, j.Relative = g.Margin.Value, g.Margin.Scale == verdict.Relative
		}
		if g.Limit != nil {
			j.Limited, j.Limit = true, g.Limit.Value
		}
		v.Judged = append(v.Judged, j)
	}
	f.all, f.missing = v.Figures()
	return f, nil
}

func role(g *verdict.Gate) plots.Role {
	switch {
	case !g.Judged:
		return plots.Muted
	case g.Outcome == verdict.Pass:
		return plots.Passed
	case g.Outcome == verdict.Fail:
		return plots.Failed
	}
	return plots.Open
}

// widths of the two drawings of a figure on a page.
const wideFigure, narrowFigure = 800, 360

// html makes the pictures of a page; the first figure leads.
func (f figures) html() (report.HTMLOptions, error) {
	o := report.HTMLOptions{Missing: f.missing}
	for i, fig := range f.all {
		wide, err := fig.Inline(plots.Options{Width: wideFigure}, "-w")
		if err != nil {
			return o, err
		}
		narrow, err := fig.Inline(plots.Options{Width: narrowFigure}, "-n")
		if err != nil {
			return o, err
		}
		p := report.Picture{ID: fig.ID, Title: fig.Title, Alt: fig.Alt, Notes: fig.Notes, Wide: wide, Narrow: narrow}
		if i == 0 && (fig.ID == "gates" || fig.ID == "difference") {
			o.Lead = &p
			continue
		}
		o.Pictures = append(o.Pictures, p)
	}
	return o, nil
}

// single draws the figure that says most, for a file of its own.
func (f figures) single(format string) ([]byte, error) {
	if len(f.all) == 0 {
		return nil, fmt.Errorf("there is no figure to draw")
	}
	switch fig := f.all[0]; format {
	case "png":
		return fig.PNG(plots.Options{})
	case "pdf":
		return fig.PDF(plots.Options{})
	default:
		return fig.SVG(plots.Options{})
	}
}

// planFigures draws the power of the planned sizes, one figure for each unit.
func planFigures(doc *report.Document) figures {
	var f figures
	for _, what := range []string{"runs a side", "requests a side", "items"} {
		var lines []plots.PowerLine
		target := 0.0
		for i := range doc.Plan {
			p := &doc.Plan[i]
			line := plots.PowerLine{Label: p.Metric + " " + p.Estimand}
			for _, at := range p.BySize {
				size := float64(at.Runs)
				if what == "requests a side" {
					size = float64(at.Requests)
				}
				if at.Power.Known() && what != "items" && (at.Runs > 0) == (what == "runs a side") {
					line.Points = append(line.Points, plots.Point{X: size, Y: float64(at.Power)})
				}
			}
			for _, at := range p.Curve {
				if what == "items" && p.Unit == "" && at.Power.Known() {
					line.Points = append(line.Points, plots.Point{X: float64(at.Size), Y: float64(at.Power)})
				}
			}
			switch {
			case what == "runs a side" && p.Runs != nil:
				line.Needed = float64(*p.Runs)
			case what == "requests a side" && p.Requests != nil:
				line.Needed = float64(*p.Requests)
			case what == "items" && p.Items != nil:
				line.Needed = float64(*p.Items)
			}
			if len(line.Points) > 1 {
				lines, target = append(lines, line), p.Power
			}
		}
		if len(lines) == 0 {
			continue
		}
		fig, err := plots.Power(what, lines, target)
		if err != nil {
			f.missing = append(f.missing, err.Error())
			continue
		}
		f.all = append(f.all, fig)
	}
	return f
}
