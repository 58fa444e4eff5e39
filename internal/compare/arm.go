package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// arm is one side of one estimand: its value and, by the method that fits, its
// error on the natural and on the log scale.
type arm struct {
	n      int64
	units  int
	value  float64
	exact  bool
	relErr float64
	tail   float64 // values beyond the percentile; +Inf for other estimands

	// From several units: leave-one-out values.
	loo []float64
	// From one unit: limits at the level, and the degrees of freedom behind them.
	limits stats.Interval
	df     float64
	// se is the standard error of a mean from one unit, 0 where limits say more.
	se     float64
	method string
}

// armError is the error of an arm on one scale.
type armError struct {
	se, df float64
	ok     bool
}

// jackknifed is the error that the leave-one-out values give, on the log scale
// if log is set.
func (a *arm) jackknifed(log bool) armError {
	loo := a.loo
	if log {
		loo = make([]float64, len(a.loo))
		for i, v := range a.loo {
			if v <= 0 {
				return armError{}
			}
			loo[i] = math.Log(v)
		}
	}
	_, se, err := stats.Jackknife(loo)
	if err != nil {
		return armError{}
	}
	return armError{se: se, df: float64(len(loo) - 1), ok: true}
}

// distribution computes the arm of a distribution's estimand from the sketches
// of the units that have values. Runs have one vote each, replicas of one run
// are merged by count.
func distribution(side *metric.Side, item int, e metric.Estimand, unit Unit) (arm, error) {
	parts := side.Sketches(item)
	a := arm{units: len(parts), tail: math.Inf(1)}
	if len(parts) == 0 {
		return a, nil
	}
	mixed := sketch.NewPooled
	if unit == Run {
		mixed = func(p []*sketch.Sketch) (*sketch.Mixture, error) { return sketch.NewMixture(p, nil) }
	}
	m, err := mixed(parts)
	if err != nil {
		return a, err
	}
	a.n, a.exact, a.relErr = m.N(), m.Exact(), m.RelativeError()
	switch e.Kind {
	case metric.Quantile:
		a.tail = float64(a.n) * math.Min(e.Q, 1-e.Q)
		if a.value, err = m.Quantile(e.Q); err != nil {
			return a, err
		}
		for k := range parts {
			if len(parts) == 1 {
				break
			}
			v, err := m.QuantileWithout(k, e.Q)
			if err != nil {
				return a, err
			}
			a.loo = append(a.loo, v)
		}
	case metric.Mean:
		a.exact, a.relErr = true, 0 // sums are exact
		means, weights := unitMeans(side, item, unit)
		a.value = weightedMean(means, weights, -1)
		for k := range means {
			if len(means) == 1 {
				break
			}
			a.loo = append(a.loo, weightedMean(means, weights, k))
		}
	case metric.Min:
		a.value, a.exact, a.relErr = m.Min(), true, 0
	case metric.Max:
		a.value, a.exact, a.relErr = m.Max(), true, 0
	}
	return a, nil
}

func unitMeans(side *metric.Side, item int, unit Unit) (means, weights []float64) {
	for _, u := range side.Units {
		c := &u.Cells[item]
		if n := c.Sketch.N(); n > 0 {
			means = append(means, c.Sum.Value()/float64(n))
			w := 1.0
			if unit != Run {
				w = float64(n)
			}
			weights = append(weights, w)
		}
	}
	return means, weights
}

// weightedMean leaves out unit skip. It works on deviations from the first
// value, so that a large common offset costs no digits.
func weightedMean(x, w []float64, skip int) float64 {
	var sum, total float64
	for i, v := range x {
		if i != skip {
			sum += w[i] * (v - x[0])
			total += w[i]
		}
	}
	return x[0] + sum/total
}
