package sketch

import "fmt"

// Merge adds the values of o, which stays as it is. The result is exact if and
// only if all parts were exact and the total number of values is within the
// smallest limit of the sketches merged; order and grouping do not matter. A nil
// o has no values.
// Errors: [ErrLayout] if the bits differ, [ErrOverflow] if the total would
// exceed int64; s is unchanged then.
func (s *Sketch) Merge(o *Sketch) error {
	if o == nil || o.unset() {
		if o != nil {
			s.invalid += o.invalid
		}
		return nil
	}
	limit, bits := min(s.Limit(), o.Limit()), s.Bits()
	if s.unset() {
		limit, bits = o.Limit(), o.Bits()
	}
	if bits != o.Bits() {
		return fmt.Errorf("merge of %d and %d bits per octave: %w", bits, o.Bits(), ErrLayout)
	}
	if o.N() > maxCount-s.N() || o.Invalid() > maxCount-s.Invalid() {
		return fmt.Errorf("merge of %d and %d values: %w", s.N(), o.N(), ErrOverflow)
	}
	s.limit, s.bits = limit, bits
	if s.hist == nil && (o.hist != nil || len(s.xs)+len(o.xs) > max(limit, 0)) {
		s.spill()
	}
	if s.hist == nil {
		s.invalid += o.invalid
		if len(o.xs) > 0 {
			s.own()
			s.xs = append(s.xs, o.xs...)
			s.sorted = false
		}
		return nil
	}
	s.invalid += o.invalid
	s.own()
	if o.hist != nil {
		return s.hist.Merge(o.hist)
	}
	s.hist.AddSlice(o.xs)
	return nil
}

// unset reports whether the sketch is a zero value that holds no values.
func (s *Sketch) unset() bool {
	return s.limit == 0 && s.bits == 0 && s.hist == nil && len(s.xs) == 0
}
