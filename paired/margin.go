package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// SmallestMargin returns the margin above which a two-sided interval of level
// 1 − 2α supports noninferiority at α: with stats.Greater (a decrease is harm)
// the lower limit must exceed −margin, with stats.Less (an increase is harm)
// the upper limit must fall short of margin, and with stats.TwoSided the
// interval must lie inside ±margin, which is equivalence. It is the bound of
// the margins that pass, and itself does not.
//
// Special cases are: 0 if the interval lies on the harmless side of 0; +Inf if
// the data do not bound the harmful side.
//
// It returns stats.ErrDomain for limits that are NaN or reversed and for an
// unknown alternative.
func SmallestMargin(iv stats.Interval, alt stats.Alternative) (float64, error) {
	if !(iv.Lo <= iv.Hi) {
		return 0, fmt.Errorf("smallest margin: limits %v and %v, want an interval: %w", iv.Lo, iv.Hi, stats.ErrDomain)
	}
	switch alt {
	case stats.Greater:
		return math.Max(0, -iv.Lo), nil
	case stats.Less:
		return math.Max(0, iv.Hi), nil
	case stats.TwoSided:
		return math.Max(math.Abs(iv.Lo), math.Abs(iv.Hi)), nil
	}
	return 0, fmt.Errorf("smallest margin: %w", errAlternative(alt))
}

// ItemsNeeded returns how many items the Tango noninferiority test at
// one-sided level alpha needs in all for the given power, if items go on being
// discordant at the rate seen in t and the true difference of the rates is
// trueDiff. alt is as in [SmallestMargin], not two-sided.
//
// Special cases are: a table without discordant items counts as having half a
// discordant item, since a rate of 0 would promise the impossible; a rate
// below |trueDiff| counts as |trueDiff|.
//
// It returns stats.ErrImpossible if the true difference is beyond the margin;
// other errors, method and source: see stats.NPairedBinaryNI.
func ItemsNeeded(t Table, margin, trueDiff, alpha, power float64, alt stats.Alternative) (stats.PairedBinaryNISize, error) {
	if err := t.Validate(); err != nil {
		return stats.PairedBinaryNISize{}, fmt.Errorf("items needed: %w", err)
	}
	switch alt {
	case stats.Greater:
	case stats.Less:
		trueDiff = -trueDiff
	default:
		return stats.PairedBinaryNISize{}, fmt.Errorf("items needed: alternative %v, want less or greater: %w", alt, stats.ErrDomain)
	}
	discordance := math.Max(0.5, float64(t.Discordant())) / float64(t.N())
	size, err := stats.NPairedBinaryNI(math.Max(discordance, math.Abs(trueDiff)), trueDiff, margin, alpha, power)
	if err != nil {
		return stats.PairedBinaryNISize{}, fmt.Errorf("items needed: %w", err)
	}
	return size, nil
}
