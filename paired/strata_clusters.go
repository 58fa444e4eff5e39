package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// StratifiedClusters estimates the mean of the means of d in fixed strata (tasks),
// one vote a stratum, when items of one cluster are not independent and a cluster
// may have items of several strata. stratum[i] and cluster[i] are any codes.
//
// The residuals of each stratum are weighted so that their mean over all items is
// the error of the estimate; their cluster sums give its variance, corrected by
// G/(G−1), on G − 1 degrees of freedom ([CR1]). The unit is that of d.
//
// Special cases are: with one stratum it is [ClusterRobust] with CR1. Warnings are
// those of ClusterRobust.
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrTooFew below two
// clusters, and stats.ErrDomain for a value that is not finite or a level outside
// (0, 1). Source: Liang and Zeger 1986, Biometrika 73:13, for the estimating
// equations of the strata's means.
func StratifiedClusters(d []float64, stratum, cluster []int, level float64) (Clustered, error) {
	if len(stratum) != len(d) {
		return Clustered{}, fmt.Errorf("strata of clusters: %d differences and %d stratum codes: %w", len(d), len(stratum), stats.ErrMismatch)
	}
	if err := stats.CheckFinite(d); err != nil {
		return Clustered{}, fmt.Errorf("strata of clusters: %w", err)
	}
	at := map[int]int{}
	var values [][]float64
	for i, v := range d {
		k, ok := at[stratum[i]]
		if !ok {
			k = len(values)
			at[stratum[i]], values = k, append(values, nil)
		}
		values[k] = append(values[k], v)
	}
	means := make([]float64, len(values))
	mean := 0.0
	for k, v := range values {
		m, err := stats.Mean(v)
		if err != nil {
			return Clustered{}, fmt.Errorf("strata of clusters: %w", err)
		}
		means[k] = m
		mean += m / float64(len(values))
	}
	residual := make([]float64, len(d))
	for i, v := range d {
		k := at[stratum[i]]
		residual[i] = float64(len(d)) / float64(len(values)) / float64(len(values[k])) * (v - means[k])
	}
	e, err := ClusterRobust(residual, cluster, CR1, level)
	if err != nil {
		return Clustered{}, fmt.Errorf("strata of clusters: %w", err)
	}
	if math.IsInf(mean, 0) {
		return Clustered{}, fmt.Errorf("strata of clusters: the mean overflows: %w", stats.ErrDomain)
	}
	half := e.Interval.Width() / 2
	e.Value, e.Method = mean, MethodStratifiedClusters
	e.Interval.Lo, e.Interval.Hi = mean-half, mean+half
	return e, nil
}
