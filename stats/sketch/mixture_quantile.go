package sketch

import (
	"fmt"
	"math"
)

// Quantile returns the weighted type 7 quantile; see [Mixture].
// Errors: [ErrDomain] unless q lies in [0, 1].
func (m *Mixture) Quantile(q float64) (float64, error) {
	return m.quantile(-1, q)
}

// QuantileWithout returns the quantile of the mixture without part k, the other
// weights as they are: the value a delete-one jackknife needs. Leaving out a
// part of weight 0 changes nothing. To leave out several parts use
// [Mixture.Reweight].
// Errors: [ErrDomain] if there is no part k or q is outside [0, 1], [ErrEmpty]
// if no other part has a weight.
func (m *Mixture) QuantileWithout(k int, q float64) (float64, error) {
	if k < 0 || k >= len(m.info) {
		return 0, fmt.Errorf("part %d of %d: %w", k, len(m.info), ErrDomain)
	}
	return m.quantile(k, q)
}

// QuantileBeyond reports whether the quantile of level q takes any value at or
// beyond a limit, of which below[k] values of each part k lie below: whether it
// would be another if those beyond were larger still. Part without is left out,
// none if it is below 0.
//
// Special cases are: true without values, for a q outside [0, 1], and if there is
// not one count for each part.
func (m *Mixture) QuantileBeyond(below []int64, without int, q float64) bool {
	s := m.weigh(without)
	if len(below) != len(m.info) || s.kish == 0 || checkQ(q) != nil {
		return true
	}
	known := 0.0
	for k, n := range below {
		known += s.u[k] * float64(n)
	}
	// The quantile is the mean over the weights up to this share of all.
	share := q + (1-q)/s.kish
	const rounding = 1e-12
	return known < s.total && share > known/s.total-rounding
}

func (m *Mixture) quantile(skip int, q float64) (float64, error) {
	if err := checkQ(q); err != nil {
		return 0, err
	}
	s := m.weigh(skip)
	switch {
	case s.kish == 0:
		return 0, fmt.Errorf("mixture without part %d has no values: %w", skip, ErrEmpty)
	case s.min == s.max:
		return s.min, nil
	case s.equal && q == 0:
		return s.min, nil
	case s.equal && q == 1:
		return s.max, nil
	}
	a := q * (s.kish - 1) * s.unit
	b := min(a+s.unit, s.total)
	if m.bits == 0 {
		in := m.newValueSearch(&s, a, b)
		defer in.close()
		return average(in, &s, a, b, func(v, _ float64) float64 { return v }), nil
	}
	in := m.newBinSearch(&s, q)
	return average(in, &s, a, b, func(bin int32, t float64) float64 {
		return valueIn(m.bits, bin, t, s.min, s.max)
	}), nil
}

// search finds places of a mixture, ascending: values or bins.
type search[K any] interface {
	// find finds the first place after the one before up to which the weight is at
	// least target, or above it if strict, and returns it with the weight of what
	// lies below it and of that and itself.
	find(target float64, strict bool) (place K, below, at float64)
	// between adds what lies between the last two places found.
	between(out *pieces)
}

// average returns the mean of the inverse weighted distribution function over
// the weights [a, b], b = a+unit. value gives the value at the fraction t into a
// place.
func average[K any](in search[K], s *weighing, a, b float64, value func(place K, t float64) float64) float64 {
	ka, below, at := in.find(a, true)
	if b <= at {
		return value(ka, ((a-below)+(b-below))/2/(at-below))
	}
	var p pieces
	p.add(at-a, value(ka, ((a-below)/(at-below)+1)/2))

	kb, below, at := in.find(b, false)
	in.between(&p)
	// b − below, written so that it is exact when all is in whole ranks.
	rest := min(max(a-(below-s.unit), 0), at-below)
	p.add(rest, value(kb, rest/2/(at-below)))
	return p.mean()
}

// CDF returns the weighted share of values <= v. On histograms it interpolates
// inside the bin that holds v and is off by less than that bin's share. It is
// NaN if v is NaN.
func (m *Mixture) CDF(v float64) float64 {
	if math.IsNaN(v) {
		return math.NaN()
	}
	s := m.weigh(-1)
	if v >= s.max {
		return 1
	}
	var sum, total float64
	for k := range m.included(-1) {
		info := &m.info[k]
		total += s.u[k] * float64(info.n)
		switch {
		case v < info.min:
		case v >= info.max:
			sum += s.u[k] * float64(info.n)
		case m.bits == 0:
			sum += s.u[k] * float64(m.values[k].upper(v, 0, len(m.values[k].xs)))
		default:
			at := binIndex(m.bits, v)
			c, before := m.bins[k].upTo(at), m.bins[k].upTo(at-1)
			if c > before {
				c = before + (c-before)*shareIn(m.bits, at, v, info.min, info.max)
			}
			sum += s.u[k] * min(max(c, 1), float64(info.n-1))
		}
	}
	return min(sum/total, 1)
}
