package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Residuals say how far a unit moves a value of a sample that is reweighted over
// strata: by Scale[stratum]·(its own value − Center[stratum]) ÷ N, N the units of
// the sample. A unit's own value is the measured one for a mean, 1 or 0 for a
// share, and 1 up to the quantile and 0 beyond it for the distribution function
// there.
type Residuals struct{ Scale, Center []float64 }

// NewResiduals linearises Σ weight·value over strata, weight being the shares of
// the target mix, count the units of the sample, value what each stratum has and
// whole the sum. The weights are taken as given: shares of the sample itself are
// free to vary and cancel, because a stratum has its target weight however many
// units fell into it.
//
// Scale is weight·N/count·√(count/(count − 1)): the last factor makes up for a
// Center that comes from the same units. Special cases are: a stratum without
// weight has the Scale 0, and a single unit says nothing of the spread of its
// stratum, so that its Center is the whole.
//
// It returns stats.ErrMismatch for lists of different lengths and
// stats.ErrDomain for a count or weight that is negative or not finite, a weight
// on a stratum without units, or a value there that is not finite. Source:
// Särndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, section
// 7.6 (residuals of post-stratification).
func NewResiduals(weight, count, value []float64, whole float64) (Residuals, error) {
	k := len(weight)
	if len(count) != k || len(value) != k {
		return Residuals{}, fmt.Errorf("residuals: %d weights, %d counts and %d values: want as many: %w", k, len(count), len(value), stats.ErrMismatch)
	}
	n := 0.0
	for h, c := range count {
		if !(c >= 0) || math.IsInf(c, 1) || !(weight[h] >= 0) || math.IsInf(weight[h], 1) {
			return Residuals{}, fmt.Errorf("residuals: %v units and weight %v in stratum %d, want finite numbers of 0 or more: %w", c, weight[h], h, stats.ErrDomain)
		}
		n += c
	}
	r := Residuals{make([]float64, k), make([]float64, k)}
	for h, w := range weight {
		if w == 0 {
			continue
		}
		if count[h] < 1 || !finite(value[h]) {
			return Residuals{}, fmt.Errorf("residuals: weight %v on %v units of value %v in stratum %d: %w", w, count[h], value[h], h, stats.ErrDomain)
		}
		r.Scale[h], r.Center[h] = w*n/count[h], value[h]
		if count[h] > 1 {
			r.Scale[h] *= math.Sqrt(count[h] / (count[h] - 1))
		} else {
			r.Center[h] = whole
		}
	}
	return r, nil
}
