package compare

import (
	"context"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Trend says how much slower the first tenth of a side's runs is than the rest.
type Trend struct {
	OK     bool
	Metric *metric.Metric
	// Log is the log of the ratio, first tenth ÷ rest, the mean over runs; Lo its
	// lower limit at the level.
	Log, Lo float64
	// Seconds is how long a tenth of a run is, the mean over runs.
	Seconds float64
}

// trendBatches is into how many stretches a run is cut to see a trend.
const trendBatches = 10

// trendSteps is into how many parts of equal size the values of a run are cut to
// find the median of a stretch: a median, unlike a mean, is no matter of a few
// slow requests.
const trendSteps = 40

// batchMedian is the median of one batch by the thresholds, 0 where it has none.
func batchMedian(b metric.Batches, thresholds []float64, k int) float64 {
	below := make([]int64, len(thresholds))
	for t := range thresholds {
		below[t] = b.Below[t][k]
	}
	m, err := stats.GroupedMedian(thresholds, below, b.Counts[k])
	if err != nil {
		return 0
	}
	return m
}

// trend reads a side once more and compares the beginning of each run with the
// rest, for the first latency of the plan. Large sides and sides without starts
// have none.
func (c *comparer) trend(ctx context.Context, in *metric.Input, side *metric.Side) (Trend, error) {
	item := -1
	for i, it := range c.plan.Items {
		if it.Metric.Latency && it.Metric.Kind == metric.PerRequest {
			item = i
			break
		}
	}
	if item < 0 || c.plan.SkipTimes || c.plan.Within.By != metric.WholeRuns {
		return Trend{}, nil
	}
	looks := make([][]metric.Look, len(side.Units))
	for i, u := range side.Units {
		s := u.Cells[item].Sketch
		if !u.Timed() || u.LastStart <= u.FirstStart || s.N() < minBatched*trendBatches {
			return Trend{}, nil
		}
		look := metric.Look{Item: item}
		for k := 1; k < trendSteps; k++ {
			v, err := s.Quantile(float64(k) / trendSteps)
			if err != nil {
				return Trend{}, nil
			}
			look.Thresholds = append(look.Thresholds, v)
		}
		looks[i] = []metric.Look{look}
	}
	if len(looks) == 0 {
		return Trend{}, nil
	}
	found, err := metric.BatchesOfUnits(ctx, *in, side, c.plan, looks, trendBatches, c.scan)
	if err != nil {
		return Trend{}, err
	}
	t := Trend{Metric: c.plan.Items[item].Metric}
	var logs []float64
	var rest []float64 // of a single run
	for i, u := range side.Units {
		b := found[i][0]
		if len(b.Counts) != trendBatches || !b.ByTime {
			return Trend{}, nil
		}
		rest = nil
		for k := range b.Counts {
			m := batchMedian(b, looks[i][0].Thresholds, k)
			if !(m > 0) {
				return Trend{}, nil
			}
			rest = append(rest, math.Log(m))
		}
		first := rest[0]
		rest = rest[1:]
		mean, err := stats.Mean(rest)
		if err != nil {
			return Trend{}, nil
		}
		logs = append(logs, first-mean)
		t.Seconds += u.Duration() / trendBatches / float64(len(side.Units))
	}
	if t.Log, err = stats.Mean(logs); err != nil {
		return Trend{}, nil
	}
	// Several runs say how sure the trend is; in one the other nine tenths do.
	if len(logs) >= 2 {
		est, err := stats.MeanT(logs, c.opt.Level)
		if err != nil {
			return Trend{}, nil
		}
		t.Lo = est.Interval.Lo
	} else {
		// A new value of nine: wider than the interval of their mean.
		est, err := stats.Pooled(rest, logs, c.opt.Level)
		if err != nil {
			return Trend{}, nil
		}
		t.Lo = t.Log - est.Interval.Width()/2
	}
	t.OK = true
	return t, nil
}
