package stats

import "gonum.org/v1/gonum/integrate/quad"

// gaussLegendre integrates f over [lo, hi] with panels panels of a ten-point
// Gauss–Legendre rule.
func gaussLegendre(f func(float64) float64, lo, hi float64, panels int) float64 {
	sum := 0.0
	eachNode(lo, hi, panels, func(x, weight float64) { sum += weight * f(x) })
	return sum
}

// eachNode visits the nodes and weights of gaussLegendre.
func eachNode(lo, hi float64, panels int, visit func(x, weight float64)) {
	var node, weight [10]float64
	quad.Legendre{}.FixedLocations(node[:], weight[:], 0, 1)
	width := (hi - lo) / float64(panels)
	for p := range panels {
		left := lo + float64(p)*width
		for i, x := range node {
			visit(left+x*width, weight[i]*width)
		}
	}
}
