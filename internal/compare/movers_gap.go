package compare

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// portion is requests of one side with their sign in a distance: a slice less the
// rest, or an interaction.
type portion struct {
	side *metric.Side
	sign float64

	arm          arm
	natural, log stats.VarianceEstimate // of the requests alone
}

// gap is how far portions of one side lie apart. What moves all requests of a run
// alike moves all of them, and cancels.
type gap struct {
	portions []portion
	share    bool
}

// portions are some parts of the requests of each side, in the units that have
// values in all of them: of pairs, in those that have them on both sides.
func (c *comparer) portions(item int, parts []signed) (out [2][]portion) {
	has := func(u *metric.Unit) bool { return u.Cells[item].Sketch.N() > 0 }
	if c.plan.Items[item].Metric.Kind == metric.Share {
		has = func(u *metric.Unit) bool { return u.Requests() > 0 }
	}
	for s := range out {
		for _, p := range parts {
			out[s] = append(out[s], portion{side: p.of[s], sign: p.sign})
		}
		out[s] = common(out[s], has)
	}
	if c.pairs == nil {
		return out
	}
	for i := range parts {
		sides := c.pairs.common([]*metric.Side{out[0][i].side, out[1][i].side}, has)
		out[0][i].side, out[1][i].side = sides[0], sides[1]
	}
	return out
}

// gap measures portions of one side. ok is false where there are no values in them,
// or too few.
func (c *comparer) gap(portions []portion, item int, e metric.Estimand) (g gap, ok bool, err error) {
	m := c.plan.Items[item].Metric
	g.share = m.Kind == metric.Share
	if g.portions = portions; len(g.portions[0].side.Units) == 0 {
		return g, false, nil
	}
	for i := range g.portions {
		p := &g.portions[i]
		if g.share {
			s := shareArm(m, p.side)
			p.arm, p.natural = *s.byRun(), s.within()
			continue
		}
		if err = c.interrupted(); err != nil {
			return g, false, err
		}
		if p.arm, err = distribution(p.side, item, e, c.design.Unit); err != nil {
			return g, false, err
		}
		if p.arm.tail < c.opt.MinTail-tailSlack {
			return g, false, nil
		}
		p.natural, p.log = c.requestError(&p.arm, p.side, item, e)
	}
	return g, true, nil
}

// common leaves in portions the units that have something in all of them.
func common(portions []portion, has func(*metric.Unit) bool) []portion {
	in := map[string]int{}
	for _, p := range portions {
		for _, u := range p.side.Units {
			if has(u) {
				in[u.Label]++
			}
		}
	}
	out := slices.Clone(portions)
	for i, p := range portions {
		out[i].side = &metric.Side{}
		for _, u := range p.side.Units {
			if in[u.Label] == len(portions) {
				out[i].side.Units = append(out[i].side.Units, u)
			}
		}
	}
	return out
}

// requestError is the error of an arm's value, and of its logarithm, that its
// requests alone account for if they are independent.
func (c *comparer) requestError(a *arm, side *metric.Side, item int, e metric.Estimand) (natural, log stats.VarianceEstimate) {
	var err error
	switch e.Kind {
	case metric.Quantile:
		if natural, log, err = a.mix.QuantileError(e.Q, c.opt.Level); err == nil {
			return natural, log
		}
	case metric.Mean:
		_, weights := unitMeans(side, item, c.design.Unit)
		var variances []float64
		var n []int64
		for _, s := range side.Sketches(item) {
			_, v, err := s.MeanVariance()
			if err != nil {
				return unknownVariance, unknownVariance // a unit with a single value
			}
			variances, n = append(variances, v), append(n, s.N())
		}
		if natural, err = stats.WeightedMeanError(variances, n, weights); err == nil {
			log = natural
			log.Variance /= a.value * a.value
			return natural, log
		}
	}
	return unknownVariance, unknownVariance
}

var unknownVariance = stats.VarianceEstimate{Variance: math.NaN(), DF: math.NaN()}

// within is the error of the mean share of the units if their requests are
// independent.
func (s shares) within() stats.VarianceEstimate {
	v, err := stats.MeanShareError(s.x, s.n)
	if err != nil {
		return unknownVariance
	}
	return v
}

// positive reports whether the gap has a logarithm.
func (g *gap) positive() bool {
	if g.share {
		return false
	}
	for _, p := range g.portions {
		if !(p.arm.value > 0) || slices.ContainsFunc(p.arm.loo, func(v float64) bool { return !(v > 0) }) {
			return false
		}
	}
	return true
}

// distance is a gap on one scale.
type distance struct {
	value float64
	units int
	// between is the variance of the value by the spread of the units, with no
	// degrees of freedom with a single unit. within is what the requests alone
	// account for; size is what noise between runs is relative to.
	between, within stats.VarianceEstimate
	size            float64
	loo             []float64 // the value without each of several units
	// spread is the variance from unit to unit that slices have besides.
	spread float64
	// openLo and openHi tell that the value may be less, or more, by any amount:
	// it takes requests that timed out.
	openLo, openHi bool
}

// on measures the gap on the log or on the natural scale.
func (g *gap) on(log bool) distance {
	scale := func(v float64) float64 {
		if log {
			return math.Log(v)
		}
		return v
	}
	first := g.portions[0]
	d := distance{units: first.arm.units}
	loo := make([]float64, len(first.arm.loo))
	for i, p := range g.portions {
		if p.arm.late.limits {
			d.openLo, d.openHi = d.openLo || p.sign < 0, d.openHi || p.sign > 0
		}
		d.value += p.sign * scale(p.arm.value)
		for k, v := range p.arm.loo {
			loo[k] += p.sign * scale(v)
		}
		within, size := p.natural, math.Abs(p.arm.value)
		switch {
		case log:
			within, size = p.log, 1
		case g.share:
			size = math.Min(p.arm.value, 1-p.arm.value)
		}
		d.size = math.Max(d.size, size)
		if i == 0 {
			d.within = within
		} else {
			d.within = d.within.Plus(within)
		}
	}
	d.loo, d.between = loo, jackknifed(loo)
	return d
}

// jackknifed is the variance of a value by its values without each unit, with no
// degrees of freedom of fewer than two.
func jackknifed(loo []float64) (v stats.VarianceEstimate) {
	if _, se, err := stats.Jackknife(loo); err == nil {
		v = stats.StandardError{SE: se, DF: float64(len(loo) - 1)}.Variance()
	}
	return v
}

// changeOf is the change of a distance over pairs of units; nil of a single pair,
// which does not tell how they vary.
func changeOf(a, b *distance) *distance {
	if len(a.loo) < 2 || len(a.loo) != len(b.loo) {
		return nil
	}
	d := &distance{value: b.value - a.value, units: a.units, within: a.within.Plus(b.within)}
	for k := range a.loo {
		d.loo = append(d.loo, b.loo[k]-a.loo[k])
	}
	d.between = jackknifed(d.loo)
	return d
}

// expected is the variance that is to be expected of the value: of the requests,
// and of the spread that slices have. ok is false where that is not known, or
// where the units do not tell of theirs.
func (d *distance) expected() (v stats.VarianceEstimate, ok bool) {
	v = d.within
	v.Variance += d.spread / float64(d.units)
	return v, d.between.DF > 0 && d.within.Variance > 0
}

// moderated is the error of a distance between units, few as they are, with what
// all other slices tell of how far such distances vary.
func (d *distance) moderated(prior stats.VariancePrior) stats.StandardError {
	if expected, ok := d.expected(); ok {
		return prior.ModerateRelative(d.between, expected).SE()
	}
	return d.between.SE()
}

// single is the error of the distance of a single unit: that of its requests, and
// the noise between runs that is assumed of slices too.
func (d *distance) single(noise float64) stats.StandardError {
	return d.within.SE().PlusKnown(noise * d.size)
}

// gapChange is the change of the distance from one side to the other. noise is
// that between runs, assumed of slices where each side has a single unit.
func gapChange(a, b *distance, prior stats.VariancePrior, noise, level float64) (stats.Estimate, error) {
	switch {
	case a.between.DF > 0 && b.between.DF > 0:
		x, y := a.moderated(prior), b.moderated(prior)
		return stats.TwoSample(a.value, x.SE, x.DF, b.value, y.SE, y.DF, level)
	case a.between.DF == 0 && b.between.DF == 0:
		x, y := a.single(noise), b.single(noise)
		return stats.TwoSample(a.value, x.SE, x.DF, b.value, y.SE, y.DF, level)
	}
	// The single unit of one side is taken to vary as those of the other do.
	several := a
	if b.between.DF > 0 {
		several = b
	}
	sd := several.moderated(prior).OfUnit(several.units)
	return stats.TwoSampleShared(a.value, a.units, b.value, b.units, sd, level)
}
