package cli

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/plots"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// itemFigures draws the changes of scores against their margins, and the items
// lost and gained by slice.
func itemFigures(c *compare.Comparison, d verdict.Decision) figures {
	var f figures
	add := func(fig *plots.Figure, err error) {
		if err != nil {
			f.missing = append(f.missing, err.Error())
			return
		}
		f.all = append(f.all, fig)
	}
	var rows []plots.Change
	var flips []plots.FlipSlice
	// The bars of all items would make those of the slices too short to read.
	sliced := slices.ContainsFunc(d.Gates, func(g verdict.Gate) bool { return g.Result.Slice != nil })
	for i := range d.Gates {
		g := &d.Gates[i]
		r := g.Result
		if g.Limit != nil || !r.Metric.Fraction || !r.Delta.OK {
			continue
		}
		ch := plots.Change{Label: report.ItemName(r), Value: 100 * r.Delta.Value, Lo: 100 * r.Delta.Lo, Hi: 100 * r.Delta.Hi, Margin: math.NaN(), Verdict: role(g)}
		if g.Margin != nil && g.Margin.Scale == verdict.Absolute {
			ch.Margin = 100 * g.Margin.Value
			if r.Metric.Direction == metric.HigherIsBetter {
				ch.Margin = -ch.Margin
			}
		}
		rows = append(rows, ch)
		it := r.Items
		lost, gained := it.Fell, it.Rose
		if r.Metric.Direction == metric.LowerIsBetter {
			lost, gained = gained, lost
		}
		if r.Average != compare.Macro && (r.Slice != nil || !sliced) {
			flips = append(flips, plots.FlipSlice{Label: report.ItemName(r), Lost: int64(lost), Gained: int64(gained), Items: int64(it.Matched)})
		}
	}
	add(plots.PairedDifference(rows, c.Options.Level))
	add(plots.Flips(flips))
	return f
}
