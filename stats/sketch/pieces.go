package sketch

import "math"

// pieces averages values over consecutive pieces of a distribution whose masses
// add up to about one. It works with differences from the first value, so that
// the mean of equal values is that value, bit for bit.
type pieces struct {
	any     bool
	first   float64
	mass    float64
	moment  float64 // Σ mass·(value − first)
	quarter float64 // Σ mass·value/4, for differences beyond the float64 range
	lo, hi  float64
}

func (p *pieces) add(mass, v float64) {
	if !p.any {
		*p = pieces{any: true, first: v, lo: v, hi: v}
	}
	p.mass += mass
	p.moment += mass * (v - p.first)
	p.quarter += mass * (v / 4)
	p.lo, p.hi = min(p.lo, v), max(p.hi, v)
}

func (p *pieces) mean() float64 {
	if p.mass <= 0 {
		return p.first
	}
	m := p.first + p.moment/p.mass
	if m-m != 0 || math.IsInf(p.moment, 0) {
		m = 4 * (p.quarter / p.mass)
	}
	return min(max(m, p.lo), p.hi)
}
