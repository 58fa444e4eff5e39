package bootstrap

import (
	"fmt"
	"math"
)

// compareExactly is the largest number of units a side for which the exact laws
// of both sides, 462 resamples or fewer each, are combined.
const compareExactly = 6

// QuantileChange is the bootstrap law of the change of a quantile between two
// samples.
type QuantileChange struct {
	Q          float64
	X, Y       float64 // quantile of each merged sample
	Difference Law     // of y − x
	LogRatio   Law     // of log(y/x); the zero Law unless Positive
	Positive   bool    // both quantiles are positive in every resample
}

// CompareQuantiles resamples the units of two samples independently and
// returns the law of the change of each quantile: exact for up to 6 units a side,
// of opt.Replicates pairs beyond. The smaller number of units counts as the
// units of the law. Percentile intervals want 20 units a side, see
// [ClusterMeanLaw]. Errors are those of [CDFs.QuantileReplicates].
func CompareQuantiles(x, y *CDFs, qs []float64, opt Options) ([]QuantileChange, error) {
	if err := x.check(qs, opt); err != nil {
		return nil, fmt.Errorf("first sample: %w", err)
	}
	if err := y.check(qs, opt); err != nil {
		return nil, fmt.Errorf("second sample: %w", err)
	}
	if max(x.units, y.units) <= compareExactly {
		return compareExact(x, y, qs, opt)
	}
	optX, optY := opt, opt
	optX.Seed, optY.Seed = SubSeed(opt.Seed, 0), SubSeed(opt.Seed, 1)
	rx, err := x.QuantileReplicates(qs, optX)
	if err != nil {
		return nil, fmt.Errorf("first sample: %w", err)
	}
	ry, err := y.QuantileReplicates(qs, optY)
	if err != nil {
		return nil, fmt.Errorf("second sample: %w", err)
	}
	px, py := make([]float64, len(qs)), make([]float64, len(qs))
	x.quantiles(x.once(), qs, px)
	y.quantiles(y.once(), qs, py)
	units := min(x.units, y.units)
	out := make([]QuantileChange, len(qs))
	for i, q := range qs {
		c := QuantileChange{Q: q, X: px[i], Y: py[i], Positive: px[i] > 0 && py[i] > 0}
		diff, logs := make([]float64, len(rx[i])), make([]float64, len(rx[i]))
		for r, a := range rx[i] {
			b := ry[i][r]
			diff[r] = b - a
			if c.Positive = c.Positive && a > 0 && b > 0; c.Positive {
				logs[r] = math.Log(b / a)
			}
		}
		if c.Difference, err = FromReplicates(py[i]-px[i], diff, units); err != nil {
			return nil, err
		}
		if c.Positive {
			if c.LogRatio, err = FromReplicates(math.Log(py[i]/px[i]), logs, units); err != nil {
				return nil, err
			}
		}
		out[i] = c
	}
	return out, nil
}

func compareExact(x, y *CDFs, qs []float64, opt Options) ([]QuantileChange, error) {
	lx, err := x.QuantileLaws(qs, opt)
	if err != nil {
		return nil, fmt.Errorf("first sample: %w", err)
	}
	ly, err := y.QuantileLaws(qs, opt)
	if err != nil {
		return nil, fmt.Errorf("second sample: %w", err)
	}
	out := make([]QuantileChange, len(qs))
	for i, q := range qs {
		c := QuantileChange{Q: q, X: lx[i].value, Y: ly[i].value}
		if c.Difference, err = Difference(lx[i], ly[i]); err != nil {
			return nil, err
		}
		if c.Positive = lx[i].values[0] > 0 && ly[i].values[0] > 0; c.Positive {
			if c.LogRatio, err = product(lx[i], ly[i], func(x, y float64) float64 { return math.Log(y / x) }); err != nil {
				return nil, err
			}
		}
		out[i] = c
	}
	return out, nil
}
