package sketch

import (
	"fmt"
	"math"
	"slices"
)

// Mixture is the distribution of several sketches taken together, the share of
// each given by its weight and not by how many values it holds: part k has the
// share w_k/Σw, spread evenly over its n_k values. Nothing is merged; each part
// is prepared once, so that quantiles under other weights or without a part cost
// O(parts · log bins).
//
// Quantile is the weighted type 7 quantile of Akinshin 2023 (arXiv:2304.07265).
// With u = w_k/n_k the weight of a value, the effective sample size of Kish 1965
// is n* = (Σu)²/Σu² over all values, and the quantile is the mean of the inverse
// of the weighted distribution function over [(h−1)/n*, h/n*] of the total
// weight, h = q·(n*−1) + 1. When all values weigh the same, as with one part,
// with parts of equal size and weight, or by [NewPooled], n* = n and this is
// exactly the Hyndman–Fan type 7 quantile of the merged values.
//
// If all parts are exact the quantile is exact. If one is a histogram all are
// treated as histograms, the values of a bin are taken as spread evenly over it,
// and the result is off by at most [Mixture.RelativeError].
//
// A Mixture does not change and is safe for concurrent use. It does not notice
// values added to its parts later.
type Mixture struct {
	bits    int         // layout of the histograms, 0 if exact
	values  []valuePart // if exact
	order   []placed    // all values, where parts are many and small
	bins    []binPart   // if not
	found   *foundBins  // by queries, whatever the weights
	info    []partInfo
	weights []float64 // as given
}

// partInfo is what a mixture knows of a part besides its values or bins.
type partInfo struct {
	n        int64
	min, max float64
	err      float64
}

// NewMixture returns the mixture of the parts with the given weights, one a
// part; nil weights give every part one vote. Weights need no particular sum. A
// part of weight 0 takes no part, and only such a part may be empty. The slices
// are not kept.
// Errors: [ErrEmpty] if there is no part or a part with a weight has no values;
// [ErrDomain] for a weight that is negative or not finite, for weights that are
// all zero and for another number of weights than of parts; [ErrLayout] if
// histograms differ in bits.
func NewMixture(parts []*Sketch, weights []float64) (*Mixture, error) {
	if weights == nil {
		weights = make([]float64, len(parts))
		for i := range weights {
			weights[i] = 1
		}
	}
	m := &Mixture{info: make([]partInfo, len(parts)), weights: slices.Clone(weights)}
	for k, s := range parts {
		if s == nil {
			return nil, fmt.Errorf("part %d of %d is nil: %w", k, len(parts), ErrEmpty)
		}
		if s.hist == nil {
			continue
		}
		if m.bits != 0 && m.bits != s.Bits() {
			return nil, fmt.Errorf("part %d has %d bits per octave, an earlier one %d: %w",
				k, s.Bits(), m.bits, ErrLayout)
		}
		m.bits = s.Bits()
	}
	for k, s := range parts {
		m.info[k] = partInfo{n: s.N()}
		if s.N() > 0 {
			m.info[k].min, m.info[k].max = s.Min(), s.Max()
		}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.bits == 0 {
		m.values = make([]valuePart, len(parts))
		for k, s := range parts {
			m.values[k] = newValuePart(s.Sorted())
		}
		m.order = inOrder(m.values)
		return m, nil
	}
	m.bins, m.found = make([]binPart, len(parts)), &foundBins{}
	for k, s := range parts {
		h := s.lend()
		if h == nil {
			h = histogramOf(s.xs, m.bits, keyRange{})
		}
		m.bins[k] = binsOf(h)
		m.info[k].err = h.RelativeError()
	}
	return m, nil
}

// NewPooled returns the mixture in which every value weighs the same: the
// distribution of the merged parts. Empty parts take no part.
// Errors: as [NewMixture]; [ErrEmpty] if there are no values at all.
func NewPooled(parts []*Sketch) (*Mixture, error) {
	weights := make([]float64, len(parts))
	var n int64
	for k, s := range parts {
		if s != nil {
			weights[k] = float64(s.N())
			n += s.N()
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("%d parts without values: %w", len(parts), ErrEmpty)
	}
	return NewMixture(parts, weights)
}

// Reweight returns the mixture of the same parts with other weights, which obey
// the rules of [NewMixture]. It costs O(parts) and shares all else with m.
// Errors: as [NewMixture].
func (m *Mixture) Reweight(weights []float64) (*Mixture, error) {
	c := *m
	c.weights = slices.Clone(weights)
	if weights == nil {
		c.weights = make([]float64, len(m.info))
		for i := range c.weights {
			c.weights[i] = 1
		}
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return &c, nil
}

// check validates the weights against the parts.
func (m *Mixture) check() error {
	if len(m.info) == 0 {
		return fmt.Errorf("mixture of no parts: %w", ErrEmpty)
	}
	if len(m.weights) != len(m.info) {
		return fmt.Errorf("%d weights for %d parts: %w", len(m.weights), len(m.info), ErrDomain)
	}
	weighty := false
	for k, w := range m.weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return fmt.Errorf("weight %v of part %d: want a finite number, not negative: %w", w, k, ErrDomain)
		}
		if w > 0 && m.info[k].n == 0 {
			return fmt.Errorf("part %d has weight %v and no values: %w", k, w, ErrEmpty)
		}
		weighty = weighty || w > 0
	}
	if !weighty {
		return fmt.Errorf("all %d weights are zero: %w", len(m.weights), ErrDomain)
	}
	return nil
}

// Parts returns the number of parts, those of weight 0 included.
func (m *Mixture) Parts() int { return len(m.info) }

// Exact reports whether the mixture is made of the values themselves.
func (m *Mixture) Exact() bool { return m.bits == 0 }

// N returns the number of values in the parts that have a weight.
func (m *Mixture) N() int64 {
	var n int64
	for k := range m.included(-1) {
		n += m.info[k].n
	}
	return n
}

// EffectiveN returns the effective sample size n* of Kish, at most N.
func (m *Mixture) EffectiveN() float64 {
	s := m.weigh(-1)
	return s.kish
}

// Min returns the smallest value of the parts that have a weight, exactly.
func (m *Mixture) Min() float64 {
	s := m.weigh(-1)
	return s.min
}

// Max returns the largest value of the parts that have a weight, exactly.
func (m *Mixture) Max() float64 {
	s := m.weigh(-1)
	return s.max
}

// RelativeError returns the bound of the error of a quantile against the same
// quantile of the values themselves, as [Histogram.RelativeError] defines it; 0
// if the mixture is exact.
func (m *Mixture) RelativeError() float64 {
	var e float64
	for k := range m.included(-1) {
		e = max(e, m.info[k].err)
	}
	return e
}

// included yields the parts that have a weight, without part skip.
func (m *Mixture) included(skip int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k, w := range m.weights {
			if w > 0 && k != skip && !yield(k) {
				return
			}
		}
	}
}
