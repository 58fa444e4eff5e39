package sketch

import (
	"cmp"
	"slices"
)

// placed is a value and the part that has it.
type placed struct {
	v    float64
	part int32
}

// More than fewParts parts of at most mostOrdered values in the mean are searched
// faster by going through all values in order than by searching in every part.
const (
	fewParts    = 16
	mostOrdered = 64
)

// inOrder returns the values of all parts, ascending; nil where parts are few or
// large.
func inOrder(parts []valuePart) []placed {
	n := 0
	for k := range parts {
		n += len(parts[k].xs)
	}
	if len(parts) <= fewParts || n > mostOrdered*len(parts) {
		return nil
	}
	order := make([]placed, 0, n)
	for k := range parts {
		for _, v := range parts[k].xs {
			order = append(order, placed{v, int32(k)})
		}
	}
	slices.SortFunc(order, func(a, b placed) int { return cmp.Compare(a.v, b.v) })
	return order
}

// near returns the values at which the weight of those up to them reaches a and
// b >= a, up to rounding, each with the value below it, if there is one. total is
// the weight of all.
func near(order []placed, u []float64, total, a, b float64) (atA, atB []float64) {
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
	upTo := func(target float64) []float64 {
		for sum < target && i+1 < len(order) {
			i++
			sum += u[order[i].part]
		}
		return withBelow(order, u, i)
	}
	return upTo(a), upTo(b)
}

// withBelow returns the largest value with a weight up to that at i, and the next
// one below it.
func withBelow(order []placed, u []float64, i int) (vs []float64) {
	for ; i >= 0 && len(vs) < 2; i-- {
		if at := order[i]; u[at.part] > 0 && (len(vs) == 0 || at.v < vs[0]) {
			vs = append(vs, at.v)
		}
	}
	return vs
}
