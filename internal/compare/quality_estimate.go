package compare

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// itemEstimate is the change over the items of one set of scores.
type itemEstimate struct {
	x, y       float64 // means
	delta, log Contrast
	moments    paired.Moments
	clusters   int
	largest    float64
	method     string
	warnings   []stats.Warning
}

// mean is what is compared of scores.
var mean = metric.Estimand{Kind: metric.Mean}

// result estimates one sample of the items of series of one metric.
func (c *quality) result(series []*pairing.Series, b *sample) (Result, error) {
	s := series[0]
	r := Result{Metric: c.metric[s.Metric], Filter: s.Filter, Estimand: mean, Exact: true, Items: &b.items}
	nan := math.NaN()
	r.UnitSD, r.UnitSDLog, b.items.ItemSD = nan, nan, nan
	if len(b.x) == 0 {
		c.lonely(&r, b)
		return r, nil
	}
	known, err := c.estimate(&b.scores, b.items.Binary, b.scale)
	if err != nil {
		return r, err
	}
	r.Delta, r.Log, r.Method, r.Warnings = known.delta, known.log, known.method, known.warnings
	if err := c.extremes(&r, b, known); err != nil {
		return r, err
	}
	c.values(&r, b, known)
	r.Tests = c.tests(b)
	b.items.Clusters, b.items.LargestCluster = known.clusters, known.largest
	b.items.ItemSD = known.delta.itemSD(len(b.x))
	b.items.PlainSD = known.moments.ItemSD()
	if known.clusters > 0 && known.moments.VarNaive > 0 {
		b.items.DesignEffect = known.moments.VarDiff / known.moments.VarNaive
	}
	b.items.Repeats = c.repeats(series, b)
	return r, nil
}

// itemSD is the standard deviation of one of n items that the interval amounts to,
// NaN without one.
func (c Contrast) itemSD(n int) float64 {
	se := math.Max(c.SELo, c.SEHi)
	if math.IsInf(se, 0) {
		return math.NaN()
	}
	return stats.StandardError{SE: se}.OfUnit(n).SE
}

// estimate chooses the method for one set of scores.
func (c *quality) estimate(s *scores, binary bool, scale stats.Interval) (itemEstimate, error) {
	var e itemEstimate
	d := s.diff()
	cluster := s.cluster
	if cluster != nil && distinct(cluster) == len(cluster) {
		cluster = nil // every item is a cluster of its own
	}
	var err error
	if e.moments, err = momentsOf(s.x, s.y, cluster); err != nil {
		return e, err
	}
	e.x, e.y = e.moments.X, e.moments.Y
	// Differences that are all the same say as little of their spread as none.
	same := sameShare * (scale.Hi - scale.Lo)
	rare := !binary && e.moments.VarDiff*float64(len(d)) <= same*same
	if cluster != nil {
		rare = rare || changed(d) < c.q.RareDifferences
	} else {
		rare = rare || c.rare(d)
	}
	switch {
	case cluster != nil:
		e.clusters = distinct(cluster)
		e.method = "cluster-robust CR2, Satterthwaite t"
		err = c.clustered(&e, d, cluster, scale, rare)
	case binary:
		e.method = "Tango score interval of pairs"
		e.delta, err = c.wholeFlips(d, scale, len(d), e.y-e.x)
	case len(d) < 2:
		e.method, e.delta = "none", noInterval(e.y-e.x)
	case rare:
		// The t interval is far too short where few items differ, and has no
		// width where none does.
		e.method = "Tango score interval of whole flips, few items differ"
		if e.delta, err = c.wholeFlips(d, scale, len(d), e.y-e.x); err == nil {
			e.warn("rare_differences", fmt.Sprintf("%d of %d items differ between the sides, too few (or too equally) for a t interval: every difference is taken as made of whole flips between the ends of the scale", changed(d), len(d)))
		}
	default:
		err = c.graded(&e, d)
	}
	if err != nil {
		return e, err
	}
	e.log = c.ratio(&e, binary || rare)
	return e, nil
}

func (e *itemEstimate) warn(code, text string) {
	e.warnings = append(e.warnings, stats.Warning{Code: code, Text: text})
}

// momentsOf are the moments of independent items or, with their bias reduced, of
// clusters.
func momentsOf(x, y []float64, cluster []int) (paired.Moments, error) {
	if cluster == nil {
		return paired.PairMoments(x, y)
	}
	return paired.ClusterMoments(x, y, cluster, paired.CR2)
}

// graded makes a contrast of the mean difference of independent items: Student's
// t, or bootstrap-t where the differences are too skewed for their number.
func (c *quality) graded(e *itemEstimate, d []float64) error {
	if c.skewed(d) {
		opt := bootstrap.Options{Seed: c.q.Seed, Replicates: c.q.Replicates}
		for len(d)*opt.Replicates > maxDraws && opt.Replicates > 999 {
			opt.Replicates = (opt.Replicates+1)/10 - 1
		}
		est, err := bootstrap.MeanT(d, c.opt.Level, opt)
		if err != nil {
			return err
		}
		e.method = "bootstrap-t of paired differences"
		e.delta = noInterval(est.Value)
		if !math.IsNaN(est.SE) {
			e.delta = withLimits(est.Value, est.Interval, float64(len(d)-1))
		}
		return nil
	}
	est, err := stats.MeanT(d, c.opt.Level)
	if err != nil {
		return err
	}
	e.method, e.delta = "paired t", fromEstimate(est)
	if len(d) < fewPairs {
		e.warn("few_pairs", fmt.Sprintf("%d items are few for a t interval", len(d)))
	}
	return nil
}

const (
	// sameShare of the scale is by what differences that are the same may differ,
	// for they are rounded.
	sameShare = 1e-9
	// maxDraws bounds the numbers drawn for one interval.
	maxDraws = 200_000_000
	// fewPairs is the number of items from which means are taken to be normal.
	fewPairs = 50
	// fewSkewed is the number of items from which a skewness is worth a look.
	fewSkewed = 20
)

// skewed applies Cochran's rule.
func (c *quality) skewed(d []float64) bool {
	if len(d) < fewSkewed {
		return false
	}
	g, err := stats.Skewness(d)
	return err == nil && stats.CochranN(g, c.q.SkewRule) > float64(len(d))
}

// clustered makes a contrast by clusters. Where few items differ it is widened
// to the score interval of whole flips among as many units as there are
// clusters.
func (c *quality) clustered(e *itemEstimate, d []float64, cluster []int, scale stats.Interval, rare bool) error {
	value := e.y - e.x
	if e.clusters < 2 {
		e.delta = noInterval(value)
		e.warn("few_clusters", "all items are of one cluster: nothing tells how far clusters differ")
		return nil
	}
	est, err := paired.ClusterRobust(d, cluster, paired.CR2, c.opt.Level)
	if err != nil {
		return err
	}
	e.delta, e.largest = fromEstimate(est.Estimate), est.LargestShare
	for _, w := range est.Warnings {
		switch w.Code {
		case paired.WarnFewClusters:
			e.warn(w.Code, fmt.Sprintf("%d clusters, few or of very unequal size, are worth %.2g degrees of freedom", e.clusters, est.DF))
		case paired.WarnDominantCluster:
			e.warn(w.Code, fmt.Sprintf("one of %d clusters holds %.0f %% of the items", e.clusters, 100*est.LargestShare))
		}
	}
	if !rare {
		return nil
	}
	e.warn("rare_differences", fmt.Sprintf("only %d of %d items differ between the sides, in %d clusters: no method is exact there; the interval also covers that of whole flips among %d units", changed(d), len(d), e.clusters, e.clusters))
	bound, err := c.wholeFlips(d, scale, e.clusters, value)
	if err != nil {
		return err
	}
	e.delta = c.hull(value, e.delta, bound)
	return nil
}

// hull is the contrast that is no surer than any of several.
func (c *quality) hull(value float64, parts ...Contrast) Contrast {
	out := Contrast{OK: true, Value: value, Lo: value, Hi: value, DF: math.Inf(1)}
	for _, p := range parts {
		if !p.OK || math.IsNaN(p.DF) {
			return noInterval(value)
		}
		out.Lo, out.Hi, out.DF = math.Min(out.Lo, p.Lo), math.Max(out.Hi, p.Hi), math.Min(out.DF, p.DF)
	}
	out = withLimits(value, out.interval(c.opt.Level), out.DF)
	out.score = func(null float64, alt stats.Alternative) float64 {
		p := 0.0
		for _, part := range parts {
			p = math.Max(p, part.p(null, alt))
		}
		return p
	}
	return out
}

// rare reports whether too few items differ for the t law: the mean of
// differences that are nearly all 0 is skewed, whatever the number of items.
func (c *quality) rare(d []float64) bool {
	n := changed(d)
	return n < c.q.RareDifferences || n < c.q.SparseDifferences && float64(n) < c.q.SparseShare*float64(len(d))
}

func changed(d []float64) (n int) {
	for _, v := range d {
		if v != 0 {
			n++
		}
	}
	return n
}

func distinct(codes []int) int {
	most := -1
	for _, k := range codes {
		most = max(most, k)
	}
	seen := make([]bool, most+1)
	n := 0
	for _, k := range codes {
		if !seen[k] {
			seen[k] = true
			n++
		}
	}
	return n
}
