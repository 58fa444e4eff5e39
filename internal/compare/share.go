package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// share compares a share of requests. Runs with enough events are compared by
// their fractions; rare events by the pooled counts, unless the runs of a side
// differ more than one common rate allows.
// In two single runs with enough events, the shares of stretches of time say how
// well each is known: misses come in bursts.
func (c *comparer) share(r *Result, item int) {
	sides := c.together(r, c.sides, hasOutcomes)
	a, b := shareArm(r.Metric, sides[0]), shareArm(r.Metric, sides[1])
	r.Exact = true
	if len(a.n) == 0 || len(b.n) == 0 {
		r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN()
		if x, n := a.totals(); n > 0 {
			r.Baseline = c.shareValue(x, n, len(a.n))
		}
		if x, n := b.totals(); n > 0 {
			r.Candidate = c.shareValue(x, n, len(b.n))
			r.Bound = c.shareBound(r.Candidate)
		}
		return
	}
	several := len(a.n) >= 2 && len(b.n) >= 2 && c.design.Unit != Request
	rare := math.Min(a.eventsPerUnit(), b.eventsPerUnit()) < c.opt.MinEvents
	over := several && (c.overdispersed(a) || c.overdispersed(b))
	if several && (!rare || over) {
		if rare && over {
			r.warn("overdispersed", "failures come in some runs more than in others, so the runs are compared by their shares")
		}
		x, y := a.byRun(), b.byRun()
		switch c.fill(r, x, y); {
		case x.resampled:
		case c.pairs != nil:
			r.Method = "shares of pairs of runs, t"
		default:
			r.Method = "shares of runs, Welch t"
		}
		return
	}
	if x, y := c.stretches(a, 0, item), c.stretches(b, 1, item); x != nil && y != nil {
		c.fill(r, x, y)
		return
	}
	c.counts(r, a, b)
}

// byCounts reports whether a share was compared by the counts of all runs together:
// failures are few then, and tell nothing of how runs differ. Without any the runs
// are alike to the last digit.
func (r *Result) byCounts() bool {
	return r.Metric.Kind == metric.Share && math.IsNaN(r.UnitSD) && r.Delta.HasInterval()
}

// clipShare cuts the limits of a difference of shares to the values that it can
// have. The errors stay.
func (c *Contrast) clipShare() {
	if c.HasInterval() {
		c.Lo, c.Hi = math.Max(c.Lo, -1), math.Min(c.Hi, 1)
	}
}

// stretches is the arm of a single run from its batches, nil without them.
func (c *comparer) stretches(s shares, side, item int) *arm {
	batches, ok := c.batched[side][item]
	if !ok || len(s.n) != 1 {
		return nil
	}
	est, err := stats.MeanT(batches.Means, c.opt.Level)
	if err != nil || !(est.SE > 0) {
		return nil
	}
	a := &arm{n: s.n[0], units: 1, exact: true, tail: math.Inf(1), value: float64(s.x[0]) / float64(s.n[0]), se: est.SE, df: est.DF, share: true}
	half := est.Interval.Width() / 2
	a.limits = stats.Interval{Lo: math.Max(0, a.value-half), Hi: math.Min(1, a.value+half), Level: c.opt.Level}
	a.method = "t on shares of time batches"
	return a
}

// common reports whether both outcomes of a single run are frequent enough to
// be looked at in stretches: twenty each, on average one a stretch.
func (s shares) common(minEvents float64) bool {
	return len(s.n) == 1 && s.eventsPerUnit() >= 4*minEvents
}

type shares struct{ x, n []int64 }

func hasOutcomes(u *metric.Unit) bool { return u.Requests() > 0 && !u.NoOutcomes }

func shareArm(m *metric.Metric, side *metric.Side) shares {
	var s shares
	for _, u := range side.Units {
		if hasOutcomes(u) {
			s.x, s.n = append(s.x, m.Hits(u.OK(), u.Good)), append(s.n, u.Requests())
		}
	}
	return s
}

func (s shares) totals() (x, n int64) {
	for i := range s.x {
		x += s.x[i]
		n += s.n[i]
	}
	return x, n
}

// eventsPerUnit is the mean number of the rarer outcome.
func (s shares) eventsPerUnit() float64 {
	x, n := s.totals()
	return float64(min(x, n-x)) / float64(len(s.n))
}

func (c *comparer) overdispersed(s shares) bool {
	t, err := stats.Overdispersion(s.x, s.n)
	return err == nil && t.P < c.opt.OverdispersionAlpha
}

func (s shares) byRun() *arm {
	_, n := s.totals()
	a := &arm{n: n, units: len(s.n), exact: true, tail: math.Inf(1)}
	p := make([]float64, len(s.n))
	for i := range p {
		p[i] = float64(s.x[i]) / float64(s.n[i])
	}
	// Shares are finite, so that only a side without units has no mean.
	if err := a.ofUnits(p, nil); err != nil {
		a.units = 0
	}
	return a
}

// counts compares pooled counts by the Miettinen–Nurminen score interval.
func (c *comparer) counts(r *Result, a, b shares) {
	xa, na := a.totals()
	xb, nb := b.totals()
	r.Method = "pooled counts, Miettinen–Nurminen score interval"
	r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN()
	r.Baseline = c.shareValue(xa, na, len(a.n))
	r.Candidate = c.shareValue(xb, nb, len(b.n))
	d := r.Candidate.Value - r.Baseline.Value
	r.Bound = c.shareBound(r.Candidate)
	r.Delta = noInterval(d)
	if xa > 0 && xb > 0 {
		r.Log = noInterval(math.Log(r.Candidate.Value / r.Baseline.Value))
	}
	est, err := stats.MiettinenNurminen(xa, na, xb, nb, c.opt.Level)
	if err != nil {
		return
	}
	r.Delta = withLimits(d, est.Interval, math.Inf(1))
	r.Delta.score = func(null float64, alt stats.Alternative) float64 {
		t, err := stats.MiettinenNurminenTest(xa, na, xb, nb, null, alt)
		if err != nil {
			return 1
		}
		return t.P
	}
}

func (c *comparer) shareValue(x, n int64, units int) Value {
	v := Value{OK: true, Value: float64(x) / float64(n), N: n, Units: units, Lo: 0, Hi: 1}
	if est, err := stats.Wilson(x, n, c.opt.Level); err == nil {
		v.Lo, v.Hi = est.Interval.Lo, est.Interval.Hi
	}
	return v
}

// shareBound is the candidate's share alone: what a limit is held against.
func (c *comparer) shareBound(v Value) Contrast {
	return withLimits(v.Value, v.interval(c.opt.Level), math.Inf(1))
}
