package bootstrap

import (
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

func (c *CDFs) check(qs []float64, opt Options) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := checkUnits(c.units); err != nil {
		return err
	}
	return checkQs(qs)
}
