package harness

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The texts of this file are built from the descriptions of the layouts.

const vllmHead = `{"date": "20260901-101112", "endpoint_type": "openai", "backend": "openai", "label": null, "model_id": "m", "tokenizer_id": "m", "num_prompts": 3, "request_rate": %s, "burstiness": 1.0, "max_concurrency": %s, "duration": 2.5, "completed": 2, `

func vllmObject(rate, limit, rest string) string {
	return fmt.Sprintf(vllmHead, rate, limit) + rest + "}"
}

const threeRequests = `"input_lens": [10, 20, 30], "output_lens": [3, 0, 2], "ttfts": [0.1, 0.0, 0.2], "itls": [[0.01, 0.03], [], [0.05]], "generated_texts": ["a", "", "b"], "errors": ["", "Internal Server Error", ""]`

func TestVLLMAppendedObjects(t *testing.T) {
	file := vllmObject(`"inf"`, "8", threeRequests) + "\n" + vllmObject("Infinity", "16", threeRequests) + "\n\n" +
		vllmObject("2.5", "16", strings.ReplaceAll(threeRequests, "0.1,", "0.15,"))
	s := open(t, "vllm", textFile(file))
	r := load(t, s)
	equal(t, "rows", r.Total(), 9)
	equal(t, "ok", r.Of(ingest.OK), 6)
	equal(t, "runs", strings.Join(r.all[ingest.Run], " "), "mem#1 mem#1 mem#1 mem#2 mem#2 mem#2 mem#3 mem#3 mem#3")
	equal(t, "stage", r.all[ingest.Stage][3], "request_rate=Infinity concurrency=16")
	equal(t, "concurrency", fmt.Sprint(r.cols[ingest.Concurrency]), "[8 8 16 16 16 16]")
	equal(t, "finite rates", fmt.Sprint(r.cols[ingest.Rate]), "[2.5 2.5]")
	equal(t, "fingerprint", meta(s, "fingerprint.max_concurrency"), "8 | 16")
	noteWith(t, s, "3 runs under 3 different loads")
	noteWith(t, s, "run 3: requests were sent at 2.5/s but at most 16 at a time")
	equal(t, "latency", r.cols[ingest.E2E][0], 0.1+(0.01+0.03))
	equal(t, "gaps", fmt.Sprint(lists(t, s, "itl_s")[6:]), "[[0.01 0.03] [] [0.05]]")
}

func TestVLLMFailureMarks(t *testing.T) {
	long := strings.Repeat("x", 3000)
	rest := `"input_lens": [1, 1, 1, 1, 1, 1, 1], "output_lens": [2, 0, 0, 0, 5, 2, 2],
		"ttfts": [0.1, 0.0, 0.2, 0.0, 0.0, 0.1, NaN], "itls": [[0.1], [], [0.1, 0.1], [], [], [0.2], [0.1]],
		"errors": ["", "", "Traceback (most recent call last):\n  File \"x\"\n` + long + `\nasyncio.exceptions.TimeoutError", "request was cancelled", "", null, ""]`
	s := open(t, "vllm", textFile(vllmObject("1.0", "null", rest)))
	r := load(t, s)
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok error timeout cancelled incomplete ok ok")
	equal(t, "error", r.all[ingest.Error][2], "asyncio.exceptions.TimeoutError")
	equal(t, "ok", r.Of(ingest.OK), 2)
	equal(t, "not a number", r.Counts[ingest.NotANumber], 1)
	equal(t, "timeouts", r.Counts[ingest.FailedTimeout], 1)
	equal(t, "requested", r.all[ingest.Status][4], "incomplete")
	noteWith(t, s, "2 requests completed; by their errors, lengths and times 3 of 7 did")
}

func TestVLLMLayouts(t *testing.T) {
	for _, c := range []struct {
		why, rest  string
		ok, failed int64
		e2e        string
		cols       string
		note       string
	}{
		{"latencies and start times of 2026, with the wait before sending",
			threeRequests + `, "latencies": [0.15, 0.0, 0.25], "start_times": [100.5, 100.25, 101.0], "queue_times": [0.25, 0.0, 0.125]`,
			2, 1, "[0.15 0.25]", "stage status error start scheduled ttft_s e2e_s prompt_tokens output_tokens itl_s", ""},
		{"saved without --save-detailed, which leaves the latencies", `"latencies": [0.15, 0.0, 0.25], "queue_times": [0.1, 0.1, 0.1], "mean_ttft_ms": 15.5`,
			2, 1, "[0.15 0.25]", "stage status error e2e_s", "no first-token times were saved; they are with --save-detailed"},
		{"pooling: no tokens come out", `"input_lens": [10, 20, 30], "latencies": [0.15, 0.1, 0.25], "queue_times": [0.1, 0.1, 0.1], "errors": ["", "", "boom"]`,
			2, 1, "[0.15 0.1]", "stage status error e2e_s prompt_tokens", ""},
		{"a fork with one mean gap a request", `"input_lens": [10, 20, 30], "output_lens": [3, 5, 2], "ttfts": [0.1, 0.2, 0.2], "itls": [0.02, 0.01, 0.05], "request_timestamps": [1795967565.5, 1795967566.5, 1795967567.5], "session_ids": ["a", "a", "b"]`,
			3, 0, "[0.14 0.24000000000000002 0.25]", "session stage status start ttft_s e2e_s prompt_tokens output_tokens", "mean gap of each request"},
		{"a fork that calls latencies e2els", threeRequests + `, "e2els": [0.15, 0.0, 0.25], "send_times": [1.5, 2.5, 3.5]`,
			2, 1, "[0.15 0.25]", "stage status error start ttft_s e2e_s prompt_tokens output_tokens itl_s", ""},
		{"the Rust client's list of failed requests", `"input_lens": [10, 20, 30], "output_lens": [3, 1, 2], "ttfts": [0.1, 0.1, 0.2], "itls": [[0.01, 0.03], [], [0.05]], "latencies": [0.15, 0.1, 0.25], "start_times": [0.0, 0.5, 1.0], "failed_requests": [{"index": 1, "error": "connection closed", "prompt_len": 20, "itl": [0.5]}]`,
			2, 1, "[0.15 0.25]", "stage status error start ttft_s e2e_s prompt_tokens output_tokens itl_s", ""},
		{"messages of several tokens", `"input_lens": [10, 20, 30], "output_lens": [9, 6, 3], "ttfts": [0.1, 0.1, 0.2], "itls": [[0.01, 0.03], [0.02], [0.05]], "errors": ["", "", ""]`,
			3, 0, "[0.14 0.12000000000000001 0.25]", "stage status ttft_s e2e_s prompt_tokens output_tokens chunk_gap_s", "not inter-token latencies"},
	} {
		t.Run(c.why, func(t *testing.T) {
			s := open(t, "vllm", textFile(vllmObject(`"inf"`, "null", c.rest)))
			r := load(t, s)
			equal(t, "ok", r.Of(ingest.OK), c.ok)
			equal(t, "failed", r.Of(ingest.Failed), c.failed)
			equal(t, "latencies", fmt.Sprint(r.cols[ingest.E2E]), c.e2e)
			equal(t, "columns", strings.Join(names(s), " "), c.cols)
			if c.note != "" {
				noteWith(t, s, c.note)
			}
		})
	}
}

// The wait before sending is counted from the intended time.
func TestVLLMScheduled(t *testing.T) {
	s := open(t, "vllm", textFile(vllmObject("10.0", "8", threeRequests+`, "latencies": [0.15, 0.0, 0.25], "start_times": [100.5, 100.25, 101.0], "queue_times": [0.25, 0.0, 0.125]`)))
	l, err := ingest.Resolve("file", s.Columns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rd := ingest.NewReader("file", s, l, ingest.Wanted{Fields: []ingest.Field{ingest.TTFT, ingest.E2E}}, ingest.Options{})
	var got []float64
	_, err = rd.Scan(context.Background(), 0, func(f *ingest.Frame) error {
		got = append(got, f.Col(ingest.TTFT).Floats[0], f.Col(ingest.E2E).Floats[2])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "latencies from the intended time", fmt.Sprint(got), "[0.35 0.375]")
}

func TestSGLangLines(t *testing.T) {
	line := func(rate string, limit int, arrays string) string {
		return fmt.Sprintf(`{"tag": null, "backend": "sglang-oai", "dataset_name": "random", "request_rate": %s, "max_concurrency": %d, "sharegpt_output_len": null, "random_input_len": 100, "server_info": {"model_path": "m", "tp_size": 4, "internal_states": [{"deep": [1, {"x": NaN}]}]}, "duration": 1.5, "completed": 2, "mean_e2e_latency_ms": -Infinity, %s}`, rate, limit, arrays)
	}
	arrays := `"input_lens": [5, 6], "output_lens": [3, 7], "ttfts": [0.1, 0.2], "itls": [[0.25, 0.25], [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]], "errors": ["", ""], "cached_tokens": [0, 4]`
	s := open(t, "sglang", textFile(line("Infinity", 4, arrays)+"\n"+line("Infinity", 4, arrays)+"\n"+line("Infinity", 8, arrays)+"\n"))
	r := load(t, s)
	equal(t, "rows", r.Total(), 6)
	equal(t, "runs", r.all[ingest.Run][5], "mem#3")
	equal(t, "cached", fmt.Sprint(r.cols[ingest.CachedTokens]), "[0 4 0 4 0 4]")
	noteWith(t, s, "3 runs under 2 different loads")
	noteWith(t, s, "spread evenly over its tokens")
	equal(t, "kind of gaps", meta(s, "fingerprint.gap_kind"), "spread")
	equal(t, "tensor parallelism", meta(s, "fingerprint.server.tp_size"), "4")
}

// An answer that is not streamed has no first token, and is no failure.
func TestNotStreamed(t *testing.T) {
	s := open(t, "vllm", textFile(vllmObject(`"inf"`, "4", `"input_lens": [1, 1, 1], "output_lens": [5, 6, 7], "ttfts": [0.0, 0.0, 0.0], "itls": [[], [], []], "latencies": [1.5, 1.25, 2.5], "errors": ["", "", ""]`)))
	r := load(t, s)
	equal(t, "ok", r.Of(ingest.OK), 3)
	equal(t, "first tokens", len(r.cols[ingest.TTFT]), 0)
	equal(t, "latencies", fmt.Sprint(r.cols[ingest.E2E]), "[1.5 1.25 2.5]")
	noteWith(t, s, "they were not streamed")
}

func TestRunsMessages(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"an array too short", vllmObject("1.0", "null", `"input_lens": [1, 2, 3], "output_lens": [1, 2], "ttfts": [0.1, 0.2, 0.3]`),
			"line 1: the array output_lens has 2 elements, input_lens has 3; expected one of each for every request"},
		{"lists and means mixed", vllmObject("1.0", "null", `"output_lens": [1, 2], "ttfts": [0.1, 0.2], "itls": [[0.1], 0.2]`), "line 1: the array itls holds lists of gaps and mean gaps"},
		{"cut off", vllmObject("1.0", "null", `"output_lens": [1, 2], "ttfts": [0.1`)[:len(vllmObject("1.0", "null", `"output_lens": [1, 2], "ttfts": [0.1`))-1],
			"found the end of the file, expected a comma or ']'; the file seems cut off"},
		{"garbage behind", vllmObject("1.0", "null", threeRequests) + "\nhello", "line 2, byte 1: found 'h', expected an object, '{'"},
		{"a second object with aggregates only", vllmObject("1.0", "null", threeRequests) + "\n" + vllmObject("1.0", "null", `"mean_ttft_ms": 1.5`), "line 2: the object holds aggregates only, no times per request; run the benchmark again with --save-result --save-detailed"},
		{"a word in a list of numbers", vllmObject("1.0", "null", `"output_lens": [1, oops]`), "expected a value"},
		{"a number of two points", vllmObject("1.0", "null", `"ttfts": [1.2.3]`), "expected a number"},
	} {
		_, err := VLLM.Open(textFile(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := VLLM.Open(textFile("  \n")); err == nil || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("an empty file: %v", err)
	}
	if _, err := VLLM.Open(textFile(`{"a": 1}`)); err == nil || !strings.Contains(err.Error(), "no result of vllm-bench-serve") {
		t.Errorf("another object: %v", err)
	}
}

// Values that are no numbers are counted by the pipeline, not dropped here.
func TestRunsOddValues(t *testing.T) {
	s := open(t, "vllm", textFile(vllmObject("1.0", "null", `"input_lens": [1, 1, 1, 1, 1], "output_lens": [2, 2, 2, 2, 2], "ttfts": [null, "fast", true, Infinity, 0.1], "latencies": [1.5, 1.5, 1.5, 1.5, 1e400], "errors": ["", "", "", "", ""]`)))
	r := load(t, s)
	equal(t, "ok", r.Of(ingest.OK), 1)
	equal(t, "not numbers", r.Counts[ingest.NotANumber], 2)
	equal(t, "infinite", r.Counts[ingest.Infinite], 2)
}

// A run of several batches falls into pieces with the gaps in the right place.
func TestRunsBatches(t *testing.T) {
	const n = 2*ingest.BatchRows + 100
	var in, out, ttft, itl strings.Builder
	for i := range n {
		sep := ", "
		if i == 0 {
			sep = ""
		}
		fmt.Fprintf(&in, "%s%d", sep, i%100)
		fmt.Fprintf(&out, "%s%d", sep, 2+i%3)
		fmt.Fprintf(&ttft, "%s0.%03d", sep, 1+i%999)
		fmt.Fprintf(&itl, "%s[%s]", sep, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%d.5, ", i), 1+i%3), ", "))
	}
	s := open(t, "vllm", textFile(vllmObject("1.0", "null", `"input_lens": [`+in.String()+`], "output_lens": [`+out.String()+`], "ttfts": [`+ttft.String()+`], "itls": [`+itl.String()+`]`)))
	equal(t, "partitions", s.Partitions(), 3)
	got := lists(t, s, "itl_s")
	equal(t, "lists", len(got), n)
	for i, l := range got {
		if len(l) != 1+i%3 || l[0] != float64(i)+0.5 {
			t.Fatalf("list %d is %v", i, l)
		}
	}
	r := load(t, s)
	equal(t, "ok", r.Of(ingest.OK), n)
	if math.Abs(r.cols[ingest.TTFT][ingest.BatchRows]-float64(1+ingest.BatchRows%999)/1000) > 1e-12 {
		t.Error("values of the second batch are those of another")
	}
}

func TestListOfRuns(t *testing.T) {
	s := open(t, "vllm", textFile("[\n"+vllmObject("1.0", "null", threeRequests)+",\n"+vllmObject("2.0", "null", threeRequests)+"]\n"))
	r := load(t, s)
	equal(t, "rows", r.Total(), 6)
	equal(t, "last run", r.all[ingest.Run][5], "mem#2")
}

// The keys of a result may be sorted, and long arrays come early then.
func TestSortedKeys(t *testing.T) {
	long := "[" + strings.Repeat("7, ", 40_000) + "7]"
	for format, text := range map[string]string{
		"sglang": `{"accept_length": null, "backend": "sglang", "cached_tokens": ` + long,
		"vllm":   `{"backend": "vllm", "best_of": 1, "burstiness": 1.0, "completed": 2, "errors": [], "input_lens": ` + long,
	} {
		if fm, ok := detect(textFile(text)); !ok || fm.Name != format {
			t.Errorf("taken for %q, want %s", fm.Name, format)
		}
	}
}
