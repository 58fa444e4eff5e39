package bootstrap

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// RandomizationInterval returns the exact interval for a shift between two
// samples: all shifts that neither one-sided [Randomization] test rejects at
// (1−level)/2. The point is the difference of means y − x.
//
// It assumes that the samples differ by a shift alone. A split other than the
// sample turns from not extreme to extreme at one shift, so the limits are order
// statistics of those C(nx+ny, ny) − 1 shifts. Interval.Level is the exact level
// delivered, at least the one asked for.
//
// Special cases are: a design with fewer than 2/(1−level) splits bounds nothing:
// the limits are ±Inf with the warning [stats.WarnUnbounded].
// Errors: [stats.ErrTooFew] for an empty sample, [stats.ErrImpossible] for more
// splits than [EnumerationLimit], [stats.ErrDomain] for a bad level or a value that
// is not finite.
func RandomizationInterval(x, y []float64, level float64) (stats.Estimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return stats.Estimate{}, err
	}
	if err := checkRandomization(x, y, stats.TwoSided, Options{}); err != nil {
		return stats.Estimate{}, err
	}
	nx, ny := len(x), len(y)
	total := binomial(nx+ny, ny, EnumerationLimit)
	if total > EnumerationLimit {
		return stats.Estimate{}, fmt.Errorf("samples of %d and %d units have more than %d splits: %w", nx, ny, EnumerationLimit, stats.ErrImpossible)
	}
	p, err := newPool(x, y, 0)
	if err != nil {
		return stats.Estimate{}, err
	}
	observed := p.observed()
	e := stats.Estimate{Value: observed, SE: math.NaN(), N: min(nx, ny), Method: MethodRandomizationInterval}
	k := int(math.Floor((1-level)/2*float64(total) + 1e-9))
	e.Interval = stats.Unbounded(1 - 2*float64(k)/float64(total))
	if k == 0 {
		e.Warnings = []stats.Warning{{
			Code: stats.WarnUnbounded,
			Text: fmt.Sprintf("%d splits bound no interval at level %v: it takes at least %.0f", total, level, math.Ceil(2/(1-level)-1e-9)),
		}}
		return e, nil
	}
	// Replacing m units of y by m of x gives a split with difference
	// observed − m(1/nx + 1/ny)·(mean of the leaving y − mean of the entering
	// x), so it ties with the sample when the shift equals that difference.
	shifts := make([]float64, 0, total-1)
	forEachSplit(nx+ny, ny, func(inY []bool) {
		var out, in float64
		m := 0
		for i, v := range p.values {
			switch {
			case i < ny && !inY[i]:
				out += v
				m++
			case i >= ny && inY[i]:
				in += v
			}
		}
		if m > 0 {
			shifts = append(shifts, (out-in)/float64(m))
		}
	})
	slices.Sort(shifts)
	// The sample itself is one of the k splits that a rejection may count.
	e.Interval.Lo = shifts[k-1]
	e.Interval.Hi = shifts[len(shifts)-k]
	return e, nil
}
