package harness

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// Prometheus reads scrapes of a server's metrics in the text format 0.0.4 or in
// OpenMetrics: the classic histograms of vLLM, SGLang, TGI, Dynamo, Triton and of
// any other server. Buckets are cumulative and count since the process started,
// so a file holds the scrape before the load and, appended to it, the one after;
// what was added between the first and the last scrape is the run. Series that
// differ in their labels are replicas and are added.
//
// A scrape knows no request. Times begin when the server has the request, and
// those of requests that failed later are among them.
var Prometheus = ingest.Format{Name: "prometheus", Detect: func(head []byte, _ ingest.File) bool {
	return isExposition(head)
}, Open: openPrometheus}

// isExposition tells the exposition format by its comments, or by a bucket.
func isExposition(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for range 50 {
		line, rest, more := bytes.Cut(head, []byte{'\n'})
		line = bytes.TrimSpace(line)
		switch f := bytes.Fields(line); {
		case len(f) >= 4 && string(f[0]) == "#" && string(f[1]) == "TYPE" && slices.Contains(promTypes, string(f[3])):
			return true
		case len(f) >= 3 && string(f[0]) == "#" && string(f[1]) == "HELP", len(line) == 0, len(line) > 0 && line[0] == '#':
		default:
			name, labels, ok := bytes.Cut(line, []byte{'{'})
			if !ok || !bytes.HasSuffix(name, []byte("_bucket")) || !bytes.Contains(labels, []byte(`le="`)) {
				return false
			}
			_, err := parsePromLine(line)
			return err == nil
		}
		if !more {
			return false
		}
		head = rest
	}
	return false
}

var promTypes = []string{"counter", "gauge", "histogram", "summary", "untyped", "unknown", "info", "stateset", "gaugehistogram"}

// promNames says which column a histogram is, by the name of its family. vLLM's
// time_per_output_token_seconds is what it later called inter_token_latency: a
// value per gap. SGLang's of the same name is the whole latency by token, and
// TGI's mean time per token counts the prefill in, so they are no tpot and keep
// their own names.
var promNames = map[string]string{
	"vllm:time_to_first_token_seconds":            "ttft_s",
	"vllm:request_time_per_output_token_seconds":  "tpot_s",
	"vllm:inter_token_latency_seconds":            "itl_s",
	"vllm:time_per_output_token_seconds":          "itl_s",
	"vllm:e2e_request_latency_seconds":            "e2e_s",
	"sglang:time_to_first_token_seconds":          "ttft_s",
	"sglang:inter_token_latency_seconds":          "itl_s",
	"sglang:e2e_request_latency_seconds":          "e2e_s",
	"sglang:time_per_output_token_seconds":        "sglang_time_per_output_token_seconds",
	"tgi_request_duration":                        "e2e_s",
	"tgi_request_mean_time_per_token_duration":    "request_mean_time_per_token_duration_s",
	"tgi_request_queue_duration":                  "request_queue_duration_s",
	"dynamo_frontend_time_to_first_token_seconds": "ttft_s",
	"dynamo_frontend_inter_token_latency_seconds": "itl_s",
	"dynamo_frontend_request_duration_seconds":    "e2e_s",
	"nv_inference_first_response_histogram_ms":    "ttft_ms",
}

// promOutcome is a counter of requests. One that has a label tells by its value
// whether they succeeded; all counts failed ones too.
type promOutcome struct {
	label  string
	ok     []string // values of the label
	failed bool     // without a label: these requests failed
	all    bool     // without a label: these are all requests
	tokens bool     // these are output tokens
}

var promOutcomes = map[string]promOutcome{
	"vllm:request_success_total":        {label: "finished_reason", ok: []string{"stop", "length", "repetition"}},
	"tgi_request_success":               {},
	"tgi_request_failure":               {failed: true},
	"nv_inference_request_success":      {},
	"nv_inference_request_failure":      {failed: true},
	"dynamo_frontend_requests_total":    {label: "status", ok: []string{"success"}},
	"sglang:num_requests_total":         {all: true},
	"sglang:num_aborted_requests_total": {failed: true},
	"vllm:generation_tokens_total":      {tokens: true},
}

// promScan is one walk over a file of scrapes.
type promScan struct {
	histograms []*promHistogram
	byKey      map[string]*promHistogram
	counters   []*promCounter
	counterOf  map[string]*promCounter
	types      map[string]string     // of families, by their TYPE lines
	created    map[string]*promStart // of series, by name and labels
	processOf  map[string]*promStart
	processes  []*promStart

	scrape   int             // number of the scrape that is being read, from 0
	declared map[string]bool // families with a TYPE line in this scrape
	first    string          // the first series of the first scrape
	any      bool            // the scrape has a sample
}

// promCounter is one series of a counter of requests or tokens.
type promCounter struct {
	promIncrease
	rule   promOutcome
	key    string // of its start
	labels []promLabel
	value  string  // of the rule's label
	now    float64 // the value that was read last, at a scrape
	at     int
	taken  int // the scrape of the value before
	lone   float64
	first  int
}

const maxPromLine = 1 << 20

func openPrometheus(f ingest.File) (ingest.Source, error) {
	p := &promScan{byKey: map[string]*promHistogram{}, counterOf: map[string]*promCounter{}, types: map[string]string{},
		created: map[string]*promStart{}, processOf: map[string]*promStart{}, declared: map[string]bool{}}
	in := bufio.NewScanner(io.NewSectionReader(f, 0, f.Size))
	in.Buffer(make([]byte, 64<<10), maxPromLine)
	line := 0
	for in.Scan() {
		line++
		text := in.Bytes()
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if err := p.line(bytes.TrimSpace(text), line); err != nil {
			var placed *textio.Error
			if !errors.As(err, &placed) {
				err = &textio.Error{Line: int64(line), Msg: err.Error()}
			}
			return nil, err
		}
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, &textio.Error{Line: int64(line + 1), Msg: fmt.Sprintf("the line is longer than %d MiB, the limit", maxPromLine>>20)}
		}
		return nil, err
	}
	for _, h := range p.histograms {
		if err := h.end(p); err != nil {
			return nil, err
		}
	}
	for _, c := range p.counters {
		c.take(p)
	}
	return p.source()
}

// line takes one line.
func (p *promScan) line(text []byte, line int) error {
	if len(text) == 0 {
		return nil
	}
	if text[0] == '#' {
		switch f := bytes.Fields(text); {
		case len(f) >= 2 && string(f[1]) == "EOF":
			p.next()
		case len(f) >= 4 && string(f[1]) == "TYPE":
			name := string(f[2])
			if p.declared[name] {
				p.next()
			}
			p.declared[name], p.types[name] = true, string(f[3])
		}
		return nil
	}
	s, err := parsePromLine(text)
	if err != nil {
		return err
	}
	key := s.key(s.name, "")
	switch {
	case p.first == "":
		p.first = key
	case key == p.first && p.any:
		p.next()
	}
	p.any = true
	if p.start(&s) {
		return nil
	}
	if rule, ok := promOutcomes[s.name]; ok {
		return p.counter(&s, key, rule)
	}
	switch p.types[s.name] {
	case "gauge", "info", "stateset": // whatever its name ends in
		return nil
	}
	return p.part(&s, line)
}

// next begins another scrape.
func (p *promScan) next() {
	if p.any {
		p.scrape++
	}
	p.any = false
	clear(p.declared)
}

// part takes a bucket, a sum or a count of a histogram.
func (p *promScan) part(s *promSample, line int) error {
	family, part := s.name, ""
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if name, ok := strings.CutSuffix(s.name, suffix); ok {
			family, part = name, suffix
		}
	}
	text := s.label("le")
	if part == "" || family == "" || part == "_bucket" && text == "" || p.types[family] == "gaugehistogram" {
		return nil
	}
	key := s.key(family, "le")
	h := p.byKey[key]
	if h == nil {
		h = &promHistogram{family: family, key: key}
		for _, l := range s.labels {
			if l.name != "le" {
				h.labels = append(h.labels, l)
			}
		}
		p.byKey[key] = h
		p.histograms = append(p.histograms, h)
	}
	if h.now == nil || h.scrape != p.scrape {
		if err := h.end(p); err != nil {
			return err
		}
		if s.stamp < h.stamp && s.stamp != 0 {
			return fmt.Errorf("%s is older than in the scrape before; append scrapes in the order of time", s.name)
		}
		h.begin(p.scrape, line, s.stamp)
	}
	if part == "_sum" {
		if !math.IsNaN(h.sum) {
			return twiceInScrape(s)
		}
		h.sum = s.value
		return nil
	}
	if part == "_count" {
		if h.countLine > 0 {
			return twiceInScrape(s)
		}
		h.count, h.countLine = s.value, line
		return nil
	}
	if err := wholeCount(s.name, s.value); err != nil {
		return err
	}
	le, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(le) || math.IsInf(le, -1) {
		return fmt.Errorf("want a number or +Inf as label le of %s, found %q", s.name, clip([]byte(text)))
	}
	if _, ok := h.now[le]; ok {
		return twiceInScrape(s)
	}
	h.now[le] = s.value
	return nil
}

func twiceInScrape(s *promSample) error {
	return fmt.Errorf("%s with these labels is there twice in one scrape", s.name)
}

// wholeCount reports a count that is none.
func wholeCount(name string, v float64) error {
	if !(v >= 0 && v <= 1<<53 && v == math.Trunc(v)) {
		return fmt.Errorf("want a whole number from 0 to 2^53 as count of %s, found %s: give the counters as scraped, no rates", name, plainNumber(v))
	}
	return nil
}

// counter takes a counter of requests by outcome, or of tokens.
func (p *promScan) counter(s *promSample, key string, rule promOutcome) error {
	if err := wholeCount(s.name, s.value); err != nil {
		return err
	}
	c := p.counterOf[key]
	switch {
	case c == nil:
		c = &promCounter{rule: rule, key: s.key(strings.TrimSuffix(s.name, "_total"), ""), labels: s.labels, value: s.label(rule.label), lone: s.value, first: p.scrape}
		p.counterOf[key] = c
		p.counters = append(p.counters, c)
	case c.at == p.scrape:
		return twiceInScrape(s)
	default:
		c.take(p)
	}
	c.now, c.at = s.value, p.scrape
	return nil
}

// take takes the value that was read last into account.
func (c *promCounter) take(p *promScan) {
	c.next(c.now, c.seen && (c.now < c.last || p.restarted(c.key, c.labels, c.taken, c.at)))
	c.taken = c.at
}

// added is what was counted in the file, given the number of its scrapes.
func (c *promCounter) added(scrapes int) int64 {
	v := c.lone
	if scrapes > 1 {
		if v = c.total; c.first > 0 {
			v += c.lone
		}
	}
	return int64(v)
}
