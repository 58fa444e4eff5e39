package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// QuantileReplicates resamples whole units with replacement and returns, for
// each q, the quantile of the merged distribution in every replicate:
// result[i][r] is the qs[i]-quantile in replicate r.
//
// It assumes independent units. Percentile intervals of it want 20 units or
// more, see [ClusterMeanLaw].
//
// Errors: [stats.ErrTooFew] for fewer than [MinUnits] units, [stats.ErrDomain]
// for bad options or a q outside (0, 1).
// The cost is Replicates·len(qs)·log₂(bins)·units multiplications.
func (c *CDFs) QuantileReplicates(qs []float64, opt Options) ([][]float64, error) {
	if err := c.check(qs, opt); err != nil {
		return nil, err
	}
	b := opt.replicates()
	out := columns(len(qs), b)
	forEach(b, opt, func() func(int, *rand.Rand) {
		m, row := make([]float64, c.units), make([]float64, len(qs))
		return func(r int, rng *rand.Rand) {
			clear(m)
			for range c.units {
				m[rng.IntN(c.units)]++
			}
			c.quantiles(m, qs, row)
			for i, v := range row {
				out[i][r] = v
			}
		}
	})
	return out, nil
}

// QuantileLaws returns the cluster bootstrap law of each quantile: exact over
// all C(2K−1, K) multisets of K ≤ 10 units, where no random number is needed, and
// of [CDFs.QuantileReplicates] beyond. Errors are those of QuantileReplicates.
func (c *CDFs) QuantileLaws(qs []float64, opt Options) ([]Law, error) {
	if err := c.check(qs, opt); err != nil {
		return nil, err
	}
	point := make([]float64, len(qs))
	c.quantiles(c.once(), qs, point)
	laws := make([]Law, len(qs))
	if c.units > resampleExactly {
		replicates, err := c.QuantileReplicates(qs, opt)
		if err != nil {
			return nil, err
		}
		for i := range qs {
			if laws[i], err = FromReplicates(point[i], replicates[i], c.units); err != nil {
				return nil, err
			}
		}
		return laws, nil
	}
	values, weights := make([][]float64, len(qs)), []float64(nil)
	m, row := make([]float64, c.units), make([]float64, len(qs))
	forEachMultiset(c.units, func(index []int, probability float64) {
		clear(m)
		for _, u := range index {
			m[u]++
		}
		c.quantiles(m, qs, row)
		for i, v := range row {
			values[i] = append(values[i], v)
		}
		weights = append(weights, probability)
	})
	for i := range qs {
		var err error
		if laws[i], err = newExactLaw(point[i], values[i], weights, c.units); err != nil {
			return nil, err
		}
	}
	return laws, nil
}

// QuantileChange is the bootstrap law of the change of a quantile between two
// samples.
type QuantileChange struct {
	Q          float64
	X, Y       float64 // quantile of each merged sample
	Difference Law     // of y − x
	LogRatio   Law     // of log(y/x); the zero Law if OK is false
	OK         bool    // both quantiles are positive in every replicate
}

// CompareQuantiles resamples the units of two samples independently and
// returns the law of the change of each quantile. The smaller number of units
// counts as the units of the law. Errors are those of [CDFs.QuantileReplicates].
func CompareQuantiles(x, y *CDFs, qs []float64, opt Options) ([]QuantileChange, error) {
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
		c := QuantileChange{Q: q, X: px[i], Y: py[i], OK: px[i] > 0 && py[i] > 0}
		diff, logs := make([]float64, len(rx[i])), make([]float64, len(rx[i]))
		for r, a := range rx[i] {
			b := ry[i][r]
			diff[r] = b - a
			if c.OK = c.OK && a > 0 && b > 0; c.OK {
				logs[r] = math.Log(b / a)
			}
		}
		if c.Difference, err = FromReplicates(py[i]-px[i], diff, units); err != nil {
			return nil, err
		}
		if c.OK {
			if c.LogRatio, err = FromReplicates(math.Log(py[i]/px[i]), logs, units); err != nil {
				return nil, err
			}
		}
		out[i] = c
	}
	return out, nil
}

func (c *CDFs) check(qs []float64, opt Options) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := checkUnits(c.units); err != nil {
		return err
	}
	return checkQs(qs)
}
