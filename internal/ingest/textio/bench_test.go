package textio

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// benchCSV makes per-request records of nine columns.
func benchCSV(rows int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("request_id,run,start_time,ttft_ms,tpot_ms,e2e_ms,prompt_tokens,output_tokens,status\n")
	for i := range rows {
		fmt.Fprintf(&b, "req-%08d,run-%d,2025-06-01T10:%02d:%02d.%06dZ,%.3f,%.17g,%.6f,%d,%d,ok\n",
			i, i%10, i/60%60, i%60, rng.IntN(1e6), rng.ExpFloat64()*100, rng.Float64()*30, rng.ExpFloat64()*1000, rng.IntN(4000), rng.IntN(800))
	}
	return b.Bytes()
}

// benchJSONL makes the same as JSON with a prompt of some 200 bytes.
func benchJSONL(rows int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range rows {
		fmt.Fprintf(&b, `{"request_id": "req-%08d", "prompt": "%s", "metadata": {"run": "run-%d", "worker": %d, "benchmark_phase": "profiling"}, `+
			`"metrics": {"ttft": {"value": %.3f, "unit": "ms"}, "e2e": {"value": %.17g, "unit": "ms"}, "prompt_tokens": %d, "output_tokens": %d}, "itl": [0.01171, 0.0123, 0.013999], "error": null}`+"\n",
			i, bytes.Repeat([]byte("lorem \\n ipsum "), 10+rng.IntN(10)), i%10, i%4, rng.ExpFloat64()*100, rng.ExpFloat64()*1000, rng.IntN(4000), rng.IntN(800))
	}
	return b.Bytes()
}

func memFile(b []byte) ingest.File {
	return ingest.File{Path: "mem", Size: int64(len(b)), ReaderAt: bytes.NewReader(b)}
}

// requests asks for columns by name, in the given forms and in milliseconds.
func requests(tb testing.TB, s ingest.Source, forms map[string]ingest.Form, names ...string) (req []ingest.Request) {
	tb.Helper()
	for _, name := range names {
		found := false
		for i, c := range s.Columns() {
			if c.Name == name {
				req = append(req, ingest.Request{Column: i, Form: forms[name], Unit: ingest.Millisecond})
				found = true
			}
		}
		if !found {
			tb.Fatalf("no column %s", name)
		}
	}
	return req
}

// drain scans all partitions with the given number of workers.
func drain(tb testing.TB, s ingest.Source, req []ingest.Request, workers int) {
	queue := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for p := range queue {
				if err := s.Scan(context.Background(), p, req, func(*ingest.Batch) error { return nil }); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	for p := range s.Partitions() {
		queue <- p
	}
	close(queue)
	wg.Wait()
}

var benchForms = map[string]ingest.Form{"run": ingest.Text, "status": ingest.Text, "request_id": ingest.Text,
	"metadata.run": ingest.Text, "metadata.benchmark_phase": ingest.Text, "error": ingest.Text, "prompt": ingest.Text,
	"start_time": ingest.Time, "itl": ingest.NumberList}

func BenchmarkCSV(b *testing.B) {
	data := benchCSV(100_000)
	s, err := CSV.Open(memFile(data))
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, cols ...string) {
		req := requests(b, s, benchForms, cols...)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for range b.N {
				drain(b, s, req, 1)
			}
		})
	}
	run("few", "run", "ttft_ms", "e2e_ms")
	run("all", "request_id", "run", "start_time", "ttft_ms", "tpot_ms", "e2e_ms", "prompt_tokens", "output_tokens", "status")
	b.Run("encoding/csv", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for range b.N {
			r := csv.NewReader(bytes.NewReader(data))
			r.ReuseRecord = true
			r.Read()
			var sum float64
			for {
				rec, err := r.Read()
				if err == io.EOF {
					break
				}
				x, _ := strconv.ParseFloat(rec[3], 64)
				y, _ := strconv.ParseFloat(rec[5], 64)
				sum += x + y
			}
		}
	})
}

func BenchmarkJSONL(b *testing.B) {
	data := benchJSONL(100_000)
	s, err := JSONL.Open(memFile(data))
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, workers int, cols ...string) {
		req := requests(b, s, benchForms, cols...)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for range b.N {
				drain(b, s, req, workers)
			}
		})
	}
	few := []string{"metadata.run", "metrics.ttft", "metrics.e2e", "error"}
	all := append([]string{"request_id", "prompt", "metadata.benchmark_phase", "metrics.prompt_tokens", "metrics.output_tokens", "itl"}, few...)
	run("few/1", 1, few...)
	run("few/2", 2, few...)
	run("all/1", 1, all...)
	run("all/2", 2, all...)
	type metric struct{ Value float64 }
	type record struct {
		Metadata struct{ Run string }
		Metrics  struct{ TTFT, E2E metric }
		Error    json.RawMessage
	}
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for range b.N {
			d := json.NewDecoder(bytes.NewReader(data))
			for {
				var r record
				if err := d.Decode(&r); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
