package plots

import (
	"errors"
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats/sketch"
)

// leastBeyond is how many values must lie beyond a percentile, on either side,
// for it to be drawn.
const leastBeyond = 5

// leastPrompts is how many prompts of about one length are drawn.
const leastPrompts = 20

// leastWindows is how many windows the longest run needs to be drawn over time.
const leastWindows = 3

// leastParts is from how many parts of files on their beginnings tell how a run
// went.
const leastParts = 6

// percentilesOverTime are drawn where enough windows have them.
var percentilesOverTime = []float64{0.5, 0.95, 0.99}

// quantileOf returns the quantile of a sketch, NaN where too few values lie
// beyond it.
func quantileOf(s *sketch.Sketch, q float64) float64 {
	if float64(s.N())*math.Min(q, 1-q) < leastBeyond-1e-9 {
		return math.NaN()
	}
	v, err := s.Quantile(q)
	if err != nil {
		return math.NaN()
	}
	return v
}

// overTime draws the percentiles of an item of the course over the time of each
// run. A percentile that most windows lack is left out.
func (v View) overTime(item int) (*Figure, error) {
	c, m := v.Course, v.Course.Items[item].Metric
	decline := func(why string) error { return fmt.Errorf("%s over time: %s: %w", m.Name, why, ErrNothing) }
	sides := len(v.Comparison.Sides)
	for s := range sides {
		if !c.Timed[s] {
			return nil, decline(v.Labels[s] + " has no start times")
		}
	}
	longest, windows, parts := 0.0, 0, 0
	counts := make([]int, len(percentilesOverTime))
	for _, runs := range c.Runs {
		for _, r := range runs {
			longest = max(longest, r.Windows[len(r.Windows)-1].Start/c.Width+1)
			windows, parts = windows+len(r.Windows), max(parts, r.Parts)
			for _, w := range r.Windows {
				for k, q := range percentilesOverTime {
					if known(quantileOf(w.Values[item], q)) {
						counts[k]++
					}
				}
			}
		}
	}
	switch {
	case c.Sampled && parts < leastParts:
		return nil, decline("of so many records only the beginning of each part of a file is looked at, and a run has too few parts to tell how it went")
	case longest < leastWindows:
		return nil, decline(fmt.Sprintf("no run is longer than two windows of %s", duration(c.Width)))
	}
	o := Over{Metric: m.Name, Unit: m.Unit, Length: c.Width, Labels: v.Labels}
	for k, q := range percentilesOverTime {
		if 2*counts[k] >= windows {
			o.Percentiles = append(o.Percentiles, q)
		}
	}
	if len(o.Percentiles) == 0 {
		return nil, decline(fmt.Sprintf("windows of %s have too few requests", duration(c.Width)))
	}
	var series []Series
	notes := []string{}
	for s := range sides {
		role := Baseline + Role(s)
		if sides == 1 {
			role = Candidate
		}
		for _, r := range c.Runs[s] {
			one := Series{Run: r.Label, Role: role}
			for _, w := range r.Windows {
				values := make([]float64, len(o.Percentiles))
				for k, q := range o.Percentiles {
					values[k] = quantileOf(w.Values[item], q)
				}
				one.Windows = append(one.Windows, Window{Start: w.Start, N: w.Values[item].N(), Values: values})
			}
			series = append(series, one)
		}
		if all := len(v.Comparison.Sides[s].Units); all > len(c.Runs[s]) {
			notes = append(notes, fmt.Sprintf("Of the %d runs of %s the first %d are drawn.", all, v.Labels[s], len(c.Runs[s])))
		}
	}
	f, err := Windows(o, series)
	if err != nil {
		return nil, err
	}
	f.Notes = append(f.Notes, notes...)
	f.Notes = append(f.Notes, v.sampled()...)
	return f, nil
}

// sampled says what a large input was drawn from.
func (v View) sampled() []string {
	if !v.Course.Sampled {
		return nil
	}
	return []string{"Drawn from the beginning of each part of the files: there are too many records to read them once more."}
}

// byPrompt draws the time to first token against the length of the prompt; nil
// where no such time is known.
func (v View) byPrompt() (*Figure, error) {
	c := v.Course
	if len(c.Items) == 0 || c.Items[0].Metric.Name != "ttft" {
		return nil, nil
	}
	m := c.Items[0].Metric
	var sides []PromptSide
	bins := 0
	for s := range v.Comparison.Sides {
		if !c.Lengths[s] {
			return nil, fmt.Errorf("%s against prompt length: %s has no prompt lengths: %w", m.Name, v.Labels[s], ErrNothing)
		}
		p := c.Prompts[s]
		side := PromptSide{Label: v.Labels[s], Role: Baseline + Role(s), Fixed: p.Fixed, PerToken: p.PerToken}
		if len(v.Comparison.Sides) == 1 {
			side.Role = Candidate
		}
		for _, b := range p.Bins {
			if b.Values.N() < leastPrompts {
				continue
			}
			side.Bins = append(side.Bins, PromptBin{
				Tokens: b.Tokens, N: b.Values.N(),
				P10: quantileOf(b.Values, 0.1), P50: quantileOf(b.Values, 0.5), P90: quantileOf(b.Values, 0.9),
			})
		}
		bins = max(bins, len(side.Bins))
		sides = append(sides, side)
	}
	if bins < 2 {
		return nil, fmt.Errorf("%s against prompt length: all prompts are of about one length: %w", m.Name, ErrNothing)
	}
	f, err := Prompts(m.Name, sides)
	if err != nil {
		return nil, err
	}
	f.Notes = append(f.Notes, v.sampled()...)
	return f, nil
}

// courses draws what is known of the course of latencies.
func (v View) courses(add func(*Figure, error)) {
	if v.Course == nil {
		return
	}
	var without error // the same for all metrics: said once
	for i := range v.Course.Items {
		f, err := v.overTime(i)
		if errors.Is(err, ErrNothing) {
			if without == nil {
				without = err
			}
			continue
		}
		add(f, err)
	}
	if without != nil {
		add(nil, without)
	}
	add(v.byPrompt())
}
