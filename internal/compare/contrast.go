package compare

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/stats"
)

// fill sets the values and the contrasts of r from two arms.
func (c *comparer) fill(r *Result, a, b *arm) {
	r.Exact = a.exact && b.exact
	r.RelErr = math.Max(a.relErr, b.relErr)
	r.Baseline = Value{OK: a.units > 0, Value: a.value, N: a.n, Units: a.units, Lo: math.Inf(-1), Hi: math.Inf(1)}
	r.Candidate = Value{OK: b.units > 0, Value: b.value, N: b.n, Units: b.units, Lo: math.Inf(-1), Hi: math.Inf(1)}
	r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN()
	if a.units == 0 || b.units == 0 {
		c.lone(r, a, b)
		return
	}
	r.Delta = noInterval(b.value - a.value)
	if a.value > 0 && b.value > 0 {
		r.Log = noInterval(math.Log(b.value / a.value))
	}
	if tail := math.Min(a.tail, b.tail); tail < c.opt.MinTail-tailSlack {
		r.Thin = true
		r.openTimeouts(a, b)
		return
	}
	switch {
	case len(a.loo) >= 2 && len(b.loo) >= 2 && c.pairs != nil:
		r.Method = c.jackknifeWords(a, b) + ", t"
		c.byPairs(r, a, b)
		c.resample(r, a, b)
	case len(a.loo) >= 2 && len(b.loo) >= 2:
		r.Method = c.jackknifeWords(a, b) + ", Welch–Satterthwaite t"
		c.byUnits(r, a, b)
		c.resample(r, a, b)
	case len(a.matched) >= 2 && len(b.matched) >= 2:
		r.Method = "jackknife of groups of matched requests, t"
		c.byMatched(r, a, b)
	case a.se > 0 && b.se > 0:
		r.Method = a.methodName()
		c.means(r, a, b)
	case len(a.loo) >= 2 || len(b.loo) >= 2:
		r.Method = "the other side's spread between " + c.design.Unit.String() + "s, t"
		c.borrowed(r, a, b)
	default:
		r.Method = "none"
		if a.df > 0 && b.df > 0 {
			r.Method = a.methodName()
			if c.noise(r.Metric, r.Estimand) > 0 {
				r.Method += " with assumed run noise"
			}
		}
		c.single(r, a, b)
	}
	if a.buckets != nil || b.buckets != nil {
		c.widenByBuckets(r, a, b)
	} else {
		c.widen(r)
	}
	c.setBound(r, b)
	r.openTimeouts(a, b)
	c.ownBuckets(r, a, b)
	if a.bare && b.bare {
		r.Baseline.Lo, r.Baseline.Hi = math.Inf(-1), math.Inf(1)
		r.Candidate.Lo, r.Candidate.Hi = math.Inf(-1), math.Inf(1)
		r.warn("one_value", fmt.Sprintf("%s has one value a run: the interval of the change rests on the assumed run-to-run noise alone", r.Metric))
	}
}

// tailSlack keeps n(1 − q) = 10 from falling below 10 by rounding.
const tailSlack = 1e-6

// byUnits fills intervals where both sides have several units.
func (c *comparer) byUnits(r *Result, a, b *arm) {
	for _, log := range []bool{false, true} {
		ea, eb := a.jackknifed(log), b.jackknifed(log)
		va, vb := a.value, b.value
		if log {
			va, vb = math.Log(va), math.Log(vb)
		}
		if !ea.ok || !eb.ok || math.IsNaN(va) || math.IsNaN(vb) {
			continue
		}
		c.set(r, log, va, ea, vb, eb)
	}
}

// set fills one scale from two errors by Welch–Satterthwaite.
func (c *comparer) set(r *Result, log bool, va float64, ea armError, vb float64, eb armError) {
	est, err := stats.TwoSample(va, ea.SE, ea.DF, vb, eb.SE, eb.DF, c.opt.Level)
	if err != nil {
		return
	}
	sd := orNaN(stats.UnitSD(est.SE, max(r.Baseline.Units, 1), max(r.Candidate.Units, 1)))
	c.scale(r, log, est, sd, va, ea, vb, eb)
}

// scale fills one scale: the change and the sides' own t intervals. sd is the
// standard deviation of one unit.
func (c *comparer) scale(r *Result, log bool, est stats.Estimate, sd, va float64, ea armError, vb float64, eb armError) {
	ct := fromEstimate(est)
	ia, errA := ea.Interval(va, c.opt.Level)
	ib, errB := eb.Interval(vb, c.opt.Level)
	if errA != nil || errB != nil {
		return
	}
	if log {
		// The log interval of a positive value never reaches below zero.
		ia, ib = ia.Exp(), ib.Exp()
		r.Log, r.UnitSDLog = ct, sd
	} else {
		r.Delta, r.UnitSD = ct, sd
	}
	r.Baseline.Lo, r.Baseline.Hi = ia.Lo, ia.Hi
	r.Candidate.Lo, r.Candidate.Hi = ib.Lo, ib.Hi
}

// means fills intervals for two means of one unit each: Welch's t, on the log
// scale by the delta method, with the assumed noise as a known part of each
// error.
func (c *comparer) means(r *Result, a, b *arm) {
	noise := c.noise(r.Metric, r.Estimand)
	r.AssumedNoise = noise
	if noise > 0 {
		r.Method += " with assumed run noise"
	}
	natural := func(x *arm) armError {
		e := stats.StandardError{SE: x.se, DF: x.df}
		size := math.Abs(x.value)
		if x.share {
			size = math.Min(x.value, 1-x.value)
		}
		return armError{e.PlusKnown(noise * size), true}
	}
	log := func(x *arm) armError { return armError{natural(x).OfLog(x.value), true} }
	c.set(r, false, a.value, natural(a), b.value, natural(b))
	if a.value > 0 && b.value > 0 {
		c.set(r, true, math.Log(a.value), log(a), math.Log(b.value), log(b))
	}
	// The sides' own intervals are those within the run.
	r.Baseline.Lo, r.Baseline.Hi = a.limits.Lo, a.limits.Hi
	r.Candidate.Lo, r.Candidate.Hi = b.limits.Lo, b.limits.Hi
	r.UnitSD, r.UnitSDLog = orNaN(stats.UnitSD(r.Delta.SEHi, 1, 1)), orNaN(stats.UnitSD(r.Log.SEHi, 1, 1))
}

// borrowed fills intervals where only one side has several units: the single
// unit of the other is taken to vary as they do.
func (c *comparer) borrowed(r *Result, a, b *arm) {
	for _, log := range []bool{false, true} {
		ea, eb := a.jackknifed(log), b.jackknifed(log)
		va, vb := a.value, b.value
		if log {
			va, vb = math.Log(va), math.Log(vb)
		}
		if ea.ok == eb.ok || math.IsNaN(va) || math.IsNaN(vb) {
			continue
		}
		// One estimate of the spread serves both sides, so its degrees of
		// freedom count once.
		known, single, k := &ea, &eb, a.units
		if eb.ok {
			known, single, k = &eb, &ea, b.units
		}
		*single = armError{known.OfUnit(k), true}
		est, err := stats.TwoSampleShared(va, a.units, vb, b.units, single.StandardError, c.opt.Level)
		if err != nil {
			continue
		}
		c.scale(r, log, est, single.SE, va, ea, vb, eb)
	}
}

// single fills intervals where each side is one unit: its limits within the
// run, widened by the assumed noise between runs.
func (c *comparer) single(r *Result, a, b *arm) {
	if !(a.df > 0) || !(b.df > 0) {
		return
	}
	r.Baseline.Lo, r.Baseline.Hi = a.limits.Lo, a.limits.Hi
	r.Candidate.Lo, r.Candidate.Hi = b.limits.Lo, b.limits.Hi
	noise := c.noise(r.Metric, r.Estimand)
	r.AssumedNoise = noise
	// Natural scale: the noise is relative to each value.
	known := noise * math.Hypot(a.value, b.value)
	if m, err := stats.MOVERKnown(a.value, a.limits, a.df, b.value, b.limits, b.df, known); err == nil {
		r.Delta, r.UnitSD = fromMOVER(m)
	}
	if a.value <= 0 || b.value <= 0 {
		return
	}
	va, vb := math.Log(a.value), math.Log(b.value)
	if m, err := stats.MOVERKnown(va, a.limits.Log(), a.df, vb, b.limits.Log(), b.df, noise*math.Hypot(1, 1)); err == nil {
		r.Log, r.UnitSDLog = fromMOVER(m)
	}
}

func fromMOVER(m stats.MOVER) (ct Contrast, unitSD float64) {
	ct = Contrast{OK: true, Value: m.Value, Lo: m.Interval.Lo, Hi: m.Interval.Hi, SELo: m.SELo, SEHi: m.SEHi, DF: m.DF}
	return ct, orNaN(stats.UnitSD(math.Max(ct.SELo, ct.SEHi), 1, 1))
}

// widen adds the histogram's error outward: each value may be off by RelErr.
func (c *comparer) widen(r *Result) {
	if r.RelErr == 0 {
		return
	}
	r.Log.widen(2*math.Log1p(r.RelErr), c.opt.Level)
	r.Delta.widen(r.RelErr*(math.Abs(r.Baseline.Value)+math.Abs(r.Candidate.Value)), c.opt.Level)
}

// widen moves both limits outward by d.
func (c *Contrast) widen(d, level float64) { c.limit(c.interval(level).Widen(d)) }

// limit sets the limits of a contrast, and the errors that they amount to.
func (c *Contrast) limit(iv stats.Interval) {
	c.Lo, c.Hi = iv.Lo, iv.Hi
	if c.score == nil && c.DF > 0 {
		e := iv.Errors(c.Value, c.DF)
		c.SELo, c.SEHi = e.Lo, e.Hi
	}
}

// lone fills what can be said where at most one side has values.
func (c *comparer) lone(r *Result, a, b *arm) {
	r.Baseline, r.Method = c.own(a)
	if b.units == 0 {
		return
	}
	r.Candidate, r.Method = c.own(b)
	if b.tail < c.opt.MinTail-tailSlack {
		r.Thin = true
		return
	}
	c.setBound(r, b)
	r.openTimeouts(a, b)
	c.ownBuckets(r, a, b)
}

// alone fills the value and the interval of a side without a partner.
func (c *comparer) alone(r *Result, a *arm) {
	r.Exact, r.RelErr = a.exact, a.relErr
	r.Baseline, r.Method = c.own(a)
	r.Baseline.widen(a)
	c.bucketRemarks(r, "input", a)
	if r.Baseline.OK && a.tail < c.opt.MinTail-tailSlack {
		r.Thin = true
	}
}

// own is a side's value with the interval that the side alone gives, and how it
// was made.
func (c *comparer) own(a *arm) (v Value, method string) {
	v = Value{OK: a.units > 0, Value: a.value, N: a.n, Units: a.units, Lo: math.Inf(-1), Hi: math.Inf(1)}
	if !v.OK || a.tail < c.opt.MinTail-tailSlack {
		v.openValue(a)
		return v, "none"
	}
	method = c.jackknifeWords(a) + ", t"
	iv := stats.Unbounded(c.opt.Level)
	log := a.value > 0
	switch e := a.jackknifed(log); {
	case e.ok && log:
		if on, err := e.Interval(math.Log(a.value), c.opt.Level); err == nil {
			iv = on.Exp()
		}
	case e.ok:
		if on, err := e.Interval(a.value, c.opt.Level); err == nil {
			iv = on
		}
	case a.df > 0:
		iv, method = a.limits, a.methodName()
	default:
		method = "none"
	}
	if c.opt.Interval == BootstrapInterval && a.units >= bootstrap.FewUnits && a.statistic != nil && a.buckets == nil {
		if values, err := c.replicates(a, 0); err == nil {
			ct := Contrast{OK: true, Value: a.value, Lo: iv.Lo, Hi: iv.Hi, DF: float64(a.units - 1)}
			c.readLaw(&ct, values, a.units)
			a.resampled = true
			iv.Lo, iv.Hi, method = ct.Lo, ct.Hi, "bootstrap of "+c.unitWords()+", expanded percentiles"
		}
	}
	if a.buckets == nil {
		iv = iv.Widen(a.relErr * math.Abs(v.Value))
	}
	v.Lo, v.Hi = iv.Lo, iv.Hi
	v.openValue(a)
	return v, method
}

// setBound derives the candidate's own interval from the printed one.
func (c *comparer) setBound(r *Result, b *arm) {
	v := r.Candidate.Value
	r.Bound = noInterval(v)
	df := b.df
	if len(b.loo) >= 2 {
		df = float64(len(b.loo) - 1)
	}
	if !(df > 0) {
		return
	}
	iv := r.Candidate.interval(c.opt.Level)
	if noise := c.noise(r.Metric, r.Estimand); noise > 0 && len(b.loo) < 2 && r.Baseline.Units <= 1 {
		iv = iv.PlusKnownSD(v, noise*math.Abs(v))
	}
	if b.buckets == nil {
		iv = iv.Widen(r.RelErr * math.Abs(v))
	} else {
		iv = b.outward(iv)
	}
	r.Bound = withLimits(v, iv, df)
}

// needRequests says how many requests a side a thin percentile takes: a request
// may give no value, or many.
func (c *comparer) needRequests(r *Result, item int) {
	if !r.Thin {
		return
	}
	q := r.Estimand.Q
	whole := func(v float64) float64 { return math.Ceil(v * (1 - tailSlack)) } // 1 − 0.9999 is not quite 0.0001
	values := whole(c.opt.MinTail / math.Min(q, 1-q))
	perValue := 0.0
	for _, side := range c.sides {
		var ok, n int64
		for _, u := range side.Units {
			ok, n = ok+u.OK(), n+u.Cells[item].Sketch.N()
		}
		if n > 0 {
			perValue = math.Max(perValue, float64(ok)/float64(n))
		}
	}
	r.NeedRequests = int64(whole(values * perValue))
	c.unequalRuns(r, item, values)
}

// unequalRuns says which side is too thin for a percentile although it has
// values enough: runs weigh alike, so those of a large run count for less.
func (c *comparer) unequalRuns(r *Result, item int, values float64) {
	if c.design.Unit != Run {
		return
	}
	for s, side := range c.sides {
		mix, err := c.made[s].of(side, item, c.design.Unit, side.Sketches(item))
		if err != nil {
			continue // no values
		}
		smallest, label := int64(0), ""
		for _, u := range side.Units {
			if v := u.Cells[item].Sketch.N(); v > 0 && (smallest == 0 || v < smallest) {
				smallest, label = v, u.Label
			}
		}
		which := sideNames[s]
		if c.lookedAtAlone {
			which = "input"
		}
		if n, effective := mix.N(), mix.EffectiveN(); mix.Parts() > 1 && float64(n) >= values && effective < values-tailSlack {
			r.warn("unequal_runs", fmt.Sprintf("all runs weigh alike, so that the %d %s values of the %s count for %.0f: its run %q has %d",
				n, r.Metric, which, math.Floor(effective), label, smallest))
		}
	}
}

// NoiseError is the error of the log of a change that the assumed noise of two single
// runs makes alone.
func (r *Result) NoiseError() stats.StandardError {
	return stats.StandardError{SE: r.AssumedNoise, DF: math.Inf(1)}.PlusKnown(r.AssumedNoise)
}
