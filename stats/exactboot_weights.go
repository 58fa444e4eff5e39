package stats

import (
	"fmt"
	"math"
)

// Up to this many values the cell probabilities are differences of the
// incomplete beta function; above it they are integrated by quadrature, which is
// faster and keeps the relative accuracy in the tails.
const differenceCells = 1000

// BootstrapWeights returns the exact bootstrap distribution of the order
// statistic of rank r (1-based) of n values: a resample's r-th smallest value is
// the order statistic of rank first+i with probability w[i],
//
//	P(X*_(r) = x_(i)) = I_{i/n}(r, n−r+1) − I_{(i−1)/n}(r, n−r+1).
//
// Ranks whose weight is below 1e-18 of the largest are left out for large n, so
// that the cost is of the order √n.
//
// Errors: ErrTooFew for n < 1, ErrDomain for r outside [1, n].
//
// Source: Efron 1979, doi:10.1214/aos/1176344552; Hutson & Ernst 2000, JRSS B
// 62:89, doi:10.1111/1467-9868.00221.
func BootstrapWeights(n, r int) (first int, w []float64, err error) {
	if n < 1 {
		return 0, nil, fmt.Errorf("order statistic of no values: want at least 1: %w", ErrTooFew)
	}
	if r < 1 || r > n {
		return 0, nil, fmt.Errorf("rank %d of %d values: want one in [1, %d]: %w", r, n, n, ErrDomain)
	}
	first, w = betaCells(n, float64(r), float64(n-r+1))
	return first, w, nil
}

// betaCells returns the probabilities that X ~ Beta(a, b) falls in the cells
// ((i−1)/n, i/n], for i = first, first+1, …
func betaCells(n int, a, b float64) (first int, w []float64) {
	if n <= differenceCells {
		return 1, differencedCells(n, a, b, 1, n)
	}
	mean := a / (a + b)
	if math.Min(a, b) < 20 {
		// Near the ends the density may be singular; the law is narrow there:
		// 20 + 60 cells beyond the smaller parameter hold all but 1e-20.
		span := int(math.Min(a, b)*4) + 80
		if mean < 0.5 {
			return 1, differencedCells(n, a, b, 1, min(span, n))
		}
		first = max(1, n-span)
		return first, differencedCells(n, a, b, first, n)
	}
	return integratedCells(n, a, b)
}

// differencedCells takes each cell as a difference in the smaller tail.
func differencedCells(n int, a, b float64, first, last int) []float64 {
	fn := float64(n)
	w := make([]float64, last-first+1)
	middle := a / (a + b)
	at := func(i int) float64 { return betaLower(a, b, float64(i)/fn, float64(n-i)/fn) }
	above := func(i int) float64 { return betaLower(b, a, float64(n-i)/fn, float64(i)/fn) }
	split := min(max(int(middle*fn), first-1), last)
	prev := at(first - 1)
	for i := first; i <= split; i++ {
		next := at(i)
		w[i-first] = math.Max(0, next-prev)
		prev = next
	}
	prev = above(split)
	for i := split + 1; i <= last; i++ {
		next := above(i)
		w[i-first] = math.Max(0, prev-next)
		prev = next
	}
	return w
}

// A node of a Gauss–Legendre rule on [0, 1].
type legendreNode struct{ at, weight float64 }

var (
	legendre3 = []legendreNode{{0.1127016653792583, 5.0 / 18}, {0.5, 4.0 / 9}, {0.8872983346207417, 5.0 / 18}}
	legendre5 = []legendreNode{
		{0.04691007703066802, 0.11846344252809454}, {0.23076534494715845, 0.23931433524968324},
		{0.5, 0.28444444444444444},
		{0.7692346550528415, 0.23931433524968324}, {0.9530899229693319, 0.11846344252809454},
	}
)

// integratedCells integrates the density over each cell, outwards from the mode
// until the cells no longer matter.
func integratedCells(n int, a, b float64) (first int, w []float64) {
	fn := float64(n)
	mode := (a - 1) / (a + b - 2)
	// The density at the mode from Loader's binomial term; elsewhere relative to
	// it, as sums of small numbers.
	peak := binomialTerm(a-1, b-1, mode, 1-mode) * (a + b - 1) / fn
	rule := legendre5
	if fn*math.Sqrt(a*b/(a+b))/(a+b) > 200 { // cells in a standard deviation
		rule = legendre3
	}
	cell := func(i int) float64 {
		var sum float64
		for _, node := range rule {
			d := (float64(i-1)+node.at)/fn - mode
			sum += node.weight * math.Exp((a-1)*math.Log1p(d/mode)+(b-1)*math.Log1p(-d/(1-mode)))
		}
		return sum * peak
	}
	centre := min(max(int(mode*fn)+1, 1), n)
	floor := 1e-18 * cell(centre)
	var down []float64
	for i := centre; i >= 1; i-- {
		v := cell(i)
		if v < floor {
			break
		}
		down = append(down, v)
	}
	first = centre - len(down) + 1
	w = make([]float64, len(down), 2*len(down)+64)
	for i, v := range down {
		w[len(down)-1-i] = v
	}
	for i := centre + 1; i <= n; i++ {
		v := cell(i)
		if v < floor {
			break
		}
		w = append(w, v)
	}
	return first, w
}
