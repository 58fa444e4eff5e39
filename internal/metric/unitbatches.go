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
	b, err := newUnitBucketing(&input, side, plan, looks)
	if err != nil {
		return nil, err
	}
	workers, err := b.scan(ctx, s)
	if err != nil {
		return nil, err
	}
	return b.cut(workers, n), nil
}

// CoursesOfUnits is BatchesOfUnits that counts the starts of each unit besides.
func CoursesOfUnits(ctx context.Context, input Input, side *Side, plan Plan, looks [][]Look, n int, s Scan) ([][]Batches, []Arrivals, error) {
	b, err := newUnitBucketing(&input, side, plan, looks)
	if err != nil {
		return nil, nil, err
	}
	b.arrivals = true
	workers, err := b.scan(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	starts := make([]Arrivals, len(side.Units))
	for u := range starts {
		starts[u] = newArrivals(side.Units[u], len(side.Units))
		for _, w := range workers {
			starts[u].merge(&w.(*unitBucketer).seen[u].arrivals)
		}
	}
	return b.cut(workers, n), starts, nil
}

// newUnitBucketing prepares a pass over a side that looks at each of its units.
func newUnitBucketing(in *Input, side *Side, plan Plan, looks [][]Look) (*unitBucketing, error) {
	if len(looks) != len(side.Units) {
		return nil, fmt.Errorf("metric: looks at %d units of %d", len(looks), len(side.Units))
	}
	plan.SkipTimes, plan.Facets = false, nil
	b := &unitBucketing{input: in, plan: &plan, looks: looks, units: side.Units, byLabel: map[string]int{}, extract: plan.extractorsOf(in)}
	for i, u := range side.Units {
		b.byLabel[u.Label] = i
	}
	b.offsets, b.rows = side.offsets()
	return b, nil
}

func (b *unitBucketing) scan(ctx context.Context, s Scan) ([]worker, error) {
	s.Progress = nil
	workers, _, err := s.scan(ctx, []Input{*b.input}, b.plan, func() worker {
		return &unitBucketer{unitBucketing: b, split: splitter{of: &b.plan.Within}, seen: make([]unitSeen, len(b.units))}
	})
	return workers, err
}

// cut merges what the workers saw and cuts it into n batches.
func (b *unitBucketing) cut(workers []worker, n int) [][]Batches {
	out := make([][]Batches, len(b.units))
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
		out[u] = make([]Batches, len(b.looks[u]))
		for k := range all {
			out[u][k] = all[k].cut(n)
		}
	}
	return out
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
	// arrivals asks for the counts of starts.
	arrivals bool
}

// unitSeen is what was seen of one unit; empty until it is met.
type unitSeen struct {
	met      bool
	placer   placer
	sights   []sight
	arrivals Arrivals
}

// unitBucketer is the worker of BatchesOfUnits.
type unitBucketer struct {
	*unitBucketing
	watcher
	seen   []unitSeen
	split  splitter
	groups grouper
}

func (w *unitBucketer) frame(_, file int, f *ingest.Frame) error {
	w.items.read(w.extract[file], f)
	for _, g := range w.groups.split(f, w.split.column(f, 0, w.input.Files[file].Label)) {
		label := g.unit(w.input.Files[file].Label)
		at, ok := w.byLabel[label]
		if !ok || len(w.looks[at]) == 0 && !w.arrivals {
			continue
		}
		u := w.of(at)
		u.arrivals.add(f, &g)
		if len(u.sights) == 0 {
			continue
		}
		// The rows of a unit may be a small part of the side's.
		u.placer.begin(w.offsets[file][f.Partition] + f.Row)
		w.watch(u.sights, &u.placer, f, g.good, g.bad)
	}
	return nil
}

// of returns what was seen of a unit, begun when it is first met.
func (w *unitBucketer) of(unit int) *unitSeen {
	s := &w.seen[unit]
	if !s.met {
		u := w.units[unit]
		s.met = true
		s.placer = placer{
			rows: w.rows, timed: u.Timed() && u.LastStart > u.FirstStart, partly: u.Untimed > 0,
			first: u.FirstStart, last: u.LastStart, buckets: unitBuckets, unknown: -1,
		}
		s.sights = newSights(w.looks[unit], w.plan, unitBuckets)
		if w.arrivals {
			s.arrivals = newArrivals(u, len(w.units))
		}
	}
	return s
}
