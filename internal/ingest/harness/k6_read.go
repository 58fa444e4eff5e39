package harness

import (
	"hash/maphash"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// tag takes a tag that says something of the request.
func (p *k6Sample) tag(name string, val []byte) {
	switch name {
	case "status":
		p.status = string(val)
	case "name":
		p.name = string(val)
	case "scenario":
		p.scenario = string(val)
	case "error":
		p.failure = firstLine(string(val))
	case "error_code":
		p.code = string(val)
	case "expected_response":
		p.unexpected = string(val) == "false"
	}
}

func eachK6JSON(s *scan) error {
	j := &k6Join{s: s, seed: maphash.MakeSeed()}
	var h maphash.Hash
	h.SetSeed(j.seed)
	r := s.json()
	r.records(func() {
		var p k6Sample
		at, kind, metric := r.pos(), "", ""
		h.Reset()
		r.object(func(key []byte) {
			switch string(key) {
			case "type":
				kind = r.string()
			case "metric":
				metric = r.string()
			case "data":
				r.fields(func(key string) {
					switch key {
					case "time":
						t := r.value()
						h.Write(t.text)
						p.time, p.timed = textio.ParseTimestamp(t.text)
					case "value":
						p.value, p.ok = r.float()
					case "tags":
						r.fields(func(key string) {
							t := r.value()
							if t.kind == kindString {
								h.WriteString(key)
								h.WriteByte(0)
								h.Write(t.text)
								h.WriteByte(0)
								p.tag(key, t.text)
							}
						})
					}
				})
			}
		})
		p.key, p.metric = h.Sum64(), k6MetricOf(metric)
		switch {
		case r.err != nil || kind == "Metric":
		case kind != "Point":
			r.err = &fault{off: at, msg: "the record is no sample of k6, whose type is Point or Metric"}
		case p.metric != k6Other:
			r.err = j.add(&p)
		case metric == "dropped_iterations":
			j.dropped += p.value
		}
	})
	if r.err != nil {
		return r.err
	}
	return j.close()
}

func eachK6CSV(s *scan) error {
	j := &k6Join{s: s, seed: maphash.MakeSeed()}
	var h maphash.Hash
	h.SetSeed(j.seed)
	err := s.csv(csvLayout{need: []string{"metric_name", "timestamp", "metric_value"}}, func(s *scan, rec *csvRecord) error {
		metric := k6MetricOf(rec.text("metric_name"))
		if metric == k6Other {
			if rec.text("metric_name") == "dropped_iterations" {
				v, _ := textio.ParseFloat(rec.cell("metric_value"))
				j.dropped += v
			}
			return nil
		}
		p := k6Sample{metric: metric}
		p.value, p.ok = textio.ParseFloat(rec.cell("metric_value"))
		p.time, p.timed = k6Time(rec.text("timestamp"))
		h.Reset()
		for i, name := range rec.names {
			if name != "metric_name" && name != "metric_value" {
				h.WriteString(rec.fields[i])
				h.WriteByte(0)
				p.tag(name, []byte(rec.fields[i]))
			}
		}
		p.key = h.Sum64()
		return j.add(&p)
	})
	if err != nil {
		return err
	}
	return j.close()
}

// k6Time reads a time of the CSV output: seconds since 1970, or with
// K6_CSV_TIME_FORMAT milliseconds, microseconds, nanoseconds or a timestamp.
func k6Time(s string) (int64, bool) {
	if ns, ok := textio.ParseTimestamp([]byte(s)); ok {
		return ns, true
	}
	unit := ingest.Second
	switch n := len(strings.TrimSpace(s)); {
	case n >= 18:
		unit = ingest.Nanosecond
	case n >= 15:
		unit = ingest.Microsecond
	case n >= 12:
		unit = ingest.Millisecond
	}
	return textio.ParseNanos([]byte(s), unit)
}
