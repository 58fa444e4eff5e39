package compare

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
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
	tail   float64         // values beyond the percentile; +Inf for other estimands
	mix    *sketch.Mixture // of the units, of a distribution

	// From several units: the values without each of them, or without each group
	// of many, and the value where each unit counts as often as given.
	loo       []float64
	statistic func(times []float64) float64
	resampled bool // the limits are those of a bootstrap
	// From one unit: limits at the level, and the degrees of freedom behind them.
	limits stats.Interval
	df     float64
	// matched are the values without each group of requests that are matched with
	// requests of the other side, the same groups on both.
	matched []float64
	// dependent and dependentLog are the part of the error of a single run that is
	// there because neighbouring requests depend on each other.
	dependent, dependentLog float64
	// se is the standard error of a mean from one unit, 0 where limits say more.
	se     float64
	method string
	share  bool // a share of requests: noise is relative to the rarer outcome
	bare   bool // one value, and nothing says how well it is known
	late   timeoutReach

	// Of histograms: the buckets, and the edges between which the value truly
	// lies, however many values there are.
	buckets   metric.Buckets
	low, high float64
}

// armError is the error of an arm on one scale.
type armError struct {
	stats.StandardError
	ok bool
}

// on is the value of an arm on one scale, and values of it without some units; ok
// is false where one has no logarithm.
func (a *arm) on(log bool, without []float64) (value float64, on []float64, ok bool) {
	if !log {
		return a.value, without, true
	}
	if !(a.value > 0) {
		return math.NaN(), nil, false
	}
	on = make([]float64, len(without))
	for i, v := range without {
		if v <= 0 {
			return math.NaN(), nil, false
		}
		on[i] = math.Log(v)
	}
	return math.Log(a.value), on, true
}

// jackknifed is the error that the leave-one-out values give, on the log scale
// if log is set.
func (a *arm) jackknifed(log bool) armError {
	_, loo, ok := a.on(log, a.loo)
	_, se, err := stats.Jackknife(loo)
	if !ok || err != nil {
		return armError{}
	}
	return armError{stats.StandardError{SE: se, DF: float64(len(loo) - 1)}, true}
}

// ofUnits sets the value and the leave-one-out values of an arm that is a mean
// over its units. Nil weights give each unit one vote.
func (a *arm) ofUnits(values, weights []float64) (err error) {
	if a.value, err = stats.WeightedMean(values, weights); err != nil || len(values) < 2 {
		return err
	}
	a.statistic = func(times []float64) float64 {
		var sum, total float64
		for k, n := range times {
			w := n
			if weights != nil {
				w *= weights[k]
			}
			sum, total = sum+w*values[k], total+w
		}
		return sum / total
	}
	a.loo, err = stats.LeaveOneOutMeans(values, weights)
	return err
}

// distribution computes the arm of a distribution's estimand from the sketches
// of the units that have values.
func distribution(side *metric.Side, item int, e metric.Estimand, unit Unit) (arm, error) {
	if metric.BetweenChunks([]*metric.Side{side}, item)[0] {
		return arm{tail: math.Inf(1)}, nil
	}
	var made madeMixture
	return made.distribution(side, item, e, unit)
}

// madeMixture is the mixture of the units that was made last: those of a side
// and an item are asked for one estimand after the other.
type madeMixture struct {
	side *metric.Side
	item int
	unit Unit
	mix  *sketch.Mixture
}

// of mixes the sketches of units. Runs have one vote each, replicas of one run
// are merged by count.
func (m *madeMixture) of(side *metric.Side, item int, unit Unit, parts []*sketch.Sketch) (*sketch.Mixture, error) {
	if m.mix != nil && m.side == side && m.item == item && m.unit == unit {
		return m.mix, nil
	}
	mixed := sketch.NewPooled
	if unit == Run {
		mixed = func(p []*sketch.Sketch) (*sketch.Mixture, error) { return sketch.NewMixture(p, nil) }
	}
	mix, err := mixed(parts)
	*m = madeMixture{side, item, unit, mix}
	return mix, err
}

// distribution is the function of that name, which makes no mixture twice.
func (m *madeMixture) distribution(side *metric.Side, item int, e metric.Estimand, unit Unit) (arm, error) {
	parts := side.Sketches(item)
	a := arm{units: len(parts), tail: math.Inf(1)}
	if len(parts) == 0 {
		return arm{tail: math.Inf(1)}, nil
	}
	mix, err := m.of(side, item, unit, parts)
	if err != nil {
		return a, err
	}
	a.mix = mix
	a.n, a.exact, a.relErr = mix.N(), mix.Exact(), mix.RelativeError()
	if err := a.inBuckets(side, item, e, unit); err != nil {
		return a, err
	}
	switch e.Kind {
	case metric.Quantile:
		a.tail = mix.EffectiveN() * math.Min(e.Q, 1-e.Q)
		if a.value, err = mix.Quantile(e.Q); err != nil {
			return a, err
		}
		a.statistic = func(times []float64) float64 {
			weights := times
			if unit != Run {
				weights = make([]float64, len(times))
				for k, n := range times {
					weights[k] = n * float64(parts[k].N())
				}
			}
			m, err := mix.Reweight(weights)
			if err != nil {
				return math.NaN()
			}
			v, err := m.Quantile(e.Q)
			if err != nil {
				return math.NaN()
			}
			return v
		}
		if err := a.leaveOut(e.Q); err != nil {
			return a, err
		}
	case metric.Mean:
		a.exact, a.relErr = true, 0 // sums are exact
		means, weights := unitMeans(side, item, unit)
		if err := a.ofUnits(means, weights); err != nil {
			return a, err
		}
	case metric.Min:
		a.value, a.exact, a.relErr = mix.Min(), true, 0
	case metric.Max:
		a.value, a.exact, a.relErr = mix.Max(), true, 0
	}
	a.late = reachOf(side, item)
	a.reachTimeouts(parts, e)
	a.settleInBucket(e)
	return a, nil
}

// leaveOut sets the quantiles without each of several units, or without each
// group of many, to which they are dealt in turn.
func (a *arm) leaveOut(q float64) error {
	switch {
	case a.units < 2:
	case a.units <= mostAlone:
		for k := range a.units {
			v, err := a.mix.QuantileWithout(k, q)
			if err != nil {
				return err
			}
			a.loo = append(a.loo, v)
		}
	default:
		times := slices.Repeat([]float64{1}, a.units)
		for g := range mixshift.MostGroups {
			for k := g; k < len(times); k += mixshift.MostGroups {
				times[k] = 0
			}
			a.loo = append(a.loo, a.statistic(times))
			for k := g; k < len(times); k += mixshift.MostGroups {
				times[k] = 1
			}
		}
	}
	return nil
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
