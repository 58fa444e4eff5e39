package bootstrap

import "math"

// Rule is the convention for the quantile of a bootstrap law. The numbers
// follow Hyndman & Fan (1996) for the first two.
type Rule int8

const (
	// OrderStatistic is type 6: the (B+1)a-th ordered replicate, interpolated
	// linearly between neighbours. It is the default for drawn replicates.
	OrderStatistic Rule = iota
	// Linear is type 7, the ((B−1)a+1)-th ordered replicate; numpy and scipy use it.
	Linear
	// InverseCDF is the smallest value whose cumulative probability reaches a
	// (with a slack of 1e-12). Exact laws use nothing else.
	InverseCDF
)

// String returns "order statistic", "linear" or "inverse cdf".
func (r Rule) String() string {
	switch r {
	case OrderStatistic:
		return "order statistic"
	case Linear:
		return "linear"
	case InverseCDF:
		return "inverse cdf"
	}
	return "unknown rule"
}

// orderQuantile reads the a-quantile off ascending values that have equal
// probability. clamped tells that fewer values than needed lie beyond it, so
// that the extreme one stands in.
func orderQuantile(sorted []float64, a float64, rule Rule) (v float64, clamped bool) {
	n := float64(len(sorted))
	var h float64
	switch rule {
	case Linear:
		h = (n-1)*a + 1
	case InverseCDF:
		h = math.Ceil(n*a - 1e-12*n)
	default:
		h = (n + 1) * a
	}
	if r := math.Round(h); math.Abs(h-r) < 4*epsilon*math.Max(1, math.Abs(h)) {
		h = r
	}
	switch {
	case h < 1:
		return sorted[0], h < 1-1e-9 && rule == OrderStatistic
	case h >= n:
		return sorted[len(sorted)-1], h > n+1e-9 && rule == OrderStatistic
	}
	j := int(h)
	g := h - float64(j)
	lo, hi := sorted[j-1], sorted[j]
	switch {
	case g == 0 || lo == hi:
		return lo, false
	case math.IsInf(lo, -1): // never interpolate between infinity and a number
		return lo, false
	}
	return lo + float64(g*(hi-lo)), false
}

const epsilon = 0x1p-52
