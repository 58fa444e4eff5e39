package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// distance is how far the assumed change lies from what is to be excluded: from
// the margin, or, without one, from no change. NaN where nothing is asked.
func (r *Row) distance() float64 {
	switch {
	case r.Margin != nil:
		return r.Margin.Harm(r.Direction) - r.Effect
	case r.HasEffect:
		return math.Abs(r.Effect)
	}
	return math.NaN()
}

// possible sets Impossible where no amount of data decides.
func (r *Row) possible() bool {
	d := r.distance()
	switch {
	case math.IsNaN(d) || d > 0:
		return true
	case r.Margin == nil:
		r.Impossible = fmt.Errorf("a change of 0 is assumed: no amount of data shows a change that is not there: %w", stats.ErrImpossible)
	default:
		r.Impossible = fmt.Errorf("the assumed change is at or beyond the margin: no amount of data shows that it is within: %w", stats.ErrImpossible)
	}
	return false
}

// solve fills in what a plan of runs answers, from its spread. perValue is how
// many requests it takes for a value of the metric.
func (r *Row) solve(ask Ask, perValue float64) {
	s := &r.Spread
	s.setLength(ask.Requests)
	r.detectable(ask)
	if !r.possible() {
		return
	}
	d := r.distance()
	if math.IsNaN(d) {
		r.table(ask)
		return
	}
	k, err := stats.RunsNeeded(s.Planned, d, ask.alpha(), ask.Power, ask.MaxRuns)
	if err != nil {
		r.Impossible = err
		z := stats.NormalQuantile(1-ask.alpha()) + stats.NormalQuantile(ask.Power)
		r.About = 2 * z * z * s.Planned * s.Planned / (d * d)
	}
	if r.Spread.Source == Pilot {
		if at, err := stats.RunsNeeded(s.atEstimate(), d, ask.alpha(), ask.Power, ask.MaxRuns); err == nil {
			r.AtEstimate = max(at, leastRuns)
		}
	}
	if k > 0 {
		r.Runs = max(k, leastRuns)
	}
	r.tail(ask, perValue)
	if r.Runs > 0 && s.RequestsPerRun > 0 {
		r.Requests = int64(math.Ceil(float64(r.Runs) * s.RequestsPerRun))
	}
	if r.MDERuns == 0 && r.Runs > 0 {
		r.MDERuns = r.Runs
		r.MDE = mde(r.Runs, s.Planned, ask)
	}
	r.welch(ask, d)
	r.table(ask)
	r.byLength(ask, d)
	r.enough(ask, d)
}

// leastRuns of a side make a test; two are a screening.
const leastRuns = 3

// detectable says what the fixed number of runs, or that of the pilot, shows.
func (r *Row) detectable(ask Ask) {
	k := ask.Runs
	if k == 0 && r.Spread.Source == Pilot {
		k = r.Spread.PilotRuns
	}
	if k >= 2 {
		r.MDERuns, r.MDE = k, mde(k, r.Spread.Planned, ask)
	}
}

// mde is the smallest harm that k runs a side show, NaN where it is not defined.
func mde(k int, sd float64, ask Ask) float64 {
	v, err := stats.MDERuns(k, sd, ask.alpha(), ask.Power, stats.Greater)
	if err != nil {
		return math.NaN()
	}
	return v
}

// tail raises the number of runs to what the tail of a percentile takes.
func (r *Row) tail(ask Ask, perValue float64) {
	if r.Runs == 0 || r.Metric == nil || r.Estimand.Kind != metric.Quantile || !(perValue > 0) || !(r.Spread.RequestsPerRun > 0) {
		return
	}
	need := ask.MinTail / math.Min(r.Estimand.Q, 1-r.Estimand.Q) * perValue
	if k := int(math.Ceil(need/r.Spread.RequestsPerRun - 1e-9)); k > r.Runs {
		r.Runs = k
		r.warn("thin_tail", fmt.Sprintf("the spread alone would take fewer runs, but this percentile takes %.0f requests a side", math.Ceil(need)))
	}
}

// welch remarks where the test that judges has less power than the plan, which
// is made by the pooled test as is usual.
func (r *Row) welch(ask Ask, d float64) {
	if r.Runs < 2 || r.Spread.Planned == 0 {
		return
	}
	short := func(k int) bool {
		p, err := stats.RunsPowerWelch(k, r.Spread.Planned, d, ask.alpha())
		return err == nil && p < ask.Power-0.02
	}
	k := r.Runs
	for short(k) && k < r.Runs+5 {
		k++
	}
	if k > r.Runs {
		p, _ := stats.RunsPowerWelch(r.Runs, r.Spread.Planned, d, ask.alpha())
		r.warn("few_runs", fmt.Sprintf("with so few runs each side's spread is known poorly: the comparison reaches power %.2f with %d, and %.2f with %d", p, r.Runs, ask.Power, k))
	}
}

// table fills in what other numbers of runs show.
func (r *Row) table(ask Ask) {
	ks := slices.Clone(tableRuns)
	for _, k := range []int{r.MDERuns, r.Runs} {
		if k >= 2 && !slices.Contains(ks, k) {
			ks = append(ks, k)
		}
	}
	slices.Sort(ks)
	d := r.distance()
	for _, k := range ks {
		at := AtSize{Runs: k, MDE: mde(k, r.Spread.Planned, ask), FailsAt: math.NaN(), Power: math.NaN()}
		if r.Spread.RequestsPerRun > 0 {
			at.Requests = int64(math.Ceil(float64(k) * r.Spread.RequestsPerRun))
		}
		if r.Margin != nil {
			at.FailsAt = r.Margin.Harm(r.Direction) + at.MDE
		}
		if d > 0 && r.Spread.Planned > 0 {
			if p, err := stats.RunsPowerWelch(k, r.Spread.Planned, d, ask.alpha()); err == nil {
				at.Power = p
			}
		}
		r.BySize = append(r.BySize, at)
	}
}

// byLength fills in what runs of another length need.
func (r *Row) byLength(ask Ask, d float64) {
	s := r.Spread
	if math.IsNaN(s.Within) || !(s.RequestsPerRun > 0) || s.Planned == 0 {
		return
	}
	for _, f := range lengths {
		n := math.Round(s.RequestsPerRun * f)
		if n < 1 {
			continue
		}
		at := AtLength{RequestsPerRun: int64(n), SD: s.planned(n)}
		if k, err := stats.RunsNeeded(at.SD, d, ask.alpha(), ask.Power, ask.MaxRuns); err == nil {
			at.Runs = max(k, leastRuns)
			at.Requests = int64(at.Runs) * int64(n)
		}
		r.ByLength = append(r.ByLength, at)
	}
}

// enough finds the requests of a run that make the fixed number of runs do.
func (r *Row) enough(ask Ask, d float64) {
	s := r.Spread
	if ask.Runs < 2 || math.IsNaN(s.Within) || !(s.RequestsPerRun > 0) {
		return
	}
	unit := mde(ask.Runs, 1, ask)
	between := s.Planned*s.Planned - s.Within*s.Within
	room := d*d/(unit*unit) - math.Max(0, between)
	if room <= 0 {
		r.warn("no_length", fmt.Sprintf("no length of run makes %d runs a side enough: their noise beyond that of the requests alone is too large", ask.Runs))
		return
	}
	r.EnoughRequests = int64(math.Ceil(s.Within * s.Within * s.RequestsPerRun / room))
	if r.EnoughRequests < 1 {
		r.EnoughRequests = 1
	}
}

// planned is the spread to plan with for runs of n requests.
func (s Spread) planned(n float64) float64 {
	return stats.RescaledSD(s.Planned, s.Within, s.RequestsPerRun, n)
}

// setLength takes the spread to runs of n requests; 0 leaves it.
func (s *Spread) setLength(n float64) {
	if n <= 0 || n == s.RequestsPerRun {
		return
	}
	if math.IsNaN(s.Within) || !(s.RequestsPerRun > 0) {
		s.RequestsPerRun = n
		return
	}
	ratio := s.RequestsPerRun / n
	s.Planned = s.planned(n)
	if !math.IsNaN(s.SD) {
		s.SD = stats.RescaledSD(s.SD, s.Within, s.RequestsPerRun, n)
		s.Lo, s.Hi = math.NaN(), math.NaN()
	}
	s.Within *= math.Sqrt(ratio)
	s.RequestsPerRun = n
}

// atEstimate is the spread as estimated.
func (s Spread) atEstimate() float64 { return s.SD }

// IsImpossible reports whether an error says that no size decides, rather than
// that something is missing.
func IsImpossible(err error) bool { return errors.Is(err, stats.ErrImpossible) }
