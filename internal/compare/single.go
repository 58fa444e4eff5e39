package compare

import (
	"context"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// minBatched is how many values a batch needs for batches to be used; shorter
// runs are treated as independent values.
const minBatched = 2

// methodName names how the arm's limits were made.
func (a *arm) methodName() string {
	if a.df > 0 {
		return a.method
	}
	return "none"
}

// batches reads a side that is a single run once more, where an item needs it,
// and returns the batches by item.
func (c *comparer) batches(ctx context.Context, input metric.Input, i int) (map[int]metric.Batches, map[int]metric.Look, error) {
	side := c.sides[i]
	if len(side.Units) != 1 || side.HasHistograms() { // a histogram has no order of time
		return nil, nil, nil
	}
	looks, err := c.looksAt(side)
	if err != nil {
		return nil, nil, err
	}
	if len(looks) == 0 {
		return nil, nil, nil
	}
	c.lookInside(i, looks)
	found, err := metric.TimeBatches(ctx, input, side, c.plan, looks, c.opt.Batches, c.scan)
	if err != nil {
		return nil, nil, err
	}
	byItem, lookOf := map[int]metric.Batches{}, map[int]metric.Look{}
	for i, look := range looks {
		byItem[look.Item], lookOf[look.Item] = found[i], look
	}
	return byItem, lookOf, nil
}

// looksAt lists what must be known of the order of time in a side that is a
// single run.
func (c *comparer) looksAt(side *metric.Side) ([]metric.Look, error) {
	var looks []metric.Look
	for i, it := range c.plan.Items {
		if it.Metric.Kind == metric.Share {
			if s := shareArm(it.Metric, side); s.common(c.opt.MinEvents) && s.n[0] >= int64(minBatched*c.opt.Batches) {
				looks = append(looks, metric.Look{Item: i, Share: true, Center: 0.5, Spread: 0.5})
			}
			continue
		}
		if it.Metric.Kind != metric.PerRequest && it.Metric.Kind != metric.PerGap {
			continue
		}
		parts := side.Sketches(i)
		if len(parts) != 1 || parts[0].N() < int64(minBatched*c.opt.Batches) {
			continue
		}
		look := metric.Look{Item: i}
		for _, e := range it.Estimands {
			if e.Kind == metric.Quantile {
				v, err := parts[0].Quantile(e.Q)
				if err != nil {
					return nil, err
				}
				look.Thresholds = append(look.Thresholds, v)
			}
		}
		if c.plan.Sums {
			cell := &side.Units[0].Cells[i]
			look.Center = cell.Sum.Value() / float64(parts[0].N())
		}
		lo, hi := parts[0].Min(), parts[0].Max()
		look.Spread = math.Max(hi-look.Center, look.Center-lo)
		looks = append(looks, look)
	}
	return looks, nil
}

// bound gives a single unit's arm its limits: from the batches of its run, or,
// where requests are the unit or the run is too short for batches, from order
// statistics and the t interval of independent values.
func (c *comparer) bound(a *arm, s *sketch.Sketch, e metric.Estimand, b metric.Batches, look metric.Look) {
	level := c.opt.Level
	batched := len(b.Counts) > 0
	switch {
	case e.Kind == metric.Quantile && batched:
		lo, hi, _, err := stats.WoodruffBatches(b.Counts, b.Below[c.threshold(look.Item, e)], e.Q, level)
		if err != nil {
			c.bound(a, s, e, metric.Batches{}, look)
			return
		}
		if lo, hi, err = s.QuantileLimits(lo, hi); err != nil {
			return
		}
		a.limits = stats.Interval{Lo: lo, Hi: hi, Level: level}
		a.df = float64(len(b.Counts) - 1)
		a.method = "Woodruff limits from time batches"
	case e.Kind == metric.Quantile:
		l, u, _, err := stats.OrderStatRanks(int(s.N()), e.Q, level)
		if err != nil {
			return
		}
		a.limits = stats.Unbounded(level)
		if v, err := s.OrderStatistic(int64(l)); err == nil {
			a.limits.Lo = v
		}
		if v, err := s.OrderStatistic(int64(u)); err == nil {
			a.limits.Hi = v
		}
		a.df = float64(s.N() - 1)
		a.method = "order statistics of independent requests"
	case e.Kind == metric.Mean && batched:
		est, err := stats.MeanT(b.Means, level)
		if err != nil {
			return
		}
		c.byT(a, stats.StandardError{SE: est.SE, DF: est.DF})
		a.method = "t on means of time batches"
	case e.Kind == metric.Mean:
		e, err := s.MeanError()
		if a.buckets != nil { // the values may be spread wider than they are put
			e.SE = a.buckets.MeanSE()
		}
		if err != nil || math.IsInf(e.SE, 1) {
			return
		}
		c.byT(a, e)
		a.method = "t on independent requests"
	}
	a.limits.Lo, a.limits.Hi = math.Min(a.limits.Lo, a.value), math.Max(a.limits.Hi, a.value)
}

// byT gives an arm the t limits of an error about its own value.
func (c *comparer) byT(a *arm, e stats.StandardError) {
	iv, err := e.Interval(a.value, c.opt.Level)
	if err != nil {
		return
	}
	a.se, a.df, a.limits = e.SE, e.DF, iv
}

// threshold is the index of a percentile among those of its item.
func (c *comparer) threshold(item int, e metric.Estimand) int {
	t := 0
	for _, other := range c.plan.Items[item].Estimands {
		if other == e {
			break
		}
		if other.Kind == metric.Quantile {
			t++
		}
	}
	return t
}
