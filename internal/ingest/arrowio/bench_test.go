package arrowio

import (
	"bytes"
	"context"
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
