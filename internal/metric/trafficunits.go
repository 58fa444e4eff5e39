package metric

import (
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TrafficOfUnits reads what was asked in every unit of a side, by the label of
// the unit. Unlike LookAtTraffic it reads all records: the units of a side may
// share a part of a file.
func TrafficOfUnits(ctx context.Context, in Input, lengths []Length, bin func(float64) (int, bool), within Within, s Scan) (map[string]*Traffic, error) {
	plan := Plan{Traffic: true, SkipTimes: true, Within: within}
	in.Warmup, in.Duplicates = 0, false
	s.Progress = nil
	workers, _, err := s.scan(ctx, []Input{in}, &plan, func() worker {
		return &unitTrafficWorker{input: &in, split: splitter{of: &plan.Within}, lengths: lengths, bin: bin, units: map[string]*Traffic{}}
	})
	if err != nil {
		return nil, err
	}
	out := map[string]*Traffic{}
	for _, w := range workers {
		for label, t := range w.(*unitTrafficWorker).units { // units never meet: order does not matter
			have := out[label]
			if have == nil {
				out[label] = t
				continue
			}
			if err := have.merge(t); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

type unitTrafficWorker struct {
	input   *Input
	split   splitter
	lengths []Length
	bin     func(float64) (int, bool)
	units   map[string]*Traffic
	groups  grouper
}

func (w *unitTrafficWorker) frame(_, file int, f *ingest.Frame) error {
	for _, g := range w.groups.split(f, w.split.column(f, 0, w.input.Files[file].Label)) {
		if w.input.narrowed(file) && g.elsewhere(f) {
			continue
		}
		label := g.unit(w.input.Files[file].Label)
		t := w.units[label]
		if t == nil {
			t = newTraffic(false)
			w.units[label] = t
		}
		t.look(f, g.each, w.lengths, w.bin)
	}
	return nil
}

// MergeTraffic adds what was asked in several units.
func MergeTraffic(units []*Traffic) (*Traffic, error) {
	out := newTraffic(false)
	for _, t := range units {
		if t == nil {
			continue
		}
		if err := out.merge(t); err != nil {
			return nil, err
		}
	}
	return out, nil
}
