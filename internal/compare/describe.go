package compare

import (
	"context"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// Describe estimates one side alone: every item's values with intervals.
func Describe(ctx context.Context, in Inputs, opt Options) (*Comparison, error) {
	in.Sides = in.Sides[:1]
	c := &comparer{ctx: ctx, opt: opt, plan: in.Plan, scan: in.Scan, gaps: gapsOf(in.Sides), lookedAtAlone: true}
	c.plan.SkipTimes = c.plan.Large(in.Sides) && opt.Unit != Block
	var err error
	if c.sides, err = c.collectRuns(ctx, in); err != nil {
		return nil, err
	}
	whole := c.sides
	c.whole = whole
	unit := opt.Unit
	if unit == Auto {
		unit = Run
	}
	if err := c.makeUnits(ctx, in, unit); err != nil {
		return nil, err
	}
	if unit == Run || unit == Replica {
		c.design.Baseline = len(c.sides[0].Units)
	}
	if err := c.checkInterval(); err != nil {
		return nil, err
	}
	if !unit.withinRun() && len(c.sides[0].Units) == 1 {
		if c.batched[0], c.looks[0], err = c.batches(ctx, in.Sides[0], 0); err != nil {
			return nil, err
		}
	}
	out := &Comparison{Options: opt, Design: c.design, Sides: whole, Burn: [2]Burn{c.burn(whole[0])}}
	for i, it := range c.plan.Items {
		for _, e := range it.Estimands {
			r, err := c.describe(i, it, e)
			if err != nil {
				return nil, err
			}
			out.Results = append(out.Results, r)
		}
	}
	return out, nil
}

func (c *comparer) describe(item int, it metric.Item, e metric.Estimand) (Result, error) {
	r := Result{Metric: it.Metric, Estimand: e, Named: it.Named}
	if err := c.interrupted(); err != nil {
		return r, err
	}
	var a *arm
	switch it.Metric.Kind {
	case metric.Share:
		s := shareArm(it.Metric, c.sides[0])
		x, n := s.totals()
		if len(s.n) < 2 || s.eventsPerUnit() < c.opt.MinEvents {
			if n > 0 {
				r.Baseline, r.Exact, r.Method = c.shareValue(x, n, len(s.n)), true, "pooled counts, Wilson interval"
			}
			return r, nil
		}
		a = s.byRun()
	case metric.PerRun:
		a = c.perRun(c.runs()[0], it.Metric)
	default:
		one, err := c.arm(0, c.sides[0], item, e)
		if err != nil {
			return r, err
		}
		a = &one
	}
	c.alone(&r, a)
	c.needRequests(&r, item)
	c.remarks(&r, item)
	return r, nil
}
