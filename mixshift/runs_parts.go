package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Parts is the split of a change of a statistic of runs. The values of Rate and
// Mix add up to that of Total, to the last bit.
type Parts struct {
	Total stats.Estimate
	Rate  stats.Estimate // like for like, on the strata both sides have
	Mix   stats.Estimate // the rest: shifted weights, and strata of one side
	// OffSupport is the part of Mix from strata that only one side has.
	OffSupport stats.Estimate
	// Factors are the parts of Mix from each factor of a split by
	// [SplitRunsBy]. With OffSupport, in this order, they add up to Mix to the
	// last bit.
	Factors []stats.Estimate
	Scale   Scale
}

// Parts splits the change on a scale. Standard errors are jackknives of each part
// that leave out a run at a time, or a group of runs (see [MostGroups]);
// intervals are Student's t with Welch–Satterthwaite degrees of freedom over both
// sides (K − 1 for K pairs or groups). N counts runs, pairs counting once.
//
// Special cases are: with one run on a side there is no standard error: it is
// NaN, the interval is unbounded, and the warning one_run is set. Runs that do
// not vary give an interval without width and the warning no_variance.
//
// It returns stats.ErrDomain for a level outside (0, 1), an unknown scale, or a
// statistic that is not positive where the scale needs it. Source: Quenouille
// 1956, Biometrika 43:353; Tukey 1958.
func (s RunSplit) Parts(scale Scale, level float64) (Parts, error) {
	fail := func(err error) (Parts, error) { return Parts{}, fmt.Errorf("split of runs: %w", err) }
	if err := stats.CheckLevel(level); err != nil {
		return fail(err)
	}
	whole, err := s.whole.on(scale)
	if err != nil {
		return fail(err)
	}
	dropX, err := onScale(s.dropX, scale)
	if err != nil {
		return fail(err)
	}
	dropY, err := onScale(s.dropY, scale)
	if err != nil {
		return fail(err)
	}
	p := Parts{Scale: scale, Factors: make([]stats.Estimate, len(whole.factors))}
	type part struct {
		into *stats.Estimate
		of   func(parts) float64
		name string
	}
	list := []part{
		{&p.Total, func(v parts) float64 { return v.total }, MethodRunSplitTotal},
		{&p.Rate, func(v parts) float64 { return v.rate }, MethodRunSplitRate},
		{&p.Mix, func(v parts) float64 { return v.mix }, MethodRunSplitMix},
		{&p.OffSupport, func(v parts) float64 { return v.offSupport }, MethodRunSplitOffSupport},
	}
	for i := range p.Factors {
		list = append(list, part{&p.Factors[i], func(v parts) float64 { return v.factors[i] }, MethodRunSplitFactor})
	}
	for _, part := range list {
		if *part.into, err = s.estimate(part.of(whole), pick(dropX, part.of), pick(dropY, part.of), level); err != nil {
			return fail(err)
		}
		part.into.Method = part.name
	}
	return p, nil
}

// estimate attaches the jackknife interval to a value.
func (s RunSplit) estimate(value float64, dropX, dropY []float64, level float64) (stats.Estimate, error) {
	n := s.runsX + s.runsY
	if s.pairedRuns {
		n = s.runsX
	}
	if len(dropY) < 2 {
		return stats.Estimate{
			Value:    value,
			SE:       math.NaN(),
			Interval: stats.Unbounded(level),
			N:        n,
			Warnings: []stats.Warning{{Code: WarnOneRun, Text: "a side has one run: how runs vary is unknown, and there is no interval"}},
		}, nil
	}
	seX, dfX := 0.0, math.Inf(1)
	if !s.pairedRuns {
		var err error
		if _, seX, err = stats.Jackknife(dropX); err != nil {
			return stats.Estimate{}, err
		}
		dfX = float64(len(dropX) - 1)
	}
	_, seY, err := stats.Jackknife(dropY)
	if err != nil {
		return stats.Estimate{}, err
	}
	e, err := stats.TwoSample(0, seX, dfX, value, seY, float64(len(dropY)-1), level)
	if err != nil {
		return stats.Estimate{}, err
	}
	e.N = n
	return e, nil
}

func onScale(drop []values, scale Scale) ([]parts, error) {
	out := make([]parts, len(drop))
	for i, v := range drop {
		var err error
		if out[i], err = v.on(scale); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func pick(p []parts, of func(parts) float64) []float64 {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = of(v)
	}
	return out
}
