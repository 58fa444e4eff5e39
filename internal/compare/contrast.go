package compare

import (
	"math"

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
		c.thin(r)
		return
	}
	switch {
	case len(a.loo) >= 2 && len(b.loo) >= 2:
		r.Method = "jackknife of merged " + c.design.Unit.String() + "s, Welch–Satterthwaite t"
		c.byUnits(r, a, b)
	case a.se > 0 && b.se > 0:
		r.Method = a.methodName()
		c.means(r, a, b)
	case len(a.loo) >= 2 || len(b.loo) >= 2:
		r.Method = "the other side's spread between " + c.design.Unit.String() + "s, t"
		c.borrowed(r, a, b)
	default:
		r.Method = a.methodName()
		if c.design.AssumedRunNoise > 0 {
			r.Method += " with assumed run noise"
		}
		c.single(r, a, b)
	}
	c.widen(r)
	c.setBound(r, b)
}

// tailSlack keeps n(1 − q) = 10 from falling below 10 by rounding.
const tailSlack = 1e-9

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
	est, err := stats.TwoSample(va, ea.se, ea.df, vb, eb.se, eb.df, c.opt.Level)
	if err != nil {
		return
	}
	ct := Contrast{OK: true, Value: est.Value, Lo: est.Interval.Lo, Hi: est.Interval.Hi, SELo: est.SE, SEHi: est.SE, DF: est.DF}
	ka, kb := float64(max(r.Baseline.Units, 1)), float64(max(r.Candidate.Units, 1))
	sd := est.SE / math.Sqrt(1/ka+1/kb)
	ha, hb := c.half(ea), c.half(eb)
	if !log {
		r.Delta, r.UnitSD = ct, sd
		r.Baseline.Lo, r.Baseline.Hi = va-ha, va+ha
		r.Candidate.Lo, r.Candidate.Hi = vb-hb, vb+hb
		return
	}
	r.Log, r.UnitSDLog = ct, sd
	// The log interval of a positive value never reaches below zero.
	r.Baseline.Lo, r.Baseline.Hi = math.Exp(va-ha), math.Exp(va+ha)
	r.Candidate.Lo, r.Candidate.Hi = math.Exp(vb-hb), math.Exp(vb+hb)
}

func (c *comparer) half(e armError) float64 {
	return stats.TQuantile(1-c.opt.alpha(), e.df) * e.se
}

// means fills intervals for two means of one unit each: Welch's t, on the log
// scale by the delta method, with the assumed noise as a known part of each
// error.
func (c *comparer) means(r *Result, a, b *arm) {
	noise := c.design.AssumedRunNoise
	if noise > 0 {
		r.Method += " with assumed run noise"
	}
	side := func(x *arm, scale float64) armError {
		within, between := x.se*scale, noise*math.Abs(x.value)*scale
		se := math.Hypot(within, between)
		share := (within / se) * (within / se)
		return armError{se: se, df: x.df / (share * share), ok: true}
	}
	c.set(r, false, a.value, side(a, 1), b.value, side(b, 1))
	if a.value > 0 && b.value > 0 {
		c.set(r, true, math.Log(a.value), side(a, 1/a.value), math.Log(b.value), side(b, 1/b.value))
	}
	// The sides' own intervals are those within the run.
	r.Baseline.Lo, r.Baseline.Hi = a.limits.Lo, a.limits.Hi
	r.Candidate.Lo, r.Candidate.Hi = b.limits.Lo, b.limits.Hi
	r.UnitSD, r.UnitSDLog = r.Delta.SEHi/math.Sqrt2, r.Log.SEHi/math.Sqrt2
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
		// freedom count once: se² = s²(1 + 1/K) with K − 1.
		e, k := ea, float64(a.units)
		if eb.ok {
			e, k = eb, float64(b.units)
		}
		sd := e.se * math.Sqrt(k)
		se := sd * math.Sqrt(1+1/k)
		h := stats.TQuantile(1-c.opt.alpha(), e.df) * se
		d := vb - va
		ct := Contrast{OK: true, Value: d, Lo: d - h, Hi: d + h, SELo: se, SEHi: se, DF: e.df}
		one := armError{se: sd, df: e.df}
		ha, hb := c.half(one), c.half(e)
		if ea.ok {
			ha, hb = c.half(e), c.half(one)
		}
		if log {
			r.Log, r.UnitSDLog = ct, sd
			r.Baseline.Lo, r.Baseline.Hi = math.Exp(va-ha), math.Exp(va+ha)
			r.Candidate.Lo, r.Candidate.Hi = math.Exp(vb-hb), math.Exp(vb+hb)
		} else {
			r.Delta, r.UnitSD = ct, sd
			r.Baseline.Lo, r.Baseline.Hi = va-ha, va+ha
			r.Candidate.Lo, r.Candidate.Hi = vb-hb, vb+hb
		}
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
	noise := c.design.AssumedRunNoise
	z := stats.NormalQuantile(1 - c.opt.alpha())
	// Natural scale: the noise is relative to each value.
	extra := z * noise * math.Hypot(a.value, b.value)
	if iv, err := stats.MOVERDifference(a.value, a.limits, b.value, b.limits, extra); err == nil {
		r.Delta, r.UnitSD = c.fromLimits(b.value-a.value, iv, a, b, extra)
	}
	la, oka := logLimits(a)
	lb, okb := logLimits(b)
	if !oka || !okb {
		return
	}
	extra = z * noise * math.Sqrt2
	va, vb := math.Log(a.value), math.Log(b.value)
	if iv, err := stats.MOVERDifference(va, la, vb, lb, extra); err == nil {
		r.Log, r.UnitSDLog = c.fromLimits(vb-va, iv, a, b, extra)
	}
}

func logLimits(a *arm) (stats.Interval, bool) {
	if a.value <= 0 {
		return stats.Interval{}, false
	}
	iv := stats.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Level: a.limits.Level}
	if a.limits.Lo > 0 {
		iv.Lo = math.Log(a.limits.Lo)
	}
	if !math.IsInf(a.limits.Hi, 1) {
		iv.Hi = math.Log(a.limits.Hi)
	}
	return iv, true
}

// fromLimits turns an interval into a contrast. Its degrees of freedom follow
// Satterthwaite from the within-run parts and the assumed noise, which counts as
// known.
func (c *comparer) fromLimits(value float64, iv stats.Interval, a, b *arm, extra float64) (Contrast, float64) {
	half := math.Max(value-iv.Lo, iv.Hi-value)
	within := 0.0
	if half > 0 && !math.IsInf(half, 0) {
		within = 1 - (extra/half)*(extra/half)
	}
	df := math.Inf(1)
	if share := within * within; share > 0 {
		df = (a.df + b.df) / share
	}
	t := stats.TQuantile(1-c.opt.alpha(), df)
	ct := Contrast{OK: true, Value: value, Lo: iv.Lo, Hi: iv.Hi, SELo: (value - iv.Lo) / t, SEHi: (iv.Hi - value) / t, DF: df}
	return ct, math.Max(ct.SELo, ct.SEHi) / math.Sqrt2
}

// widen adds the histogram's error outward: each value may be off by RelErr.
func (c *comparer) widen(r *Result) {
	if r.RelErr == 0 {
		return
	}
	e := math.Log1p(r.RelErr)
	r.Log.Lo, r.Log.Hi = r.Log.Lo-2*e, r.Log.Hi+2*e
	d := r.RelErr * (math.Abs(r.Baseline.Value) + math.Abs(r.Candidate.Value))
	r.Delta.Lo, r.Delta.Hi = r.Delta.Lo-d, r.Delta.Hi+d
	for _, ct := range []*Contrast{&r.Log, &r.Delta} {
		if ct.score == nil && ct.DF > 0 {
			t := stats.TQuantile(1-c.opt.alpha(), ct.DF)
			ct.SELo, ct.SEHi = (ct.Value-ct.Lo)/t, (ct.Hi-ct.Value)/t
		}
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
		c.thin(r)
		return
	}
	c.setBound(r, b)
}

// alone fills the value and the interval of a side without a partner.
func (c *comparer) alone(r *Result, a *arm) {
	r.Exact, r.RelErr = a.exact, a.relErr
	r.Baseline, r.Method = c.own(a)
	if r.Baseline.OK && a.tail < c.opt.MinTail-tailSlack {
		c.thin(r)
	}
}

// own is a side's value with the interval that the side alone gives, and how it
// was made.
func (c *comparer) own(a *arm) (v Value, method string) {
	v = Value{OK: a.units > 0, Value: a.value, N: a.n, Units: a.units, Lo: math.Inf(-1), Hi: math.Inf(1)}
	if !v.OK || a.tail < c.opt.MinTail-tailSlack {
		return v, "none"
	}
	method = "jackknife of merged " + c.design.Unit.String() + "s, t"
	switch e := a.jackknifed(a.value > 0); {
	case e.ok && a.value > 0:
		h := c.half(e)
		v.Lo, v.Hi = a.value*math.Exp(-h), a.value*math.Exp(h)
	case e.ok:
		h := c.half(e)
		v.Lo, v.Hi = a.value-h, a.value+h
	case a.df > 0:
		v.Lo, v.Hi = a.limits.Lo, a.limits.Hi
		method = a.methodName()
	default:
		method = "none"
	}
	d := a.relErr * math.Abs(v.Value)
	v.Lo, v.Hi = v.Lo-d, v.Hi+d
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
	lo, hi := v-r.Candidate.Lo, r.Candidate.Hi-v
	if noise := c.design.AssumedRunNoise; noise > 0 && len(b.loo) < 2 {
		extra := stats.NormalQuantile(1-c.opt.alpha()) * noise * math.Abs(v)
		lo, hi = math.Hypot(lo, extra), math.Hypot(hi, extra)
	}
	lo, hi = lo+r.RelErr*math.Abs(v), hi+r.RelErr*math.Abs(v)
	t := stats.TQuantile(1-c.opt.alpha(), df)
	r.Bound = Contrast{OK: true, Value: v, Lo: v - lo, Hi: v + hi, SELo: lo / t, SEHi: hi / t, DF: df}
}

// thin marks a percentile with too few values beyond it.
func (c *comparer) thin(r *Result) {
	r.Thin = true
	q := r.Estimand.Q
	r.NeedRequests = int64(math.Ceil(c.opt.MinTail/math.Min(q, 1-q) - tailSlack))
}
