package stats

import (
	"fmt"
	"math"
	"slices"
)

// TheilSenFit is a straight line fitted by medians.
type TheilSenFit struct {
	// Slope is the median of the slopes of all pairs, with Sen's interval. Its N
	// is the number of points that were used for pairs.
	Slope Estimate
	// Intercept is the median of y − slope·x.
	Intercept float64
	// InterceptOfMedians is median(y) − slope·median(x), the convention of some
	// packages.
	InterceptOfMedians float64
	N                  int // points given
	Warnings           []Warning
}

const (
	// largestPairing is the number of points up to which all pairs are taken.
	largestPairing = 5000
	// pairingBins is the number of bins that replace more points than that.
	pairingBins = 1000
)

// TheilSen fits y = intercept + slope·x by the median of the slopes of all pairs
// with different x. A quarter of the points may lie anywhere without moving the fit
// far, so queueing spikes do not drag it as they drag LeastSquares. The interval of
// the slope inverts Kendall's test with the variance corrected for ties; it assumes
// independent errors of one distribution. With several runs use the spread of the
// slopes between runs.
//
// More than 5000 points are sorted by x and cut into 1000 bins of nearly equal
// count; the medians of the bins are then fitted, with the warning binned. Nothing
// is drawn at random, and the order of the points does not matter.
//
// Special cases are:
//
//	so few points that the ranks of the interval run out: the extreme slopes, with
//	    a warning
//	slices of different lengths: ErrMismatch; fewer than 2 points: ErrTooFew
//	all x equal, a non-finite value, level outside (0, 1): ErrDomain
//
// Source: Theil 1950; Sen 1968, JASA 63:1379, doi:10.1080/01621459.1968.10480934.
func TheilSen(x, y []float64, level float64) (TheilSenFit, error) {
	if err := CheckLevel(level); err != nil {
		return TheilSenFit{}, err
	}
	if err := checkLine(x, y); err != nil {
		return TheilSenFit{}, err
	}
	out := TheilSenFit{N: len(x)}
	px, py := x, y
	if len(x) > largestPairing {
		px, py = binMedians(x, y, pairingBins)
		out.Warnings = append(out.Warnings, Warning{
			Code: WarnBinned,
			Text: fmt.Sprintf("the slopes are those between the medians of %d bins of %d points", len(px), len(x)),
		})
	}
	slopes := pairSlopes(px, py)
	if len(slopes) == 0 {
		return TheilSenFit{}, fmt.Errorf("all medians of x are %v: a slope needs different x: %w", px[0], ErrDomain)
	}
	lo, hi, reached := senRanks(px, py, len(slopes), level)
	mid := (len(slopes) - 1) / 2
	at := orderStatistics(slopes, min(lo, mid), mid, len(slopes)/2, max(hi, len(slopes)/2))
	slope := medianSorted(at[1:3])
	out.Slope = Estimate{
		Value: slope, SE: math.NaN(), DF: math.Inf(1), N: len(px), Method: MethodTheilSen,
		Interval: Interval{Lo: at[0], Hi: at[3], Level: level},
	}
	if !reached {
		out.Warnings = append(out.Warnings, Warning{
			Code: WarnLevelNotReached,
			Text: fmt.Sprintf("%d points are too few for the level %v: the interval is the range of the slopes", len(px), level),
		})
	}
	out.Slope.Warnings = slices.Clone(out.Warnings)
	rest := make([]float64, len(x))
	for i := range x {
		rest[i] = y[i] - slope*x[i]
	}
	out.Intercept = medianOf(rest)
	out.InterceptOfMedians = medianOf(y) - slope*medianOf(x)
	return out, nil
}

// pairSlopes returns the slopes of all pairs of points with different x.
func pairSlopes(x, y []float64) []float64 {
	slopes := make([]float64, 0, len(x)*(len(x)-1)/2)
	for i := range x {
		for j := range i {
			if dx := x[i] - x[j]; dx != 0 {
				slopes = append(slopes, (y[i]-y[j])/dx)
			}
		}
	}
	return slopes
}

// senRanks returns the indices, from 0, of the ordered slopes that limit the
// interval, and whether there were enough slopes for the level.
func senRanks(x, y []float64, slopes int, level float64) (lo, hi int, reached bool) {
	n := float64(len(x))
	variance := (n*(n-1)*(2*n+5) - tieTerm(x) - tieTerm(y)) / 18
	c := -NormalQuantile((1-level)/2) * math.Sqrt(math.Max(0, variance))
	upper := int(math.RoundToEven((float64(slopes) + c) / 2))
	lower := int(math.RoundToEven((float64(slopes)-c)/2)) - 1
	reached = lower >= 0 && upper <= slopes-1
	return max(0, min(lower, slopes-1)), max(0, min(upper, slopes-1)), reached
}

// tieTerm is Σ t(t−1)(2t+5) over groups of t equal values.
func tieTerm(x []float64) float64 {
	s := sortedValues(x)
	sum := 0.0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		t := float64(j - i)
		sum += t * (t - 1) * (2*t + 5)
		i = j
	}
	return sum
}

// binMedians sorts the points by x, ties by y, and returns the medians of x and y
// in bins of nearly equal count.
func binMedians(x, y []float64, bins int) (bx, by []float64) {
	type point struct{ x, y float64 }
	p := make([]point, len(x))
	for i := range x {
		p[i] = point{x[i], y[i]}
	}
	slices.SortFunc(p, func(a, b point) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		case a.y < b.y:
			return -1
		case a.y > b.y:
			return 1
		}
		return 0
	})
	bins = min(bins, len(p))
	for b := range bins {
		from, to := b*len(p)/bins, (b+1)*len(p)/bins
		xs, ys := make([]float64, 0, to-from), make([]float64, 0, to-from)
		for _, q := range p[from:to] {
			xs, ys = append(xs, q.x), append(ys, q.y)
		}
		bx = append(bx, medianSorted(xs))
		by = append(by, medianOf(ys))
	}
	return bx, by
}

// checkLine returns an error unless the points can carry a line.
func checkLine(x, y []float64) error {
	if len(x) != len(y) {
		return fmt.Errorf("%d x and %d y: %w", len(x), len(y), ErrMismatch)
	}
	if len(x) < 2 {
		return fmt.Errorf("%d points: want at least 2: %w", len(x), ErrTooFew)
	}
	for _, s := range [][]float64{x, y} {
		if err := CheckFinite(s); err != nil {
			return err
		}
	}
	for _, v := range x {
		if v != x[0] {
			return nil
		}
	}
	return fmt.Errorf("all x are %v: a slope needs different x: %w", x[0], ErrDomain)
}
