package stats

import "math"

// Hommel returns the adjusted p-values of Hommel (1988), in input order: the
// closed test in which every intersection is tested by Simes' method.
//
// Never larger than Hochberg's; valid where Simes' test is, that is under
// independence or positive dependence. The cost is quadratic in the number of
// p-values. Special cases and errors are those of Bonferroni.
//
// Source: Hommel 1988, Biometrika 75:383, doi:10.1093/biomet/75.2.383; the
// computation is that of Wright 1992, Biometrics 48:1005.
func Hommel(p []float64) ([]float64, error) {
	if err := checkP(p); err != nil {
		return nil, err
	}
	n := len(p)
	if n == 0 {
		return []float64{}, nil
	}
	order := ascending(p)
	sorted := make([]float64, n)
	for j, i := range order {
		sorted[j] = p[i]
	}
	simes := math.Inf(1)
	for j, v := range sorted {
		simes = math.Min(simes, float64(n)*v/float64(j+1))
	}
	best := make([]float64, n)
	for j := range best {
		best[j] = simes
	}
	q := make([]float64, n)
	for m := n - 1; m >= 2; m-- {
		// The largest m−1 p-values bound the intersections of size m from below.
		head := n - m + 1
		c := math.Inf(1)
		for j := head; j < n; j++ {
			c = math.Min(c, float64(m)*sorted[j]/float64(j-head+2))
		}
		for j := 0; j < head; j++ {
			q[j] = math.Min(float64(m)*sorted[j], c)
		}
		for j := head; j < n; j++ {
			q[j] = q[head-1]
		}
		for j := range best {
			best[j] = math.Max(best[j], q[j])
		}
	}
	adj := make([]float64, n)
	for j, i := range order {
		adj[i] = math.Min(1, math.Max(best[j], sorted[j]))
	}
	return adj, nil
}
