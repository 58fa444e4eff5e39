package arrowio

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// benchFields are what a comparison of latencies reads.
var benchFields = []struct {
	name string
	form ingest.Form
	unit ingest.Unit
}{
	{"ttft_ms", ingest.Number, ingest.Millisecond},
	{"e2e_ms", ingest.Number, ingest.Millisecond},
	{"output_tokens", ingest.Number, ingest.One},
	{"status", ingest.Text, ingest.Unit{}},
	{"run", ingest.Text, ingest.Unit{}},
	{"start_ns", ingest.Time, ingest.Nanosecond},
}

// scanWith reads every partition of the sources with some workers and returns
// the number of rows.
func scanWith(b *testing.B, workers int, srcs ...ingest.Source) int64 {
	type job struct {
		src  ingest.Source
		part int
	}
	var jobs []job
	for _, s := range srcs {
		for p := range s.Partitions() {
			jobs = append(jobs, job{s, p})
		}
	}
	queue := make(chan job, len(jobs))
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	var rows int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			n, sum := int64(0), 0.0
			for j := range queue {
				var req []ingest.Request
				for _, f := range benchFields {
					for i, c := range j.src.Columns() {
						if c.Name == f.name {
							req = append(req, ingest.Request{Column: i, Form: f.form, Unit: f.unit})
						}
					}
				}
				err := j.src.Scan(context.Background(), j.part, req, func(bt *ingest.Batch) error {
					n += int64(bt.N)
					for _, v := range bt.Cols[0].Floats {
						sum += v
					}
					return nil
				})
				if err != nil {
					b.Error(err)
				}
			}
			mu.Lock()
			rows += n
			mu.Unlock()
		})
	}
	wg.Wait()
	return rows
}

// BenchmarkScanFiles scans the Parquet files of the folder ARROWIO_BENCH, each
// worker a row group at a time, six columns of them.
func BenchmarkScanFiles(b *testing.B) {
	dir := os.Getenv("ARROWIO_BENCH")
	if dir == "" {
		b.Skip("ARROWIO_BENCH names no folder")
	}
	for _, set := range []string{"before.parquet after.parquet", "before_1k.parquet after_1k.parquet"} {
		var srcs []ingest.Source
		for _, name := range bytes.Fields([]byte(set)) {
			f, err := os.Open(filepath.Join(dir, string(name)))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			st, err := f.Stat()
			if err != nil {
				b.Fatal(err)
			}
			src, err := Parquet.Open(ingest.File{Path: f.Name(), Size: st.Size(), ReaderAt: f})
			if err != nil {
				b.Fatal(err)
			}
			srcs = append(srcs, src)
		}
		b.Run(set, func(b *testing.B) {
			b.ReportAllocs()
			rows := int64(0)
			for b.Loop() {
				rows += scanWith(b, 2, srcs...)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
		})
	}
}

// BenchmarkScan scans a written file of a million rows, five columns of it, and
// looks at its first rows.
func BenchmarkScan(b *testing.B) {
	const rows = 1 << 20
	rng := rand.New(rand.NewPCG(1, 1))
	latency := func(scale float64) (c OutColumn) {
		for range rows {
			c.Floats = append(c.Floats, math.Round(scale*math.Exp(rng.NormFloat64())*1e3)/1e3)
		}
		return c
	}
	cols := []OutColumn{latency(30), latency(2000), {}, {Dict: []string{"ok", "error"}}, {Dict: []string{"r1"}, IDs: make([]int32, rows)}}
	for range rows {
		cols[2].Ints = append(cols[2].Ints, 1+rng.Int64N(1000))
		cols[3].IDs = append(cols[3].IDs, int32(rng.IntN(300)/299))
	}
	var fields []OutField
	var req []ingest.Request
	for i, f := range []OutField{{Name: "ttft_ms"}, {Name: "e2e_ms"}, {Name: "output_tokens", Kind: Int32}, {Name: "status", Kind: Text}, {Name: "run", Kind: Text}} {
		r := ingest.Request{Column: i, Form: ingest.Number, Unit: ingest.Millisecond}
		if f.Kind == Text {
			r = ingest.Request{Column: i, Form: ingest.Text}
		}
		fields, req = append(fields, f), append(req, r)
	}
	var buf bytes.Buffer
	if err := WriteParquet(&buf, fields, cols, nil, WriterOptions{}); err != nil {
		b.Fatal(err)
	}
	src, err := Parquet.Open(memFile("bench", buf.Bytes()))
	if err != nil {
		b.Fatal(err)
	}
	none := func(*ingest.Batch) error { return nil }
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for p := range src.Partitions() {
				if err := src.Scan(context.Background(), p, req, none); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
	})
	b.Run("preview", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for p := range src.Partitions() {
				if err := src.(ingest.Previewer).Preview(context.Background(), p, 1<<14, req, none); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
