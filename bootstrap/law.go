package bootstrap

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Law is the bootstrap law of a statistic: drawn replicates of equal weight, or
// all possible values with their exact probabilities. It is immutable; the zero
// value holds nothing and answers every question with an error or zero.
type Law struct {
	value  float64   // the statistic of the sample itself
	units  int       // what was resampled
	values []float64 // ascending
	prob   []float64 // probability of values[i]; nil means equal weights
	cum    []float64 // running sum of prob; nil if prob is nil
	rule   Rule
}

// FromReplicates makes a law of replicates drawn elsewhere. value is the
// statistic of the sample itself, units the number of units resampled.
// replicates is copied.
//
// Errors: [stats.ErrTooFew] for units < [MinUnits] or fewer than two
// replicates; [stats.ErrDomain] for a value or replicate that is not finite: a
// statistic that some resamples leave undefined has no bootstrap law, and
// dropping those resamples would bias it.
func FromReplicates(value float64, replicates []float64, units int) (Law, error) {
	if err := checkUnits(units); err != nil {
		return Law{}, err
	}
	if len(replicates) < 2 {
		return Law{}, fmt.Errorf("%d replicates: want at least 2: %w", len(replicates), stats.ErrTooFew)
	}
	if err := stats.CheckFinite([]float64{value}); err != nil {
		return Law{}, fmt.Errorf("statistic of the sample: %w", err)
	}
	if bad := countNonFinite(replicates); bad > 0 {
		return Law{}, fmt.Errorf("%d of %d replicates are not finite: %w", bad, len(replicates), stats.ErrDomain)
	}
	values := slices.Clone(replicates)
	slices.Sort(values)
	return Law{value: value, units: units, values: values}, nil
}

// WithRule returns the law with another convention for its quantiles. On an
// exact law it changes nothing.
func (l Law) WithRule(rule Rule) Law {
	if l.prob == nil {
		l.rule = rule
	}
	return l
}

// Value returns the statistic of the sample itself.
func (l Law) Value() float64 { return l.value }

// Units returns the number of units that were resampled.
func (l Law) Units() int { return l.units }

// Len returns the number of replicates, or of distinct values of an exact law.
func (l Law) Len() int { return len(l.values) }

// Exact reports whether the law lists all values with their probabilities.
func (l Law) Exact() bool { return l.prob != nil }

// At returns the i-th value in ascending order and its probability.
// It panics if i is out of range, as a slice does.
func (l Law) At(i int) (value, probability float64) {
	if l.prob == nil {
		return l.values[i], 1 / float64(len(l.values))
	}
	return l.values[i], l.prob[i]
}

// Mean returns the mean of the law, 0 for the zero Law. Mean − Value is the
// bootstrap estimate of bias.
func (l Law) Mean() float64 {
	if len(l.values) == 0 {
		return 0
	}
	var sum float64
	for i, v := range l.values {
		if l.prob == nil {
			sum += v - l.value
		} else {
			sum += l.prob[i] * (v - l.value)
		}
	}
	if l.prob == nil {
		sum /= float64(len(l.values))
	}
	return l.value + sum
}

// SE returns the standard deviation of the law: with divisor B−1 for B drawn
// replicates, the population form for an exact law. It is 0 for the zero Law.
func (l Law) SE() float64 {
	if len(l.values) < 2 {
		return 0
	}
	mean := l.Mean()
	var sum float64
	for i, v := range l.values {
		d := v - mean
		if l.prob == nil {
			sum += d * d
		} else {
			sum += l.prob[i] * d * d
		}
	}
	if l.prob == nil {
		sum /= float64(len(l.values) - 1)
	}
	return math.Sqrt(sum)
}

// Quantile returns the a-quantile of the law by its rule, a in [0, 1].
//
// Special cases are: an a beyond what B replicates resolve gives the extreme
// replicate.
// Errors: [stats.ErrDomain] for a outside [0, 1], [stats.ErrTooFew] for the zero
// Law.
func (l Law) Quantile(a float64) (float64, error) {
	if !(a >= 0 && a <= 1) {
		return 0, fmt.Errorf("quantile level %v: want a number in [0, 1]: %w", a, stats.ErrDomain)
	}
	if len(l.values) == 0 {
		return 0, fmt.Errorf("law without values: %w", stats.ErrTooFew)
	}
	v, _ := l.quantile(a)
	return v, nil
}

// quantile is Quantile for a law and a level that are known to be good.
func (l Law) quantile(a float64) (v float64, clamped bool) {
	if l.prob == nil {
		return orderQuantile(l.values, a, l.rule)
	}
	i, _ := slices.BinarySearchFunc(l.cum, a-1e-12, func(c, want float64) int {
		if c < want {
			return -1
		}
		return 1
	})
	return l.values[min(i, len(l.values)-1)], false
}

// CDF returns P(T ≤ v) under the law. Values that differ from v by rounding
// error alone count as equal.
func (l Law) CDF(v float64) float64 {
	below, equal := l.split(v)
	return math.Min(1, below+equal)
}

// Below returns P(T < v) + P(T = v)/2 under the law, the mid-probability that
// the bias correction of [Law.BCa] uses.
func (l Law) Below(v float64) float64 {
	below, equal := l.split(v)
	return math.Min(1, below+equal/2)
}

func (l Law) split(v float64) (below, equal float64) {
	if len(l.values) == 0 {
		return 0, 0
	}
	tol := l.tolerance()
	i, _ := slices.BinarySearch(l.values, v-tol)
	j := i
	for j < len(l.values) && l.values[j] <= v+tol {
		j++
	}
	if l.prob == nil {
		n := float64(len(l.values))
		return float64(i) / n, float64(j-i) / n
	}
	if i > 0 {
		below = l.cum[i-1]
	}
	for _, p := range l.prob[i:j] {
		equal += p
	}
	return below, equal
}

// tolerance is the rounding error that the values of one law may differ by
// when they should be equal: resamples add the same numbers in another order.
func (l Law) tolerance() float64 {
	last := len(l.values) - 1
	return 16 * epsilon * max(math.Abs(l.values[0]), math.Abs(l.values[last]), math.Abs(l.value))
}

// constant reports whether all values agree up to rounding.
func (l Law) constant() bool {
	return l.values[len(l.values)-1]-l.values[0] <= 2*l.tolerance()
}
