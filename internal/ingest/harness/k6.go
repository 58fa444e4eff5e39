package harness

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// K6 reads the output of Grafana k6: JSON lines (--out json=FILE) or CSV (--out
// csv=FILE). The file has a line for every sample of every metric and no id of
// a request: the http_req_* samples that follow one another with the same time
// and tags are one request.
//
// The latency is http_req_duration, without the wait for a connection; the time
// of a sample is the end of its request, in CSV in whole seconds. The first
// byte is ttfb_s: k6 does not see tokens. A request failed if http_req_failed
// or the tag expected_response says so, or its status is 0 or 400 and above.
var K6 = ingest.Format{Name: "k6", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	if s.first == '{' {
		return s.has("type", "metric", "data") && s.hasAny("data.time", "data.type", "data.name") || isK6Summary(&s)
	}
	return s.columns("metric_name", "timestamp", "metric_value")
}, Open: openK6}

func isK6Summary(s *shape) bool {
	return s.has("metrics") && s.hasAny("metrics.http_req_duration", "metrics.iterations", "root_group", "setup_data") && !s.has("metadata")
}

func openK6(f ingest.File) (ingest.Source, error) {
	s := look(fileHead(f))
	if isK6Summary(&s) {
		return nil, errors.New("the file is k6's end-of-test summary, aggregates only; run k6 again with --out json=FILE or --out csv=FILE")
	}
	l := layout{harness: "k6", each: eachK6JSON, empty: "the file holds no HTTP request: no sample of http_req_duration"}
	if s.first != '{' {
		l.each = eachK6CSV
		if !k6Fractions(&s) {
			l.info.note("times are whole seconds: run k6 with K6_CSV_TIME_FORMAT=unix_micro, or --out json, to have them exact")
		}
	}
	return openTable(f, l)
}

// k6Fractions reports whether the first record has a time finer than a second.
func k6Fractions(s *shape) bool {
	_, rest, _ := bytes.Cut(s.head, []byte{'\n'})
	line, _, _ := bytes.Cut(rest, []byte{'\n'})
	fields := bytes.SplitN(line, []byte{','}, 3)
	if len(fields) < 2 {
		return true
	}
	_, isTime := textio.ParseTimestamp(fields[1])
	return isTime || len(fields[1]) > 11 || bytes.IndexByte(fields[1], '.') >= 0
}

// k6Metric is a metric of a request.
type k6Metric uint8

const (
	k6Other k6Metric = iota
	k6Reqs
	k6Duration
	k6Waiting
	k6Failed
	k6Part // http_req_blocked and other parts of a request
	numK6
)

func k6MetricOf(name string) k6Metric {
	switch name {
	case "http_reqs":
		return k6Reqs
	case "http_req_duration":
		return k6Duration
	case "http_req_waiting":
		return k6Waiting
	case "http_req_failed":
		return k6Failed
	case "http_req_blocked", "http_req_connecting", "http_req_tls_handshaking", "http_req_sending", "http_req_receiving":
		return k6Part
	}
	return k6Other
}

// k6Sample is one line.
type k6Sample struct {
	metric            k6Metric
	value             float64
	ok                bool
	time              int64
	timed             bool
	key               uint64 // of time and tags
	status, name      string
	scenario, failure string
	code              string
	unexpected        bool
}

// k6Join puts the samples of one request together.
type k6Join struct {
	s       *scan
	seed    maphash.Seed
	open    bool
	have    [numK6]bool
	last    k6Sample // whose tags are those of the request
	dropped float64
}

// add takes the next sample of a request's metric.
func (j *k6Join) add(p *k6Sample) error {
	if j.open && (p.key != j.last.key || p.metric != k6Part && j.have[p.metric]) {
		if err := j.flush(); err != nil {
			return err
		}
	}
	w := &j.s.row
	if !j.open {
		j.open, j.have = true, [numK6]bool{}
		j.last = *p
	}
	j.have[p.metric] = true
	switch {
	case p.metric == k6Duration && p.ok:
		w.setNumber(colLatency, ingest.Millisecond.ToBase(p.value))
	case p.metric == k6Duration:
		w.setBad(colLatency)
	case p.metric == k6Waiting && p.ok:
		w.setNumber(colTTFB, ingest.Millisecond.ToBase(p.value))
	case p.metric == k6Failed && p.value != 0:
		j.last.unexpected = true
	}
	return nil
}

// flush hands the request over, if one is open.
func (j *k6Join) flush() error {
	if !j.open {
		return nil
	}
	j.open = false
	w, p := &j.s.row, &j.last
	if p.timed {
		at := p.time
		if w.has.has(colLatency) {
			at -= int64(w.num[colLatency] * 1e9)
		}
		w.setTime(colStart, at)
	}
	w.parseText(colStage, []byte(p.scenario))
	w.parseText(colEndpoint, []byte(p.name))
	w.parseNumber(colHTTPStatus, []byte(p.status), ingest.One)
	code := w.number(colHTTPStatus)
	text := p.failure
	if text == "" && p.code != "" {
		text = "error code " + p.code
	}
	switch {
	case p.unexpected || text != "" || w.has.has(colHTTPStatus) && (code == 0 || code >= 400):
		if text == "" {
			text = fmt.Sprintf("status %s", p.status)
		}
		w.setWord(colError, text)
		status := statusOf(text)
		if p.code == "1050" {
			status = statusTimeout
		}
		w.fail(status)
	default:
		w.clear(colHTTPStatus)
		w.setWord(colStatus, statusOK)
	}
	return j.s.emit()
}

// close hands over the last request and tells what was skipped.
func (j *k6Join) close() error {
	if err := j.flush(); err != nil {
		return err
	}
	if j.dropped > 0 && j.s.info != nil {
		j.s.info.note("k6 skipped %.0f iterations for want of virtual users: the load was lower than asked for, and their waits are in no latency", j.dropped)
	}
	return nil
}
