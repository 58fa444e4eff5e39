package metric_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// ramp is a run of n requests, one a second, of latency 1, 2, …; every fifth
// fails. stamp writes the start of request i.
func ramp(n int, stamp func(i int) string) string {
	var b strings.Builder
	b.WriteString("start_s,latency_s,status\n")
	for i := range n {
		status := "ok"
		if i%5 == 4 {
			status = "error"
		}
		fmt.Fprintf(&b, "%s,%d,%s\n", stamp(i), i+1, status)
	}
	return b.String()
}

// looks are those of a latency with two thresholds, and of the success rate.
func looks(side *metric.Side) []metric.Look {
	s := side.Units[0].Cells[0].Sketch
	return []metric.Look{
		{Item: 0, Thresholds: []float64{50, 1e9}, Center: 50, Spread: math.Max(s.Max()-50, 50-s.Min())},
		{Item: 1, Share: true, Center: 0.5, Spread: 0.5},
	}
}

func batches(t *testing.T, in metric.Input, n int) (*metric.Side, []metric.Batches, metric.Plan) {
	t.Helper()
	plan := metric.NewPlan(items(t, []string{"latency:mean", "success_rate"}, nil, in))
	side := collect(t, in, plan)
	out, err := metric.TimeBatches(t.Context(), in, side, plan, looks(side), n, metric.Scan{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return side, out, plan
}

func TestTimeBatches(t *testing.T) {
	forward := func(i int) string { return fmt.Sprint(1000 + i) }
	for _, c := range []struct {
		why    string
		stamp  func(i int) string
		byTime bool
		first  float64 // mean latency of the first batch
	}{
		{"in the order of time", forward, true, 10.5},
		{"written in another order, and still by time", func(i int) string { return fmt.Sprint(1000 + 99 - i) }, true, 89.5},
		{"without starts, in the order of the records", func(int) string { return "" }, false, 10.5},
		{"with one start that is not known", func(i int) string {
			if i == 7 {
				return ""
			}
			return forward(i)
		}, false, 10.5},
		{"all at once", func(int) string { return "1000" }, false, 10.5},
		{"nearly all at once: time would make empty batches", func(i int) string { return fmt.Sprint(1000 + i/99*1000) }, false, 10.5},
	} {
		side, got, _ := batches(t, csv(t, ramp(100, c.stamp)), 5)
		b := got[0]
		if b.ByTime != c.byTime {
			t.Errorf("%s: by time %v", c.why, b.ByTime)
		}
		// 80 of 100 succeed: 16 a batch, of which those up to 50 lie below.
		if d := cmp.Diff([]int64{16, 16, 16, 16, 16}, b.Counts); d != "" {
			t.Errorf("%s: counts %s", c.why, d)
		}
		if below := sum(b.Below[0]); below != 40 || sum(b.Below[1]) != side.OK() {
			t.Errorf("%s: %d below", c.why, below)
		}
		// Of 1 … 20 without 5, 10, 15 and 20 the mean is 10; of their mirror 91.
		want := c.first - 0.5
		if c.first > 50 {
			want = c.first + 0.5
		}
		if math.Abs(b.Means[0]-want) > 1.01 {
			t.Errorf("%s: the first batch has mean %v, want about %v", c.why, b.Means[0], want)
		}
		mean := 0.0
		for i, m := range b.Means {
			mean += m * float64(b.Counts[i]) / 80
		}
		if math.Abs(mean-50) > 1e-6 {
			t.Errorf("%s: the batches have mean %v, want 50", c.why, mean)
		}
		share := got[1]
		if sum(share.Counts) != 100 || math.Abs(share.Means[2]-0.8) > 1e-9 {
			t.Errorf("%s: shares %v of %v", c.why, share.Means, share.Counts)
		}
	}
}

func sum(x []int64) (total int64) {
	for _, v := range x {
		total += v
	}
	return total
}

// More batches than values leave some empty, and never lose a value.
func TestFewValues(t *testing.T) {
	_, got, _ := batches(t, csv(t, ramp(3, func(i int) string { return fmt.Sprint(i) })), 10)
	if n := sum(got[0].Counts); n != 3 || len(got[0].Counts) != 10 {
		t.Errorf("counts %v", got[0].Counts)
	}
	side, none, _ := batches(t, csv(t, "start_s,latency_s,status\n1,1,error\n"), 4)
	if sum(none[0].Counts) != 0 || side.Failed() != 1 {
		t.Errorf("no value: %v", none[0].Counts)
	}
}

func TestBatchesNeedOneUnit(t *testing.T) {
	in := csv(t, "latency_s\n1\n", "latency_s\n2\n")
	plan := metric.NewPlan(items(t, []string{"latency:mean"}, nil, in))
	side := collect(t, in, plan)
	if _, err := metric.TimeBatches(t.Context(), in, side, plan, nil, 5, metric.Scan{Workers: 1}); err == nil {
		t.Error("two units are cut as one")
	}
	if _, err := metric.BatchesOfUnits(t.Context(), in, side, plan, nil, 5, metric.Scan{Workers: 1}); err == nil {
		t.Error("looks at no unit of two are accepted")
	}
}

// Batches are the same for any number of workers, and those of units are those
// of a side that holds the unit alone.
func TestBatchesAreDeterministic(t *testing.T) {
	spec := fixtures.Default()
	spec.Runs, spec.RequestsPerRun, spec.FailureRate = 1, 20000, 0.02
	in := made(t, spec)
	plan := metric.NewPlan(items(t, []string{"ttft:p50", "ttft:mean", "success_rate"}, nil, in))
	side := collect(t, in, plan)
	u := side.Units[0]
	p50, err := u.Cells[0].Sketch.Quantile(0.5)
	if err != nil {
		t.Fatal(err)
	}
	look := []metric.Look{{Item: 0, Thresholds: []float64{p50}, Center: p50, Spread: u.Cells[0].Sketch.Max()}, {Item: 1, Share: true, Center: 0.5, Spread: 0.5}}
	var want []metric.Batches
	for _, workers := range []int{1, 2, 4} {
		got, err := metric.TimeBatches(t.Context(), in, side, plan, look, 20, metric.Scan{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d workers:\n%s", workers, d)
		}
		units, err := metric.BatchesOfUnits(t.Context(), in, side, plan, [][]metric.Look{look}, 20, metric.Scan{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if n := sum(units[0][i].Counts); n != sum(got[i].Counts) || !units[0][i].ByTime {
				t.Errorf("%d workers: %d of %d values by unit", workers, n, sum(got[i].Counts))
			}
			for k, m := range units[0][i].Means { // cut more coarsely
				if math.Abs(m-got[i].Means[k]) > 0.05*math.Abs(m) {
					t.Errorf("look %d, batch %d: mean %v by unit, %v", i, k, m, got[i].Means[k])
				}
			}
		}
	}
}
