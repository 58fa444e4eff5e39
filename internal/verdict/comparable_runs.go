package verdict

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// clearly is the p-value below which a difference between shares is no chance: of the
// whole, and of the critical slices together.
const clearly = 0.01

// traffic is what a check looks at: all of it, or a critical slice.
type traffic struct {
	sides []*metric.Side
	gates []Gate
	slice bool
	level float64 // from which a difference between shares is no chance
}

// alsoOfSlices makes a check of the whole and, unless that fails, of every critical
// slice: those that fail follow. Of many slices one differs by chance, so that they
// share the level at which a difference is none.
func alsoOfSlices(cmp *compare.Comparison, gates []Gate, check func(traffic) (Check, bool)) (out []Check) {
	of := map[string][]Gate{}
	var names []string
	sides := map[string][]*metric.Side{"": cmp.Sides}
	for _, g := range gates {
		name := ""
		if r := g.Result; r.Slice != nil {
			if len(r.Whole) < 2 {
				continue
			}
			name = r.Slice.String()
			sides[name] = r.Whole
		}
		if of[name] == nil && name != "" {
			names = append(names, name)
		}
		of[name] = append(of[name], g)
	}
	whole, ok := check(traffic{sides: cmp.Sides, gates: of[""], level: clearly})
	if ok {
		out = append(out, whole)
	}
	for _, name := range names {
		if c, ok := check(traffic{sides[name], of[name], true, clearly / float64(len(names))}); ok && c.Status == CheckFail && whole.Status != CheckFail {
			c.Name = name
			out = append(out, c)
		}
	}
	return out
}

// failures compares the shares of failed requests. Latencies are those of the
// requests that succeeded: where many more fail on one side, the slow ones are
// likely to be among them. Requests that timed out and count in latencies are not
// missing. A gate of the success rate or of goodput judges the difference itself.
func failures(of traffic, t Comparability) (Check, bool) {
	a, b := of.sides[0], of.sides[1]
	n1, n2 := a.OK()+a.Failed(), b.OK()+b.Failed()
	x1, x2 := max(0, a.Failed()-a.Censored()), max(0, b.Failed()-b.Censored())
	if n1 == 0 || n2 == 0 || a.NoOutcomes() || b.NoOutcomes() {
		return Check{}, false
	}
	c := Check{Code: FailedShare, Baseline: float64(x1) / float64(n1), Candidate: float64(x2) / float64(n2), Limit: t.Failures}
	if math.Min(c.Baseline, c.Candidate) > t.ManyFailures {
		c.Status = CheckWarn
	}
	judged := slices.ContainsFunc(of.gates, func(g Gate) bool {
		return g.Judged && g.Result.Metric.Kind == metric.Share
	})
	d := math.Abs(c.Baseline - c.Candidate)
	far := farthest(of.gates)
	limit := inTail(far, t.Failures)
	if judged || d <= math.Min(limit, t.FailuresWarn) || !unlike(x1, n1, x2, n2, of.level) {
		return c, true
	}
	c.Status = CheckWarn
	switch {
	case d > t.Failures:
		c.Status = CheckFail
	case d > limit:
		c.Status, c.Limit, c.Rule, c.Result = CheckFail, limit, "tail", far
	}
	return c, true
}

// rejected compares the shares of records that cannot be true. What is left out may be
// what is slow, as with values that are missing.
func rejected(of traffic, p Policy) (Check, bool) {
	a, b := of.sides[0], of.sides[1]
	n1, n2 := a.Records()-a.Excluded(), b.Records()-b.Excluded()
	c := Check{Code: RejectedRecords, Limit: p.MaxRejected, Baseline: rejectedShare(a), Candidate: rejectedShare(b)}
	far := farthest(of.gates)
	limit := inTail(far, p.MaxRejected)
	switch worst := math.Max(c.Baseline, c.Candidate); {
	case worst > p.MaxRejected && !of.slice, of.slice && (exceeds(a.Rejected(), n1, p.MaxRejected, of.level) || exceeds(b.Rejected(), n2, p.MaxRejected, of.level)):
		c.Status = CheckFail
	case worst == 0:
	case math.Abs(c.Baseline-c.Candidate) > limit && unlike(a.Rejected(), n1, b.Rejected(), n2, of.level):
		c.Status, c.Limit, c.Rule, c.Result = CheckFail, limit, "tail", far
	default:
		c.Status = CheckWarn
	}
	return c, true
}

// unlike reports whether two shares differ by more than chance.
func unlike(x1, n1, x2, n2 int64, level float64) bool {
	test, err := stats.MiettinenNurminenTest(x1, n1, x2, n2, 0, stats.TwoSided)
	return err == nil && test.P < level
}

// exceeds reports whether a share is larger than a limit by more than chance. Of a small
// slice one request is a large share.
func exceeds(x, n int64, limit, level float64) bool {
	share, err := stats.ClopperPearson(x, n, 1-2*level)
	return err == nil && share.Interval.Lo > limit
}

// farthest is the judged percentile that has the fewest requests beyond it, nil if none
// is so far out that a few of them hide it.
func farthest(gates []Gate) (far *compare.Result) {
	for i := range gates {
		if r := gates[i].Result; gates[i].Judged && r.Estimand.Kind == metric.Quantile && beyond(r) < fullTail && (far == nil || beyond(r) < beyond(far)) {
			far = r
		}
	}
	return far
}

// beyond is the share of requests beyond a percentile.
func beyond(r *compare.Result) float64 { return math.Min(r.Estimand.Q, 1-r.Estimand.Q) }

// inTail is the difference of shares that is tolerated for a percentile, of the one that
// is in general.
func inTail(r *compare.Result, limit float64) float64 {
	if r == nil {
		return limit
	}
	return limit * beyond(r) / fullTail
}

// lacking tells judged metrics of which values are missing: in whole runs, which
// are then no evidence, in a good part of the requests, or in more of them on one
// side. What is missing may be what is slow. A metric without any value on a side
// is not judged. Critical slices are looked at where nothing is said of the whole.
func lacking(cmp *compare.Comparison, t Comparability, gates []Gate) (out []Check) {
	type about struct{ metric, slice string }
	seen, tails := map[about]bool{}, map[*compare.Result]bool{}
	critical := map[string]bool{}
	for _, g := range gates {
		if g.Judged && g.Result.Slice != nil {
			critical[g.Result.Slice.String()] = true
		}
	}
	for _, slices := range []bool{false, true} {
		for i := range gates {
			r := gates[i].Result
			of, level := about{metric: r.Metric.Name}, clearly
			if !gates[i].Judged || (r.Slice != nil) != slices || slices && seen[of] {
				continue
			}
			if slices {
				of.slice, level = r.Slice.String(), clearly/float64(len(critical))
			}
			if seen[of] {
				continue
			}
			found := lack(r, t, level)
			seen[of] = len(found) > 0
			if c, ok := lackTail(r, t, level); ok && found == nil && !tails[r] {
				found, tails[r] = []Check{c}, true // a limit is about the same result
			}
			out = append(out, found...)
		}
	}
	return out
}

// lackMore reports whether more values are missing on one side than on the other,
// by more than a limit and more than chance.
func lackMore(l [2]metric.Lack, limit, level float64) bool {
	return math.Abs(l[0].Share()-l[1].Share()) > limit && unlike(l[0].Requests, l[0].OfRequests, l[1].Requests, l[1].OfRequests, level)
}

// fullTail is the share of requests beyond a percentile from which the difference
// that is tolerated is the whole one. Of further percentiles less is, in proportion:
// with the default of 1 %, half of what lies beyond them.
const fullTail = 0.02

// lackTail is the check of a percentile far out, which a few missing values hide. It
// is about this percentile alone.
func lackTail(r *compare.Result, t Comparability, level float64) (Check, bool) {
	limit := inTail(r, t.MissingMore)
	if r.Estimand.Kind != metric.Quantile || beyond(r) >= fullTail || !lackMore(r.Lack, limit, level) {
		return Check{}, false
	}
	return Check{Code: Lacking, Status: CheckFail, Name: r.Metric.Name, Result: r, Baseline: r.Lack[0].Share(), Candidate: r.Lack[1].Share(), Limit: limit, Rule: "tail"}, true
}

// lack are the checks of a result that fail.
func lack(r *compare.Result, t Comparability, level float64) (out []Check) {
	about := r
	if r.Slice == nil {
		about = nil
	}
	for s, l := range r.Lack {
		if l.Runs > 0 {
			out = append(out, Check{Code: Lacking, Status: CheckFail, Name: r.Metric.Name, Result: about, Count: l.Runs, Of: l.OfRuns, BaselineText: sideNames[s]})
		}
	}
	if out != nil {
		return out
	}
	a, b := r.Lack[0], r.Lack[1]
	c := Check{Code: Lacking, Status: CheckFail, Name: r.Metric.Name, Result: about, Baseline: a.Share(), Candidate: b.Share(), Limit: t.Missing, Rule: "share"}
	many := math.Max(c.Baseline, c.Candidate) > t.Missing
	if r.Slice != nil {
		many = exceeds(a.Requests, a.OfRequests, t.Missing, level) || exceeds(b.Requests, b.OfRequests, t.Missing, level)
	}
	if !many {
		if !lackMore(r.Lack, t.MissingMore, level) {
			return nil
		}
		c.Limit, c.Rule = t.MissingMore, "difference"
	}
	return []Check{c}
}

var sideNames = [...]string{"baseline", "candidate"}

// copied tells runs that repeat another: one that is on both sides hides the
// change, one that is twice on a side claims evidence that there is not.
func copied(cmp *compare.Comparison) (out []Check) {
	k := cmp.Copies
	if len(k.Across) > 0 && !cmp.SameData {
		c := Check{Code: CopiedRuns, Status: CheckFail, Count: len(k.Across), Of: len(cmp.Sides[0].Units), IDs: k.Across}
		if k.All {
			c.Status = CheckWarn
		}
		out = append(out, c)
	}
	for i, name := range sideNames {
		if n := len(k.Within[i]); n > 0 {
			out = append(out, Check{Code: CopiedRuns, Status: CheckFail, Name: name, Count: n, Of: len(cmp.Sides[i].Units), IDs: k.Within[i]})
		}
	}
	return out
}

// sendTimes tells when requests were sent: later than they should have been, in
// runs that ran together, or while the other side ran.
func sendTimes(cmp *compare.Comparison, t Comparability) (out []Check) {
	if cmp.Traffic != nil {
		lateA, okA := cmp.Traffic[0].MeanLateness()
		lateB, okB := cmp.Traffic[1].MeanLateness()
		if okA && okB && cmp.MeanWait[0] > 0 && cmp.MeanWait[1] > 0 {
			c := Check{Code: LateSends, Baseline: lateA / cmp.MeanWait[0], Candidate: lateB / cmp.MeanWait[1], Limit: t.Late}
			switch d := math.Abs(c.Baseline - c.Candidate); {
			case d > t.Late:
				c.Status = CheckFail
			case d > t.LateWarn, math.Max(c.Baseline, c.Candidate) > t.Late:
				c.Status = CheckWarn
			}
			out = append(out, c)
		}
		if s := cmp.FromScheduled; s[0] != s[1] {
			// The known lag is what the other side leaves out.
			c := Check{Code: LateSends, Baseline: math.NaN(), Candidate: math.NaN(), Limit: t.Late, Status: CheckWarn}
			late, wait := lateA, cmp.MeanWait[0]
			if c.Name = "baseline"; s[1] {
				c.Name, late, wait = "candidate", lateB, cmp.MeanWait[1]
			}
			share := 0.0
			if wait > 0 {
				share = late / wait
			}
			if c.Baseline = share; s[1] {
				c.Baseline, c.Candidate = math.NaN(), share
			}
			if share > t.Late {
				c.Status = CheckFail
			}
			out = append(out, c)
		}
	}
	if o := cmp.Overlap; o.OK {
		out = append(out, Check{Code: TimeOverlap, Baseline: o.Across[0], Candidate: o.Across[1]})
		if math.Max(o.Within[0], o.Within[1]) > 0 {
			out = append(out, Check{Code: RunsAtOnce, Status: CheckWarn, Baseline: o.Within[0], Candidate: o.Within[1]})
		}
	}
	return out
}
