package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// InferencePerf reads per_request_lifecycle_metrics.json of inference-perf, of
// all its versions. Times are in seconds of a monotonic clock. The first token
// is the first message with content, e2e ends with the last one. The server's
// token counts win over those of the client's tokenizer, which were about twice
// too high for a time. A request failed if it has an error.
//
// Current versions do not write which stage of the load a request belongs to,
// nor when it should have been sent; stage_id and scheduled_time are read where
// they stand.
var InferencePerf = ingest.Format{Name: "inference-perf", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.has("[].start_time", "[].end_time", "[].request") && s.hasAny("[].info", "[].error", "[].response") || isLifecycleSummary(&s)
}, Open: openInferencePerf}

func isLifecycleSummary(s *shape) bool { return s.has("load_summary", "successes") }

func openInferencePerf(f ingest.File) (ingest.Source, error) {
	if s := look(fileHead(f)); isLifecycleSummary(&s) {
		return nil, errors.New("the file holds aggregates only; run inference-perf again with report.request_lifecycle.per_request: true and give per_request_lifecycle_metrics.json")
	}
	t, err := openTable(f, layout{harness: "inference-perf", each: func(s *scan) error {
		p := lifecycle{w: &s.row}
		return s.records(p.read)
	}})
	if err != nil {
		return nil, err
	}
	staged := false
	for _, c := range t.cols {
		staged = staged || c == colStage
	}
	if !staged {
		t.layout.info.note("the file does not tell which stage of the load a request belongs to; if the run had several, they are mixed here")
		t.meta = t.layout.info.metadata()
	}
	return t, nil
}

// lifecycle reads one record after another.
type lifecycle struct {
	w               *row
	end             int64
	ended, failed   bool
	errText         string
	chunks, tokens  []int64
	clientIn, input float64
	clientOut       float64
}

func (p *lifecycle) read(r *jsonReader) {
	*p = lifecycle{w: p.w, chunks: p.chunks[:0], tokens: p.tokens[:0], clientIn: missing, input: missing, clientOut: missing}
	r.object(func(key []byte) {
		switch string(key) {
		case "start_time":
			r.time(p.w, colStart, ingest.Second)
		case "end_time":
			p.end, p.ended = r.nanos(ingest.Second)
		case "scheduled_time":
			r.time(p.w, colScheduled, ingest.Second)
		case "stage_id":
			r.text(p.w, colStage)
		case "session_id":
			r.text(p.w, colSession)
		case "info":
			p.info(r)
		case "error":
			p.failure(r)
		}
	})
	p.finish()
}

// info reads counts and times, in whatever part of info a version puts them.
func (p *lifecycle) info(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		switch string(key) {
		case "request_metrics", "response_metrics", "response_info", "text":
			p.info(r)
		case "input_tokens":
			p.clientIn, _ = r.float()
		case "output_tokens":
			p.clientOut, _ = r.float()
		case "chunk_times":
			p.chunks, _ = r.times(p.chunks[:0], ingest.Second)
		case "output_token_times":
			p.tokens, _ = r.times(p.tokens[:0], ingest.Second)
		case "server_usage":
			p.usage(r)
		}
	})
}

func (p *lifecycle) usage(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		switch string(key) {
		case "prompt_tokens":
			r.number(p.w, colPromptTokens, ingest.One)
		case "completion_tokens":
			r.number(p.w, colOutputTokens, ingest.One)
			p.w.counted = byServer
		case "prompt_tokens_details":
			p.usage(r)
		case "cached_tokens":
			r.number(p.w, colCachedTokens, ingest.One)
		}
	})
}

func (p *lifecycle) failure(r *jsonReader) {
	switch r.peek() {
	case '{':
		p.failed = true
		typ, msg := "", ""
		r.object(func(key []byte) {
			switch string(key) {
			case "error_type":
				typ = r.string()
			case "error_msg":
				msg = firstLine(r.string())
			}
		})
		p.errText = typ + ": " + msg
	case '"':
		p.errText = firstLine(r.string())
		p.failed = p.errText != ""
	}
}

func (p *lifecycle) finish() {
	w := p.w
	if !w.has.has(colPromptTokens) && !isMissing(p.clientIn) {
		w.setNumber(colPromptTokens, p.clientIn)
	}
	if !w.has.has(colOutputTokens) && !isMissing(p.clientOut) {
		w.setNumber(colOutputTokens, p.clientOut)
		w.counted = byClient
	}
	stamps := p.chunks
	if len(stamps) == 0 {
		stamps = p.tokens
	}
	start := w.at[colStart]
	switch {
	case !w.has.has(colStart):
	case len(stamps) > 0:
		w.setNumber(colTTFT, seconds(start, stamps[0]))
		w.setNumber(colE2E, seconds(start, stamps[len(stamps)-1]))
		w.stamps(stamps)
	case p.ended:
		w.setNumber(colE2E, seconds(start, p.end))
	}
	if p.failed {
		w.setWord(colError, p.errText)
		w.drop()
		w.fail(statusOf(p.errText))
		return
	}
	w.zeroFails("the answer is empty")
}

// stamps takes the gaps between times.
func (w *row) stamps(at []int64) {
	w.gaps = w.gaps[:0]
	for i := 1; i < len(at); i++ {
		w.gaps = append(w.gaps, seconds(at[i-1], at[i]))
	}
	w.setGaps()
}
