package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// GenAIPerf reads profile_export.json of NVIDIA GenAI-Perf and of Triton's
// perf_analyzer. An experiment is a load step of its own. All times are
// nanoseconds since 1970. The first token is the first response with content:
// a message of a role only, an empty one and [DONE] are none. Token counts are
// not written; where a response carries the server's usage, they are read from
// it. Failed requests are absent, so that a success rate cannot be known.
var GenAIPerf = ingest.Format{Name: "genai-perf", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.first == '{' && s.has("experiments") && (s.hasAny("service_kind", "version", "endpoint") || s.hasAny("experiments[].requests", "experiments[].experiment"))
}, Open: openGenAIPerf}

func openGenAIPerf(f ingest.File) (ingest.Source, error) {
	l := layout{harness: "genai-perf", empty: "the file holds no request: its experiments are empty"}
	l.info.note("failed requests are not in the file: the success rate is no measurement")
	experiments, list := 0, false
	r := newJSON(context.Background(), f, textio.TextStart(f))
	r.document(func(key []byte) {
		switch k := string(key); k {
		case "service_kind", "endpoint", "version":
			l.info.print(k, r.string())
		case "experiments":
			if list = r.peek() == '['; list {
				r.array(func() { experiments++ })
			}
		}
	})
	switch {
	case r.err != nil:
		return nil, place(f, r.err)
	case !list:
		return nil, errors.New("the file holds no list of experiments; expected profile_export.json of GenAI-Perf")
	}
	if experiments > 1 {
		l.info.note("the file holds %d load steps (column stage): compare like with like", experiments)
	}
	l.each = func(s *scan) error {
		r, i := s.json(), 0
		r.document(func(key []byte) {
			if string(key) != "experiments" || r.peek() != '[' {
				return
			}
			r.array(func() {
				i++
				e := experiment{s: s, value: missing}
				if experiments > 1 {
					e.run = fmt.Sprintf("%s#%d", s.file.Path, i)
				}
				e.read(r)
			})
		})
		return r.err
	}
	return openTable(f, l)
}

// experiment is one load step.
type experiment struct {
	s       *scan
	run     string
	mode    string
	value   float64
	stamps  []int64
	content []bool
	at      []int64
}

func (e *experiment) read(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		switch string(key) {
		case "experiment":
			r.object(func(key []byte) {
				switch string(key) {
				case "mode":
					e.mode = r.string()
				case "value":
					e.value, _ = r.float()
				}
			})
		case "requests":
			if r.peek() == '[' {
				r.array(func() {
					e.request(r)
					e.s.put(r)
				})
			}
		}
	})
}

func (e *experiment) request(r *jsonReader) {
	w := &e.s.row
	e.stamps, e.content, e.at = e.stamps[:0], e.content[:0], e.at[:0]
	begin := r.pos()
	r.object(func(key []byte) {
		switch string(key) {
		case "timestamp":
			r.time(w, colStart, ingest.Nanosecond)
		case "sequence_id":
			r.text(w, colSession)
		case "response_timestamps":
			e.stamps, _ = r.times(e.stamps, ingest.Nanosecond)
		case "response_outputs":
			if r.peek() == '[' {
				r.array(func() {
					if len(e.content) <= maxGaps {
						e.content = append(e.content, e.output(r))
					}
				})
			}
		}
	})
	if len(e.stamps) == 0 {
		e.s.known(r, begin)
	}
	for i, ns := range e.stamps {
		if len(e.content) == 0 || i < len(e.content) && e.content[i] {
			e.at = append(e.at, ns)
		}
	}
	if e.run != "" {
		w.setWord(colRun, e.run)
	}
	if e.mode != "" {
		w.setWord(colStage, fmt.Sprintf("%s=%g", e.mode, e.value))
		switch {
		case !finite(e.value):
		case e.mode == "concurrency":
			w.setNumber(colConcurrency, e.value)
		case e.mode == "request_rate":
			w.setNumber(colRate, e.value)
		}
	}
	if len(e.at) == 0 || !w.has.has(colStart) {
		w.setWord(colError, "no response with content")
		w.fail(statusIncomplete)
		return
	}
	w.setNumber(colTTFT, seconds(w.at[colStart], e.at[0]))
	w.setNumber(colE2E, seconds(w.at[colStart], e.at[len(e.at)-1]))
	w.stamps(e.at)
	w.zeroFails("the answer is empty")
}

// output reads one response and reports whether it has content.
func (e *experiment) output(r *jsonReader) (content bool) {
	if r.peek() != '{' {
		return r.string() != ""
	}
	known := false
	r.object(func(key []byte) {
		switch string(key) {
		case "response":
			known = true
			if t := r.value(); t.kind == kindString {
				content = e.messages(t.text) || content
			}
		case "text_output":
			known = true
			switch t := r.value(); t.kind {
			case kindString:
				content = len(t.text) > 0 || content
			case kindNested:
				content = true
			}
		}
	})
	return content || !known
}

// messages looks for content in the events that a response carries.
func (e *experiment) messages(text []byte) (content bool) {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && text[0] == '{' {
		return e.message(text)
	}
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("data:"))); len(line) > 0 && line[0] == '{' {
			content = e.message(line) || content
		}
	}
	return content
}

// message looks for content in one event, and for the server's token counts.
func (e *experiment) message(text []byte) (content bool) {
	w := &e.s.row
	m := newJSON(e.s.ctx, ingest.File{Size: int64(len(text)), ReaderAt: bytes.NewReader(text)}, 0)
	var part func(key string)
	part = func(key string) {
		switch key {
		case "choices":
			if m.peek() == '[' {
				m.array(func() {
					if m.peek() == '{' {
						m.object(func(key []byte) { part(string(key)) })
					}
				})
			}
		case "delta", "message":
			if m.peek() == '{' {
				m.object(func(key []byte) { part(string(key)) })
			}
		case "content", "text", "reasoning_content", "reasoning", "tool_calls":
			switch m.peek() {
			case '"':
				content = len(m.value().text) > 0 || content
			case '[':
				n := 0
				m.array(func() { n++ })
				content = n > 0 || content
			}
		}
	}
	m.object(func(key []byte) {
		switch k := string(key); k {
		case "usage":
			if m.peek() == '{' {
				m.object(func(key []byte) {
					switch string(key) {
					case "prompt_tokens":
						m.number(w, colPromptTokens, ingest.One)
					case "completion_tokens":
						m.number(w, colOutputTokens, ingest.One)
						w.counted = byServer
					}
				})
			}
		case "model":
			if e.s.info != nil {
				e.s.info.print("model", m.string())
			}
		default:
			part(k)
		}
	})
	return content
}
