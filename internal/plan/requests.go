package plan

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// ofRequests plans independent requests by their spread in the pilot.
func (r *Row) ofRequests(s *compare.Spread, ask Ask) {
	n := r.noise(s)
	r.Spread.Source, r.Spread.Within, r.Spread.DF = Pilot, n.Within, s.Values-1
	r.Spread.RequestSD = n.Within * math.Sqrt(s.Values)
	r.Spread.SD, r.Spread.Planned = r.Spread.RequestSD, r.Spread.RequestSD
	if !(r.Spread.RequestSD > 0) {
		r.Impossible = fmt.Errorf("the spread of the requests is not known: %w", stats.ErrTooFew)
		return
	}
	r.warn("independent_requests", "requests are taken as independent (--unit request); noise between runs is not allowed for")
	r.independent(ask, int(s.Values))
}

// independent plans independent requests with standard deviation RequestSD.
// have is how many the pilot has, 0 without one.
func (r *Row) independent(ask Ask, have int) {
	sd := r.Spread.RequestSD
	if ask.Requests > 0 {
		have = int(ask.Requests)
	}
	if have >= 2 {
		r.MDERequests, r.MDE = have, mde(have, sd, ask)
	}
	if !r.possible() {
		return
	}
	d := r.distance()
	if !math.IsNaN(d) {
		size, err := stats.NTwoMeansNI(d, 0, sd, ask.alpha(), ask.Power)
		if err != nil {
			r.Impossible = err
			return
		}
		r.Requests, r.AtEstimate = int64(size.N), size.N
		if r.Metric != nil && r.Estimand.Kind == metric.Quantile {
			if need := int64(math.Ceil(ask.MinTail/math.Min(r.Estimand.Q, 1-r.Estimand.Q) - 1e-9)); need > r.Requests {
				r.Requests = need
				r.warn("thin_tail", fmt.Sprintf("the spread alone would take fewer, but this percentile takes %d requests a side", need))
			}
		}
		if have < 2 {
			r.MDERequests, r.MDE = size.N, mde(size.N, sd, ask)
		}
	}
	base := have
	if base < 2 {
		base = int(r.Requests)
	}
	for _, f := range lengths {
		n := int(math.Round(float64(base) * f))
		if n < 2 {
			continue
		}
		at := AtSize{Requests: int64(n), MDE: mde(n, sd, ask), FailsAt: math.NaN(), Power: math.NaN()}
		if r.Margin != nil {
			at.FailsAt = r.Margin.Harm(r.Direction) + at.MDE
		}
		if d > 0 {
			if p, err := stats.RunsPower(n, sd, d, ask.alpha(), stats.Greater); err == nil {
				at.Power = p
			}
		}
		r.BySize = append(r.BySize, at)
	}
}

// counts plans the requests of a share that is compared by its counts. have is
// how many the pilot has.
func (r *Row) counts(ask Ask, have int64) {
	p := r.Spread.Rate
	if r.Direction == metric.LowerIsBetter {
		p = 1 - p
	}
	detectable := func(n int64) float64 {
		v, err := stats.MDETwoProportionsNI(p, int(n), ask.alpha(), ask.Power)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	if ask.Requests > 0 && ask.Runs > 0 {
		have = int64(ask.Requests) * int64(ask.Runs)
	}
	r.MDERequests, r.MDE = int(have), detectable(have)
	if !r.possible() {
		return
	}
	if r.Margin != nil {
		size, err := stats.NTwoProportionsNI(p, math.Min(1, math.Max(0, p-r.Effect)), r.Margin.Value, ask.alpha(), ask.Power)
		if err != nil {
			r.Impossible = err
			return
		}
		r.Requests, r.AtEstimate = int64(size.N), size.N
	}
	for _, f := range lengths {
		n := int64(math.Round(float64(have) * f))
		if n < 2 {
			continue
		}
		at := AtSize{Requests: n, MDE: detectable(n), FailsAt: math.NaN(), Power: math.NaN()}
		if r.Margin != nil {
			at.FailsAt = r.Margin.Value + at.MDE
		}
		r.BySize = append(r.BySize, at)
	}
}
