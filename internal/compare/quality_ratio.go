package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// ratio makes a contrast of the log ratio of the two means. Its test is Student's
// t on the contrast y − ratio·x, its interval Fieller's, which inverts it. Where
// the t law is not to be believed on its own (right-or-wrong answers, few items
// that differ) the ratio also covers what the interval of the difference says
// at the mean of x.
func (c *quality) ratio(e *itemEstimate, widen bool) Contrast {
	m := e.moments
	if !(m.x > 0 && m.y > 0) {
		return Contrast{}
	}
	value := math.Log(m.y / m.x)
	if !(m.df > 0) || math.IsInf(m.vd, 0) {
		return noInterval(value)
	}
	f := fieller{m}
	t := stats.TQuantile(1-c.opt.alpha(), m.df)
	lo, hi := f.limits(t)
	ct := Contrast{OK: true, Value: value, Lo: logOr(lo), Hi: logOr(hi), DF: m.df, score: f.p}
	ct.SELo, ct.SEHi = (value-ct.Lo)/t, (ct.Hi-value)/t
	if !widen {
		return ct
	}
	return c.hull(value, ct, e.mapped(c))
}

// mapped turns the contrast of the difference into one of the log ratio, at the
// mean of x as it was observed.
func (e *itemEstimate) mapped(c *quality) Contrast {
	d, x := e.delta, e.x
	if !d.OK || math.IsNaN(d.DF) {
		return noInterval(math.Log(e.y / x))
	}
	return Contrast{OK: true, Value: math.Log(e.y / x), Lo: logOr(1 + d.Lo/x), Hi: logOr(1 + d.Hi/x), DF: d.DF,
		score: func(null float64, alt stats.Alternative) float64 { return d.p(math.Expm1(null)*x, alt) }}
}

func logOr(ratio float64) float64 {
	switch {
	case math.IsInf(ratio, 1):
		return ratio
	case !(ratio > 0):
		return math.Inf(-1)
	}
	return math.Log(ratio)
}

// fieller is the law of y − ratio·x.
type fieller struct{ moments }

// variance of the mean of y − ratio·x.
func (f fieller) variance(ratio float64) float64 {
	xy := (f.vx + f.vy - f.vd) / 2
	return math.Max(0, f.vy-2*ratio*xy+ratio*ratio*f.vx)
}

func (f fieller) p(null float64, alt stats.Alternative) float64 {
	ratio := math.Exp(null)
	if math.IsInf(ratio, 1) {
		if alt == stats.Less {
			return 0
		}
		return 1
	}
	return stats.WelchTest(stats.Estimate{Value: f.y - ratio*f.x, SE: math.Sqrt(f.variance(ratio)), DF: f.df}, 0, alt).P
}

// limits are the ratios whose contrast is t standard errors from 0; 0 and +Inf
// where the mean of x is not clearly apart from 0.
func (f fieller) limits(t float64) (lo, hi float64) {
	xy := (f.vx + f.vy - f.vd) / 2
	a := f.x*f.x - t*t*f.vx
	b := f.x*f.y - t*t*xy
	q := f.y*f.y - t*t*f.vy
	if a <= 0 {
		return 0, math.Inf(1)
	}
	root := math.Sqrt(math.Max(0, b*b-a*q))
	return (b - root) / a, (b + root) / a
}
