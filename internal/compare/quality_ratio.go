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
	if !(m.X > 0 && m.Y > 0) {
		return Contrast{}
	}
	value := math.Log(m.Y / m.X)
	if !(m.DF > 0) || math.IsInf(m.VarDiff, 0) {
		return noInterval(value)
	}
	est, err := m.Ratio(c.opt.Level)
	if err != nil {
		return noInterval(value)
	}
	ct := withLimits(value, est.Interval.Log(), m.DF)
	ct.score = func(null float64, alt stats.Alternative) float64 {
		ratio := math.Exp(null)
		if math.IsInf(ratio, 1) {
			if alt == stats.Less {
				return 0
			}
			return 1
		}
		test, err := m.RatioTest(ratio, alt)
		if err != nil {
			return 1
		}
		return test.P
	}
	if !widen {
		return ct
	}
	return c.hull(value, ct, e.mapped())
}

// mapped turns the contrast of the difference into one of the log ratio, at the
// mean of x as it was observed.
func (e *itemEstimate) mapped() Contrast {
	d, x := e.delta, e.x
	if !d.OK || math.IsNaN(d.DF) {
		return noInterval(math.Log(e.y / x))
	}
	iv := stats.Interval{Lo: 1 + d.Lo/x, Hi: 1 + d.Hi/x}.Log()
	return Contrast{OK: true, Value: math.Log(e.y / x), Lo: iv.Lo, Hi: iv.Hi, DF: d.DF,
		score: func(null float64, alt stats.Alternative) float64 { return d.p(math.Expm1(null)*x, alt) }}
}
