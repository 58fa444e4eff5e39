package metric_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// repeated is a source that gives one batch again and again, later by the time
// that it lasts: what is measured is the work after reading.
type repeated struct {
	infos   []ingest.ColumnInfo
	cols    []ingest.Column
	batches int
}

func (r *repeated) Columns() []ingest.ColumnInfo { return r.infos }
func (r *repeated) Rows() int64                  { return int64(r.batches) * ingest.BatchRows }
func (r *repeated) Partitions() int              { return 1 }
func (r *repeated) Metadata() []ingest.KeyValue  { return nil }
func (r *repeated) Close() error                 { return nil }

func (r *repeated) Scan(_ context.Context, _ int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	b := &ingest.Batch{N: ingest.BatchRows}
	for _, q := range req {
		b.Cols = append(b.Cols, r.cols[q.Column])
	}
	for k := range r.batches {
		for i := range b.Cols {
			if times := r.cols[req[i].Column].Times; times != nil {
				b.Cols[i].Times = make([]int64, len(times))
				for j, t := range times {
					b.Cols[i].Times[j] = t + int64(k)*ingest.BatchRows*perRequest
				}
			}
		}
		if err := yield(b); err != nil {
			return err
		}
		b.Row += ingest.BatchRows
	}
	return nil
}

const (
	benchBatches = 256     // 2 M rows
	perRequest   = 137_000 // nanoseconds from start to start
)

// requests are records of runs; each of them is alone in its batch unless the
// runs are mixed.
func requests(runs int) *repeated {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = ingest.BatchRows
	r := &repeated{batches: benchBatches}
	add := func(name string, class ingest.Class, c ingest.Column) {
		r.infos, r.cols = append(r.infos, ingest.ColumnInfo{Name: name, Class: class}), append(r.cols, c)
	}
	words := func(k int, next func() int32) (c ingest.Column) {
		for i := range k {
			c.Dict = append(c.Dict, fmt.Sprint("w", i))
		}
		for range n {
			c.IDs = append(c.IDs, next())
		}
		return c
	}
	ttft, e2e, tokens, start := make([]float64, n), make([]float64, n), make([]float64, n), make([]int64, n)
	for i := range n {
		ttft[i] = 0.02 * math.Exp(rng.NormFloat64())
		tokens[i] = math.Ceil(150 * math.Exp(rng.NormFloat64()))
		e2e[i] = ttft[i] + tokens[i]*0.011
		start[i] = int64(i) * perRequest
	}
	status := words(2, func() int32 { return int32(rng.IntN(300) / 299) })
	status.Dict = []string{"ok", "error"}
	add("run", ingest.TextClass, words(runs, func() int32 { return rng.Int32N(int32(runs)) }))
	add("start_ns", ingest.NumericClass, ingest.Column{Times: start})
	add("ttft_s", ingest.NumericClass, ingest.Column{Floats: ttft})
	add("e2e_s", ingest.NumericClass, ingest.Column{Floats: e2e})
	add("output_tokens", ingest.NumericClass, ingest.Column{Floats: tokens})
	add("status", ingest.TextClass, status)
	add("task", ingest.TextClass, words(16, func() int32 { return rng.Int32N(16) }))
	add("tenant", ingest.TextClass, words(8, func() int32 { return rng.Int32N(8) }))
	add("tier", ingest.TextClass, words(3, func() int32 { return rng.Int32N(3) }))
	return r
}

func perRow(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benchBatches*ingest.BatchRows), "ns/row")
}

func wordsFacet(column string) metric.Facet {
	return metric.Facet{Columns: []string{column}, Limit: 1 << 12, Bits: 9}
}

// BenchmarkCollect is the pass over the records without their reading: one run,
// eight runs whose records are mixed, and one run cut by a column of 16 words and
// by two more.
func BenchmarkCollect(b *testing.B) {
	for _, c := range []struct {
		name   string
		runs   int
		facets []metric.Facet
	}{
		{"run", 1, nil},
		{"mixed", 8, nil},
		{"facet", 1, []metric.Facet{wordsFacet("task")}},
		{"facets", 1, []metric.Facet{wordsFacet("task"), wordsFacet("tenant"), wordsFacet("tier")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := metric.Input{Files: []metric.File{open(b, "file", requests(c.runs))}}
			plan := metric.NewPlan(items(b, []string{"ttft", "tpot", "e2e"}, nil, in))
			plan.SkipTimes, plan.Facets = true, c.facets
			for b.Loop() {
				if _, err := metric.Collect(b.Context(), []metric.Input{in}, plan, metric.Scan{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			perRow(b)
		})
	}
}

// BenchmarkTimeBatches is the second pass over a side that is a single run.
func BenchmarkTimeBatches(b *testing.B) {
	in := metric.Input{Files: []metric.File{open(b, "file", requests(1))}}
	plan := metric.NewPlan(items(b, []string{"ttft", "tpot", "e2e", "success_rate"}, nil, in))
	sides, err := metric.Collect(b.Context(), []metric.Input{in}, plan, metric.Scan{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	var looks []metric.Look
	for i := range plan.Items {
		look := metric.Look{Item: i, Share: i == 3, Center: 0.5, Spread: 0.5}
		for _, s := range sides[0].Sketches(i) {
			for _, q := range []float64{0.5, 0.95, 0.99} {
				v, err := s.Quantile(q)
				if err != nil {
					b.Fatal(err)
				}
				look.Thresholds = append(look.Thresholds, v)
			}
		}
		looks = append(looks, look)
	}
	b.Run("run", func(b *testing.B) { timeBatches(b, in, sides[0], plan, looks) })
	strata := &metric.Strata{Facet: lengthFacet(), Of: map[metric.Key]int{}}
	steps := make([]float64, 24)
	for h := range steps {
		strata.Of[metric.Key{Bin: h}], steps[h] = h, float64(h)/24
	}
	for k := range looks {
		for _, v := range looks[k].Thresholds {
			looks[k].Residuals = append(looks[k].Residuals, metric.Residual{Threshold: v, AtOrBelow: steps, Above: steps, Most: 1})
		}
		looks[k].Strata = strata
	}
	b.Run("strata", func(b *testing.B) { timeBatches(b, in, sides[0], plan, looks) })
}

func lengthFacet() metric.Facet {
	return metric.Facet{Length: metric.OutputLength, Limit: 1 << 12, Bits: 9, Bin: func(v float64) (int, bool) {
		return int(2 * math.Log2(v)), v >= 1
	}}
}

func timeBatches(b *testing.B, in metric.Input, side *metric.Side, plan metric.Plan, looks []metric.Look) {
	for b.Loop() {
		if _, err := metric.TimeBatches(b.Context(), in, side, plan, looks, 20, metric.Scan{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b)
}
