package stats

import "fmt"

// Overdispersion tests whether K groups of binary outcomes, x[k] events of n[k],
// vary more than one common proportion allows: X² = Σ(x_k − n_k·p̂)²/(n_k·p̂·q̂)
// against χ² with K − 1 degrees of freedom. Its power is low for few events.
//
// Special cases are: p̂ of 0 or 1 gives statistic 0 and p = 1.
//
// Errors: ErrMismatch for slices of different length, ErrTooFew for fewer than
// two groups or an empty group, ErrDomain for counts outside [0, n].
//
// Source: Pearson's test of homogeneity, Pearson 1900, Philosophical Magazine
// 50:157, doi:10.1080/14786440009463897.
func Overdispersion(x, n []int64) (Test, error) {
	if len(x) != len(n) {
		return Test{}, fmt.Errorf("%d counts and %d sizes: want as many: %w", len(x), len(n), ErrMismatch)
	}
	if len(n) < 2 {
		return Test{}, fmt.Errorf("%d groups: want at least 2: %w", len(n), ErrTooFew)
	}
	var events, total float64
	happened := make([]float64, len(n))
	for k := range n {
		switch {
		case n[k] < 1:
			return Test{}, fmt.Errorf("group %d has %d outcomes: want at least 1: %w", k, n[k], ErrTooFew)
		case x[k] < 0 || x[k] > n[k]:
			return Test{}, fmt.Errorf("group %d has %d events of %d: %w", k, x[k], n[k], ErrDomain)
		}
		happened[k] = float64(x[k])
		events += happened[k]
		total += float64(n[k])
	}
	t := Test{DF: float64(len(n) - 1), P: 1, Alternative: Greater}
	if events > 0 && events < total {
		// One rate for all groups is one distribution of groups for both outcomes.
		other := make([]float64, len(n))
		for k := range n {
			other[k] = float64(n[k]) - happened[k]
		}
		var err error
		if t, err = Homogeneity(happened, other); err != nil {
			return Test{}, err
		}
	}
	t.Method = MethodOverdispersion
	return t, nil
}
