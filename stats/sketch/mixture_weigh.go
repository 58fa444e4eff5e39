package sketch

import "math"

// weighing is a mixture's parts under its weights, perhaps without one of them.
type weighing struct {
	u        []float64 // weight of one value of part k, the largest is 1; 0: left out
	equal    bool      // all values weigh the same, and 1
	total    float64   // Σu
	unit     float64   // Σu²/Σu: the weight of one of kish equal values
	kish     float64   // (Σu)²/Σu², the number of values if equal; 0 without values
	min, max float64
}

// equalWeights is how far below the largest weight a weight may lie and still
// be taken as equal: the rounding of w/n.
const equalWeights = 1e-15

// weigh returns the weighing of the parts without part skip.
func (m *Mixture) weigh(skip int) (s weighing) {
	s.min, s.max = math.Inf(1), math.Inf(-1)
	u := make([]float64, len(m.info))
	// The largest weight is taken out first so that no ratio is lost to the
	// range of float64.
	var wmax, umax float64
	for k := range m.included(skip) {
		wmax = max(wmax, m.weights[k])
	}
	for k := range m.included(skip) {
		u[k] = m.weights[k] / wmax / float64(m.info[k].n)
		umax = max(umax, u[k])
	}
	s.equal = true
	for k := range m.included(skip) {
		u[k] /= umax
		s.equal = s.equal && u[k] >= 1-equalWeights
		s.min = min(s.min, m.info[k].min)
		s.max = max(s.max, m.info[k].max)
	}
	var sum, squares float64
	for k := range m.included(skip) {
		if s.equal {
			u[k] = 1
		}
		sum += u[k] * float64(m.info[k].n)
		squares += u[k] * u[k] * float64(m.info[k].n)
	}
	s.u, s.total = u, sum
	if sum > 0 {
		s.unit = squares / sum
		s.kish = sum / s.unit
	}
	return s
}
