package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Union is the outcome of an intersection–union test.
type Union struct {
	P     float64 // the largest p-value: the p-value of "all of them hold"
	Worst int     // position of the test that has it, the first of equals
}

// IntersectionUnion combines one test per slice into the test of "every slice
// passes": each keeps its full level and p is the largest, without correction
// for their number, and whatever their dependence. Power falls with the number
// of slices; plan each for more.
//
// It returns stats.ErrTooFew without tests and stats.ErrDomain for a p-value
// outside [0, 1]. Source: Berger 1982, Technometrics 24:295.
func IntersectionUnion(slices []stats.Test) (Union, error) {
	if len(slices) == 0 {
		return Union{}, fmt.Errorf("intersection-union test of 0 slices, want 1 or more: %w", stats.ErrTooFew)
	}
	u := Union{P: -1}
	for i, t := range slices {
		if !(t.P >= 0 && t.P <= 1) {
			return Union{}, fmt.Errorf("intersection-union test: p-value %v of slice %d, want a number in [0, 1]: %w", t.P, i, stats.ErrDomain)
		}
		if t.P > u.P {
			u = Union{t.P, i}
		}
	}
	return u, nil
}
