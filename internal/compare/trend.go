package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// WarmUp says how much slower the first tenth of each side's runs is than the rest.
type WarmUp struct {
	OK     bool
	Metric *metric.Metric
	// Log is the log of the ratio, first tenth ÷ rest, the mean over the runs of each
	// side; P the p-value that the first is no slower.
	Log, P [2]float64
	// Differ is the p-value that both sides begin alike.
	Differ float64
	// Seconds is how long a tenth of a run is, of the side with the longer runs.
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

// warmUpOf compares the beginning of each run with the rest. There is none where a
// run does not tell.
func (c *comparer) warmUpOf(sides [2][]pulse) WarmUp {
	var of [2]sideMean
	w := WarmUp{OK: true}
	for i, runs := range sides {
		var ok bool
		if of[i], ok = over(runs, beginning); !ok {
			return WarmUp{}
		}
		seconds := 0.0
		for _, r := range runs {
			seconds += r.seconds / float64(len(runs))
		}
		w.Seconds = math.Max(w.Seconds, seconds)
		w.Log[i], w.P[i] = of[i].mean, of[i].p(stats.Greater)
	}
	w.Metric, w.Differ = c.plan.Items[c.pulseItem()].Metric, of[0].against(of[1], c.opt.Level)
	return w
}

// beginning is how much slower the first tenth of a run is than the rest: a new
// value beside nine.
func beginning(r *pulse) (float64, stats.StandardError, bool) {
	if len(r.tenths) != trendBatches {
		return 0, stats.StandardError{}, false
	}
	est, err := stats.Pooled(r.tenths[1:], r.tenths[:1], 0.95)
	return est.Value, stats.StandardError{SE: est.SE, DF: est.DF}.Autocorrelated(tenthsDepend), err == nil
}
