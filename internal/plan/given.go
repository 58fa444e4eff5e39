package plan

import (
	"errors"
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// Numbers are a spread that the user gives instead of a pilot.
type Numbers struct {
	// RunSD is the standard deviation of an estimand from run to run, nil where
	// requests are the unit. RunSDRuns is in how many runs it was estimated, 0
	// for a number that is known.
	RunSD     *verdict.Amount
	RunSDRuns int
	// SD is the standard deviation of one request, nil where it is part of RunSD.
	SD     *verdict.Amount
	Margin *verdict.Amount
	// Metric and Estimand are what it is about; a nil metric is any of which
	// less is better.
	Metric   *metric.Metric
	Estimand metric.Estimand
}

// FromNumbers plans by given numbers.
func FromNumbers(n Numbers, ask Ask) (Row, error) {
	r := Row{Metric: n.Metric, Estimand: n.Estimand, Power: ask.Power, Level: ask.Level, MDE: math.NaN(), Spread: unknownSpread()}
	r.Spread.Source, r.Spread.DF = Given, math.Inf(1)
	r.ValueUnit = metric.Unitless
	if n.Metric != nil {
		r.Direction, r.ValueUnit, r.Share = n.Metric.Direction, n.Metric.Unit, n.Metric.Kind == metric.Share
	}
	for _, a := range []*verdict.Amount{n.RunSD, n.SD} {
		if a != nil && a.Time {
			r.ValueUnit = metric.Seconds
		}
		r.Share = r.Share || a != nil && a.Points
	}
	if err := ask.Validate(); err != nil {
		return r, err
	}
	if err := n.check(ask.Effect); err != nil {
		return r, err
	}
	r.Scale = n.scale(ask.Effect)
	if n.Margin != nil {
		if r.Scale == verdict.Relative && r.Direction == metric.HigherIsBetter && n.Margin.Value >= 1 {
			return r, fmt.Errorf("a margin of %s: where higher is better the loss cannot reach 100%%", n.Margin.Text)
		}
		r.Margin = &verdict.Margin{Scale: n.Margin.Scale, Value: n.Margin.Value}
	}
	if err := r.setEffect(ask.Effect, math.NaN()); err != nil {
		return r, err
	}
	if n.SD != nil {
		r.Spread.RequestSD = n.SD.Value
		if n.Metric != nil && n.Estimand.Kind == metric.Quantile {
			if r.Scale != verdict.Relative {
				return r, errors.New("the spread of requests gives that of a percentile only for a relative --sd, such as 50%")
			}
			sd, err := stats.LognormalQuantileSD(n.Estimand.Q, n.SD.Value)
			if err != nil {
				return r, err
			}
			r.Spread.RequestSD = sd
			r.warn("lognormal", "the spread of the percentile is that of lognormal latencies")
		}
	}
	if n.RunSD == nil {
		r.Unit = Requests
		r.Spread.SD, r.Spread.Planned = r.Spread.RequestSD, r.Spread.RequestSD
		r.warn("independent_requests", "requests are taken as independent; noise between runs is not allowed for: give it with --run-sd")
		r.independent(ask, 0)
		return r, nil
	}
	r.Spread.SD, r.Spread.Planned = n.RunSD.Value, n.RunSD.Value
	if n.RunSDRuns >= 2 {
		r.Spread.DF, r.Spread.PilotRuns = float64(n.RunSDRuns-1), n.RunSDRuns
		r.limits(ask)
	}
	if n.SD != nil {
		return r, r.withRequests(n, ask)
	}
	r.Spread.setLength(ask.Requests)
	r.solve(ask, 0)
	return r, nil
}

// withRequests plans where the noise between runs and that of requests are given
// apart.
func (r *Row) withRequests(n Numbers, ask Ask) error {
	s := &r.Spread
	count := ask.Requests
	if count == 0 {
		if ask.Runs == 0 || math.IsNaN(r.distance()) {
			return errors.New("--run-sd and --sd together need --requests, the requests of a run; or --runs and --margin, to be told them")
		}
		count = 1
	}
	within := s.RequestSD / math.Sqrt(count)
	s.SD, s.Planned = math.Hypot(s.SD, within), math.Hypot(s.Planned, within)
	s.Lo, s.Hi = math.NaN(), math.NaN()
	s.Within, s.RequestsPerRun = within, count
	if ask.Requests > 0 {
		r.solve(ask, 0)
		return nil
	}
	// How long the fixed number of runs must be.
	if !r.possible() {
		return nil
	}
	r.enough(ask, r.distance())
	if r.EnoughRequests == 0 {
		r.Warnings = nil
		r.Impossible = fmt.Errorf("no length of run makes %d runs a side enough: the noise between runs alone is too large: %w", ask.Runs, stats.ErrImpossible)
		return nil
	}
	ask.Requests = float64(r.EnoughRequests)
	r.solve(ask, 0)
	return nil
}

// check reports numbers that do not go together.
func (n Numbers) check(effect *verdict.Amount) error {
	if n.RunSD == nil && n.SD == nil {
		return errors.New("a plan needs a spread: a pilot INPUT, --run-sd (from run to run) or --sd (of requests)")
	}
	all := []struct {
		name     string
		a        *verdict.Amount
		positive bool
	}{{"--run-sd", n.RunSD, true}, {"--sd", n.SD, true}, {"--margin", n.Margin, true}, {"--effect", effect, false}}
	first := -1
	for i, x := range all {
		switch {
		case x.a == nil:
			continue
		case x.positive && !(x.a.Value > 0):
			return fmt.Errorf("%s %s: want more than 0", x.name, x.a.Text)
		}
		if first < 0 {
			first = i
			continue
		}
		if f := all[first]; f.a.Scale != x.a.Scale || f.a.Time != x.a.Time || f.a.Points != x.a.Points {
			return fmt.Errorf("%s %s and %s %s are in different units: give both in percent, or both in the unit of the metric", f.name, f.a.Text, x.name, x.a.Text)
		}
	}
	if n.RunSDRuns < 0 || n.RunSDRuns == 1 {
		return fmt.Errorf("--run-sd-runs %d: want at least 2", n.RunSDRuns)
	}
	return nil
}

// scale is that of the numbers, which all share one.
func (n Numbers) scale(effect *verdict.Amount) verdict.Scale {
	for _, a := range []*verdict.Amount{n.RunSD, n.SD, n.Margin, effect} {
		if a != nil {
			return a.Scale
		}
	}
	return verdict.Relative
}
