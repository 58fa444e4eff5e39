package metric_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Parts by length hold the requests of their lengths: few bins and more than bytes
// can number, lengths beyond those that are remembered, lengths that are missing from
// a record or two, from none, and from none but of a later file.
func TestPartsByLength(t *testing.T) {
	const rows = 20_000
	for _, width := range []int{1000, 20} {
		for _, missing := range []string{"nowhere", "somewhere", "in the second file"} {
			name := fmt.Sprintf("width %d, missing %s", width, missing)
			rng := rand.New(rand.NewPCG(8, uint64(width)))
			want := map[int]int64{}
			var texts []string
			for file := range 2 {
				var text strings.Builder
				text.WriteString("run,prompt_tokens,ttft_s\n")
				for i := range rows {
					tokens, bin := 1+rng.IntN(8000), 0
					if i%500 == 0 {
						tokens = 200_000
					}
					written := fmt.Sprint(tokens)
					if bin = tokens / width; i%300 == 7 && (missing == "somewhere" || file == 1 && missing == "in the second file") {
						written, bin = "", metric.Unbinned
					}
					if tokens >= 100_000 {
						bin = metric.Unbinned // a length that the bins refuse
					}
					want[bin]++
					fmt.Fprintf(&text, "r%d,%s,%v\n", i%2, written, rng.ExpFloat64())
				}
				texts = append(texts, text.String())
			}
			in := csv(t, texts...)
			plan := metric.NewPlan(items(t, []string{"ttft:p50"}, nil, in))
			plan.Facets = []metric.Facet{{Length: metric.PromptLength, Limit: 100, Bits: 9, Bin: func(v float64) (int, bool) {
				return int(v) / width, int(v)/width <= 1000 && v < 100_000
			}}}
			got := map[int]int64{}
			for _, u := range collect(t, in, plan).Units {
				for key, part := range u.Facets[0] {
					got[key.Bin] += part.Counts[ingest.Good]
					if n := part.Cells[0].Sketch.N(); n != part.Counts[ingest.Good] {
						t.Errorf("%s: bin %d has %d values of %d requests", name, key.Bin, n, part.Counts[ingest.Good])
					}
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d bins, want %d", name, len(got), len(want))
			}
			for bin, n := range want {
				if got[bin] != n {
					t.Errorf("%s: bin %d has %d requests, want %d", name, bin, got[bin], n)
				}
			}
		}
	}
}
