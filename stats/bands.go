package stats

import (
	"fmt"
	"math"
)

// DKW returns the half-width of the simultaneous confidence band of a
// distribution function from n independent observations: √(ln(2/(1−level))/(2n)).
// The empirical distribution function plus and minus this much holds the true one
// everywhere at once with at least the level, for any distribution. The width is
// the same everywhere, so the band says nothing about the far tail; there use
// EqualLocalLevels.
//
// It returns ErrTooFew for n < 1 and ErrDomain for a level outside (0, 1).
//
// Source: Massart 1990, Annals of Probability 18:1269,
// doi:10.1214/aop/1176990746.
func DKW(n int, level float64) (float64, error) {
	if n < 1 {
		return 0, fmt.Errorf("%d observations: want at least 1: %w", n, ErrTooFew)
	}
	if err := CheckLevel(level); err != nil {
		return 0, err
	}
	return math.Sqrt(math.Log(2/(1-level)) / (2 * float64(n))), nil
}

// Band is a set of limits that hold at every point at once.
type Band struct {
	X      []float64 // points, ascending
	Center []float64 // estimate at each point
	Lo, Hi []float64 // limits at each point; ±Inf where the data set none
	Level  float64   // simultaneous confidence level
	Method string
}

// ECDFBandDKW returns the empirical distribution function of x at its distinct
// values with the band of DKW, clipped to [0, 1] since a distribution function
// cannot leave it. It returns ErrTooFew for an empty x, and ErrDomain for a
// non-finite value or a level outside (0, 1).
func ECDFBandDKW(x []float64, level float64) (Band, error) {
	eps, err := DKW(len(x), level)
	if err != nil {
		return Band{}, err
	}
	if err := CheckFinite(x); err != nil {
		return Band{}, err
	}
	s := sortedValues(x)
	b := Band{Level: level, Method: MethodDKW}
	for i, v := range s {
		if i+1 < len(s) && s[i+1] == v {
			continue
		}
		f := float64(i+1) / float64(len(s))
		b.X = append(b.X, v)
		b.Center = append(b.Center, f)
		b.Lo = append(b.Lo, math.Max(0, f-eps))
		b.Hi = append(b.Hi, math.Min(1, f+eps))
	}
	return b, nil
}
