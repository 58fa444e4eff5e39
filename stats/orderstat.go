package stats

import (
	"fmt"
	"math"
	"sort"
)

func unbounded() Warning {
	return Warning{Code: WarnUnbounded, Text: "there are too few values to bound the quantile on every side asked for"}
}

// OrderStatRanks returns the 1-based ranks l < u of the order statistics between
// which the quantile of level q lies with a probability of at least level, and
// that probability: with B ~ Bin(n, q), l is the largest rank with P(B < l) ≤
// α/2 and u the smallest with P(B ≥ u) ≤ α/2, α = 1 − level. They depend on the
// data only through n. l = 0 and u = n+1 mean that there is no bound.
//
// coverage is exact for a continuous distribution and a lower bound for a
// discrete one, where l and u bound the quantile all the same.
//
// Errors: ErrTooFew for n < 1, ErrDomain for q or level outside (0, 1).
//
// Source: Thompson 1936, Annals of Mathematical Statistics 7:122; David &
// Nagaraja 2003, Order Statistics, §7.1.
func OrderStatRanks(n int, q, level float64) (l, u int, coverage float64, err error) {
	if err := checkQuantileInterval(n, q, level); err != nil {
		return 0, 0, 0, err
	}
	half := (1 - level) / 2
	l, below := lowerRank(n, q, half)
	m, above := lowerRank(n, 1-q, half)
	return l, n + 1 - m, 1 - below - above, nil
}

// lowerRank returns the largest rank l with P(Bin(n, q) < l) ≤ tail, 0 if there
// is none, and that probability.
func lowerRank(n int, q, tail float64) (l int, p float64) {
	limit := tail * (1 + 1e-12) // equality up to rounding counts
	l = sort.Search(n, func(k int) bool { return BinomialCDF(k, n, q) > limit })
	return l, BinomialCDF(l-1, n, q)
}

// OrderStatCI estimates the quantile of level q with a distribution-free
// interval between two order statistics. It assumes independent values of one
// distribution and nothing of its shape. The point estimate is the order
// statistic x_(⌈nq⌉), the interval's Level the exact coverage of OrderStatRanks.
//
// SE is NaN and DF 0: there is no standard error behind it.
//
// Special cases are: a limit that n values cannot give is ±Inf, with the warning
// unbounded.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite, q
// or level outside (0, 1).
func OrderStatCI(x []float64, q, level float64) (QuantileLimits, error) {
	if err := CheckFinite(x); err != nil {
		return QuantileLimits{}, err
	}
	return OrderStatCISorted(sortedValues(x), q, level)
}

// OrderStatCISorted is OrderStatCI for finite values in ascending order, which it
// does not check.
func OrderStatCISorted(sorted []float64, q, level float64) (QuantileLimits, error) {
	l, u, coverage, err := OrderStatRanks(len(sorted), q, level)
	if err != nil {
		return QuantileLimits{}, err
	}
	return orderStatLimits(sorted, q, l, u, coverage, MethodOrderStatistic), nil
}

// OrderStatLower gives a one-sided lower confidence bound for the quantile of
// level q: the largest order statistic that lies at or below it with a
// probability of at least level. The upper limit is +Inf, Level the exact
// coverage. Assumption, special cases and errors are those of OrderStatCI.
func OrderStatLower(x []float64, q, level float64) (QuantileLimits, error) {
	if err := CheckFinite(x); err != nil {
		return QuantileLimits{}, err
	}
	n := len(x)
	if err := checkQuantileInterval(n, q, level); err != nil {
		return QuantileLimits{}, err
	}
	l, miss := lowerRank(n, q, 1-level)
	return orderStatLimits(sortedValues(x), q, l, n+1, 1-miss, MethodOrderStatisticLower), nil
}

// OrderStatUpper gives a one-sided upper confidence bound for the quantile of
// level q: the smallest order statistic that lies at or above it with a
// probability of at least level. It exists from MinNForQuantileBound values on.
// The lower limit is −Inf, Level the exact coverage. Assumption, special cases
// and errors are those of OrderStatCI.
func OrderStatUpper(x []float64, q, level float64) (QuantileLimits, error) {
	if err := CheckFinite(x); err != nil {
		return QuantileLimits{}, err
	}
	n := len(x)
	if err := checkQuantileInterval(n, q, level); err != nil {
		return QuantileLimits{}, err
	}
	m, miss := lowerRank(n, 1-q, 1-level)
	return orderStatLimits(sortedValues(x), q, 0, n+1-m, 1-miss, MethodOrderStatisticUpper), nil
}

func orderStatLimits(sorted []float64, q float64, l, u int, coverage float64, method string) QuantileLimits {
	n := len(sorted)
	out := limitsAt(sorted, l, u, coverage)
	out.Value = sorted[ceilRank(q, n)-1]
	out.SE = math.NaN()
	out.N = n
	out.Method = method
	oneSided := method != MethodOrderStatistic
	if (l == 0 && (!oneSided || u == n+1)) || (u == n+1 && (!oneSided || l == 0)) {
		out.Warnings = []Warning{unbounded()}
	}
	return out
}

// MinNForQuantileBound returns the smallest number of independent values with
// which an order statistic bounds the quantile of level q: from above, for a
// one-sided bound (q^n ≤ 1 − level), or, if twoSided, on both sides of an
// equal-tailed interval (q^n and (1−q)^n ≤ (1−level)/2). With fewer values no
// method without a model of the tail can bound it.
//
// Errors: ErrDomain for q or level outside (0, 1), ErrImpossible if n exceeds
// 2^53.
//
// Source: Wilks 1941, Annals of Mathematical Statistics 12:91,
// doi:10.1214/aoms/1177731788.
func MinNForQuantileBound(q, level float64, twoSided bool) (int, error) {
	if err := checkQuantileInterval(1, q, level); err != nil {
		return 0, err
	}
	tail, far := 1-level, q
	if twoSided {
		tail, far = tail/2, math.Max(q, 1-q)
	}
	n := math.Max(1, math.Ceil(fuzz(math.Log(tail)/math.Log(far))))
	if !(n < 1<<53) {
		return 0, fmt.Errorf("a bound of the %v quantile needs %v values: %w", q, n, ErrImpossible)
	}
	return int(n), nil
}

// checkQuantileInterval checks the arguments every quantile interval has.
func checkQuantileInterval(n int, q, level float64) error {
	if err := CheckLevel(level); err != nil {
		return err
	}
	if !(q > 0 && q < 1) {
		return fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	if n < 1 {
		return fmt.Errorf("quantile of no values: want at least 1: %w", ErrTooFew)
	}
	return nil
}
