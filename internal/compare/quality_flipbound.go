package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// wholeFlips is the change by whole flips between the ends of the scale, among units
// independent ones: the items, or their clusters.
func (c *quality) wholeFlips(d []float64, scale stats.Interval, units int, value float64) (Contrast, error) {
	if !(scale.Hi > scale.Lo) {
		return noInterval(value), nil
	}
	f, err := paired.NewFlipBound(d, scale.Hi-scale.Lo, units)
	if err != nil {
		return Contrast{}, err
	}
	est, err := f.Score(c.opt.Level)
	if err != nil {
		return Contrast{}, err
	}
	iv := est.Interval
	iv.Lo, iv.Hi = math.Min(value, iv.Lo), math.Max(value, iv.Hi)
	ct := withLimits(value, iv, est.DF)
	ct.score = func(null float64, alt stats.Alternative) float64 {
		test, err := f.Test(null, alt)
		if err != nil {
			return 1
		}
		return test.P
	}
	return ct, nil
}
