package metric_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// row is a request of the test below.
type row struct {
	latency       float64
	status, class string
	tokens        int
}

func residualRows() []row {
	var out []row
	for i := range 200 {
		r := row{latency: float64(i*7919%211)/100 - 0.2, status: "ok", class: []string{"chat", "code", "other"}[i*i%3], tokens: 1 + i*31%100}
		switch {
		case r.latency <= 0: // latencies are positive, other columns need not be
			r.latency = 0.005
		case i%17 == 3:
			r.status = "timeout"
		}
		out = append(out, r)
	}
	return out
}

// Residuals add up by batch as they do when every record is looked at by itself,
// whatever the strata are and however many values a record has.
func TestResiduals(t *testing.T) {
	rows := residualRows()
	var b strings.Builder
	b.WriteString("start_s,latency_s,status,class,prompt_tokens,drift,gap_ms,size\n")
	for i, r := range rows {
		gap := ""
		if i%4 > 0 {
			gap = fmt.Sprint(i % 13)
		}
		fmt.Fprintf(&b, "%d,%g,%s,%s,%d,%d,%s,%d\n", 1000+i, r.latency, r.status, r.class, r.tokens, i%7-3, gap, i%5)
	}
	in := csv(t, b.String())
	plan := metric.NewPlan(items(t, []string{"latency:mean", "drift", "gap_ms", "success_rate", "size"}, nil, in))
	plan.Timeouts.Censor = true
	side := collect(t, in, plan)
	byClass := &metric.Strata{Facet: metric.Facet{Columns: []string{"class"}, Bits: 9, Limit: 1 << 12}, Of: map[metric.Key]int{{Text: "code"}: 0, {Text: "chat"}: 1}}
	byLength := &metric.Strata{
		Facet: metric.Facet{Length: metric.PromptLength, Bits: 9, Limit: 1 << 12, Bin: func(v float64) (int, bool) { return int(v) / 40, v > 3 }},
		Of:    map[metric.Key]int{{Bin: 0}: 0, {Bin: 1}: 1, {Bin: metric.Unbinned}: 2},
	}
	slotOf := map[*metric.Strata]func(r row) int{
		byClass: func(r row) int { return map[string]int{"code": 0, "chat": 1, "other": -1}[r.class] },
		byLength: func(r row) int {
			if r.tokens <= 3 {
				return 2
			}
			return []int{0, 1, -1}[r.tokens/40]
		},
	}
	step := func(threshold float64) metric.Residual {
		return metric.Residual{Threshold: threshold, AtOrBelow: []float64{1 + threshold/8, .5, 2}, Above: []float64{-.25, -2, threshold / 16}, Most: 3}
	}
	slope := metric.Residual{Slope: []float64{2, 1, .5}, Center: []float64{.5, 1, 0}, Most: 8}
	add := func(r metric.Residual, slot int, v float64) float64 {
		switch {
		case slot < 0:
			return 0
		case r.Slope != nil:
			return r.Slope[slot] * (v - r.Center[slot])
		case v <= r.Threshold:
			return r.AtOrBelow[slot]
		}
		return r.Above[slot]
	}
	const n = 10
	for name, strata := range map[string]*metric.Strata{"words": byClass, "lengths": byLength} {
		looks := []metric.Look{
			{Item: 0, Thresholds: []float64{1}, Center: 1, Spread: 2, Residuals: []metric.Residual{step(.5), slope, step(1), step(1.5), step(1.9)}},
			{Item: 1, Residuals: []metric.Residual{step(-1), step(0)}},
			{Item: 2, Residuals: []metric.Residual{step(.006)}},
			{Item: 3, Share: true, Center: .5, Spread: .5, Residuals: []metric.Residual{step(.5)}},
			{Item: 4, Residuals: []metric.Residual{step(1), step(2), step(3), step(1.5)}},
		}
		for k := range looks {
			looks[k].Strata = strata
		}
		value := []func(i int, r row) (float64, bool){
			func(_ int, r row) (float64, bool) { return r.latency, true }, // that of a timeout is the least it can be
			func(i int, r row) (float64, bool) { return float64(i%7 - 3), r.status == "ok" },
			func(i int, r row) (float64, bool) { return float64(i%13) / 1000, r.status == "ok" && i%4 > 0 },
			func(_ int, r row) (float64, bool) { return map[string]float64{"ok": 1}[r.status], true },
			func(i int, r row) (float64, bool) { return float64(i % 5), r.status == "ok" },
		}
		var first []metric.Batches
		for _, workers := range []int{1, 3} {
			got, err := metric.TimeBatches(t.Context(), in, side, plan, looks, n, metric.Scan{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			} else if d := cmp.Diff(first, got); d != "" {
				t.Errorf("%s: %d workers: %s", name, workers, d)
			}
			for k, look := range looks {
				for j, res := range look.Residuals {
					want, seen := make([]float64, n), int64(0)
					at := 0
					for i, r := range rows {
						v, ok := value[k](i, r)
						if !ok {
							continue
						}
						for seen == got[k].Counts[at] { // rows are in the order of time
							at, seen = at+1, 0
						}
						seen++
						want[at] += add(res, slotOf[strata](r), v)
					}
					for at := range want {
						if math.Abs(got[k].Residuals[j][at]-want[at]) > 1e-6 {
							t.Errorf("%s: item %d, residual %d, batch %d: %v, want %v", name, k, j, at, got[k].Residuals[j][at], want[at])
						}
					}
				}
			}
		}
	}
}
