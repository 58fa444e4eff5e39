package stats

import "math"

// stayInside returns the probability that the order statistics of n uniform
// observations all keep their limits, lo[i] ≤ U_(i+1) ≤ hi[i], for limits that
// do not decrease in i.
//
// The number of observations up to time t is stepped through the sorted limits
// as a Poisson process of rate n, with the counts that violate a limit removed,
// and conditioned on n observations at the end. Every term is positive, so the
// error is a few roundings; the cost is the number of limits times the square of
// the width of the band in observations.
func stayInside(lo, hi []float64) float64 {
	n := len(lo)
	state := []float64{1} // state[c] is the weight of first + c observations so far
	first := 0
	t := 0.0
	var pmf []float64
	step := func(to float64, least, most int) {
		lambda := float64(n) * (to - t)
		t = to
		span := most - first + 1
		if span < 1 {
			state, first = nil, least
			return
		}
		pmf = append(pmf[:0], math.Exp(-lambda))
		for k := 1; k < span; k++ {
			p := pmf[k-1] * lambda / float64(k)
			if p < 1e-30 && float64(k) > lambda {
				break
			}
			pmf = append(pmf, p)
		}
		next := make([]float64, max(0, most-least+1))
		for i := range next {
			c := least + i - first // offset of this count from the old first
			sum := 0.0
			for j := max(0, c-len(pmf)+1); j <= c && j < len(state); j++ {
				sum += state[j] * pmf[c-j]
			}
			next[i] = sum
		}
		state, first = next, least
	}
	i, j := 0, 0 // next lower limit, next upper limit
	for j < n && len(state) > 0 {
		if i < n && lo[i] <= hi[j] {
			// Just before lo[i] at most i observations have come.
			step(math.Max(t, lo[i]), first, i)
			i++
			continue
		}
		// At hi[j] at least j+1 have come, and no more than the next lower
		// limit will allow.
		most := n
		if i < n {
			most = i
		}
		step(math.Max(t, hi[j]), max(first, j+1), most)
		j++
	}
	if t < 1 && len(state) > 0 {
		step(1, max(first, n), n)
	}
	if len(state) == 0 {
		return 0
	}
	// state holds the weight of exactly n; divide by the Poisson chance of n.
	m := float64(n)
	logPoisson := -math.Log(2*math.Pi*m)/2 - stirlingError(m)
	return math.Min(1, state[len(state)-1]*math.Exp(-logPoisson))
}
