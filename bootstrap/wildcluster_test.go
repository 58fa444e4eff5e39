package bootstrap

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// wildByRegression does it the long way: full vectors, all 2^G sign vectors,
// the sandwich formula of the regression on the treatment mark.
func wildByRegression(clusters [][]float64, treated []bool) (tStat, p float64) {
	regress := func(y [][]float64) float64 {
		var n, st, sy, syt float64
		for k, c := range y {
			for _, v := range c {
				n++
				sy += v
				if treated[k] {
					st++
					syt += v
				}
			}
		}
		tbar := st / n
		sxx := st * (1 - tbar)
		b := (syt - tbar*sy) / sxx
		a := sy/n - b*tbar
		var v float64
		for k, c := range y {
			var score float64
			x := 0.0
			if treated[k] {
				x = 1
			}
			for _, w := range c {
				score += (x - tbar) * (w - a - b*x)
			}
			v += score * score
		}
		g := float64(len(y))
		v *= g / (g - 1) * (n - 1) / (n - 2) / sxx / sxx
		return b / math.Sqrt(v)
	}
	var sum, n float64
	for _, c := range clusters {
		for _, v := range c {
			sum += v
			n++
		}
	}
	tStat = regress(clusters)
	hits := 0
	for s := range 1 << len(clusters) {
		y := make([][]float64, len(clusters))
		for k, c := range clusters {
			for _, v := range c {
				u := v - sum/n
				if s>>k&1 == 1 {
					u = -u
				}
				y[k] = append(y[k], sum/n+u)
			}
		}
		if math.Abs(regress(y)) >= math.Abs(tStat)-1e-9 {
			hits++
		}
	}
	return tStat, float64(hits) / float64(int(1)<<len(clusters))
}

func TestWildClusterByRegression(t *testing.T) {
	var clusters [][]float64
	var treated []bool
	for k := range 9 {
		clusters = append(clusters, lognormal(uint64(k), 2+k%3, 0.4))
		treated = append(treated, k%2 == 0)
	}
	w := must[WildClusterTest](t)(WildCluster(clusters, treated))
	ts, p := wildByRegression(clusters, treated)
	if !near(w.Statistic, ts) || !near(w.P, p) || w.Signs != 512 || w.Smallest != 1.0/256 {
		t.Errorf("%+v, want t %v, p %v", w, ts, p)
	}
	if !hasWarning(w.Warnings, WarnFewTreated) {
		t.Error("four control clusters are not warned of")
	}
	for i := range treated {
		treated[i] = !treated[i]
	}
	swapped := must[WildClusterTest](t)(WildCluster(clusters, treated))
	if !near(swapped.Statistic, -w.Statistic) || !near(swapped.Effect, -w.Effect) || swapped.P != w.P {
		t.Errorf("swapping the sides: %+v, %+v", w, swapped)
	}
	slices.Reverse(clusters)
	slices.Reverse(treated)
	if r := must[WildClusterTest](t)(WildCluster(clusters, treated)); !near(r.Statistic, swapped.Statistic) || r.P != w.P {
		t.Errorf("the order of clusters matters: %+v", r)
	}
}

func TestWildClusterEdges(t *testing.T) {
	four := []bool{true, true, false, false}
	flat := must[WildClusterTest](t)(WildCluster([][]float64{{0.1, 0.1}, {0.1}, {0.1}, {0.1, 0.1}}, four))
	if flat.Statistic != 0 || flat.P != 1 || !hasWarning(flat.Warnings, stats.WarnNoVariance) {
		t.Errorf("constant data: %+v", flat)
	}
	apart := must[WildClusterTest](t)(WildCluster([][]float64{{2}, {2}, {1}, {1}}, four))
	if !math.IsInf(apart.Statistic, 1) || !(apart.P > 0 && apart.P <= 1) || math.IsNaN(apart.P) {
		t.Errorf("separated constants: %+v", apart)
	}
	_, err := WildCluster([][]float64{{1}, {2}}, []bool{true})
	wantError(t, err, stats.ErrMismatch, "lengths")
	_, err = WildCluster([][]float64{{1}, {2}, {3}}, []bool{true, false, false})
	wantError(t, err, stats.ErrTooFew, "one treated")
	_, err = WildCluster([][]float64{{1}, {}, {3}, {4}}, four)
	wantError(t, err, stats.ErrTooFew, "empty cluster")
	_, err = WildCluster([][]float64{{1}, {math.NaN()}, {3}, {4}}, four)
	wantError(t, err, stats.ErrDomain, "NaN")
	many := make([][]float64, 22)
	marks := make([]bool, 22)
	for k := range many {
		many[k], marks[k] = []float64{float64(k)}, k < 11
	}
	_, err = WildCluster(many, marks)
	wantError(t, err, stats.ErrImpossible, "22 clusters")
}
