package stats

import (
	"fmt"
	"math"
)

// LookShape is the shape of a group-sequential boundary.
type LookShape int8

const (
	OBrienFleming LookShape = iota // strict at first, near the full level at the end
	Pocock                         // the same level at every look
)

// Look is one of the planned looks at accumulating data.
type Look struct {
	Z     float64 // reject if the standardised statistic reaches Z
	Alpha float64 // the same as a one-sided level for the p-value at this look
	Spent float64 // chance of having rejected by this look if there is no effect
}

// PlannedLooks returns the one-sided boundary for looks equally spaced looks at
// accumulating data with an overall level alpha. Compare the one-sided p-value at
// each look with Alpha; for a t test this holds to a good approximation. Looks
// that were not planned before the data are not covered: see NormalMixture.
//
// The crossing chances come from numerical integration of the recursion of
// Armitage, McPherson and Rowe. It returns ErrDomain for looks outside [1, 50],
// alpha outside (0, ½) or an unknown shape.
//
// Source: O'Brien & Fleming 1979, Biometrics 35:549; Pocock 1977, Biometrika
// 64:191, doi:10.1093/biomet/64.2.191.
func PlannedLooks(looks int, alpha float64, shape LookShape) ([]Look, error) {
	if looks < 1 || looks > 50 {
		return nil, fmt.Errorf("%d looks: want 1 to 50: %w", looks, ErrDomain)
	}
	if !(alpha > 0 && alpha < 0.5) {
		return nil, fmt.Errorf("alpha %v: want a number in (0, 0.5): %w", alpha, ErrDomain)
	}
	if shape != OBrienFleming && shape != Pocock {
		return nil, fmt.Errorf("boundary shape %d: want OBrienFleming or Pocock: %w", shape, ErrDomain)
	}
	bounds := func(c float64) []float64 {
		z := make([]float64, looks)
		for k := range z {
			z[k] = c
			if shape == OBrienFleming {
				z[k] = c * math.Sqrt(float64(looks)/float64(k+1))
			}
		}
		return z
	}
	final := func(c float64) float64 {
		spent := spentByLook(bounds(c))
		return spent[looks-1]
	}
	// The constant lies between that of one look and that of Bonferroni's.
	lo, hi := -NormalQuantile(alpha), -NormalQuantile(alpha/float64(looks))
	c := lo
	if looks > 1 {
		c = findRoot(func(c float64) float64 { return final(c) - alpha }, lo-1e-9, hi+1e-9, 1e-12)
	}
	z := bounds(c)
	spent := spentByLook(z)
	out := make([]Look, looks)
	for k := range out {
		out[k] = Look{Z: z[k], Alpha: NormalSurvival(z[k]), Spent: spent[k]}
	}
	return out, nil
}

// spentByLook returns the cumulative chance that a standardised random walk has
// reached z[k] at look k+1.
func spentByLook(z []float64) []float64 {
	spent := make([]float64, len(z))
	type mass struct{ at, weight float64 }
	state := []mass{{0, 1}} // the walk before the look, as weighted points
	total := 0.0
	for k := range z {
		limit := z[k] * math.Sqrt(float64(k+1))
		for _, s := range state {
			total += s.weight * NormalSurvival(limit-s.at)
		}
		spent[k] = total
		if k == len(z)-1 {
			break
		}
		lowest := -9 * math.Sqrt(float64(k+1))
		var next []mass
		density := func(w float64) float64 {
			sum := 0.0
			for _, s := range state {
				sum += s.weight * NormalPDF(w-s.at)
			}
			return sum
		}
		eachNode(lowest, limit, int(math.Ceil(limit-lowest))*2, func(w, weight float64) {
			next = append(next, mass{w, weight * density(w)})
		})
		state = next
	}
	return spent
}
