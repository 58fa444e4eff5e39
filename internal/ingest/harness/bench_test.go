package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// benchVLLM makes a result of vLLM's benchmark with so many requests of about
// 200 tokens, as Python's json writes it.
func benchVLLM(rows int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(`{"date": "20260901-101112", "endpoint_type": "openai", "backend": "openai", "model_id": "m", "tokenizer_id": "m", "num_prompts": ` +
		strconv.Itoa(rows) + `, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 64, "duration": 100.0, "completed": ` + strconv.Itoa(rows))
	list := func(name string, each func(i int)) {
		fmt.Fprintf(&b, `, "%s": [`, name)
		for i := range rows {
			if i > 0 {
				b.WriteString(", ")
			}
			each(i)
		}
		b.WriteByte(']')
	}
	num := func(v float64) { b.Write(strconv.AppendFloat(b.AvailableBuffer(), v, 'g', -1, 64)) }
	lens := make([]int, rows)
	list("input_lens", func(int) { b.WriteString(strconv.Itoa(1 + rng.IntN(4000))) })
	list("output_lens", func(i int) { lens[i] = 100 + rng.IntN(200); b.WriteString(strconv.Itoa(lens[i])) })
	list("ttfts", func(int) { num(rng.ExpFloat64()*0.1 + 0.01) })
	list("itls", func(i int) {
		b.WriteByte('[')
		for k := range lens[i] - 1 {
			if k > 0 {
				b.WriteString(", ")
			}
			num(rng.ExpFloat64()*0.01 + 0.005)
		}
		b.WriteByte(']')
	})
	list("latencies", func(i int) { num(0.5 + rng.ExpFloat64()) })
	list("start_times", func(i int) { num(1464.5 + float64(i)*0.01) })
	list("generated_texts", func(i int) {
		b.WriteByte('"')
		for range lens[i] {
			b.WriteString(` tok\u00e9n`)
		}
		b.WriteByte('"')
	})
	list("errors", func(int) { b.WriteString(`""`) })
	b.WriteString(`, "mean_ttft_ms": 12.5}` + "\n")
	return b.Bytes()
}

// benchAIPerf makes records of AIPerf.
func benchAIPerf(rows int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range rows {
		fmt.Fprintf(&b, `{"metadata":{"session_num":%d,"x_request_id":"%08d","conversation_id":"c%d","turn_index":0,"request_start_ns":%d,"benchmark_phase":"profiling","was_cancelled":false},`+
			`"metrics":{"time_to_first_token":{"value":%.6f,"unit":"ms"},"request_latency":{"value":%.6f,"unit":"ms"},"output_sequence_length":{"value":51,"unit":"tokens"},"inter_chunk_latency":{"value":[`,
			i, i, i/4, 1759522419154568925+int64(i)*1e6, rng.ExpFloat64()*100, 1000+rng.ExpFloat64()*1000)
		for k := range 50 {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%.6f", rng.ExpFloat64()*20)
		}
		b.WriteString("],\"unit\":\"ms\"}},\"error\":null}\n")
	}
	return b.Bytes()
}

// requests asks for columns by name.
func requests(tb testing.TB, s ingest.Source, names ...string) (req []ingest.Request) {
	tb.Helper()
	for _, name := range names {
		i := index(tb, s, name)
		form := ingest.Number
		switch s.Columns()[i].Class {
		case ingest.TextClass:
			form = ingest.Text
		case ingest.InstantClass:
			form = ingest.Time
		case ingest.ListClass:
			form = ingest.NumberList
		}
		req = append(req, ingest.Request{Column: i, Form: form, Unit: ingest.Second})
	}
	return req
}

// drain scans all partitions with two workers.
func drain(tb testing.TB, s ingest.Source, req []ingest.Request) {
	queue := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
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

func benchFormat(b *testing.B, fm ingest.Format, data []byte, gaps string, few ...string) {
	f := memFile("mem", data)
	s, err := fm.Open(f)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, open bool, cols ...string) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for range b.N {
				if open {
					if _, err := fm.Open(f); err != nil {
						b.Fatal(err)
					}
				}
				if len(cols) > 0 {
					drain(b, s, requests(b, s, cols...))
				}
			}
		})
	}
	run("open", true)
	run("scan", false, few...)
	run("scan+gaps", false, append(slices.Clone(few), gaps)...)
}

func BenchmarkVLLM(b *testing.B) {
	data := benchVLLM(4000)
	benchFormat(b, VLLM, data, "itl_s", "status", "start", "ttft_s", "e2e_s", "output_tokens")
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for range b.N {
			var v struct {
				TTFTs     []float64   `json:"ttfts"`
				ITLs      [][]float64 `json:"itls"`
				Latencies []float64   `json:"latencies"`
				Starts    []float64   `json:"start_times"`
				In        []int       `json:"input_lens"`
				Out       []int       `json:"output_lens"`
				Errors    []string    `json:"errors"`
			}
			if err := json.Unmarshal(data, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAIPerf(b *testing.B) {
	data := benchAIPerf(20000)
	benchFormat(b, AIPerf, data, "itl_s", "status", "start", "ttft_s", "e2e_s", "output_tokens")
	type metric struct{ Value, Unit any }
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for range b.N {
			d := json.NewDecoder(bytes.NewReader(data))
			for {
				var v struct {
					Metadata map[string]any
					Metrics  map[string]metric
					Error    json.RawMessage
				}
				if d.Decode(&v) != nil {
					break
				}
			}
		}
	})
}
