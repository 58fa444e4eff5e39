package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Limits beyond which a clustered answer carries a warning.
const (
	fewClusterDF  = 4   // Satterthwaite degrees of freedom
	dominantShare = 0.3 // share of the items in the largest cluster
)

// clusters holds differences grouped by cluster, in order of first appearance.
type clusters struct {
	sizes []int
	sums  []float64 // of the differences
	mean  float64   // over all items
	n     int
	d     []float64
	index []int // cluster of each item
}

// groupClusters groups d by the cluster codes. It needs two clusters.
func groupClusters(d []float64, cluster []int) (clusters, error) {
	if len(d) != len(cluster) {
		return clusters{}, fmt.Errorf("%d differences and %d cluster codes: %w", len(d), len(cluster), stats.ErrMismatch)
	}
	mean, err := stats.Mean(d)
	if err != nil {
		return clusters{}, err
	}
	c := clusters{mean: mean, n: len(d), d: d, index: make([]int, len(d))}
	known := make(map[int]int)
	for i, code := range cluster {
		g, ok := known[code]
		if !ok {
			g = len(c.sizes)
			known[code] = g
			c.sizes, c.sums = append(c.sizes, 0), append(c.sums, 0)
		}
		c.index[i] = g
		c.sizes[g]++
		c.sums[g] += d[i]
	}
	if len(c.sizes) < 2 {
		return clusters{}, fmt.Errorf("%d clusters, want 2 or more: %w", len(c.sizes), stats.ErrTooFew)
	}
	return c, nil
}

// residuals returns the cluster sums of d − center.
func (c clusters) residuals(center float64) []float64 {
	s := make([]float64, len(c.sizes))
	for i, g := range c.index {
		s[g] += c.d[i] - center
	}
	return s
}

// largestShare returns the share of the items that the largest cluster holds.
func (c clusters) largestShare() float64 {
	largest := 0
	for _, m := range c.sizes {
		largest = max(largest, m)
	}
	return float64(largest) / float64(c.n)
}

// warnings lists what makes a clustered answer doubtful.
func (c clusters) warnings() []stats.Warning {
	var w []stats.Warning
	if share := c.largestShare(); share > dominantShare {
		w = append(w, stats.Warning{Code: WarnDominantCluster, Text: fmt.Sprintf("one cluster holds %.3g of the items: compare with the t interval of cluster means", share)})
	}
	if differ := countNonzero(c.d); differ > 0 && differ < rareDifferent {
		w = append(w, rareWarning(differ))
	}
	return w
}
