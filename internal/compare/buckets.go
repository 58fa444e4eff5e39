package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// inBuckets sets the edges between which the estimand of an arm truly lies, where
// its values came as a histogram.
func (a *arm) inBuckets(side *metric.Side, item int, e metric.Estimand, unit Unit) (err error) {
	if a.buckets, err = side.Buckets(item); err != nil || a.buckets == nil {
		return err
	}
	switch e.Kind {
	case metric.Quantile:
		a.low, a.high = side.Bracket(item, e.Q, unit == Run, a.mix.EffectiveN())
	case metric.Mean:
		var below, above, votes float64
		for _, u := range side.Units {
			c := &u.Cells[item]
			n := float64(c.Sketch.N())
			switch {
			case n == 0:
			case unit == Run:
				below, above, votes = below+c.SumError[0]/n, above+c.SumError[1]/n, votes+1
			default:
				below, above, votes = below+c.SumError[0], above+c.SumError[1], votes+n
			}
		}
		a.low, a.high = -below/votes, above/votes // about the value; see settleInBucket
	case metric.Min:
		a.low, a.high = a.buckets.Around(a.mix.Min())
	case metric.Max:
		a.low, a.high = a.buckets.Around(a.mix.Max())
	}
	return nil
}

// settleInBucket sets the error of the value that lies somewhere in its bucket. In a
// bucket without an upper edge the value is its lower one.
func (a *arm) settleInBucket(e metric.Estimand) {
	if a.buckets == nil {
		return
	}
	if e.Kind == metric.Mean {
		a.low, a.high = a.value+a.low, a.value+a.high
	}
	if math.IsInf(a.high, 1) && e.Kind != metric.Mean {
		a.value = a.low
	}
	a.value = math.Min(math.Max(a.value, a.low), a.high)
	a.exact = a.low == a.high
	a.relErr = 0
	if !a.exact {
		a.relErr = math.Max(a.high-a.value, a.value-a.low) / math.Abs(a.value)
	}
}

// blur is how far the truth may lie below and above what an arm gives, by the
// width of its buckets: about the value, or about a limit of its own interval,
// whichever is more.
func (a *arm) blur(v Value, log bool) (below, above float64) {
	scale := func(x float64) float64 {
		if log {
			return math.Log(math.Max(x, 0))
		}
		return x
	}
	if a.buckets == nil {
		e := a.relErr * math.Abs(v.Value)
		if log {
			e = math.Log1p(a.relErr)
		}
		return e, e
	}
	below, above = scale(v.Value)-scale(a.low), scale(a.high)-scale(v.Value)
	if a.relErr == 0 { // a mean whose sum is known
		return below, above
	}
	if !math.IsInf(v.Lo, 0) {
		lo, _ := a.buckets.Around(v.Lo)
		below = math.Max(below, scale(v.Lo)-scale(lo))
	}
	if !math.IsInf(v.Hi, 0) {
		_, hi := a.buckets.Around(v.Hi)
		above = math.Max(above, scale(hi)-scale(v.Hi))
	}
	return below, above
}

// widenByBuckets adds the buckets' width outward to the contrasts. The sides' own
// intervals are still those of the values as they are spread over the buckets.
func (c *comparer) widenByBuckets(r *Result, a, b *arm) {
	for _, log := range []bool{false, true} {
		ct := &r.Delta
		if log {
			ct = &r.Log
		}
		if !ct.OK {
			continue
		}
		belowA, aboveA := a.blur(r.Baseline, log)
		belowB, aboveB := b.blur(r.Candidate, log)
		below, above, plain := belowB+aboveA, aboveB+belowA, *ct
		ct.limit(stats.Interval{Lo: ct.Lo - below, Hi: ct.Hi + above, Level: c.opt.Level})
		ct.score = func(null float64, alt stats.Alternative) float64 {
			switch {
			case alt == stats.Greater && !math.IsInf(below, 0):
				return plain.PBelow(null + below)
			case alt == stats.Less && !math.IsInf(above, 0):
				return plain.PAbove(null - above)
			}
			return 1
		}
		if most := math.Max(below, above); log {
			r.BucketsLog = most
		} else {
			r.Buckets = most
		}
	}
}

// ownBuckets adds the buckets' width outward to the sides' own intervals, when
// all else is made of these, and says so.
func (c *comparer) ownBuckets(r *Result, a, b *arm) {
	r.Baseline.widen(a)
	c.bucketRemarks(r, "baseline", a)
	r.Candidate.widen(b)
	c.bucketRemarks(r, "candidate", b)
}

// widen adds the buckets' width outward to a side's own interval.
func (v *Value) widen(a *arm) {
	if a.buckets == nil || !v.OK {
		return
	}
	iv := a.outward(stats.Interval{Lo: v.Lo, Hi: v.Hi})
	v.Lo, v.Hi = iv.Lo, iv.Hi
}

// outward moves the limits of a value to the outer edges of their buckets: what
// the values are that these limits were interpolated from is not known.
func (a *arm) outward(iv stats.Interval) stats.Interval {
	if a.relErr > 0 {
		if !math.IsInf(iv.Lo, 0) {
			iv.Lo, _ = a.buckets.Around(iv.Lo)
		}
		if !math.IsInf(iv.Hi, 0) {
			_, iv.Hi = a.buckets.Around(iv.Hi)
		}
	}
	iv.Lo, iv.Hi = math.Min(iv.Lo, a.low), math.Max(iv.Hi, a.high)
	return iv
}

// bucketRemarks says what of a side's value comes from its buckets.
func (c *comparer) bucketRemarks(r *Result, which string, a *arm) {
	if a.buckets == nil || a.units == 0 {
		return
	}
	switch open := math.IsInf(a.buckets.MostSD(), 1); {
	case r.Estimand.Kind == metric.Mean && open && (a.units == 1 || math.IsInf(a.high, 1)):
		r.warn("open_bucket", fmt.Sprintf("Values of %s of the %s lie in the bucket that has no upper edge: nothing says how far they reach, and so how well the mean is known", r.Metric, which))
	case math.IsInf(a.high, 1):
		r.warn("open_bucket", fmt.Sprintf("%s %s of the %s lies in the bucket that has no upper edge: it is at least %s, and nothing says how much more",
			r.Metric, r.Estimand, which, inUnit(a.low, r.Metric)))
	}
	if a.units == 1 && a.df > 0 && !slices.ContainsFunc(r.Warnings, func(w stats.Warning) bool { return w.Code == "order_unknown" }) {
		r.warn("order_unknown", "A histogram does not say in which order its values came, so the values of a run are taken as independent")
	}
}

// inUnit prints a bucket's edge.
func inUnit(v float64, m *metric.Metric) string {
	if m.Unit == metric.Seconds {
		return fmt.Sprintf("%.6g s", v)
	}
	return fmt.Sprintf("%.6g", v)
}

// histograms compares the kinds of the two sides, and the edges of their buckets.
func (c *comparer) histograms(out *Comparison) error {
	for i, s := range c.sides {
		out.Histograms[i] = s.HasHistograms()
	}
	if !out.Histograms[0] || !out.Histograms[1] {
		return nil
	}
	for k, it := range c.plan.Items {
		a, err := c.sides[0].Buckets(k)
		if err != nil {
			return err
		}
		b, err := c.sides[1].Buckets(k)
		if err != nil {
			return err
		}
		if !a.SameEdges(b) {
			out.UnlikeBuckets = append(out.UnlikeBuckets, it.Metric.Name)
		}
	}
	return nil
}
