package harness

import (
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// OTel reads spans of LLM calls in OTLP JSON, as the OpenTelemetry collector's
// file exporter writes them, by the GenAI conventions of all versions and those
// of OpenInference. A span is an LLM call if its operation is chat, text
// completion or content generation, or its kind is LLM; agents, tools and
// chains, which contain calls, are left out. e2e is the span; the first token
// is time_to_first_chunk where it is recorded. A call failed if its status is
// an error or it has an error type.
var OTel = ingest.Format{Name: "otel", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.first == '{' && s.hasAny("resourceSpans", "resource_spans") || s.first == '[' && s.has("[].resourceSpans")
}, Open: func(f ingest.File) (ingest.Source, error) {
	return openTable(f, layout{harness: "opentelemetry", lines: true, each: eachSpan,
		empty: "the file holds no span of an LLM call: none has gen_ai.operation.name chat, text_completion or generate_content, gen_ai.request.model, or the OpenInference kind LLM"})
}}

// eachSpan walks over the spans of all requests to export.
func eachSpan(s *scan) error {
	o := otel{s: s}
	r := s.json()
	r.records(func() { o.export(r) })
	if o.others > 0 && s.info != nil {
		s.info.note("%d spans that are no LLM calls were left out", o.others)
	}
	return r.err
}

// otel reads one span after another.
type otel struct {
	s       *scan
	replica string
	others  int

	op, kind, errType, model string
	call, failed             bool
	end                      int64
	ended                    bool
	prompt, output           float64
}

// each calls fn for the elements of an array, if the next value is one.
func (r *jsonReader) each(fn func()) {
	if r.peek() == '[' {
		r.array(fn)
	}
}

// fields calls fn for the members of an object, if the next value is one.
func (r *jsonReader) fields(fn func(key string)) {
	if r.peek() == '{' {
		r.object(func(key []byte) { fn(string(key)) })
	}
}

func (o *otel) export(r *jsonReader) {
	r.fields(func(key string) {
		if key != "resourceSpans" && key != "resource_spans" {
			return
		}
		r.each(func() {
			o.replica = ""
			r.fields(func(key string) {
				switch key {
				case "resource":
					r.fields(func(key string) {
						if key == "attributes" {
							r.each(func() { o.resource(r) })
						}
					})
				case "scopeSpans", "scope_spans", "instrumentationLibrarySpans":
					r.each(func() {
						r.fields(func(key string) {
							if key == "spans" {
								r.each(func() { o.span(r) })
							}
						})
					})
				}
			})
		})
	})
}

// attribute reads a key and its value; integers may be spelt as texts.
func (r *jsonReader) attribute() (key, val string) {
	r.fields(func(k string) {
		switch k {
		case "key":
			key = r.string()
		case "value":
			r.fields(func(string) { val = r.string() })
		}
	})
	return key, val
}

func (o *otel) resource(r *jsonReader) {
	key, val := r.attribute()
	switch key {
	case "service.instance.id":
		o.replica = val
	case "service.name", "service.version", "deployment.environment.name":
		if o.s.info != nil {
			o.s.info.print(key, val)
		}
	}
}

func (o *otel) span(r *jsonReader) {
	w := &o.s.row
	*o = otel{s: o.s, replica: o.replica, others: o.others, prompt: missing, output: missing}
	r.fields(func(key string) {
		switch key {
		case "spanId", "span_id":
			r.text(w, colRequestID)
		case "startTimeUnixNano", "start_time_unix_nano":
			r.time(w, colStart, ingest.Nanosecond)
		case "endTimeUnixNano", "end_time_unix_nano":
			o.end, o.ended = r.nanos(ingest.Nanosecond)
		case "attributes":
			r.each(func() { o.attribute(r) })
		case "status":
			r.fields(func(key string) {
				switch key {
				case "code":
					code := r.string()
					o.failed = code == "2" || code == "STATUS_CODE_ERROR"
				case "message":
					r.text(w, colError)
				}
			})
		}
	})
	if r.err != nil {
		return
	}
	if !o.isCall() {
		o.others++
		w.reset()
		return
	}
	o.finish()
	o.s.put(r)
}

func (o *otel) attribute(r *jsonReader) {
	w := &o.s.row
	key, val := r.attribute()
	number := func(c column) { w.parseNumber(c, []byte(val), ingest.One) }
	switch key {
	case "gen_ai.operation.name":
		o.op = val
	case "openinference.span.kind":
		o.kind = strings.ToUpper(val)
	case "gen_ai.request.model", "gen_ai.response.model", "llm.model_name":
		o.call = true
		if o.model == "" || key == "gen_ai.response.model" {
			o.model = val
		}
	case "gen_ai.conversation.id", "session.id":
		w.parseText(colSession, []byte(val))
	case "gen_ai.response.time_to_first_chunk", "gen_ai.server.time_to_first_token":
		number(colTTFT)
	case "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt":
		number(colPromptTokens)
	case "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion":
		number(colOutputTokens)
		if strings.HasPrefix(key, "gen_ai.usage.") {
			w.counted = byServer
		}
	case "gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read":
		number(colCachedTokens)
	case "gen_ai.usage.reasoning.output_tokens", "llm.token_count.completion_details.reasoning":
		number(colReasoningTokens)
	case "error.type":
		o.errType = val
	case "server.address":
		w.parseText(colEndpoint, []byte(val))
	}
}

// isCall reports whether the span is one call of a model.
func (o *otel) isCall() bool {
	switch {
	case o.kind != "":
		return o.kind == "LLM"
	case o.op != "":
		return o.op == "chat" || o.op == "text_completion" || o.op == "generate_content" || o.op == "completion"
	}
	return o.call
}

func (o *otel) finish() {
	w := &o.s.row
	if o.replica != "" {
		w.setWord(colReplica, o.replica)
	}
	if o.model != "" {
		w.setWord(colModel, o.model)
		if o.s.info != nil {
			o.s.info.print("model", o.model)
		}
	}
	if w.has.has(colStart) && o.ended {
		w.setNumber(colE2E, seconds(w.at[colStart], o.end))
	}
	text := o.errType
	if w.has.has(colError) {
		text = strings.TrimSpace(text + " " + firstLine(string(w.text[colError])))
	}
	if o.failed || o.errType != "" {
		if text == "" {
			text = "status ERROR"
		}
		w.setWord(colError, text)
		w.fail(statusOf(text))
		return
	}
	w.clear(colError) // a remark of a success
	w.setWord(colStatus, statusOK)
}
