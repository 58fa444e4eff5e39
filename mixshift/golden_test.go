package mixshift

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// goldenCase is one reference case of testdata/mixshift.json.
type goldenCase struct {
	ID        string                     `json:"id"`
	Method    string                     `json:"method"`
	Params    map[string]any             `json:"params"`
	Input     json.RawMessage            `json:"input"`
	Expected  map[string]json.RawMessage `json:"expected"`
	Tolerance struct{ Rel, Abs float64 } `json:"tolerance"`
}

func (c goldenCase) input(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(c.Input, into); err != nil {
		t.Fatal(err)
	}
}

// goldenMethods computes every key of a case: a number or a slice.
var goldenMethods = map[string]func(t *testing.T, c goldenCase) map[string]any{
	"kitagawa":          goldenKitagawa,
	"das_gupta_product": goldenDasGupta,
	"oaxaca":            goldenOaxaca,
	"dfl_reweight":      goldenReweight,
	"rif_quantile":      goldenRIF,
	"post_stratify":     goldenPostStratify,
}

func TestGolden(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "mixshift.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []goldenCase }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Error("no cases")
	}
	for _, c := range file.Cases {
		method, known := goldenMethods[c.Method]
		if !known {
			t.Errorf("%s: unknown method %q", c.ID, c.Method)
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			got := method(t, c)
			for key, raw := range c.Expected {
				g, ok := got[key]
				if !ok {
					t.Errorf("key %q is not checked", key)
					continue
				}
				checkGolden(t, c, key, g, raw)
			}
		})
	}
}

func checkGolden(t *testing.T, c goldenCase, key string, got any, raw json.RawMessage) {
	t.Helper()
	var want []float64
	list, isList := got.([]float64)
	if !isList {
		list = []float64{got.(float64)}
		want = make([]float64, 1)
		if err := json.Unmarshal(raw, &want[0]); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	} else if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	if len(list) != len(want) {
		t.Fatalf("%s: %d values, want %d", key, len(list), len(want))
	}
	for i, g := range list {
		slack := c.Tolerance.Abs + c.Tolerance.Rel*math.Max(math.Abs(g), math.Abs(want[i]))
		if math.IsInf(g, 0) || !(math.Abs(g-want[i]) <= slack) { // the slack of an infinite one is infinite
			t.Errorf("%s[%d] = %.15g, want %.15g within %.3g", key, i, g, want[i], slack)
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

func goldenKitagawa(t *testing.T, c goldenCase) map[string]any {
	var in struct {
		ShareA []float64 `json:"share_a"`
		ShareB []float64 `json:"share_b"`
		RateA  []float64 `json:"rate_a"`
		RateB  []float64 `json:"rate_b"`
	}
	c.input(t, &in)
	two := ok1(Kitagawa(in.ShareA, in.ShareB, in.RateA, in.RateB))(t)
	three := ok1(Threefold(in.ShareA, in.ShareB, in.RateA, in.RateB))(t)
	return map[string]any{
		"total": two.Total, "composition": two.Mix, "rate": two.Rate,
		"per_cell_composition": two.CellMix, "per_cell_rate": two.CellRate,
		"endowments": three.Mix, "coefficients": three.Rate, "interaction": three.Interaction,
	}
}

func goldenDasGupta(t *testing.T, c goldenCase) map[string]any {
	var in struct{ A, B []float64 }
	c.input(t, &in)
	a := ok1(DasGupta(in.A, in.B))(t)
	return map[string]any{"effects": a.Effects, "total": a.Total}
}

func goldenOaxaca(t *testing.T, c goldenCase) map[string]any {
	var in struct{ A, B struct{ X1, X2, Y []float64 } }
	c.input(t, &in)
	x := Sample{in.A.Y, [][]float64{in.A.X1, in.A.X2}}
	y := Sample{in.B.Y, [][]float64{in.B.X1, in.B.X2}}
	ref, pooled := ok1(Oaxaca(x, y, ReferenceX))(t), ok1(Oaxaca(x, y, ReferencePooledPlain))(t)
	return map[string]any{
		"gap": ref.Gap, "endowments": ref.Endowments, "coefficients": ref.Coefficients, "interaction": ref.Interaction,
		"refA_explained": ref.Explained, "refA_unexplained": ref.Unexplained,
		"pooled_explained": pooled.Explained, "pooled_unexplained": pooled.Unexplained,
	}
}

func goldenReweight(t *testing.T, c goldenCase) map[string]any {
	var in struct {
		CellA []int     `json:"cell_a"`
		CellB []int     `json:"cell_b"`
		YA    []float64 `json:"y_a"`
		YB    []float64 `json:"y_b"`
	}
	c.input(t, &in)
	var q []float64
	for _, p := range c.Params["p"].([]any) {
		q = append(q, p.(float64))
	}
	parts, r, err := QuantileShift(in.CellA, in.YA, in.CellB, in.YB, q)
	if err != nil {
		t.Fatal(err)
	}
	mean := ok1(ReweightedMean(in.CellA, in.CellB, in.YB, 0.95))(t)
	var qa, qb, like, composition, structure []float64
	for _, p := range parts {
		qa, qb, like = append(qa, p.X), append(qb, p.Y), append(like, p.YLike)
		composition, structure = append(composition, p.Mix), append(structure, p.Rate)
	}
	return map[string]any{
		"q_a": qa, "q_b": qb, "q_b_reweighted": like, "composition": composition, "structure": structure,
		//nolint:misspell // a key of the reference cases
		"mean_b_reweighted": mean.Value, "se_mean_post_strat": mean.SE, "n_eff_kish": r.EffectiveN,
	}
}

func goldenRIF(t *testing.T, c goldenCase) map[string]any {
	var in struct{ Y []float64 }
	c.input(t, &in)
	f := ok1(RIF(in.Y, c.Params["p"].(float64)))(t)
	return map[string]any{
		"q": f.Quantile, "bw": f.Bandwidth, "density": f.Density,
		"rif_low": f.Low, "rif_high": f.High, "mean_rif": f.MeanRIF, "se_q": f.SE,
	}
}

func goldenPostStratify(t *testing.T, c goldenCase) map[string]any {
	var in struct {
		N        []int     `json:"cell_n"`
		Mean     []float64 `json:"cell_mean"`
		Variance []float64 `json:"cell_var"`
		Share    []float64 `json:"pop_share"`
	}
	c.input(t, &in)
	var strata []PostStratum
	for h := range in.N {
		strata = append(strata, PostStratum{in.N[h], in.Mean[h], in.Variance[h], in.Share[h]})
	}
	p := ok1(PostStratify(strata, 0.95))(t)
	return map[string]any{"mean": p.Value, "se_conditional": p.SE, "deff_kish": p.DesignEffect}
}
