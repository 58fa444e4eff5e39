package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// sliceGroup is a forest of the slices of one metric.
type sliceGroup struct {
	Group
	id, title string
}

// mostForests bounds the figures of slices, mostSplits those of the mix.
const mostForests, mostSplits = 6, 2

// slices gathers the explored slices, a figure for each metric and estimand,
// the worst change first.
func (v View) slices() []sliceGroup {
	var out []sliceGroup
	for _, j := range v.Judged {
		r := j.Result
		if r.Slice == nil || j.Limited {
			continue
		}
		row, unit := j.change(r.Slice.String())
		if row.Verdict == Muted {
			row.Verdict = Candidate
		}
		name := r.Metric.Name + " " + r.Estimand.String()
		if r.Task != "" {
			name = r.Task + " " + name
		}
		id := "slices-" + slug(name)
		i := slices.IndexFunc(out, func(g sliceGroup) bool { return g.id == id && g.Unit == unit })
		if i < 0 {
			if len(out) == mostForests {
				continue
			}
			out = append(out, sliceGroup{Group{Unit: unit}, id, "Change of " + name + " by slice"})
			i = len(out) - 1
		}
		out[i].Rows = append(out[i].Rows, row)
	}
	for i := range out {
		slices.SortStableFunc(out[i].Rows, func(a, b Change) int { return byHarm(a, b) })
	}
	return out
}

// byHarm orders rows by the change in the direction that is worse, if there is
// a margin to tell it, else by size.
func byHarm(a, b Change) int {
	harm := func(c Change) float64 {
		switch {
		case math.IsNaN(c.Value):
			return math.Inf(-1)
		case c.Margin < 0:
			return -c.Value
		}
		return c.Value
	}
	switch x, y := harm(a), harm(b); {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return 0
}

// split picks the judged results whose change was split into traffic and
// system and that the traffic moved most: one a metric, its highest percentile.
// Where the traffic moved nothing for certain the first is picked all the same.
func (v View) split() []*compare.Result {
	var out []*compare.Result
	for _, j := range v.Judged {
		r := j.Result
		if r.Like == nil || !r.Like.Total.OK || len(r.Like.Refused) > 0 || r.Slice != nil || j.Limited || j.Verdict == Muted || v.Comparison.Mix == nil {
			continue
		}
		i := slices.IndexFunc(out, func(o *compare.Result) bool { return o.Metric.Name == r.Metric.Name })
		switch {
		case i < 0:
			out = append(out, r)
		case r.Estimand.Kind == metric.Quantile && r.Estimand.Q > out[i].Estimand.Q:
			out[i] = r
		}
	}
	moved := func(r *compare.Result) float64 {
		m := r.Like.Mix
		if !r.Like.Relative || m.Lo <= 0 && m.Hi >= 0 {
			return 0
		}
		return math.Abs(m.Value)
	}
	slices.SortStableFunc(out, func(a, b *compare.Result) int { return cmp.Compare(moved(b), moved(a)) })
	n := 0
	for n < len(out) && n < mostSplits && (n == 0 || moved(out[n]) > 0) {
		n++
	}
	return out[:n]
}

// waterfallOf draws a split in the unit of the values.
func waterfallOf(r *compare.Result, mix *compare.Mix) (*Figure, error) {
	l := r.Like
	factor := 1.0
	if l.Relative {
		factor = r.Baseline.Value
	}
	step := func(c compare.Contrast) Step {
		v, lo, hi := limitsOf(c, func(x float64) float64 { return x * factor })
		return Step{v, lo, hi}
	}
	s := Split{Name: nameOf(r), Unit: r.Metric.Unit, By: mix.By, Before: r.Baseline.Value, Mix: step(l.Mix), LikeForLike: step(l.Within)}
	s.After = s.Before + step(l.Total).Value
	for _, f := range l.Factors {
		s.Factors = append(s.Factors, Part{f.By, step(f.Mix)})
	}
	if len(s.Factors) > 0 && l.OffSupport.Value != 0 {
		s.Factors = append(s.Factors, Part{"no counterpart", step(l.OffSupport)})
	}
	if r.Metric.Kind == metric.Share {
		s.Unit = "%"
	}
	return Waterfall(s)
}

// leastShare is the share of the traffic from which a stratum is drawn.
const leastShare = 0.01

// strataOf draws what each stratum did, with its share of the traffic; nil for
// a single stratum.
func strataOf(r *compare.Result, mix *compare.Mix, level float64) (*Figure, error) {
	l := r.Like
	g := Group{Unit: "%"}
	share := r.Metric.Kind == metric.Share
	if share {
		g.Unit = "pp"
	}
	least := leastDrawn(mix.Strata)
	small, limits := 0, 0
	for k, s := range mix.Strata {
		if k >= len(l.BaselineValues) || k >= len(l.CandidateValues) {
			break
		}
		if math.Max(s.BaselineShare, s.CandidateShare) < least {
			small++
			continue
		}
		a, b := l.BaselineValues[k], l.CandidateValues[k]
		row := Change{Label: s.Label + " (" + sharesText(s) + ")",
			Value: b/a - 1, Lo: math.NaN(), Hi: math.NaN(), Verdict: Candidate}
		if share {
			row.Value = b - a
		}
		if k < len(l.Strata) && l.Strata[k].Change.HasInterval() {
			c := l.Strata[k].Change
			row.Value, row.Lo, row.Hi = c.Value, c.Lo, c.Hi
			limits++
		}
		g.Rows = append(g.Rows, row)
	}
	if len(g.Rows) < 2 {
		return nil, nil
	}
	f, err := Forest("strata-"+slug(nameOf(r)), "Change of "+nameOf(r)+" by "+strings.TrimSpace(mix.By), []Group{g}, level)
	if err != nil {
		return nil, err
	}
	if small > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Not drawn: %d with less than %s of the traffic.", small, sharePercent(least)))
	}
	note := "In brackets: the share of the traffic, before → after. "
	switch limits {
	case 0:
		note += "No stratum has enough requests for an interval. "
	case len(g.Rows):
	default:
		note += "Points without an interval have too few requests for one. "
	}
	f.Notes = append(f.Notes, note+"A stratum alone is not judged.")
	if limits == 0 {
		f.Alt = strings.Replace(f.Alt, fmt.Sprintf("Changes with %s intervals.", levelName(level)), "Change in each stratum, without intervals.", 1)
	}
	return f, nil
}

// leastDrawn is the share from which strata are drawn: of many the largest that
// fit.
func leastDrawn(strata []compare.Stratum) float64 {
	var shares []float64
	for _, s := range strata {
		shares = append(shares, math.Max(s.BaselineShare, s.CandidateShare))
	}
	slices.Sort(shares)
	if n := len(shares); n > mostRows {
		return math.Max(leastShare, shares[n-mostRows])
	}
	return leastShare
}

// sharesText is what a stratum is of the traffic of either side.
func sharesText(s compare.Stratum) string {
	before, after := sharePercent(s.BaselineShare), sharePercent(s.CandidateShare)
	if strings.HasSuffix(after, "%") {
		before = strings.TrimSuffix(before, " %")
	}
	return before + " → " + after
}

func sharePercent(v float64) string {
	if math.IsNaN(v) {
		return "none"
	}
	return trimZeros(fmt.Sprintf("%.1f", v*100)) + " %"
}
