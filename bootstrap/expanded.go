package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Expanded returns the percentile interval read at levels that make up for how
// few the units are (Hesterberg 2015, The American Statistician 69, 371–386,
// section 5.3): Φ(∓√(k/(k−1))·t) of k units, with t the upper (1−level)/2 quantile of
// Student's t with df degrees of freedom. It always holds the law's value.
//
// Errors: those of [Law.Percentile]; [stats.ErrDomain] unless df > 0.
func (l Law) Expanded(level, df float64) (stats.Estimate, error) {
	e, err := l.begin(level, MethodExpanded)
	if err != nil {
		return stats.Estimate{}, err
	}
	if !(df > 0) {
		return stats.Estimate{}, fmt.Errorf("%v degrees of freedom: want more than 0: %w", df, stats.ErrDomain)
	}
	k := float64(l.units)
	p := stats.NormalCDF(-stats.TQuantile((1+level)/2, df) * math.Sqrt(k/(k-1)))
	lo, cl := l.quantile(p)
	hi, ch := l.quantile(1 - p)
	e.Interval = stats.Interval{Lo: math.Min(lo, l.value), Hi: math.Max(hi, l.value), Level: level}
	return l.finish(e, cl || ch), nil
}
