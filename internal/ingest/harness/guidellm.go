package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// GuideLLM reads benchmarks.json of GuideLLM, of versions 0.2 to 0.8. Every
// benchmark of a sweep is a load step of its own: a run and a stage.
//
// Latencies come from the stamps, not from the computed fields, whose meaning
// changed (time_per_output_token_ms includes the first token since 0.4). Failed
// and unfinished requests stand in lists of their own. The lists include warm-up
// and cool-down, which are told by the window of measurement. A targeted start
// is an intended send time only where a rate sets it; with a fixed number of
// streams it is when the scheduler had a place.
var GuideLLM = ingest.Format{Name: "guidellm", Detect: detectGuideLLM, Open: openGuideLLM}

func detectGuideLLM(head []byte, _ ingest.File) bool {
	s := look(head)
	if s.first != '{' {
		return isGuideYAML(head)
	}
	return s.has("benchmarks") && s.hasAny("benchmarks[].type_", "metadata.guidellm_version", "metadata.version")
}

func isGuideYAML(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n-")
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	first = bytes.TrimSpace(first)
	yaml := string(first) == "benchmarks:" || string(first) == "metadata:" || string(first) == "args:" || string(first) == "config:"
	return yaml && (containsAll(head, "type_: generative_benchmark") || containsAll(head, "guidellm_version"))
}

// guideBench is what a benchmark says of itself.
type guideBench struct {
	kind                 string // of the strategy
	rate, streams        float64
	from, to             int64 // the window of measurement
	windowed             bool
	made, listed         float64 // successful requests, as counted and in the list
	model, backend, data string
	stage                string
}

func openGuideLLM(f ingest.File) (ingest.Source, error) {
	if firstByte(f, textio.TextStart(f)) != '{' {
		return nil, errors.New("the report is YAML; run guidellm again with --output-path benchmarks.json, or convert it to JSON")
	}
	l := layout{harness: "guidellm"}
	var benches []guideBench
	r := newJSON(context.Background(), f, textio.TextStart(f))
	rows := 0.0
	guideTop(r, func() {
		b := guideBench{rate: missing, streams: missing, made: missing}
		b.read(r)
		b.name()
		rows += b.listed
		if benches = append(benches, b); len(benches) > maxRuns && r.err == nil {
			r.err = fmt.Errorf("the report holds more than %d benchmarks", maxRuns)
		}
	}, &l.info)
	switch {
	case r.err != nil:
		return nil, place(f, r.err)
	case len(benches) == 0:
		return nil, errors.New("the report holds no benchmark")
	case rows == 0:
		return nil, errors.New("the report holds aggregates only: its lists of requests are empty; run guidellm again without --sample-requests (older: --output-sampling), which cuts them")
	}
	for i := range benches {
		benches[i].tell(&l.info, i, len(benches))
	}
	if len(benches) > 1 {
		l.info.note("the file holds %d load steps (column stage): compare like with like", len(benches))
	}
	l.each = func(s *scan) error {
		r, i := s.json(), 0
		guideTop(r, func() {
			run := ""
			if len(benches) > 1 {
				run = fmt.Sprintf("%s#%d", s.file.Path, i+1)
			}
			if i < len(benches) {
				eachGuide(s, r, &benches[i], run)
			}
			i++
		}, nil)
		return r.err
	}
	return openTable(f, l)
}

// guideTop calls bench at every benchmark of a report.
func guideTop(r *jsonReader, bench func(), n *info) {
	r.document(func(key []byte) {
		switch string(key) {
		case "benchmarks":
			if r.peek() == '[' {
				r.array(bench)
			}
		case "metadata":
			if n == nil || r.peek() != '{' {
				return
			}
			r.object(func(key []byte) {
				if string(key) == "guidellm_version" {
					n.print("harness_version", r.string())
				}
			})
		}
	})
}

// read takes what a benchmark says of itself, in the layouts of all versions.
func (b *guideBench) read(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		switch k := string(key); k {
		case "config", "args", "run_stats", "scheduler_metrics", "worker", "request_loader", "backend":
			b.read(r)
		case "strategy":
			b.strategy(r)
		case "measure_start_time":
			var ok bool
			b.from, ok = r.nanos(ingest.Second)
			b.windowed = ok
		case "measure_end_time":
			b.to, _ = r.nanos(ingest.Second)
		case "requests_made":
			r.object(func(key []byte) {
				if string(key) == "successful" {
					b.made, _ = r.float()
				}
			})
		case "model", "backend_model":
			b.model = r.string()
		case "backend_type", "kind":
			if b.backend == "" {
				b.backend = r.string()
			}
		case "data":
			if r.peek() == '"' {
				b.data = r.string()
			}
		case "requests":
			b.count(r)
		}
	})
}

func (b *guideBench) strategy(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		switch string(key) {
		case "type_":
			b.kind = r.string()
		case "rate":
			b.rate, _ = r.float()
		case "streams":
			b.streams, _ = r.float()
		}
	})
}

// count counts the requests that are listed; made is of the successful ones.
func (b *guideBench) count(r *jsonReader) {
	if r.peek() != '{' {
		return
	}
	r.object(func(key []byte) {
		if r.peek() != '[' || string(key) == "total" {
			return
		}
		n, good := 0.0, string(key) == "successful"
		r.array(func() { n++ })
		b.listed += n
		if good && !isMissing(b.made) {
			b.made -= n
		} else if good {
			b.made = 0
		}
	})
}

func (b *guideBench) name() {
	parts := []string{b.kind}
	if !isMissing(b.rate) {
		parts = append(parts, fmt.Sprintf("rate=%g", b.rate))
	}
	if !isMissing(b.streams) {
		parts = append(parts, fmt.Sprintf("streams=%g", b.streams))
	}
	b.stage = strings.TrimSpace(strings.Join(parts, " "))
}

func (b *guideBench) tell(n *info, i, of int) {
	n.print("model", b.model)
	n.print("backend", b.backend)
	n.print("data", b.data)
	n.print("strategy", b.stage)
	if !isMissing(b.made) && b.made != 0 {
		where := ""
		if of > 1 {
			where = fmt.Sprintf("benchmark %d: ", i+1)
		}
		if b.made > 0 {
			n.note("%sthe lists lack %.0f of the successful requests that were made: they are a sample", where, b.made)
		} else {
			n.note("%sthe lists hold %.0f more successful requests than the file says were made", where, -b.made)
		}
	}
}
