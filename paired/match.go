package paired

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Matching says which positions of two lists hold the same item.
type Matching struct {
	X, Y         []int // X[i] and Y[i] are positions of the same item, in key order
	OnlyX, OnlyY []int // positions without a partner, in key order
}

// Match pairs two lists of items by key. The result is ordered by key, so it
// leads to the same numbers, to the last bit, for any order of the rows.
//
// It returns stats.ErrDomain for a key that occurs twice in one list: which
// of the copies to use is not for this package to guess. Cost: one sort per
// list.
func Match[K cmp.Ordered](x, y []K) (Matching, error) {
	ox, err := keyOrder(x, "x")
	if err != nil {
		return Matching{}, err
	}
	oy, err := keyOrder(y, "y")
	if err != nil {
		return Matching{}, err
	}
	var m Matching
	i, j := 0, 0
	for i < len(ox) && j < len(oy) {
		switch c := cmp.Compare(x[ox[i]], y[oy[j]]); {
		case c < 0:
			m.OnlyX = append(m.OnlyX, ox[i])
			i++
		case c > 0:
			m.OnlyY = append(m.OnlyY, oy[j])
			j++
		default:
			m.X, m.Y = append(m.X, ox[i]), append(m.Y, oy[j])
			i, j = i+1, j+1
		}
	}
	m.OnlyX = append(m.OnlyX, ox[i:]...)
	m.OnlyY = append(m.OnlyY, oy[j:]...)
	return m, nil
}

// keyOrder returns the positions of keys in ascending order.
func keyOrder[K cmp.Ordered](keys []K, side string) ([]int, error) {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	for i := 1; i < len(order); i++ {
		if cmp.Compare(keys[order[i-1]], keys[order[i]]) == 0 {
			return nil, fmt.Errorf("match: key %v occurs more than once in %s: %w", keys[order[i]], side, stats.ErrDomain)
		}
	}
	return order, nil
}

// Pick returns the values at the given positions, in their order. It returns
// stats.ErrDomain for a position outside the values.
func Pick[V any](values []V, at []int) ([]V, error) {
	out := make([]V, len(at))
	for i, p := range at {
		if p < 0 || p >= len(values) {
			return nil, fmt.Errorf("pick: position %d, want 0 to %d: %w", p, len(values)-1, stats.ErrDomain)
		}
		out[i] = values[p]
	}
	return out, nil
}
