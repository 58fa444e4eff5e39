package sketch

import "fmt"

// Merge adds the values of o, which stays as it is. The result does not depend
// on the order or the grouping of merges, and is the histogram of all values
// recorded in one. A nil o has no values.
// Errors: [ErrLayout] if the bits differ, [ErrOverflow] if the total would
// exceed int64; h is unchanged then.
func (h *Histogram) Merge(o *Histogram) error {
	if o == nil {
		return nil
	}
	if h.Bits() != o.Bits() {
		return fmt.Errorf("merge of %d and %d bits per octave: %w", h.Bits(), o.Bits(), ErrLayout)
	}
	if o.n > maxCount-h.n || o.invalid > maxCount-h.invalid {
		return fmt.Errorf("merge of %d and %d values: %w", h.n, o.n, ErrOverflow)
	}
	if h == o {
		o = h.Clone()
	}
	if h.shift == 0 {
		h.init(DefaultBits)
	}
	h.invalid += o.invalid
	if o.n == 0 {
		return nil
	}
	h.pos.merge(&o.pos, h.Bits())
	h.neg.merge(&o.neg, h.Bits())
	h.zero += o.zero
	h.posUnder += o.posUnder
	h.negUnder += o.negUnder
	h.posOver += o.posOver
	h.negOver += o.negOver
	h.n += o.n
	h.min = min(h.min, o.min)
	h.max = max(h.max, o.max)
	return nil
}

// Clone returns a copy that shares nothing with h.
func (h *Histogram) Clone() *Histogram {
	c := *h
	c.pos, c.neg = h.pos.clone(), h.neg.clone()
	return &c
}

// Reset forgets all values and keeps the layout and the memory.
func (h *Histogram) Reset() {
	pos, neg, bits := h.pos, h.neg, h.Bits()
	pos.reset()
	neg.reset()
	*h = Histogram{pos: pos, neg: neg}
	h.init(bits)
}
