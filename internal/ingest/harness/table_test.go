package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Every sample is recognised as what its folder says, and by no format that is
// tried before.
func TestDetect(t *testing.T) {
	want := map[string]string{"azure-llm-2023": "azure-llm", "locust": "aggregates"}
	seen := 0
	for _, dir := range []string{"testdata", "../../../fixtures/real"} {
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if d != nil && d.Name() == "fuzz" {
					return fs.SkipDir
				}
				return err
			}
			folder := filepath.Base(filepath.Dir(p))
			if filepath.Ext(p) == ".md" {
				return nil
			}
			format := folder
			if w := want[folder]; w != "" {
				format = w
			}
			rel, _ := filepath.Rel(dir, p)
			fm, ok := detect(sample(t, filepath.ToSlash(rel)))
			if !ok || fm.Name != format {
				t.Errorf("%s is taken for %q, want %s", p, fm.Name, format)
			}
			seen++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 40 {
		t.Errorf("only %d samples were looked at", seen)
	}
	var names []string
	for _, fm := range Formats {
		if fm.Name == "" || slices.Contains(names, fm.Name) || fm.Name != strings.ToLower(fm.Name) {
			t.Errorf("format name %q", fm.Name)
		}
		names = append(names, fm.Name)
	}
}

// Files of plain records are left to the generic readers.
func TestDetectLeavesOthers(t *testing.T) {
	for _, text := range []string{
		"", "  \n", "hello\n", "a,b\n1,2\n", "run,ttft_ms,e2e_ms,output_tokens,status\nr1,12,200,9,ok\n",
		`{"request_id": "a", "ttft_ms": 12, "e2e_ms": 200, "itl_ms": [1, 2]}`, `[{"ttft": 1, "start_time": 2, "end_time": 3}]`,
		`{"metadata": {"run": "a"}, "metrics": {"ttft": {"value": 1, "unit": "ms"}}}`, `{"type": "x", "data": 1, "metric": "m"}`,
		"timestamp,latency_ms\n1700000000,5\n", "Timestamp,Model,latency\n1,a,2\n", "metric,avg,min\nttft,1,2\n", "[1, 2]", "{", "[{", `{"a`,
		"1,2,3,4,5,6,7,8,9\n", "PAR1\x00\x00", "<html>", `{"model_id": "m", "latency": 5}`, `{"benchmarks": 3, "x": 1}`, `{"startTime": "a", "endTime": "b"}`,
		`{"doc_id": 0, "target": "x", "filter": "none", "metrics": ["acc"], "acc": 1.0}`, `{"timestamp": 1, "input_length": 5}`,
	} {
		if fm, ok := detect(textFile(text)); ok {
			t.Errorf("%.60q is taken for %s", text, fm.Name)
		}
	}
}

// A forced reader says what it misses, of any content.
func TestForcedReaders(t *testing.T) {
	for _, fm := range Formats {
		for _, text := range []string{"hello world\n", `{"a": 1}`, "[]", "{}", "a,b\n1,2\n", "\x00\x01\x02", `{"a": [1, {"b": `, "\xff\xfe{\x00}\x00"} {
			f := textFile(text)
			_, err := fm.Open(f)
			if err == nil {
				t.Errorf("%s reads %q", fm.Name, text)
				continue
			}
			if len(err.Error()) < 20 {
				t.Errorf("%s on %q: %v", fm.Name, text, err)
			}
		}
	}
}

func TestTruncatedSamples(t *testing.T) {
	for _, c := range []struct{ format, file string }{
		{"vllm", "vllm/gen_vllm-2026_maxconc8_before.json"}, {"sglang", "sglang/gen_sglang_native_before.jsonl"},
		{"aiperf", "aiperf/derived_profile_export.current-schema.jsonl"}, {"llmperf", "llmperf/yi34b_tgi_c1_individual_responses.json"},
		{"genai-perf", "genai-perf/fixture_openai_profile_data.profile_export.json"}, {"guidellm", "guidellm/v0.2_benchmarks_stripped.json"},
		{"inference-perf", "inference-perf/v0.5.0_per_request_lifecycle_metrics.json"}, {"distserve", "distserve/opt13b_sharegpt_vllm-100-1.converted.json"},
		{"genai-bench", "genai-bench/mock_run_data.json"}, {"mooncake", "mooncake/synthetic_trace.first300.jsonl"}, {"k6", "k6/gen_k6_before.json"},
	} {
		f := sample(t, c.file)
		whole := make([]byte, f.Size)
		f.ReadAt(whole, 0)
		for _, share := range []float64{0.6, 0.8, 0.95, 0.99} {
			cut := memFile(c.file, whole[:int(share*float64(len(whole)))])
			fm, ok := detect(cut)
			if !ok || fm.Name != c.format {
				t.Errorf("%s cut at %v is taken for %q", c.file, share, fm.Name)
				continue
			}
			_, err := fm.Open(cut)
			if err == nil || !strings.Contains(err.Error(), "cut off") || !strings.Contains(err.Error(), "line ") {
				t.Errorf("%s cut at %v: error %v, want its place and that it is cut off", c.file, share, err)
			}
		}
	}
}

// Pieces of a file of lines hold every record once, wherever the borders lie.
func TestPartitions(t *testing.T) {
	var b strings.Builder
	const n = 90
	for i := range n {
		fmt.Fprintf(&b, `{"timestamp": %d, "input_length": %d, "output_length": 2, "hash_ids": [%s]}`+"\n", i, 1+i, strings.TrimSuffix(strings.Repeat("1, ", 1+i%40), ", "))
		if i%7 == 0 {
			b.WriteString("\n  \n")
		}
	}
	for _, chunk := range []int64{1, 10, 63, 64, 65, 1000, 1 << 20} {
		s := open(t, "mooncake", textFile(b.String()))
		s.(*table).chunk = chunk
		var got []float64
		for p := range s.Partitions() {
			row := int64(0)
			err := s.Scan(context.Background(), p, []ingest.Request{{Column: index(t, s, "prompt_tokens"), Form: ingest.Number}}, func(b *ingest.Batch) error {
				if b.Row != row {
					t.Fatalf("batch at row %d, want %d", b.Row, row)
				}
				row += int64(b.N)
				got = append(got, b.Cols[0].Floats...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(got) != n || got[0] != 1 || got[n-1] != n || !slices.IsSorted(got) {
			t.Errorf("pieces of %d bytes hold %d records", chunk, len(got))
		}
	}
	// Records over several lines are read as one piece.
	s := open(t, "mooncake", textFile("{\"timestamp\": 0,\n \"input_length\": 1,\n \"hash_ids\": []}\n{\"timestamp\": 1, \"input_length\": 2, \"hash_ids\": []}\n"))
	s.(*table).chunk = 10
	equal(t, "pieces", s.Partitions(), 1)
	equal(t, "records", load(t, s).Total(), 2)
}

func TestByteOrderMark(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	equal(t, "rows", load(t, open(t, "mooncake", textFile(bom+`{"timestamp": 0, "input_length": 1, "hash_ids": []}`+"\n"))).Total(), 1)
	equal(t, "rows", load(t, open(t, "azure-llm", textFile(bom+"TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n"))).Total(), 1)
	equal(t, "rows", load(t, open(t, "vllm", textFile(bom+vllmObject("1.0", "null", threeRequests)))).Total(), 3)
	equal(t, "rows", load(t, open(t, "llmperf", textFile(bom+`[{"ttft_s": 1, "end_to_end_latency_s": 2, "number_output_tokens": 3}]`))).Total(), 1)
	// It is no byte of the first line.
	_, err := LLMPerf.Open(textFile(bom + `[{"ttft_s": x}]`))
	if err == nil || !strings.Contains(err.Error(), "line 1, byte 13: found 'x', expected a value") {
		t.Errorf("error %v", err)
	}
}

func TestCSVMessages(t *testing.T) {
	head := "prompt_tokens,generation_tokens,ttft,generation_time,launch_time,finish_time\n"
	for _, c := range []struct{ why, text, want string }{
		{"a field too few", head + "1,2,0.1,1,1700000000,1700000001\n1,2,0.1\n", "line 3: found 3 fields, expected 6"},
		{"an open quote", head + "1,2,\"0.1,1,1700000000,1700000001\n", "a quote is opened and not closed"},
		{"a stray quote", head + "1,2,0\".1,1,1700000000,1700000001\n", "line 2, byte 6: found a quote"},
		{"no record", head, "the file holds no request"},
		{"a column twice", "ttft,ttft,launch_time,finish_time,generation_tokens\n", `the column "ttft" occurs twice`},
	} {
		_, err := LMBenchmark.Open(textFile(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.want)
		}
	}
	// A quote that is never closed is not read to the end of a large file.
	f := textFile(head + `1,"` + strings.Repeat("x\n", 1<<20))
	s := &scan{ctx: context.Background(), file: f, stop: f.Size}
	err := s.csv(csvLayout{limit: 64 << 10}, func(*scan, *csvRecord) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "longer than the limit") {
		t.Errorf("a long record: %v", err)
	}
	// A cell that is no number is counted, not dropped.
	r := load(t, open(t, "lmbenchmark", textFile(head+"1,2,fast,1,1700000000,1700000001\n1,2,0.1,1,1700000000,1700000001\n1,2,0,1,1700000000,1700000001\n")))
	equal(t, "not a number", r.Counts[ingest.NotANumber], 1)
	equal(t, "ok", r.Of(ingest.OK), 1)
	equal(t, "failed", r.Of(ingest.Failed), 1)
}

func TestScanArguments(t *testing.T) {
	for _, s := range []ingest.Source{
		open(t, "mooncake", textFile(`{"timestamp": 0, "input_length": 1, "hash_ids": []}`)),
		open(t, "vllm", textFile(vllmObject("1.0", "null", threeRequests))),
	} {
		for _, c := range []struct {
			part int
			req  ingest.Request
		}{{-1, ingest.Request{}}, {99, ingest.Request{}}, {0, ingest.Request{Column: 99}}, {0, ingest.Request{Column: -1}}, {0, ingest.Request{Column: 0, Form: ingest.NumberList}}} {
			if err := s.Scan(context.Background(), c.part, []ingest.Request{c.req}, func(*ingest.Batch) error { return nil }); err == nil {
				t.Errorf("partition %d, request %v: no error", c.part, c.req)
			}
		}
		stop := errors.New("stop")
		if err := s.Scan(context.Background(), 0, nil, func(*ingest.Batch) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("error %v, want that of yield", err)
		}
		// Numbers and times can be read as words, to slice by them.
		for i, c := range s.Columns() {
			if c.Class == ingest.ListClass {
				continue
			}
			if err := s.Scan(context.Background(), 0, []ingest.Request{{Column: i, Form: ingest.Text}}, func(b *ingest.Batch) error {
				if b.Cols[0].StateAt(0) == ingest.Present && b.Cols[0].Str(0) == "" {
					return fmt.Errorf("column %s has no words", c.Name)
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		}
	}
}

// Columns of unique texts do not make a dictionary grow without bound.
func TestWordsAreBounded(t *testing.T) {
	var w words
	for i := range 3 * maxWords {
		if i%ingest.BatchRows == 0 {
			w.fresh()
		}
		w.id([]byte(fmt.Sprint(i)))
	}
	if len(w.list) > maxWords+ingest.BatchRows {
		t.Errorf("the dictionary holds %d words", len(w.list))
	}
}

func TestColumnsResolve(t *testing.T) {
	var cols []ingest.ColumnInfo
	for c := column(0); c < numColumns; c++ {
		cols = append(cols, c.info(tokenGaps))
	}
	l, err := ingest.Resolve("file", cols, nil)
	if err != nil || len(l.Notes) > 0 {
		t.Fatalf("%v, notes %v", err, l.Notes)
	}
	for f, want := range map[ingest.Field]string{ingest.RequestID: "request_id", ingest.Run: "run", ingest.Replica: "replica", ingest.Session: "session", ingest.Start: "start",
		ingest.Scheduled: "scheduled", ingest.TTFT: "ttft_s", ingest.E2E: "e2e_s", ingest.Latency: "latency_s", ingest.ITL: "itl_s", ingest.PromptTokens: "prompt_tokens",
		ingest.OutputTokens: "output_tokens", ingest.CachedTokens: "cached_tokens", ingest.Status: "status", ingest.HTTPStatus: "http_status", ingest.Error: "error",
		ingest.Phase: "phase", ingest.Stage: "stage", ingest.Concurrency: "concurrency", ingest.Rate: "rate"} {
		if got := l.Fields[f]; got.Name != want || f.IsTime() && want != "start" && want != "scheduled" && got.Unit != ingest.Second {
			t.Errorf("field %s is column %q in %q", f, got.Name, got.Unit.Name)
		}
	}
	// Gaps between messages are no inter-token latencies.
	cols[colGaps] = colGaps.info(chunkGaps)
	if l, err = ingest.Resolve("file", cols, nil); err != nil || l.Fields[ingest.ITL].Bound() {
		t.Errorf("chunk gaps are read as %q (%v)", l.Fields[ingest.ITL].Name, err)
	}
}

// A file of two harnesses is no file of either.
func TestMixedFiles(t *testing.T) {
	aiperf := `{"metadata":{"x_request_id":"a","benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":5,"unit":"ms"}},"error":null}` + "\n"
	vegeta := `{"attack":"a","seq":0,"code":200,"timestamp":"2026-01-02T03:04:05Z","latency":25000000,"error":""}` + "\n"
	k6 := `{"metric":"http_req_duration","type":"Point","data":{"time":"2026-01-02T03:04:05Z","value":25,"tags":{"status":"200"}}}` + "\n"
	for _, c := range []struct{ why, text, want string }{
		{"lines of vegeta behind AIPerf's", aiperf + aiperf + vegeta, "line 3: the record has none of the fields that records of aiperf have"},
		{"a line of AIPerf behind k6's", k6 + k6 + aiperf, "line 3: the record is no sample of k6"},
		{"another request among genai-bench's", `{"aggregated_metrics": {}, "individual_request_metrics": [{"ttft": 0.1, "e2e_latency": 0.5},` + "\n" + `{"hello": 1}], "_time_unit": "s"}`, "line 2: the record has none of the fields that records of genai-bench have"},
		{"another request among GenAI-Perf's", `{"experiments": [{"experiment": {"mode": "concurrency", "value": 1}, "requests": [` + "\n" + `{"hello": 1}]}], "version": "1", "service_kind": "openai"}`, "line 2: the record has none of the fields that records of genai-perf have"},
		{"another request among GuideLLM's", strings.Replace(guideV4, `"successful": [`, `"successful": [{"hello": 1},`, 1), "the record has none of the fields that records of guidellm have"},
		{"a line of text", aiperf + "done\n", "line 2, byte 1: found 'd', expected an object, '{'"},
		{"a table behind a list", `[{"ttft_s": 1, "end_to_end_latency_s": 2, "number_output_tokens": 3}]` + "\na,b\n", "line 2, byte 1: found 'a', expected the end of the file"},
		{"two reports", guideV4 + "\n" + guideV4, "expected the end of the file"},
		{"two exports", strings.Repeat(`{"experiments": [{"experiment": {"mode": "concurrency", "value": 1}, "requests": []}], "version": "1"}`, 2), "expected the end of the file"},
	} {
		fm, ok := detect(textFile(c.text))
		if !ok {
			t.Errorf("%s: not detected", c.why)
			continue
		}
		if _, err := fm.Open(textFile(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.want)
		}
	}
}

// Reading takes little memory, however long a line or an array is.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long files")
	}
	var list strings.Builder
	list.WriteString("[")
	const n = 40_000
	for i := range n {
		if i > 0 {
			list.WriteByte(',')
		}
		fmt.Fprintf(&list, `{"start_time": %d.5, "end_time": %d.75, "request": "%s", "info": {"chunk_times": [%d.6, %d.7]}, "error": null}`, i, i, strings.Repeat("p", 300), i, i)
	}
	list.WriteString("]")
	for why, f := range map[string]ingest.File{"a run in one line": memFile("mem", benchVLLM(3000)), "an array": textFile(list.String())} {
		fm, _ := detect(f)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := fm.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drainAll(s); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		// Two passes; the batches of gaps of the run hold 600,000 numbers.
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(f.Size)*2 || f.Size < 16e6 {
			t.Errorf("%s of %d bytes allocates %d bytes in all", why, f.Size, got)
		}
	}
}
