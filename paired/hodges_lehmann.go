package paired

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// HodgesLehmann estimates the pseudo-median of the differences d, the median
// of all Walsh averages (d[i] + d[j])/2 with i ≤ j, in the unit of d. The
// interval runs between two ordered Walsh averages and matches the signed-rank
// test. For symmetric differences; with fewer than 30 items it replaces the t
// interval.
//
// Up to 200 items the limits come from the exact law of the signed-rank sum
// and Interval.Level is the exact level, never below the one asked for; beyond
// that they come from its normal approximation.
//
// Special cases are: a level that n items cannot reach (95 % below six) gives
// an unbounded interval and the warning unbounded; equal differences
// give an interval without width and no_variance.
//
// It returns stats.ErrTooFew without differences and stats.ErrDomain for a
// value that is not finite or a level outside (0, 1). The standard error is
// NaN. Cost: O(n log n) time and O(n) memory; the averages are never written
// down. Source: Hodges and Lehmann 1963, Annals of Mathematical Statistics
// 34:598.
func HodgesLehmann(d []float64, level float64) (stats.Estimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return stats.Estimate{}, fmt.Errorf("hodges-lehmann: %w", err)
	}
	if len(d) == 0 {
		return stats.Estimate{}, fmt.Errorf("hodges-lehmann: 0 differences, want 1 or more: %w", stats.ErrTooFew)
	}
	if err := stats.CheckFinite(d); err != nil {
		return stats.Estimate{}, fmt.Errorf("hodges-lehmann: %w", err)
	}
	w := newWalsh(d)
	m := w.count()
	e := stats.Estimate{
		Value:    w.at((m+1)/2)/2 + w.at(m/2+1)/2,
		SE:       math.NaN(),
		Interval: stats.Unbounded(level),
		N:        len(d),
		Method:   MethodHodgesLehmann,
	}
	var q int64
	if len(d) <= exactRanks {
		var below float64
		var k int
		k, below = integerRankLaw(len(d)).quantile((1 - level) / 2)
		q, e.Interval.Level = int64(k), 1-2*below
		if k == 0 {
			e.Interval.Level = level
		}
	} else {
		n := float64(len(d))
		sd := math.Sqrt(n * (n + 1) * (2*n + 1) / 24)
		q = max(0, int64(math.Floor(float64(m)/2+0.5-stats.NormalQuantile((1+level)/2)*sd)))
		e.DF = math.Inf(1)
	}
	if q == 0 {
		e.Warnings = append(e.Warnings, stats.Warning{Code: stats.WarnUnbounded, Text: fmt.Sprintf("%d items cannot bound the pseudo-median at the level asked for", len(d))})
		return e, nil
	}
	e.Interval.Lo, e.Interval.Hi = w.at(q), w.at(m+1-q)
	if w.sorted[0] == w.sorted[len(d)-1] {
		e.Warnings = append(e.Warnings, noVariance())
	}
	return e, nil
}

// walsh selects ordered Walsh averages of a sample without listing them.
type walsh struct{ sorted []float64 }

func newWalsh(d []float64) walsh {
	s := slices.Clone(d)
	slices.Sort(s)
	return walsh{s}
}

// count returns the number of Walsh averages, n(n+1)/2.
func (w walsh) count() int64 {
	n := int64(len(w.sorted))
	return n * (n + 1) / 2
}

// atMost counts the Walsh averages that do not exceed v. Halves are added, so
// that nothing overflows; rounding is monotone, so that the walk is valid.
func (w walsh) atMost(v float64) int64 {
	total := int64(0)
	j := len(w.sorted) - 1
	for i := range w.sorted {
		for j >= i && w.sorted[i]/2+w.sorted[j]/2 > v {
			j--
		}
		if j < i {
			break
		}
		total += int64(j - i + 1)
	}
	return total
}

// at returns the k-th smallest Walsh average, k from 1, by bisection over the
// ordered representations of float64: at most 64 passes over the data.
func (w walsh) at(k int64) float64 {
	lo, hi := orderedBits(w.sorted[0]), orderedBits(w.sorted[len(w.sorted)-1])
	for lo < hi {
		mid := lo + (hi-lo)/2
		if w.atMost(fromOrderedBits(mid)) >= k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return fromOrderedBits(lo)
}

// orderedBits maps finite floats to integers of the same order.
func orderedBits(v float64) uint64 {
	b := math.Float64bits(v + 0) // −0 becomes 0
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func fromOrderedBits(b uint64) float64 {
	if b>>63 == 1 {
		return math.Float64frombits(b &^ (1 << 63))
	}
	return math.Float64frombits(^b)
}
