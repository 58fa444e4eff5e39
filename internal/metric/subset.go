package metric

import (
	"fmt"
	"math"
)

// Subset returns some of the units of a side, by their indices, as a side of
// their own. It shares the cells of the units, which must not be changed. The
// tallies of its files are those of the whole side.
func (s *Side) Subset(units []int) *Side {
	out := &Side{
		Files: s.Files, DuplicatesChecked: s.DuplicatesChecked, UnknownPhases: s.UnknownPhases,
		FirstStart: math.MaxInt64, LastStart: math.MinInt64,
	}
	for _, i := range units {
		u := s.Units[i]
		out.Units = append(out.Units, u)
		out.Counts.Add(&u.Counts)
		if u.HasTime {
			out.HasTime = true
			out.FirstStart, out.LastStart = min(out.FirstStart, u.FirstStart), max(out.LastStart, u.LastStart)
		}
	}
	out.sortUnits()
	return out
}

// Blocks returns the parts of one unit that a facet split by time, in their
// order, as units of their own. A block has no start or end, so that nothing
// that is measured per second has a value in it.
func (s *Side) Blocks(facet int) *Side {
	out := &Side{Files: s.Files, DuplicatesChecked: s.DuplicatesChecked, UnknownPhases: s.UnknownPhases}
	for _, key := range Keys([]*Side{s}, facet) {
		if key.Bin == Unbinned {
			continue
		}
		for _, u := range s.Units {
			if p := u.Facets[facet][key]; p != nil {
				out.Units = append(out.Units, &Unit{Label: blockLabel(key.Bin), Counts: p.Counts, Good: p.Good, Cells: p.Cells})
				out.Counts.Add(&p.Counts)
			}
		}
	}
	return out
}

func blockLabel(bin int) string { return fmt.Sprintf("%04d", bin) }
