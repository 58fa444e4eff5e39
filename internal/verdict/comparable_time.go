package verdict

import (
	"math"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// surely is the p-value below which a course over time is no chance: the runs of
// one side alone tell little of how far chance goes.
const surely = 0.001

// loadChecks compares the achieved request rates. Where the load follows the
// latency (a closed loop: as many requests in flight on both sides), another
// rate is a consequence of the change and only remarked.
func loadChecks(cmp *compare.Comparison, t Comparability) []Check {
	a, b := cmp.Load[0], cmp.Load[1]
	c := Check{Code: OfferedLoad, Baseline: a.Rate, Candidate: b.Rate, Limit: t.Load}
	if a.Rate <= 0 || b.Rate <= 0 {
		return untimed(c, a, b)
	}
	flightA, flightB := a.Rate*cmp.MeanLatency[0], b.Rate*cmp.MeanLatency[1]
	d := relative(a.Rate, b.Rate)
	if a.AtOnce || b.AtOnce {
		// The rate of requests that start at once is at least what is said. Where
		// both sides do, how many there are is what differs.
		if !b.AtOnce && b.Rate >= a.Rate || !a.AtOnce && a.Rate >= b.Rate {
			d = 0
		}
		if a.AtOnce {
			c.Baseline, c.BaselineText = math.NaN(), atOnce(a)
		}
		if b.AtOnce {
			c.Candidate, c.CandidateText = math.NaN(), atOnce(b)
		}
	}
	chance := cmp.LoadP >= clearly
	closed := !chance && !a.AtOnce && !b.AtOnce && d > t.LoadWarn && flightA > 0 && relative(flightA, flightB) < t.ClosedLoop
	switch {
	case closed:
		c.Code, c.Status = ClosedLoop, CheckWarn
		c.BaselineInFlight, c.CandidateInFlight = flightA, flightB
	case d > t.Load && !chance:
		c.Status = CheckFail
	case d > t.Load:
		c.Status, c.Rule = CheckWarn, "chance"
	case d > t.LoadWarn && !chance:
		c.Status = CheckWarn
	}
	out := []Check{c}
	if c, ok := arrivals(cmp, t, closed && relative(flightA, flightB) < d/2); ok {
		out = append(out, c)
	}
	if a.Duration > 0 && b.Duration > 0 {
		l := Check{Code: RunLength, Baseline: a.Duration, Candidate: b.Duration, Limit: t.Duration}
		if math.Max(a.Duration/b.Duration, b.Duration/a.Duration) > t.Duration {
			l.Status = CheckWarn
		}
		out = append(out, l)
	}
	return out
}

// atOnce is how many requests of a run start together.
func atOnce(l metric.Load) string { return strconv.FormatFloat(math.Round(l.Rate+1), 'f', -1, 64) }

// arrivals compares how evenly the requests came: of the same number a second,
// those that come in bursts wait longer. What follows the latency is no condition
// but a consequence, and only remarked; it brings no bursts.
func arrivals(cmp *compare.Comparison, t Comparability, closed bool) (Check, bool) {
	if len(cmp.Arrivals) == 0 {
		return Check{}, false
	}
	found, worst := cmp.Arrivals[0], t.Arrival
	status := CheckOK
	for _, a := range cmp.Arrivals {
		if a.P < surely && a.Apart() > worst {
			found, worst, status = a, a.Apart(), CheckFail
		}
	}
	if closed && math.Max(found.Burst[0], found.Burst[1]) < 1+t.Arrival || toldToKeep(cmp, t) {
		status = min(status, CheckWarn)
	}
	return Check{Code: Arrivals, Status: status, Baseline: found.Burst[0], Candidate: found.Burst[1], Limit: t.Arrival, Count: int(found.Window)}, true
}

// toldToKeep reports whether the clients of both sides were told to keep as many
// requests in flight, and no rate: each answer then sends the next request.
func toldToKeep(cmp *compare.Comparison, t Comparability) bool {
	if cmp.Traffic == nil {
		return false
	}
	a, b := cmp.Traffic[0], cmp.Traffic[1]
	x, y, ok := medians(a, b, metric.ConcurrencySetting)
	_, rateA := a.Median(metric.RateSetting)
	_, rateB := b.Median(metric.RateSetting)
	return ok && !rateA && !rateB && relative(x, y) < t.ClosedLoop
}

// untimed is the check of the offered load where the requests of runs have no
// start. Where one side only has a rate, the check cannot be left out.
func untimed(c Check, a, b metric.Load) []Check {
	if a.Untimed == 0 && b.Untimed == 0 {
		return nil
	}
	c.Status = CheckWarn
	if a.Rate > 0 || b.Rate > 0 {
		c.Status = CheckFail
	}
	switch {
	case a.Untimed > 0 && b.Untimed > 0:
		c.Name = "both sides"
	case a.Untimed > 0:
		c.Name = "the baseline"
	default:
		c.Name = "the candidate"
	}
	if a.Rate <= 0 {
		c.Baseline = math.NaN()
	}
	if b.Rate <= 0 {
		c.Candidate = math.NaN()
	}
	return []Check{c}
}

// warmUp tells runs that begin slow: on one side only, or by more on one, a cold start
// is compared with a warm system.
func warmUp(cmp *compare.Comparison, t Comparability) (Check, bool) {
	w := cmp.WarmUp
	if !w.OK {
		return Check{}, false
	}
	limit := math.Log1p(t.WarmUp)
	c := Check{Code: WarmUp, Baseline: math.Exp(w.Log[0]), Candidate: math.Exp(w.Log[1]), Limit: t.WarmUp, Name: w.Metric.Name, Seconds: w.Seconds}
	c.moves(w.Log, w.P, w.Differ, func(v float64) bool { return v > limit }, limit)
	return c, true
}

// drift tells latencies that climb or fall all through the runs: what a queue or a
// leak does that grows. Their percentiles depend on how long a run lasts. On one
// side only, or further on one, the sides are not in the same state.
func drift(cmp *compare.Comparison, t Comparability) (Check, bool) {
	d := cmp.Drift
	if !d.OK {
		return Check{}, false
	}
	limit := math.Log1p(t.Drift)
	c := Check{Code: Drift, Baseline: math.Exp(d.Log[0]), Candidate: math.Exp(d.Log[1]), Limit: t.Drift, Name: d.Metric.Name}
	c.moves(d.Log, d.P, d.Differ, func(v float64) bool { return math.Abs(v) > limit }, limit)
	return c, true
}

// moves sets the status of a check of how far the runs of each side move, on the log
// scale: whether one moves too far beyond chance, and the sides move unlike by more
// than the limit.
func (c *Check) moves(log, p [2]float64, differ float64, far func(float64) bool, limit float64) {
	sure := false
	for i, v := range log {
		if far(v) {
			c.IDs = append(c.IDs, sideNames[i])
			sure = sure || p[i] < surely
		}
	}
	switch {
	case !sure:
		c.IDs = nil
	case math.Abs(log[0]-log[1]) > limit && differ < surely:
		c.Status = CheckFail
	default:
		c.Status = CheckWarn
	}
}
