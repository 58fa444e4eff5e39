package metric

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Courses is how the latencies of a side go with time and with the length of the
// prompt: what figures show and no verdict rests on.
type Courses struct {
	Items []Item       // those the sketches are of
	Runs  []*RunCourse // the first MaxCourses by label
	// Prompts are the sketches of the first item by [PromptBin].
	Prompts map[int]*PromptCourse
	// Sampled tells that the side is so large that only the beginning of each
	// part of its files was read.
	Sampled bool
	// Timed and Lengths tell that a record has a start, or a prompt length.
	Timed, Lengths bool
}

// RunCourse is a run cut into windows of time.
type RunCourse struct {
	Label string
	// Width is how long a window is, in nanoseconds. Windows lie at whole
	// multiples of it since 1970.
	Width   int64
	Windows map[int64][]*sketch.Sketch // by multiple; parallel to the items
	// Parts is how many parts of files have records of the run.
	Parts int
	part  [2]int // the file and the partition that were met last
}

// PromptCourse is the requests with prompts of about one length.
type PromptCourse struct {
	Tokens int64 // of all of them
	Values *sketch.Sketch
}

const (
	// MaxCourses is how many runs of a side are followed over time.
	MaxCourses = 12
	// MaxWindows is how many windows a run is cut into at most.
	MaxWindows = 120
	// courseLimit and courseBits are those of the sketches: a hundred thousand
	// of them may be alive.
	courseLimit, courseBits = 128, 6
	// courseRows is how much of each part of the files of a large side is read.
	courseRows = 1 << 13
	// promptOctave is the number of bins of a doubling of the prompt length, as
	// a power of two.
	promptOctave = 3
)

// second is a second in nanoseconds.
const second = int64(1e9)

// windowWidths are the possible widths of windows, each a multiple of the one
// before, so that windows can be merged. The last covers all times in a few.
var windowWidths = []int64{
	second, 5 * second, 10 * second, 30 * second, 60 * second, 300 * second, 900 * second, 1800 * second, 3600 * second,
	3 * 3600 * second, 6 * 3600 * second, 12 * 3600 * second, 86400 * second, 7 * 86400 * second, 28 * 86400 * second,
	364 * 86400 * second, 36400 * 86400 * second,
}

// Wider returns the next width of windows, the same at the end.
func Wider(width int64) int64 {
	i := slices.Index(windowWidths, width)
	return windowWidths[min(i+1, len(windowWidths)-1)]
}

// PromptBin returns the bin of a prompt length, eight to an octave; ok is false
// for what is no length.
func PromptBin(tokens float64) (bin int, ok bool) {
	if !(tokens >= 1 && tokens <= 1<<40) {
		return 0, false
	}
	return int((math.Float64bits(tokens) - math.Float64bits(1)) >> (52 - promptOctave)), true
}

// Course reads the sides once more and follows the latencies of the items with
// a value per request. Of large sides it reads only the beginning of each part
// of a file. Memory is bounded: windows that become too many are merged into
// wider ones, and of many runs the first by label are kept. known are the sides
// as an earlier pass has found them, if there was one: starts that it took for no
// reading of a clock are left out.
func Course(ctx context.Context, inputs []Input, items []Item, s Scan, known ...*Side) ([]*Courses, error) {
	plan := Plan{Facets: []Facet{{Length: PromptLength}}}
	for _, it := range items {
		if it.Metric.Latency && it.Metric.Kind == PerRequest {
			plan.Items = append(plan.Items, it)
		}
	}
	sampled := plan.Large(inputs)
	if sampled {
		plan.Head = courseRows
	}
	out := make([]*Courses, len(inputs))
	if len(plan.Items) == 0 {
		for i := range out {
			out[i] = &Courses{}
		}
		return out, nil
	}
	extract := make([][][]*extractor, len(inputs))
	for i := range inputs {
		extract[i] = plan.extractorsOf(&inputs[i])
	}
	s.Progress = nil
	from := clockedSpans(known, len(inputs))
	workers, _, err := s.scan(ctx, inputs, &plan, func() worker {
		w := &courseWorker{inputs: inputs, extract: extract, sampled: sampled, from: from}
		for range inputs {
			w.sides = append(w.sides, &courseSide{runs: map[string]*RunCourse{}, prompts: map[int]*PromptCourse{}})
		}
		return w
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		all := workers[0].(*courseWorker).sides[i]
		for _, w := range workers[1:] {
			if err := all.merge(w.(*courseWorker).sides[i]); err != nil {
				return nil, err
			}
		}
		out[i] = &Courses{Items: plan.Items, Prompts: all.prompts, Sampled: sampled, Timed: all.timed, Lengths: all.lengths}
		for _, r := range all.runs {
			out[i].Runs = append(out[i].Runs, r)
		}
		slices.SortFunc(out[i].Runs, func(a, b *RunCourse) int { return strings.Compare(a.Label, b.Label) })
	}
	return out, nil
}

// courseSide is what one worker has seen of a side.
type courseSide struct {
	runs           map[string]*RunCourse
	prompts        map[int]*PromptCourse
	timed, lengths bool
}

// run returns the course of a run, nil for one that is not kept: those kept are
// the first by label, whatever the order in which they are met.
func (s *courseSide) run(label string) *RunCourse {
	r := s.runs[label]
	if r != nil {
		return r
	}
	if len(s.runs) >= MaxCourses {
		last := ""
		for l := range s.runs {
			last = max(last, l)
		}
		if label > last {
			return nil
		}
		delete(s.runs, last)
	}
	r = &RunCourse{Label: strings.Clone(label), Width: second, Windows: map[int64][]*sketch.Sketch{}, part: [2]int{-1, -1}}
	s.runs[r.Label] = r
	return r
}

func (s *courseSide) merge(o *courseSide) error {
	s.timed, s.lengths = s.timed || o.timed, s.lengths || o.lengths
	for label, from := range o.runs {
		if r := s.run(label); r != nil {
			if err := r.merge(from); err != nil {
				return err
			}
		}
	}
	for bin, from := range o.prompts {
		p := s.prompt(bin)
		p.Tokens += from.Tokens
		if err := p.Values.Merge(from.Values); err != nil {
			return err
		}
	}
	return nil
}

func (s *courseSide) prompt(bin int) *PromptCourse {
	p := s.prompts[bin]
	if p == nil {
		p = &PromptCourse{Values: courseSketch()}
		s.prompts[bin] = p
	}
	return p
}

func courseSketch() *sketch.Sketch {
	s, err := sketch.NewBits(courseLimit, courseBits)
	if err != nil {
		panic("metric: " + err.Error()) // a constant out of range
	}
	return s
}

// Widen merges the windows of the run into wider ones.
func (r *RunCourse) Widen(width int64) error {
	if width == r.Width {
		return nil
	}
	wide := map[int64][]*sketch.Sketch{}
	for at, cells := range r.Windows {
		to := floorDiv(at, width/r.Width)
		if err := addCells(wide, to, cells); err != nil {
			return err
		}
	}
	r.Width, r.Windows = width, wide
	return nil
}

func (r *RunCourse) merge(o *RunCourse) error {
	r.Parts += o.Parts // a part is read by one worker
	width := max(r.Width, o.Width)
	if err := r.Widen(width); err != nil {
		return err
	}
	if err := o.Widen(width); err != nil {
		return err
	}
	for at, cells := range o.Windows {
		if err := addCells(r.Windows, at, cells); err != nil {
			return err
		}
	}
	return r.limit()
}

// limit widens the windows until there are few enough.
func (r *RunCourse) limit() error {
	for len(r.Windows) > MaxWindows && Wider(r.Width) != r.Width {
		if err := r.Widen(Wider(r.Width)); err != nil {
			return err
		}
	}
	return nil
}

func addCells(windows map[int64][]*sketch.Sketch, at int64, cells []*sketch.Sketch) error {
	have := windows[at]
	if have == nil {
		windows[at] = cells
		return nil
	}
	for i := range have {
		if err := have[i].Merge(cells[i]); err != nil {
			return err
		}
	}
	return nil
}

// floorDiv is a ÷ b rounded down, for b above 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// courseWorker is the worker of Course.
type courseWorker struct {
	inputs  []Input
	extract [][][]*extractor
	sides   []*courseSide
	sampled bool
	from    []map[string][2]int64 // by side and run: see clockedSpans

	groups  grouper
	items   itemColumns
	list    []int32
	one     [1]int32
	scratch []float64
}

func (w *courseWorker) frame(side, file int, f *ingest.Frame) error {
	w.items.read(w.extract[side][file], f)
	to := w.sides[side]
	for _, g := range w.groups.split(f, nil) {
		if err := w.times(to, w.from[side], g.unit(w.inputs[side].Files[file].Label), file, f, g.good); err != nil {
			return err
		}
		w.prompts(to, f, g.good)
	}
	if w.sampled && f.Row+int64(f.N) >= courseRows {
		return errEnough
	}
	return nil
}

// times books the good rows of a run by their start.
func (w *courseWorker) times(side *courseSide, from map[string][2]int64, label string, file int, f *ingest.Frame, good rows) error {
	start := f.Col(ingest.Start)
	if start == nil || good.len() == 0 {
		return nil
	}
	run := side.run(label)
	if run == nil {
		return nil
	}
	if part := [2]int{file, f.Partition}; part != run.part {
		run.part = part
		run.Parts++
	}
	w.list = w.list[:0]
	span, ruled := from[label]
	at, err := int64(0), error(nil)
	flush := func() {
		if len(w.list) > 0 && err == nil {
			err = w.book(run, at, f)
		}
		w.list = w.list[:0]
	}
	good.each(func(i int) {
		if start.StateAt(i) != ingest.Present || ruled && (start.Times[i] < span[0] || start.Times[i] > span[1]) {
			return
		}
		side.timed = true
		if len(w.list) > 0 && floorDiv(start.Times[i], run.Width) != at {
			flush()
		}
		at = floorDiv(start.Times[i], run.Width) // flush may have made windows wider
		w.list = append(w.list, int32(i))
	})
	flush()
	return err
}

// book adds the rows of the list to a window.
func (w *courseWorker) book(run *RunCourse, at int64, f *ingest.Frame) error {
	cells := run.Windows[at]
	if cells == nil {
		for range w.items.extract {
			cells = append(cells, courseSketch())
		}
		run.Windows[at] = cells
	}
	var counts Cell
	for i, ex := range w.items.extract {
		if ex != nil {
			w.scratch = ex.values(f, w.items.cols[i], rows{list: w.list}, w.scratch[:0], &counts)
			cells[i].AddSlice(w.scratch)
		}
	}
	return run.limit()
}

// prompts books the first item of good rows by the length of the prompt.
func (w *courseWorker) prompts(side *courseSide, f *ingest.Frame, good rows) {
	length := f.Col(ingest.PromptTokens)
	if length == nil || len(w.items.extract) == 0 || w.items.extract[0] == nil {
		return
	}
	var counts Cell
	good.each(func(i int) {
		tokens, ok := plausible(length, int32(i))
		bin, fits := PromptBin(tokens)
		if !ok || !fits {
			return
		}
		w.one[0] = int32(i)
		w.scratch = w.items.extract[0].values(f, w.items.cols[0], rows{list: w.one[:]}, w.scratch[:0], &counts)
		if len(w.scratch) == 1 {
			side.lengths = true
			p := side.prompt(bin)
			p.Tokens += int64(tokens)
			p.Values.Add(w.scratch[0])
		}
	})
}
