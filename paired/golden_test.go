package paired

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// goldenCase is one reference case of testdata/*.json.
type goldenCase struct {
	ID        string                     `json:"id"`
	Method    string                     `json:"method"`
	Params    map[string]any             `json:"params"`
	Input     json.RawMessage            `json:"input"`
	Expected  map[string]json.RawMessage `json:"expected"`
	Tolerance struct{ Rel, Abs float64 } `json:"tolerance"`
}

func (c goldenCase) param(t *testing.T, name string) float64 {
	t.Helper()
	v, ok := c.Params[name].(float64)
	if !ok {
		t.Fatalf("parameter %q is missing", name)
	}
	return v
}

func (c goldenCase) input(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(c.Input, into); err != nil {
		t.Fatal(err)
	}
}

type goldenMethod func(t *testing.T, c goldenCase) map[string]float64

// goldenAreas maps each file to its methods. A nil method belongs to another
// package's tests; a method that is not listed fails.
var goldenAreas = map[string]map[string]goldenMethod{
	"paired_binary": {
		"intervals_and_tests": goldenBinary,
		"tango_ci":            goldenTangoCI,
		"tango_ni_test":       goldenTangoNI,
		"clustered_mcnemar":   goldenClusterTests,
		"clustered_se":        goldenClusterSE,
	},
	"noninferiority": {
		"paired_t":                   goldenPairedT,
		"paired_relative_contrast":   goldenContrast,
		"tost_welch":                 goldenTOST,
		"ratio_means_fieller_indep":  goldenFieller,
		"wilcoxon_signed_rank_exact": goldenSignedRank,
		"wilcoxon_signed_rank_ties":  goldenSignedRankTies,
	},
	"variance": {
		"repeated_samples":        goldenRepeats,
		"paired_repeated_samples": goldenPairedRepeats,
		"icc_oneway":              nil,
		"welch_t":                 nil,
		"newey_west_ess":          nil,
		"batch_means_ci":          nil,
	},
}

func TestGolden(t *testing.T) {
	for area, methods := range goldenAreas {
		raw, err := os.ReadFile(filepath.Join("testdata", area+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []goldenCase }
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		if len(file.Cases) == 0 {
			t.Errorf("%s: no cases", area)
		}
		for _, c := range file.Cases {
			method, known := methods[c.Method]
			if !known {
				t.Errorf("%s: unknown method %q", c.ID, c.Method)
			}
			if method == nil {
				continue
			}
			t.Run(c.ID, func(t *testing.T) { checkGolden(t, c, method(t, c)) })
		}
	}
}

// TestGoldenSignFlip checks the sign flips of log ratios of paired runs. Package
// stats has the other keys of these cases.
func TestGoldenSignFlip(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "bootstrap", "testdata", "bootstrap.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []goldenCase }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, c := range file.Cases {
		want, ok := c.Expected["p_signflip"]
		if !ok {
			continue
		}
		checked++
		t.Run(c.ID, func(t *testing.T) {
			var in struct{ A, B []float64 }
			c.input(t, &in)
			d, blocks := make([]float64, len(in.A)), make([]int, len(in.A))
			for i := range d {
				d[i], blocks[i] = math.Log(in.B[i]/in.A[i]), i
			}
			c.Expected = map[string]json.RawMessage{"p_signflip": want}
			checkGolden(t, c, map[string]float64{"p_signflip": ok1(SignFlip(d, blocks, 0, stats.TwoSided))(t).P})
		})
	}
	if checked == 0 {
		t.Error("no case has p_signflip")
	}
}

func checkGolden(t *testing.T, c goldenCase, got map[string]float64) {
	t.Helper()
	for key, raw := range c.Expected {
		g, ok := got[key]
		if !ok {
			t.Errorf("key %q is not checked", key)
			continue
		}
		var want *float64
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Errorf("key %q: %v", key, err)
			continue
		}
		if want == nil {
			if !math.IsInf(g, 0) {
				t.Errorf("%s = %v, want no bound", key, g)
			}
			continue
		}
		slack := c.Tolerance.Abs + c.Tolerance.Rel*math.Max(math.Abs(g), math.Abs(*want))
		if math.IsInf(g, 0) || !(math.Abs(g-*want) <= slack) { // the slack of an infinite one is infinite
			t.Errorf("%s = %.15g, want %.15g within %.3g", key, g, *want, slack)
		}
	}
}

// ok1 unwraps a value that must come without an error.
func ok1[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// goldenTable reads a table whose difference is "n10 minus n01": the first
// rating of the file is y.
func goldenTable(t *testing.T, c goldenCase) Table {
	var in struct{ N11, N10, N01, N00, N int }
	c.input(t, &in)
	if in.N > 0 {
		in.N11 = in.N - in.N10 - in.N01
	}
	return Table{Both: in.N11, OnlyY: in.N10, OnlyX: in.N01, Neither: in.N00}
}

func goldenBinary(t *testing.T, c goldenCase) map[string]float64 {
	tab, level := goldenTable(t, c), c.param(t, "conf")
	chi := ok1(McNemarChiSquared(tab, false))(t)
	got := map[string]float64{
		"diff":              tab.Difference(),
		"mcnemar_exact":     ok1(McNemarExact(tab))(t).P,
		"mcnemar_midp":      ok1(McNemarMidP(tab))(t).P,
		"mcnemar_asym_chi2": chi.Statistic,
		"mcnemar_asym_p":    chi.P,
		"mcnemar_cc_p":      ok1(McNemarChiSquared(tab, true))(t).P,
	}
	for name, e := range map[string]stats.Estimate{
		"tango":        ok1(TangoScore(tab, level))(t),
		"newcombe10":   ok1(Newcombe(tab, level))(t),
		"wald":         ok1(Wald(tab, level))(t),
		"bonett_price": ok1(BonettPrice(tab, level))(t),
		"agresti_min":  ok1(AgrestiMin(tab, level))(t),
	} {
		got[name+"_lower"], got[name+"_upper"] = e.Interval.Lo, e.Interval.Hi
	}
	return got
}

func goldenTangoCI(t *testing.T, c goldenCase) map[string]float64 {
	e := ok1(TangoScore(goldenTable(t, c), c.param(t, "conf")))(t)
	return map[string]float64{"tango_lower": e.Interval.Lo, "tango_upper": e.Interval.Hi}
}

func goldenTangoNI(t *testing.T, c goldenCase) map[string]float64 {
	test := ok1(TangoNoninferiority(goldenTable(t, c), c.param(t, "margin")))(t)
	return map[string]float64{"z": test.Statistic, "p": test.P}
}

func goldenClusterTests(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ N11, N10, N01, N00 []int }
	c.input(t, &in)
	var tables []Table
	var sum Table
	for i := range in.N11 {
		tab := Table{Both: in.N11[i], OnlyY: in.N10[i], OnlyX: in.N01[i], Neither: in.N00[i]}
		tables, sum = append(tables, tab), sum.Add(tab)
	}
	o, d := ok1(Obuchowski(tables))(t), ok1(Durkalski(tables))(t)
	return map[string]float64{
		"diff":            sum.Difference(),
		"obuchowski_chi2": o.Statistic, "obuchowski_p": o.P,
		"durkalski_chi2": d.Statistic, "durkalski_p": d.P,
	}
}

func goldenClusterSE(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ Clusters [][]float64 }
	c.input(t, &in)
	var d []float64
	var code []int
	for g, values := range in.Clusters {
		for _, v := range values {
			d, code = append(d, v), append(code, 1000-g)
		}
	}
	level := c.param(t, "conf")
	cr2 := ok1(ClusterRobust(d, code, CR2, level))(t)
	cr1 := ok1(ClusterRobust(d, code, CR1, level))(t).SE
	return map[string]float64{
		"mean":         cr2.Value,
		"se_naive":     cr2.SENaive,
		"se_cr0":       ok1(ClusterRobust(d, code, CR0, level))(t).SE,
		"se_cr1":       cr1,
		"vcovCL_hc1":   cr1,
		"se_cr2":       cr2.SE,
		"df_cr2":       cr2.DF,
		"ci_cr2_lower": cr2.Interval.Lo, "ci_cr2_upper": cr2.Interval.Hi,
	}
}

func goldenPairedT(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ Old, New []float64 }
	c.input(t, &in)
	margin, alpha := c.param(t, "margin"), c.param(t, "alpha")
	e90 := ok1(MeanDifference(in.Old, in.New, 1-2*alpha))(t)
	e95 := ok1(MeanDifference(in.Old, in.New, 1-alpha))(t)
	return map[string]float64{
		"mean_diff":  e90.Value,
		"se":         e90.SE,
		"p_ni":       ok1(Noninferiority(e90, margin, stats.Greater))(t).P,
		"p_tost":     ok1(TOST(e90, margin))(t).P,
		"ci90_lower": e90.Interval.Lo, "ci90_upper": e90.Interval.Hi,
		"ci95_lower": e95.Interval.Lo, "ci95_upper": e95.Interval.Hi,
	}
}

func goldenContrast(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ Old, New []float64 }
	c.input(t, &in)
	test := ok1(RelativeContrast(in.Old, in.New, 1-c.param(t, "rel_margin"), stats.Greater))(t)
	f := ok1(FiellerPaired(in.Old, in.New, c.param(t, "conf")))(t)
	return map[string]float64{
		"ratio": f.Value, "t": test.Statistic, "p_ni": test.P,
		"fieller_lower": f.Interval.Lo, "fieller_upper": f.Interval.Hi,
	}
}

func goldenTOST(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ A, B []float64 }
	c.input(t, &in)
	e := ok1(stats.Welch(in.A, in.B, 0.9))(t)
	tost := ok1(TOST(e, c.param(t, "margin")))(t)
	return map[string]float64{"p_lower": tost.Lower.P, "p_upper": tost.Upper.P, "p_tost": tost.P, "df": e.DF}
}

func goldenFieller(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ A, B []float64 }
	c.input(t, &in)
	level := c.param(t, "conf")
	f, l := ok1(FiellerIndependent(in.A, in.B, level))(t), ok1(RatioLogDelta(in.A, in.B, level))(t)
	return map[string]float64{
		"ratio": f.Value, "df": f.DF,
		"fieller_lower": f.Interval.Lo, "fieller_upper": f.Interval.Hi,
		"log_delta_lower": l.Interval.Lo, "log_delta_upper": l.Interval.Hi,
	}
}

func goldenSignedRank(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ D []float64 }
	c.input(t, &in)
	test := ok1(SignedRank(in.D, SignedRankOptions{}))(t)
	hl := ok1(HodgesLehmann(in.D, c.param(t, "conf")))(t)
	return map[string]float64{
		"V": test.Statistic, "p": test.P,
		"hl": hl.Value, "ci_lower": hl.Interval.Lo, "ci_upper": hl.Interval.Hi,
	}
}

func goldenSignedRankTies(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ D []float64 }
	c.input(t, &in)
	exact := ok1(SignedRank(in.D, SignedRankOptions{}))(t)
	return map[string]float64{
		"V":           exact.Statistic,
		"p_exact_abs": exact.P,
		"p_asym_cc":   ok1(SignedRank(in.D, SignedRankOptions{Normal: true}))(t).P,
		"p_asym":      ok1(SignedRank(in.D, SignedRankOptions{Normal: true, NoContinuity: true}))(t).P,
		"p_pratt":     ok1(SignedRank(in.D, SignedRankOptions{Zeros: RankZeros, Normal: true, NoContinuity: true}))(t).P,
	}
}

func goldenRepeats(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ Scores [][]float64 }
	c.input(t, &in)
	s := ok1(Repeats(in.Scores))(t)
	return map[string]float64{
		"mean": s.Mean, "se_items": s.SEItems, "within": s.Within, "between": s.Between,
		"se_naive": s.SENaive, "se_fixed_items": s.SEFixed, "limit_se_K_inf": s.SELimit,
	}
}

func goldenPairedRepeats(t *testing.T, c goldenCase) map[string]float64 {
	var in struct{ Old, New [][]float64 }
	c.input(t, &in)
	e := ok1(PairedRepeats(in.Old, in.New, c.param(t, "conf")))(t)
	return map[string]float64{
		"mean_diff": e.Value, "se": e.SE, "ci_lower": e.Interval.Lo, "ci_upper": e.Interval.Hi,
		"p": ok1(TTest(e, 0, stats.TwoSided))(t).P,
	}
}
