package compare

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Two arms that are geometric means of runs in pairs give the reference values of
// the paired t interval on the logs of their ratios.
func TestPairsGolden(t *testing.T) {
	raw, err := os.ReadFile("../../stats/testdata/bootstrap.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Cases []struct {
			Method   string
			Input    json.RawMessage
			Expected json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, g := range doc.Cases {
		if g.Method != "paired_runs_log" {
			continue
		}
		checked++
		var in struct{ A, B []float64 }
		var want struct {
			Ratio float64
			P     float64
			Lower float64 `json:"ratio_lower"`
			Upper float64 `json:"ratio_upper"`
		}
		if err := json.Unmarshal(g.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(g.Expected, &want); err != nil {
			t.Fatal(err)
		}
		c := &comparer{opt: DefaultOptions(), pairs: &pairedRuns{}}
		r := Result{Metric: &metric.Metric{Name: "latency"}}
		c.fill(&r, geometricMean(t, in.A), geometricMean(t, in.B))
		for _, v := range [][2]float64{{math.Exp(r.Log.Value), want.Ratio}, {math.Exp(r.Log.Lo), want.Lower}, {math.Exp(r.Log.Hi), want.Upper}, {2 * r.Log.PBelow(0), want.P}} {
			if math.Abs(v[0]-v[1]) > 1e-9+1e-7*math.Abs(v[1]) {
				t.Errorf("%v, want %v", v[0], v[1])
			}
		}
	}
	if checked == 0 {
		t.Error("there is no reference case of pairs")
	}
}

func geometricMean(t *testing.T, runs []float64) *arm {
	t.Helper()
	logs := make([]float64, len(runs))
	for i, v := range runs {
		logs[i] = math.Log(v)
	}
	mean, err := stats.Mean(logs)
	if err != nil {
		t.Fatal(err)
	}
	loo, err := stats.LeaveOneOutMeans(logs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range loo {
		loo[i] = math.Exp(loo[i])
	}
	return &arm{units: len(runs), value: math.Exp(mean), loo: loo, exact: true, tail: math.Inf(1)}
}
