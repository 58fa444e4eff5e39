package metric

import (
	"context"

	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Gather returns the parts of a side that some keys of a facet name, merged unit
// by unit, as a side of its own. Units without any of them are left out. The
// parts stay as they are.
func (s *Side) Gather(facet int, keys []Key) (*Side, error) {
	if len(keys) == 1 {
		return s.Slice(facet, keys[0]), nil
	}
	out := &Side{DuplicatesChecked: s.DuplicatesChecked}
	for _, u := range s.Units {
		var all *Part
		for _, key := range keys {
			p := u.Facets[facet][key]
			if p == nil {
				continue
			}
			var err error
			if all, err = joined(all, p); err != nil {
				return nil, err
			}
		}
		out.addPart(u, all)
	}
	return out, nil
}

// GatherBy returns the parts of a side that some keys of a facet name, merged unit by
// unit, as a side of its own. Parts to which number gives one number are merged too, and
// are the only facet of every unit.
func (s *Side) GatherBy(facet int, keys []Key, number func(Key) int) (*Side, error) {
	out := &Side{DuplicatesChecked: s.DuplicatesChecked}
	for _, u := range s.Units {
		var all *Part
		parts := map[Key]*Part{}
		for _, key := range keys {
			p := u.Facets[facet][key]
			if p == nil {
				continue
			}
			to := Key{Bin: number(key)}
			var err error
			if all, err = joined(all, p); err != nil {
				return nil, err
			}
			if parts[to], err = joined(parts[to], p); err != nil {
				return nil, err
			}
		}
		if all != nil {
			out.addPart(u, all)
			out.Units[len(out.Units)-1].Facets = []map[Key]*Part{parts}
		}
	}
	return out, nil
}

// Sample counts the records of a part of large inputs by the parts of facets.
func Sample(ctx context.Context, inputs []Input, facets []Facet, s Scan) ([]*Side, error) {
	s.Progress = nil
	return Collect(ctx, everyRecord(inputs), Plan{Facets: facets, SkipTimes: true, Head: sampleRows}, s)
}

// Rests returns for every key of a facet all that the other keys name. It merges
// about three times as many parts as there are, however many keys there are.
func (s *Side) Rests(facet int, keys []Key) ([]*Side, error) {
	out := make([]*Side, len(keys))
	for i := range out {
		out[i] = &Side{DuplicatesChecked: s.DuplicatesChecked}
	}
	behind := make([]*Part, len(keys)+1) // of the keys from i on
	for _, u := range s.Units {
		parts := make([]*Part, len(keys))
		for i, key := range keys {
			parts[i] = u.Facets[facet][key]
		}
		var err error
		for i := len(keys) - 1; i >= 0; i-- {
			if behind[i], err = joined(behind[i+1], parts[i]); err != nil {
				return nil, err
			}
		}
		var before *Part
		for i := range keys {
			rest, err := joined(before, behind[i+1])
			if err != nil {
				return nil, err
			}
			out[i].addPart(u, rest)
			if before, err = joined(before, parts[i]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// addPart adds a part of a unit as a unit of its own.
func (s *Side) addPart(of *Unit, p *Part) {
	if p == nil {
		return
	}
	s.Units = append(s.Units, &Unit{Label: of.Label, Part: of.Part, Counts: p.Counts, Good: p.Good, Cells: p.Cells})
	s.Counts.Add(&p.Counts)
}

// joined merges two parts into a new one, or returns the one there is. Neither
// is changed.
func joined(a, b *Part) (*Part, error) {
	switch {
	case a == nil:
		return b, nil
	case b == nil:
		return a, nil
	}
	out := &Part{Counts: a.Counts, Good: a.Good + b.Good, Cells: make([]Cell, len(a.Cells))}
	out.Counts.Add(&b.Counts)
	for i := range out.Cells {
		out.Cells[i].Sketch = &sketch.Sketch{}
	}
	if err := mergeCells(out.Cells, a.Cells); err != nil {
		return nil, err
	}
	return out, mergeCells(out.Cells, b.Cells)
}
