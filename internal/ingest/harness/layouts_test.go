package harness

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The texts of this file are built from the descriptions of the layouts.

func TestAIPerfFailuresAndCounts(t *testing.T) {
	n := 0
	rec := func(meta, metrics, err string) string {
		n++
		return fmt.Sprintf(`{"metadata":{"x_request_id":"r%d","request_start_ns":1759522419154568925,"benchmark_phase":"profiling",%s},"metrics":{%s},"error":%s}`+"\n", n, meta, metrics, err)
	}
	file := rec(`"credit_issued_ns":1759522419054568925,"was_cancelled":false`, `"time_to_first_token":{"value":50,"unit":"ms"},"time_to_first_token":{"value":999,"unit":"ms"},"request_latency":{"unit":"s","value":1.5},"inter_chunk_latency":{"value":[500,950],"unit":"ms"},"output_sequence_length":{"value":7,"unit":"tokens"},"usage_completion_tokens":{"value":3,"unit":"tokens"},"usage_prompt_cache_read_tokens":{"value":16,"unit":"tokens"}`, "null") +
		rec(`"credit_issued_ns":null,"was_cancelled":false`, `"time_to_first_token":{"value":60,"unit":"ms"},"request_latency":{"value":1600,"unit":"ms"},"output_token_count":{"value":4,"unit":"tokens"},"reasoning_token_count":{"value":6,"unit":"tokens"}`, "null") +
		rec(`"credit_issued_ns":null,"was_cancelled":true`, `"error_isl":{"value":5,"unit":"tokens"}`, "null") +
		rec(`"credit_issued_ns":null,"was_cancelled":false`, `"error_isl":{"value":55,"unit":"tokens"}`, `{"code":503,"type":"HTTPError","message":"overloaded\nmore"}`) +
		rec(`"credit_issued_ns":null,"was_cancelled":false`, `"error_isl":{"value":555,"unit":"tokens"}`, `{"code":0,"type":"TimeoutError","message":null}`) +
		rec(`"credit_issued_ns":null,"was_cancelled":false`, `"input_sequence_length":{"value":5,"unit":"tokens"}`, "null")
	s := open(t, "aiperf", textFile(file))
	r := load(t, s)
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok ok cancelled error timeout incomplete")
	equal(t, "errors", strings.Join(r.all[ingest.Error], "|"), "|||HTTPError: overloaded|TimeoutError|")
	equal(t, "TTFT", fmt.Sprint(r.cols[ingest.TTFT]), "[0.05 0.06]")
	equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[1.5 1.6]")
	equal(t, "tokens", fmt.Sprint(r.cols[ingest.OutputTokens]), "[3 10]")
	equal(t, "gaps", fmt.Sprint(r.gaps), "[0.5 0.95]")
	equal(t, "lists", fmt.Sprint(lists(t, s, "itl_s")[0]), "[0.5 0.95]")
	// The first was sent 100 ms late; the second has no intended time.
	equal(t, "intended times", fmt.Sprint(times(t, s, "scheduled")), "[1759522419054568925 1759522419154568925 1759522419154568925 1759522419154568925 1759522419154568925 1759522419154568925]")
}

// A warm-up phase is excluded; an unknown one is told.
func TestAIPerfPhases(t *testing.T) {
	rec := func(phase string, ms int) string {
		return fmt.Sprintf(`{"metadata": {"request_num": %d, "credit_phase": "%s"}, "metrics": {"request_latency": {"value": %d, "unit": "ms"}}, "error": null}`+"\n", ms, phase, ms)
	}
	r := load(t, open(t, "aiperf", textFile(rec("warmup", 5000)+rec("profiling", 100)+rec("soak", 110))))
	equal(t, "warm-up", r.Counts[ingest.WarmupPhase], 1)
	equal(t, "ok", r.Of(ingest.OK), 2)
	equal(t, "unknown phases", fmt.Sprint(r.unknown), "[soak]")
}

const guideV4 = `{"metadata": {"version": 1, "guidellm_version": "0.5.0"}, "args": {"rate": [1, 2]}, "benchmarks": [
 {"type_": "generative_benchmark", "config": {"id_": "a", "run_id": "r", "run_index": 0, "strategy": {"type_": "constant", "rate": 1.0}, "backend": {"kind": "openai_http", "model": "m"}},
  "scheduler_metrics": {"measure_start_time": 100.5, "measure_end_time": 110.0, "requests_made": {"successful": 4, "errored": 1, "incomplete": 1}},
  "requests": {"successful": [
    {"type_": "generative_request_stats", "request_id": "q1", "info": {"request_id": "q1", "conversation_id": "c1", "turn_index": 0, "status": "completed", "timings": {"targeted_start": 99.0, "request_start": 99.25, "first_token_iteration": 99.5, "first_output_token_iteration": 99.5, "last_token_iteration": 100.25, "request_end": 100.375}, "error": null}, "request_start_time": 99.25, "request_end_time": 100.375, "request_latency": 1.125, "prompt_tokens": 8, "cached_tokens": 4, "output_tokens": 4, "time_to_first_token_ms": 250.0, "time_per_output_token_ms": 250.0, "inter_token_latency_ms": 250.0},
    {"type_": "generative_request_stats", "request_id": "q2", "info": {"conversation_id": "c1", "turn_index": 1, "timings": {"targeted_start": 101.0, "request_start": 101.5, "first_token_iteration": 101.75, "first_output_token_iteration": 102.0, "last_token_iteration": 102.25, "request_end": 102.5}}, "prompt_tokens": 8, "output_tokens": 3},
    {"type_": "generative_request_stats", "request_id": "q3", "info": {"timings": {"targeted_start": 111.0, "request_start": 111.0, "first_token_iteration": 111.5, "last_token_iteration": 112.0, "request_end": 112.0}}, "prompt_tokens": 8, "output_tokens": 3}],
   "errored": [{"request_id": "q4", "info": {"error": "ReadTimeout: 30 s", "timings": {"targeted_start": 103.0, "request_start": 103.0, "first_token_iteration": null, "request_end": 104.0}}, "request_latency": 1.0, "output_tokens": null}],
   "incomplete": [{"request_id": "q5", "info": {"timings": {"targeted_start": 104.0, "request_start": 104.0, "first_token_iteration": 104.5, "request_end": 110.0}}, "output_tokens": 7}],
   "total": null}},
 {"type_": "generative_benchmark", "config": {"strategy": {"type_": "concurrent", "streams": 2}}, "scheduler_metrics": {"requests_made": {"successful": 1}},
  "requests": {"successful": [{"request_id": "q6", "info": {"timings": {"targeted_start": 1.0, "request_start": 3.0, "first_token_iteration": 3.5, "last_token_iteration": 4.0}}, "prompt_tokens": 8, "output_tokens": 3}], "errored": [], "incomplete": []}}]}`

func TestGuideLLMNew(t *testing.T) {
	s := open(t, "guidellm", textFile(guideV4))
	r := load(t, s)
	equal(t, "rows", r.Total(), 6)
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok ok ok timeout incomplete ok")
	equal(t, "phases", strings.Join(r.all[ingest.Phase], " "), "warmup measure cooldown measure measure ")
	equal(t, "runs", strings.Join(r.all[ingest.Run], " "), "mem#1 mem#1 mem#1 mem#1 mem#1 mem#2")
	equal(t, "stages", r.all[ingest.Stage][0]+", "+r.all[ingest.Stage][5], "constant rate=1, concurrent streams=2")
	equal(t, "measured", r.Of(ingest.OK), 2)
	equal(t, "TTFT", fmt.Sprint(r.cols[ingest.TTFT]), "[0.25 0.5]")
	equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[0.75 1]")
	equal(t, "TPOT leaves the first token out", fmt.Sprint(r.tpot), "[0.25 0.25]")
	equal(t, "first answer token", fmt.Sprint(r.generic["ttfo_s"]), "[0.5]")
	equal(t, "cached", fmt.Sprint(r.cols[ingest.CachedTokens]), "[]") // of the warm-up request alone
	// With a fixed number of streams the target is no intended time.
	got := times(t, s, "scheduled")
	equal(t, "intended time of q2", got[1], 101_000_000_000)
	equal(t, "intended time of q6", got[5], 3_000_000_000)
	noteWith(t, s, "benchmark 1: the lists lack 1 of the successful requests")
	noteWith(t, s, "2 load steps")
	equal(t, "version", meta(s, "fingerprint.harness_version"), "0.5.0")
}

func TestInferencePerfVersions(t *testing.T) {
	for _, c := range []struct{ why, info string }{
		{"0.2 to 0.4", `{"input_tokens": 9, "output_tokens": 3, "output_token_times": [10.5, 10.75, 11.25], "lora_adapter": null}`},
		{"0.5", `{"input_tokens": 9, "response_info": {"response_chunks": ["x"], "chunk_times": [10.5, 10.75, 11.25], "output_tokens": 6, "output_token_times": [10.5, 10.75, 11.25], "server_usage": {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}}}`},
		{"0.6", `{"request_metrics": {"text": {"input_tokens": 9}, "image": null}, "response_metrics": {"output_tokens": 3, "server_usage": null, "chunk_times": [10.5, 10.75, 11.25], "output_token_times": []}, "input_tokens": 9}`},
	} {
		t.Run(c.why, func(t *testing.T) {
			file := `[{"start_time": 10.0, "end_time": 11.5, "request": "{\"prompt\": \"x\"}", "response": "", "info": ` + c.info + `, "error": null, "stage_id": 1, "scheduled_time": 9.75},
 {"start_time": 12.0, "end_time": 13.5, "request": "{}", "response": null, "info": {"input_tokens": 0}, "error": {"error_type": "TimeoutError", "error_msg": ""}, "stage_id": 2}]`
			s := open(t, "inference-perf", textFile(file))
			r := load(t, s)
			equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok timeout")
			equal(t, "TTFT", fmt.Sprint(r.cols[ingest.TTFT]), "[0.5]")
			equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[1.25]")
			equal(t, "tokens", fmt.Sprint(r.cols[ingest.OutputTokens], r.cols[ingest.PromptTokens]), "[3] [9]")
			equal(t, "gaps", fmt.Sprint(lists(t, s, "itl_s")[0]), "[0.25 0.5]")
			equal(t, "stages", strings.Join(r.all[ingest.Stage], " "), "1 2")
			equal(t, "intended times", fmt.Sprint(times(t, s, "scheduled")), "[9750000000 12000000000]")
			equal(t, "notes", len(notes(s)), 0)
		})
	}
	// The first version had no info.
	r := load(t, open(t, "inference-perf", textFile(`[{"start_time": 1.5, "end_time": 2.0, "request": "{}", "response": "x", "error": null}]`)))
	equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[0.5]")
}

func TestLLMPerfFailures(t *testing.T) {
	r := load(t, open(t, "llmperf", textFile(`[
 {"error_code": -1, "error_msg": "", "inter_token_latency_s": 0, "ttft_s": 0, "end_to_end_latency_s": 0, "number_output_tokens": 1, "number_input_tokens": 550},
 {"error_code": -100, "error_msg": "Output too few tokens 102", "inter_token_latency_s": 5.0, "ttft_s": 0.6, "end_to_end_latency_s": 5.0, "number_output_tokens": 102, "number_input_tokens": 550},
 {"error_code": null, "error_msg": "", "inter_token_latency_s": 0.5, "ttft_s": 0.5, "end_to_end_latency_s": 1.5, "number_output_tokens": 3, "number_input_tokens": 550}]`)))
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "error error ok")
	equal(t, "errors", strings.Join(r.all[ingest.Error], "|"), "error code -1|Output too few tokens 102|")
	equal(t, "TPOT", fmt.Sprint(r.tpot), "[0.5]")
}

func TestGenAIBenchMilliseconds(t *testing.T) {
	s := open(t, "genai-bench", textFile(`{"aggregated_metrics": {"scenario": "D(100,100)", "num_concurrency": 4, "num_completed_requests": 1}, "individual_request_metrics": [
 {"ttft": 32.5, "e2e_latency": 1820.0, "num_input_tokens": 100, "num_output_tokens": 101, "num_reasoning_tokens": null, "error_code": null, "error_message": null},
 {"ttft": null, "e2e_latency": null, "num_input_tokens": null, "num_output_tokens": null, "error_code": 429, "error_message": "slow down"}], "_time_unit": "ms"}`))
	r := load(t, s)
	equal(t, "TTFT", fmt.Sprint(r.cols[ingest.TTFT]), "[0.0325]")
	equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[1.82]")
	equal(t, "failed", r.Of(ingest.Failed), 1)
	equal(t, "notes", len(notes(s)), 0)
	if _, err := GenAIBench.Open(textFile(`{"individual_request_metrics": [], "_time_unit": "parsec"}`)); err == nil || !strings.Contains(err.Error(), "parsec") {
		t.Errorf("another unit: %v", err)
	}
}

func TestInferenceX(t *testing.T) {
	s := open(t, "inferencex", textFile("user_id,request_idx,trace_id,timestamp,request_type,input_tokens,output_tokens_expected,output_tokens_actual,cache_hit_blocks,cache_miss_blocks,ttft,ttlt,itl,delay_expected,delay_actual,success,error_message,request_start_time,prefill_complete_time,request_complete_time,token_timestamps,tokens_per_chunk\n"+
		`u1,0,t1,0.5,chat,900,50,40,3,4,0.25,1.5,0.03,1.0,1.1,True,,1700000000.5,1700000000.75,1700000002.0,"[1700000000.75, 1700000001.25, 1700000002.0]","[14, 14, 12]"`+"\n"+
		`u1,1,t1,2.5,chat,900,50,0,3,4,0,0,0,1.0,1.1,False,,1700000003.5,0,0,[],[]`+"\n"))
	r := load(t, s)
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok error")
	equal(t, "latency", fmt.Sprint(r.cols[ingest.TTFT], r.cols[ingest.E2E]), "[0.25] [1.5]")
	equal(t, "served tokens", fmt.Sprint(r.cols[ingest.OutputTokens], r.generic["requested_tokens"]), "[40] [50]")
	equal(t, "gaps between chunks", fmt.Sprint(lists(t, s, "chunk_gap_s")[0]), "[0.5 0.75]")
	equal(t, "session", r.all[ingest.Session][1], "u1")
}

func TestLLMeter(t *testing.T) {
	s := open(t, "llmeter", textFile(`{"response_text": "x", "input_payload": {"a": [1, 2]}, "id": "r1", "input_prompt": "p", "time_to_first_token": 0.25, "time_to_last_token": 1.25, "num_tokens_input": 10, "num_tokens_output": 5, "num_tokens_input_cached": 4, "num_tokens_output_reasoning": 2, "time_per_output_token": 0.25, "error": null, "retries": 0, "request_time": "2026-01-02T03:04:05.5+00:00"}
{"response_text": null, "id": "r2", "time_to_first_token": null, "time_to_last_token": null, "num_tokens_input": null, "num_tokens_output": null, "error": "Read timed out", "request_time": "2026-01-02T03:04:06Z"}
`))
	r := load(t, s)
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok timeout")
	equal(t, "TPOT", fmt.Sprint(r.tpot), "[0.25]")
	equal(t, "cached", fmt.Sprint(r.cols[ingest.CachedTokens], r.generic["reasoning_tokens"]), "[4] [2]")
	equal(t, "start", times(t, s, "start")[0], 1767323045_500_000_000)
}

func TestLoadGen(t *testing.T) {
	event := func(name, ph string, ts float64, args string) string {
		return fmt.Sprintf(`{"name": "%s", "cat": "default", "ph": "%s", "id": 0, "pid": 7, "tid": 139, "ts": %g%s},`+"\n", name, ph, ts, args)
	}
	args := func(seq, issue, end int) string {
		return fmt.Sprintf(`, "args": { "sample_seq" : %d, "query_seq" : %d, "sample_idx" : 5, "issue_start_ns" : %d, "complete_ns" : %d }`, seq, seq, issue, end)
	}
	head := "{ \"traceEvents\": [\n" + `{ "name": "Wait", "ph": "X", "pid": 7, "tid": 139, "ts": 1, "dur": 5, "args": {  }},` + "\n"
	tail := "{ \"name\": \"LastTrace\" }\n],\n\"displayTimeUnit\": \"ns\",\n\"otherData\": {\n\"version\": \"MLPerf LoadGen\"\n}\n}\n"
	body := func(perUS float64) string {
		return event("Token", "b", 1000*perUS, args(3, 200000, 500000)) + event("Token", "e", 1500*perUS, "") +
			event("Sample", "b", 1000*perUS, args(3, 200000, 2000000)) + event("Sample", "e", 3000*perUS, "") +
			event("Sample", "b", 2000*perUS, args(4, 0, 1000000)) + event("Sample", "e", 3000*perUS, "")
	}
	for _, c := range []struct {
		why, file string
		notes     int
	}{
		{"microseconds", head + body(1) + tail, 0},
		{"nanoseconds, as the first versions wrote", head + body(1000) + tail, 0},
		{"stopped", head + body(1), 1},
	} {
		t.Run(c.why, func(t *testing.T) {
			s := open(t, "loadgen", textFile(c.file))
			r := load(t, s)
			equal(t, "ok", r.Of(ingest.OK), 2)
			equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[0.0018 0.001]")
			near(t, "TTFT", r.cols[ingest.TTFT][0], 0.0003, 1e-12)
			equal(t, "start", times(t, s, "start")[0], 1_200_000)
			equal(t, "scheduled", times(t, s, "scheduled")[0], 1_000_000)
			equal(t, "notes", len(notes(s)), c.notes)
		})
	}
	if _, err := LoadGen.Open(textFile(head + tail)); err == nil || !strings.Contains(err.Error(), "enable_trace") {
		t.Errorf("an empty trace: %v", err)
	}
	cut := head + body(1)
	if _, err := LoadGen.Open(textFile(cut[:len(cut)-20])); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("a trace cut within an event: %v", err)
	}
}

func TestVegetaLayouts(t *testing.T) {
	jsonl := `{"attack":"","seq":0,"code":200,"timestamp":"2026-01-02T03:04:05.123456789Z","latency":25000000,"bytes_out":0,"bytes_in":20,"error":"","body":"e30=","method":"GET","url":"http://h/","headers":{"A":["b"]}}
{"attack":"","seq":1,"code":302,"timestamp":"2026-01-02T03:04:05.2Z","latency":26000000,"bytes_out":0,"bytes_in":0,"error":""}
{"attack":"","seq":2,"code":503,"timestamp":"2026-01-02T03:04:05.3Z","latency":1000000,"bytes_out":0,"bytes_in":0,"error":"503 Service Unavailable"}
{"attack":"","seq":3,"code":0,"timestamp":"2026-01-02T03:04:05.4Z","latency":300000,"bytes_out":0,"bytes_in":0,"error":"Get \"http://h/\": dial tcp: connect: connection refused"}
{"attack":"","seq":4,"code":0,"timestamp":"2026-01-02T03:04:05.5Z","latency":30000000000,"bytes_out":0,"bytes_in":0,"error":"context deadline exceeded (Client.Timeout exceeded while awaiting headers)"}
`
	header := "timestamp,code,latency,bytes_out,bytes_in,error,body,attack,seq,method,url,headers\n"
	rows := []string{
		`1767323045123456789,200,25000000,0,20,,e30=,,0,GET,http://h/,QQ==`, `1767323045200000000,302,26000000,0,0,,,,1,GET,http://h/,`,
		`1767323045300000000,503,1000000,0,0,503 Service Unavailable,,,2,GET,http://h/,`,
		`1767323045400000000,0,300000,0,0,"Get ""http://h/"": dial tcp: connect: connection refused",,,3,GET,http://h/,`,
		`1767323045500000000,0,30000000000,0,0,context deadline exceeded (Client.Timeout exceeded while awaiting headers),,,4,GET,http://h/,`,
	}
	old := strings.Join([]string{rows[0][:len(rows[0])-len(",GET,http://h/,QQ==")], strings.TrimSuffix(rows[1], ",GET,http://h/,"), strings.TrimSuffix(rows[2], ",GET,http://h/,"), strings.TrimSuffix(rows[3], ",GET,http://h/,"), strings.TrimSuffix(rows[4], ",GET,http://h/,")}, "\n")
	for why, file := range map[string]string{"json": jsonl, "csv": strings.Join(rows, "\n"), "csv with names": header + strings.Join(rows, "\n") + "\n", "csv of nine columns": old} {
		t.Run(why, func(t *testing.T) {
			s := open(t, "vegeta", textFile(file))
			r := load(t, s)
			equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok ok error error timeout")
			equal(t, "latency", fmt.Sprint(r.cols[ingest.Latency]), "[0.025 0.026]")
			equal(t, "start", times(t, s, "start")[0], 1767323045123456789)
			equal(t, "columns", strings.Join(names(s), " "), "request_id status error start latency_s http_status")
		})
	}
}

func TestK6Joins(t *testing.T) {
	point := func(metric, at, tags string, v float64) string {
		return fmt.Sprintf(`{"metric":"%s","type":"Point","data":{"time":"2026-01-02T03:04:%sZ","value":%g,"tags":{%s}}}`+"\n", metric, at, v, tags)
	}
	ok, bad := `"expected_response":"true","status":"200","scenario":"a"`, `"expected_response":"false","status":"0","error":"request timeout","error_code":"1050","scenario":"b"`
	file := `{"type":"Metric","data":{"name":"http_reqs"},"metric":"http_reqs"}` + "\n" +
		point("http_reqs", "05.5", ok, 1) + point("http_req_duration", "05.5", ok, 500) + point("http_req_waiting", "05.5", ok, 250) + point("http_req_failed", "05.5", ok, 0) +
		point("checks", "05.5", ok, 1) +
		// The same time and tags again: another request.
		point("http_reqs", "05.5", ok, 1) + point("http_req_duration", "05.5", ok, 250) + point("http_req_failed", "05.5", ok, 0) +
		point("http_reqs", "06", bad, 1) + point("http_req_duration", "06", bad, 0) + point("http_req_failed", "06", bad, 1) +
		point("dropped_iterations", "07", `"scenario":"a"`, 12)
	s := open(t, "k6", textFile(file))
	r := load(t, s)
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok ok timeout")
	equal(t, "latency", fmt.Sprint(r.cols[ingest.Latency]), "[0.5 0.25]")
	equal(t, "first byte", fmt.Sprint(r.generic["ttfb_s"]), "[0.25]")
	equal(t, "stages", strings.Join(r.all[ingest.Stage], " "), "a a b")
	equal(t, "start", times(t, s, "start")[0], 1767323045_000_000_000)
	noteWith(t, s, "skipped 12 iterations")

	// Lines of the duration alone, as grep leaves them.
	r = load(t, open(t, "k6", textFile(point("http_req_duration", "05.5", ok, 500)+point("http_req_duration", "05.5", ok, 250))))
	equal(t, "rows", r.Total(), 2)
	for stamp, want := range map[string]int64{"1767323045": 1767323045e9, "1767323045123": 1767323045123e6, "1767323045123456": 1767323045123456e3, "1767323045123456789": 1767323045123456789, "2026-01-02T03:04:05Z": 1767323045e9} {
		if got, ok := k6Time(stamp); !ok || got != want {
			t.Errorf("time %s is %d, want %d", stamp, got, want)
		}
	}
}

func TestOha(t *testing.T) {
	s := open(t, "oha", textFile("request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n0.5,0.001,0.002,0.01,0.025,20,200\n0.75,0,0,0,0.05,20,200\n"))
	r := load(t, s)
	equal(t, "latency", fmt.Sprint(r.cols[ingest.Latency]), "[0.025 0.05]")
	equal(t, "first byte", fmt.Sprint(r.generic["ttfb_s"]), "[0.01]")
	noteWith(t, s, "success rate of this file is no measurement")
}

func TestBurstGPTNewer(t *testing.T) {
	s := open(t, "burstgpt", textFile("Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n5.5,s1,2.5,GPT-4,10,20,30,API log\n6,s1,0,GPT-4,0,0,0,API log\n"))
	r := load(t, s)
	equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[2.5]")
	equal(t, "failed", r.Of(ingest.Failed), 1)
	equal(t, "notes", len(notes(s)), 0)
}

// times reads a column of times.
func times(tb testing.TB, s ingest.Source, name string) (out []int64) {
	tb.Helper()
	for p := range s.Partitions() {
		err := s.Scan(context.Background(), p, []ingest.Request{{Column: index(tb, s, name), Form: ingest.Time}}, func(b *ingest.Batch) error {
			out = append(out, b.Cols[0].Times[:b.N]...)
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return out
}
