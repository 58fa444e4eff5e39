package harness

import (
	"bytes"
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Aggregates recognises files of harnesses that are not read, or that hold no
// request at all, and refuses them with what to do instead. It would be a pity
// if their columns of percentiles were taken for requests.
var Aggregates = ingest.Format{Name: "aggregates", Detect: func(head []byte, _ ingest.File) bool {
	return whyRefused(head) != ""
}, Open: func(f ingest.File) (ingest.Source, error) {
	if why := whyRefused(fileHead(f)); why != "" {
		return nil, errors.New(why)
	}
	return nil, errors.New("the file is none that this reader knows to refuse")
}}

// refusals lists what is refused.
var refusals = []struct {
	is  func(s *shape) bool
	why string
}{
	{func(s *shape) bool { return bytes.HasPrefix(s.head, []byte("SQLite format 3\x00")) },
		"the file is an SQLite database; export its table of requests as CSV, for example: sqlite3 -csv -header FILE 'select * from result' > requests.csv (evalscope; oha's table is oha), and name the columns with --column"},
	{func(s *shape) bool {
		return s.columns("Type", "Name", "Request Count") || s.columns("Timestamp", "User Count", "Type", "Name") ||
			s.columns("Method", "Name", "Error", "Occurrences") || s.columns("Count", "Message", "Traceback", "Nodes")
	}, "the file holds Locust's aggregates, whose percentiles are rounded; Locust writes no requests itself: have a listener of events.request write them, one line each with start, response time, and exception"},
	{func(s *shape) bool { return s.has("[].benchmark", "[].metric", "[].metric.benchmark_values") },
		"the file holds vLLM's aggregates in PyTorch's format; give the result file beside it (without .pytorch), written with --save-result --save-detailed"},
	{func(s *shape) bool { return s.has("config.model_name", "results") && s.has("results[].id") },
		"the file holds percentiles of inference-benchmarker, which writes no requests; measure with a harness that does"},
}

func whyRefused(head []byte) string {
	s := look(head)
	for _, r := range refusals {
		if r.is(&s) {
			return r.why
		}
	}
	return ""
}
