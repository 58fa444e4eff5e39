package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Multisets returns C(2n−1, n), the number of distinct resamples of n units
// drawn n times with replacement, or limit+1 if it is larger than limit.
//
// Special cases are: 0 for n < 1.
func Multisets(n, limit int) int {
	if n < 1 {
		return 0
	}
	return binomial(2*n-1, n, limit)
}

// binomial returns C(n, k), or limit+1 if it exceeds limit.
func binomial(n, k, limit int) int {
	c := 1
	for i := 1; i <= min(k, n-k); i++ {
		if c > limit { // partial products only grow
			return limit + 1
		}
		c = c * (n - min(k, n-k) + i) / i
	}
	return min(c, limit+1)
}

// Enumerate returns the exact bootstrap law of a statistic: its value on all
// nⁿ resamples of n units. The statistic must not depend on the order of the
// units, so that only the C(2n−1, n) distinct multisets are visited, each
// with its multinomial probability; it gets their unit numbers in ascending
// order, must not keep or change them, and is called from this goroutine only.
//
// Special cases are: values that differ by rounding alone (16 units in the last
// place of the largest value) are one value.
// Errors: [stats.ErrTooFew] for n < 1; [stats.ErrImpossible] for more than
// [EnumerationLimit] multisets (n > 12); [stats.ErrDomain] if some resample gives a
// value that is not finite.
func Enumerate(n int, statistic func(index []int) float64) (Law, error) {
	size, err := checkEnumeration(n)
	if err != nil {
		return Law{}, err
	}
	values := make([]float64, 0, size)
	weights := make([]float64, 0, size)
	forEachMultiset(n, func(index []int, probability float64) {
		values = append(values, statistic(index))
		weights = append(weights, probability)
	})
	return newExactLaw(statistic(identity(n)), values, weights, n)
}

// Resample returns the bootstrap law of a statistic of n units: exact by
// [Enumerate] up to 10 units, where no random number is needed, and of
// opt.Replicates [Replicates] beyond. The rules for statistic are those of both.
//
// Errors: [stats.ErrTooFew] for n < [MinUnits], [stats.ErrDomain] for bad options
// or a value that is not finite.
func Resample(n int, statistic func(index []int) float64, opt Options) (Law, error) {
	if err := opt.Validate(); err != nil {
		return Law{}, err
	}
	if err := checkUnits(n); err != nil {
		return Law{}, err
	}
	if n <= resampleExactly {
		return Enumerate(n, statistic)
	}
	replicates, err := Replicates(n, statistic, opt)
	if err != nil {
		return Law{}, err
	}
	return FromReplicates(statistic(identity(n)), replicates, n)
}

// resampleExactly is the largest n for which 92,378 multisets or fewer are
// visited instead of drawing.
const resampleExactly = 10

func checkEnumeration(n int) (size int, err error) {
	if n < 1 {
		return 0, fmt.Errorf("%d units to resample: want at least 1: %w", n, stats.ErrTooFew)
	}
	size = Multisets(n, EnumerationLimit)
	if size > EnumerationLimit {
		return 0, fmt.Errorf("%d units have more than %d resamples to enumerate: %w", n, EnumerationLimit, stats.ErrImpossible)
	}
	return size, nil
}

// forEachMultiset visits the multisets of size n of 0..n−1 in lexicographic
// order with their probabilities n!/(Πm!) / nⁿ.
func forEachMultiset(n int, visit func(index []int, probability float64)) {
	index := make([]int, n)
	inverse := make([]float64, n+1) // 1/m!
	inverse[0] = 1
	for m := 1; m <= n; m++ {
		inverse[m] = inverse[m-1] / float64(m)
	}
	var fill func(at, unit int, p float64)
	fill = func(at, unit int, p float64) {
		left := n - at
		if left == 0 || unit == n-1 {
			for i := at; i < n; i++ {
				index[i] = unit
			}
			visit(index, p*inverse[left])
			return
		}
		for m := left; m >= 0; m-- {
			for i := at; i < at+m; i++ {
				index[i] = unit
			}
			fill(at+m, unit+1, p*inverse[m])
		}
	}
	lg, _ := math.Lgamma(float64(n + 1))
	fill(0, 0, math.Exp(lg-float64(n)*math.Log(float64(n))))
}

func identity(n int) []int {
	index := make([]int, n)
	for i := range index {
		index[i] = i
	}
	return index
}
