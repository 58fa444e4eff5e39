package compare

import (
	"context"
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// matchedRequests are requests of two single runs that have the same words in a
// column: prompts that were sent to both.
type matchedRequests struct {
	Pairs
	// groups are the runs of both sides split into groups of words, the same words
	// in the same group.
	groups []*metric.Side
}

// Words are dealt to groups of ten at least, and to matchGroups at most: a
// percentile is left as it is by the words of a smaller group, or moves by a single
// request.
const (
	leastMatched = 20
	wordsAGroup  = 10
	matchGroups  = 20
)

// matchRequests finds the words that both runs have, and leaves the requests of
// others out of the inputs.
func (c *comparer) matchRequests(ctx context.Context, in Inputs) error {
	column := c.opt.Pair
	found, err := metric.MatchWords(ctx, in.Sides, column, in.Scan)
	if err != nil {
		return err
	}
	if found.Both < leastMatched {
		return fmt.Errorf("--pair %s: both runs have %d words of that column in common, besides %d of the baseline alone and %d of the candidate, and how matched requests vary is seen from %d words on; send the same prompts to both sides, or leave --pair out",
			column, found.Both, found.Alone[0], found.Alone[1], leastMatched)
	}
	c.matched = &matchedRequests{Pairs: Pairs{Column: column, Requests: true, Matched: found.Both, Alone: found.Alone}}
	for side := range in.Sides {
		in.Sides[side].Pairing = &metric.Pairing{Column: column, Matched: found.Has}
	}
	return nil
}

// groupMatched reads the sides once more, by groups of matched requests.
func (c *comparer) groupMatched(ctx context.Context, in Inputs) (err error) {
	m := c.matched
	if m == nil {
		return nil
	}
	c.design.Pairs = &m.Pairs
	plan := c.plan
	plan.Facets = nil
	plan.Within = metric.Within{By: metric.MatchedRequests, Groups: min(matchGroups, m.Matched/wordsAGroup)}
	scan := in.Scan
	scan.Progress = nil
	m.groups, err = metric.Collect(ctx, in.Sides, plan, scan)
	return err
}

// leaveOutMatched sets the values of two arms of one run each without each group
// of matched requests. Where a group has a value on one side alone they stay
// without, and the interval is that of unmatched runs.
func (c *comparer) leaveOutMatched(arms *[2]arm, item int, e metric.Estimand) error {
	if c.matched == nil || e.Kind != metric.Quantile && e.Kind != metric.Mean {
		return nil
	}
	has := map[string]int{}
	for _, side := range c.matched.groups {
		for _, u := range side.Units {
			if u.Cells[item].Sketch.N() > 0 {
				has[u.Part]++
			}
		}
	}
	for _, n := range has {
		if n != len(arms) {
			return nil
		}
	}
	for s, side := range c.matched.groups {
		a, err := distribution(side, item, e, Session)
		if err != nil {
			return err
		}
		arms[s].matched = a.loo
		if w, ok := c.within(c.sides[s].Units[0], item, e, c.batched[s][item]); ok && w.natural > 0 {
			dependent := stats.ExcessSD(1, w.independent/w.natural)
			arms[s].dependent, arms[s].dependentLog = w.natural*dependent, w.log*dependent
		}
	}
	return nil
}

// byMatched fills intervals of two single runs from groups of matched requests,
// which are left out of both at once. Groups are spread over the run and do not see
// what slows neighbouring requests for a while, so that part of the error within each
// run is added; and the noise between runs that is assumed, since one run a side
// does not tell it.
func (c *comparer) byMatched(r *Result, a, b *arm) {
	noise := c.noise(r.Metric, r.Estimand)
	r.AssumedNoise = noise
	if noise > 0 {
		r.Method += " with assumed run noise"
	}
	r.Baseline.Lo, r.Baseline.Hi = a.limits.Lo, a.limits.Hi
	r.Candidate.Lo, r.Candidate.Hi = b.limits.Lo, b.limits.Hi
	for _, log := range []bool{false, true} {
		va, x, okA := a.on(log, a.matched)
		vb, y, okB := b.on(log, b.matched)
		if !okA || !okB {
			continue
		}
		est, err := stats.JackknifeDifference(va, x, vb, y, c.opt.Level)
		if err != nil {
			continue
		}
		known, serial := noise*math.Hypot(a.value, b.value), [...]float64{a.dependent, b.dependent}
		if log {
			known, serial = noise*math.Sqrt2, [...]float64{a.dependentLog, b.dependentLog}
		}
		v := stats.StandardError{SE: est.SE, DF: est.DF}.Variance()
		for s, df := range [...]float64{a.df, b.df} {
			if se := serial[s]; se > 0 {
				v = v.Plus(stats.StandardError{SE: se, DF: df}.Variance())
			}
		}
		e := v.SE().PlusKnown(known)
		iv, err := e.Interval(est.Value, c.opt.Level)
		if err != nil {
			continue
		}
		ct, sd := withLimits(est.Value, iv, e.DF), orNaN(stats.UnitSD(e.SE, 1, 1))
		if log {
			r.Log, r.UnitSDLog = ct, sd
		} else {
			r.Delta, r.UnitSD = ct, sd
		}
	}
}

// unmatched counts the records of the sides without a partner among the requests.
func (c *comparer) unmatched() (n int64) {
	if c.matched == nil {
		return 0
	}
	for _, side := range c.whole {
		n += side.WithoutPartner()
	}
	return n
}
