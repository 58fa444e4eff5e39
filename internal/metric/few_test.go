package metric_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// byteWords numbers words by bytes wherever it may.
type byteWords struct {
	ingest.Source
	asked, given int
}

func (s *byteWords) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	return s.Source.Scan(ctx, partition, req, func(b *ingest.Batch) error {
		for i, r := range req {
			c := &b.Cols[i]
			if !r.Few {
				continue
			}
			s.asked++
			if c.State != nil || len(c.Dict) > ingest.MaxFew {
				continue
			}
			s.given++
			for _, id := range c.IDs[:b.N] {
				c.Few = append(c.Few, uint8(id))
			}
			c.IDs = nil
		}
		return yield(b)
	})
}

// Parts are the same whether the words of columns are numbered by bytes or not:
// alone, crossed with others and with a length, with rows that fail, and with a
// dictionary that has a word twice.
func TestPartsOfByteWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	text.WriteString("run,tenant,tier,region,prompt_tokens,ttft_s,status\n")
	for i := range 30_000 {
		region := []string{"eu", "us", ""}[rng.IntN(3)]
		status := []string{"ok", "error"}[rng.IntN(50)/49]
		fmt.Fprintf(&text, "r%d,t%d,%s,%s,%d,%v,%s\n", i/10_000, rng.IntN(5), []string{"gold", "free"}[rng.IntN(2)], region, 1+rng.IntN(4000), rng.ExpFloat64(), status)
	}
	plain, few := csv(t, text.String()), csv(t, text.String())
	bytesOf := &byteWords{Source: few.Files[0].Source}
	few.Files[0].Source = bytesOf
	plan := metric.NewPlan(items(t, []string{"ttft:p50"}, nil, plain))
	for _, columns := range [][]string{{"tenant"}, {"tenant", "tier"}, {"region"}, {"region", "tenant"}} {
		plan.Facets = append(plan.Facets, metric.Facet{Columns: columns, Limit: 500, Bits: 9})
	}
	halves := func(v float64) (int, bool) { return int(v) / 2001, true }
	plan.Facets = append(plan.Facets, metric.Facet{Columns: []string{"tier"}, Cuts: []metric.Cut{{Length: metric.PromptLength, Bin: halves}}, Limit: 500, Bits: 9})
	want, got := collect(t, plain, plan), collect(t, few, plan)
	if bytesOf.given == 0 || bytesOf.given == bytesOf.asked {
		t.Errorf("%d of %d columns by bytes", bytesOf.given, bytesOf.asked)
	}
	sameParts(t, got, want)
}

// sameParts compares the parts of two sides, their sketches bit for bit.
func sameParts(t *testing.T, got, want *metric.Side) {
	t.Helper()
	encoded := func(s *sketch.Sketch) []byte {
		b, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for u, unit := range want.Units {
		for f, parts := range unit.Facets {
			if n := len(got.Units[u].Facets[f]); n != len(parts) || n == 0 {
				t.Fatalf("%s: facet %d has %d parts, want %d", unit.Label, f, n, len(parts))
			}
			for key, part := range parts {
				have := got.Units[u].Facets[f][key]
				if have == nil || have.Counts != part.Counts {
					t.Fatalf("%s %q: %+v, want counts %v", unit.Label, key.Text, have, part.Counts)
				}
				for i := range part.Cells {
					g, w := &have.Cells[i], &part.Cells[i]
					if !bytes.Equal(encoded(g.Sketch), encoded(w.Sketch)) || g.Missing != w.Missing || g.NotApplicable != w.NotApplicable {
						t.Errorf("%s %q, item %d: %d values, %d missing, %d not applicable; want %d, %d, %d, or other values",
							unit.Label, key.Text, i, g.Sketch.N(), g.Missing, g.NotApplicable, w.Sketch.N(), w.Missing, w.NotApplicable)
					}
				}
			}
		}
	}
}
