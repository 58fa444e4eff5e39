package metric_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// Rows that are sent to the parts one by one give what rows give that are sorted
// by part before, as they are where a mean is asked: with runs apart and mixed,
// failed requests, answers of one token, values that are missing, parts of a few
// rows and parts of so many that they are kept as histograms.
func TestSpread(t *testing.T) {
	const rows = 40_000
	for _, runs := range []int{1, 3} {
		rng := rand.New(rand.NewPCG(5, uint64(runs)))
		var text strings.Builder
		text.WriteString("run,tenant,tier,ttft_s,e2e_s,output_tokens,queue_s,status\n")
		for i := range rows {
			tenant, tier := rng.IntN(6), "gold"
			if i%997 == 0 {
				tenant = 7
			}
			if i%3 == 0 {
				tier = ""
			}
			tokens, ttft := 1+rng.IntN(40), rng.ExpFloat64()
			queue := fmt.Sprint(rng.Float64())
			if rng.IntN(9) == 0 {
				queue = ""
			}
			status := "ok"
			if rng.IntN(50) == 0 {
				status = "error"
			}
			fmt.Fprintf(&text, "r%d,t%d,%s,%v,%v,%d,%s,%s\n", rng.IntN(runs), tenant, tier, ttft, ttft+float64(tokens), tokens, queue, status)
		}
		in := csv(t, text.String())
		var sides [2]*metric.Side
		for i, what := range []string{"p50", "mean"} {
			plan := metric.NewPlan(items(t, []string{"ttft:" + what, "tpot:" + what, "queue_s:" + what}, nil, in))
			for _, column := range []string{"tenant", "tier"} {
				plan.Facets = append(plan.Facets, metric.Facet{Columns: []string{column}, Limit: 1000, Bits: 9})
			}
			sides[i] = collect(t, in, plan)
		}
		sameParts(t, sides[0], sides[1])
		exact := map[bool]int{}
		for _, unit := range sides[1].Units {
			for f, n := range []int{7, 2} {
				if keys := metric.Keys(sides[1:], f); len(keys) != n {
					t.Fatalf("keys %v", keys)
				}
				for _, part := range unit.Facets[f] {
					for i := range part.Cells {
						exact[part.Cells[i].Sketch.Exact()]++
					}
				}
			}
		}
		if exact[true] == 0 || exact[false] == 0 {
			t.Errorf("sketches that keep all values: %v", exact)
		}
	}
}
