package compare

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// perRunResult compares what has one value a run. Where the runs are split into
// sessions, blocks or requests, they stay whole for it.
func (c *comparer) perRunResult(r *Result) {
	design := c.design
	defer func() { c.design = design }()
	if c.unmatched() > 0 {
		r.warn("part_of_run", fmt.Sprintf("%s is of whole runs, and of these the matched requests alone are compared; leave --pair out to compare it", r.Metric))
		none := &arm{exact: true, tail: math.Inf(1)}
		c.fill(r, none, none)
		return
	}
	sides := c.together(r, c.runs(), func(u *metric.Unit) bool {
		_, ok := r.Metric.RunValue(u)
		return ok
	})
	if c.design.Unit.withinRun() {
		c.design = Design{Unit: Run}
	}
	c.fill(r, c.perRun(sides[0], r.Metric), c.perRun(sides[1], r.Metric))
}

// runs are the sides with whole runs, or the replicas that stand for them.
func (c *comparer) runs() []*metric.Side {
	if c.design.Unit.withinRun() {
		return c.whole
	}
	return c.sides
}

// perRun builds the arm of a metric with one value a run, such as throughput.
func (c *comparer) perRun(side *metric.Side, m *metric.Metric) *arm {
	var v []float64
	for _, u := range side.Units {
		if x, ok := m.RunValue(u); ok {
			v = append(v, x)
		}
	}
	a := &arm{n: int64(len(v)), units: len(v), exact: true, tail: math.Inf(1)}
	if len(v) == 0 {
		return a
	}
	if err := a.ofUnits(v, nil); err != nil {
		return &arm{exact: true, tail: math.Inf(1)}
	}
	if len(v) == 1 && c.noise(m, metric.Estimand{Kind: metric.Rate}) > 0 {
		// Nothing inside one run says how well its throughput is known.
		a.limits = stats.Interval{Lo: a.value, Hi: a.value, Level: c.opt.Level}
		a.df = math.Inf(1)
		a.method, a.bare = "one value a side", true
	}
	return a
}
