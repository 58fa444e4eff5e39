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
		e.log = c.hull(math.Log(e.y/e.x), c.ratio(&e, false), e.mapped(c))
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
		z := stats.NormalQuantile(1 - c.opt.alpha())
		r.Bound = Contrast{OK: true, Value: v.Value, Lo: v.Lo, Hi: v.Hi, SELo: (v.Value - v.Lo) / z, SEHi: (v.Hi - v.Value) / z, DF: math.Inf(1)}
	}
	if !whole {
		r.Delta, r.Log = noInterval(r.Delta.Value), Contrast{}
		r.warn("task_without_pairs", "a task has no item with a score on both sides, so the average over tasks is not known")
	}
	if se := math.Max(r.Delta.SELo, r.Delta.SEHi); !math.IsInf(se, 0) {
		items.ItemSD = se * math.Sqrt(float64(items.Matched))
	}
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
	t := float64(len(of))
	var lo, hi, vdf, naive float64
	ok := true
	m := &out.moments
	for _, e := range of {
		out.x, out.y = out.x+e.x/t, out.y+e.y/t
		m.vx, m.vy, m.vd = m.vx+e.moments.vx/t/t, m.vy+e.moments.vy/t/t, m.vd+e.moments.vd/t/t
		naive += e.moments.naive / t / t
		ok = ok && e.delta.OK && !math.IsNaN(e.delta.DF)
		lo, hi = lo+sq(e.delta.SELo/t), hi+sq(e.delta.SEHi/t)
		v := math.Max(e.delta.SELo, e.delta.SEHi) / t
		if !math.IsInf(e.delta.DF, 1) {
			vdf += v * v * v * v / e.delta.DF
		}
	}
	m.x, m.y, m.naive, m.df = out.x, out.y, naive, math.Inf(1)
	value := out.y - out.x
	if !ok || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		m.df = 0
		out.delta = noInterval(value)
		return out
	}
	df := math.Inf(1)
	if vdf > 0 {
		df = sq(math.Max(lo, hi)) / vdf
		m.df = df
	}
	out.delta = c.byError(value, math.Sqrt(lo), math.Sqrt(hi), df)
	return out
}

// taskMeans replaces the error of an average over tasks by that of tasks drawn
// at random.
func (c *quality) taskMeans(e *itemEstimate, of []itemEstimate) {
	e.clusters = len(of)
	var x, y, d []float64
	for _, t := range of {
		x, y, d = append(x, t.x), append(y, t.y), append(d, t.y-t.x)
	}
	m, err := c.momentsOf(x, y, d, nil)
	if err != nil || len(of) < 2 || m.vd == 0 {
		e.delta, e.moments.df = noInterval(e.y-e.x), 0
		return
	}
	e.moments = m
	se := math.Sqrt(m.vd)
	e.delta = c.byError(e.y-e.x, se, se, m.df)
}

// byError is a contrast from standard errors below and above.
func (c *quality) byError(value, lo, hi, df float64) Contrast {
	t := stats.TQuantile(1-c.opt.alpha(), df)
	return Contrast{OK: true, Value: value, Lo: value - t*lo, Hi: value + t*hi, SELo: lo, SEHi: hi, DF: df}
}

func sq(v float64) float64 { return v * v }

// meanValue averages the values of tasks and combines their limits.
func (c *quality) meanValue(vs []Value) Value {
	out := Value{OK: true}
	t := float64(len(vs))
	var lo, hi float64
	for _, v := range vs {
		out.Value += v.Value / t
		out.N += v.N
		out.Units += v.Units
		lo, hi = lo+sq((v.Value-v.Lo)/t), hi+sq((v.Hi-v.Value)/t)
	}
	out.Lo, out.Hi = out.Value-math.Sqrt(lo), out.Value+math.Sqrt(hi)
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
	var cluster []int
	tasks, total, differ := 0, 0, 0
	for _, b := range parts {
		if len(b.x) > 0 {
			tasks++
			total += len(pick(b).x)
			differ += changed(pick(b).diff())
		}
	}
	for _, b := range parts {
		s := pick(b)
		if len(b.x) == 0 {
			continue
		}
		// Residuals weighted so that their mean over all items is the error of
		// the average.
		w := float64(total) / float64(tasks) / float64(len(s.x))
		mx, _ := stats.Mean(s.x)
		my, _ := stats.Mean(s.y)
		for i := range s.x {
			word := b.words[s.cluster[i]]
			k, ok := codes[word]
			if !ok {
				k = len(codes)
				codes[word] = k
			}
			cluster = append(cluster, k)
			x, y = append(x, w*(s.x[i]-mx)), append(y, w*(s.y[i]-my))
			d = append(d, w*(s.y[i]-my-s.x[i]+mx))
		}
	}
	m := &e.moments
	for i, v := range [][]float64{x, y, d} {
		est, err := paired.ClusterRobust(v, cluster, paired.CR1, c.opt.Level)
		if err != nil {
			e.delta = noInterval(e.y - e.x)
			return
		}
		*[]*float64{&m.vx, &m.vy, &m.vd}[i], m.df = est.SE*est.SE, est.DF
	}
	// Never surer than the tasks are one by one; where few items differ they
	// have to speak.
	se, own := math.Sqrt(m.vd), e.delta
	e.clusters = len(codes)
	switch {
	case own.HasInterval():
		e.delta = c.byError(e.y-e.x, math.Max(se, own.SELo), math.Max(se, own.SEHi), math.Min(m.df, own.DF))
	case differ < c.q.RareDifferences:
		e.delta = noInterval(e.y - e.x)
	default:
		e.delta = c.byError(e.y-e.x, se, se, m.df)
	}
}
