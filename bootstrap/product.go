package bootstrap

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Difference returns the exact law of y − x for independent x and y with exact
// laws, such as two order statistics; its units are the smaller number.
//
// Errors: [stats.ErrDomain] for a law that is not exact, [stats.ErrImpossible] for
// more than [EnumerationLimit] pairs of values.
func Difference(x, y Law) (Law, error) {
	return product(x, y, func(x, y float64) float64 { return y - x })
}

// Ratio returns the exact law of y / x, as [Difference] does of y − x.
//
// Errors: those of [Difference]; [stats.ErrDomain] if x can be 0 or negative,
// because the order of ratios is then not that of the change.
func Ratio(x, y Law) (Law, error) {
	if x.Exact() && !(x.values[0] > 0) {
		return Law{}, fmt.Errorf("ratio to a law that reaches %v: want positive values: %w", x.values[0], stats.ErrDomain)
	}
	return product(x, y, func(x, y float64) float64 { return y / x })
}

func product(x, y Law, f func(x, y float64) float64) (Law, error) {
	if !x.Exact() || !y.Exact() {
		return Law{}, fmt.Errorf("the exact law of a change needs two exact laws: %w", stats.ErrDomain)
	}
	if pairs := len(x.values) * len(y.values); pairs > EnumerationLimit {
		return Law{}, fmt.Errorf("%d pairs of values: want at most %d: %w", pairs, EnumerationLimit, stats.ErrImpossible)
	}
	values := make([]float64, 0, len(x.values)*len(y.values))
	weights := make([]float64, 0, len(x.values)*len(y.values))
	for i, vx := range x.values {
		for j, vy := range y.values {
			values = append(values, f(vx, vy))
			weights = append(weights, x.prob[i]*y.prob[j])
		}
	}
	return newExactLaw(f(x.value, y.value), values, weights, min(x.units, y.units))
}
