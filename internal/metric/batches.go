package metric

import (
	"context"
	"errors"
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Look asks the second pass over a side with one run how an item behaves in
// the order of time.
type Look struct {
	Item int
	// Thresholds are values; the pass counts how many values lie at or below.
	Thresholds []float64
	// Share looks at whether requests count for the item's share: 1 or 0 for
	// every request, failed ones included.
	Share bool
	// Center and Spread place the values: sums are kept of (value − Center), in
	// exact steps of Spread·2⁻³². Spread is at least the largest distance.
	Center, Spread float64
}

// Batches are consecutive stretches of a run, of about equal numbers of values.
type Batches struct {
	Counts []int64
	Below  [][]int64 // by threshold, then batch
	Means  []float64 // of the values of each batch
	ByTime bool      // ordered by start time; else in the order of the records
}

const buckets = 4096

// errUnordered tells that a side has more than one unit.
var errUnordered = errors.New("metric: batches need a side with one unit")

// TimeBatches reads a side that has a single unit once more and cuts the values
// of each look into n batches, by start time if every request has one and they
// spread over the run, else by the order of the records.
func TimeBatches(ctx context.Context, input Input, side *Side, plan Plan, looks []Look, n int, s Scan) ([]Batches, error) {
	if len(side.Units) != 1 {
		return nil, errUnordered
	}
	u := side.Units[0]
	b := &bucketing{looks: looks, timed: u.HasTime && u.Untimed == 0 && u.LastStart > u.FirstStart, first: u.FirstStart, last: u.LastStart}
	for _, f := range side.Files {
		offsets := make([]int64, len(f.PartitionRows))
		for p, rows := range f.PartitionRows {
			offsets[p] = b.rows
			b.rows += rows
		}
		b.offsets = append(b.offsets, offsets)
	}
	for _, f := range input.Files {
		b.extract = append(b.extract, plan.extractors(f.Layout))
	}
	plan.SkipTimes = false
	for _, look := range looks {
		b.slos = append(b.slos, plan.Items[look.Item].Metric.slo)
	}
	workers, _, err := s.scan(ctx, []Input{input}, &plan, func() worker { return newBucketer(b) })
	if err != nil {
		return nil, err
	}
	all := workers[0].(*bucketer)
	for _, w := range workers[1:] {
		all.merge(w.(*bucketer))
	}
	out := make([]Batches, len(looks))
	for i, look := range looks {
		if b.timed {
			if cut, even := all.byTime[i].cut(look, n); even {
				cut.ByTime = true
				out[i] = cut
				continue
			}
		}
		out[i], _ = all.byOrder[i].cut(look, n)
	}
	return out, nil
}

type bucketing struct {
	looks       []Look
	timed       bool
	first, last int64
	rows        int64
	offsets     [][]int64 // row number of the first record, by file and partition
	extract     [][]*extractor
	slos        []*SLO // the objective behind a look at a share
}

// line is a row of buckets of one look.
type line struct {
	n     []int64
	below [][]int64
	sum   []int64 // of (value − center) in steps
}

func newLine(look Look) line {
	l := line{n: make([]int64, buckets), sum: make([]int64, buckets), below: make([][]int64, len(look.Thresholds))}
	for i := range l.below {
		l.below[i] = make([]int64, buckets)
	}
	return l
}

func (l *line) merge(o line) {
	for i := range l.n {
		l.n[i] += o.n[i]
		l.sum[i] += o.sum[i]
		for t := range l.below {
			l.below[t][i] += o.below[t][i]
		}
	}
}

func (l *line) add(look *Look, at int, v float64, step float64) {
	l.n[at]++
	l.sum[at] += int64(math.Round((v - look.Center) * step))
	for t, x := range look.Thresholds {
		if v <= x {
			l.below[t][at]++
		}
	}
}

// bucketer is the worker of TimeBatches.
type bucketer struct {
	*bucketing
	byTime, byOrder []line
	steps           []float64
	scratch         []float64
	items           itemColumns
}

func newBucketer(b *bucketing) *bucketer {
	w := &bucketer{bucketing: b}
	for _, look := range b.looks {
		w.byTime, w.byOrder = append(w.byTime, newLine(look)), append(w.byOrder, newLine(look))
		step := 0.0
		if look.Spread > 0 {
			step = (1 << 32) / look.Spread
		}
		w.steps = append(w.steps, step)
	}
	return w
}

func (w *bucketer) merge(o *bucketer) {
	for i := range w.byTime {
		w.byTime[i].merge(o.byTime[i])
		w.byOrder[i].merge(o.byOrder[i])
	}
}

func (w *bucketer) frame(_, file int, f *ingest.Frame) error {
	var cell Cell
	one := make([]int32, 1)
	w.items.read(w.extract[file], f)
	for i, why := range f.Reasons {
		good := why == ingest.Good
		if !good && why.Outcome() != ingest.Failed {
			continue
		}
		order, when := w.place(file, f, i)
		one[0] = int32(i)
		for k := range w.looks {
			switch ex := w.extract[file][w.looks[k].Item]; {
			case w.looks[k].Share:
				v := 0.0
				if good && (w.slos[k] == nil || w.slos[k].met(f, rows{list: one}) == 1) {
					v = 1
				}
				w.scratch = append(w.scratch[:0], v)
			case ex == nil || !good:
				continue
			default:
				w.scratch = ex.values(f, w.items.cols[w.looks[k].Item], rows{list: one}, w.scratch[:0], &cell)
			}
			for _, v := range w.scratch {
				w.byOrder[k].add(&w.looks[k], order, v, w.steps[k])
				if w.timed {
					w.byTime[k].add(&w.looks[k], when, v, w.steps[k])
				}
			}
		}
	}
	return nil
}

// place returns the bucket of a row by its number and by its start.
func (w *bucketer) place(file int, f *ingest.Frame, i int) (order, when int) {
	row := w.offsets[file][f.Partition] + f.Row + int64(i)
	order = int(float64(row) / float64(w.rows) * buckets)
	if start := f.Col(ingest.Start); w.timed && start != nil && start.StateAt(i) == ingest.Present {
		when = int(float64(start.Times[i]-w.first) / float64(w.last-w.first) * buckets)
	}
	return min(max(order, 0), buckets-1), min(max(when, 0), buckets-1)
}

// cut gathers consecutive buckets into n batches of about equal counts. even
// tells whether no batch is empty or more than twice its share.
func (l *line) cut(look Look, n int) (b Batches, even bool) {
	var total int64
	for _, k := range l.n {
		total += k
	}
	b.Counts, b.Means = make([]int64, n), make([]float64, n)
	b.Below = make([][]int64, len(look.Thresholds))
	for t := range b.Below {
		b.Below[t] = make([]int64, n)
	}
	if total == 0 {
		return b, false
	}
	var before int64
	sums := make([]float64, n)
	for i, k := range l.n {
		if k == 0 {
			continue
		}
		at := min(n-1, int(float64(2*before+k)/float64(2*total)*float64(n)))
		before += k
		b.Counts[at] += k
		sums[at] += float64(l.sum[i])
		for t := range b.Below {
			b.Below[t][at] += l.below[t][i]
		}
	}
	even = true
	for i, k := range b.Counts {
		if k == 0 || float64(k) > 2*float64(total)/float64(n) {
			even = false
		}
		if k > 0 {
			b.Means[i] = look.Center + sums[i]/float64(k)*look.Spread/(1<<32)
		}
	}
	return b, even
}
