package compare

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Requests that timed out and count as "at least" (metric.Timeouts) stand in a
// distribution with the least that they can have been. What is read from it is
// then the least that it can be too. It is the value itself as long as it takes
// only values below the smallest of these: how slow those requests really were
// does not change how many values lie below it. Beyond, it is known from below
// only, and an upper limit is none. No assumption is made about how the requests
// would have gone on; the estimator of Kaplan and Meier (1958, doi
// 10.1080/01621459.1958.10501452), which takes those given up early to be like
// the rest, is not used: a server times out the requests that it is slow at.

// timeoutReach says how far an arm is known where requests timed out.
type timeoutReach struct {
	any    bool    // some values are the least that they can be
	from   float64 // the smallest of those
	last   float64 // the largest value below it: what lies beyond is not known
	values bool    // the value of the arm is one of those not known
	limits bool    // its upper limit is: a value with a unit left out reaches them
}

// reachOf finds how far the values of an item are known.
func reachOf(side *metric.Side, item int) timeoutReach {
	t := timeoutReach{from: math.Inf(1), last: math.Inf(-1)}
	for _, u := range side.Units {
		if c := &u.Cells[item]; c.AtLeast > 0 {
			t.any, t.from = true, math.Min(t.from, c.FirstAtLeast)
		}
	}
	if !t.any {
		return t
	}
	for _, s := range side.Sketches(item) {
		if v, err := s.OrderStatistic(below(s, t.from)); err == nil {
			t.last = math.Max(t.last, v)
		}
	}
	return t
}

// below counts the values of a sketch below v; those of a histogram may lie
// lower than they seem.
func below(s *sketch.Sketch, v float64) int64 {
	v *= 1 - 2*s.RelativeError()
	return int64(math.Round(s.CDF(math.Nextafter(v, math.Inf(-1))) * float64(s.N())))
}

// reachTimeouts finds whether the value of an arm takes values that are not
// known, and whether it does with a unit left out.
func (a *arm) reachTimeouts(parts []*sketch.Sketch, e metric.Estimand) {
	t := &a.late
	switch {
	case !t.any:
		return
	case e.Kind == metric.Mean: // every value counts
		t.values, t.limits = true, true
		return
	case e.Kind != metric.Quantile:
		t.values = a.value > t.last
		t.limits = t.values
		return
	}
	known := make([]int64, len(parts))
	for k, s := range parts {
		known[k] = below(s, t.from)
	}
	t.values = a.mix.QuantileBeyond(known, -1, e.Q)
	t.limits = t.values
	for k := range parts {
		t.limits = t.limits || len(parts) > 1 && a.mix.QuantileBeyond(known, k, e.Q)
	}
}

// openValue takes the upper limit of a side whose value reaches timed-out
// requests.
func (v *Value) openValue(a *arm) {
	t := &a.late
	if v.AtLeast = t.values; t.limits || t.any && (a.df > 0 && a.limits.Hi > t.last || a.resampled && v.Hi > t.last) {
		v.Hi, v.Open = math.Inf(1), true
	}
}

// openTimeouts takes the limits of a result that timed-out requests make
// unknown: the candidate may be slower than it seems, or the baseline was.
func (r *Result) openTimeouts(a, b *arm) {
	r.Baseline.openValue(a)
	r.Candidate.openValue(b)
	r.openChanges(&r.Delta, &r.Log)
	if r.Candidate.Open {
		r.Bound.Hi, r.Bound.SEHi = math.Inf(1), openSE(r.Bound.SEHi)
	}
	if r.Baseline.Open || r.Candidate.Open {
		r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN() // more runs would not tell
	}
}

func (r *Result) openChanges(changes ...*Contrast) {
	for _, ct := range changes {
		if !ct.OK {
			continue
		}
		if r.Candidate.Open {
			ct.Hi, ct.SEHi = math.Inf(1), openSE(ct.SEHi)
		}
		if r.Baseline.Open {
			ct.Lo, ct.SELo = math.Inf(-1), openSE(ct.SELo)
		}
	}
}

// openSE is the standard error towards no limit; NaN stays what no interval has.
func openSE(se float64) float64 {
	if math.IsNaN(se) {
		return se
	}
	return math.Inf(1)
}

// openLike does for the change like for like what openTimeouts does for that of
// all traffic. Another mix may reach the timed-out requests where the traffic
// as it was does not.
func (r *Result) openLike(item int, sides []*metric.Side) {
	if r.Like == nil {
		return
	}
	for s, v := range []*Value{&r.Baseline, &r.Candidate} {
		t := reachOf(sides[s], item)
		most := v.Value
		if s == 1 {
			most = r.Baseline.Value * math.Exp(r.Like.Log.Hi)
		}
		if v.Open = v.Open || t.any && most > t.last; v.Open {
			v.Hi = math.Inf(1)
		}
	}
	r.openChanges(&r.Like.Delta, &r.Like.Log, &r.Like.Total, &r.Like.Within, &r.Like.Mix, &r.Like.OffSupport)
	for i := range r.Like.Factors {
		r.openChanges(&r.Like.Factors[i].Mix)
	}
}

// timeoutRemarks says what timed-out requests do to a result.
func (c *comparer) timeoutRemarks(r *Result, item int) {
	var counted, untold int64
	for s, v := range []*Value{&r.Baseline, &r.Candidate} {
		if s == len(c.sides) {
			break
		}
		var n int64
		for _, u := range c.sides[s].Units {
			n += u.Cells[item].AtLeast
			untold += u.Cells[item].NoTimeout
		}
		counted += n
		which := " of the " + sideNames[s]
		if len(c.sides) == 1 {
			which = ""
		}
		switch {
		case v.AtLeast:
			r.warn("at_least", fmt.Sprintf("%s %s%s is at least what is shown and has no upper limit: it depends on %s that timed out", r.Metric, r.Estimand, which, requests(n)))
		case v.Open:
			r.warn("at_least", fmt.Sprintf("%s %s%s has no upper limit: its interval reaches %s that timed out", r.Metric, r.Estimand, which, requests(n)))
		}
	}
	if counted > 0 {
		r.warn("timeouts_counted", fmt.Sprintf("in %s, %s that timed out count as at least the time they took: a value that depends on them is marked ≥ and has no upper limit", r.Metric, requests(counted)))
	}
	if untold > 0 {
		r.warn("timeouts_untold", fmt.Sprintf("in %s, the records of %s that timed out tell no time: nothing is known of them but that they took more than 0; give the timeout, for example --timeouts censor=60s", r.Metric, requests(untold)))
	}
}
