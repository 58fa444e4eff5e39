package compare

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Spread is how far one estimand varies from unit to unit of one input, and how
// much of that its requests alone account for.
type Spread struct {
	Result   // the value, as Describe gives it
	Units    int
	Requests float64 // mean number of requests of a unit
	Values   float64 // mean number of values of a unit
	// Log is the spread on the log scale, Natural that in the metric's unit.
	Log, Natural Noise
	// Dependence is by how much the variance within a unit exceeds that of
	// independent requests; NaN where unknown.
	Dependence float64
	// Hits of Trials, of a share that is rare enough to be compared by counts.
	Counted      bool
	Hits, Trials int64
}

// Noise is a spread on one scale.
type Noise struct {
	// SD is the standard deviation of the estimand from unit to unit, with DF
	// degrees of freedom. NaN with one unit.
	SD, DF float64
	// Within is what the requests of one unit alone account for: the standard
	// error of a unit's estimand, from the order of its requests in time. NaN
	// where unknown.
	Within float64
}

// Between returns the part of the spread that the requests do not account for,
// √(SD² − Within²), 0 where they account for all of it. NaN where unknown.
func (n Noise) Between() float64 {
	return stats.ExcessSD(n.SD, n.Within)
}

// Spreads returns the spread of every item's estimands.
func (p *Parts) Spreads() ([]Spread, error) {
	c := p.c
	c.lookedAtAlone = true
	c.sides, c.whole = []*metric.Side{p.Side}, p.whole
	c.design = Design{Unit: p.Design.Unit, Baseline: len(p.Side.Units)}
	if len(p.Side.Units) == 1 && p.batched != nil {
		c.batched[0], c.looks[0] = p.batched[0], p.looks[0]
	}
	var out []Spread
	for i, it := range c.plan.Items {
		for _, e := range it.Estimands {
			if slices.Contains(it.LimitOnly, e) {
				continue
			}
			r, err := c.describe(i, it, e)
			if err != nil {
				return nil, err
			}
			s := Spread{Result: r, Dependence: math.NaN()}
			nan := math.NaN()
			s.Log, s.Natural = Noise{SD: nan, DF: nan, Within: nan}, Noise{SD: nan, DF: nan, Within: nan}
			p.measure(&c, &s, i, it, e)
			out = append(out, s)
		}
	}
	return out, nil
}

func (p *Parts) measure(c *comparer, s *Spread, item int, it metric.Item, e metric.Estimand) {
	side := p.Side
	if it.Metric.Kind == metric.PerRun {
		side = c.runs()[0]
	}
	for _, u := range side.Units {
		s.Requests += float64(u.Requests())
	}
	if n := len(side.Units); n > 0 {
		s.Requests /= float64(n)
	}
	switch it.Metric.Kind {
	case metric.Share:
		p.measureShare(c, s, it.Metric)
		return
	case metric.PerRun:
		a := c.perRun(side, it.Metric)
		s.Units, s.Values = a.units, 1
		s.between(a)
		return
	}
	a, err := distribution(p.Side, item, e, p.Design.Unit)
	if err != nil || a.units == 0 {
		return
	}
	s.Units, s.Values = a.units, float64(a.n)/float64(a.units)
	s.between(&a)
	var natural, log, iid []float64 // standard errors, by unit
	for u, unit := range p.Side.Units {
		cell := &unit.Cells[item]
		if cell.Sketch.N() < 2 {
			continue
		}
		var b metric.Batches
		if p.batched != nil {
			b = p.batched[u][item]
		}
		w, ok := c.within(unit, item, e, b)
		if !ok {
			continue
		}
		natural, iid = append(natural, w.natural), append(iid, w.independent)
		if !math.IsNaN(w.log) {
			log = append(log, w.log)
		}
	}
	// A part of the units says little of all.
	if 2*len(natural) >= a.units {
		s.Natural.Within = orNaN(stats.QuadraticMean(natural))
		s.Dependence = orNaN(stats.VarianceRatio(natural, iid))
	}
	if 2*len(log) >= a.units {
		s.Log.Within = orNaN(stats.QuadraticMean(log))
	}
}

// between sets the standard deviations of one unit from the jackknife of an arm
// with several.
func (s *Spread) between(a *arm) {
	for _, log := range []bool{false, true} {
		n := &s.Natural
		if log {
			n = &s.Log
		}
		if e := a.jackknifed(log); e.ok {
			unit := e.OfUnit(a.units)
			n.SD, n.DF = unit.SE, unit.DF
		}
	}
}

// orNaN is a number, or NaN where it is not known.
func orNaN(v float64, err error) float64 {
	if err != nil {
		return math.NaN()
	}
	return v
}

// measureShare measures a share of requests: by its counts where one outcome is
// rare, else from unit to unit.
func (p *Parts) measureShare(c *comparer, s *Spread, m *metric.Metric) {
	shares := shareArm(m, p.Side)
	s.Hits, s.Trials = shares.totals()
	s.Units = len(shares.n)
	if s.Units == 0 || s.Trials == 0 {
		return
	}
	s.Values = float64(s.Trials) / float64(s.Units)
	rate := float64(s.Hits) / float64(s.Trials)
	s.Natural.Within = stats.ShareSE(rate, s.Values)
	several := s.Units >= 2 && p.Design.Unit != Request
	s.Counted = !several || shares.eventsPerUnit() < c.opt.MinEvents && !c.overdispersed(shares)
	if several {
		s.between(shares.byRun())
	}
}

// withinUnit is the standard error of the estimand of one unit.
type withinUnit struct {
	natural, log float64
	independent  float64 // as if requests were independent, on the natural scale
}

// within measures how well the requests of one unit determine its estimand: from
// its batches of time, or, without them, as if requests were independent.
func (c *comparer) within(u *metric.Unit, item int, e metric.Estimand, b metric.Batches) (w withinUnit, ok bool) {
	s := u.Cells[item].Sketch
	switch e.Kind {
	case metric.Quantile:
		plain := stats.ShareSE(e.Q, float64(s.N()))
		se := plain
		if len(b.Counts) > 0 {
			var err error
			if _, _, se, err = stats.WoodruffBatches(b.Counts, b.Below[c.threshold(item, e)], e.Q, c.opt.Level); err != nil {
				se = plain
			}
		}
		var err error
		if w.natural, w.log, err = s.QuantileError(e.Q, se); err != nil || math.IsInf(w.natural, 0) {
			return w, false
		}
		if se > 0 {
			// Both map through the same slope.
			w.independent = w.natural * plain / se
		}
		return w, true
	case metric.Mean:
		mean, _, err := s.MeanVariance()
		if err != nil {
			return w, false
		}
		independent, err := s.MeanError()
		if err != nil {
			return w, false
		}
		w.independent = independent.SE
		w.natural = w.independent
		if len(b.Means) > 0 {
			if est, err := stats.MeanT(b.Means, c.opt.Level); err == nil {
				w.natural = est.SE
			}
		}
		w.log = math.NaN()
		if mean > 0 {
			w.log = w.natural / mean
		}
		return w, true
	}
	return w, false
}
