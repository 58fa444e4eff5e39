package metric_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

const twoModels = "run,model,latency_s,status\n1,b,1,ok\n1,a,2,ok\n1,b,3,error\n2,a,4,ok\n2,,5,ok\n3,b,6,ok\n"

func TestChosenModel(t *testing.T) {
	in := csv(t, twoModels)
	in.Files[0].Model = "b"
	side := collect(t, in, metric.NewPlan(items(t, []string{"latency:p50"}, nil, in)))
	if len(side.Units) != 2 || side.Units[0].Label != "1" || side.Units[1].Label != "3" {
		t.Fatalf("%d runs, want 1 and 3: run 2 has no record of the model", len(side.Units))
	}
	if d := cmp.Diff([]float64{1}, values(side.Units[0], 0)); d != "" {
		t.Error(d)
	}
	if side.OK() != 2 || side.Failed() != 1 || side.Counts[ingest.OtherModel] != 3 {
		t.Errorf("%d ok, %d failed, %d of another model", side.OK(), side.Failed(), side.Counts[ingest.OtherModel])
	}
	plan := metric.NewPlan(items(t, []string{"latency:p50"}, nil, in))
	plan.Facets = []metric.Facet{{Columns: []string{"model"}, Bits: 7}}
	sliced := collect(t, in, plan)
	if keys := metric.Keys([]*metric.Side{sliced}, 0); len(keys) != 1 || keys[0].Text != "b" {
		t.Errorf("slices %v, want that of the model alone", keys)
	}
	ts, err := metric.LookAtTraffic(t.Context(), []metric.Input{in}, nil, func(float64) (int, bool) { return 0, false }, metric.Scan{Workers: 1})
	if err != nil || len(ts[0].Fingerprint["model"]) != 1 || ts[0].Records != 3 {
		t.Errorf("models %v of %d requests, %v", ts[0].Fingerprint["model"], ts[0].Records, err)
	}
	byRun, err := metric.TrafficOfUnits(t.Context(), in, nil, func(float64) (int, bool) { return 0, false }, metric.Within{}, metric.Scan{Workers: 1})
	if err != nil || len(byRun) != 2 || byRun["2"] != nil {
		t.Errorf("traffic of %d runs, %v", len(byRun), err)
	}
}

func TestModels(t *testing.T) {
	var many strings.Builder
	many.WriteString("model_id,latency_s\n")
	for i := range 3 * metric.MostModels {
		fmt.Fprintf(&many, "m%05d,1\n", (i*7919)%(3*metric.MostModels))
	}
	for _, c := range []struct {
		csv   string
		first string
		n     int
		ok    bool
	}{
		{twoModels, "a", 2, true},
		{"latency_s,model_name\n1,\n", "", 0, true},
		{"latency_s,model_name,model\n1,x,y\n", "y", 1, true},
		{"latency_s\n1\n", "", 0, false},
		{many.String(), "m00000", metric.MostModels, true},
	} {
		in := csv(t, c.csv)
		got, ok, err := in.Files[0].Models(t.Context())
		if err != nil || ok != c.ok || len(got) != c.n || c.n > 0 && got[0] != c.first {
			t.Errorf("%.40q: %d models, %v, %v", c.csv, len(got), ok, err)
		}
	}
}
