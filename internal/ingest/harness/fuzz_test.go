package harness

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// FuzzJSON compares the walk over JSON with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" || looseNumber(text) {
			return
		}
		sameTree(t, text)
	})
}

// looseNumber reports whether a text may hold what the reader lets pass and
// encoding/json does not: 01, 1., NaN and infinity, text that is not UTF-8.
func looseNumber(text string) bool {
	for i := 1; i < len(text); i++ {
		d := text[i-1]
		digit := func(c byte) bool { return c-'0' <= 9 }
		if d == '0' && digit(text[i]) || d == '.' && !digit(text[i]) || d == '-' && text[i] == '.' || d == '.' && digit(text[i]) && (i < 2 || !digit(text[i-2])) {
			return true
		}
	}
	return strings.HasSuffix(text, ".") || strings.Contains(text, "NaN") || strings.Contains(text, "Infinity") ||
		strings.ToValidUTF8(text, "") != text || strings.Count(text, "[")+strings.Count(text, "{") > 900
}

// fuzzReader checks a reader on any text: no panic, an error or a source whose
// batches are whole, the same twice, and as many as it says.
func fuzzReader(f *testing.F, fm ingest.Format, seeds ...string) {
	for _, s := range seeds {
		if strings.ContainsAny(s, "{\n") {
			f.Add([]byte(s))
			continue
		}
		for _, dir := range []string{"testdata", "../../../fixtures/real"} {
			files, _ := filepath.Glob(filepath.Join(dir, s))
			for _, name := range files {
				b, err := os.ReadFile(name)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(b[:min(len(b), 20_000)])
				if len(b) < 20_000 {
					continue
				}
				// The end of a long file, so that there is a whole one.
				f.Add(append(b[:2000:2000], b[len(b)-2000:]...))
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file := memFile("fuzz", b)
		fm.Detect(b[:min(len(b), 64<<10)], file)
		s, err := fm.Open(file)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		defer s.Close()
		if len(s.Columns()) == 0 && s.Rows() != 0 {
			if _, is := s.(*table); is && s.Rows() > 0 {
				return // records without any field that is known
			}
		}
		first, err1 := drainAll(s)
		second, err2 := drainAll(s)
		if (err1 == nil) != (err2 == nil) || err1 == nil && first != second {
			t.Errorf("scanned twice: %v, %v; %v, %v", first, err1, second, err2)
		}
		if n := s.Rows(); err1 == nil && n >= 0 && n != first.rows {
			t.Errorf("the source says %d rows and has %d", n, first.rows)
		}
		for _, kv := range s.Metadata() {
			if kv.Key == "" || kv.Value == "" {
				t.Errorf("metadata %q", kv)
			}
		}
	})
}

// sums are a digest of a source.
type sums struct {
	rows, present, texts int64
	bits                 uint64
}

// drainAll reads every column of every partition and adds up.
func drainAll(s ingest.Source) (d sums, err error) {
	var req []ingest.Request
	for i, c := range s.Columns() {
		form := map[ingest.Class]ingest.Form{ingest.TextClass: ingest.Text, ingest.InstantClass: ingest.Time, ingest.ListClass: ingest.NumberList, ingest.NumericClass: ingest.Number}[c.Class]
		req = append(req, ingest.Request{Column: i, Form: form, Unit: ingest.Second})
	}
	for p := range s.Partitions() {
		err = s.Scan(context.Background(), p, req, func(b *ingest.Batch) error {
			d.rows += int64(b.N)
			for i := range req {
				col := &b.Cols[i]
				for r := range b.N {
					if col.StateAt(r) != ingest.Present {
						continue
					}
					d.present++
					switch req[i].Form {
					case ingest.Number:
						d.bits += math.Float64bits(col.Floats[r])
					case ingest.Time:
						d.bits += uint64(col.Times[r])
					case ingest.Text:
						d.texts += int64(len(col.Str(r)))
					case ingest.NumberList:
						d.present += int64(len(col.List(r)))
					}
				}
			}
			return nil
		})
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

func FuzzVLLM(f *testing.F) {
	fuzzReader(f, VLLM, "vllm/*.json", vllmObject("2.5", "8", threeRequests)+"\n"+vllmObject(`"inf"`, "null", threeRequests+`, "latencies": [1, 0, 2], "start_times": [1, 2, 3], "queue_times": [0.5, null, NaN]`))
}
func FuzzSGLang(f *testing.F)     { fuzzReader(f, SGLang, "sglang/*.jsonl") }
func FuzzAIPerf(f *testing.F)     { fuzzReader(f, AIPerf, "aiperf/*") }
func FuzzGenAIPerf(f *testing.F)  { fuzzReader(f, GenAIPerf, "genai-perf/*.json") }
func FuzzGuideLLM(f *testing.F)   { fuzzReader(f, GuideLLM, "guidellm/*", guideV4) }
func FuzzLLMPerf(f *testing.F)    { fuzzReader(f, LLMPerf, "llmperf/*.json") }
func FuzzGenAIBench(f *testing.F) { fuzzReader(f, GenAIBench, "genai-bench/*.json") }
func FuzzDistServe(f *testing.F)  { fuzzReader(f, DistServe, "distserve/*.json") }
func FuzzInferencePerf(f *testing.F) {
	fuzzReader(f, InferencePerf, "inference-perf/*.json")
}
func FuzzLMBenchmark(f *testing.F) { fuzzReader(f, LMBenchmark, "lmbenchmark/*.csv") }
func FuzzInferenceX(f *testing.F) {
	fuzzReader(f, InferenceX, "user_id,request_idx,trace_id,input_tokens,output_tokens_actual,ttft,ttlt,success,error_message,request_start_time,token_timestamps\nu,0,t,9,4,0.25,1.5,True,,1700000000.5,\"[1.5, 2.5]\"\n")
}
func FuzzLLMeter(f *testing.F) {
	fuzzReader(f, LLMeter, `{"id": "r1", "time_to_first_token": 0.25, "time_to_last_token": 1.25, "num_tokens_output": 5, "error": null, "request_time": "2026-01-02T03:04:05.5+00:00"}`)
}
func FuzzLoadGen(f *testing.F) {
	fuzzReader(f, LoadGen, "{ \"traceEvents\": [\n"+`{"name": "Sample", "ph": "b", "id": 0, "pid": 7, "ts": 5, "args": { "sample_seq" : 1, "issue_start_ns" : 5, "complete_ns" : 900 }},`+"\n"+`{"name": "Sample", "ph": "e", "ts": 6 },`+"\n")
}
func FuzzVegeta(f *testing.F) {
	fuzzReader(f, Vegeta, "vegeta/*.csv", `{"attack":"a","seq":0,"code":200,"timestamp":"2026-01-02T03:04:05.123456789Z","latency":25000000,"error":""}`)
}
func FuzzK6(f *testing.F) { fuzzReader(f, K6, "k6/*") }
func FuzzOha(f *testing.F) {
	fuzzReader(f, Oha, "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n0.5,0.001,0.002,0.01,0.025,20,200\n")
}
func FuzzOTel(f *testing.F) {
	fuzzReader(f, OTel, `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.instance.id","value":{"stringValue":"i"}}]},"scopeSpans":[{"spans":[{"spanId":"s","startTimeUnixNano":"5","endTimeUnixNano":"9","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"5"}}],"status":{"code":2}}]}]}]}`)
}
func FuzzLiteLLM(f *testing.F) {
	fuzzReader(f, LiteLLM, `{"request_id":"a","call_type":"acompletion","completion_tokens":5,"startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:06.500Z","status":"success"}`,
		"request_id,startTime,endTime,completion_tokens\na,2026-01-02 03:04:05,2026-01-02 03:04:06,5\n")
}
func FuzzLangfuse(f *testing.F) {
	fuzzReader(f, Langfuse, `{"id":"a","type":"GENERATION","startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:06.500Z","usageDetails":{"output":5},"level":"DEFAULT"}`,
		"id,startTime,endTime,level,usageDetails\na,2026-01-02 03:04:05,2026-01-02 03:04:06,ERROR,\"{\"\"output\"\":5}\"\n")
}
func FuzzAzureLLM(f *testing.F) { fuzzReader(f, AzureLLM, "azure-llm-2023/*.csv") }
func FuzzBurstGPT(f *testing.F) { fuzzReader(f, BurstGPT, "burstgpt/*.csv") }
func FuzzMooncake(f *testing.F) { fuzzReader(f, Mooncake, "mooncake/*.jsonl") }
func FuzzAggregates(f *testing.F) {
	fuzzReader(f, Aggregates, "locust/*.csv")
}

// fuzzHistograms checks a reader of histograms on any text: no panic, an error or
// buckets in order, the same twice.
func fuzzHistograms(f *testing.F, fm ingest.Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file := memFile("mem", b)
		fm.Detect(b[:min(len(b), 64<<10)], file)
		src, err := fm.Open(file)
		again, err2 := fm.Open(file)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("opened twice: %v, then %v", err, err2)
		}
		if err != nil {
			return
		}
		h := src.(ingest.HistogramSource)
		if d := cmp.Diff(h.Histograms(), again.(ingest.HistogramSource).Histograms(), cmpopts.EquateNaNs()); d != "" {
			t.Fatal(d)
		}
		if len(h.Columns()) != len(h.Histograms()) || len(h.Columns()) == 0 {
			t.Fatalf("%d columns, %d histograms", len(h.Columns()), len(h.Histograms()))
		}
		for i, c := range h.Columns() {
			if c.Name == "" {
				t.Fatal("a column without a name")
			}
			last := math.Inf(-1)
			for _, b := range h.Histograms()[i].Buckets {
				if b.Count < 0 || b.Lower < last || b.Upper < b.Lower {
					t.Fatalf("%s: bucket %+v after %v", c.Name, b, last)
				}
				last = b.Upper
			}
		}
		if ok, failed, _ := h.Outcomes(); ok < 0 || failed < 0 {
			t.Fatalf("%d ok, %d failed", ok, failed)
		}
	})
}

func FuzzPrometheus(f *testing.F) {
	fuzzHistograms(f, Prometheus, ttft("", 1, 3, 3, 0.4)+ttft("", 5, 14, 16, 2.9), ttft(`pod="a"`, 1, 3, 3, 1)+"vllm:request_success_total{finished_reason=\"stop\"} 3 7\n# EOF\n", "_bucket{le=\"1\"} 1\n_bucket{le=\"+Inf\"} 1\n")
}

func FuzzHdrLog(f *testing.F) {
	fuzzHistograms(f, HdrLog, hdrLine(hdrHead([]byte{6, 9, 4}, nil), nil), "#[Histogram log format version 1.3]\nTag=a,0,1,2,HISTFAAA\n")
}

// FuzzHdrCounts reads what stands within the compression, which FuzzHdrLog
// hardly reaches.
func FuzzHdrCounts(f *testing.F) {
	f.Add([]byte{6, 9, 4, 0xf1, 0x1f, 2})
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, digits := range []byte{0, 3, 5} {
			var h hdrCounts
			if err := h.parse(hdrHead(payload, func(b []byte) { b[15] = digits })); err != nil {
				continue
			}
			hist, err := h.histogram()
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range hist.Buckets {
				if !(b.Lower < b.Upper) || b.Count <= 0 {
					t.Fatalf("bucket %+v", b)
				}
			}
		}
	})
}
