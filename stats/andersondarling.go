package stats

import (
	"fmt"
	"math"
)

// ADTest is one version of the k-sample Anderson–Darling test.
type ADTest struct {
	Statistic    float64 // A²
	Standardized float64 // (A² − (k−1))/σ
	P            float64 // from the asymptotic distribution
}

// AndersonDarlingK is the outcome of the k-sample Anderson–Darling test.
type AndersonDarlingK struct {
	Right    ADTest // ties counted to the right, equation 6 of the source
	Midrank  ADTest // ties counted half, equation 7 of the source
	K, N     int    // samples, observations
	Warnings []Warning
}

// AndersonDarling tests whether k independent samples come from one distribution.
// It has more power in the tails than KolmogorovSmirnov. Like it, it is meant to
// describe, for independent observations; with very many it rejects for
// differences that no one cares about.
//
// The p-value is that of the limiting sum of weighted chi-squared variables with
// k − 1 degrees of freedom, by numerical inversion, at the standardised
// statistic. It is good from about five observations a sample.
//
// Special cases are:
//
//	all values equal: statistics 0, P = 1, with a warning
//	fewer than 2 samples or 4 observations, an empty sample: ErrTooFew
//	a non-finite value: ErrDomain
//
// Source: Scholz & Stephens 1987, JASA 82:918,
// doi:10.1080/01621459.1987.10478517.
func AndersonDarling(samples ...[]float64) (AndersonDarlingK, error) {
	k := len(samples)
	if k < 2 {
		return AndersonDarlingK{}, fmt.Errorf("%d samples: want at least 2: %w", k, ErrTooFew)
	}
	total := 0
	for i, s := range samples {
		if len(s) == 0 {
			return AndersonDarlingK{}, fmt.Errorf("sample %d is empty: %w", i, ErrTooFew)
		}
		if err := CheckFinite(s); err != nil {
			return AndersonDarlingK{}, fmt.Errorf("sample %d: %w", i, err)
		}
		total += len(s)
	}
	if total < 4 {
		return AndersonDarlingK{}, fmt.Errorf("%d observations in all: want at least 4: %w", total, ErrTooFew)
	}
	sorted := make([][]float64, k)
	var pool []float64
	for i, s := range samples {
		sorted[i] = sortedValues(s)
		pool = append(pool, s...)
	}
	pool = sortedValues(pool)
	out := AndersonDarlingK{K: k, N: total}
	if pool[0] == pool[total-1] {
		out.Right.P, out.Midrank.P = 1, 1
		out.Warnings = append(out.Warnings, allTied())
		return out, nil
	}
	out.Right.Statistic, out.Midrank.Statistic = adStatistics(sorted, pool)
	sigma := math.Sqrt(adVariance(sorted, total))
	limit := math.Sqrt(2 * float64(k-1) * (math.Pi*math.Pi/3 - 3))
	for _, a := range []*ADTest{&out.Right, &out.Midrank} {
		a.Standardized = (a.Statistic - float64(k-1)) / sigma
		a.P = adSurvival(float64(k-1)+a.Standardized*limit, k-1)
	}
	return out, nil
}

// adStatistics returns A² with ties to the right and with ties split.
func adStatistics(sorted [][]float64, pool []float64) (right, midrank float64) {
	total := float64(len(pool))
	at := make([]int, len(sorted)) // values of each sample seen so far
	for i := 0; i < len(pool); {
		v := pool[i]
		j := i
		for j < len(pool) && pool[j] == v {
			j++
		}
		ties := float64(j - i)
		upTo, half := float64(j), float64(i)+ties/2
		last := j == len(pool)
		for s, values := range sorted {
			n := float64(len(values))
			before := at[s]
			for at[s] < len(values) && values[at[s]] == v {
				at[s]++
			}
			if !last {
				d := total*float64(at[s]) - n*upTo
				right += ties / total * d * d / (upTo * (total - upTo)) / n
			}
			d := total*float64(before+at[s])/2 - n*half
			midrank += ties / total * d * d / (half*(total-half) - total*ties/4) / n
		}
		i = j
	}
	return right, midrank * (total - 1) / total
}

// adVariance is the variance of A² under the hypothesis, without ties.
func adVariance(sorted [][]float64, total int) float64 {
	k, n := float64(len(sorted)), float64(total)
	sumInverse := 0.0
	for _, s := range sorted {
		sumInverse += 1 / float64(len(s))
	}
	var h, g float64
	for j := total - 1; j >= 1; j-- {
		// h is Σ 1/j over the indices above j here.
		if j <= total-2 {
			g += h / float64(total-j)
		}
		h += 1 / float64(j)
	}
	a := (4*g-6)*(k-1) + (10-6*g)*sumInverse
	b := (2*g-4)*k*k + 8*h*k + (2*g-14*h-4)*sumInverse - 8*h + 4*g - 6
	c := (6*h+2*g-2)*k*k + (4*h-4*g+6)*k + (2*h-6)*sumInverse + 4*h
	d := (2*h+6)*k*k - 4*h*k
	return (((a*n+b)*n+c)*n + d) / ((n - 1) * (n - 2) * (n - 3))
}
