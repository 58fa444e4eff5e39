package paired

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Limits of the exact sign-flip law.
const (
	exactFlips   = 36        // clusters up to which all sign patterns are counted
	latticeSteps = 100000000 // cost up to which whole-numbered sums are convolved
	flipSlack    = 1e-9      // slack for ties, relative to the largest total
)

// SignFlip tests the mean of the differences d against null by giving whole
// clusters random signs: exact, whatever the dependence inside a cluster, if
// the cluster sums of d − null are symmetric about 0 under the hypothesis. It
// is the check to run when few items differ. The statistic is the mean of
// d − null over all items. Give each item its own code for a test without
// clusters.
//
// All sign patterns are counted up to 36 clusters with a sum other than 0, and
// for more where the sums are whole numbers, as right-or-wrong items give with
// null 0. Beyond that the law is normal and Method is sign_flip_normal.
//
// Special cases are: p is 1 when every cluster sum is 0. With k sums other
// than 0 a two-sided p cannot be below 2^(1−k).
//
// Errors: see [ClusterRobust]; stats.ErrDomain also for a null that is not
// finite. Cost: 2^(k/2) time and memory for k ≤ 36. Source: Fisher 1935, The
// Design of Experiments.
func SignFlip(d []float64, cluster []int, null float64, alt stats.Alternative) (stats.Test, error) {
	if err := stats.CheckFinite([]float64{null}); err != nil {
		return stats.Test{}, fmt.Errorf("sign-flip test: null: %w", err)
	}
	if _, err := normalP(0, alt); err != nil {
		return stats.Test{}, fmt.Errorf("sign-flip test: %w", err)
	}
	c, err := groupClusters(d, cluster)
	if err != nil {
		return stats.Test{}, fmt.Errorf("sign-flip test: %w", err)
	}
	test := stats.Test{P: 1, Alternative: alt, Method: MethodSignFlipExact}
	var sums []float64 // sizes of the cluster sums that are not 0
	total, reach, whole := 0.0, 0.0, true
	for _, s := range c.residuals(null) {
		total += s
		if s != 0 {
			sums = append(sums, math.Abs(s))
			reach += math.Abs(s)
			whole = whole && s == math.Trunc(s)
		}
	}
	if math.IsInf(reach, 0) || math.IsNaN(reach) {
		return stats.Test{}, fmt.Errorf("sign-flip test: the cluster sums overflow: %w", stats.ErrDomain)
	}
	test.Statistic = total / float64(c.n)
	if len(sums) == 0 {
		test.Warnings = append(test.Warnings, noVariance())
		return test, nil
	}
	bar := math.Abs(total) // two-sided: both tails beyond |total|, equal by symmetry
	switch alt {
	case stats.Greater:
		bar = total
	case stats.Less:
		bar = -total
	}
	bar -= flipSlack * reach
	var tail float64
	switch {
	case whole && reach*float64(len(sums)) <= latticeSteps:
		tail = latticeTail(sums, bar)
	case len(sums) <= exactFlips:
		tail = meetTail(sums, bar)
	default:
		test.Method, test.DF = MethodSignFlipNormal, math.Inf(1)
		scale, squares := slices.Max(sums), 0.0
		for _, s := range sums {
			squares += s / scale * (s / scale)
		}
		tail = stats.NormalSurvival(bar / scale / math.Sqrt(squares))
	}
	if alt == stats.TwoSided {
		tail *= 2
	}
	test.P = math.Min(1, tail)
	return test, nil
}

// latticeTail returns the probability that the sums with random signs add up
// to bar or more, for whole-numbered sums, by convolution.
func latticeTail(sums []float64, bar float64) float64 {
	reach := 0
	for _, s := range sums {
		reach += int(s)
	}
	// prob[k] belongs to the total 2k − (sum so far): k counts what is positive.
	prob := make([]float64, reach+1)
	prob[0] = 1
	top := 0
	for _, s := range sums {
		step := int(s)
		top += step
		for k := top; k >= 0; k-- {
			p := prob[k]
			if k >= step {
				p += prob[k-step]
			}
			prob[k] = p / 2
		}
	}
	tail := 0.0
	for k := reach; k >= 0 && float64(2*k-reach) >= bar; k-- {
		tail += prob[k]
	}
	return tail
}

// meetTail returns the same for any sums, by sorting all totals of either half
// and counting the pairs that reach bar.
func meetTail(sums []float64, bar float64) float64 {
	half := len(sums) / 2
	a, b := signTotals(sums[:half]), signTotals(sums[half:])
	count := 0.0
	j := len(b) // b[j:] reaches bar together with the current a
	for _, v := range a {
		for j > 0 && v+b[j-1] >= bar {
			j--
		}
		count += float64(len(b) - j)
	}
	return count / float64(len(a)) / float64(len(b))
}

// signTotals returns the totals of all sign patterns in ascending order.
func signTotals(sums []float64) []float64 {
	totals := make([]float64, 1, 1<<len(sums))
	for _, s := range sums {
		n := len(totals)
		for i := range n {
			totals = append(totals, totals[i]+s)
		}
		for i := range n {
			totals[i] -= s
		}
	}
	slices.Sort(totals)
	return totals
}
