package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// mostAlone is up to how many units of a side each is left out alone. Of more,
// groups of them are: a jackknife that leaves out a group at a time has as many
// degrees of freedom less one, and that is plenty (Kott 2001, Journal of Official
// Statistics 17, 521–526). Sessions are put together in about sessionGroups units
// as they are read; other units are dealt to [mixshift.MostGroups].
const (
	mostAlone     = 400
	sessionGroups = 200
)

// makeUnits splits the runs of the sides into the units, and says in the design
// how many there are.
func (c *comparer) makeUnits(ctx context.Context, in Inputs, unit Unit) error {
	c.design = Design{Unit: unit}
	counts := make([]int, len(c.sides))
	within := metric.Within{}
	switch unit {
	case Request:
		all := make([]*metric.Side, len(c.sides))
		for i, s := range c.sides {
			counts[i], all[i] = requestsOf(s), pooled(s)
		}
		c.sides = all
	case Replica:
		within.By = metric.Replicas
	case Session:
		var err error
		if counts, err = metric.SessionsOf(ctx, in.Sides, in.Scan); err != nil {
			return err
		}
		within.By = metric.Sessions
		if slices.Max(counts) > mostAlone {
			runs := 1
			for _, s := range c.sides {
				runs = max(runs, len(s.Units))
			}
			within.Groups, c.design.Grouped = max(2, sessionGroups/runs), true
		}
	case Block:
		var err error
		if within, err = metric.BlocksOf(c.sides, c.opt.Batches); err != nil {
			return err
		}
	}
	if within.By != metric.WholeRuns {
		plan := c.plan
		plan.Within = within
		scan := in.Scan
		scan.Progress = nil
		var err error
		if c.sides, err = metric.Collect(ctx, in.Sides, plan, scan); err != nil {
			return err
		}
	}
	for i, s := range c.sides {
		if unit != Request && unit != Session {
			counts[i] = s.Evidence()
		}
		if which := sideNames[i]; (unit == Session || unit == Block) && counts[i] < 2 && s.OK() > 0 {
			if len(c.sides) == 1 {
				which = "input"
			}
			return fmt.Errorf("--unit %s: the %s has one %s alone, and what repeats has to be there twice at least; leave --unit out to judge by runs", unit, which, unit)
		}
	}
	c.design.Baseline = counts[0]
	if len(counts) > 1 {
		c.design.Candidate = counts[1]
	}
	return nil
}

// jackknifeWords names the jackknife of arms.
func (c *comparer) jackknifeWords(arms ...*arm) string {
	for _, a := range arms {
		if len(a.loo) < a.units && !c.design.Grouped {
			return "jackknife of groups of " + c.unitWords()
		}
	}
	return "jackknife of " + c.unitWords()
}

// unitWords names the units of a side in the description of a method.
func (c *comparer) unitWords() string {
	if c.design.Grouped {
		return "groups of " + c.design.Unit.String() + "s"
	}
	if c.pairs != nil {
		return "pairs of merged " + c.design.Unit.String() + "s"
	}
	return "merged " + c.design.Unit.String() + "s"
}
