package harness

import (
	"bytes"
	"context"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Langfuse reads exports of observations, as CSV, JSON or JSON lines. Only
// generations are calls of a model; spans and events are left out. Latencies
// come from the times: the exports give the computed ones in seconds or in
// milliseconds, depending on where they were made. The first token is
// completionStartTime unless that is the end. A call failed if its level is
// ERROR.
var Langfuse = ingest.Format{Name: "langfuse", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	for _, at := range []string{"", "[]."} {
		if s.has(at+"startTime", at+"endTime") && s.hasAny(at+"completionStartTime", at+"statusMessage", at+"usageDetails") && s.hasAny(at+"level", at+"traceId", at+"usageDetails") {
			return true
		}
	}
	return s.columns("startTime", "endTime", "level") || s.columns("startTime", "endTime", "completionStartTime")
}, Open: func(f ingest.File) (ingest.Source, error) {
	return openTable(f, layout{harness: "langfuse", lines: true, each: func(s *scan) error { return s.exports([]string{"startTime", "endTime"}, langfuseField, langfuseFinish) },
		empty: "the file holds no generation: langfuse exports spans and events beside them, and only generations are calls of a model"})
}}

func langfuseField(x *export, name string, val []byte) {
	number := func(c column) {
		if !x.row.has.has(c) {
			x.parseNumber(c, val, ingest.One)
		}
	}
	switch name {
	case "id":
		x.parseText(colRequestID, val)
	case "sessionId":
		x.parseText(colSession, val)
	case "type":
		x.kind = strings.ToUpper(string(val))
	case "model", "providedModelName":
		x.parseText(colModel, val)
	case "startTime":
		x.parseTime(colStart, val, ingest.Second)
	case "endTime":
		x.end, x.ended = stamp(val, ingest.Second)
	case "completionStartTime":
		x.first, x.begun = stamp(val, ingest.Second)
	case "level":
		x.level = strings.ToUpper(string(val))
	case "statusMessage":
		x.text = firstLine(string(val))
	case "usageDetails.input", "usage.input", "promptTokens", "inputTokens":
		number(colPromptTokens)
	case "usageDetails.output", "usage.output", "completionTokens", "outputTokens":
		number(colOutputTokens)
	case "usageDetails.input_cached_tokens", "usageDetails.cache_read_input_tokens":
		number(colCachedTokens)
	case "usageDetails.output_reasoning_tokens":
		number(colReasoningTokens)
	case "usageDetails", "usage": // JSON in a cell of a CSV file
		if len(val) > 1 && val[0] == '{' {
			r := newJSON(context.Background(), ingest.File{Size: int64(len(val)), ReaderAt: bytes.NewReader(val)}, 0)
			x.members(r, name, langfuseField)
		}
	}
}

func langfuseFinish(s *scan, x *export) bool {
	if x.kind != "" && x.kind != "GENERATION" {
		if s.info != nil {
			s.info.note("spans and events were left out: only generations are calls of a model")
		}
		return false
	}
	x.spans()
	if x.level == "ERROR" {
		if x.text == "" {
			x.text = "level ERROR"
		}
		x.setWord(colError, x.text)
		x.fail(statusOf(x.text))
		return true
	}
	if !x.ended {
		x.setWord(colError, "no end")
		x.fail(statusIncomplete)
		return true
	}
	x.zeroFails("no output tokens")
	return true
}
