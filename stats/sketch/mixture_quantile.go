package sketch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
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
	if m.bits == 0 {
		b := min(a+s.unit, s.total)
		nearA, nearB := near(m.order, s.u, s.total, a, b)
		mean, _ := average(m.exact, &s, a, b, nearA, nearB, func(v, _ float64) float64 { return v })
		return mean, nil
	}
	mean, key := average(m.hist, &s, a, min(a+s.unit, s.total), m.found.near(q), nil, func(index int32, t float64) float64 {
		return valueIn(m.bits, index, t, s.min, s.max)
	})
	m.found.note(q, key)
	return mean, nil
}

// rooms is where queries of many parts keep indices.
var rooms = sync.Pool{New: func() any { return new([]int) }}

// average returns the mean of the inverse weighted distribution function over
// the weights [a, b], b = a+unit, and the key at a. value gives the value at the
// fraction t into a key; nearA and nearB are guesses of the keys at a and b.
func average[K cmp.Ordered](parts []keyed[K], s *weighing, a, b float64, nearA, nearB []K, value func(key K, t float64) float64) (mean float64, atA K) {
	var stack [5 * smallMixture]int
	index := stack[:]
	n := len(parts)
	if n > smallMixture {
		room := rooms.Get().(*[]int)
		defer rooms.Put(room)
		*room = slices.Grow((*room)[:0], 5*n)
		index = (*room)[:5*n]
		clear(index[:n])
	}
	fromA, toA, fromB, toB, up := index[:n], index[n:2*n], index[2*n:3*n], index[3*n:4*n], index[4*n:5*n]

	ka := locate(parts, s.u, a, true, nearA, fromA, toA, up)
	below, at := mass(parts, s.u, fromA), mass(parts, s.u, toA)
	if b <= at {
		return value(ka, ((a-below)+(b-below))/2/(at-below)), ka
	}
	var p pieces
	p.add(at-a, value(ka, ((a-below)/(at-below)+1)/2))

	copy(fromB, toA)
	kb := locate(parts, s.u, b, false, nearB, fromB, toB, up)
	below, at = mass(parts, s.u, fromB), mass(parts, s.u, toB)
	for k := range parts {
		if s.u[k] > 0 && fromB[k] > toA[k] {
			parts[k].between(toA[k], fromB[k], s.u[k], &p)
		}
	}
	// b − below, written so that it is exact when all is in whole ranks.
	rest := min(max(a-(below-s.unit), 0), at-below)
	p.add(rest, value(kb, rest/2/(at-below)))
	return p.mean(), ka
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
			sum += s.u[k] * m.exact[k].count(m.exact[k].upper(v, 0, len(m.exact[k].keys)))
		default:
			p := &m.hist[k]
			at := binIndex(m.bits, v)
			to := p.upper(at, 0, len(p.keys))
			c := p.count(to)
			if to > 0 && p.keys[to-1] == at {
				before := p.count(to - 1)
				c = before + (c-before)*shareIn(m.bits, at, v, info.min, info.max)
			}
			sum += s.u[k] * min(max(c, 1), float64(info.n-1))
		}
	}
	return min(sum/total, 1)
}
