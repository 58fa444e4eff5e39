package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// perRun builds the arm of a metric with one value a run, such as throughput.
func (c *comparer) perRun(side *metric.Side, m *metric.Metric) *arm {
	var v, w []float64
	for _, u := range side.Units {
		if x, ok := m.RunValue(u); ok {
			v, w = append(v, x), append(w, 1)
		}
	}
	a := &arm{n: int64(len(v)), units: len(v), exact: true, tail: math.Inf(1)}
	if len(v) == 0 {
		return a
	}
	a.value = weightedMean(v, w, -1)
	for k := range v {
		if len(v) > 1 {
			a.loo = append(a.loo, weightedMean(v, w, k))
		}
	}
	if len(v) == 1 && c.design.AssumedRunNoise > 0 {
		// Nothing inside one run says how well its throughput is known.
		a.limits = stats.Interval{Lo: a.value, Hi: a.value, Level: c.opt.Level}
		a.df = math.Inf(1)
		a.method = "one value a side"
	}
	return a
}
