package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// FlipBound judges the mean of differences of bounded scores as if every
// difference were made of whole flips between the ends of the scale: of all laws
// that rise and fall by as much on average, the one with the largest variance. It
// is for scores of which few differ, where a t interval is far too short. Of
// right-or-wrong answers it is Tango's score method itself. Fractions of a flip
// are rounded to the side that makes the answer less sure.
type FlipBound struct {
	low, high Table // for the lower and for the upper limit
	width     float64
	mean      float64
	units     int
}

// NewFlipBound counts the flips that the differences d, in the unit of the
// scores, amount to on a scale of the given width, among units independent ones:
// the items, or fewer where they come in clusters.
//
// It returns stats.ErrTooFew without differences, and stats.ErrDomain for one that
// is not finite or wider than the scale, a width that is not positive and finite,
// or units outside 1 to the number of differences.
func NewFlipBound(d []float64, width float64, units int) (FlipBound, error) {
	if !(width > 0) || math.IsInf(width, 1) {
		return FlipBound{}, fmt.Errorf("flip bound: scale of width %v, want a finite number above 0: %w", width, stats.ErrDomain)
	}
	mean, err := stats.Mean(d)
	if err != nil {
		return FlipBound{}, fmt.Errorf("flip bound: %w", err)
	}
	if units < 1 || units > len(d) {
		return FlipBound{}, fmt.Errorf("flip bound: %d units of %d differences, want 1 to %d: %w", units, len(d), len(d), stats.ErrDomain)
	}
	var fell, rose float64
	for i, v := range d {
		switch {
		case math.Abs(v) > width*(1+wholeFlip):
			return FlipBound{}, fmt.Errorf("flip bound: difference %v at index %d on a scale of width %v: %w", v, i, width, stats.ErrDomain)
		case v < 0:
			fell -= v
		default:
			rose += v
		}
	}
	n := float64(units)
	share := n / float64(len(d)) / width
	fell, rose = fell*share, rose*share
	return FlipBound{
		low:   flipTable(math.Ceil(fell-wholeFlip), math.Floor(rose+wholeFlip), n),
		high:  flipTable(math.Floor(fell+wholeFlip), math.Ceil(rose-wholeFlip), n),
		width: width, mean: mean, units: units,
	}, nil
}

// wholeFlip keeps a whole number of flips that was summed up from being rounded
// away from.
const wholeFlip = 1e-6

func flipTable(fell, rose, n float64) Table {
	fell = math.Min(fell, n)
	rose = math.Min(rose, n-fell)
	return Table{OnlyX: int(fell), OnlyY: int(rose), Neither: int(n - fell - rose)}
}

// Score estimates the mean difference with the limits of [TangoScore] of the two
// tables of flips, in the unit of the scores; the interval holds the mean. N
// counts units. There is no standard error.
//
// It returns stats.ErrDomain for a level outside (0, 1) and stats.ErrTooFew for a
// FlipBound that [NewFlipBound] did not make.
func (f FlipBound) Score(level float64) (stats.Estimate, error) {
	lo, err := TangoScore(f.low, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("flip bound: %w", err)
	}
	hi, err := TangoScore(f.high, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("flip bound: %w", err)
	}
	iv := stats.Interval{Lo: math.Min(f.mean, f.width*lo.Interval.Lo), Hi: math.Max(f.mean, f.width*hi.Interval.Hi), Level: level}
	return stats.Estimate{Value: f.mean, SE: math.NaN(), DF: math.Inf(1), Interval: iv, N: f.units, Method: MethodFlipBound}, nil
}

// Test tests the mean difference against null, one-sided, by [TangoTest] of the
// table that makes the answer less sure. It agrees with [FlipBound.Score].
//
// Special cases are: nulls at or beyond the ends of the scale have P = 0 where
// every mean is on the side of the alternative, else 1.
//
// It returns stats.ErrDomain for a null that is NaN or an alternative that is not
// one-sided, and stats.ErrTooFew as for Score.
func (f FlipBound) Test(null float64, alt stats.Alternative) (stats.Test, error) {
	if math.IsNaN(null) {
		return stats.Test{}, fmt.Errorf("flip bound: null %v, want a number: %w", null, stats.ErrDomain)
	}
	t := f.low
	switch alt {
	case stats.Greater:
	case stats.Less:
		t = f.high
	default:
		return stats.Test{}, fmt.Errorf("flip bound: alternative %v, want less or greater: %w", alt, stats.ErrDomain)
	}
	if f.units < 1 {
		return stats.Test{}, fmt.Errorf("flip bound: no differences: %w", stats.ErrTooFew)
	}
	out := stats.Test{DF: math.Inf(1), Alternative: alt, Method: MethodFlipBound}
	null /= f.width
	switch {
	case null <= -1 && alt == stats.Greater, null >= 1 && alt == stats.Less:
		return out, nil
	case null <= -1 || null >= 1:
		out.P = 1
		return out, nil
	}
	test, err := TangoTest(t, null, alt)
	test.Method = MethodFlipBound
	return test, err
}
