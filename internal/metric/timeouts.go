package metric

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Timeouts says how requests that timed out enter the latencies ttft, e2e and
// latency. The zero value leaves them out, as all failures.
type Timeouts struct {
	// Censor counts a request that timed out as one that took at least the time
	// that its record tells.
	Censor bool
	// After is the timeout in seconds, of requests whose record tells no time; 0
	// if unknown: of those nothing is known but that they took more than 0.
	After float64
}

// ParseTimeouts reads drop, censor or censor=TIME.
func ParseTimeouts(text string) (Timeouts, error) {
	mode, after, timed := strings.Cut(text, "=")
	switch {
	case text == "drop":
		return Timeouts{}, nil
	case text == "censor":
		return Timeouts{Censor: true}, nil
	case mode == "censor" && timed:
		d, err := time.ParseDuration(after)
		if err != nil || d <= 0 {
			return Timeouts{}, fmt.Errorf("%q: want a timeout above 0, for example censor=60s", text)
		}
		return Timeouts{Censor: true, After: d.Seconds()}, nil
	}
	return Timeouts{}, fmt.Errorf("%q: want drop, censor, or censor=TIME such as censor=60s", text)
}

// of reports whether timed-out requests have a value of the metric.
func (t Timeouts) of(m *Metric) bool {
	return t.Censor && (m.id == idTTFT || m.id == idE2E || m.id == idLatency)
}

// fields are what tells how long a timed-out request took.
func (t Timeouts) fields() []ingest.Field {
	if !t.Censor {
		return nil
	}
	return []ingest.Field{ingest.E2E, ingest.Latency, ingest.Start, ingest.End}
}

// value is what a timed-out request contributes to a latency, in seconds. A
// first token that came before the end is known; all else is the least that it
// can have been.
func (t Timeouts) value(m *Metric, f *ingest.Frame, i int) (v float64, atLeast bool) {
	took := elapsed(f, i)
	least := took
	if took == 0 {
		least = t.After
	}
	if m.id != idTTFT {
		return least, true
	}
	ttft := positive(f.Col(ingest.TTFT), i)
	if ttft > 0 && ttft < least {
		return ttft, false
	}
	return math.Max(ttft, least), true
}

// elapsed is how long a request took until it was given up, in seconds; 0 if
// the record does not tell.
func elapsed(f *ingest.Frame, i int) float64 {
	for _, field := range [...]ingest.Field{ingest.E2E, ingest.Latency} {
		if v := positive(f.Col(field), i); v > 0 {
			return v
		}
	}
	start, end := f.Col(ingest.Start), f.Col(ingest.End)
	if start != nil && end != nil && start.StateAt(i) == ingest.Present && end.StateAt(i) == ingest.Present && end.Times[i] > start.Times[i] {
		return float64(end.Times[i]-start.Times[i]) / 1e9
	}
	return 0
}

// positive is a value above 0 of a column, 0 if there is none.
func positive(c *ingest.Column, i int) float64 {
	if c == nil || c.StateAt(i) != ingest.Present {
		return 0
	}
	if v := c.Floats[i]; v > 0 && v <= math.MaxFloat64 {
		return v
	}
	return 0
}

// late adds what the timed-out requests among bad rows contribute to cells.
func (c *collector) late(cells []Cell, f *ingest.Frame, bad []int32) {
	if !c.plan.Timeouts.Censor {
		return
	}
	for _, i := range bad {
		if f.Reasons[i] != ingest.FailedTimeout {
			continue
		}
		for k, it := range c.plan.Items {
			if c.items.extract[k] == nil || !c.plan.Timeouts.of(it.Metric) {
				continue
			}
			v, atLeast := c.plan.Timeouts.value(it.Metric, f, int(i))
			cells[k].timedOut(v, atLeast)
			c.scratch = append(c.scratch[:0], v)
			c.record(&cells[k], c.scratch)
		}
	}
}

// timedOut counts a value of a request that timed out.
func (c *Cell) timedOut(v float64, atLeast bool) {
	if !atLeast {
		return
	}
	if c.AtLeast == 0 || v < c.FirstAtLeast {
		c.FirstAtLeast = v
	}
	c.AtLeast++
	if v == 0 {
		c.NoTimeout++
	}
}

// mergeTimeouts adds the tallies of timed-out requests of another cell.
func (c *Cell) mergeTimeouts(o *Cell) {
	if o.AtLeast > 0 && (c.AtLeast == 0 || o.FirstAtLeast < c.FirstAtLeast) {
		c.FirstAtLeast = o.FirstAtLeast
	}
	c.AtLeast += o.AtLeast
	c.NoTimeout += o.NoTimeout
}

// late shows what timed-out requests contribute to a sight.
func (w *watcher) late(s *sight, p *placer, f *ingest.Frame, start *ingest.Column, bad []int32) {
	t, m := s.timeouts, s.metric
	if !t.of(m) {
		return
	}
	for _, i := range bad {
		if f.Reasons[i] != ingest.FailedTimeout {
			continue
		}
		v, _ := t.value(m, f, int(i))
		w.scratch = append(w.scratch[:0], v)
		s.add(w.scratch, w.slotsOf(int(i), int(i)+1), p.orderOf(p.base+int64(i)), p.whenOf(start, int(i)))
	}
}

// Censored returns how many failed requests of the side count in its latencies as
// at least the time they took.
func (s *Side) Censored() int64 {
	n := int64(0)
	for _, u := range s.Units {
		most := int64(0)
		for i := range u.Cells {
			most = max(most, u.Cells[i].AtLeast)
		}
		n += most
	}
	return n
}
