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
func (c *comparer) batches(ctx context.Context, input metric.Input, side *metric.Side) (map[int]metric.Batches, map[int]metric.Look, error) {
	if len(side.Units) != 1 {
		return nil, nil, nil
	}
	var looks []metric.Look
	for i, it := range c.plan.Items {
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
					return nil, nil, err
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
	if len(looks) == 0 {
		return nil, nil, nil
	}
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
		a.limits = stats.Interval{Lo: quantileAt(s, lo), Hi: quantileAt(s, hi), Level: level}
		a.df = float64(len(b.Counts) - 1)
		a.method = "Woodruff limits from time batches"
	case e.Kind == metric.Quantile:
		l, u, _, err := stats.OrderStatRanks(int(s.N()), e.Q, level)
		if err != nil {
			return
		}
		n := float64(s.N())
		a.limits = stats.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Level: level}
		if l >= 1 {
			a.limits.Lo = rankValue(s, l)
		}
		if u <= int(s.N()) {
			a.limits.Hi = rankValue(s, u)
		}
		a.df = n - 1
		a.method = "order statistics of independent requests"
	case e.Kind == metric.Mean && batched:
		est, err := stats.MeanT(b.Means, level)
		if err != nil {
			return
		}
		a.se = est.SE
		h := est.Interval.Width() / 2
		a.limits = stats.Interval{Lo: a.value - h, Hi: a.value + h, Level: level}
		a.df = est.DF
		a.method = "t on means of time batches"
	case e.Kind == metric.Mean:
		_, variance, n := moments(s)
		if n < 2 {
			return
		}
		a.se = math.Sqrt(variance / n)
		h := stats.TQuantile(1-c.opt.alpha(), n-1) * a.se
		a.limits = stats.Interval{Lo: a.value - h, Hi: a.value + h, Level: level}
		a.df = n - 1
		a.method = "t on independent requests"
	}
	a.limits.Lo, a.limits.Hi = math.Min(a.limits.Lo, a.value), math.Max(a.limits.Hi, a.value)
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

// quantileAt maps a limit on the probability scale to a value.
func quantileAt(s *sketch.Sketch, p float64) float64 {
	switch {
	case p <= 0:
		return math.Inf(-1)
	case p >= 1:
		return math.Inf(1)
	}
	v, err := s.Quantile(p)
	if err != nil {
		return math.NaN()
	}
	return v
}

// rankValue returns the order statistic of a 1-based rank.
func rankValue(s *sketch.Sketch, rank int) float64 {
	if s.Exact() {
		return s.Sorted()[rank-1]
	}
	v, err := s.Quantile((float64(rank) - 0.5) / float64(s.N()))
	if err != nil {
		return math.NaN()
	}
	return v
}

// moments returns the mean and the unbiased variance of a sketch's values, from
// the values themselves or from the bins of the histogram.
func moments(s *sketch.Sketch) (mean, variance, n float64) {
	n = float64(s.N())
	if s.Exact() {
		mean, variance, err := stats.MeanVariance(s.Sorted())
		if err != nil {
			return s.Min(), 0, n
		}
		return mean, variance, n
	}
	var sum float64
	for bin := range s.Hist().Bins() {
		sum += float64(bin.Count) * (bin.Lower + bin.Upper) / 2
	}
	mean = sum / n
	var sq float64
	for bin := range s.Hist().Bins() {
		d := (bin.Lower+bin.Upper)/2 - mean
		sq += float64(bin.Count) * d * d
	}
	return mean, sq / (n - 1), n
}
