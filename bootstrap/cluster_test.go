package bootstrap

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestClusterMeanLaw(t *testing.T) {
	clusters := [][]float64{{1, 2}, {4}, {7, 8, 9}, {2, 3}}
	l := must[Law](t)(ClusterMeanLaw(clusters, Options{}))
	var all []float64
	bruteForce(4, func(index []int) {
		var s, n float64
		for _, k := range index {
			for _, v := range clusters[k] {
				s += v
				n++
			}
		}
		all = append(all, s/n)
	})
	if m := meanOf(all); !near(l.Mean(), m) || !near(l.SE(), math.Sqrt(sumSquares(all, m)/256)) {
		t.Errorf("mean %v, SE %v", l.Mean(), l.SE())
	}
	moved := make([][]float64, 4)
	for k, c := range clusters {
		for _, v := range c {
			moved[k] = append(moved[k], 1e12+v)
		}
	}
	if m := must[Law](t)(ClusterMeanLaw(moved, Options{})); math.Abs(m.SE()-l.SE()) > 1e-3 {
		t.Errorf("with an offset of 1e12: SE %v, want %v", m.SE(), l.SE())
	}
	big := make([][]float64, 24)
	for k := range big {
		big[k] = lognormal(uint64(k), 3+k%4, 0.3)
	}
	e := must[stats.Estimate](t)(must[Law](t)(ClusterMeanLaw(big, Options{Replicates: 999})).Percentile(0.95))
	if e.N != 24 || len(e.Warnings) > 0 || !e.Interval.Contains(e.Value) {
		t.Errorf("%+v", e)
	}
}

func TestClusterRefuses(t *testing.T) {
	for n := range MinUnits {
		_, err := ClusterMeanLaw(make([][]float64, n), Options{})
		wantError(t, err, stats.ErrTooFew, "clusters")
	}
	_, err := ClusterMeanLaw([][]float64{{1}, {}, {2}}, Options{})
	wantError(t, err, stats.ErrTooFew, "empty cluster")
	_, err = ClusterMeanLaw([][]float64{{1}, {2, math.NaN()}, {2}}, Options{})
	wantError(t, err, stats.ErrDomain, "NaN")
}

// All 2·2 choices of clusters and 2² of values in each, by hand.
func TestTwoStageVarianceByEnumeration(t *testing.T) {
	c := [][]float64{{1, 5}, {2, 10}}
	var means []float64
	bruteForce(2, func(k []int) {
		bruteForce(2, func(i []int) {
			bruteForce(2, func(j []int) {
				means = append(means, (c[k[0]][i[0]]+c[k[0]][i[1]]+c[k[1]][j[0]]+c[k[1]][j[1]])/4)
			})
		})
	})
	want := sumSquares(means, meanOf(means)) / float64(len(means))
	v := must[TwoStage](t)(TwoStageVariance(c))
	if !near(v.TwoStage, want) || !near(v.Mean, 4.5) || v.Clusters != 2 || v.PerCluster != 2 {
		t.Errorf("%+v, want %v", v, want)
	}
	// ȳ = 3 and 6: (1/2)·(1/2)·(2.25 + 2.25).
	if !near(v.ClusterOnly, 1.125) {
		t.Errorf("cluster only %v, want 1.125", v.ClusterOnly)
	}
	for why, bad := range map[string][][]float64{"one cluster": {{1, 2}}, "none": {}, "empty": {{1}, {}}} {
		_, err := TwoStageVariance(bad)
		wantError(t, err, stats.ErrTooFew, why)
	}
	_, err := TwoStageVariance([][]float64{{1, 2}, {1}})
	wantError(t, err, stats.ErrMismatch, "unequal")
	_, err = TwoStageVariance([][]float64{{1, 2}, {1, math.Inf(1)}})
	wantError(t, err, stats.ErrDomain, "Inf")
}
