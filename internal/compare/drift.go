package compare

import (
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Drift is how far a latency moves through the runs of each side, from their
// second tenth to their last: a first one that is slow is a warm-up.
type Drift struct {
	OK     bool
	Metric *metric.Metric
	// Log is the log of the ratio, last tenth ÷ second, along a straight line, the
	// mean over the runs of each side; P the p-value that there is none.
	Log, P [2]float64
	// Differ is the p-value that both sides drift alike.
	Differ float64
}

// tenthsDepend is the correlation that tenths of a run are taken to have with their
// neighbours, as a queue makes it. Nine values do not tell it.
const tenthsDepend = 0.22

// driftOf fits a line through the log medians of the tenths of each run.
func (c *comparer) driftOf(sides [2][]pulse) Drift {
	var of [2]sideMean
	for i, runs := range sides {
		var ok bool
		if of[i], ok = over(runs, drifts); !ok {
			return Drift{}
		}
	}
	d := Drift{OK: true, Metric: c.plan.Items[c.pulseItem()].Metric, Differ: of[0].against(of[1], c.opt.Level)}
	for i := range of {
		d.Log[i], d.P[i] = of[i].mean, of[i].p(stats.TwoSided)
	}
	return d
}

// drifts is how much the log medians of a run rise.
func drifts(r *pulse) (float64, stats.StandardError, bool) {
	if len(r.tenths) != trendBatches {
		return 0, stats.StandardError{}, false
	}
	rise, e, err := stats.Rise(r.tenths[1:])
	return rise, e.Autocorrelated(tenthsDepend), err == nil
}
