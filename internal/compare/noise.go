package compare

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// MeasuredNoise is the standard deviation from run to run of one estimand, on
// the log scale, as it was measured in some runs.
type MeasuredNoise struct {
	Metric   string
	Estimand metric.Estimand
	SD       float64
	// Within is the part of SD that the requests of each of these runs account
	// for; it is taken out, because the requests of a single run tell of it
	// themselves.
	Within float64
	Runs   int // 0: the number is given, not measured
}

// NoiseTable is measured noise between runs: what is assumed, in place of
// Options.RunNoise, where each side has a single run.
type NoiseTable struct {
	From string // where it was read, for reports
	Each []MeasuredNoise
	Rest MeasuredNoise // of everything that Each does not name
}

// Validate reports a standard deviation that cannot be one.
func (t *NoiseTable) Validate() error {
	check := func(name string, m MeasuredNoise) error {
		switch {
		case !(m.SD >= 0 && m.SD < 1):
			return fmt.Errorf("noise of %s is %v: want a share from 0 to below 1", name, m.SD)
		case !(m.Within >= 0) || math.IsInf(m.Within, 0):
			return fmt.Errorf("noise of %s within runs is %v: want a number of at least 0", name, m.Within)
		case m.Runs < 0 || m.Runs == 1:
			return fmt.Errorf("noise of %s was measured in %d runs: want at least 2, or 0 for a given number", name, m.Runs)
		}
		return nil
	}
	for _, m := range t.Each {
		if err := check(m.Metric+" "+m.Estimand.String(), m); err != nil {
			return err
		}
	}
	return check("all else", t.Rest)
}

// of returns what was measured of an estimand.
func (t *NoiseTable) of(m *metric.Metric, e metric.Estimand) MeasuredNoise {
	for _, n := range t.Each {
		if n.Metric == m.Name && n.Estimand == e {
			return n
		}
	}
	return t.Rest
}

// Assume returns the noise between runs to assume for an estimand, beside what
// the requests of a run tell. A standard deviation that was measured in few runs
// may be far too small, so its upper limit is taken, and at least the width of a
// prediction from that many runs.
func (o *Options) Assume(m *metric.Metric, e metric.Estimand) float64 {
	if o.Noise == nil {
		return o.RunNoise
	}
	n := o.Noise.of(m, e)
	sd := n.SD
	if n.Runs >= 2 && n.SD > 0 {
		if planned, err := stats.PlannedSD(n.SD, float64(n.Runs-1), o.NoiseLevel, o.Level); err == nil {
			sd = planned
		}
	}
	return stats.ExcessSD(sd, n.Within)
}

// assumeNoise makes every interval of the comparison allow for noise between
// runs that the data do not show.
func (c *comparer) assumeNoise() {
	d := &c.design
	d.AssumedRunNoise, d.LeastRunNoise = c.opt.RunNoise, c.opt.RunNoise
	if c.opt.Noise == nil {
		return
	}
	d.NoiseFrom = c.opt.Noise.From
	d.AssumedRunNoise, d.LeastRunNoise = 0, math.Inf(1)
	for _, it := range c.plan.Items {
		if it.Metric.Kind == metric.Share {
			continue // shares of single runs are compared by their counts
		}
		for _, e := range it.Estimands {
			v := c.opt.Assume(it.Metric, e)
			d.AssumedRunNoise, d.LeastRunNoise = math.Max(d.AssumedRunNoise, v), math.Min(d.LeastRunNoise, v)
		}
	}
	if math.IsInf(d.LeastRunNoise, 1) {
		d.LeastRunNoise = 0
	}
}

// noise is what is assumed for an estimand of which each side has one value. A
// design of several runs may have an estimand that only one of them gives.
func (c *comparer) noise(m *metric.Metric, e metric.Estimand) float64 {
	if c.lookedAtAlone || c.design.Unit.withinRun() {
		return 0
	}
	return c.opt.Assume(m, e)
}
