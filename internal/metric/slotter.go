package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// slotter finds the slots of the records of frames: 0 without a stratum, else
// its number + 1.
type slotter struct {
	strata *Strata
	facets []Facet
	keep   []bool
	parts  partitioner
	slot   []int32 // of a key of the frame
	slots  []int32
	memo   binMemo // of lengths
}

func newSlotter(s *Strata) *slotter {
	if s == nil {
		return nil
	}
	of := &slotter{strata: s, facets: []Facet{s.Facet}, keep: []bool{false}}
	of.memo.of = of.ofLength
	return of
}

// of returns the slot of every record of a frame, good until the next call; nil
// without strata.
func (s *slotter) of(f *ingest.Frame) []int32 {
	if s == nil {
		return nil
	}
	s.slots = slices.Grow(s.slots[:0], f.N)[:f.N]
	if facet := &s.facets[0]; facet.byLength() {
		if c := f.Col(facet.Length.field()); c != nil && c.State == nil && c.Floats != nil {
			s.lengths(c.Floats[:f.N])
			return s.slots
		}
	}
	s.parts.number(s.facets, s.keep, f)
	keys := &s.parts.facets[0]
	s.slot = s.slot[:0]
	for _, k := range keys.keys {
		s.slot = append(s.slot, s.strata.slot(k))
	}
	for i, k := range keys.rows() {
		s.slots[i] = s.slot[k]
	}
	return s.slots
}

func (s *Strata) slot(k Key) int32 {
	if h, ok := s.Of[k]; ok {
		return int32(h) + 1
	}
	return 0
}

// lengths finds the slots of lengths of which none is missing.
func (s *slotter) lengths(values []float64) {
	for i, v := range values {
		slot, _ := s.memo.bin(v) // every length has one
		s.slots[i] = int32(slot)
	}
}

func (s *slotter) ofLength(v float64) (slot int, ok bool) {
	if bin, ok := s.facets[0].Bin(v); ok {
		return int(s.strata.slot(Key{Bin: bin})), true
	}
	return int(s.strata.slot(Key{Bin: Unbinned})), true
}
