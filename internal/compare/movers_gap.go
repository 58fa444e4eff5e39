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
	natural, log withinError // of the requests alone
}

// gap is how far portions of one side lie apart. What moves all requests of a run
// alike moves all of them, and cancels.
type gap struct {
	portions []portion
	share    bool
}

// withinError is a variance with the degrees of freedom that it is known by; the
// variance is NaN where it is unknown.
type withinError struct{ variance, df float64 }

// plus adds an independent error.
func (a withinError) plus(b withinError) withinError {
	v := a.variance + b.variance
	x, y := a.variance/v, b.variance/v
	return withinError{v, 1 / (x*x/a.df + y*y/b.df)}
}

// gap measures portions of one side in the units that have values in all of them.
// ok is false where there are none, or too few values.
func (c *comparer) gap(portions []portion, item int, e metric.Estimand) (g gap, ok bool, err error) {
	m := c.plan.Items[item].Metric
	has := func(u *metric.Unit) bool { return u.Cells[item].Sketch.N() > 0 }
	if g.share = m.Kind == metric.Share; g.share {
		has = func(u *metric.Unit) bool { return u.Requests() > 0 }
	}
	if g.portions = common(portions, has); len(g.portions[0].side.Units) == 0 {
		return g, false, nil
	}
	for i := range g.portions {
		p := &g.portions[i]
		if g.share {
			s := shareArm(m, p.side)
			p.arm, p.natural = *s.byRun(), s.within()
			continue
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
func (c *comparer) requestError(a *arm, side *metric.Side, item int, e metric.Estimand) (natural, log withinError) {
	nan := math.NaN()
	natural, log = withinError{nan, nan}, withinError{nan, nan}
	switch e.Kind {
	case metric.Quantile:
		// Woodruff's limits, and from the gaps between the values within them
		// how well their distance is known.
		z := stats.NormalQuantile(1 - c.opt.alpha())
		n := a.mix.EffectiveN()
		half := z * math.Sqrt(e.Q*(1-e.Q)/n)
		if e.Q-half <= 0 || e.Q+half >= 1 {
			return natural, log
		}
		lo, errLo := a.mix.Quantile(e.Q - half)
		hi, errHi := a.mix.Quantile(e.Q + half)
		if errLo != nil || errHi != nil {
			return natural, log
		}
		natural.df = half * n
		se := (hi - lo) / 2 / z
		natural.variance = se * se
		if lo > 0 {
			se := math.Log(hi/lo) / 2 / z
			log = withinError{se * se, natural.df}
		}
	case metric.Mean:
		_, weights := unitMeans(side, item, c.design.Unit)
		total := sum(weights)
		v, n := 0.0, 0.0
		for i, s := range side.Sketches(item) {
			_, variance, err := s.MeanVariance()
			if err != nil {
				return natural, log // a unit with a single value
			}
			w := weights[i] / total
			v += w * w * variance / float64(s.N())
			n += float64(s.N() - 1)
		}
		natural = withinError{v, n}
		log = withinError{v / (a.value * a.value), n}
	}
	return natural, log
}

// within is the error of the mean share of the units if their requests are
// independent, with half an outcome of either kind added to each, so that none is
// ever sure. It is known no better than the rarer outcome is frequent.
func (s shares) within() withinError {
	v := 0.0
	for i := range s.n {
		p := (float64(s.x[i]) + 0.5) / (float64(s.n[i]) + 1)
		v += p * (1 - p) / float64(s.n[i])
	}
	x, n := s.totals()
	return withinError{v / float64(len(s.n)*len(s.n)), 2*float64(min(x, n-x)) + 1}
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
	// variance is that of the value by the spread of the units, with df degrees
	// of freedom; df is 0 with a single unit. within is what the requests alone
	// account for; size is what noise between runs is relative to.
	variance, df float64
	within       withinError
	size         float64
	// spread is the variance from unit to unit that slices have besides.
	spread float64
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
			d.within = d.within.plus(within)
		}
	}
	if _, se, err := stats.Jackknife(loo); err == nil {
		d.variance, d.df = se*se, float64(len(loo)-1)
	}
	return d
}

// expected is the variance that is to be expected of the value: of the requests,
// and of the spread that slices have. ok is false where that is not known, or
// where the units do not tell of theirs.
func (d *distance) expected() (v float64, ok bool) {
	v = d.within.variance + d.spread/float64(d.units)
	return v, d.df > 0 && d.within.variance > 0
}

// moderated is the error of a distance between units, few as they are, with what
// all other slices tell of how far such distances vary.
func (d *distance) moderated(prior stats.VariancePrior) stats.StandardError {
	expected, ok := d.expected()
	if !ok || !(prior.DF > 0) {
		return stats.StandardError{SE: math.Sqrt(d.variance), DF: d.df}
	}
	v, df := prior.Moderate(d.variance/expected, d.df)
	return stats.StandardError{SE: math.Sqrt(v * expected), DF: 1 / (1/df + 1/d.within.df)}
}

// single is the error of the distance of a single unit: that of its requests, and
// the noise between runs that is assumed of slices too.
func (d *distance) single(noise float64) stats.StandardError {
	return stats.StandardError{SE: math.Sqrt(d.within.variance), DF: d.within.df}.PlusKnown(noise * d.size)
}

// gapChange is the change of the distance from one side to the other. noise is
// that between runs, assumed of slices where each side has a single unit.
func gapChange(a, b *distance, prior stats.VariancePrior, noise, level float64) (stats.Estimate, error) {
	switch {
	case a.df > 0 && b.df > 0:
		x, y := a.moderated(prior), b.moderated(prior)
		return stats.TwoSample(a.value, x.SE, x.DF, b.value, y.SE, y.DF, level)
	case a.df == 0 && b.df == 0:
		x, y := a.single(noise), b.single(noise)
		return stats.TwoSample(a.value, x.SE, x.DF, b.value, y.SE, y.DF, level)
	}
	// The single unit of one side is taken to vary as those of the other do.
	several := a
	if b.df > 0 {
		several = b
	}
	sd := several.moderated(prior)
	sd.SE *= math.Sqrt(float64(several.units))
	return stats.TwoSampleShared(a.value, a.units, b.value, b.units, sd, level)
}
