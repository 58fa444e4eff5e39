package harness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The texts of this file are built from the descriptions of the layouts.

func TestOTel(t *testing.T) {
	span := func(id, start, end, attrs, status string) string {
		return fmt.Sprintf(`{"traceId":"t","spanId":"%s","name":"chat m","kind":3,"startTimeUnixNano":"%s","endTimeUnixNano":"%s","attributes":[%s],"status":{%s}}`, id, start, end, attrs, status)
	}
	attr := func(key, typ, val string) string { return fmt.Sprintf(`{"key":"%s","value":{"%s":%s}}`, key, typ, val) }
	chat := attr("gen_ai.operation.name", "stringValue", `"chat"`) + "," + attr("gen_ai.request.model", "stringValue", `"m"`)
	file := `{"resourceSpans":[{"resource":{"attributes":[` + attr("service.name", "stringValue", `"app"`) + "," + attr("service.instance.id", "stringValue", `"i1"`) + `]},"scopeSpans":[{"scope":{"name":"x"},"spans":[` +
		span("s1", "1767323045000000000", "1767323046500000000", chat+","+attr("gen_ai.usage.input_tokens", "intValue", `"10"`)+","+attr("gen_ai.usage.output_tokens", "intValue", `"5"`)+","+attr("gen_ai.response.time_to_first_chunk", "doubleValue", "0.5")+","+attr("gen_ai.usage.cache_read.input_tokens", "intValue", `"4"`), "") + "," +
		span("s2", "1767323045000000000", "1767323049000000000", attr("gen_ai.operation.name", "stringValue", `"invoke_agent"`), "") + "," +
		span("s3", "1767323047000000000", "1767323077000000000", chat+","+attr("error.type", "stringValue", `"timeout"`), `"code":2,"message":"no answer\nin time"`) +
		`]}]}]}` + "\n" +
		`{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[` +
		span("s4", "1767323048000000000", "1767323048250000000", attr("openinference.span.kind", "stringValue", `"LLM"`)+","+attr("llm.token_count.prompt", "intValue", "7")+","+attr("llm.token_count.completion", "intValue", "3"), `"code":"STATUS_CODE_OK"`) + "," +
		span("s5", "1767323048000000000", "1767323058000000000", attr("openinference.span.kind", "stringValue", `"CHAIN"`)+","+attr("llm.model_name", "stringValue", `"m"`), "") +
		`]}]}]}` + "\n"
	s := open(t, "otel", textFile(file))
	r := load(t, s)
	equal(t, "spans", strings.Join(r.all[ingest.RequestID], " "), "s1 s3 s4")
	equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok timeout ok")
	equal(t, "errors", strings.Join(r.all[ingest.Error], "|"), "|timeout no answer|")
	equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[1.5 0.25]")
	equal(t, "TTFT", fmt.Sprint(r.cols[ingest.TTFT]), "[0.5]")
	equal(t, "tokens", fmt.Sprint(r.cols[ingest.PromptTokens], r.cols[ingest.OutputTokens], r.cols[ingest.CachedTokens]), "[10 7] [5 3] [4]")
	equal(t, "replicas", strings.Join(r.all[ingest.Replica], " "), "i1 i1 ")
	equal(t, "model", meta(s, "fingerprint.model"), "m")
	noteWith(t, s, "2 spans that are no LLM calls were left out")

	_, err := OTel.Open(textFile(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + span("a", "1", "2", "", "") + `]}]}]}`))
	if err == nil || !strings.Contains(err.Error(), "gen_ai.operation.name") {
		t.Errorf("no LLM span: %v", err)
	}
}

func TestLiteLLM(t *testing.T) {
	jsonl := `{"request_id":"a","call_type":"acompletion","spend":0.1,"prompt_tokens":10,"completion_tokens":5,"startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:06.500Z","completionStartTime":"2026-01-02T03:04:05.250Z","model":"m","api_base":"http://h","cache_hit":"","metadata":{"status":"success","usage_object":{"prompt_tokens_details":{"cached_tokens":4}}},"session_id":"s","status":"success"}
{"request_id":"b","call_type":"acompletion","spend":0,"prompt_tokens":10,"completion_tokens":5,"startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:05.003Z","completionStartTime":"2026-01-02T03:04:05.003Z","model":"m","api_base":"","cache_hit":"True","metadata":{},"status":"success"}
{"request_id":"c","call_type":"acompletion","spend":0.1,"prompt_tokens":10,"completion_tokens":5,"startTime":"2026-01-02T03:04:07.000Z","endTime":"2026-01-02T03:04:09.000Z","completionStartTime":"2026-01-02T03:04:09.000Z","model":"m","api_base":"http://h","cache_hit":"False","metadata":{},"status":"success"}
{"request_id":"d","call_type":"acompletion","spend":0,"prompt_tokens":0,"completion_tokens":0,"startTime":"2026-01-02T03:04:07.000Z","endTime":"2026-01-02T03:04:08.000Z","completionStartTime":null,"model":"m","api_base":"http://h","cache_hit":"","metadata":{"error_information":{"error_message":"litellm.Timeout: slow"}},"status":"failure"}
{"request_id":"e","call_type":"aembedding","spend":0,"prompt_tokens":9,"completion_tokens":0,"startTime":"2026-01-02T03:04:07.000Z","endTime":"2026-01-02T03:04:07.100Z","model":"e","status":"success"}
`
	csv := "request_id,call_type,prompt_tokens,completion_tokens,startTime,endTime,completionStartTime,model,api_base,cache_hit,session_id,status,error_str\n" +
		"a,acompletion,10,5,2026-01-02 03:04:05.000,2026-01-02 03:04:06.500,2026-01-02 03:04:05.250,m,http://h,,s,success,\n" +
		"b,acompletion,10,5,2026-01-02 03:04:05.000,2026-01-02 03:04:05.003,2026-01-02 03:04:05.003,m,,True,,success,\n" +
		"c,acompletion,10,5,2026-01-02 03:04:07.000,2026-01-02 03:04:09.000,2026-01-02 03:04:09.000,m,http://h,False,,success,\n" +
		"d,acompletion,0,0,2026-01-02 03:04:07.000,2026-01-02 03:04:08.000,,m,http://h,,,failure,litellm.Timeout: slow\n" +
		"e,aembedding,9,0,2026-01-02 03:04:07.000,2026-01-02 03:04:07.100,,e,,,,success,\n"
	array := "[" + strings.ReplaceAll(strings.TrimSpace(jsonl), "\n", ",\n") + "]"
	for why, file := range map[string]string{"lines": jsonl, "array": array, "csv": csv} {
		t.Run(why, func(t *testing.T) {
			s := open(t, "litellm", textFile(file))
			r := load(t, s)
			equal(t, "calls", strings.Join(r.all[ingest.RequestID], " "), "a c d")
			equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok ok timeout")
			equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E]), "[1.5 2]")
			equal(t, "TTFT of what was streamed", fmt.Sprint(r.cols[ingest.TTFT]), "[0.25]")
			noteWith(t, s, "cache answered were left out")
			noteWith(t, s, "embeddings")
		})
	}
}

func TestLangfuse(t *testing.T) {
	jsonl := `{"id":"a","traceId":"t","type":"GENERATION","startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:06.500Z","completionStartTime":"2026-01-02T03:04:05.250Z","model":"m","latency":1500,"timeToFirstToken":250,"usageDetails":{"input":10,"output":5,"total":15,"input_cached_tokens":4},"level":"DEFAULT","statusMessage":null}
{"id":"b","traceId":"t","type":"SPAN","startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:09.500Z","level":"DEFAULT"}
{"id":"c","traceId":"t","type":"GENERATION","startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:35.000Z","completionStartTime":null,"model":"m","usageDetails":{},"level":"ERROR","statusMessage":"Request timed out.\nTraceback"}
`
	csv := "id,traceId,type,startTime,endTime,completionStartTime,model,usageDetails,level,statusMessage\n" +
		`a,t,GENERATION,2026-01-02T03:04:05.000Z,2026-01-02T03:04:06.500Z,2026-01-02T03:04:05.250Z,m,"{""input"":10,""output"":5,""input_cached_tokens"":4}",DEFAULT,` + "\n" +
		"b,t,SPAN,2026-01-02T03:04:05.000Z,2026-01-02T03:04:09.500Z,,,,DEFAULT,\n" +
		"c,t,GENERATION,2026-01-02T03:04:05.000Z,2026-01-02T03:04:35.000Z,,m,{},ERROR,\"Request timed out.\nTraceback\"\n"
	for why, file := range map[string]string{"lines": jsonl, "csv": csv} {
		t.Run(why, func(t *testing.T) {
			s := open(t, "langfuse", textFile(file))
			r := load(t, s)
			equal(t, "calls", strings.Join(r.all[ingest.RequestID], " "), "a c")
			equal(t, "status", strings.Join(r.all[ingest.Status], " "), "ok timeout")
			equal(t, "error", r.all[ingest.Error][1], "Request timed out.")
			equal(t, "latency", fmt.Sprint(r.cols[ingest.E2E], r.cols[ingest.TTFT]), "[1.5] [0.25]")
			equal(t, "tokens", fmt.Sprint(r.cols[ingest.PromptTokens], r.cols[ingest.OutputTokens], r.cols[ingest.CachedTokens]), "[10] [5] [4]")
			noteWith(t, s, "only generations are calls")
		})
	}
}
