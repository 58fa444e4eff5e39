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
	known  []int32 // of a whole length: slot + 1, 0 for not asked yet
}

func newSlotter(s *Strata) *slotter {
	if s == nil {
		return nil
	}
	return &slotter{strata: s, facets: []Facet{s.Facet}, keep: []bool{false}}
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
	if s.known == nil {
		s.known = make([]int32, memoLengths)
	}
	known, slots := s.known, s.slots[:len(values)]
	for i, v := range values {
		n := int(v)
		if uint(n) < uint(len(known)) && float64(n) == v {
			if known[n] == 0 {
				known[n] = s.ofLength(v) + 1
			}
			slots[i] = known[n] - 1
			continue
		}
		slots[i] = s.ofLength(v)
	}
}

func (s *slotter) ofLength(v float64) int32 {
	if bin, ok := s.facets[0].Bin(v); ok {
		return s.strata.slot(Key{Bin: bin})
	}
	return s.strata.slot(Key{Bin: Unbinned})
}
