package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// extremes widens the contrasts of r over what the missing scores could have
// been.
func (c *quality) extremes(r *Result, b *sample, known itemEstimate) error {
	n := r.Items
	n.Known, n.KnownLog = known.delta, known.log
	if b.lowest == nil {
		n.Lowest, n.Highest = known.delta, known.delta
		return nil
	}
	low, err := c.estimate(b.lowest, n.Binary, b.scale)
	if err != nil {
		return err
	}
	high, err := c.estimate(b.highest, n.Binary, b.scale)
	if err != nil {
		return err
	}
	n.Lowest, n.Highest = low.delta, high.delta
	r.Delta = c.hull(known.delta.Value, known.delta, low.delta, high.delta)
	if known.log.OK && low.log.OK && high.log.OK {
		r.Log = c.hull(known.log.Value, known.log, low.log, high.log)
	} else {
		r.Log.Lo, r.Log.Hi, r.Log.DF = math.Inf(-1), math.Inf(1), math.NaN()
	}
	r.Method += ", over the worst and the best for missing scores"
	return nil
}

// lonely fills what can be said where no item has a score on both sides.
func (c *quality) lonely(r *Result, b *sample) {
	r.Method = "none"
	n := r.Items
	if n.Only[0]+n.Lacking[0] > 0 && n.Only[1]+n.Lacking[1] == 0 {
		r.Baseline.N = int64(n.Only[0])
	}
}

// values fills both sides' values with intervals of their own.
func (c *quality) values(r *Result, b *sample, known itemEstimate) {
	r.Baseline = c.value(b.x, b.cluster, b.items.Binary, b.scale)
	r.Candidate = c.value(b.y, b.cluster, b.items.Binary, b.scale)
	// A limit holds for the candidate whatever its missing scores would have
	// been.
	v := r.Candidate
	if b.lowest != nil {
		for _, extreme := range []*scores{b.lowest, b.highest} {
			o := c.value(extreme.y, extreme.cluster, b.items.Binary, b.scale)
			v.Lo, v.Hi = math.Min(v.Lo, o.Lo), math.Max(v.Hi, o.Hi)
		}
	}
	r.Bound = noInterval(v.Value)
	if !math.IsInf(v.Lo, -1) {
		r.Bound = withLimits(v.Value, v.interval(c.opt.Level), math.Inf(1))
	}
}

// value is the mean of scores with its interval: Wilson's for right or wrong,
// else t, cut to the scale.
func (c *quality) value(x []float64, cluster []int, binary bool, scale stats.Interval) Value {
	v := Value{OK: true, N: int64(len(x)), Units: len(x), Lo: math.Inf(-1), Hi: math.Inf(1)}
	if cluster != nil && distinct(cluster) == len(cluster) {
		cluster = nil
	}
	var err error
	if v.Value, err = stats.Mean(x); err != nil {
		return Value{}
	}
	var iv stats.Interval
	switch {
	case cluster == nil && binary:
		est, err := stats.Wilson(int64(math.Round(v.Value*float64(len(x)))), int64(len(x)), c.opt.Level)
		if err != nil {
			return v
		}
		iv = est.Interval
	default:
		var est stats.Estimate
		if cluster == nil {
			est, err = stats.MeanT(x, c.opt.Level)
		} else {
			v.Units = distinct(cluster)
			var byCluster paired.Clustered
			byCluster, err = paired.ClusterRobust(x, cluster, paired.CR2, c.opt.Level)
			est = byCluster.Estimate
		}
		if err != nil || est.SE == 0 {
			return v
		}
		iv = est.Interval
		iv.Lo, iv.Hi = math.Max(iv.Lo, scale.Lo), math.Min(iv.Hi, scale.Hi)
	}
	v.Lo, v.Hi = iv.Lo, iv.Hi
	return v
}
