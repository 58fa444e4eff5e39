package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

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
	at := func(sum float64) bool { return p.extreme(sum, alternative) }
	return p.run(alternative, opt, p.observed(), func(visit func(bool)) {
		forEachSum(p.values, p.ny, func(sum float64) { visit(at(sum)) })
	}, func() func(*rand.Rand) bool {
		v := slices.Clone(p.values)
		return func(rng *rand.Rand) bool {
			copy(v, p.values) // the split must depend on this stream alone
			var sum float64
			for i := range p.ny {
				j := i + rng.IntN(len(v)-i)
				v[i], v[j] = v[j], v[i]
				sum += v[i]
			}
			return at(sum)
		}
	}), nil
}

// RandomizationOf is [Randomization] for any statistic of two samples and no
// shift; large values of the statistic are evidence for [stats.Greater]. The
// statistic must not keep or change the samples, and several goroutines call it
// at once when splits are drawn. A statistic that gives NaN on some split is an
// error wrapping [stats.ErrDomain].
func RandomizationOf(x, y []float64, statistic func(x, y []float64) float64, alternative stats.Alternative, opt Options) (RandomizationTest, error) {
	if err := checkRandomization(x, y, alternative, opt); err != nil {
		return RandomizationTest{}, err
	}
	p, err := newPool(x, y, 0)
	if err != nil {
		return RandomizationTest{}, err
	}
	pooled := slices.Concat(y, x)
	observed := statistic(slices.Clone(x), slices.Clone(y))
	if math.IsNaN(observed) {
		return RandomizationTest{}, fmt.Errorf("statistic of the sample is %v: %w", observed, stats.ErrDomain)
	}
	tol := 64 * epsilon * math.Abs(observed)
	var undefined atomic.Bool
	extreme := func(t float64) bool {
		if math.IsNaN(t) {
			undefined.Store(true)
			return true
		}
		switch alternative {
		case stats.Less:
			return t <= observed+tol
		case stats.Greater:
			return t >= observed-tol
		}
		return math.Abs(t) >= math.Abs(observed)-tol
	}
	out := p.run(alternative, opt, observed, func(visit func(bool)) {
		xs, ys := make([]float64, p.nx), make([]float64, p.ny)
		forEachSplit(p.nx+p.ny, p.ny, func(inY []bool) {
			i, j := 0, 0
			for k, v := range pooled {
				if inY[k] {
					ys[j] = v
					j++
				} else {
					xs[i] = v
					i++
				}
			}
			visit(extreme(statistic(xs, ys)))
		})
	}, func() func(*rand.Rand) bool {
		v := make([]float64, len(pooled))
		return func(rng *rand.Rand) bool {
			copy(v, pooled)
			for i := range p.ny {
				j := i + rng.IntN(len(v)-i)
				v[i], v[j] = v[j], v[i]
			}
			return extreme(statistic(v[p.ny:], v[:p.ny]))
		}
	})
	if undefined.Load() {
		return RandomizationTest{}, fmt.Errorf("statistic of some splits is NaN: %w", stats.ErrDomain)
	}
	return out, nil
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

// pool is the pooled sample, y first, as deviations from its mean, so that the
// sum of the y-part alone decides how extreme a split is.
type pool struct {
	values []float64
	nx, ny int
	sum    float64 // of the y-part
	tol    float64 // sums that differ by less are equal
}

func newPool(x, y []float64, shift float64) (pool, error) {
	p := pool{nx: len(x), ny: len(y), values: make([]float64, 0, len(x)+len(y))}
	var size float64
	for _, v := range y {
		p.values = append(p.values, v-shift)
		size = max(size, math.Abs(v), math.Abs(shift))
	}
	for _, v := range x {
		p.values = append(p.values, v)
		size = math.Max(size, math.Abs(v))
	}
	mean := meanOf(p.values)
	for i := range p.values {
		p.values[i] -= mean
		if i < p.ny {
			p.sum += p.values[i]
		}
	}
	p.tol = 8 * epsilon * size * float64(len(p.values))
	if math.IsInf(p.tol, 0) || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return pool{}, fmt.Errorf("values up to %v: their sum overflows: %w", size, stats.ErrDomain)
	}
	return p, nil
}

// observed is the difference of means of the sample.
func (p pool) observed() float64 {
	return meanOf(p.values[:p.ny]) - meanOf(p.values[p.ny:])
}

// extreme reports whether a split whose y-part has this sum is at least as
// extreme as the sample. The sum of all values is 0, so the difference of means
// is sum·(1/nx + 1/ny).
func (p pool) extreme(sum float64, alternative stats.Alternative) bool {
	switch alternative {
	case stats.Less:
		return sum <= p.sum+p.tol
	case stats.Greater:
		return sum >= p.sum-p.tol
	}
	return math.Abs(sum) >= math.Abs(p.sum)-p.tol
}

// run counts the extreme splits, all of them or drawn ones.
func (p pool) run(alternative stats.Alternative, opt Options, observed float64,
	all func(visit func(bool)), newDraw func() func(*rand.Rand) bool) RandomizationTest {
	out := RandomizationTest{Test: stats.Test{Statistic: observed, Alternative: alternative, Method: "randomization"}}
	hits := 0
	if total := binomial(p.nx+p.ny, p.ny, EnumerationLimit); total <= EnumerationLimit {
		out.Exact, out.Splits, out.Method = true, total, "exact randomization"
		all(func(extreme bool) {
			if extreme {
				hits++
			}
		})
		out.P = float64(hits) / float64(total)
		out.Smallest = 1 / float64(total)
		if alternative == stats.TwoSided && p.nx == p.ny {
			out.Smallest *= 2 // the mirror split is as extreme
		}
		return out
	}
	out.Splits = opt.replicates()
	extreme := make([]bool, out.Splits)
	forEach(out.Splits, opt, func() func(int, *rand.Rand) {
		draw := newDraw()
		return func(r int, rng *rand.Rand) { extreme[r] = draw(rng) }
	})
	for _, e := range extreme {
		if e {
			hits++
		}
	}
	out.Smallest = 1 / float64(out.Splits+1)
	out.P = float64(hits+1) / float64(out.Splits+1)
	return out
}
