package stats

import (
	"fmt"
	"math"
)

// FixedSequence returns the adjusted p-values of tests carried out in an order
// that was declared before the data were seen: the running maximum of p.
//
// Each hypothesis is tested at the full level until the first that is not
// rejected; the number of leading adjusted p-values at or below α is the number
// of rejections, and the chance of any false one is at most α under any
// dependence. An order chosen after looking at p is not a fixed sequence.
//
// Special cases are:
//
//	no p-values: an empty result
//	a p-value outside [0, 1] or NaN: ErrDomain
func FixedSequence(p []float64) ([]float64, error) {
	if err := checkP(p); err != nil {
		return nil, err
	}
	adj := make([]float64, len(p))
	running := 0.0
	for i, v := range p {
		running = math.Max(running, v)
		adj[i] = running
	}
	return adj, nil
}

// IntersectionUnion returns the p-value of the claim that every one of the
// alternatives holds, the largest of p, and where in p it stands, the first of
// equals.
//
// It is the test of "all must pass": each part is tested at the full level and
// no correction is needed, since the null hypothesis is a union. Its price is
// power, which is at best the smallest of the parts' and about their product
// when they are independent.
//
// Special cases are:
//
//	no p-values: ErrTooFew, since nothing was tested
//	a p-value outside [0, 1] or NaN: ErrDomain
//
// Source: Berger 1982, Technometrics 24:295.
func IntersectionUnion(p []float64) (largest float64, worst int, err error) {
	if len(p) == 0 {
		return 0, 0, fmt.Errorf("0 p-values: want at least 1: %w", ErrTooFew)
	}
	if err := checkP(p); err != nil {
		return 0, 0, err
	}
	largest = p[0]
	for i, v := range p {
		if v > largest {
			largest, worst = v, i
		}
	}
	return largest, worst, nil
}
