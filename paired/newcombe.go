package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Newcombe estimates the difference of two paired proportions, rate of y
// minus rate of x, by squaring and adding the Wilson limits of the two rates
// with allowance for their correlation (method 10). Slightly wide; a
// cross-check of [TangoScore].
//
// Special cases are: the correlation counts as 0 where a margin of the table
// is 0. Limits are cut to [−1, 1].
//
// It returns stats.ErrTooFew for an empty table and stats.ErrDomain for a
// negative count or a level outside (0, 1). The standard error is NaN: the
// method has none. Source: Newcombe 1998, Statistics in Medicine 17:2635.
func Newcombe(t Table, level float64) (stats.Estimate, error) {
	if err := t.check(level); err != nil {
		return stats.Estimate{}, fmt.Errorf("newcombe interval: %w", err)
	}
	a, b, c, d := float64(t.Both), float64(t.OnlyY), float64(t.OnlyX), float64(t.Neither)
	n := a + b + c + d
	wx, err := stats.Wilson(int64(t.Both+t.OnlyX), int64(t.N()), level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("newcombe interval: %w", err)
	}
	wy, err := stats.Wilson(int64(t.Both+t.OnlyY), int64(t.N()), level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("newcombe interval: %w", err)
	}
	phi := 0.0
	if margins := (a + b) * (c + d) * (a + c) * (b + d); margins > 0 {
		num := a*d - b*c
		if num > 0 {
			num = math.Max(0, num-n/2)
		}
		phi = num / math.Sqrt(margins)
	}
	diff := t.Difference()
	return stats.Estimate{
		Value: diff,
		SE:    math.NaN(),
		DF:    math.Inf(1),
		Interval: stats.Interval{
			Lo:    math.Max(-1, diff-hypotCorrelated(wy.Value-wy.Interval.Lo, wx.Interval.Hi-wx.Value, phi)),
			Hi:    math.Min(1, diff+hypotCorrelated(wy.Interval.Hi-wy.Value, wx.Value-wx.Interval.Lo, phi)),
			Level: level,
		},
		N:      t.N(),
		Method: MethodNewcombe,
	}, nil
}

// hypotCorrelated is √(u² − 2ρuv + v²).
func hypotCorrelated(u, v, rho float64) float64 {
	return math.Sqrt(math.Max(0, u*u-2*rho*u*v+v*v))
}
