package compare

import (
	"context"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// pulse is how one run went on over time.
type pulse struct {
	// tenths are the logs of the median of a latency in each tenth of the run,
	// nil where that is not known.
	tenths   []float64
	seconds  float64 // of a tenth
	requests float64 // that have a start
	span     float64 // seconds from the first start to the last
	// bursts is how much the number of its requests varied in windows of each length.
	bursts [len(arrivalWindows)]burst
}

// pulseItem is the item whose course is followed: the first latency of the plan
// with a value per request, −1 if there is none.
func (c *comparer) pulseItem() int {
	return slices.IndexFunc(c.plan.Items, func(it metric.Item) bool { return it.Metric.Latency && it.Metric.Kind == metric.PerRequest })
}

// pulses reads a side of whole runs once more and follows each of them. There are
// none where the pass over the records leaves the starts out.
func (c *comparer) pulses(ctx context.Context, in *metric.Input, side *metric.Side) ([]pulse, error) {
	if c.plan.SkipTimes || c.plan.Within.By != metric.WholeRuns {
		return nil, nil
	}
	item := c.pulseItem()
	looks, timed := make([][]metric.Look, len(side.Units)), false
	for i, u := range side.Units {
		if !u.Timed() || u.LastStart <= u.FirstStart {
			continue
		}
		timed = true
		if item >= 0 {
			looks[i] = tenthsLook(u, item)
		}
	}
	if !timed {
		return nil, nil
	}
	found, arrivals, err := metric.CoursesOfUnits(ctx, *in, side, c.plan, looks, trendBatches, c.scan)
	if err != nil {
		return nil, err
	}
	out := make([]pulse, len(side.Units))
	for i, u := range side.Units {
		out[i] = pulse{seconds: u.Duration() / trendBatches, requests: float64(arrivals[i].Requests()), span: arrivals[i].Span()}
		for k, size := range arrivalWindows {
			out[i].bursts[k] = burstOf(&arrivals[i], size)
		}
		if len(found[i]) > 0 {
			out[i].tenths = logMedians(found[i][0], looks[i][0].Thresholds)
		}
	}
	return out, nil
}

// tenthsLook is the look at a run that tells the medians of its tenths, none for a
// run of too few values.
func tenthsLook(u *metric.Unit, item int) []metric.Look {
	s := u.Cells[item].Sketch
	if s.N() < minBatched*trendBatches {
		return nil
	}
	look := metric.Look{Item: item}
	for k := 1; k < trendSteps; k++ {
		v, err := s.Quantile(float64(k) / trendSteps)
		if err != nil {
			return nil
		}
		look.Thresholds = append(look.Thresholds, v)
	}
	return []metric.Look{look}
}

// logMedians are the logs of the medians of batches by time, nil if one has none.
func logMedians(b metric.Batches, thresholds []float64) (out []float64) {
	if len(b.Counts) != trendBatches || !b.ByTime {
		return nil
	}
	for k := range b.Counts {
		m := batchMedian(b, thresholds, k)
		if !(m > 0) {
			return nil
		}
		out = append(out, math.Log(m))
	}
	return out
}

// steadiness fills in what the courses of the runs of two sides tell.
func (c *comparer) steadiness(out *Comparison, sides [2][]pulse) {
	out.LoadP = c.loadChance(sides)
	out.WarmUp, out.Drift, out.Arrivals = c.warmUpOf(sides), c.driftOf(sides), c.arrivalsOf(sides)
}

// sideMean is the mean over the runs of a side of something that each run tells
// with an error of its own.
type sideMean struct {
	mean float64
	stats.StandardError
}

// over gathers what the runs of a side tell; ok is false if one does not.
func over(runs []pulse, of func(r *pulse) (float64, stats.StandardError, bool)) (m sideMean, ok bool) {
	var values []float64
	var errors []stats.StandardError
	for i := range runs {
		v, e, ok := of(&runs[i])
		if !ok {
			return m, false
		}
		values, errors = append(values, v), append(errors, e)
	}
	var err error
	m.mean, m.StandardError, err = stats.MeanOfRuns(values, errors)
	return m, err == nil
}

// against is the p-value of the difference of two sides.
func (m sideMean) against(o sideMean, level float64) float64 {
	est, err := stats.TwoSample(m.mean, m.SE, m.DF, o.mean, o.SE, o.DF, level)
	if err != nil {
		return 1
	}
	return stats.WelchTest(est, 0, stats.TwoSided).P
}

// p is the p-value of the mean against 0.
func (m sideMean) p(alt stats.Alternative) float64 {
	return stats.WelchTest(stats.Estimate{Value: m.mean, SE: m.SE, DF: m.DF}, 0, alt).P
}
