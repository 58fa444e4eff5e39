package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// flipBound judges differences of bounded scores as if every difference were
// made of whole flips between the ends of the scale: of all laws with that mean
// the one with the largest variance. For right-or-wrong answers it is Tango's
// score method itself. Fractions of a flip are rounded to the side that makes
// the answer less sure.
type flipBound struct {
	low, high paired.Table // for the lower and for the upper limit
	width     float64      // of the scale
}

// newFlipBound counts the flips that the differences d amount to, among n units:
// the items, or fewer where they come in clusters.
func newFlipBound(d []float64, scale stats.Interval, n float64) flipBound {
	f := flipBound{width: scale.Hi - scale.Lo}
	if !(f.width > 0) {
		return f
	}
	var fell, rose float64
	for _, v := range d {
		if v < 0 {
			fell -= v
		} else {
			rose += v
		}
	}
	share := n / float64(len(d)) / f.width
	fell, rose = fell*share, rose*share
	f.low = flipTable(math.Ceil(fell-slack), math.Floor(rose+slack), n)
	f.high = flipTable(math.Floor(fell+slack), math.Ceil(rose-slack), n)
	return f
}

// slack keeps a whole number that was summed up from being rounded away from.
const slack = 1e-6

func flipTable(fell, rose, n float64) paired.Table {
	fell = math.Min(fell, n)
	rose = math.Min(rose, n-fell)
	return paired.Table{OnlyX: int(fell), OnlyY: int(rose), Neither: int(n - fell - rose)}
}

// contrast returns the change with the limits of the two tables.
func (f flipBound) contrast(value, level float64) (Contrast, error) {
	if !(f.width > 0) {
		return noInterval(value), nil
	}
	lo, err := paired.TangoScore(f.low, level)
	if err != nil {
		return Contrast{}, err
	}
	hi, err := paired.TangoScore(f.high, level)
	if err != nil {
		return Contrast{}, err
	}
	z := stats.NormalQuantile((1 + level) / 2)
	ct := Contrast{OK: true, Value: value, Lo: math.Min(value, f.width*lo.Interval.Lo), Hi: math.Max(value, f.width*hi.Interval.Hi), DF: math.Inf(1), score: f.p}
	ct.SELo, ct.SEHi = (value-ct.Lo)/z, (ct.Hi-value)/z
	return ct, nil
}

// p is the p-value of the table that makes the answer less sure.
func (f flipBound) p(null float64, alt stats.Alternative) float64 {
	t := f.low
	if alt == stats.Less {
		t = f.high
	}
	null /= f.width
	switch {
	case null <= -1 && alt == stats.Greater, null >= 1 && alt == stats.Less:
		return 0
	case null <= -1 || null >= 1:
		return 1
	}
	test, err := paired.TangoTest(t, null, alt)
	if err != nil {
		return 1
	}
	return test.P
}
