package mixshift

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// WeightedQuantiles returns the quantiles of weighted values at levels q in
// (0, 1), in the unit of the values: the smallest value at which the
// cumulative weight reaches q of the total (Hyndman and Fan's type 1; with
// equal weights it is an order statistic). Values of weight 0 do not count.
//
// It returns stats.ErrMismatch if the lengths differ and stats.ErrDomain for a
// weight that is negative or not finite, weights without a sum, a value that is
// not finite, or a q outside (0, 1). Cost: one sort. Weights are summed with a
// relative slack of 1e-12, so that a level met exactly is met in floating
// point.
func WeightedQuantiles(values, weights []float64, q []float64) ([]float64, error) {
	if len(values) != len(weights) {
		return nil, fmt.Errorf("weighted quantile: %d values and %d weights: %w", len(values), len(weights), stats.ErrMismatch)
	}
	if err := stats.CheckFinite(values); err != nil {
		return nil, fmt.Errorf("weighted quantile: %w", err)
	}
	if _, err := normalize("the values", weights); err != nil {
		return nil, fmt.Errorf("weighted quantile: %w", err)
	}
	for _, p := range q {
		if !(p > 0 && p < 1) {
			return nil, fmt.Errorf("weighted quantile: level %v, want a number in (0, 1): %w", p, stats.ErrDomain)
		}
	}
	order := make([]int, 0, len(values))
	for i, w := range weights {
		if w > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	cumulative := make([]float64, len(order))
	sum, lost := 0.0, 0.0 // Neumaier's compensated sum
	for k, i := range order {
		next := sum + weights[i]
		if sum >= weights[i] {
			lost += (sum - next) + weights[i]
		} else {
			lost += (weights[i] - next) + sum
		}
		sum = next
		cumulative[k] = sum + lost
	}
	total := cumulative[len(cumulative)-1]
	out := make([]float64, len(q))
	for k, p := range q {
		at, _ := slices.BinarySearch(cumulative, p*total-1e-12*total)
		out[k] = values[order[int(math.Min(float64(at), float64(len(order)-1)))]]
	}
	return out, nil
}
