package stats

import (
	"fmt"
	"math"
)

// BootstrapDifference is the bootstrap distribution of a difference.
type BootstrapDifference struct {
	BootstrapLaw
	// PAtMostZero is the bootstrap probability of a difference ≤ 0.
	PAtMostZero float64
}

// ExactBootstrapDifference gives the bootstrap distribution of the difference
// y − x of the quantiles of level q, each the order statistic of rank ⌈nq⌉ of
// its sample, for two samples of independent values: the exact law of the
// difference of two independent order statistics. The percentile limits are the
// smallest differences whose cumulated probability reaches (1−level)/2 and
// (1+level)/2. Cost after sorting: of the order √nx + √ny.
//
// For one run per side it is the interval without assumptions beyond
// independence; requests of one run rarely are independent. In the tails it
// covers too little, see ExactBootstrapOrderStat.
//
// Special cases are: no spread on either side gives SE 0 and the warning
// no_variance.
//
// Errors: ErrTooFew for no values on a side, ErrDomain for a value that is not
// finite, q or level outside (0, 1).
//
// Source: Hutson & Ernst 2000, doi:10.1111/1467-9868.00221.
func ExactBootstrapDifference(x, y []float64, q, level float64) (BootstrapDifference, error) {
	if err := checkBoth(x, y); err != nil {
		return BootstrapDifference{}, err
	}
	return ExactBootstrapDifferenceSorted(sortedValues(x), sortedValues(y), q, level)
}

// ExactBootstrapDifferenceSorted is ExactBootstrapDifference for finite values
// in ascending order, which it does not check.
func ExactBootstrapDifferenceSorted(x, y []float64, q, level float64) (BootstrapDifference, error) {
	lx, ly, err := twoLaws(x, y, q, level)
	if err != nil {
		return BootstrapDifference{}, err
	}
	at := func(t float64) (f, le, gt float64) {
		return productCDF(lx, ly, t, func(a, b float64) float64 { return b - a })
	}
	minimum, maximum := ly.x[0]-last(lx.x), last(ly.x)-lx.x[0]
	out := BootstrapDifference{}
	out.Mean = ly.mean - lx.mean
	out.PAtMostZero, _, _ = at(0)
	out.PAtMostZero = math.Min(1, out.PAtMostZero)
	se := math.Sqrt(lx.variance + ly.variance)
	out.Estimate = bootstrapEstimate(y[ly.r-1]-x[lx.r-1], se,
		supportSearch(minimum, maximum, (1-level)/2, out.Mean, se, at),
		supportSearch(minimum, maximum, (1+level)/2, out.Mean, se, at),
		level, MethodExactBootstrapDifference, lx, ly)
	return out, nil
}

// ExactBootstrapRatio is ExactBootstrapDifference for the ratio y / x of the two
// quantiles.
//
// Errors: those of ExactBootstrapDifference, and ErrDomain for values that are
// not positive.
func ExactBootstrapRatio(x, y []float64, q, level float64) (BootstrapLaw, error) {
	if err := checkBoth(x, y); err != nil {
		return BootstrapLaw{}, err
	}
	return ExactBootstrapRatioSorted(sortedValues(x), sortedValues(y), q, level)
}

// ExactBootstrapRatioSorted is ExactBootstrapRatio for finite values in
// ascending order, which it does not check.
func ExactBootstrapRatioSorted(x, y []float64, q, level float64) (BootstrapLaw, error) {
	lx, ly, err := twoLaws(x, y, q, level)
	if err != nil {
		return BootstrapLaw{}, err
	}
	for i, side := range [2][]float64{x, y} {
		if side[0] <= 0 {
			return BootstrapLaw{}, fmt.Errorf("%s: smallest value %v: want positive values for a ratio: %w", "xy"[i:i+1], side[0], ErrDomain)
		}
	}
	at := func(t float64) (f, le, gt float64) {
		return productCDF(lx, ly, t, func(a, b float64) float64 { return b / a })
	}
	// Moments of 1/x; those of the product follow from independence.
	var m float64
	for i, w := range lx.w {
		m += w / lx.x[i]
	}
	var v float64
	for i, w := range lx.w {
		d := 1/lx.x[i] - m
		v += w * d * d
	}
	minimum, maximum := ly.x[0]/last(lx.x), last(ly.x)/lx.x[0]
	out := BootstrapLaw{Mean: ly.mean * m}
	se := math.Sqrt(ly.variance*v + ly.variance*m*m + v*ly.mean*ly.mean)
	out.Estimate = bootstrapEstimate(y[ly.r-1]/x[lx.r-1], se,
		supportSearch(minimum, maximum, (1-level)/2, out.Mean, se, at),
		supportSearch(minimum, maximum, (1+level)/2, out.Mean, se, at),
		level, MethodExactBootstrapRatio, lx, ly)
	return out, nil
}

// productCDF returns P(g(X, Y) ≤ t) for independent X and Y and a g that falls
// in x and rises in y, with the values of g next to t. One pass over both.
func productCDF(lx, ly rankLaw, t float64, g func(x, y float64) float64) (f, le, gt float64) {
	le, gt = math.Inf(-1), math.Inf(1)
	k, before := 0, math.Inf(-1) // number of y with g(x_i, y) ≤ t, g of the last
	for i, a := range lx.x {
		if k > 0 {
			before = g(a, ly.x[k-1])
		}
		for k < len(ly.x) {
			v := g(a, ly.x[k])
			if v > t {
				if v < gt {
					gt = v
				}
				break
			}
			before = v
			k++
		}
		if before > le {
			le = before
		}
		f += lx.w[i] * ly.below[k]
	}
	return f, le, gt
}

func twoLaws(x, y []float64, q, level float64) (lx, ly rankLaw, err error) {
	for i, side := range [2][]float64{x, y} {
		if err := checkQuantileInterval(len(side), q, level); err != nil {
			return rankLaw{}, rankLaw{}, fmt.Errorf("%s: %w", "xy"[i:i+1], err)
		}
	}
	return newRankLaw(x, ceilRank(q, len(x))), newRankLaw(y, ceilRank(q, len(y))), nil
}

func checkBoth(x, y []float64) error {
	for i, side := range [2][]float64{x, y} {
		if err := CheckFinite(side); err != nil {
			return fmt.Errorf("%s: %w", "xy"[i:i+1], err)
		}
	}
	return nil
}

func last(x []float64) float64 { return x[len(x)-1] }
