package sketch

import (
	"cmp"
	"slices"
)

// placed is a key and the part that has it.
type placed[K cmp.Ordered] struct {
	key  K
	part int32
}

// mostOrdered is the mean number of keys of a part up to which going through all
// keys in order is faster than searching in every part.
const mostOrdered = 64

// inOrder returns the keys of all parts, ascending; nil where parts are few or
// large.
func inOrder[K cmp.Ordered](parts []keyed[K]) []placed[K] {
	n := 0
	for k := range parts {
		n += len(parts[k].keys)
	}
	if len(parts) <= smallMixture || n > mostOrdered*len(parts) {
		return nil
	}
	order := make([]placed[K], 0, n)
	for k := range parts {
		for _, key := range parts[k].keys {
			order = append(order, placed[K]{key, int32(k)})
		}
	}
	slices.SortFunc(order, func(a, b placed[K]) int { return cmp.Compare(a.key, b.key) })
	return order
}

// near returns the keys at which the weight of the values up to them reaches a
// and b >= a, up to rounding, each with the key below it, if there is one. total
// is the weight of all. Every key of order is one value.
func near[K cmp.Ordered](order []placed[K], u []float64, total, a, b float64) (atA, atB []K) {
	if len(order) == 0 {
		return nil, nil
	}
	i, sum := 0, u[order[0].part] // the weight of the values up to i
	if a > total/2 {
		i, sum = len(order)-1, total
		for i > 0 && sum-u[order[i].part] >= a {
			sum -= u[order[i].part]
			i--
		}
	}
	upTo := func(target float64) []K {
		for sum < target && i+1 < len(order) {
			i++
			sum += u[order[i].part]
		}
		return withBelow(order, u, i)
	}
	return upTo(a), upTo(b)
}

// withBelow returns the largest key with a weight up to that at i, and the next
// one below it.
func withBelow[K cmp.Ordered](order []placed[K], u []float64, i int) (keys []K) {
	for ; i >= 0 && len(keys) < 2; i-- {
		if at := order[i]; u[at.part] > 0 && (len(keys) == 0 || at.key < keys[0]) {
			keys = append(keys, at.key)
		}
	}
	return keys
}
