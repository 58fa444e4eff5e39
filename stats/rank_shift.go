package stats

import (
	"fmt"
	"math"
	"sort"
)

// largestShiftPairs bounds the number of pairwise differences kept in memory.
const largestShiftPairs = 4_000_000

// HodgesLehmannShift estimates by how much y is shifted against x, as the median
// of all differences y_j − x_i, with the interval that inverts the Mann–Whitney
// test: the q-th smallest and q-th largest difference. It assumes that the two
// distributions differ by a shift only; the median of differences is not the
// difference of medians.
//
// Without ties and up to 10,000 pairs q comes from the exact distribution, with
// R's rule (q is the α/2 quantile of U, at least 1). Otherwise q comes from the
// normal approximation with the tie-corrected variance and continuity correction.
// With few values the level cannot be reached and a warning says so: the interval
// is then the range of the differences and its Level the exact one of that range.
//
// Special cases are:
//
//	an empty sample: ErrTooFew
//	more than 4,000,000 pairs, a non-finite value, level outside (0, 1): ErrDomain
//
// Source: Hodges & Lehmann 1963, Annals of Mathematical Statistics 34:598,
// doi:10.1214/aoms/1177704172.
func HodgesLehmannShift(x, y []float64, level float64) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	for _, s := range [][]float64{x, y} {
		if err := CheckFinite(s); err != nil {
			return Estimate{}, err
		}
	}
	r, ties, err := rankCounts(x, y, TwoSided)
	if err != nil {
		return Estimate{}, err
	}
	if pairs := r.NX * r.NY; pairs > largestShiftPairs {
		return Estimate{}, fmt.Errorf("%d pairs: want at most %d: %w", pairs, largestShiftPairs, ErrDomain)
	}
	d := make([]float64, 0, r.NX*r.NY)
	for _, a := range x {
		for _, b := range y {
			d = append(d, b-a)
		}
	}
	sort.Float64s(d)
	est := Estimate{Value: medianSorted(d), SE: math.NaN(), N: r.NX + r.NY, Method: MethodHodgesLehmannShift}
	alpha := 1 - level
	got := level
	var q int
	if ties == 0 && len(d) <= largestExactPairs {
		pmf := uDistribution(r.NX, r.NY)
		cdf := 0.0
		for ; q < len(pmf); q++ {
			cdf += pmf[q]
			if cdf >= alpha/2*(1-1e-12) {
				break
			}
		}
		if q < 1 {
			q = 1
			got = 1 - 2*pmf[0]
			est.Warnings = append(est.Warnings, Warning{
				Code: WarnLevelNotReached,
				Text: fmt.Sprintf("samples of %d and %d values cannot give the level %v: the range of the differences has level %.4g", r.NX, r.NY, level, got),
			})
		}
	} else {
		m, n := float64(r.NX), float64(r.NY)
		total := m + n
		variance := math.Max(0, m*n/12*(total+1-ties/(total*(total-1))))
		q = max(1, int(math.Floor(m*n/2-0.5+NormalQuantile(alpha/2)*math.Sqrt(variance)))+1)
		q = min(q, (len(d)+1)/2)
		est.DF = math.Inf(1)
	}
	est.Interval = Interval{Lo: d[q-1], Hi: d[len(d)-q], Level: got}
	return est, nil
}

// medianSorted is the median of ascending values, at least one.
func medianSorted(s []float64) float64 {
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	a, b := s[n/2-1], s[n/2]
	return a + (b-a)/2
}
