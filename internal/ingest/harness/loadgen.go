package harness

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// LoadGen reads mlperf_log_trace.json of MLPerf LoadGen, the trace of its
// samples. A sample's time is the scheduled one, and the delay until it was
// issued is known: start is the issue, scheduled the schedule. Latencies count
// from the schedule, as LoadGen's do, once the delay is added, which the
// pipeline does. The first token is that of a Token event. A trace that lacks
// its closing brackets, as that of a stopped run does, is read up to its end.
//
// The other logs hold aggregates; they are recognised and refused.
var LoadGen = ingest.Format{Name: "loadgen", Detect: func(head []byte, _ ingest.File) bool {
	s := look(head)
	return s.first == '{' && s.has("traceEvents") && containsAll(head, `"name"`) && (containsAll(head, `"pid"`) || containsAll(head, "LoadGen")) || isLoadGenLog(&s)
}, Open: openLoadGen}

func isLoadGenLog(s *shape) bool {
	return len(s.keys) == 0 && (containsAll(s.head[:min(len(s.head), 64)], ":::MLLOG") || containsAll(s.head[:min(len(s.head), 64)], `"pid":`))
}

const loadgenHint = "run LoadGen with log_settings.enable_trace = true and give mlperf_log_trace.json"

func openLoadGen(f ingest.File) (ingest.Source, error) {
	if s := look(fileHead(f)); isLoadGenLog(&s) {
		return nil, errors.New("the file is a LoadGen log of settings and aggregates, no latency per sample; " + loadgenHint)
	}
	unit := loadgenUnit(f)
	l := layout{harness: "mlperf-loadgen", empty: "the trace holds no sample; " + loadgenHint}
	l.each = func(s *scan) error {
		t := loadgenTrace{s: s, unit: unit, first: map[uint64]float64{}}
		return t.read()
	}
	return openTable(f, l)
}

// maxTokens is the most first tokens that wait for their sample.
const maxTokens = 1 << 20

// loadgenTrace reads one event after another.
type loadgenTrace struct {
	s     *scan
	unit  ingest.Unit        // of the stamps
	first map[uint64]float64 // seconds from the schedule to the first token, by sample
}

// event is one event of a trace.
type event struct {
	name, phase         string
	seq, ts, issue, end float64
	nanos               int64
	stamped             bool
}

func (t *loadgenTrace) read() error {
	r := t.s.json()
	between := false // the last thing read was a whole event
	r.document(func(key []byte) {
		if string(key) != "traceEvents" || r.peek() != '[' {
			return
		}
		r.array(func() {
			if r.peek() != '{' {
				return
			}
			between = false
			e := readEvent(r, t.unit)
			between = r.err == nil
			if e.phase == "b" && finite(e.seq) && e.seq >= 0 {
				t.take(r, &e)
			}
		})
	})
	// A stopped run leaves its trace without the closing brackets.
	var ft *fault
	if between && errors.As(r.err, &ft) && ft.off >= t.s.file.Size {
		if t.s.info != nil {
			t.s.info.note("the trace lacks its end: the run was stopped, or the file is cut off between two events")
		}
		return nil
	}
	return r.err
}

// readEvent reads the fields that tell of samples.
func readEvent(r *jsonReader, unit ingest.Unit) event {
	e := event{seq: missing, ts: missing, issue: missing, end: missing}
	r.object(func(key []byte) {
		switch string(key) {
		case "name":
			e.name = r.string()
		case "ph":
			e.phase = r.string()
		case "ts":
			if v := r.value(); v.kind == kindNumber {
				var w row
				w.parseTime(colStart, v.text, unit)
				w.parseNumber(colTTFT, v.text, ingest.One)
				e.nanos, e.stamped, e.ts = w.at[colStart], w.has.has(colStart), w.number(colTTFT)
			}
		case "args":
			if r.peek() != '{' {
				return
			}
			r.object(func(key []byte) {
				switch string(key) {
				case "sample_seq":
					e.seq, _ = r.float()
				case "issue_start_ns":
					e.issue, _ = r.float()
				case "complete_ns":
					e.end, _ = r.float()
				}
			})
		}
	})
	return e
}

func (t *loadgenTrace) take(r *jsonReader, e *event) {
	id := uint64(min(e.seq, math.MaxInt64))
	switch e.name {
	case "Token":
		if len(t.first) >= maxTokens {
			r.err = fmt.Errorf("more than %d samples have a first token and no end", maxTokens)
			return
		}
		if !isMissing(e.end) {
			t.first[id] = e.end / 1e9
		}
		return
	case "Sample":
	default:
		return
	}
	w := &t.s.row
	w.setWord(colRequestID, fmt.Sprint(id))
	delay := 0.0
	if finite(e.issue) {
		delay = e.issue
	}
	if e.stamped {
		w.setTime(colScheduled, e.nanos)
		w.setTime(colStart, e.nanos+int64(delay))
	}
	if !isMissing(e.end) {
		w.setNumber(colE2E, (e.end-delay)/1e9)
	}
	if first, ok := t.first[id]; ok {
		w.setNumber(colTTFT, first-delay/1e9)
		delete(t.first, id)
	}
	w.zeroFails("no latency")
	t.s.put(r)
}

// loadgenUnit tells whether stamps are microseconds, as a trace should have
// them, or nanoseconds, as the first versions wrote: by the end of the first
// sample, whose distance from its beginning is known in nanoseconds.
func loadgenUnit(f ingest.File) ingest.Unit {
	unit, found := ingest.Microsecond, false
	r := newJSON(context.Background(), f, textio.TextStart(f))
	r.object(func(key []byte) {
		if string(key) != "traceEvents" || r.peek() != '[' {
			return
		}
		var last event
		n := 0
		r.array(func() {
			if r.peek() != '{' {
				return
			}
			e := readEvent(r, ingest.Nanosecond)
			switch {
			case e.phase == "b" && finite(e.end):
				last = e
			case e.phase == "e" && e.name == last.name && finite(e.ts) && finite(last.ts) && last.end > 0:
				if ns := e.ts - last.ts; math.Abs(ns-last.end) < math.Abs(ns*1e3-last.end) {
					unit = ingest.Nanosecond
				}
				found = true
			}
			if n++; found || n > 10000 {
				r.err = errEnough
			}
		})
	})
	return unit
}
