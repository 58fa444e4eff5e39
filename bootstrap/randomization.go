package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// RandomizationTest is the outcome of a randomization test.
type RandomizationTest struct {
	stats.Test         // Statistic is that of the sample, less the shift
	Splits     int     // splits evaluated: all of them if Exact, else drawn ones
	Exact      bool    // every split was visited
	Smallest   float64 // smallest P that this design can give
}

// Randomization tests H0: y − x = shift by the difference of means over all ways
// to split the pooled values into samples of these sizes (Fisher 1935; Pitman
// 1937). P is the share of splits at least as extreme as the sample, which is
// one of them; two-sided compares absolute values. A noninferiority test with y
// harmful when large has shift = margin and alternative [stats.Less].
//
// It assumes that under H0 the units are exchangeable, so equal spread in both
// samples; then the test is exact for any law. Its P is coarse: 3 + 3 units
// cannot go below 0.1 two-sided, 4 + 4 not below 0.029, 5 + 5 not below 0.0079.
//
// Up to [EnumerationLimit] splits (11 + 11 units) all are visited and opt is not
// used; beyond, opt.Replicates splits are drawn and P = (1 + hits)/(1 + draws),
// which keeps the test valid (Phipson & Smyth 2010).
//
// Special cases are: differences that agree up to rounding count as equal.
// Errors: [stats.ErrTooFew] for an empty sample, [stats.ErrDomain] for bad options,
// an unknown alternative or a number that is not finite.
func Randomization(x, y []float64, shift float64, alternative stats.Alternative, opt Options) (RandomizationTest, error) {
	if err := checkRandomization(x, y, alternative, opt); err != nil {
		return RandomizationTest{}, err
	}
	if err := stats.CheckFinite([]float64{shift}); err != nil {
		return RandomizationTest{}, fmt.Errorf("shift: %w", err)
	}
	p, err := newPool(x, y, shift)
	if err != nil {
		return RandomizationTest{}, err
	}
	if total := p.splits(); total <= EnumerationLimit {
		hits := 0
		forEachSum(p.values, p.ny, func(sum float64) {
			if p.extreme(sum, alternative) {
				hits++
			}
		})
		return p.exact(p.observed(), float64(hits)/float64(total), alternative), nil
	}
	return p.drawn(p.observed(), alternative, opt, func() func(*rand.Rand) bool {
		v := make([]float64, len(p.values))
		return func(rng *rand.Rand) bool {
			copy(v, p.values) // the split must depend on this stream alone
			shuffleFront(v, p.ny, rng)
			var sum float64
			for _, d := range v[:p.ny] {
				sum += d
			}
			return p.extreme(sum, alternative)
		}
	}), nil
}

// RandomizationOf is [Randomization] for any statistic of two samples and no
// shift; large values of the statistic are evidence for [stats.Greater]. All
// splits are visited by [stats.PermutationExact], or some drawn as in
// Randomization. The statistic must not keep or change the samples, and several
// goroutines call it at once when splits are drawn. A statistic that is NaN for
// the sample is an error wrapping [stats.ErrDomain]; NaN for a split counts as
// extreme.
func RandomizationOf(x, y []float64, statistic func(x, y []float64) float64, alternative stats.Alternative, opt Options) (RandomizationTest, error) {
	if err := checkRandomization(x, y, alternative, opt); err != nil {
		return RandomizationTest{}, err
	}
	p := pool{nx: len(x), ny: len(y)}
	if p.splits() <= EnumerationLimit {
		t, err := stats.PermutationExact(x, y, statistic, alternative, EnumerationLimit)
		if err != nil {
			return RandomizationTest{}, err
		}
		return p.exact(t.Statistic, t.P, alternative), nil
	}
	pooled := slices.Concat(y, x)
	observed := statistic(slices.Clone(x), slices.Clone(y))
	if math.IsNaN(observed) {
		return RandomizationTest{}, fmt.Errorf("statistic of the sample is %v: %w", observed, stats.ErrDomain)
	}
	tol := 64 * epsilon * math.Abs(observed)
	return p.drawn(observed, alternative, opt, func() func(*rand.Rand) bool {
		v := make([]float64, len(pooled))
		return func(rng *rand.Rand) bool {
			copy(v, pooled)
			shuffleFront(v, p.ny, rng)
			t := statistic(v[p.ny:], v[:p.ny])
			switch alternative {
			case stats.Less:
				return !(t > observed+tol)
			case stats.Greater:
				return !(t < observed-tol)
			}
			return !(math.Abs(t) < math.Abs(observed)-tol)
		}
	}), nil
}

// shuffleFront fills the first k places with a random choice of all values.
func shuffleFront(v []float64, k int, rng *rand.Rand) {
	for i := range k {
		j := i + rng.IntN(len(v)-i)
		v[i], v[j] = v[j], v[i]
	}
}

func checkRandomization(x, y []float64, alternative stats.Alternative, opt Options) error {
	if len(x) < 1 || len(y) < 1 {
		return fmt.Errorf("samples of %d and %d units: want at least 1 each: %w", len(x), len(y), stats.ErrTooFew)
	}
	for _, s := range [][]float64{x, y} {
		if err := stats.CheckFinite(s); err != nil {
			return err
		}
	}
	switch alternative {
	case stats.TwoSided, stats.Less, stats.Greater:
	default:
		return fmt.Errorf("%v: want two-sided, less or greater: %w", alternative, stats.ErrDomain)
	}
	return opt.Validate()
}
