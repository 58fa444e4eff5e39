package compare_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// column is a column of a table in memory: numbers, NaN where there is none, or words.
type column struct {
	name    string
	numbers []float64
	words   []string
}

// table is a source in memory, read in batches.
type table struct {
	columns []column
	batch   int
}

func (s *table) Columns() []ingest.ColumnInfo {
	var out []ingest.ColumnInfo
	for _, c := range s.columns {
		info := ingest.ColumnInfo{Name: c.name, Type: "double", Class: ingest.NumericClass}
		if c.words != nil {
			info.Type, info.Class = "text", ingest.TextClass
		}
		out = append(out, info)
	}
	return out
}

func (s *table) len() int {
	c := s.columns[0]
	return max(len(c.numbers), len(c.words))
}

func (s *table) Rows() int64                 { return int64(s.len()) }
func (s *table) Partitions() int             { return 1 }
func (s *table) Metadata() []ingest.KeyValue { return nil }
func (s *table) Close() error                { return nil }

func (s *table) Scan(_ context.Context, _ int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	size := s.batch
	if size == 0 {
		size = ingest.BatchRows
	}
	for lo := 0; lo < s.len(); lo += size {
		hi := min(lo+size, s.len())
		b := ingest.Batch{Row: int64(lo), N: hi - lo}
		for _, r := range req {
			c := s.columns[r.Column]
			var out ingest.Column
			switch {
			case r.Form == ingest.Text && c.words != nil:
				ids := map[string]int32{}
				for _, w := range c.words[lo:hi] {
					if _, ok := ids[w]; !ok {
						ids[w] = int32(len(out.Dict))
						out.Dict = append(out.Dict, w)
					}
					out.IDs = append(out.IDs, ids[w])
				}
			case r.Form == ingest.Number && c.words == nil:
				num, den := r.Unit.Factors()
				for i, v := range c.numbers[lo:hi] {
					out.Floats = append(out.Floats, v*num/den)
					if math.IsNaN(v) {
						if out.State == nil {
							out.State = make([]ingest.State, hi-lo)
						}
						out.State[i] = ingest.Missing
					}
				}
			case r.Form == ingest.Time && c.words == nil:
				for _, v := range c.numbers[lo:hi] {
					out.Times = append(out.Times, int64(v*r.Unit.Nanoseconds()))
				}
			default:
				return fmt.Errorf("column %s cannot be read in form %d", c.name, r.Form)
			}
			b.Cols = append(b.Cols, out)
		}
		if err := yield(&b); err != nil {
			return err
		}
	}
	return nil
}

// tables makes the inputs of a comparison of tables, one a side.
func tables(ask []string, sides ...*table) (compare.Inputs, error) {
	in := compare.Inputs{Scan: metric.Scan{Workers: 2}}
	var layouts []*ingest.Layout
	for _, s := range sides {
		l, err := ingest.Resolve("table", s.Columns(), nil)
		if err != nil {
			return in, err
		}
		layouts = append(layouts, l)
		in.Sides = append(in.Sides, metric.Input{Files: []metric.File{{Path: "table", Label: "table", Source: s, Layout: l}}})
	}
	items, err := metric.Select(ask, nil, nil, metric.Directions{}, layouts)
	if err != nil {
		return in, err
	}
	in.Plan = metric.NewPlan(items)
	return in, nil
}

// traffic is requests with words beside them: regions and tiers of unlike size,
// models, and users, of whom there are many.
type traffic struct {
	seed                   uint64
	runs, requests         int
	runSpread, sliceSpread float64 // standard deviations of logs, from run to run
	failures               float64
	// slower changes the latency of a request by its words.
	slower func(region, tier, model string) float64
}

func (t traffic) table() *table {
	rng := rand.New(rand.NewPCG(t.seed, 77))
	n := t.runs * t.requests
	cols := map[string]*column{}
	names := []string{"run", "region", "tier", "model", "user", "status", "ttft_s", "e2e_s"}
	for _, name := range names {
		c := &column{name: name}
		if name == "ttft_s" || name == "e2e_s" {
			c.numbers = make([]float64, 0, n)
		} else {
			c.words = make([]string, 0, n)
		}
		cols[name] = c
	}
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	word := func(name, w string) { cols[name].words = append(cols[name].words, w) }
	for run := range t.runs {
		effect := t.runSpread * rng.NormFloat64()
		own := map[string]float64{} // of each slice in this run
		for range t.requests {
			region, tier, model := pick("eu", "eu", "us", "ap"), pick("gold", "silver", "free", "free"), pick("m1", "m2")
			x := effect
			for _, w := range []string{region, tier, model} {
				if _, ok := own[w]; !ok {
					own[w] = t.sliceSpread * rng.NormFloat64()
				}
				x += own[w]
			}
			factor := 1.0
			if t.slower != nil {
				factor = t.slower(region, tier, model)
			}
			ttft := factor * math.Exp(x+0.35*rng.NormFloat64()-2.3)
			if region == "ap" {
				ttft *= 1.3
			}
			status := "ok"
			if rng.Float64() < t.failures {
				status = "error"
			}
			word("run", fmt.Sprint("run-", run))
			word("region", region)
			word("tier", tier)
			word("model", model)
			word("user", fmt.Sprint("u", rng.IntN(3000)))
			word("status", status)
			cols["ttft_s"].numbers = append(cols["ttft_s"].numbers, ttft)
			cols["e2e_s"].numbers = append(cols["e2e_s"].numbers, ttft+math.Exp(x+0.3*rng.NormFloat64()))
		}
	}
	out := &table{}
	for _, name := range names {
		out.columns = append(out.columns, *cols[name])
	}
	return out
}

// without leaves out columns.
func (s *table) without(names ...string) *table {
	out := &table{batch: s.batch}
	for _, c := range s.columns {
		if !slices.Contains(names, c.name) {
			out.columns = append(out.columns, c)
		}
	}
	return out
}
