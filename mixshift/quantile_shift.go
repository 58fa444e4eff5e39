package mixshift

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// QuantileParts is the split of the change of one quantile, in the unit of the
// values. Total = Rate + Mix, to the last bit.
type QuantileParts struct {
	Q          float64 // level, in (0, 1)
	X, Y       float64 // quantiles of the samples as they are
	YLike      float64 // quantile of y at the mix of x
	Total      float64
	Rate       float64 // structure: y at the mix of x, less x
	Mix        float64 // composition: y less y at the mix of x, and what only one side has
	OffSupport float64 // the part of Mix from cells that only one side has
}

// QuantileShift splits the change of quantiles between two samples into what
// remains when y is reweighted to the mix of x over cells, and the rest. The
// quantiles are of type 1, with weights [WeightedQuantiles]. Look at
// [Objections] of the returned Overlap before believing it; intervals need
// runs, see [SplitRuns].
//
// Special cases are: cells of one side only are left out of Rate on both sides
// and reported as OffSupport.
//
// It returns stats.ErrMismatch if cells and values differ in number,
// stats.ErrTooFew for an empty sample, stats.ErrImpossible if no cell is
// common, and stats.ErrDomain for a value that is not finite or a level outside
// (0, 1). Source: see [Reweight].
func QuantileShift(cellX []int, x []float64, cellY []int, y, q []float64) ([]QuantileParts, Reweighting, error) {
	fail := func(err error) ([]QuantileParts, Reweighting, error) {
		return nil, Reweighting{}, fmt.Errorf("quantile shift: %w", err)
	}
	if len(cellX) != len(x) || len(cellY) != len(y) {
		return fail(fmt.Errorf("%d cells and %d values of x, %d and %d of y: %w", len(cellX), len(x), len(cellY), len(y), stats.ErrMismatch))
	}
	r, err := Reweight(cellX, cellY)
	if err != nil {
		return fail(err)
	}
	samples := []struct {
		values, weights []float64
	}{
		{x, ones(len(x))}, {x, indicator(r.indexX, r.Common)},
		{y, ones(len(y))}, {y, indicator(r.indexY, r.Common)},
		{y, r.Weight},
	}
	quantiles := make([][]float64, len(samples))
	for i, s := range samples {
		if quantiles[i], err = WeightedQuantiles(s.values, s.weights, q); err != nil {
			return fail(err)
		}
	}
	parts := make([]QuantileParts, len(q))
	for k := range q {
		v := values{x: quantiles[0][k], xCommon: quantiles[1][k], y: quantiles[2][k], yCommon: quantiles[3][k], yLike: quantiles[4][k]}
		p, err := v.on(Difference)
		if err != nil {
			return fail(err)
		}
		parts[k] = QuantileParts{
			Q: q[k], X: v.x, Y: v.y, YLike: v.yLike,
			Total: p.total, Rate: p.rate, Mix: p.mix, OffSupport: p.offSupport,
		}
	}
	return parts, r, nil
}

// ReweightedMean estimates the mean of y at the mix of x over cells: the
// post-stratified mean with the shares of x as the target, on the common
// support. It treats the shares as fixed and the units as independent.
//
// Errors: see [QuantileShift] and [PostStratify].
func ReweightedMean(cellX, cellY []int, y []float64, level float64) (PostStratified, error) {
	if len(cellY) != len(y) {
		return PostStratified{}, fmt.Errorf("reweighted mean: %d cells and %d values: %w", len(cellY), len(y), stats.ErrMismatch)
	}
	r, err := Reweight(cellX, cellY)
	if err != nil {
		return PostStratified{}, fmt.Errorf("reweighted mean: %w", err)
	}
	byCell := make([][]float64, len(r.Codes))
	for i, c := range r.indexY {
		byCell[c] = append(byCell[c], y[i])
	}
	var strata []PostStratum
	for c, values := range byCell {
		if !r.Common[c] {
			continue
		}
		mean, variance, err := stats.MeanVariance(values)
		if err != nil {
			return PostStratified{}, fmt.Errorf("reweighted mean: cell %d: %w", r.Codes[c], err)
		}
		strata = append(strata, PostStratum{N: len(values), Mean: mean, Variance: variance, Share: r.Cells[c].ShareX})
	}
	p, err := PostStratify(strata, level)
	if err != nil {
		return PostStratified{}, fmt.Errorf("reweighted mean: %w", err)
	}
	return p, nil
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// indicator is 1 for units of a common cell.
func indicator(index []int, common []bool) []float64 {
	w := make([]float64, len(index))
	for i, c := range index {
		if common[c] {
			w[i] = 1
		}
	}
	return w
}
