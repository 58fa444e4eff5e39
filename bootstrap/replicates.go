package bootstrap

import (
	"fmt"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/stats"
)

// Replicates returns the statistic of opt.Replicates resamples of n units
// drawn with replacement. The r-th value depends on (opt.Seed, r) alone.
//
// statistic gets the numbers, 0 to n−1, of the n drawn units; it must not keep or
// change them, and several goroutines call it at once. See [ReplicateVectors]
// for several statistics, scratch memory or another scheme.
//
// Errors: [stats.ErrTooFew] for n < [MinUnits], [stats.ErrDomain] for bad options.
func Replicates(n int, statistic func(index []int) float64, opt Options) ([]float64, error) {
	out, err := ReplicateVectors(IID{n}, 1, func() func([]int, []float64) {
		return func(index []int, out []float64) { out[0] = statistic(index) }
	}, opt)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// ReplicateVectors computes dim statistics of each resample drawn by scheme.
// It returns dim slices of opt.Replicates values each: result[d][r] is
// statistic d of replicate r, so all statistics of one r come from the same
// resample and may be combined by r.
//
// newStatistic is called once per goroutine; the function it returns is used by
// that goroutine alone and may own scratch memory. It fills out, of length dim.
//
// Errors: those of scheme.Validate, [stats.ErrDomain] for dim < 1 or bad options.
func ReplicateVectors(scheme Scheme, dim int, newStatistic func() func(index []int, out []float64), opt Options) ([][]float64, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := scheme.Validate(); err != nil {
		return nil, err
	}
	if dim < 1 {
		return nil, fmt.Errorf("%d statistics: want at least 1: %w", dim, stats.ErrDomain)
	}
	b := opt.replicates()
	out := columns(dim, b)
	forEach(b, opt, func() func(int, *rand.Rand) {
		statistic := newStatistic()
		index := make([]int, scheme.Units())
		row := make([]float64, dim)
		return func(r int, rng *rand.Rand) {
			scheme.Draw(rng, index)
			statistic(index, row)
			for d, v := range row {
				out[d][r] = v
			}
		}
	})
	return out, nil
}

// TwoSampleReplicates resamples nx units of a first and, independently, ny
// units of a second sample, and returns the statistic of each pair of
// resamples. The rules for statistic are those of [Replicates].
//
// Errors: [stats.ErrTooFew] for nx or ny < [MinUnits], [stats.ErrDomain] for bad
// options.
func TwoSampleReplicates(nx, ny int, statistic func(ix, iy []int) float64, opt Options) ([]float64, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := checkUnits(min(nx, ny)); err != nil {
		return nil, err
	}
	b := opt.replicates()
	out := make([]float64, b)
	forEach(b, opt, func() func(int, *rand.Rand) {
		ix, iy := make([]int, nx), make([]int, ny)
		return func(r int, rng *rand.Rand) {
			drawIID(rng, ix, nx)
			drawIID(rng, iy, ny)
			out[r] = statistic(ix, iy)
		}
	})
	return out, nil
}

// columns returns dim slices of n floats cut from one allocation.
func columns(dim, n int) [][]float64 {
	all := make([]float64, dim*n)
	out := make([][]float64, dim)
	for d := range out {
		out[d] = all[d*n : (d+1)*n : (d+1)*n]
	}
	return out
}
