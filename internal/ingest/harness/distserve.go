package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// DistServe reads the requests of DistServe's benchmark once they are JSON.
// Latencies are in milliseconds beside stamps in seconds of a monotonic clock;
// rows are in the order of completion. The layout marks no failure.
//
// The .exp files the benchmark writes are a Python list and some text; they are
// recognised and refused with a line that converts them.
var DistServe = ingest.Format{Name: "distserve", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.has("[].issue_time", "[].latency_ms") || isPythonList(&s)
}, Open: openDistServe}

func isPythonList(s *shape) bool {
	if s.first != '[' || len(s.keys) > 0 {
		return false
	}
	return containsAll(s.head, "'prompt_len'", "'issue_time'")
}

func openDistServe(f ingest.File) (ingest.Source, error) {
	if s := look(fileHead(f)); isPythonList(&s) {
		return nil, errors.New(`the file is a Python list, not JSON; convert its first line: python3 -c 'import ast,json,sys; print(json.dumps(ast.literal_eval(sys.stdin.readline())))' < FILE > FILE.json`)
	}
	return openTable(f, layout{harness: "distserve", each: func(s *scan) error {
		return s.records(func(r *jsonReader) { distserveRecord(&s.row, r) })
	}})
}

func distserveRecord(w *row, r *jsonReader) {
	r.object(func(key []byte) {
		switch string(key) {
		case "issue_time":
			r.time(w, colStart, ingest.Second)
		case "ttft_ms":
			r.number(w, colTTFT, ingest.Millisecond)
		case "latency_ms":
			r.number(w, colE2E, ingest.Millisecond)
		case "prompt_len":
			r.number(w, colPromptTokens, ingest.One)
		case "output_len":
			r.number(w, colOutputTokens, ingest.One)
		}
	})
	w.zeroFails("the answer is empty")
}
