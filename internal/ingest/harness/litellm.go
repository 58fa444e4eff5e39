package harness

import (
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// LiteLLM reads exports of the proxy's table LiteLLM_SpendLogs, as CSV, JSON or
// JSON lines. Times have milliseconds. The first token is completionStartTime
// unless that is the end: then the call was not streamed and has none. A call
// that the proxy's cache answered never reached a model and is left out. A
// call failed if its status says so.
var LiteLLM = ingest.Format{Name: "litellm", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	for _, at := range []string{"", "[]."} {
		if s.has(at+"startTime", at+"endTime", at+"request_id") && s.hasAny(at+"call_type", at+"spend", at+"model_group") {
			return true
		}
	}
	return s.columns("request_id", "startTime", "endTime", "completion_tokens")
}, Open: func(f ingest.File) (ingest.Source, error) {
	return openTable(f, layout{harness: "litellm", lines: true, each: func(s *scan) error {
		return s.exports([]string{"request_id", "startTime", "endTime"}, litellmField, litellmFinish)
	}})
}}

func litellmField(x *export, name string, val []byte) {
	switch name {
	case "request_id":
		x.parseText(colRequestID, val)
	case "startTime":
		x.parseTime(colStart, val, ingest.Second)
	case "endTime":
		x.end, x.ended = stamp(val, ingest.Second)
	case "completionStartTime":
		x.first, x.begun = stamp(val, ingest.Second)
	case "prompt_tokens":
		x.parseNumber(colPromptTokens, val, ingest.One)
	case "completion_tokens":
		x.parseNumber(colOutputTokens, val, ingest.One)
		x.counted = byServer
	case "metadata.usage_object.prompt_tokens_details.cached_tokens":
		x.parseNumber(colCachedTokens, val, ingest.One)
	case "model":
		x.parseText(colModel, val)
	case "api_base":
		x.parseText(colReplica, val)
	case "session_id":
		x.parseText(colSession, val)
	case "status":
		x.status = strings.ToLower(string(val))
	case "cache_hit":
		x.hit = strings.ToLower(string(val))
	case "call_type":
		x.kind = string(val)
	case "metadata.status":
		if x.status == "" {
			x.status = strings.ToLower(string(val))
		}
	case "metadata.error_information.error_message", "exception", "error_str":
		x.text = firstLine(string(val))
	}
}

func litellmFinish(s *scan, x *export) bool {
	x.spans()
	if x.hit == "true" {
		if s.info != nil {
			s.info.note("calls that the proxy's cache answered were left out")
		}
		return false
	}
	if strings.Contains(x.kind, "embedding") || strings.Contains(x.kind, "image") || strings.Contains(x.kind, "moderation") {
		if s.info != nil {
			s.info.note("calls for embeddings, images and moderation were left out")
		}
		return false
	}
	if x.text != "" {
		x.setWord(colError, x.text)
	}
	switch {
	case x.status != "" && x.status != "success" || x.text != "":
		x.fail(statusOf(x.status + " " + x.text))
	default:
		x.zeroFails("no completion tokens")
	}
	return true
}
