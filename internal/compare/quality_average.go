package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// macro is the average over tasks that gives every task one vote. Tasks are
// fixed and their items independent, so the squared distances from the values of
// the tasks to their limits add up (MOVER), with Satterthwaite's degrees of
// freedom. Where tasks are the clusters, and so a sample of tasks, it is
// Student's t on the tasks' differences; where other clusters reach over tasks
// the variance is that of the clusters' sums (CR1).
func (c *quality) macro(series []*pairing.Series, parts []*sample, micro Result) (Result, error) {
	items := *micro.Items
	r := Result{Metric: micro.Metric, Filter: micro.Filter, Estimand: mean, Exact: true, Items: &items, Average: Macro}
	r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN()
	items.ItemSD = math.NaN()
	whole := true
	var known, lowest, highest []itemEstimate
	var base, cand []Value
	for _, b := range parts {
		if len(b.x) == 0 {
			// A task without a pair has no vote where missing items are left
			// out; else it could have gone either way.
			if c.q.Missing != Drop {
				whole = false
			}
			continue
		}
		e, err := c.estimate(&b.scores, b.items.Binary, b.scale)
		if err != nil {
			return r, err
		}
		low, high := e, e
		if b.lowest != nil {
			if low, err = c.estimate(b.lowest, b.items.Binary, b.scale); err != nil {
				return r, err
			}
			if high, err = c.estimate(b.highest, b.items.Binary, b.scale); err != nil {
				return r, err
			}
		}
		known, lowest, highest = append(known, e), append(lowest, low), append(highest, high)
		base = append(base, c.value(b.x, b.cluster, b.items.Binary, b.scale))
		cand = append(cand, c.value(b.y, b.cluster, b.items.Binary, b.scale))
	}
	items.Tasks = len(known)
	if len(known) == 0 {
		r.Method = "none"
		return r, nil
	}
	r.Method = "one vote a task, limits of the tasks combined (MOVER)"
	byTask := c.out.Quality.Cluster == ByTask
	if byTask {
		r.Method = "t on the differences of tasks"
	}
	spans := !byTask && c.clustersSpan(parts)
	if spans {
		r.Method = "one vote a task, cluster sums (CR1), t"
	}
	average := func(of []itemEstimate, pick func(*sample) *scores) itemEstimate {
		e := c.combine(of)
		if byTask {
			c.taskMeans(&e, of)
		}
		if spans {
			c.spanning(&e, parts, pick)
		}
		e.log = c.hull(math.Log(e.y/e.x), c.ratio(&e, false), e.mapped())
		if !(e.x > 0 && e.y > 0) {
			e.log = Contrast{}
		}
		return e
	}
	k := average(known, func(b *sample) *scores { return &b.scores })
	r.Delta, r.Log = k.delta, k.log
	items.Known, items.Lowest, items.Highest = k.delta, k.delta, k.delta
	items.KnownLog = k.log
	if micro.Items.Unknown > 0 && c.q.Missing == Bound {
		low := average(lowest, func(b *sample) *scores { return or(b.lowest, &b.scores) })
		high := average(highest, func(b *sample) *scores { return or(b.highest, &b.scores) })
		items.Lowest, items.Highest = low.delta, high.delta
		r.Delta = c.hull(k.delta.Value, k.delta, low.delta, high.delta)
		if r.Log.OK {
			r.Log = c.hull(k.log.Value, k.log, low.log, high.log)
		}
		r.Method += ", over the worst and the best for missing scores"
	}
	r.Baseline, r.Candidate = c.meanValue(base), c.meanValue(cand)
	r.Bound = noInterval(r.Candidate.Value)
	if v := r.Candidate; !math.IsInf(v.Lo, -1) && items.Unknown == 0 {
		r.Bound = withLimits(v.Value, v.interval(c.opt.Level), math.Inf(1))
	}
	if !whole {
		r.Delta, r.Log = noInterval(r.Delta.Value), Contrast{}
		r.warn("task_without_pairs", "a task has no item with a score on both sides, so the average over tasks is not known")
	}
	items.ItemSD = r.Delta.itemSD(items.Matched)
	return r, nil
}

func or(a, b *scores) *scores {
	if a != nil {
		return a
	}
	return b
}

// combine averages the estimates of tasks.
func (c *quality) combine(of []itemEstimate) itemEstimate {
	var out itemEstimate
	var all []paired.Moments
	var errors []stats.SidedError
	for _, e := range of {
		all = append(all, e.moments)
		errors = append(errors, stats.SidedError{Lo: e.delta.SELo, Hi: e.delta.SEHi, DF: e.delta.DF})
	}
	var err error
	if out.moments, err = paired.MeanMoments(all); err != nil {
		return itemEstimate{delta: noInterval(math.NaN())}
	}
	m := &out.moments
	out.x, out.y = m.X, m.Y
	// Without an interval of some task its error is NaN, and so is refused.
	whole, err := stats.MeanError(errors)
	if err != nil || math.IsInf(whole.Lo, 0) || math.IsInf(whole.Hi, 0) {
		m.DF = 0
		out.delta = noInterval(out.y - out.x)
		return out
	}
	m.DF = whole.DF
	out.delta = c.byError(out.y-out.x, whole)
	return out
}

// taskMeans replaces the error of an average over tasks by that of tasks drawn
// at random.
func (c *quality) taskMeans(e *itemEstimate, of []itemEstimate) {
	e.clusters = len(of)
	var x, y []float64
	for _, t := range of {
		x, y = append(x, t.x), append(y, t.y)
	}
	m, err := paired.PairMoments(x, y)
	if err != nil || len(of) < 2 || m.VarDiff == 0 {
		e.delta, e.moments.DF = noInterval(e.y-e.x), 0
		return
	}
	e.moments = m
	e.delta = c.byError(e.y-e.x, sided(m.DifferenceError()))
}

// sided is an error that is as large below as above.
func sided(e stats.StandardError) stats.SidedError {
	return stats.SidedError{Lo: e.SE, Hi: e.SE, DF: e.DF}
}

// byError is a contrast from the errors below and above.
func (c *quality) byError(value float64, e stats.SidedError) Contrast {
	iv, err := e.Interval(value, c.opt.Level)
	if err != nil {
		return noInterval(value)
	}
	return Contrast{OK: true, Value: value, Lo: iv.Lo, Hi: iv.Hi, SELo: e.Lo, SEHi: e.Hi, DF: e.DF}
}

// meanValue averages the values of tasks and combines their limits.
func (c *quality) meanValue(vs []Value) Value {
	out := Value{OK: true, Lo: math.Inf(-1), Hi: math.Inf(1)}
	var values []float64
	var limits []stats.Interval
	for _, v := range vs {
		out.N += v.N
		out.Units += v.Units
		values, limits = append(values, v.Value), append(limits, v.interval(c.opt.Level))
	}
	mean, iv, err := stats.MOVERMean(values, limits)
	if err != nil {
		return Value{}
	}
	out.Value, out.Lo, out.Hi = mean, iv.Lo, iv.Hi
	return out
}

// clustersSpan reports whether some cluster has items of several tasks. The
// codes of a sample are its own, so the words are compared.
func (c *quality) clustersSpan(parts []*sample) bool {
	if c.cluster == nil {
		return false
	}
	home := map[string]int{}
	for t, b := range parts {
		for _, word := range b.words {
			if had, ok := home[word]; ok && had != t {
				return true
			}
			home[word] = t
		}
	}
	return false
}

// spanning replaces the error of an average over tasks by that of the sums of
// clusters that reach over tasks.
func (c *quality) spanning(e *itemEstimate, parts []*sample, pick func(*sample) *scores) {
	codes := map[string]int{}
	var x, y, d []float64
	var task, cluster []int
	for t, b := range parts {
		if len(b.x) == 0 {
			continue
		}
		s := pick(b)
		for i, v := range s.diff() {
			word := b.words[s.cluster[i]]
			k, ok := codes[word]
			if !ok {
				k = len(codes)
				codes[word] = k
			}
			task, cluster = append(task, t), append(cluster, k)
			x, y, d = append(x, s.x[i]), append(y, s.y[i]), append(d, v)
		}
	}
	m := &e.moments
	for i, v := range [][]float64{x, y, d} {
		est, err := paired.StratifiedClusters(v, task, cluster, c.opt.Level)
		if err != nil {
			e.delta = noInterval(e.y - e.x)
			return
		}
		*[]*float64{&m.VarX, &m.VarY, &m.VarDiff}[i], m.DF = est.SE*est.SE, est.DF
	}
	// Never surer than the tasks are one by one; where few items differ they
	// have to speak.
	whole, own := sided(m.DifferenceError()), e.delta
	e.clusters = len(codes)
	switch {
	case own.HasInterval():
		e.delta = c.byError(e.y-e.x, stats.SidedError{Lo: math.Max(whole.Lo, own.SELo), Hi: math.Max(whole.Hi, own.SEHi), DF: math.Min(m.DF, own.DF)})
	case changed(d) < c.q.RareDifferences:
		e.delta = noInterval(e.y - e.x)
	default:
		e.delta = c.byError(e.y-e.x, whole)
	}
}
