package metric_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

func TestParseTimeouts(t *testing.T) {
	for text, want := range map[string]metric.Timeouts{
		"drop": {}, "censor": {Censor: true}, "censor=60s": {Censor: true, After: 60}, "censor=1m30s": {Censor: true, After: 90},
	} {
		if got, err := metric.ParseTimeouts(text); err != nil || got != want {
			t.Errorf("%q: %v, %v: want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "keep", "drop=3s", "censor=", "censor=3", "censor=0s", "censor=-1s", "censor=x", "Censor"} {
		if _, err := metric.ParseTimeouts(text); err == nil || !strings.Contains(err.Error(), "censor=60s") {
			t.Errorf("%q: %v: want an error with an example", text, err)
		}
	}
}

// What a timed-out request contributes follows from what its record tells.
func TestTimeoutValues(t *testing.T) {
	const head = "start_s,end_s,ttft_s,e2e_s,status,http_status\n0,1,0.5,1,ok,200\n"
	for _, c := range []struct {
		name, row, mode string
		ttft, e2e       []float64 // besides those of the good request
		atLeast         [2]int64
		first           [2]float64
	}{
		{"dropped", "1,31,,30,timeout,", "drop", nil, nil, [2]int64{}, [2]float64{}},
		{"the time it took", "1,31,,30,timeout,", "censor", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"a first token that came is known", "1,31,4,30,timeout,", "censor", []float64{4}, []float64{30}, [2]int64{0, 1}, [2]float64{0, 30}},
		{"no first token, written as the end", "1,31,30,30,timeout,", "censor", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"no first token, written as zero", "1,31,0,30,timeout,", "censor", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"from start and end", "1,31,,,timeout,", "censor", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"a recorded time goes before the given one", "1,31,,30,timeout,", "censor=60s", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"the given timeout", "1,,,,timeout,", "censor=60s", []float64{60}, []float64{60}, [2]int64{1, 1}, [2]float64{60, 60}},
		{"nothing is told", "1,,,0,timeout,", "censor", []float64{0}, []float64{0}, [2]int64{1, 1}, [2]float64{0, 0}},
		{"HTTP 504", "1,31,,30,,504", "censor", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"HTTP 408", "1,31,,30,,408", "censor", []float64{30}, []float64{30}, [2]int64{1, 1}, [2]float64{30, 30}},
		{"another failure", "1,31,4,30,error,", "censor", nil, nil, [2]int64{}, [2]float64{}},
		{"cancelled", "1,31,4,30,cancelled,", "censor", nil, nil, [2]int64{}, [2]float64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := csv(t, head+c.row+"\n")
			plan := metric.NewPlan(items(t, []string{"ttft", "e2e", "tpot"}, nil, in))
			var err error
			if plan.Timeouts, err = metric.ParseTimeouts(c.mode); err != nil {
				t.Fatal(err)
			}
			u := collect(t, in, plan).Units[0]
			for k, want := range [][]float64{append(slices.Clone(c.ttft), 0.5), append(slices.Clone(c.e2e), 1)} {
				slices.Sort(want)
				cell := &u.Cells[k]
				if got := values(u, k); !slices.Equal(got, want) || cell.AtLeast != c.atLeast[k] || cell.FirstAtLeast != c.first[k] {
					t.Errorf("%s: values %v, %d at least, from %v: want %v, %d, %v", plan.Items[k].Metric, got, cell.AtLeast, cell.FirstAtLeast, want, c.atLeast[k], c.first[k])
				}
			}
			if n := u.Cells[2].Sketch.N(); n != 0 {
				t.Errorf("tpot has %d values: want none", n)
			}
			if u.OK() != 1 || u.Requests() != 2 {
				t.Errorf("%d ok of %d: want 1 of 2", u.OK(), u.Requests())
			}
		})
	}
}

// Parts and time batches see the timed-out requests that the whole sees.
func TestTimeoutsInPartsAndBatches(t *testing.T) {
	var b strings.Builder
	b.WriteString("start_s,e2e_s,status,region\n")
	for i := range 200 {
		if i%20 == 7 {
			fmt.Fprintf(&b, "%d,30,timeout,%s\n", i, []string{"eu", "us"}[i/100])
			continue
		}
		fmt.Fprintf(&b, "%d,%g,ok,%s\n", i, 1+float64(i%10)/10, []string{"eu", "us"}[i/100])
	}
	in := csv(t, b.String())
	plan := metric.NewPlan(items(t, []string{"e2e:p95", "e2e:mean"}, nil, in))
	plan.Timeouts.Censor = true
	plan.Facets = []metric.Facet{{Columns: []string{"region"}, Bits: 8, Limit: 1000}}
	side := collect(t, in, plan)
	var parts, late int64
	for _, key := range metric.Keys([]*metric.Side{side}, 0) {
		cell := &side.Units[0].Facets[0][key].Cells[0]
		parts, late = parts+cell.Sketch.N(), late+cell.AtLeast
		if cell.FirstAtLeast != 30 {
			t.Errorf("%v: values from %v on are least ones: want 30", key, cell.FirstAtLeast)
		}
	}
	if whole := side.Units[0].Cells[0]; parts != 200 || late != 10 || whole.Sketch.N() != 200 || whole.AtLeast != 10 {
		t.Errorf("parts hold %d values, %d at least; the whole %d, %d: want 200 and 10", parts, late, whole.Sketch.N(), whole.AtLeast)
	}
	looks := []metric.Look{{Item: 0, Thresholds: []float64{5}, Center: 2, Spread: 30}}
	batches, err := metric.TimeBatches(t.Context(), in, side, plan, looks, 10, metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for k, n := range batches[0].Counts {
		if below := batches[0].Below[0][k]; n != 20 || below != 19 {
			t.Errorf("batch %d: %d of %d values up to 5 s: want 19 of 20", k, below, n)
		}
	}
}
