package stats

import (
	"fmt"
	"math"
)

// Segmentation is a division of a sequence into stretches of constant mean.
type Segmentation struct {
	// Breaks[i] is the number of values before the i-th break: the index from 0
	// of the first value of the next segment.
	Breaks []int
	Means  []float64 // mean of each segment, one more than Breaks
	RSS    float64   // sum of squared deviations from the segment means
	Cost   float64   // RSS plus the penalty of every break
}

// SegmentMeans returns the division of a sequence into breaks + 1 segments of at
// least least values each with the smallest sum of squared deviations from their
// means. It is exact, by dynamic programming; the cost is breaks·n².
//
// It returns ErrDomain for a negative number of breaks, least < 1 or a non-finite
// value, and ErrTooFew for a sequence shorter than (breaks+1)·least.
func SegmentMeans(x []float64, breaks, least int) (Segmentation, error) {
	if breaks < 0 {
		return Segmentation{}, fmt.Errorf("%d breaks: want at least 0: %w", breaks, ErrDomain)
	}
	if err := checkSegments(x, least, (breaks+1)*least); err != nil {
		return Segmentation{}, err
	}
	n := len(x)
	cost := segmentCost(x)
	best := make([]float64, n+1) // best[t]: first t values in the current number of segments
	for t := range best {
		best[t] = math.Inf(1)
		if t >= least {
			best[t] = cost(0, t)
		}
	}
	from := make([][]int, breaks)
	for b := range breaks {
		next := make([]float64, n+1)
		from[b] = make([]int, n+1)
		for t := range next {
			next[t] = math.Inf(1)
			for s := least; s+least <= t; s++ {
				if c := best[s] + cost(s, t); c < next[t] {
					next[t], from[b][t] = c, s
				}
			}
		}
		best = next
	}
	cuts := make([]int, breaks)
	t := n
	for b := breaks - 1; b >= 0; b-- {
		t = from[b][t]
		cuts[b] = t
	}
	return segmentation(x, cuts, cost, 0), nil
}

// ChangePoints returns the division of a sequence into segments of at least least
// values that minimises the sum of squared deviations from the segment means plus
// penalty for every break. It is exact, by optimal partitioning with the pruning
// of PELT: linear in a long sequence with many breaks, quadratic without any.
//
// The penalty decides everything; ChangePenalty gives the usual one. Use it to say
// when a change happened, not whether tonight is bad.
//
// It returns ErrDomain for a penalty that is negative or not finite, least < 1 or a
// non-finite value, and ErrTooFew for a sequence shorter than least.
//
// Source: Killick, Fearnhead & Eckley 2012, JASA 107:1590,
// doi:10.1080/01621459.2012.737745.
func ChangePoints(x []float64, penalty float64, least int) (Segmentation, error) {
	if !(penalty >= 0) || math.IsInf(penalty, 1) {
		return Segmentation{}, fmt.Errorf("penalty %v: want a finite number of at least 0: %w", penalty, ErrDomain)
	}
	if err := checkSegments(x, least, least); err != nil {
		return Segmentation{}, err
	}
	n := len(x)
	cost := segmentCost(x)
	best := make([]float64, n+1) // best[t]: cost of the first t values
	from := make([]int, n+1)
	for t := range best {
		best[t] = math.Inf(1)
	}
	best[0] = -penalty // the first segment has no break before it
	type start struct {
		at      int
		expires int // first t at which the start can no longer be the best
	}
	starts := []start{{at: 0, expires: math.MaxInt}}
	for t := least; t <= n; t++ {
		if s := t - least; s >= least && !math.IsInf(best[s], 1) {
			starts = append(starts, start{at: s, expires: math.MaxInt})
		}
		kept := starts[:0]
		for _, s := range starts {
			if t < s.expires {
				kept = append(kept, s)
			}
		}
		starts = kept
		for _, s := range starts {
			if c := best[s.at] + cost(s.at, t) + penalty; c < best[t] {
				best[t], from[t] = c, s.at
			}
		}
		// A start that is worse than a break at t stays worse once a segment
		// from t is long enough to be allowed.
		for i, s := range starts {
			if s.expires == math.MaxInt && best[s.at]+cost(s.at, t) > best[t] {
				starts[i].expires = t + least
			}
		}
	}
	var cuts []int
	for t := from[n]; t > 0; t = from[t] {
		cuts = append([]int{t}, cuts...)
	}
	return segmentation(x, cuts, cost, penalty), nil
}

// ChangePenalty returns the usual penalty for a change of the mean of n values,
// 2σ̂²·ln n, with σ̂ = 1.4826·MAD of the successive differences over √2, which a few
// changes do not inflate.
//
// It returns ErrTooFew for fewer than 3 values, and ErrDomain for a non-finite
// value or where more than half of the differences are equal, so that σ̂ is 0.
func ChangePenalty(x []float64) (float64, error) {
	if len(x) < 3 {
		return 0, fmt.Errorf("%d values: want at least 3: %w", len(x), ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return 0, err
	}
	d := make([]float64, len(x)-1)
	for i := range d {
		d[i] = x[i+1] - x[i]
	}
	_, scaled := medianScaledMAD(d)
	if scaled == 0 {
		return 0, fmt.Errorf("differences of successive values have a median deviation of 0: no noise level to set a penalty by: %w", ErrDomain)
	}
	return 2 * scaled * scaled / 2 * math.Log(float64(len(x))), nil
}

// segmentCost returns the sum of squared deviations of x[s:t] from its mean, in
// constant time per call.
func segmentCost(x []float64) func(s, t int) float64 {
	center := 0.0
	if len(x) > 0 {
		center = meanOf(x)
	}
	sum, square := make([]float64, len(x)+1), make([]float64, len(x)+1)
	for i, v := range x {
		d := v - center
		sum[i+1] = sum[i] + d
		square[i+1] = square[i] + d*d
	}
	return func(s, t int) float64 {
		a, b := sum[t]-sum[s], square[t]-square[s]
		return math.Max(0, b-a*a/float64(t-s))
	}
}

// segmentation describes the division at cuts.
func segmentation(x []float64, cuts []int, cost func(s, t int) float64, penalty float64) Segmentation {
	out := Segmentation{Breaks: cuts}
	s := 0
	for i := 0; i <= len(cuts); i++ {
		t := len(x)
		if i < len(cuts) {
			t = cuts[i]
		}
		out.Means = append(out.Means, meanOf(x[s:t]))
		out.RSS += cost(s, t)
		s = t
	}
	out.Cost = out.RSS + penalty*float64(len(cuts))
	return out
}

// checkSegments returns an error unless the sequence is finite and long enough.
func checkSegments(x []float64, least, need int) error {
	if least < 1 {
		return fmt.Errorf("segments of at least %d values: want at least 1: %w", least, ErrDomain)
	}
	if len(x) < need {
		return fmt.Errorf("%d values: want at least %d: %w", len(x), need, ErrTooFew)
	}
	return CheckFinite(x)
}
