package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// acceptedNote says that a known regression is tolerated, or no longer.
func acceptedNote(g *verdict.Gate, a *verdict.Acceptance) Note {
	if a.Expired {
		return Note{"acceptance_expired", fmt.Sprintf("The acceptance of %s (%s, %s) expired on %s: the ordinary margin of %s holds.", name(g.Result), a.Reason, a.Owner, a.Expires, marginText(g))}
	}
	if bound := a.Margin(g.Result.Metric); g.Margin != nil && bound != *g.Margin {
		of := *g
		of.Margin = &bound
		return Note{"accepted", fmt.Sprintf("The acceptance of %s up to %s (%s, %s) widens nothing: its margin is %s.", name(g.Result), marginText(&of), a.Reason, a.Owner, marginText(g))}
	}
	return Note{"accepted", fmt.Sprintf("%s may be worse by up to %s until %s: %s (%s).", name(g.Result), marginText(g), a.Expires, a.Reason, a.Owner)}
}

// warnings gathers remarks about the sides.
func warnings(c *compare.Comparison, m Meta) []Note {
	out := append([]Note{}, m.Notes...)
	if c.ThinSlices > 0 {
		out = append(out, Note{"thin_slices", fmt.Sprintf("%s with fewer than %s requests on a side: not shown", plural(int64(c.ThinSlices), "slice"), count(c.Options.MinSupport))})
	}
	if c.Design.WithinRun() && len(c.Sides) == 2 {
		out = append(out, Note{"within_run_only", fmt.Sprintf("With --unit %s nothing is known of how runs differ: the verdict is about these runs, not about what other runs would show", c.Design.Unit)})
	}
	out = append(out, unpairedNotes(c, m)...)
	out = append(out, burnNotes(c)...)
	for i := range c.Results {
		r := &c.Results[i]
		if r.LimitOnly { // in no table
			continue
		}
		t := reversalNote(r)
		if t == "" {
			t = sliceReversalNote(c, r)
		}
		if t != "" {
			out = append(out, Note{"reversal", t})
		}
	}
	out = append(out, searchNotes(c)...)
	if t := trafficNote(c); t != "" {
		out = append(out, Note{"traffic_differs", t})
	}
	for _, t := range sliceTrafficNotes(c) {
		out = append(out, Note{"traffic_differs", t})
	}
	for _, t := range factorNotes(c) {
		out = append(out, Note{"mix_factors", t})
	}
	if slices.ContainsFunc(c.Sides, func(s *metric.Side) bool { return s.HasHistograms() && s.Failed() > 0 }) {
		out = append(out, Note{"failed_in_histograms", "Requests failed, and histograms do not tell their times from those of the others."})
	}
	var silent []string
	for i, s := range c.Sides {
		if s.NoOutcomes() {
			silent = append(silent, m.Sides[i].Label)
		}
	}
	if len(silent) > 0 {
		out = append(out, Note{"outcomes_unknown", fmt.Sprintf("%s: nothing counts the failed requests, so there is no success rate, and all are shown as ok; name what to judge with --metric", strings.Join(slices.Compact(silent), ", "))})
	}
	for i, s := range c.Sides {
		label := m.Sides[i].Label
		for j, f := range m.Sides[i].Files {
			if s.Files[j].Rows == 0 {
				out = append(out, Note{"no_records", f.Path + " holds no record"})
			}
			if bad := s.Files[j].BadTime; bad != nil {
				out = append(out, Note{"bad_time", badTimeText(f.Path, bad)})
			}
		}
		if len(s.UnknownStatus) > 0 {
			out = append(out, Note{"unknown_status", fmt.Sprintf("%s: the status %s is not known and counts as a failure; write ok for requests that succeeded", label, listed(s.UnknownStatus))})
		}
		if len(s.UnknownPhases) > 0 {
			out = append(out, Note{"unknown_phase", fmt.Sprintf("%s: phase %s is neither warm-up nor measurement by its name; its records are kept", label, strings.Join(s.UnknownPhases, ", "))})
		}
		if s.Unclocked > 0 {
			out = append(out, Note{"no_clock", label + ": " + unclockedText(s.Unclocked, s.UnclockedFrom)})
		}
		if !s.DuplicatesChecked && hasColumn(m.Sides[i], "request_id") {
			out = append(out, Note{"duplicates_not_checked", fmt.Sprintf("%s: request ids were not checked for duplicates (more than %s records)", label, count(metric.MaxDuplicateRows))})
		}
		for _, u := range s.Units {
			if len(u.Files) > 1 && hasColumn(m.Sides[i], "run") {
				out = append(out, Note{"run_in_several_files", fmt.Sprintf("%s: run %q occurs in %d files and is taken as one run", label, u.Label, len(u.Files))})
				break
			}
		}
	}
	for i := range c.Results {
		r := &c.Results[i]
		if r.Metric.AssumedDirection {
			n := Note{"assumed_direction", fmt.Sprintf("%s: lower is assumed to be better; say --higher-is-better %s if it is not", r.Metric, r.Metric)}
			if len(out) == 0 || out[len(out)-1] != n {
				out = append(out, n)
			}
		}
	}
	return out
}

// unpairedNotes says what has no partner on the other side.
func unpairedNotes(c *compare.Comparison, m Meta) (out []Note) {
	p := c.Design.Pairs
	if p == nil {
		return nil
	}
	for i, n := range p.Alone {
		text := fmt.Sprintf("%s without a partner on the other side left out (--pair %s)", plural(int64(n), "run"), p.Column)
		if p.Requests {
			text = fmt.Sprintf("the requests of %s of %s that the other side has not are left out (--pair)", plural(int64(n), "word"), p.Column)
		} else if n > 0 {
			text += ": " + listed(p.AloneRuns[i])
		}
		if n > 0 {
			out = append(out, Note{"unpaired", m.Sides[i].Label + ": " + text})
		}
	}
	return out
}

// noiseAlone is the code of the note that noiseNotes makes.
const noiseAlone = "noise_alone"

// noiseNotes says which gates of two single runs are open for the assumed noise
// between runs alone: no number of requests settles those.
func noiseNotes(d verdict.Decision, c *compare.Comparison) []Note {
	var open []*verdict.Gate
	for i := range d.Gates {
		if g := &d.Gates[i]; g.NoiseAlone {
			open = append(open, g)
		}
	}
	if len(open) == 0 {
		return nil
	}
	which := name(open[0].Result)
	switch n := len(open) - 1; {
	case n == 1:
		which += " and " + name(open[1].Result)
	case n > 1:
		which += fmt.Sprintf(" and %s more gates", count(int64(n)))
	}
	span, err := open[0].Result.NoiseError().Interval(0, c.Options.Level)
	if err != nil {
		return nil
	}
	measure := ", measure the noise (perfdiff calibrate --write-noise),"
	if c.Design.NoiseFrom != "" {
		measure = ""
	}
	return []Note{{noiseAlone, fmt.Sprintf("The assumed noise between runs alone leaves %s open: it spans %s %% to %s %% about any change, however many requests there are. Compare several runs a side%s or judge these two runs alone (--run-noise 0%%).",
		which, signed(math.Expm1(span.Lo)*100, 1), signed(math.Expm1(span.Hi)*100, 1), measure)}}
}

// badTimeText tells of a time that cannot be read, and of the unit that would make
// it one of our day.
func badTimeText(path string, bad *metric.BadTime) string {
	value := bad.Value
	if r := []rune(value); len(r) > 40 {
		value = string(r[:39]) + "…"
	}
	text := fmt.Sprintf("%s, record %s: %s is %q, which is no time: want ", path, count(bad.Record), bad.Column, value)
	unit, most, ok := bad.Range()
	if !ok {
		return text + "a time such as 2026-01-05T09:00:00Z, or a number of a unit that its name tells (start_s, start_ms)"
	}
	text += fmt.Sprintf("%s since 1970, up to %.0f (the year 2262)", timeUnitWord(unit), most)
	if unit, at, ok := bad.Likely(); ok {
		text += fmt.Sprintf(". In %s it is %s: say --column %s=%s:%s, or name the column so", timeUnitWord(unit), stamp(at), bad.Field, bad.Column, unit)
	}
	return text
}

// timeUnitWord is the word for a unit of time, or the unit itself.
func timeUnitWord(unit string) string {
	words := map[string]string{"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
	if w, ok := words[unit]; ok {
		return w
	}
	return unit
}

// unclockedText tells of requests whose start is no reading of a clock.
func unclockedText(n, first int64) string {
	if n == 1 {
		return fmt.Sprintf("1 request starts more than a day before or after all others of its run (at %s): that is no reading of a clock, and it counts as a request without a start", stamp(first))
	}
	return fmt.Sprintf("%s start more than a day before or after all others of their run (the first at %s): that is no reading of a clock, and they count as requests without a start", plural(n, "request"), stamp(first))
}

// hasColumn reports whether some file of the side carries the field.
func hasColumn(m SideMeta, field string) bool {
	for _, f := range m.Files {
		if _, ok := f.Columns[field]; ok {
			return true
		}
	}
	return false
}

// listed prints words in quotation marks, the first few of many.
func listed(words []string) string {
	const most = 5
	var out []string
	for i, w := range words {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(words)-most))
			break
		}
		if r := []rune(w); len(r) > 40 {
			w = string(r[:39]) + "…"
		}
		out = append(out, fmt.Sprintf("%q", w))
	}
	return strings.Join(out, ", ")
}
