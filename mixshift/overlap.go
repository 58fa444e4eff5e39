package mixshift

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// CellOverlap is one cell of an [Overlap].
type CellOverlap struct {
	X, Y           float64 // units
	ShareX, ShareY float64
}

// Overlap says how well y can stand in for the mix of x.
type Overlap struct {
	Support
	Cells []CellOverlap
	N     float64 // units of y on the common support
	// EffectiveN is Kish's effective number of units of y after reweighting,
	// (Σw)²/Σw²: as many units of equal weight would say as much.
	EffectiveN float64
}

// Limits are the conditions under which a reweighted answer is given.
type Limits struct {
	MinEffectiveShare float64 // least EffectiveN / N
	HeavyShare        float64 // cells with at least this share of x count as heavy
	MinHeavyCount     float64 // least number of units of y in a heavy cell
	MaxOffSupport     float64 // largest share of either side off the common support
}

// DefaultLimits returns: an effective number of units of at least 10 % of
// their number, at least 20 units in every cell that holds 5 % of x, and at
// most 5 % of either side off the common support.
func DefaultLimits() Limits {
	return Limits{MinEffectiveShare: 0.1, HeavyShare: 0.05, MinHeavyCount: 20, MaxOffSupport: 0.05}
}

// Objections lists what speaks against a reweighted answer, in the order of
// severity off_support, few_effective, thin_cell. Without objections the
// result is empty; with one, the answer is not to be relied on.
func Objections(o Overlap, l Limits) []stats.Warning {
	var w []stats.Warning
	if o.OnlyX > l.MaxOffSupport || o.OnlyY > l.MaxOffSupport {
		w = append(w, stats.Warning{Code: WarnOffSupport, Text: fmt.Sprintf("shares of %.3g (first) and %.3g (second sample) have no counterpart on the other side; at most %.3g may", o.OnlyX, o.OnlyY, l.MaxOffSupport)})
	}
	if o.EffectiveN < l.MinEffectiveShare*o.N {
		w = append(w, stats.Warning{Code: WarnFewEffective, Text: fmt.Sprintf("reweighted, %.4g units are worth %.4g: less than a share of %.3g", o.N, o.EffectiveN, l.MinEffectiveShare)})
	}
	for i, c := range o.Cells {
		if o.Common[i] && c.ShareX >= l.HeavyShare && c.Y < l.MinHeavyCount {
			w = append(w, stats.Warning{Code: WarnThinCell, Text: fmt.Sprintf("cell %d holds a share of %.3g of the first sample and only %.4g units of the second, want %.4g", i, c.ShareX, c.Y, l.MinHeavyCount)})
		}
	}
	return w
}
