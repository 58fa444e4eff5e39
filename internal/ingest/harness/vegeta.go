package harness

import (
	"bytes"
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// Vegeta reads what "vegeta encode" writes, as JSON lines or as CSV, with or
// without a line of names. A request is at its actual send time; its latency is
// the whole of it. It failed if its code is 0 or 400 and above, and then has the
// latency that the failure took. An attack is a run.
var Vegeta = ingest.Format{Name: "vegeta", Detect: detectVegeta, Open: openVegeta}

// vegetaColumns are those of its CSV, in order.
var vegetaColumns = []string{"timestamp", "code", "latency", "bytes_out", "bytes_in", "error", "body", "attack", "seq", "method", "url", "headers"}

// vegetaGob begins the description of a result in vegeta's own binary form.
var vegetaGob = []byte("Result\x01\xff")

func detectVegeta(head []byte, _ ingest.File) bool {
	s := look(head)
	switch {
	case s.first == '{':
		return s.has("attack", "seq", "latency") || s.has("latencies", "bytes_in", "status_codes")
	case bytes.Contains(head[:min(len(head), 256)], vegetaGob):
		return true
	}
	return vegetaHeader(&s) || vegetaBare(&s)
}

func vegetaHeader(s *shape) bool { return s.columns("timestamp", "code", "latency", "attack", "seq") }

// vegetaBare recognises a first line of values: nanoseconds since 1970, a code,
// a latency, two sizes, and the number of the request.
func vegetaBare(s *shape) bool {
	h := s.header
	if len(h) != 9 && len(h) != len(vegetaColumns) || len(h[0]) != 19 {
		return false
	}
	for _, i := range []int{0, 1, 2, 3, 4, 8} {
		if _, ok := textio.ParseNanos([]byte(h[i]), ingest.Nanosecond); !ok {
			return false
		}
	}
	code, _ := textio.ParseFloat([]byte(h[1]))
	return code >= 0 && code < 600
}

func openVegeta(f ingest.File) (ingest.Source, error) {
	head := fileHead(f)
	s := look(head)
	switch {
	case s.first == '{' && s.has("latencies"):
		return nil, errors.New("the file is a report, aggregates only; give the results instead, written with: vegeta encode --to json results.bin")
	case bytes.Contains(head[:min(len(head), 256)], vegetaGob):
		return nil, errors.New("the file is vegeta's binary form; convert it with: vegeta encode --to json")
	case s.first == '{':
		return openTable(f, layout{harness: "vegeta", lines: true, each: func(s *scan) error {
			return s.records(func(r *jsonReader) { vegetaObject(s, r) })
		}})
	}
	c := csvLayout{names: vegetaColumns, ragged: len(s.header) == 9}
	if vegetaHeader(&s) {
		c = csvLayout{need: []string{"timestamp", "code", "latency"}}
	}
	return openTable(f, layout{harness: "vegeta", each: func(s *scan) error { return s.csv(c, vegetaRecord) }})
}

func vegetaObject(s *scan, r *jsonReader) {
	w := &s.row
	attack := ""
	r.object(func(key []byte) {
		switch string(key) {
		case "attack":
			attack = r.string()
		case "seq":
			r.text(w, colRequestID)
		case "code":
			r.number(w, colHTTPStatus, ingest.One)
		case "timestamp":
			r.time(w, colStart, ingest.Nanosecond)
		case "latency":
			r.number(w, colLatency, ingest.Nanosecond)
		case "error":
			r.text(w, colError)
		}
	})
	vegetaFinish(s, attack)
}

func vegetaRecord(s *scan, rec *csvRecord) error {
	w := &s.row
	w.parseTime(colStart, rec.cell("timestamp"), ingest.Nanosecond)
	w.parseNumber(colHTTPStatus, rec.cell("code"), ingest.One)
	w.parseNumber(colLatency, rec.cell("latency"), ingest.Nanosecond)
	w.parseText(colError, rec.cell("error"))
	w.parseText(colRequestID, rec.cell("seq"))
	vegetaFinish(s, string(rec.cell("attack")))
	return s.emit()
}

func vegetaFinish(s *scan, attack string) {
	w := &s.row
	if attack != "" {
		w.setWord(colRun, s.file.Path+"#"+attack)
	}
	switch code := w.number(colHTTPStatus); {
	case w.has.has(colError):
		w.fail(statusOf(string(w.text[colError])))
	case !w.has.has(colHTTPStatus) || code < 200 || code >= 400:
		w.fail(statusError)
	default:
		w.setWord(colStatus, statusOK)
		w.clear(colHTTPStatus) // a redirect that was followed is a success
	}
}
