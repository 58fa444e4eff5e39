package stats

import (
	"math"
)

// EmpiricalLogit returns log((x+½)/(n−x+½)), the logit of a fraction that stays
// finite at 0 of n and n of n. Take it per run when fractions near 0 or 1 go
// into Welch.
//
// Errors: ErrTooFew for n < 1, ErrDomain for x outside [0, n].
//
// Source: Cox 1970, Analysis of Binary Data (after Haldane and Anscombe).
func EmpiricalLogit(x, n int64) (float64, error) {
	if err := checkCount(x, n); err != nil {
		return 0, err
	}
	return math.Log((float64(x) + 0.5) / (float64(n-x) + 0.5)), nil
}
