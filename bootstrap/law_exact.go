package bootstrap

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// newExactLaw sorts the weighted values, merges equal ones and normalises.
// It takes ownership of both slices.
func newExactLaw(value float64, values, weights []float64, units int) (Law, error) {
	if bad := countNonFinite(values); bad > 0 {
		return Law{}, fmt.Errorf("%d of %d resamples give a value that is not finite: %w", bad, len(values), stats.ErrDomain)
	}
	if err := stats.CheckFinite([]float64{value}); err != nil {
		return Law{}, fmt.Errorf("statistic of the sample: %w", err)
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return a - b
	})
	l := Law{value: value, units: units, rule: InverseCDF}
	l.values = []float64{values[order[0]], values[order[len(order)-1]]}
	tol := l.tolerance()
	l.values = l.values[:0]
	for _, i := range order {
		if k := len(l.values) - 1; k >= 0 && values[i]-l.values[k] <= tol {
			l.prob[k] += weights[i]
			continue
		}
		l.values = append(l.values, values[i])
		l.prob = append(l.prob, weights[i])
	}
	l.cum = make([]float64, len(l.prob))
	var total float64
	for i, p := range l.prob {
		total += p
		l.cum[i] = total
	}
	for i := range l.prob {
		l.prob[i] /= total
		l.cum[i] /= total
	}
	return l, nil
}

func countNonFinite(x []float64) int {
	bad := 0
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			bad++
		}
	}
	return bad
}
