package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Wald estimates the difference of two paired proportions, rate of y minus
// rate of x, with the normal interval around the observed difference. It is a
// reference, not a recommendation: the interval has zero width without
// discordant items and misses far too often when few are discordant: fewer than
// 15 give the warning rare_differences.
//
// It returns stats.ErrTooFew for an empty table and stats.ErrDomain for a
// negative count or a level outside (0, 1). Limits are cut to [−1, 1].
func Wald(t Table, level float64) (stats.Estimate, error) {
	e, err := adjusted(t, level, 0, 0, MethodWald)
	if err == nil && t.Discordant() > 0 && t.Discordant() < rareDifferent {
		e.Warnings = append(e.Warnings, rareWarning(t.Discordant()))
	}
	if err == nil && t.Discordant() == 0 {
		e.Warnings = append(e.Warnings, stats.Warning{Code: stats.WarnNoVariance, Text: "no item is discordant: the Wald interval has no width and says nothing; use the Tango score interval"})
	}
	return e, err
}

// BonettPrice estimates the difference of two paired proportions, rate of y
// minus rate of x, with the interval that adds one item to each discordant
// cell. It is the closed-form fallback: slightly wide up to 100 items.
//
// The value is the observed difference, not the centre of the interval.
// Errors: see [Wald]. Source: Bonett and Price 2012, Journal of Educational
// and Behavioral Statistics 37:479.
func BonettPrice(t Table, level float64) (stats.Estimate, error) {
	return adjusted(t, level, 1, 0, MethodBonettPrice)
}

// AgrestiMin estimates the difference of two paired proportions, rate of y
// minus rate of x, with the Wald interval after adding half an item to every
// cell.
//
// The value is the observed difference, not the centre of the interval.
// Errors: see [Wald]. Source: Agresti and Min 2005, Statistics in Medicine
// 24:729.
func AgrestiMin(t Table, level float64) (stats.Estimate, error) {
	return adjusted(t, level, 0.5, 0.5, MethodAgrestiMin)
}

// adjusted is the Wald interval after adding disc to each discordant and conc
// to each concordant cell.
func adjusted(t Table, level, disc, conc float64, method string) (stats.Estimate, error) {
	if err := t.check(level); err != nil {
		return stats.Estimate{}, fmt.Errorf("%s interval: %w", method, err)
	}
	n := float64(t.N()) + 2*disc + 2*conc
	px, py := (float64(t.OnlyX)+disc)/n, (float64(t.OnlyY)+disc)/n
	center := py - px
	se := math.Sqrt(math.Max(0, px+py-center*center) / n)
	half := stats.NormalQuantile((1+level)/2) * se
	return stats.Estimate{
		Value:    t.Difference(),
		SE:       se,
		DF:       math.Inf(1),
		Interval: stats.Interval{Lo: math.Max(-1, center-half), Hi: math.Min(1, center+half), Level: level},
		N:        t.N(),
		Method:   method,
	}, nil
}
