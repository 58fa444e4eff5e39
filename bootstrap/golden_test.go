package bootstrap

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// The files in testdata/ hold reference values computed twice, in R and in
// Python; every case names its versions, definitions and tolerance.
// testdata/arch_series.txt is numpy's RandomState(0) series that the case
// politis_white/ar1_phi03_n10000_numpy_RandomState0 describes.

type goldenCase struct {
	ID, Method string
	Params     struct {
		Statistic string
		Conf      float64
		Block     int
		MeanBlock float64 `json:"mean_block"`
	}
	Input struct {
		X, Y, A, B, T, SE []float64
		T0, SE0, P        float64
		R                 int
		XFile             string  `json:"x_file"`
		Indices           [][]int `json:"resample_indices_0based"`
		Clusters          [][]float64
		Treated           []int
		Weights           [][]int
	}
	Expected  map[string]json.RawMessage
	Tolerance struct{ Rel, Abs float64 }
}

// golden compares results with the expected keys of one case and remembers
// which were compared.
type golden struct {
	*testing.T
	c    goldenCase
	seen map[string]bool
}

func (g golden) want(key string, got ...float64) {
	g.Helper()
	raw, ok := g.c.Expected[key]
	if !ok {
		g.Fatalf("no expected key %q", key)
	}
	g.seen[key] = true
	var list []*float64
	if json.Unmarshal(raw, &list) != nil {
		list = make([]*float64, 1)
		if err := json.Unmarshal(raw, &list[0]); err != nil {
			g.Fatal(err)
		}
	}
	if len(list) != len(got) {
		g.Fatalf("%s: got %d numbers, want %d", key, len(got), len(list))
	}
	for i, w := range list {
		if w == nil {
			if !math.IsInf(got[i], 0) {
				g.Errorf("%s[%d] = %v, want no bound", key, i, got[i])
			}
			continue
		}
		limit := g.c.Tolerance.Abs + g.c.Tolerance.Rel*max(math.Abs(got[i]), math.Abs(*w))
		if math.IsInf(got[i], 0) || !(math.Abs(got[i]-*w) <= limit) { // the limit of an infinite one is infinite
			g.Errorf("%s[%d] = %.15g, want %.15g (±%.2g)", key, i, got[i], *w, limit)
		}
	}
}

// numbers returns an expected list that is given to another method.
func (g golden) numbers(key string) (v []float64) {
	g.Helper()
	if err := json.Unmarshal(g.c.Expected[key], &v); err != nil {
		g.Fatalf("%s: %v", key, err)
	}
	return v
}

func (g golden) interval(key string, e stats.Estimate) {
	g.Helper()
	g.want(key, e.Interval.Lo, e.Interval.Hi)
}

func statistic(t *testing.T, name string, x []float64) func([]int) float64 {
	pick := func(index []int) []float64 {
		v := make([]float64, len(index))
		for i, j := range index {
			v[i] = x[j]
		}
		return v
	}
	switch name {
	case "mean":
		return func(index []int) float64 { return meanOf(pick(index)) }
	case "varp":
		return func(index []int) float64 {
			v := pick(index)
			return sumSquares(v, meanOf(v)) / float64(len(v))
		}
	case "median":
		return func(index []int) float64 {
			v := pick(index)
			slices.Sort(v)
			return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
		}
	}
	t.Fatalf("unknown statistic %q", name)
	return nil
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// elsewhere names the methods of the copied files that other packages own.
var elsewhere = []string{
	"run_means_welch", "paired_runs_log", // stats, its sign flips paired
	"hyndman_fan", "harrell_davis", "ci_order_statistic", "ci_nyblom", "woodruff_batch_ci", // stats
	"maritz_jarrett_se", "min_n_for_quantile_bound", "asymptotic_se_lognormal", // stats
	"exact_bootstrap_type7", // stats
}

func TestGolden(t *testing.T) {
	for _, file := range []string{"bootstrap.json", "quantile.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var doc struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Cases) == 0 {
			t.Fatalf("%s has no cases", file)
		}
		for _, raw := range doc.Cases {
			var head struct{ Method string }
			if err := json.Unmarshal(raw, &head); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(elsewhere, head.Method) {
				continue
			}
			var c goldenCase
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			t.Run(c.ID, func(t *testing.T) {
				g := golden{t, c, map[string]bool{}}
				g.run()
				for key := range c.Expected {
					if !g.seen[key] && !(c.Method == "run_log_welch" && key != "p_randomization") { // the rest: stats
						t.Errorf("expected key %q is not compared", key)
					}
				}
			})
		}
	}
}

func (g golden) run() {
	in, p := g.c.Input, g.c.Params
	switch g.c.Method {
	case "ci_from_resamples":
		g.ciFromResamples()
	case "exact_enumeration":
		stat := statistic(g.T, p.Statistic, in.X)
		l := must[Law](g)(Enumerate(len(in.X), stat))
		g.want("t0", l.Value())
		g.want("mean", l.Mean())
		g.want("se", l.SE())
		g.interval("percentile", must[stats.Estimate](g)(l.Percentile(p.Conf)))
		loo := must[[]float64](g)(LeaveOneOut(len(in.X), stat))
		b := must[BCaEstimate](g)(l.BCa(loo, p.Conf))
		g.want("z0", b.Bias)
		g.want("accel", b.Acceleration)
		g.want("bca_alphas", b.LoProb, b.HiProb)
		g.interval("bca", b.Estimate)
	case "abc_ci":
		e := must[ABCEstimate](g)(ABC(len(in.X), weightedStatistic(g.T, p.Statistic, in.X), p.Conf))
		g.want("t0", e.Value)
		g.want("accel", e.Acceleration)
		g.want("z0", e.Bias)
		g.want("lower", e.Interval.Lo)
		g.want("upper", e.Interval.Hi)
	case "cluster_bootstrap_exact":
		l := must[Law](g)(ClusterMeanLaw(in.Clusters, Options{}))
		if !l.Exact() {
			g.Error("law is not exact")
		}
		g.want("t0", l.Value())
		g.want("mean", l.Mean())
		g.want("se", l.SE())
		g.interval("percentile", must[stats.Estimate](g)(l.Percentile(p.Conf)))
	case "two_stage_bootstrap_var":
		v := must[TwoStage](g)(TwoStageVariance(in.Clusters))
		g.want("var_two_stage", v.TwoStage)
		g.want("var_cluster_only", v.ClusterOnly)
	case "block_bootstrap_mean_var":
		m := must[BlockMean](g)(MovingBlockVariance(in.X, p.Block))
		c := must[BlockMean](g)(CircularBlockVariance(in.X, p.Block))
		g.want("moving", m.Variance)
		g.want("moving_mean", m.Mean)
		g.want("circular", c.Variance)
		g.want("circular_mean", c.Mean)
	case "stationary_bootstrap_mean_var":
		g.want("var", must[BlockMean](g)(StationaryVariance(in.X, p.MeanBlock)).Variance)
	case "politis_white":
		x := in.X
		if in.XFile != "" {
			x = readSeries(g.T, in.XFile)
		}
		b := must[BlockLengths](g)(BlockLength(x))
		g.want("mhat_np", float64(b.Lag))
		g.want("sb_np", b.Stationary)
		g.want("cb_np", b.Circular)
		g.want("M_arch", float64(b.Bandwidth))
		g.want("sb_arch", b.Stationary)
		g.want("cb_arch", b.Circular)
	case "poisson_weights":
		acc := must[*PoissonMean](g)(NewPoissonMean(Options{Replicates: len(in.Weights)}))
		for u, v := range in.X {
			w := make([]int, len(in.Weights))
			for r := range w {
				w[r] = in.Weights[r][u]
			}
			acc.add(w, v, 1)
		}
		g.want("means", must[[]float64](g)(acc.means())...)
	case "studentized_from_replicates":
		for key, rule := range map[string]Rule{"type6": OrderStatistic, "type7": Linear} {
			g.interval(key, must[stats.Estimate](g)(Studentized(in.T0, in.SE0, in.T, in.SE, MinUnits, p.Conf, rule)))
		}
	case "wild_cluster_exact":
		treated := make([]bool, len(in.Treated))
		for i, v := range in.Treated {
			treated[i] = v == 1
		}
		w := must[WildClusterTest](g)(WildCluster(in.Clusters, treated))
		g.want("t", w.Statistic)
		g.want("p", w.P)
		g.want("n_signs", float64(w.Signs))
	case "run_log_welch":
		x, y := g.numbers("log_summary_a"), g.numbers("log_summary_b")
		r := must[RandomizationTest](g)(Randomization(x, y, 0, stats.TwoSided, Options{}))
		g.want("p_randomization", r.P)
	case "randomization_exact":
		two := must[RandomizationTest](g)(Randomization(in.A, in.B, 0, stats.TwoSided, Options{}))
		one := must[RandomizationTest](g)(Randomization(in.A, in.B, 0, stats.Greater, Options{}))
		g.want("stat", two.Statistic)
		g.want("n_splits", float64(two.Splits))
		g.want("p_two_sided", two.P)
		g.want("p_greater", one.P)
	case "exact_bootstrap_order_stat":
		l := must[Law](g)(OrderStatisticLaw(in.X, in.R))
		g.want("weight_first", probabilityOf(l, slices.Min(in.X)))
		g.want("weight_last", probabilityOf(l, slices.Max(in.X)))
		g.want("mean", l.Mean())
		g.want("se", l.SE())
		e := must[stats.Estimate](g)(l.Percentile(p.Conf))
		g.want("pct_lower", e.Interval.Lo)
		g.want("pct_upper", e.Interval.Hi)
	case "exact_bootstrap_two_quantiles":
		x := must[Law](g)(QuantileLaw(in.X, in.P))
		y := must[Law](g)(QuantileLaw(in.Y, in.P))
		d, r := must[Law](g)(Difference(x, y)), must[Law](g)(Ratio(x, y))
		g.want("diff", d.Value())
		g.want("se_diff", d.SE())
		g.want("p_diff_le_0", d.CDF(0))
		de := must[stats.Estimate](g)(d.Percentile(p.Conf))
		g.want("diff_lower", de.Interval.Lo)
		g.want("diff_upper", de.Interval.Hi)
		re := must[stats.Estimate](g)(r.Percentile(p.Conf))
		g.want("ratio", r.Value())
		g.want("ratio_lower", re.Interval.Lo)
		g.want("ratio_upper", re.Interval.Hi)
	default:
		g.Fatalf("unknown method %q", g.c.Method)
	}
}

// ciFromResamples checks both quantile conventions. The bias correction adds
// half of the ties; the cases have none, so z0 and z0_mid are the same number.
func (g golden) ciFromResamples() {
	in, level := g.c.Input, g.c.Params.Conf
	stat := statistic(g.T, g.c.Params.Statistic, in.X)
	replicates := make([]float64, len(in.Indices))
	for r, index := range in.Indices {
		replicates[r] = stat(index)
	}
	six := must[Law](g)(FromReplicates(stat(identity(len(in.X))), replicates, len(in.X)))
	seven := six.WithRule(Linear)
	g.want("t0", six.Value())
	g.want("se", six.SE())
	g.want("bias", six.Mean()-six.Value())
	g.interval("percentile_type6", must[stats.Estimate](g)(six.Percentile(level)))
	g.interval("percentile_type7", must[stats.Estimate](g)(seven.Percentile(level)))
	g.interval("basic_type6", must[stats.Estimate](g)(six.Basic(level)))
	g.interval("basic_type7", must[stats.Estimate](g)(seven.Basic(level)))
	loo := must[[]float64](g)(LeaveOneOut(len(in.X), stat))
	b6, b7 := must[BCaEstimate](g)(six.BCa(loo, level)), must[BCaEstimate](g)(seven.BCa(loo, level))
	if b6.FellBack || b7.FellBack {
		g.Error("BCa fell back")
	}
	g.want("accel", b6.Acceleration)
	g.want("z0", b6.Bias)
	g.want("z0_mid", b7.Bias)
	g.want("bca_alphas", b6.LoProb, b6.HiProb)
	g.want("bca_alphas_mid", b7.LoProb, b7.HiProb)
	g.interval("bca_type6", b6.Estimate)
	g.interval("bca_type7_mid", b7.Estimate)
}

func weightedStatistic(t *testing.T, name string, x []float64) func([]float64) float64 {
	mean := func(w []float64) float64 {
		var s float64
		for i, v := range x {
			s += w[i] * v
		}
		return s
	}
	switch name {
	case "mean":
		return mean
	case "varp":
		return func(w []float64) float64 {
			m := mean(w)
			var s float64
			for i, v := range x {
				s += w[i] * (v - m) * (v - m)
			}
			return s
		}
	}
	t.Fatalf("unknown statistic %q", name)
	return nil
}

// probabilityOf is 0 for a value that the law leaves out.
func probabilityOf(l Law, v float64) float64 {
	for i := range l.Len() {
		if value, p := l.At(i); value == v {
			return p
		}
	}
	return 0
}

func readSeries(t *testing.T, name string) []float64 {
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var x []float64
	for f := range strings.FieldsSeq(string(raw)) {
		x = append(x, must[float64](t)(strconv.ParseFloat(f, 64)))
	}
	return x
}
