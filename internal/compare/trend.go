package compare

import (
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

// trendOf compares the beginning of each run with the rest. There is none where a
// run does not tell.
func (c *comparer) trendOf(runs []pulse) Trend {
	if len(runs) == 0 {
		return Trend{}
	}
	t := Trend{Metric: c.plan.Items[max(0, c.pulseItem())].Metric}
	var logs []float64
	var rest []float64 // of a single run
	for _, r := range runs {
		if r.tenths == nil {
			return Trend{}
		}
		rest = r.tenths[1:]
		mean, err := stats.Mean(rest)
		if err != nil {
			return Trend{}
		}
		logs = append(logs, r.tenths[0]-mean)
		t.Seconds += r.seconds / float64(len(runs))
	}
	var err error
	if t.Log, err = stats.Mean(logs); err != nil {
		return Trend{}
	}
	// Several runs say how sure the trend is; in one the other nine tenths do.
	if len(logs) >= 2 {
		est, err := stats.MeanT(logs, c.opt.Level)
		if err != nil {
			return Trend{}
		}
		t.Lo = est.Interval.Lo
	} else {
		// A new value of nine: wider than the interval of their mean.
		est, err := stats.Pooled(rest, logs, c.opt.Level)
		if err != nil {
			return Trend{}
		}
		t.Lo = t.Log - est.Interval.Width()/2
	}
	t.OK = true
	return t
}
