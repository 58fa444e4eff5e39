package compare

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Course is how latencies go with time and with the length of the prompt. It is
// for figures; no result rests on it.
type Course struct {
	Items []metric.Item
	// Width is how long a window is, in seconds; 0 where no run is cut.
	Width float64
	Runs  [2][]CourseRun
	// Prompts are of the first item, the time to first token where it is known.
	Prompts [2]PromptCurve
	// Sampled tells that of each part of a file only the beginning was read.
	Sampled bool
	// Timed and Lengths tell of each side whether any record has a start, or a
	// prompt length.
	Timed, Lengths [2]bool
}

// CourseRun is a run in windows of time.
type CourseRun struct {
	Label   string
	Windows []CourseWindow // in order
	Parts   int            // of files, that have records of it
}

// CourseWindow is one window: Values has the sketch of each item.
type CourseWindow struct {
	Start  float64 // seconds since the beginning of the run's first window
	Values []*sketch.Sketch
}

// PromptCurve is a latency by prompt length: its bins, two an octave, and the
// line of its medians, seconds = Fixed + PerToken · tokens. NaN without a line.
type PromptCurve struct {
	Bins            []PromptBin
	Fixed, PerToken float64
}

// PromptBin is prompts of about one length.
type PromptBin struct {
	Tokens float64 // the mean
	Values *sketch.Sketch
}

const (
	// usualWidth is the width of windows where the runs are long enough to have
	// at least fewWindows of them.
	usualWidth = 300 * int64(1e9)
	fewWindows = 20
	// leastWindows is that least number where windows would have fewer than
	// fewRequests on average: too few for a 95th percentile.
	leastWindows, fewRequests = 10, 100
	// lineGroups is into how many groups of about equal counts, at most, prompts
	// are cut for a line through their medians; each has at least lineGroup.
	lineGroups, lineGroup = 40, 20
)

// CourseOf reads the inputs once more for the courses of their latencies.
//
// Windows are 5 minutes long. Where the longest run has fewer than 20 of them
// they are the widest of 1 min, 30 s, 10 s, 5 s and 1 s that cut it into 20, or
// into 10 where windows have fewer than 100 requests on average. They are longer
// where a run would have more than [metric.MaxWindows], or where more than a
// quarter of the windows of the runs would be empty.
//
// The line is that of Theil and Sen through the medians of at most 40 groups of
// prompts of about equal counts.
//
// known are the sides of the comparison, if there was one; see [metric.Course].
func CourseOf(ctx context.Context, in Inputs, known ...*metric.Side) (*Course, error) {
	sides, err := metric.Course(ctx, in.Sides, in.Plan.Items, in.Scan, known...)
	if err != nil {
		return nil, err
	}
	out := &Course{}
	var runs []*metric.RunCourse
	for i, s := range sides {
		out.Items, out.Sampled = s.Items, s.Sampled
		out.Timed[i], out.Lengths[i] = s.Timed, s.Lengths
		runs = append(runs, s.Runs...)
		if out.Prompts[i], err = promptCurve(s.Prompts); err != nil {
			return nil, err
		}
	}
	width, err := commonWidth(runs)
	if err != nil {
		return nil, err
	}
	out.Width = float64(width) / 1e9
	for i, s := range sides {
		for _, r := range s.Runs {
			if len(r.Windows) > 0 {
				out.Runs[i] = append(out.Runs[i], courseRun(r))
			}
		}
	}
	return out, nil
}

func courseRun(r *metric.RunCourse) CourseRun {
	out := CourseRun{Label: r.Label, Parts: r.Parts}
	keys := slices.Sorted(maps.Keys(r.Windows))
	for _, k := range keys {
		out.Windows = append(out.Windows, CourseWindow{Start: float64(k-keys[0]) * float64(r.Width) / 1e9, Values: r.Windows[k]})
	}
	return out
}

// commonWidth brings all runs to windows of one width and returns it.
func commonWidth(runs []*metric.RunCourse) (int64, error) {
	var width int64
	for _, r := range runs {
		width = max(width, r.Width)
	}
	widen := func(to int64) error {
		width = to
		for _, r := range runs {
			if err := r.Widen(to); err != nil {
				return err
			}
		}
		return nil
	}
	if err := widen(width); err != nil || width == 0 {
		return width, err
	}
	for {
		w := windowsOf(runs)
		next := metric.Wider(width)
		least := int64(fewWindows)
		if w.requests < fewRequests*w.filled {
			least = leastWindows
		}
		sparse := 4*w.filled < 3*w.all
		if next == width || !sparse && (next > usualWidth || w.longest/(next/width) < least) {
			return width, nil
		}
		if err := widen(next); err != nil {
			return width, err
		}
	}
}

// windows counts the windows of runs: those of the longest run from its first to
// its last, those of all runs, those of them that are not empty, and the requests
// in these.
type windows struct{ longest, all, filled, requests int64 }

func windowsOf(runs []*metric.RunCourse) (out windows) {
	for _, r := range runs {
		if len(r.Windows) == 0 {
			continue
		}
		lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
		for k, cells := range r.Windows {
			lo, hi = min(lo, k), max(hi, k)
			out.requests += cells[0].N()
		}
		out.longest = max(out.longest, hi-lo+1)
		out.all += hi - lo + 1
		out.filled += int64(len(r.Windows))
	}
	return out
}

// promptCurve makes the curve of a side from its fine bins.
func promptCurve(fine map[int]*metric.PromptCourse) (PromptCurve, error) {
	out := PromptCurve{Fixed: math.NaN(), PerToken: math.NaN()}
	var total int64
	for _, p := range fine {
		total += p.Values.N()
	}
	least := max(lineGroup, total/lineGroups)
	var x, y []float64
	keys := slices.Sorted(maps.Keys(fine))
	var coarse, group promptSum
	last := 0
	for i, k := range keys {
		if i > 0 && k>>2 != last>>2 {
			out.Bins = append(out.Bins, coarse.bin())
			coarse = promptSum{}
		}
		last = k
		for _, sum := range []*promptSum{&coarse, &group} {
			if err := sum.add(fine[k]); err != nil {
				return out, err
			}
		}
		if group.values.N() >= least {
			b := group.bin()
			m, err := b.Values.Quantile(0.5)
			if err != nil {
				return out, err
			}
			x, y = append(x, b.Tokens), append(y, m)
			group = promptSum{}
		}
	}
	if len(keys) > 0 {
		out.Bins = append(out.Bins, coarse.bin())
	}
	if len(x) < 3 {
		return out, nil
	}
	if fit, err := stats.TheilSen(x, y, 0.95); err == nil {
		out.Fixed, out.PerToken = fit.Intercept, fit.Slope.Value
	}
	return out, nil
}

// promptSum gathers fine bins.
type promptSum struct {
	tokens int64
	values *sketch.Sketch
}

func (s *promptSum) add(p *metric.PromptCourse) error {
	if s.values == nil {
		s.values = &sketch.Sketch{}
	}
	s.tokens += p.Tokens
	return s.values.Merge(p.Values)
}

func (s *promptSum) bin() PromptBin {
	return PromptBin{Tokens: float64(s.tokens) / float64(s.values.N()), Values: s.values}
}
