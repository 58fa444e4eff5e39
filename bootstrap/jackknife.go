package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// LeaveOneOut returns the n values of the statistic with one unit left out, in
// the order of the units: what [Law.BCa] and [stats.Jackknife] need. statistic gets n−1 unit numbers and must not keep or
// change them; it is called from this goroutine only.
//
// Errors: [stats.ErrTooFew] for n < 2.
func LeaveOneOut(n int, statistic func(index []int) float64) ([]float64, error) {
	if n < 2 {
		return nil, fmt.Errorf("leaving out one of %d units: want at least 2: %w", n, stats.ErrTooFew)
	}
	out := make([]float64, n)
	index := make([]int, n-1)
	for i := range out {
		k := 0
		for j := range n {
			if j != i {
				index[k] = j
				k++
			}
		}
		out[i] = statistic(index)
	}
	return out, nil
}

// Acceleration returns Efron's (1987) jackknife estimate of the acceleration
// constant, Σu³ / (6 (Σu²)^{3/2}) with u = mean − leave-one-out value: a sixth of
// the skewness of the statistic's influence values.
//
// Errors: [stats.ErrTooFew] for fewer than two values, [stats.ErrDomain] for
// values that are not finite or all equal, where the constant is 0/0.
func Acceleration(leaveOneOut []float64) (float64, error) {
	if len(leaveOneOut) < 2 {
		return 0, fmt.Errorf("%d leave-one-out values: want at least 2: %w", len(leaveOneOut), stats.ErrTooFew)
	}
	if err := stats.CheckFinite(leaveOneOut); err != nil {
		return 0, fmt.Errorf("leave-one-out values: %w", err)
	}
	first := leaveOneOut[0]
	var shift, size float64
	for _, v := range leaveOneOut {
		shift += v - first
		size = math.Max(size, math.Abs(v))
	}
	mean := shift / float64(len(leaveOneOut))
	var scale float64
	for _, v := range leaveOneOut {
		scale = math.Max(scale, math.Abs(mean-(v-first)))
	}
	if scale <= 16*epsilon*size {
		return 0, fmt.Errorf("all %d leave-one-out values equal %v, the acceleration is undefined: %w", len(leaveOneOut), first, stats.ErrDomain)
	}
	var s2, s3 float64
	for _, v := range leaveOneOut {
		u := (mean - (v - first)) / scale
		s2 += u * u
		s3 += u * u * u
	}
	return s3 / (6 * s2 * math.Sqrt(s2)), nil
}
