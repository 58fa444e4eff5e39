package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/perfdiff/perfdiff/stats"
)

// OrderStatisticLaw returns the exact iid bootstrap law of the rank-th smallest
// of the values x, rank 1 to n, without resampling: the resampled order
// statistic is at most the i-th smallest value with probability I_{i/n}(rank,
// n−rank+1), a Beta law (Efron 1979; Hutson & Ernst 2000, JRSSB 62:89). Where
// the interval alone is wanted, [stats.ExactBootstrapOrderStat] is shorter.
//
// It assumes independent values, which the requests of one run are not. The
// percentile interval for a quantile q is honest only if n(1−q) and nq are at
// least 50: at n = 100 a nominal 95 % interval for the 0.99 quantile covers 63 %.
//
// Special cases are: for large n values of negligible probability are left out.
// Errors: [stats.ErrTooFew] for empty x, [stats.ErrDomain] for a rank outside 1 to
// n or a value that is not finite. The cost is that of sorting.
func OrderStatisticLaw(x []float64, rank int) (Law, error) {
	n := len(x)
	if n == 0 {
		return Law{}, fmt.Errorf("no values: %w", stats.ErrTooFew)
	}
	if err := stats.CheckFinite(x); err != nil {
		return Law{}, err
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	first, weights, err := stats.BootstrapWeights(n, rank)
	if err != nil {
		return Law{}, err
	}
	support := slices.Clone(sorted[first-1 : first-1+len(weights)])
	return newExactLaw(sorted[rank-1], support, weights, n)
}

// QuantileLaw is [OrderStatisticLaw] for the q-quantile of type 1, the ⌈nq⌉-th
// smallest value, q in (0, 1).
func QuantileLaw(x []float64, q float64) (Law, error) {
	rank, err := quantileRank(len(x), q)
	if err != nil {
		return Law{}, err
	}
	return OrderStatisticLaw(x, rank)
}

// quantileRank is ⌈nq⌉ with a product that is whole up to rounding taken as whole.
func quantileRank(n int, q float64) (int, error) {
	if err := checkQs([]float64{q}); err != nil {
		return 0, err
	}
	v := float64(n) * q
	if r := math.Round(v); math.Abs(v-r) < 4*epsilon*math.Max(1, v) {
		v = r
	}
	return max(1, int(math.Ceil(v))), nil
}

// QuantileReplicates draws replicates of the ⌈nq⌉-th smallest of n independent
// values whose distribution is known by its inverse, such as a histogram: the
// resampled order statistic is inverse(U) with U ~ Beta(rank, n−rank+1), so a
// replicate costs one Beta draw for any n. inverse maps (0, 1) to the unit of the
// data and is called by several goroutines.
//
// It makes the same assumption as [OrderStatisticLaw]: independence inside the
// run, so it measures within-run noise only. For the limits of one sample no draw
// is needed: they are inverse([stats.BetaQuantile](a, rank, n−rank+1)).
//
// Errors: [stats.ErrTooFew] for n < [MinUnits], [stats.ErrDomain] for q outside
// (0, 1) or bad options.
func QuantileReplicates(n int, q float64, inverse func(u float64) float64, opt Options) ([]float64, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := checkUnits(n); err != nil {
		return nil, err
	}
	rank, err := quantileRank(n, q)
	if err != nil {
		return nil, err
	}
	out := make([]float64, opt.replicates())
	forEach(len(out), opt, func() func(int, *rand.Rand) {
		return func(r int, rng *rand.Rand) {
			u := distuv.Beta{Alpha: float64(rank), Beta: float64(n - rank + 1), Src: rng}.Rand()
			out[r] = inverse(u)
		}
	})
	return out, nil
}
