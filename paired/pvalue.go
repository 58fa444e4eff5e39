package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// normalP converts a standard normal statistic into a p-value.
func normalP(z float64, alt stats.Alternative) (float64, error) {
	switch alt {
	case stats.TwoSided:
		return math.Min(1, 2*stats.NormalSurvival(math.Abs(z))), nil
	case stats.Less:
		return stats.NormalCDF(z), nil
	case stats.Greater:
		return stats.NormalSurvival(z), nil
	}
	return 0, errAlternative(alt)
}

func errAlternative(alt stats.Alternative) error {
	return fmt.Errorf("%v: want two-sided, less or greater: %w", alt, stats.ErrDomain)
}
