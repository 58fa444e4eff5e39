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
	b := &unitBucketing{input: &input, plan: &plan, looks: looks, units: side.Units, byLabel: map[string]int{}, extract: plan.extractorsOf(&input)}
	for i, u := range side.Units {
		b.byLabel[u.Label] = i
	}
	b.offsets, b.rows = side.offsets()
	plan.SkipTimes, plan.Facets = false, nil
	s.Progress = nil
	workers, _, err := s.scan(ctx, []Input{input}, &plan, func() worker {
		return &unitBucketer{unitBucketing: b, split: splitter{of: &plan.Within}, seen: make([]unitSights, len(side.Units))}
	})
	if err != nil {
		return nil, err
	}
	out := make([][]Batches, len(side.Units))
	for u := range out {
		var all []sight
		for _, w := range workers {
			seen := w.(*unitBucketer).seen[u].sights
			switch {
			case all == nil:
				all = seen
			case seen != nil:
				for k := range all {
					all[k].merge(&seen[k])
				}
			}
		}
		out[u] = make([]Batches, len(looks[u]))
		for k := range all {
			out[u][k] = all[k].cut(n)
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
	offsets [][]int64
	extract [][]*extractor
}

// unitSights is what was seen of one unit; empty until it is met.
type unitSights struct {
	placer placer
	sights []sight
}

// unitBucketer is the worker of BatchesOfUnits.
type unitBucketer struct {
	*unitBucketing
	watcher
	seen   []unitSights
	split  splitter
	groups grouper
}

func (w *unitBucketer) frame(_, file int, f *ingest.Frame) error {
	w.items.read(w.extract[file], f)
	for _, g := range w.groups.split(f, w.split.column(f, 0, w.input.Files[file].Label)) {
		label := g.unit(w.input.Files[file].Label)
		at, ok := w.byLabel[label]
		if !ok || len(w.looks[at]) == 0 {
			continue
		}
		u := w.of(at)
		// The rows of a unit may be a small part of the side's.
		u.placer.begin(w.offsets[file][f.Partition] + f.Row)
		w.watch(u.sights, &u.placer, f, g.good, g.bad)
	}
	return nil
}

// of returns what was seen of a unit, begun when it is first met.
func (w *unitBucketer) of(unit int) *unitSights {
	s := &w.seen[unit]
	if s.sights == nil {
		u := w.units[unit]
		s.placer = placer{
			rows: w.rows, timed: u.Timed() && u.LastStart > u.FirstStart, partly: u.Untimed > 0,
			first: u.FirstStart, last: u.LastStart, buckets: unitBuckets, unknown: -1,
		}
		s.sights = newSights(w.looks[unit], w.plan, unitBuckets)
	}
	return s
}
