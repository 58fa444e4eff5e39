package sketch

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// goldenCase is a case of testdata/sketch.json: reference values that R and
// Python computed independently.
type goldenCase struct {
	ID     string
	Method string
	Params map[string]float64
	Input  struct{ X, P []float64 }
	// Each expected key is a number or an array of numbers.
	Expected  map[string]json.RawMessage
	Tolerance struct{ Rel, Abs float64 }
}

func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/sketch.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Area  string
		Cases []goldenCase
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file.Area != "sketch" || len(file.Cases) == 0 {
		t.Fatalf("area %q with %d cases", file.Area, len(file.Cases))
	}
	methods := map[string]func(t *testing.T, c goldenCase) map[string][]float64{
		"ddsketch":             goldenDDSketch,
		"log_linear_histogram": goldenHDR,
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			run := methods[c.Method]
			if run == nil {
				t.Fatalf("unknown method %q", c.Method)
			}
			got := run(t, c)
			for key, raw := range c.Expected {
				want := numbers(t, raw)
				g, ok := got[key]
				if !ok || len(g) != len(want) {
					t.Errorf("%s: got %v, want %v", key, g, want)
					continue
				}
				for i := range want {
					slack := c.Tolerance.Abs + c.Tolerance.Rel*max(math.Abs(g[i]), math.Abs(want[i]))
					if math.IsInf(g[i], 0) || !(math.Abs(g[i]-want[i]) <= slack) { // the slack of an infinite one is infinite
						t.Errorf("%s[%d] = %v, want %v", key, i, g[i], want[i])
					}
				}
			}
		})
	}
}

func numbers(t *testing.T, raw json.RawMessage) []float64 {
	t.Helper()
	var many []float64
	if json.Unmarshal(raw, &many) == nil && many != nil {
		return many
	}
	var one *float64
	if err := json.Unmarshal(raw, &one); err != nil || one == nil {
		t.Fatalf("expected value %s: neither a number nor numbers", raw)
	}
	return []float64{*one}
}

func goldenDDSketch(t *testing.T, c goldenCase) map[string][]float64 {
	d, err := NewDDSketch(c.Params["alpha"])
	if err != nil {
		t.Fatal(err)
	}
	d.AddSlice(c.Input.X)
	sorted := sortedCopy(c.Input.X)
	var bins []DDBin
	for b := range d.Bins() {
		bins = append(bins, b)
	}
	out := map[string][]float64{
		"gamma":     {d.Gamma()},
		"keys_min":  {float64(bins[0].Key)},
		"keys_max":  {float64(bins[len(bins)-1].Key)},
		"n_buckets": {float64(len(bins))},
	}
	var worst float64
	for _, p := range c.Input.P {
		v, err := d.Quantile(p)
		out["quantiles"] = append(out["quantiles"], must(t, v, err))
		exact := sorted[int(p*float64(len(sorted)-1))]
		worst = max(worst, math.Abs(v-exact)/exact)
	}
	if worst > d.Alpha() {
		t.Errorf("error %v beyond %v", worst, d.Alpha())
	}
	out["max_rel_err"] = []float64{worst}
	return out
}

func goldenHDR(t *testing.T, c goldenCase) map[string][]float64 {
	h, err := NewHDR(int(c.Params["sub_bits"]), 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	h.AddSlice(c.Input.X)
	sorted := sortedCopy(c.Input.X)
	out := map[string][]float64{"bound": {h.RelativeError()}}
	var worst float64
	for _, p := range c.Input.P {
		v, err := h.Quantile(p)
		out["quantiles"] = append(out["quantiles"], must(t, v, err))
		exact := sorted[ceilRank(p, uint64(len(sorted)))-1]
		out["exact"] = append(out["exact"], exact)
		worst = max(worst, math.Abs(v-exact)/exact)
	}
	if worst > h.RelativeError() {
		t.Errorf("error %v beyond %v", worst, h.RelativeError())
	}
	out["max_rel_err"] = []float64{worst}
	return out
}
