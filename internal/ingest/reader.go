package ingest

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Options says which records of an input count.
type Options struct {
	// Warmup drops requests that started less than this many nanoseconds after
	// the first of their run. It needs RunStart.
	Warmup int64
	// RunStart is the first start of every run, by run label ("" without a run
	// column), in nanoseconds.
	RunStart map[string]int64
	// Service measures latencies from the actual start even where a scheduled
	// start is recorded.
	Service bool
	// Head is how many records of each partition are wanted, 0 for all. More may
	// be read.
	Head int
	// Model, if not "", leaves out the records whose word in column ModelColumn
	// is another.
	Model       string
	ModelColumn int
	// Paired, if not nil, leaves out the records whose word in column PairColumn
	// it refuses, and those without a word.
	Paired     func(word string) bool
	PairColumn int
	// Unpaired leaves out all records: those of a file without a partner.
	Unpaired bool
	// Duplicates, if not nil, rejects records whose request id was seen before
	// in the same run. Partitions must then be scanned in order.
	Duplicates *Duplicates
}

// Frame is a checked batch: canonical columns in base units, and for every
// record what it is evidence of. It is valid until yield returns.
type Frame struct {
	Partition int
	Row       int64 // index of the first record within the partition
	N         int
	Reasons   []Reason // Good for a record whose latencies count
	Bad       []int32  // the rows whose reason is another, ascending
	cols      [NumFields]*Column
	Generic   []*Column // parallel to the generic columns asked for
	Words     []*Column // parallel to the columns asked for as words

	model *Column // of the records, where one is chosen
	pair  *Column // what pairs them, where something does

	ttft, e2e, latency Column // computed latencies
}

// Col returns the column of a field, nil if the source has none or it was not
// asked for. TTFT and E2E are computed from times where no column holds them.
func (f *Frame) Col(field Field) *Column { return f.cols[field] }

// Pair returns the column by which records are paired, nil if they are not.
func (f *Frame) Pair() *Column { return f.pair }

// Reader scans one source into frames.
type Reader struct {
	Path   string
	Src    Source
	Layout *Layout
	opt    Options

	req     []Request
	slot    []int // request → field, NumFields + generic index, −1 − word index, modelSlot or pairSlot
	fields  [NumFields]bool
	generic []GenericColumn
	words   int
}

const (
	modelSlot = math.MinInt
	pairSlot  = math.MinInt + 1
)

// alwaysRead lists the fields that decide whether a record counts; they are
// read wherever a column carries them.
var alwaysRead = []Field{Status, HTTPStatus, Error, Phase}

// Wanted is what a scan reads besides what decides whether a record counts.
type Wanted struct {
	Fields  []Field         // those that no column carries are left out
	Generic []GenericColumn // numeric columns
	Words   []int           // indices of columns to read as words, −1 for one the source lacks
	Few     bool            // the words of those may be numbered by bytes, see Column.Few
}

// NewReader prepares a scan of a source.
func NewReader(path string, src Source, layout *Layout, wanted Wanted, opt Options) *Reader {
	r := &Reader{Path: path, Src: src, Layout: layout, opt: opt, generic: wanted.Generic, words: len(wanted.Words)}
	want := append(slices.Clone(alwaysRead), wanted.Fields...)
	if opt.Warmup > 0 {
		want = append(want, Start, Run)
	}
	if opt.Duplicates != nil {
		want = append(want, RequestID, Run)
	}
	for _, f := range want {
		r.add(f)
		if f == E2E && !layout.Fields[E2E].Bound() {
			r.add(Start)
			r.add(End)
		}
		if f == TTFT && !layout.Fields[TTFT].Bound() {
			r.add(Start)
			r.add(FirstToken)
		}
		if (f == TTFT || f == E2E || f == Latency) && !opt.Service && layout.Fields[Scheduled].Bound() {
			r.add(Start)
			r.add(Scheduled)
		}
	}
	for i, g := range wanted.Generic {
		r.req = append(r.req, Request{Column: g.Column, Form: Number, Unit: g.Unit})
		r.slot = append(r.slot, int(NumFields)+i)
	}
	for i, col := range wanted.Words {
		if col >= 0 {
			r.req = append(r.req, Request{Column: col, Form: Text, Few: wanted.Few})
			r.slot = append(r.slot, -1-i)
		}
	}
	if opt.Model != "" {
		r.req = append(r.req, Request{Column: opt.ModelColumn, Form: Text})
		r.slot = append(r.slot, modelSlot)
	}
	if opt.Paired != nil {
		r.req = append(r.req, Request{Column: opt.PairColumn, Form: Text})
		r.slot = append(r.slot, pairSlot)
	}
	return r
}

func (r *Reader) add(f Field) {
	b := r.Layout.Fields[f]
	if r.fields[f] || !b.Bound() {
		return
	}
	r.fields[f] = true
	r.req = append(r.req, Request{Column: b.Column, Form: f.Form(), Unit: b.Unit})
	r.slot = append(r.slot, int(f))
}

// HasField reports whether a layout gives a field, directly or computed.
func (l *Layout) HasField(f Field) bool {
	switch f {
	case E2E:
		return l.Fields[E2E].Bound() || l.Fields[Start].Bound() && l.Fields[End].Bound()
	case TTFT:
		return l.Fields[TTFT].Bound() || l.Fields[Start].Bound() && l.Fields[FirstToken].Bound()
	}
	return l.Fields[f].Bound()
}

// Tally is what one scan saw.
type Tally struct {
	Counts
	UnknownStatus []string // words of the status column that count as failures because nobody knows them
	UnknownPhases []string // words of the phase column that are neither warm-up nor measurement
	BadTime       *BadCell // the first time that cannot be read, of records that are rejected for it
}

// BadCell is where a value stands that cannot be read.
type BadCell struct {
	Row   int64 // within the partition
	Field Field
}

// Scan reads one partition and yields checked frames in order.
func (r *Reader) Scan(ctx context.Context, partition int, yield func(*Frame) error) (Tally, error) {
	c := &checker{r: r}
	f := &Frame{Partition: partition, Generic: make([]*Column, len(r.generic)), Words: make([]*Column, r.words)}
	scan := r.Src.Scan
	if p, ok := r.Src.(Previewer); ok && r.opt.Head > 0 {
		scan = func(ctx context.Context, partition int, req []Request, yield func(*Batch) error) error {
			return p.Preview(ctx, partition, r.opt.Head, req, yield)
		}
	}
	err := scan(ctx, partition, r.req, func(b *Batch) error {
		f.Row, f.N = b.Row, b.N
		for i := range r.req {
			switch s := r.slot[i]; {
			case s == modelSlot:
				f.model = &b.Cols[i]
			case s == pairSlot:
				f.pair = &b.Cols[i]
			case s < 0:
				f.Words[-1-s] = &b.Cols[i]
			case s < int(NumFields):
				f.cols[s] = &b.Cols[i]
			default:
				f.Generic[s-int(NumFields)] = &b.Cols[i]
			}
		}
		r.compute(f)
		c.check(f)
		return yield(f)
	})
	if err != nil {
		return c.tally, fmt.Errorf("%s: %w", r.Path, err)
	}
	return c.tally, nil
}

// compute fills latencies that follow from times: end − start, first token −
// start, and the wait between the scheduled and the actual start.
func (r *Reader) compute(f *Frame) {
	start, end, first, sched := f.cols[Start], f.cols[End], f.cols[FirstToken], f.cols[Scheduled]
	if !r.Layout.Fields[E2E].Bound() && start != nil && end != nil {
		f.cols[E2E] = between(&f.e2e, start, end, f.N)
	}
	if !r.Layout.Fields[TTFT].Bound() && start != nil && first != nil {
		f.cols[TTFT] = between(&f.ttft, start, first, f.N)
	}
	if sched != nil && start != nil && !r.opt.Service {
		f.cols[TTFT] = delayed(&f.ttft, f.cols[TTFT], sched, start, f.N)
		f.cols[E2E] = delayed(&f.e2e, f.cols[E2E], sched, start, f.N)
		f.cols[Latency] = delayed(&f.latency, f.cols[Latency], sched, start, f.N)
	}
}

func (c *Column) reset(n int, states bool) {
	c.Floats = slices.Grow(c.Floats[:0], n)[:n]
	c.State = nil
	if states {
		c.State = make([]State, n)
	}
}

// between fills dst with b − a in seconds.
func between(dst *Column, a, b *Column, n int) *Column {
	dst.reset(n, a.State != nil || b.State != nil)
	for i := range dst.Floats {
		if dst.State != nil {
			if s := max(a.StateAt(i), b.StateAt(i)); s != Present {
				dst.State[i] = s
				continue
			}
		}
		dst.Floats[i] = float64(b.Times[i]-a.Times[i]) / 1e9
	}
	return dst
}

// delayed fills dst with lat + (start − scheduled) in seconds.
func delayed(dst *Column, lat, sched, start *Column, n int) *Column {
	if lat == nil {
		return nil
	}
	out := Column{Floats: make([]float64, n)}
	if lat.State != nil || sched.State != nil || start.State != nil {
		out.State = make([]State, n)
	}
	for i := range out.Floats {
		if out.State != nil {
			if s := max(lat.StateAt(i), sched.StateAt(i), start.StateAt(i)); s != Present {
				out.State[i] = s
				continue
			}
		}
		out.Floats[i] = lat.Floats[i] + float64(start.Times[i]-sched.Times[i])/1e9
	}
	*dst = out
	return dst
}
