package metric

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// SLO is a joint objective of a request: it is good if it succeeded and met
// every term.
type SLO struct {
	Text  string
	terms []objective
}

type objective struct {
	m     *Metric
	below bool // the value must lie below the bound, else above
	equal bool // the bound itself will do
	bound float64
}

// sloMetrics have one value a request.
var sloMetrics = []string{"ttft", "tpot", "e2e", "latency", "output_tps"}

// ParseSLO reads ttft<500ms,tpot<30ms: metrics with one value a request, the
// operators <, <=, > and >=, and a time with its unit or a plain number.
func ParseSLO(text string) (*SLO, error) {
	s := &SLO{Text: text}
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		i := strings.IndexAny(part, "<>")
		if i <= 0 {
			return nil, fmt.Errorf("objective %q: want METRIC<VALUE, for example ttft<500ms", part)
		}
		o := objective{below: part[i] == '<'}
		rest := part[i+1:]
		if rest, o.equal = strings.CutPrefix(rest, "="); strings.TrimSpace(rest) == "" {
			return nil, fmt.Errorf("objective %q: the bound is missing", part)
		}
		name := strings.TrimSpace(part[:i])
		m, ok := Known(name)
		if !ok || !contains(sloMetrics, name) {
			return nil, fmt.Errorf("objective %q: %q has no value for each request; use %s", part, name, strings.Join(sloMetrics, ", "))
		}
		o.m = m
		rest = strings.TrimSpace(rest)
		digits := strings.LastIndexAny(rest, "0123456789.") + 1
		v, err := strconv.ParseFloat(rest[:digits], 64)
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("objective %q: the bound %q is not a number above 0", part, rest)
		}
		unit := strings.TrimSpace(rest[digits:])
		switch {
		case m.Unit == Seconds:
			if v, ok = ToSeconds(v, unit); !ok {
				return nil, fmt.Errorf("objective %q: the bound needs a time unit (%s)", part, strings.Join(TimeUnits(), ", "))
			}
		case unit != "":
			return nil, fmt.Errorf("objective %q: %s takes a plain number", part, name)
		}
		o.bound = v
		s.terms = append(s.terms, o)
	}
	return s, nil
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// missing says which column a layout lacks for the objective, "" if none.
func (s *SLO) missing(l *ingest.Layout) string {
	for _, t := range s.terms {
		if ok, missing := t.m.Available(l); !ok {
			return missing + " (for " + t.m.Name + ")"
		}
	}
	return ""
}

// met counts the good rows that met every term. A term whose metric is not
// defined for a request (tpot of one token) does not count against it; one
// whose value is not recorded does.
func (s *SLO) met(f *ingest.Frame, good rows) int64 {
	ttft, e2e, latency, tok := f.Col(ingest.TTFT), whole(f), f.Col(ingest.Latency), f.Col(ingest.OutputTokens)
	stored := f.Col(ingest.TPOT)
	has := func(c *ingest.Column, i int) bool { return c != nil && c.StateAt(i) == ingest.Present }
	value := func(id id, i int) (v float64, defined, known bool) {
		switch id {
		case idTTFT:
			if has(ttft, i) {
				return ttft.Floats[i], true, true
			}
		case idE2E:
			if has(e2e, i) {
				return e2e.Floats[i], true, true
			}
		case idLatency:
			if has(latency, i) {
				return latency.Floats[i], true, true
			}
		case idOutputTPS:
			if has(e2e, i) && has(tok, i) {
				return tok.Floats[i] / e2e.Floats[i], true, true
			}
		case idTPOT:
			switch {
			case has(tok, i) && tok.Floats[i] < 2:
				return 0, false, true
			case has(stored, i):
				return stored.Floats[i], true, true
			case has(ttft, i) && has(e2e, i) && has(tok, i):
				return (e2e.Floats[i] - ttft.Floats[i]) / (tok.Floats[i] - 1), true, true
			}
		}
		return 0, true, false
	}
	var n int64
	good.each(func(i int) {
		for _, t := range s.terms {
			v, defined, known := value(t.m.id, i)
			if !known || defined && !t.holds(v) {
				return
			}
		}
		n++
	})
	return n
}

func (o *objective) holds(v float64) bool {
	switch {
	case v == o.bound:
		return o.equal
	case o.below:
		return v < o.bound
	}
	return v > o.bound
}

// Cost is what a run costs while it lasts, in US dollars.
type Cost struct {
	PerHour float64 // all of it: GPUs and overhead
}

// Goodput returns the metrics of an objective: the share of all requests that
// were good, and good requests per second of a run.
func (s *SLO) Goodput() (share, rate *Metric) {
	return &Metric{Name: "goodput", Unit: Unitless, Direction: HigherIsBetter, Kind: Share, id: idGoodput, slo: s,
			Text: "requests that succeeded and met " + s.Text},
		&Metric{Name: "goodput_rps", Unit: PerSecond, Direction: HigherIsBetter, Kind: PerRun, id: idGoodputRPS, slo: s,
			Text: "requests per second of a run that succeeded and met " + s.Text}
}

// USD is the unit of costs.
const USD = "usd"

// Metrics returns the metrics of a cost: dollars per good request (per
// successful one without an objective), and per million output tokens.
func (c Cost) Metrics(s *SLO) []*Metric {
	what := "successful"
	if s != nil {
		what = "good"
	}
	return []*Metric{
		{Name: "cost_per_good", Unit: USD, Kind: PerRun, id: idCostGood, slo: s, cost: c, Text: "US dollars per " + what + " request"},
		{Name: "cost_per_mtok", Unit: USD, Kind: PerRun, id: idCostTokens, slo: s, cost: c, Text: "US dollars per million output tokens"},
	}
}
