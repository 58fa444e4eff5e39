package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/stats"
)

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

// splits returns C(nx+ny, ny), or more than EnumerationLimit.
func (p pool) splits() int { return binomial(p.nx+p.ny, p.ny, EnumerationLimit) }

// exact is the outcome after a visit to every split.
func (p pool) exact(observed, prob float64, alternative stats.Alternative) RandomizationTest {
	out := RandomizationTest{Splits: p.splits(), Exact: true}
	out.Test = stats.Test{Statistic: observed, P: prob, Alternative: alternative, Method: MethodRandomizationExact}
	out.Smallest = 1 / float64(out.Splits)
	if alternative == stats.TwoSided && p.nx == p.ny {
		out.Smallest *= 2 // the mirror split is as extreme
	}
	return out
}

// drawn is the outcome of opt.Replicates random splits; newDraw returns a
// function that draws one and reports whether it is extreme.
func (p pool) drawn(observed float64, alternative stats.Alternative, opt Options, newDraw func() func(*rand.Rand) bool) RandomizationTest {
	extreme := make([]bool, opt.replicates())
	forEach(len(extreme), opt, func() func(int, *rand.Rand) {
		draw := newDraw()
		return func(r int, rng *rand.Rand) { extreme[r] = draw(rng) }
	})
	hits := 1 // the sample is one of the splits
	for _, e := range extreme {
		if e {
			hits++
		}
	}
	all := float64(len(extreme) + 1)
	out := RandomizationTest{Splits: len(extreme), Smallest: 1 / all}
	out.Test = stats.Test{Statistic: observed, P: float64(hits) / all, Alternative: alternative, Method: MethodRandomizationSampled}
	return out
}
