package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Limits below which an answer carries a warning.
const (
	fewPairs      = 30 // normal theory for a mean of unknown shape
	rareDifferent = 15 // items that differ at all
)

// MeanDifference estimates the mean of y − x over items paired by position,
// in the unit of the scores, with Student's t on n − 1 degrees of freedom.
//
// Special cases are: differences that are all equal give an interval without
// width and the warning no_variance; fewer than 15 items that differ give
// rare_differences, since the interval is then too short whatever n is;
// otherwise fewer than 30 items give few_pairs. For right-or-wrong items use
// [TangoScore].
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrTooFew below
// two items and stats.ErrDomain for a value that is not finite or a level
// outside (0, 1). Source: Student 1908, Biometrika 6:1.
func MeanDifference(x, y []float64, level float64) (stats.Estimate, error) {
	d, err := Differences(x, y)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("paired t: %w", err)
	}
	e, err := stats.MeanT(d, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("paired t: %w", err)
	}
	e.Method = MethodPairedT
	switch differ := countNonzero(d); {
	case e.SE == 0: // warned of already
	case differ < rareDifferent:
		e.Warnings = append(e.Warnings, rareWarning(differ))
	case len(d) < fewPairs:
		e.Warnings = append(e.Warnings, stats.Warning{Code: WarnFewPairs, Text: fmt.Sprintf("%d items: the t interval leans on differences that are near normal", len(d))})
	}
	return e, nil
}

func noVariance() stats.Warning {
	return stats.Warning{Code: stats.WarnNoVariance, Text: "the differences do not vary: the interval has no width and the test no scale"}
}

func rareWarning(differ int) stats.Warning {
	return stats.Warning{Code: WarnRareDifferences, Text: fmt.Sprintf("only %d items differ: no interval for their mean is trustworthy", differ)}
}

func countNonzero(d []float64) int {
	n := 0
	for _, v := range d {
		if v != 0 {
			n++
		}
	}
	return n
}
