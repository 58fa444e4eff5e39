package bootstrap

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// TwoStage is the exact bootstrap variance of a mean of clusters under two
// schemes, in the squared unit of the data.
type TwoStage struct {
	Mean        float64 // grand mean
	ClusterOnly float64 // clusters drawn, kept whole
	TwoStage    float64 // clusters drawn, then values inside them
	Clusters    int     // K
	PerCluster  int     // m
}

// TwoStageVariance returns the exact bootstrap variances of the grand mean of K
// clusters of m values each:
//
//	cluster only  (1/K)·(1/K)Σ(ȳ_k − ȳ)²
//	two stages    that + (1/K)·(1/(K m²))ΣΣ(y_kj − ȳ_k)²
//
// The second counts the noise inside clusters twice, because it is in ȳ_k
// already: harmless for large m, conservative for small m (Davison & Hinkley
// 1997, §3.8). Use the cluster bootstrap unless m is very small.
//
// Errors: [stats.ErrTooFew] for fewer than two clusters or an empty one,
// [stats.ErrMismatch] for clusters of unequal size, [stats.ErrDomain] for a
// value that is not finite.
func TwoStageVariance(clusters [][]float64) (TwoStage, error) {
	if len(clusters) < 2 {
		return TwoStage{}, fmt.Errorf("%d clusters: want at least 2: %w", len(clusters), stats.ErrTooFew)
	}
	if err := checkClusters(clusters); err != nil {
		return TwoStage{}, err
	}
	m := len(clusters[0])
	means := make([]float64, len(clusters))
	var within float64
	for k, c := range clusters {
		if len(c) != m {
			return TwoStage{}, fmt.Errorf("cluster %d has %d values, cluster 0 has %d: %w", k, len(c), m, stats.ErrMismatch)
		}
		means[k] = meanOf(c)
		within += sumSquares(c, means[k])
	}
	kk := float64(len(clusters))
	out := TwoStage{Mean: meanOf(means), Clusters: len(clusters), PerCluster: m}
	out.ClusterOnly = sumSquares(means, out.Mean) / kk / kk
	out.TwoStage = out.ClusterOnly + within/(kk*kk*float64(m)*float64(m))
	return out, nil
}

func sumSquares(x []float64, about float64) float64 {
	var s float64
	for _, v := range x {
		s += float64((v - about) * (v - about))
	}
	return s
}
