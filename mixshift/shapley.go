package mixshift

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// mostFactors bounds the 2^k evaluations of a Shapley split.
const mostFactors = 20

// Attribution is the split of a change over factors. Total is the sum of
// Effects in order, and equals the value with every factor taken from y less
// the value with none, up to rounding.
type Attribution struct {
	Effects []float64
	Total   float64
}

// Shapley splits the change of any value over k factors, each of which is
// either as in x or as in y: value(fromY) is called once for each of the 2^k
// choices. The effect of a factor is its average contribution over all orders
// in which the factors can be switched, so no order is favoured and the
// effects add up.
//
// It returns stats.ErrDomain for k outside 1 to 20 or a value that is not
// finite, and any error of value itself. The slice passed to value is reused.
// Source: Shapley 1953; Das Gupta 1993, US Census P23-186, for rates.
func Shapley(k int, value func(fromY []bool) (float64, error)) (Attribution, error) {
	if k < 1 || k > mostFactors {
		return Attribution{}, fmt.Errorf("shapley split over %d factors, want 1 to %d: %w", k, mostFactors, stats.ErrDomain)
	}
	v := make([]float64, 1<<k)
	fromY := make([]bool, k)
	for s := range v {
		for j := range fromY {
			fromY[j] = s>>j&1 == 1
		}
		var err error
		if v[s], err = value(fromY); err != nil {
			return Attribution{}, fmt.Errorf("shapley split: %w", err)
		}
		if !finite(v[s]) {
			return Attribution{}, fmt.Errorf("shapley split: value %v with factors %v from y, want a finite number: %w", v[s], fromY, stats.ErrDomain)
		}
	}
	a := Attribution{Effects: effects(v)}
	for _, e := range a.Effects {
		a.Total += e
	}
	if err := stats.CheckFinite([]float64{a.Total}); err != nil {
		return Attribution{}, fmt.Errorf("shapley split: the effects overflow: %w", err)
	}
	return a, nil
}

// DasGupta splits the change of a product of factors, such as requests × tokens
// per request × seconds per token, over the factors. x and y hold the factors
// of either side.
//
// It returns stats.ErrMismatch if the lengths differ; other errors, method and
// source: see [Shapley].
func DasGupta(x, y []float64) (Attribution, error) {
	if len(x) != len(y) {
		return Attribution{}, fmt.Errorf("%d factors of x and %d of y: %w", len(x), len(y), stats.ErrMismatch)
	}
	return Shapley(len(x), func(fromY []bool) (float64, error) {
		p := 1.0
		for j, y1 := range fromY {
			if y1 {
				p *= y[j]
			} else {
				p *= x[j]
			}
		}
		return p, nil
	})
}
