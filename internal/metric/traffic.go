package metric

import (
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Traffic is what one side was asked to do, as far as the records tell.
type Traffic struct {
	// Sampled tells that only the beginning of each part of a large file was
	// read.
	Sampled bool
	Records int64 // requests looked at, successful or not
	// Prompt and Output are the lengths in tokens: of all requests, and of
	// successful ones.
	Prompt, Output *sketch.Sketch
	// CachedTokens of PromptTokens came from the prefix cache, where both are
	// recorded.
	CachedTokens, PromptTokens int64
	// Concurrency and Rate are the load the harness was told to offer.
	Concurrency, Rate *sketch.Sketch
	// Late is how many seconds after its scheduled time each request was sent.
	Late *sketch.Sketch
	// Fingerprint holds the distinct words of columns that tell what served the
	// requests: model, engine, GPU, build.
	Fingerprint map[string]map[string]bool
	// Bins counts requests by the bin of each length that was asked for.
	Bins map[Length]map[int]int64
	// Groups counts requests by the words of columns that tell who asked, or what
	// for; a column of too many words has no counts.
	Groups map[string]map[string]int64

	all, ok []int32 // rows of a frame
	scratch []float64
}

// trafficFields are what a look at the traffic reads.
var trafficFields = []ingest.Field{ingest.PromptTokens, ingest.OutputTokens, ingest.CachedTokens, ingest.Concurrency, ingest.Rate, ingest.Scheduled}

// sampleRows is how much of each partition of a large input is looked at.
const sampleRows = 1 << 14

// LookAtTraffic reads what was asked of each side, before the latencies are
// read: of large inputs a sample. bin sorts the lengths of the given kinds.
func LookAtTraffic(ctx context.Context, inputs []Input, lengths []Length, bin func(float64) (int, bool), s Scan) ([]*Traffic, error) {
	some := false
	for _, in := range inputs {
		for _, f := range in.Files {
			for _, field := range trafficFields {
				some = some || f.Layout.Fields[field].Bound()
			}
			for _, name := range trafficWords {
				some = some || f.HasColumn(name)
			}
		}
	}
	out := make([]*Traffic, len(inputs))
	plan := Plan{Traffic: true, SkipTimes: true, Words: trafficWords}
	sampled := plan.Large(inputs)
	if sampled {
		plan.Head = sampleRows
	}
	for i := range out {
		out[i] = newTraffic(sampled)
	}
	if !some {
		return out, nil
	}
	looked := everyRecord(inputs)
	s.Progress = nil
	workers, _, err := s.scan(ctx, looked, &plan, func() worker {
		memo := &binMemo{of: bin}
		w := &trafficWorker{lengths: lengths, bin: memo.bin, sampled: sampled}
		for range inputs {
			w.sides = append(w.sides, newTraffic(sampled))
		}
		return w
	})
	if err != nil {
		return nil, err
	}
	for _, w := range workers {
		for i, t := range w.(*trafficWorker).sides {
			if err := out[i].merge(t); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func newTraffic(sampled bool) *Traffic {
	return &Traffic{Sampled: sampled, Prompt: sketch.New(0), Output: sketch.New(0), Concurrency: sketch.New(0), Rate: sketch.New(0), Late: sketch.New(0), Bins: map[Length]map[int]int64{}, Groups: map[string]map[string]int64{}, Fingerprint: map[string]map[string]bool{}}
}

func (t *Traffic) merge(o *Traffic) error {
	t.Records += o.Records
	t.CachedTokens += o.CachedTokens
	t.PromptTokens += o.PromptTokens
	for l, bins := range o.Bins {
		for b, n := range bins {
			t.count(l, b, n)
		}
	}
	for name, words := range o.Groups {
		for w, n := range words {
			t.group(name, w, n)
		}
	}
	for name, words := range o.Fingerprint {
		for w := range words {
			t.note(name, w)
		}
	}
	for _, pair := range [][2]*sketch.Sketch{{t.Prompt, o.Prompt}, {t.Output, o.Output}, {t.Concurrency, o.Concurrency}, {t.Rate, o.Rate}, {t.Late, o.Late}} {
		if err := pair[0].Merge(pair[1]); err != nil {
			return err
		}
	}
	return nil
}

type trafficWorker struct {
	lengths []Length
	bin     func(float64) (int, bool)
	sampled bool
	sides   []*Traffic
}

func (w *trafficWorker) frame(side, _ int, f *ingest.Frame) error {
	all := rows{spans: []span{{0, f.N}}}
	w.sides[side].look(f, all.each, w.lengths, w.bin)
	w.sides[side].words(f)
	if w.sampled && f.Row+int64(f.N) >= sampleRows {
		return errEnough
	}
	return nil
}

// look adds rows of a frame.
func (t *Traffic) look(f *ingest.Frame, each func(func(i int)), lengths []Length, bin func(float64) (int, bool)) {
	all, ok := t.all[:0], t.ok[:0] // the requests, those that succeeded
	each(func(i int) {
		switch o := f.Reasons[i].Outcome(); {
		case o == ingest.OK:
			ok = append(ok, int32(i))
			fallthrough
		case o == ingest.Failed:
			all = append(all, int32(i))
		}
	})
	t.all, t.ok = all, ok
	t.Records += int64(len(all))
	t.values(t.Prompt, f.Col(ingest.PromptTokens), all)
	t.values(t.Output, f.Col(ingest.OutputTokens), ok)
	t.values(t.Concurrency, f.Col(ingest.Concurrency), all)
	t.values(t.Rate, f.Col(ingest.Rate), all)
	t.late(f.Col(ingest.Scheduled), f.Col(ingest.Start), all)
	if prompt, cached := f.Col(ingest.PromptTokens), f.Col(ingest.CachedTokens); prompt != nil && cached != nil {
		for _, i := range all {
			if p, has := plausible(prompt, i); has {
				if c, has := plausible(cached, i); has {
					t.CachedTokens += int64(c)
					t.PromptTokens += int64(p)
				}
			}
		}
	}
	for _, l := range lengths {
		of := all
		if l.OfAnswer() {
			of = ok
		}
		t.bins(l, f.Col(l.field()), of, bin)
	}
}

// bins counts the bins of a length in rows.
func (t *Traffic) bins(l Length, c *ingest.Column, of []int32, bin func(float64) (int, bool)) {
	if c == nil {
		return
	}
	var few [64]int64 // counts of small bins
	for _, i := range of {
		v, has := plausible(c, i)
		if !has {
			continue
		}
		switch b, ok := bin(v); {
		case !ok:
		case b >= 0 && b < len(few):
			few[b]++
		default:
			t.count(l, b, 1)
		}
	}
	for b, n := range few {
		if n > 0 {
			t.count(l, b, n)
		}
	}
}

func (t *Traffic) count(l Length, bin int, n int64) {
	if t.Bins[l] == nil {
		t.Bins[l] = map[int]int64{}
	}
	t.Bins[l][bin] += n
}

// values adds what a column holds in rows to a sketch.
func (t *Traffic) values(to *sketch.Sketch, c *ingest.Column, rows []int32) {
	if c == nil {
		return
	}
	vs := t.scratch[:0]
	for _, i := range rows {
		if v, ok := plausible(c, i); ok {
			vs = append(vs, v)
		}
	}
	t.scratch = vs
	to.AddSlice(vs)
}

// late adds how long after its scheduled time each request was sent.
func (t *Traffic) late(scheduled, start *ingest.Column, rows []int32) {
	if scheduled == nil || start == nil {
		return
	}
	vs := t.scratch[:0]
	for _, i := range rows {
		if scheduled.StateAt(int(i)) == ingest.Present && start.StateAt(int(i)) == ingest.Present {
			vs = append(vs, max(0, float64(start.Times[i]-scheduled.Times[i])/1e9))
		}
	}
	t.scratch = vs
	t.Late.AddSlice(vs)
}

// MeanLateness is how many seconds after their scheduled times the requests were
// sent, on average; ok is false where no record tells.
func (t *Traffic) MeanLateness() (v float64, ok bool) {
	if t.Late == nil {
		return 0, false
	}
	v, _, err := t.Late.MeanVariance()
	return v, err == nil
}

// plausible returns the number in a row, if it can be a count or a rate.
func plausible(c *ingest.Column, i int32) (float64, bool) {
	if c.State != nil && c.State[i] != ingest.Present {
		return 0, false
	}
	v := c.Floats[i]
	return v, v >= 0 && v <= 1<<53
}

// Length is a number by which traffic is cut: a length in tokens, or when a
// request started.
type Length uint8

// The lengths.
const (
	PromptLength Length = iota
	OutputLength
	CachedLength // tokens of the prompt that came from the prefix cache
	StartTime    // in nanoseconds
)

// OfAnswer tells that only a successful request has the length.
func (l Length) OfAnswer() bool { return l == OutputLength || l == CachedLength }

func (l Length) field() ingest.Field {
	switch l {
	case OutputLength:
		return ingest.OutputTokens
	case CachedLength:
		return ingest.CachedTokens
	case StartTime:
		return ingest.Start
	}
	return ingest.PromptTokens
}

// LengthOf is the length that the traffic of the sides is cut by: of the
// prompt, or, where a file does not tell it, of the answer.
func LengthOf(sides []Input) Length {
	for _, side := range sides {
		for _, f := range side.Files {
			if !f.Layout.HasField(ingest.PromptTokens) {
				return OutputLength
			}
		}
	}
	return PromptLength
}

// Setting is something of the traffic that has a median.
type Setting uint8

// The settings.
const (
	PromptSetting Setting = iota
	OutputSetting
	ConcurrencySetting
	RateSetting
)

// Median returns the median of a setting; ok is false where no record tells.
func (t *Traffic) Median(of Setting) (v float64, ok bool) {
	s := [...]*sketch.Sketch{t.Prompt, t.Output, t.Concurrency, t.Rate}[of]
	v, err := s.Quantile(0.5)
	return v, err == nil
}

// CachedShare is the share of the prompt tokens that the prefix cache served;
// ok is false where no record tells.
func (t *Traffic) CachedShare() (v float64, ok bool) {
	if t.PromptTokens == 0 {
		return 0, false
	}
	return float64(t.CachedTokens) / float64(t.PromptTokens), true
}
