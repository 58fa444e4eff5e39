package metric

import (
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// unitBuckets is the number of stretches that a unit's time is cut into before
// they are gathered into batches: fewer than for a side with one unit.
const unitBuckets = 1024

// BatchesOfUnits is TimeBatches for every unit of a side, in one pass: looks
// and the result are by unit. Each look of a unit is about that unit's values.
func BatchesOfUnits(ctx context.Context, input Input, side *Side, plan Plan, looks [][]Look, n int, s Scan) ([][]Batches, error) {
	if len(looks) != len(side.Units) {
		return nil, fmt.Errorf("metric: looks at %d units of %d", len(looks), len(side.Units))
	}
	b := &unitBucketing{input: &input, plan: &plan, looks: looks, units: side.Units, byLabel: map[string]int{}}
	for i, u := range side.Units {
		b.byLabel[u.Label] = i
	}
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
	plan.SkipTimes, plan.Facets = false, nil
	s.Progress = nil
	workers, _, err := s.scan(ctx, []Input{input}, &plan, func() worker {
		return &unitBucketer{unitBucketing: b, lines: make([][]unitLine, len(side.Units))}
	})
	if err != nil {
		return nil, err
	}
	out := make([][]Batches, len(side.Units))
	for u := range out {
		var all []unitLine
		for _, w := range workers {
			lines := w.(*unitBucketer).lines[u]
			switch {
			case all == nil:
				all = lines
			case lines != nil:
				for k := range all {
					all[k].byTime.merge(lines[k].byTime)
					all[k].byOrder.merge(lines[k].byOrder)
				}
			}
		}
		out[u] = make([]Batches, len(looks[u]))
		for k := range all {
			if cut, even := all[k].byTime.cut(looks[u][k], n); even {
				cut.ByTime = true
				out[u][k] = cut
				continue
			}
			out[u][k], _ = all[k].byOrder.cut(looks[u][k], n)
		}
	}
	return out, nil
}

type unitBucketing struct {
	input   *Input
	plan    *Plan
	looks   [][]Look
	units   []*Unit
	byLabel map[string]int
	rows    int64
	offsets [][]int64 // row number of the first record, by file and partition
	extract [][]*extractor
}

// unitLine is one look of one unit.
type unitLine struct {
	byTime, byOrder line
	step            float64
}

// unitBucketer is the worker of BatchesOfUnits.
type unitBucketer struct {
	*unitBucketing
	lines   [][]unitLine // by unit; nil until it is met
	groups  grouper
	scratch []float64
	items   itemColumns
}

func (w *unitBucketer) frame(_, file int, f *ingest.Frame) error {
	start := f.Col(ingest.Start)
	var cell Cell
	one := make([]int32, 1)
	w.items.read(w.extract[file], f)
	for _, g := range w.groups.split(f, w.plan.ByReplica) {
		label := g.label
		if g.unlabelled {
			label = w.input.Files[file].Label
		}
		at, ok := w.byLabel[label]
		if !ok || len(w.looks[at]) == 0 {
			continue
		}
		u, lines := w.units[at], w.of(at)
		timed := start != nil && u.HasTime && u.Untimed == 0 && u.LastStart > u.FirstStart
		span := float64(u.LastStart - u.FirstStart)
		g.each(func(i int) {
			good := f.Reasons[i] == ingest.Good
			if !good && f.Reasons[i].Outcome() != ingest.Failed {
				return
			}
			row := w.offsets[file][f.Partition] + f.Row + int64(i)
			// The rows of a unit may be a small part of the side's.
			order := bucketOf(float64(row)/float64(w.rows), buckets)
			when := -1
			if timed && start.StateAt(i) == ingest.Present {
				when = bucketOf(float64(start.Times[i]-u.FirstStart)/span, unitBuckets)
			}
			one[0] = int32(i)
			for k := range w.looks[at] {
				look, l := &w.looks[at][k], &lines[k]
				switch ex := w.extract[file][look.Item]; {
				case look.Share:
					w.scratch = append(w.scratch[:0], hit(f, one, good, w.plan.Items[look.Item].Metric.slo))
				case ex == nil || !good:
					continue
				default:
					w.scratch = ex.values(f, w.items.cols[look.Item], rows{list: one}, w.scratch[:0], &cell)
				}
				for _, v := range w.scratch {
					l.byOrder.add(look, order, v, l.step)
					if when >= 0 {
						l.byTime.add(look, when, v, l.step)
					}
				}
			}
		})
	}
	return nil
}

// hit is 1 for a request that counts for a share, else 0.
func hit(f *ingest.Frame, one []int32, good bool, slo *SLO) float64 {
	if good && (slo == nil || slo.met(f, rows{list: one}) == 1) {
		return 1
	}
	return 0
}

func bucketOf(share float64, n int) int { return min(max(int(share*float64(n)), 0), n-1) }

// of returns the lines of a unit, made when it is first met.
func (w *unitBucketer) of(unit int) []unitLine {
	if w.lines[unit] == nil {
		lines := make([]unitLine, len(w.looks[unit]))
		for k, look := range w.looks[unit] {
			lines[k] = unitLine{byTime: newLineOf(look, unitBuckets), byOrder: newLineOf(look, buckets)}
			if look.Spread > 0 {
				lines[k].step = (1 << 32) / look.Spread
			}
		}
		w.lines[unit] = lines
	}
	return w.lines[unit]
}

func newLineOf(look Look, n int) line {
	l := line{n: make([]int64, n), sum: make([]int64, n), below: make([][]int64, len(look.Thresholds))}
	for i := range l.below {
		l.below[i] = make([]int64, n)
	}
	return l
}
