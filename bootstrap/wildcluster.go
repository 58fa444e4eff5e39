package bootstrap

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/perfdiff/perfdiff/stats"
)

// fewTreated is the number of treated or of control clusters below which the
// wild cluster bootstrap under-rejects badly.
const fewTreated = 5

// WildClusterTest is the outcome of [WildCluster].
type WildClusterTest struct {
	stats.Test         // Statistic is t with the CR1 variance, P is two-sided
	Effect     float64 // mean of the treated values − mean of the others
	SE         float64 // CR1 standard error of Effect
	Signs      int     // sign vectors visited, 2^G
	Smallest   float64 // smallest P that the design can give
}

// WildCluster tests, two-sided, whether treated clusters have another mean than
// the rest, in the model y = α + β·treated with cluster-robust t. It imposes β =
// 0, flips the signs of whole clusters of residuals in all 2^G ways, and counts
// |t*| ≥ |t| (Cameron, Gelbach & Miller 2008, REStat 90:414; Rademacher weights,
// restricted residuals). The variance is CR1: factor G/(G−1)·(N−1)/(N−2).
//
// It assumes independent clusters and several of them on both sides: with
// fewer than five treated or control clusters it hardly ever rejects (MacKinnon &
// Webb 2018) and carries the warning [WarnFewTreated]. For a plain comparison of runs
// prefer Welch's t on run summaries.
//
// Special cases are: residuals that are all 0 make t undefined; Statistic is
// then 0, or ±Inf if the two sides differ, with the warning [stats.WarnNoVariance].
// Errors: [stats.ErrMismatch] if clusters and treated differ in length,
// [stats.ErrTooFew] for fewer than two clusters on a side or an empty cluster,
// [stats.ErrImpossible] for more sign vectors than [EnumerationLimit],
// [stats.ErrDomain] for a value that is not finite.
func WildCluster(clusters [][]float64, treated []bool) (WildClusterTest, error) {
	g := len(clusters)
	if len(treated) != g {
		return WildClusterTest{}, fmt.Errorf("%d clusters and %d treatment marks: %w", g, len(treated), stats.ErrMismatch)
	}
	nt := 0
	for _, t := range treated {
		if t {
			nt++
		}
	}
	if min(nt, g-nt) < 2 {
		return WildClusterTest{}, fmt.Errorf("%d treated and %d control clusters: want at least 2 of each: %w", nt, g-nt, stats.ErrTooFew)
	}
	if g >= bits.Len(EnumerationLimit) {
		return WildClusterTest{}, fmt.Errorf("%d clusters have more than %d sign vectors: %w", g, EnumerationLimit, stats.ErrImpossible)
	}
	if err := checkClusters(clusters); err != nil {
		return WildClusterTest{}, err
	}
	w := newWild(clusters, treated)
	out := WildClusterTest{Signs: 1 << g, Smallest: math.Exp2(float64(1 - g))}
	out.Method, out.DF, out.Alternative = MethodWildCluster, 0, stats.TwoSided
	out.Effect, out.SE, out.Statistic = w.t(1<<g - 1)
	limit := math.Abs(out.Statistic) - 1e-9*math.Min(1, math.Abs(out.Statistic))
	if math.IsInf(out.Statistic, 0) {
		limit = math.Inf(1)
	}
	// A vector and its opposite give the same |t|: visit one of each pair.
	hits := 0
	for signs := range 1 << (g - 1) {
		if _, _, t := w.t(uint64(signs)); math.Abs(t) >= limit {
			hits++
		}
	}
	out.P = float64(hits) / float64(int(1)<<(g-1))
	if min(nt, g-nt) < fewTreated {
		out.Warnings = append(out.Warnings, stats.Warning{
			Code: WarnFewTreated,
			Text: fmt.Sprintf("%d treated and %d control clusters: below %d on a side the test hardly ever rejects", nt, g-nt, fewTreated),
		})
	}
	if out.SE == 0 {
		out.Warnings = append(out.Warnings, noVariance())
	}
	return out, nil
}

// wild holds per cluster all that t needs: number and sum of residuals.
type wild struct {
	treated []bool
	n, sum  []float64
	total   [2]float64 // values per side: control, treated
	factor  float64
	zero    float64 // sums up to this are rounding error
}

func newWild(clusters [][]float64, treated []bool) *wild {
	w := &wild{treated: treated, n: make([]float64, len(clusters)), sum: make([]float64, len(clusters))}
	offset := clusters[0][0]
	var all, total, size float64
	for k, c := range clusters {
		for _, v := range c {
			w.sum[k] += v - offset
			size = math.Max(size, math.Abs(v))
		}
		w.n[k] = float64(len(c))
		all += w.sum[k]
		total += w.n[k]
		w.total[side(treated[k])] += w.n[k]
	}
	for k := range w.sum {
		w.sum[k] -= w.n[k] * all / total
	}
	g := float64(len(clusters))
	w.factor = g / (g - 1) * (total - 1) / (total - 2)
	w.zero = 16 * epsilon * size
	return w
}

// t returns effect, standard error and their ratio when the residuals of
// cluster k keep their sign if bit k is set and change it otherwise. All bits
// set is the sample itself.
func (w *wild) t(signs uint64) (effect, se, t float64) {
	var s [2]float64
	for k, u := range w.sum {
		if signs>>k&1 == 0 {
			u = -u
		}
		s[side(w.treated[k])] += u
	}
	mean := [2]float64{s[0] / w.total[0], s[1] / w.total[1]}
	effect = mean[1] - mean[0]
	var v float64
	for k, u := range w.sum {
		if signs>>k&1 == 0 {
			u = -u
		}
		i := side(w.treated[k])
		score := (u - w.n[k]*mean[i]) / w.total[i]
		v += float64(score * score)
	}
	se = math.Sqrt(w.factor * v)
	if se <= w.zero {
		se = 0
	}
	if math.Abs(effect) <= w.zero {
		effect = 0
	}
	return effect, se, pivot(effect, se)
}

func side(treated bool) int {
	if treated {
		return 1
	}
	return 0
}
