package stats

import (
	"fmt"
	"math"
)

// RepeatedSamples describes the mean of items that were each measured several
// times, such as questions with several answers.
type RepeatedSamples struct {
	// Estimate is the mean over items with the standard error for new items,
	// sd(item means)/√n, and Student's t interval with n−1 degrees of freedom.
	Estimate

	Within  float64 // mean of the items' own variances
	Between float64 // variance of item means less its share from Within; may be negative

	// SEFixedItems is the standard error if exactly these items are of interest,
	// SELimit what SE would fall to with infinitely many samples per item.
	SEFixedItems, SELimit float64
	// SENaive takes every sample for an independent item. It is too small, and
	// here only to show by how much.
	SENaive float64

	Items, Samples int
}

// Repeated estimates the mean score of items from several samples of each:
// item means first, for more samples of an item are not more items. Items may
// have different numbers of samples and count alike.
//
// Special cases are: item means that do not vary give SE 0 and the warning
// no_variance.
//
// Errors: ErrTooFew for fewer than 2 items or an item with fewer than 2 samples,
// ErrDomain for a value that is not finite or a level outside (0, 1).
//
// Source: Miller 2024, arXiv:2411.00640.
func Repeated(scores [][]float64, level float64) (RepeatedSamples, error) {
	n := len(scores)
	means := make([]float64, n)
	var r RepeatedSamples
	var all []float64
	var share float64 // Σ s_i²/K_i
	for i, s := range scores {
		if len(s) < 2 {
			return RepeatedSamples{}, fmt.Errorf("item %d has %d samples: want at least 2: %w", i, len(s), ErrTooFew)
		}
		m, v, err := MeanVariance(s)
		if err != nil {
			return RepeatedSamples{}, fmt.Errorf("item %d: %w", i, err)
		}
		means[i] = m
		r.Within += v
		share += v / float64(len(s))
		all = append(all, s...)
	}
	est, err := MeanT(means, level)
	if err != nil {
		return RepeatedSamples{}, fmt.Errorf("item means: %w", err)
	}
	_, total, err := MeanVariance(all)
	if err != nil {
		return RepeatedSamples{}, err
	}
	fn := float64(n)
	r.Estimate = est
	r.Method = "repeated_samples"
	r.Within /= fn
	r.Between = est.SE*est.SE*fn - share/fn
	r.SEFixedItems = math.Sqrt(share) / fn
	r.SELimit = math.Sqrt(math.Max(0, r.Between) / fn)
	r.SENaive = math.Sqrt(total / float64(len(all)))
	r.Items, r.Samples = n, len(all)
	return r, nil
}

// PairedRepeated estimates the mean difference y − x of items that were each
// measured several times on both sides: PairedT on the item means. The two sides
// of an item may have different numbers of samples, at least one each.
//
// Special cases are those of PairedT.
//
// Errors: ErrMismatch for different numbers of items, ErrTooFew for fewer than 2
// items or a side of an item without samples, ErrDomain for a value that is not
// finite or a level outside (0, 1).
func PairedRepeated(x, y [][]float64, level float64) (Estimate, error) {
	if len(x) != len(y) {
		return Estimate{}, fmt.Errorf("%d items of x and %d of y: want as many: %w", len(x), len(y), ErrMismatch)
	}
	var means [2][]float64
	for i, side := range [2][][]float64{x, y} {
		means[i] = make([]float64, len(side))
		for k, s := range side {
			m, err := Mean(s)
			if err != nil {
				return Estimate{}, fmt.Errorf("%s: item %d: %w", "xy"[i:i+1], k, err)
			}
			means[i][k] = m
		}
	}
	est, err := PairedT(means[0], means[1], level)
	if err != nil {
		return Estimate{}, err
	}
	est.Method = "paired_repeated"
	return est, nil
}
