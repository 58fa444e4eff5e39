package plan

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// FromPilot plans every estimand of a pilot by its spread and its margin in the
// policy. With a single run the noise between runs is what the options assume.
func FromPilot(p *compare.Parts, policy verdict.Policy, ask Ask) ([]Row, error) {
	if err := ask.Validate(); err != nil {
		return nil, err
	}
	spreads, err := p.Spreads()
	if err != nil {
		return nil, err
	}
	var out []Row
	for i := range spreads {
		out = append(out, planSpread(p, &spreads[i], policy, ask))
	}
	return out, nil
}

func planSpread(p *compare.Parts, s *compare.Spread, policy verdict.Policy, ask Ask) Row {
	m := s.Metric
	r := Row{
		Metric: m, Estimand: s.Estimand, Direction: m.Direction, Power: ask.Power, Level: ask.Level,
		MDE: math.NaN(), Spread: unknownSpread(), ValueUnit: m.Unit, Share: m.Kind == metric.Share,
	}
	if mg, ok := policy.MarginOf(m, s.Estimand); ok {
		r.Margin, r.Scale = &mg, mg.Scale
	} else if m.Kind == metric.Share || !(s.Baseline.Value > 0) {
		r.Scale = verdict.Absolute
	}
	r.Spread.PilotRuns, r.Spread.RequestsPerRun, r.Spread.Dependence = s.Units, s.Requests, s.Dependence
	if !s.Baseline.OK {
		r.Impossible = fmt.Errorf("the pilot has no value of it: %w", stats.ErrTooFew)
		r.warn("no_data", "the pilot has no value of it")
		return r
	}
	if err := r.setEffect(ask.Effect, s.Baseline.Value); err != nil {
		r.Impossible = err
		return r
	}
	switch {
	case s.Thin:
		r.Requests = s.NeedRequests
		r.warn("thin_tail", fmt.Sprintf("the pilot has too few requests to plan this percentile: it takes %d in all", s.NeedRequests))
		return r
	case s.Counted:
		r.Unit, r.Spread.Source = Requests, Counted
		r.Spread.Rate = float64(s.Hits) / float64(s.Trials)
		r.warn("independent_requests", "requests are taken to fail independently of each other; failures that come in some runs more than in others take more")
		r.counts(ask, s.Trials)
		return r
	case p.Design.Unit == compare.Request && m.Kind != metric.PerRun:
		r.Unit = Requests
		r.ofRequests(s, ask)
		return r
	}
	r.ofRuns(p, s, ask)
	return r
}

// noise is the spread on the scale of the margin.
func (r *Row) noise(s *compare.Spread) compare.Noise {
	if r.Scale == verdict.Relative {
		return s.Log
	}
	return s.Natural
}

// ofRuns plans runs by the spread between those of the pilot.
func (r *Row) ofRuns(p *compare.Parts, s *compare.Spread, ask Ask) {
	n := r.noise(s)
	r.Spread.Within = n.Within
	switch {
	case s.Units >= 2 && n.SD > 0:
		r.Spread.Source, r.Spread.SD, r.Spread.DF = Pilot, n.SD, n.DF
		r.limits(ask)
		if s.Units < fewPilotRuns {
			r.warn("few_pilot_runs", fmt.Sprintf("a pilot of %d runs hardly tells how far runs vary: its upper limit is %.1f times the estimate; a pilot of %d or more asks for fewer runs", s.Units, r.Spread.Planned/r.Spread.SD, fewPilotRuns))
		}
	case s.Units >= 2:
		r.Impossible = fmt.Errorf("the runs of the pilot do not differ, so that their spread is not known: %w", stats.ErrDomain)
		return
	default:
		assumed := p.Options.Assume(s.Metric, s.Estimand)
		if r.Scale == verdict.Absolute {
			assumed *= math.Abs(s.Baseline.Value)
		}
		within := n.Within
		if math.IsNaN(within) {
			within = 0
		}
		r.Spread.Source, r.Spread.DF = Assumed, math.Inf(1)
		r.Spread.SD = math.Hypot(assumed, within)
		r.Spread.Planned = r.Spread.SD
		if r.Spread.SD == 0 {
			r.Impossible = fmt.Errorf("one run tells nothing of the spread between runs, and none is assumed: %w", stats.ErrTooFew)
			return
		}
		r.warn("assumed_noise", "the pilot is one run: the noise between runs is assumed, not measured")
	}
	perValue := 0.0
	if s.Values > 0 {
		perValue = s.Requests / s.Values
	}
	r.solve(ask, perValue)
}

// fewPilotRuns is the number of runs from which a pilot tells the spread fairly.
const fewPilotRuns = 5

// limits sets the interval of the estimated spread and what is planned with.
func (r *Row) limits(ask Ask) {
	s := &r.Spread
	s.Planned = s.SD
	if math.IsInf(s.DF, 1) {
		return
	}
	half := ask.alpha()
	if v, err := stats.SDUpperLimit(s.SD, s.DF, half); err == nil {
		s.Lo = v
	}
	if v, err := stats.SDUpperLimit(s.SD, s.DF, 1-half); err == nil {
		s.Hi = v
	}
	if v, err := stats.SDUpperLimit(s.SD, s.DF, ask.UpperLevel); err == nil {
		s.Planned = v
	}
}

// setEffect takes the assumed change to the scale of the margin. A change in
// another unit than the estimand's is about others.
func (r *Row) setEffect(e *verdict.Amount, value float64) error {
	if e == nil || !r.takes(e) {
		return nil
	}
	a := *e
	if a.Scale != r.Scale {
		switch {
		case r.Margin == nil && r.Metric == nil:
			r.Scale = a.Scale
		case a.Scale == verdict.Relative: // of a value that is known
			a.Scale, a.Value = verdict.Absolute, a.Value*value
		case value > 0:
			a.Scale, a.Value = verdict.Relative, a.Value/value
		default:
			return fmt.Errorf("a change of %s is no share of %v: %w", a.Text, value, stats.ErrDomain)
		}
	}
	h, err := a.Harm(r.Direction)
	if err != nil {
		return err
	}
	r.Effect, r.HasEffect = h, true
	return nil
}

// takes reports whether an amount is in a unit of the estimand.
func (r *Row) takes(a *verdict.Amount) bool {
	m := r.Metric
	switch {
	case m == nil:
		return true
	case a.Points || m.Kind == metric.Share:
		return a.Points && m.Kind == metric.Share
	case a.Scale == verdict.Relative:
		return true
	}
	return a.Time == (m.Unit == metric.Seconds)
}

func unknownSpread() Spread {
	nan := math.NaN()
	return Spread{SD: nan, Lo: nan, Hi: nan, DF: nan, Planned: nan, Within: nan, RequestsPerRun: nan, Dependence: nan, RequestSD: nan, Rate: nan}
}
