package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Correction is the small-sample correction of a cluster-robust standard
// error.
type Correction int8

// The corrections.
const (
	// CR2 is the bias-reduced linearisation with Satterthwaite degrees of
	// freedom: the default, near its nominal size from five clusters on.
	CR2 Correction = iota
	// CR1 multiplies the CR0 variance by G/(G−1) and uses G − 1 degrees of
	// freedom.
	CR1
	// CR0 has no correction and a normal reference; far too short below about
	// 50 clusters.
	CR0
)

// String returns "CR0", "CR1" or "CR2".
func (c Correction) String() string {
	switch c {
	case CR0:
		return "CR0"
	case CR1:
		return "CR1"
	case CR2:
		return "CR2"
	}
	return fmt.Sprintf("Correction(%d)", int8(c))
}

// Clustered is an estimate whose independent units are clusters: N of the
// embedded estimate counts clusters.
type Clustered struct {
	stats.Estimate
	Items        int
	LargestShare float64 // share of the items that the largest cluster holds
	SENaive      float64 // standard error if items were independent, for comparison
}

// ClusterRobust estimates the mean of the differences d over all items, in the
// unit of d, when items of one cluster are not independent. cluster[i] is any
// code for the cluster of item i. Every item weighs the same, so a large
// cluster weighs more; see [ClusterMeans] for the other choice.
//
// Special cases are: fewer than 4 degrees of freedom give the warning
// few_clusters, as do fewer than 50 clusters with CR0 and fewer than 20 with CR1,
// whose tests then reject too often; a cluster with more than 30 % of the items dominant_cluster,
// fewer than 15 differences other than 0 rare_differences (see [SignFlip] for
// a check), and differences without any variation between clusters
// no_variance.
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrTooFew below
// two clusters, and stats.ErrDomain for a value that is not finite, an unknown
// correction or a level outside (0, 1). Closed forms of the intercept-only
// model. Source: Liang and Zeger 1986, Biometrika 73:13 (CR0); Bell and
// McCaffrey 2002, Survey Methodology 28:169 (CR2); Pustejovsky and Tipton
// 2018, JBES 36:672.
func ClusterRobust(d []float64, cluster []int, correction Correction, level float64) (Clustered, error) {
	if err := stats.CheckLevel(level); err != nil {
		return Clustered{}, fmt.Errorf("clustered mean: %w", err)
	}
	c, err := groupClusters(d, cluster)
	if err != nil {
		return Clustered{}, fmt.Errorf("clustered mean: %w", err)
	}
	_, variance, err := stats.MeanVariance(d)
	if err != nil {
		return Clustered{}, fmt.Errorf("clustered mean: %w", err)
	}
	var se, df float64
	var method string
	g, n := float64(len(c.sizes)), float64(c.n)
	switch correction {
	case CR0:
		se, df, method = math.Sqrt(c.sandwich(false)), math.Inf(1), MethodClusteredCR0
	case CR1:
		se, df, method = math.Sqrt(c.sandwich(false)*g/(g-1)), g-1, MethodClusteredCR1
	case CR2:
		se, df, method = math.Sqrt(c.sandwich(true)), c.satterthwaite(), MethodClusteredCR2
	default:
		return Clustered{}, fmt.Errorf("clustered mean: %v, want CR0, CR1 or CR2: %w", correction, stats.ErrDomain)
	}
	if math.IsNaN(se) || math.IsInf(se, 0) {
		return Clustered{}, fmt.Errorf("clustered mean: the variance overflows: %w", stats.ErrDomain)
	}
	e, err := stats.StandardError{SE: se, DF: df}.Estimate(c.mean, level)
	if err != nil {
		return Clustered{}, fmt.Errorf("clustered mean: %w", err)
	}
	e.N, e.Method = len(c.sizes), method
	if df < fewClusterDF || len(c.sizes) < leastClusters[correction] {
		e.Warnings = append(e.Warnings, stats.Warning{Code: WarnFewClusters, Text: fewClustersText(len(c.sizes), df)})
	}
	e.Warnings = append(e.Warnings, c.warnings()...)
	return Clustered{e, c.n, c.largestShare(), math.Sqrt(variance / n)}, nil
}

// leastClusters is below how many clusters a correction rejects too often.
var leastClusters = [...]int{CR2: 0, CR1: 20, CR0: 50}

func fewClustersText(clusters int, df float64) string {
	if math.IsInf(df, 1) {
		return fmt.Sprintf("%d clusters are too few for a normal reference: use CR2", clusters)
	}
	return fmt.Sprintf("few or unbalanced clusters: %d clusters are worth %.3g degrees of freedom", clusters, df)
}

// sandwich returns the cluster-robust variance of the mean: the sum of squared
// cluster residuals over n², each inflated by its leverage if adjusted.
func (c clusters) sandwich(adjusted bool) float64 {
	n, sum := float64(c.n), 0.0
	for g, s := range c.residuals(c.mean) {
		term := s / n
		term *= term
		if adjusted {
			term /= 1 - float64(c.sizes[g])/n
		}
		sum += term
	}
	return sum
}

// satterthwaite returns (tr B)² / tr B² for the working model of independent
// equal variances, where B = diag(m/(1−h)) − aa'/n with leverage h = m/n and
// a = m/√(1−h); tr B is n.
func (c clusters) satterthwaite() float64 {
	n := float64(c.n)
	var squares, cross, outer float64 // of the diagonal; diagonal with aa'; trace of aa'
	for _, size := range c.sizes {
		m := float64(size)
		diag := m / (1 - m/n)
		a2 := m * diag
		squares += diag * diag
		cross += diag * a2
		outer += a2
	}
	return n * n / (squares - 2*cross/n + outer*outer/(n*n))
}

// ClusterMeans estimates the mean of the cluster means of d with Student's t,
// every cluster weighing the same whatever its size. It answers a different
// question from [ClusterRobust] when sizes and differences are related, and is
// the fallback below five clusters or with one that dominates.
//
// Errors: see [ClusterRobust].
func ClusterMeans(d []float64, cluster []int, level float64) (Clustered, error) {
	if err := stats.CheckLevel(level); err != nil {
		return Clustered{}, fmt.Errorf("cluster means: %w", err)
	}
	c, err := groupClusters(d, cluster)
	if err != nil {
		return Clustered{}, fmt.Errorf("cluster means: %w", err)
	}
	_, all, err := stats.MeanVariance(d)
	if err != nil {
		return Clustered{}, fmt.Errorf("cluster means: %w", err)
	}
	means := make([]float64, len(c.sizes))
	for g, s := range c.residuals(c.mean) {
		means[g] = c.mean + s/float64(c.sizes[g])
	}
	e, err := stats.MeanT(means, level)
	if err != nil {
		return Clustered{}, fmt.Errorf("cluster means: %w", err)
	}
	e.Method = MethodClusterMeans
	return Clustered{e, c.n, c.largestShare(), math.Sqrt(all / float64(c.n))}, nil
}
