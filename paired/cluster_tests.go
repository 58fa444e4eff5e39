package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Obuchowski tests whether two paired rates differ when items come in
// clusters, one [Table] per cluster; items weigh the same. Two-sided, on one
// degree of freedom, without correction for few clusters: very conservative
// below a dozen. A cross-check of [ClusterRobust], which also has an interval.
//
// Special cases are: the statistic is 0 and p is 1 when no cluster leans
// either way. Clusters without items are ignored.
//
// It returns stats.ErrTooFew below two clusters with items and stats.ErrDomain
// for a negative count. Source: Obuchowski 1998, Statistics in Medicine
// 17:1495.
func Obuchowski(clusters []Table) (stats.Test, error) {
	k, sum, squares, err := clusterScores(clusters, func(t Table) float64 { return float64(t.OnlyY - t.OnlyX) })
	if err != nil {
		return stats.Test{}, fmt.Errorf("obuchowski test: %w", err)
	}
	return scoreTest((k-1)/k*sum*sum, squares, MethodObuchowski), nil
}

// Durkalski tests as [Obuchowski] does, with clusters weighing the same
// whatever their size. Special cases and errors are the same. Source:
// Durkalski et al. 2003, Statistics in Medicine 22:2417.
func Durkalski(clusters []Table) (stats.Test, error) {
	_, sum, squares, err := clusterScores(clusters, Table.Difference)
	if err != nil {
		return stats.Test{}, fmt.Errorf("durkalski test: %w", err)
	}
	return scoreTest(sum*sum, squares, MethodDurkalski), nil
}

// clusterScores returns the number of clusters with items and the sum and the
// sum of squares of their scores.
func clusterScores(clusters []Table, score func(Table) float64) (k, sum, squares float64, err error) {
	for i, t := range clusters {
		if t == (Table{}) {
			continue
		}
		if err := t.Validate(); err != nil {
			return 0, 0, 0, fmt.Errorf("cluster %d: %w", i, err)
		}
		s := score(t)
		k++
		sum += s
		squares += s * s
	}
	if k < 2 {
		return 0, 0, 0, fmt.Errorf("%v clusters with items, want 2 or more: %w", k, stats.ErrTooFew)
	}
	return k, sum, squares, nil
}

func scoreTest(num, den float64, method string) stats.Test {
	t := stats.Test{DF: 1, P: 1, Method: method}
	if den > 0 {
		t.Statistic = num / den
		t.P = stats.ChiSquaredSurvival(t.Statistic, 1)
	}
	return t
}
