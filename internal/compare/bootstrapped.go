package compare

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/bootstrap"
)

// Interval says how the intervals of several units a side are made.
type Interval uint8

// The intervals. AutoInterval is TInterval: of few units nothing else covers
// what it says, and of many the two agree.
const (
	AutoInterval Interval = iota
	TInterval
	BootstrapInterval
)

var intervalNames = [...]string{"auto", "t", "bootstrap"}

// IntervalNames lists the names that --interval takes.
func IntervalNames() []string { return intervalNames[:] }

// String returns the name that --interval takes.
func (i Interval) String() string { return intervalNames[i] }

// ParseInterval reads the name of an interval.
func ParseInterval(s string) (Interval, error) {
	for i, n := range intervalNames {
		if n == s {
			return Interval(i), nil
		}
	}
	return 0, fmt.Errorf("unknown interval %q: want auto, t or bootstrap", s)
}

// unitReplicates is how many resamples of the units are drawn.
const unitReplicates = 1999

// checkInterval reports a design that a bootstrap of its units cannot judge.
func (c *comparer) checkInterval() error {
	d := c.design
	few := d.Baseline
	text := fmt.Sprintf("there are %d", d.Baseline)
	if !c.lookedAtAlone {
		few = min(few, d.Candidate)
		text += fmt.Sprintf(" and %d", d.Candidate)
	}
	switch {
	case c.opt.Interval != BootstrapInterval:
	case d.Unit == Request:
		return fmt.Errorf("--interval bootstrap resamples units: with --unit request the intervals are those of order statistics; leave it out")
	case d.PairedRuns() && few < bootstrap.FewUnits:
		return fmt.Errorf("--interval bootstrap needs %d pairs of runs, because of fewer its intervals are too narrow; there are %d. Leave it out for the t interval", bootstrap.FewUnits, few)
	case few < bootstrap.FewUnits:
		return fmt.Errorf("--interval bootstrap needs %d %ss a side, because of fewer its intervals are too narrow; %s. Leave it out for the t interval", bootstrap.FewUnits, d.Unit, text)
	}
	return nil
}

// resample replaces the t intervals of a result by those of a bootstrap of its
// units: quantiles of the change over resamples of the units of both sides, read
// at levels that make up for how few they are (the expanded percentile interval,
// Hesterberg 2015, The American Statistician 69, 371–386). An arm with too few
// units keeps its t interval and says so.
func (c *comparer) resample(r *Result, a, b *arm) {
	if c.opt.Interval != BootstrapInterval {
		return
	}
	if a.buckets != nil || b.buckets != nil {
		r.warn("t_interval", fmt.Sprintf("%s is known from buckets: its interval is the t interval", r.Metric))
		return
	}
	if a.units < bootstrap.FewUnits || b.units < bootstrap.FewUnits || a.statistic == nil || b.statistic == nil {
		r.warn("t_interval", fmt.Sprintf("%s has too few %ss for a bootstrap: its interval is the t interval", r.Metric, c.design.Unit))
		return
	}
	x, errX := c.replicates(a, 0)
	drawn := uint64(1)
	if c.pairs != nil {
		drawn = 0 // the same resamples: pairs are drawn
	}
	y, errY := c.replicates(b, drawn)
	if errX != nil || errY != nil {
		return
	}
	k := min(a.units, b.units)
	diff, logs := make([]float64, len(x)), make([]float64, len(x))
	positive := r.Log.OK
	for i := range x {
		diff[i] = y[i] - x[i]
		positive = positive && x[i] > 0 && y[i] > 0
		logs[i] = math.Log(y[i] / x[i])
	}
	c.readLaw(&r.Delta, diff, k)
	if positive {
		c.readLaw(&r.Log, logs, k)
	}
	for i, v := range []*Value{&r.Baseline, &r.Candidate} {
		own := Contrast{OK: true, Value: v.Value, DF: float64(v.Units - 1)}
		c.readLaw(&own, [][]float64{x, y}[i], v.Units)
		v.Lo, v.Hi = own.Lo, own.Hi
	}
	a.resampled, b.resampled = true, true
	r.Method = "bootstrap of " + c.unitWords() + ", expanded percentiles"
}

// replicates are the values of an arm in resamples of its units. All estimands
// of a side see the same resamples.
func (c *comparer) replicates(a *arm, side uint64) ([]float64, error) {
	out, err := bootstrap.ReplicateVectors(bootstrap.IID{N: a.units}, 1, func() func([]int, []float64) {
		times := make([]float64, a.units)
		return func(index []int, out []float64) {
			clear(times)
			for _, k := range index {
				times[k]++
			}
			out[0] = a.statistic(times)
		}
	}, bootstrap.Options{Replicates: unitReplicates, Seed: bootstrap.SubSeed(c.opt.Seed, side)})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// readLaw sets the limits of a change from its values in resamples of k units a
// side; its degrees of freedom are set. The standard errors are those that a t
// interval of these limits has, so that p-values agree with the limits.
func (c *comparer) readLaw(ct *Contrast, values []float64, k int) {
	law, err := bootstrap.FromReplicates(ct.Value, values, k)
	if err != nil {
		return
	}
	e, err := law.Expanded(c.opt.Level, ct.DF)
	if err != nil {
		return
	}
	ct.limit(e.Interval)
}
