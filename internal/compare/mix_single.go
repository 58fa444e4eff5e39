package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats"
)

// estimandOf names an estimand of an item.
type estimandOf struct {
	item int
	metric.Estimand
}

// singleRuns reports whether each side is a single unit.
func (c *comparer) singleRuns() bool {
	return len(c.sides) == 2 && len(c.sides[0].Units) == 1 && len(c.sides[1].Units) == 1
}

// lookInside adds to the looks at a single run how far its values move what is
// compared like for like, and remembers where.
func (c *comparer) lookInside(side int, looks []metric.Look) {
	s := c.strata
	if s == nil || !s.mix.Used || !c.singleRuns() {
		return
	}
	strata := &metric.Strata{Facet: c.plan.Facets[s.facet], Of: s.cell}
	c.residuals[side] = map[estimandOf]int{}
	for k := range looks {
		look := &looks[k]
		it := c.plan.Items[look.Item]
		for _, e := range it.Estimands {
			r := &Result{Metric: it.Metric, Estimand: e}
			if !c.splits(r) {
				continue
			}
			x, y, split, err := c.split(r, look.Item)
			if err != nil {
				continue
			}
			in := c.insideBaseline(x, split)
			if side == 1 {
				in = c.insideCandidate(y, split)
			}
			res, ok := c.residual(in, r, look.Item)
			if !ok {
				continue
			}
			c.residuals[side][estimandOf{look.Item, e}] = len(look.Residuals)
			look.Residuals, look.Strata = append(look.Residuals, res), strata
		}
	}
}

// inside is a single run whose strata have given weights.
type inside struct {
	side   int
	runs   mixshift.Runs
	weight []float64
	value  float64
}

func (c *comparer) insideBaseline(x stratified, split mixshift.RunSplit) inside {
	return inside{0, x.runs, split.WeightX[0], split.XCommon}
}

func (c *comparer) insideCandidate(y stratified, split mixshift.RunSplit) inside {
	return inside{1, y.runs, split.WeightYLike[0], split.YLike}
}

// insideStrata are those of a single run with the value of each: of a percentile the
// share of values up to it.
func (c *comparer) insideStrata(in inside, r *Result, item int) []mixshift.PostStratum {
	out := make([]mixshift.PostStratum, len(in.weight))
	for key, p := range c.sides[in.side].Units[0].Facets[c.strata.facet] {
		h, ok := c.strata.cell[key]
		if !ok || in.weight[h] == 0 {
			continue
		}
		n, share := int(in.runs.Count[0][h]), in.weight[h]
		sketch := p.Cells[item].Sketch
		switch {
		case r.Metric.Kind == metric.Share:
			out[h] = mixshift.ShareStratum(n, float64(r.Metric.Hits(p.OK(), p.Good))/float64(n), share)
		case r.Estimand.Kind == metric.Mean:
			out[h] = mixshift.PostStratum{N: n, Mean: math.NaN(), Share: share}
			if m, err := p.Cells[item].Sum.Mean(); err == nil {
				out[h].Mean = m
			}
			if _, v, err := sketch.MeanVariance(); err == nil {
				out[h].Variance = v
			}
		default:
			out[h] = mixshift.ShareStratum(n, sketch.CDF(in.value), share)
		}
	}
	return out
}

// residual is how far a value of each stratum moves the value like for like.
func (c *comparer) residual(in inside, r *Result, item int) (metric.Residual, bool) {
	strata := c.insideStrata(in, r, item)
	value := make([]float64, len(strata))
	for h, s := range strata {
		value[h] = s.Mean
	}
	whole := in.value
	if r.Estimand.Kind == metric.Quantile {
		whole = r.Estimand.Q
	}
	res, err := mixshift.NewResiduals(in.weight, in.runs.Count[0], value, whole)
	if err != nil {
		return metric.Residual{}, false
	}
	if r.Estimand.Kind == metric.Mean {
		out := metric.Residual{Slope: res.Scale, Center: res.Center}
		for key, p := range c.sides[in.side].Units[0].Facets[c.strata.facet] {
			if h, ok := c.strata.cell[key]; ok && res.Scale[h] > 0 {
				lo, hi := p.Cells[item].Sketch.Min(), p.Cells[item].Sketch.Max()
				out.Most = math.Max(out.Most, res.Scale[h]*math.Max(hi-res.Center[h], res.Center[h]-lo))
			}
		}
		return out, true
	}
	out := metric.Residual{Threshold: in.value}
	if r.Metric.Kind == metric.Share {
		out.Threshold = 0.5 // below it are those that do not count
	}
	for h, scale := range res.Scale {
		miss, hit := -scale*res.Center[h], scale*(1-res.Center[h])
		out.Most = math.Max(out.Most, math.Max(-miss, hit))
		if r.Metric.Kind == metric.Share {
			miss, hit = hit, miss
		}
		out.AtOrBelow, out.Above = append(out.AtOrBelow, hit), append(out.Above, miss)
	}
	return out, true
}

// likeArm is a single run like for like: its value under the weights of its
// strata with the limits that the spread inside the strata gives, from the
// batches of its run as in bound, or of independent requests. It is nil where
// nothing tells that spread.
func (c *comparer) likeArm(in inside, r *Result, item int) *arm {
	a := &arm{units: 1, value: in.value, share: r.Metric.Kind == metric.Share}
	e, err := c.errorInside(in, r, item)
	if err != nil || a.share && !(e.SE > 0) {
		return nil
	}
	a.df = e.DF
	if r.Estimand.Kind != metric.Quantile {
		c.byT(a, e)
		return a
	}
	iv, err := e.Interval(r.Estimand.Q, c.opt.Level)
	if err != nil {
		return nil
	}
	a.limits = stats.Unbounded(c.opt.Level)
	at := func(q float64) (float64, error) {
		return c.strata.made[in.side].runs.Quantile(q)([][]float64{in.weight})
	}
	if iv.Lo > 0 {
		if a.limits.Lo, err = at(iv.Lo); err != nil {
			return nil
		}
	}
	if iv.Hi < 1 {
		if a.limits.Hi, err = at(iv.Hi); err != nil {
			return nil
		}
	}
	a.limits.Lo, a.limits.Hi = math.Min(a.limits.Lo, a.value), math.Max(a.limits.Hi, a.value)
	return a
}

// errorInside is the standard error of a mean or a share like for like, or of
// the share of values up to a percentile.
func (c *comparer) errorInside(in inside, r *Result, item int) (stats.StandardError, error) {
	b, batched := c.batched[in.side][item]
	at, seen := c.residuals[in.side][estimandOf{item, r.Estimand}]
	switch {
	case batched && seen:
		if e, err := stats.BatchRatioError(b.Counts, b.Residuals[at]); err == nil {
			return e, nil
		}
	case batched || r.Metric.Kind == metric.Share:
		return stats.StandardError{}, stats.ErrTooFew
	}
	p, err := mixshift.PostStratify(c.insideStrata(in, r, item), c.opt.Level)
	return stats.StandardError{SE: p.SE, DF: p.DF}, err
}

// likeSingle is the change like for like of two single runs, made as c.single and
// c.means make that of the traffic as it was, the assumed noise between runs
// included. It is nil where the runs do not tell it.
func (c *comparer) likeSingle(r *Result, item int, x, y stratified, split mixshift.RunSplit) *Result {
	if !c.singleRuns() || r.Metric.Kind == metric.Share && r.Delta.score != nil { // of few events batches say nothing
		return nil
	}
	a, b := c.likeArm(c.insideBaseline(x, split), r, item), c.likeArm(c.insideCandidate(y, split), r, item)
	if a == nil || b == nil {
		return nil
	}
	own := &Result{Metric: r.Metric, Estimand: r.Estimand, UnitSD: math.NaN(), UnitSDLog: math.NaN()}
	if a.se > 0 && b.se > 0 {
		c.means(own, a, b)
	} else {
		c.single(own, a, b)
	}
	if !own.Delta.HasInterval() {
		return nil
	}
	return own
}
