package ingest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkCheck decides for the records of frames whether they count: with all
// cells there, and with some missing.
func BenchmarkCheck(b *testing.B) {
	for _, name := range []string{"all present", "some missing"} {
		b.Run(name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			f := &Frame{N: BatchRows}
			ttft, e2e, tokens, status := &Column{}, &Column{}, &Column{}, &Column{Dict: []string{"ok", "error"}}
			for range f.N {
				v := 0.02 * math.Exp(rng.NormFloat64())
				ttft.Floats, e2e.Floats = append(ttft.Floats, v), append(e2e.Floats, 3*v)
				tokens.Floats = append(tokens.Floats, 1+math.Floor(1000*rng.Float64()))
				status.IDs = append(status.IDs, int32(rng.IntN(300)/299))
			}
			if name == "some missing" {
				for _, c := range []*Column{ttft, e2e, tokens, status} {
					for range f.N {
						c.State = append(c.State, State(rng.IntN(100)/99))
					}
				}
			}
			f.cols[TTFT], f.cols[E2E], f.cols[OutputTokens], f.cols[Status] = ttft, e2e, tokens, status
			c := &checker{r: &Reader{Layout: &Layout{}}}
			for b.Loop() {
				c.check(f)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/BatchRows, "ns/row")
		})
	}
}
