package compare

import (
	"errors"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats"
)

// NoMix as the only stratifying column turns the split off.
const NoMix = "none"

// Mix describes how the traffic of the two sides differs, and the strata in
// which they are compared like for like.
type Mix struct {
	By string // "prompt length", "output length", or the columns
	// ByOutput tells that the strata are of the output length, ByColumns that
	// they are the values of columns that the user named.
	ByOutput, ByColumns bool
	// Factors are the columns that the user named; several are crossed.
	Factors []Factor
	// PSI and P measure how much the shares of the strata differ: the
	// population stability index, and the test that they do not.
	PSI, P float64
	Strata []Stratum
	// Used tells that results were split: the traffic differs, or the user
	// named the columns.
	Used bool
}

// Differs reports whether the shares of the strata differ by more than chance at the
// level alpha, and by a population stability index that counts.
func (m *Mix) Differs(alpha, psi float64) bool { return m.P < alpha && m.PSI >= psi }

// Stratum is a part of the traffic.
type Stratum struct {
	Label                               string
	BaselineShare, CandidateShare       float64
	BaselineRequests, CandidateRequests int64
}

// Like is a change with the candidate reweighted to the baseline's strata.
type Like struct {
	Delta, Log Contrast
	// EffectiveN is the effective number of the candidate's values after
	// reweighting, Unsupported the larger share of a side without counterpart.
	EffectiveN, Unsupported float64
	// Refused says why the reweighted answer is not to be relied on; empty if
	// it is.
	Refused []stats.Warning
	// The split of the total change, relative to the baseline's value, or as a
	// difference for shares and values that are not positive.
	Relative                                  bool
	Total, Within, Mix                        Contrast
	UnsupportedBaseline, UnsupportedCandidate float64
	BaselineValues, CandidateValues           []float64 // by stratum, NaN without values
	WithinContribution, MixContribution       []float64 // by stratum; nil for percentiles
	// OffSupport is the part of Mix from traffic that only one side has. Factors
	// are the parts of each factor, nil for a single one; in order and with
	// OffSupport they add up to Mix. FactorsRefused says why they are not given.
	OffSupport     Contrast
	Factors        []FactorPart
	FactorsRefused []stats.Warning
	Strata         []StratumChange // nil where they were not asked
	// unitSD and unitSDLog are the standard deviations of one unit behind Delta
	// and Log, where they do not follow from those of the total change.
	unitSD, unitSDLog float64
}

// FactorPart is the part of the mix that comes from one factor.
type FactorPart struct {
	By  string
	Mix Contrast
}

// StratumChange is the change in one stratum, compared as a slice is.
type StratumChange struct {
	Relative bool // to the stratum's baseline, else a difference
	Change   Contrast
	Thin     bool // too few values lie beyond the percentile for an interval
}

// UnitSpread returns the standard deviation of one unit that the judged
// interval amounts to, on the log or on the natural scale.
func (r *Result) UnitSpread(log bool) float64 {
	sd, total, own := r.UnitSD, r.Delta, 0.0
	if log {
		sd, total = r.UnitSDLog, r.Log
	}
	judged := total
	if r.Like != nil {
		judged, own = r.Like.Delta, r.Like.unitSD
		if log {
			judged, own = r.Like.Log, r.Like.unitSDLog
		}
	}
	if own > 0 && !r.Baseline.Open && !r.Candidate.Open {
		return own
	}
	if total.SEHi > 0 && judged.SEHi > 0 {
		sd *= judged.SEHi / total.SEHi
	}
	return sd
}

// Judged returns the change that is judged: like for like where it was split,
// else as the traffic was.
func (r *Result) Judged() (delta, log Contrast) {
	if r.Like != nil {
		return r.Like.Delta, r.Like.Log
	}
	return r.Delta, r.Log
}

// splits reports whether what a result is about can be split into what changed
// like for like and what the traffic changed.
func (c *comparer) splits(r *Result) bool {
	s := c.strata
	return s != nil && s.mix.Used && r.Metric.Kind != metric.PerRun && !c.design.Unit.withinRun() &&
		r.Estimand.Kind != metric.Min && r.Estimand.Kind != metric.Max &&
		!(s.ofAnswer() && r.Metric.Kind == metric.Share) // a failed request has no answer to measure
}

// split is that of a result. The error is errNoSide where a side cannot be told
// by strata.
func (c *comparer) split(r *Result, item int) (x, y stratified, split mixshift.RunSplit, err error) {
	s := c.strata
	sides := c.together(r, c.sides, func(u *metric.Unit) bool { return s.any(r, s.row(u), item) })
	x, errX := c.stratified(0, sides[0], r, item)
	y, errY := c.stratified(1, sides[1], r, item)
	if errX != nil || errY != nil {
		return x, y, split, errNoSide
	}
	if len(s.factors) > 1 {
		split, err = mixshift.SplitRunsBy(x.runs, y.runs, s.levels, c.pairs != nil)
	} else {
		split, err = mixshift.SplitRuns(x.runs, y.runs, c.pairs != nil)
	}
	return x, y, split, err
}

var errNoSide = errors.New("compare: a side has no values by stratum")

// likeForLike splits a result into what changed like for like and what the
// traffic changed.
func (c *comparer) likeForLike(r *Result, item int) {
	if r.Thin || !r.Delta.OK || !c.splits(r) {
		return
	}
	s := c.strata
	x, y, split, err := c.split(r, item)
	if errors.Is(err, errNoSide) {
		return
	}
	if err != nil {
		r.Like = s.unlike()
		return
	}
	l := &Like{
		EffectiveN: split.EffectiveN, UnsupportedBaseline: split.OnlyX, UnsupportedCandidate: split.OnlyY, Unsupported: math.Max(split.OnlyX, split.OnlyY),
		Refused: mixshift.Objections(split.Overlap, mixshift.DefaultLimits()), BaselineValues: x.runs.ByStratum(), CandidateValues: y.runs.ByStratum(),
		FactorsRefused: split.FactorObjections(mixshift.DefaultLimits()),
	}
	l.Refused = append(l.Refused, s.hidden(r, split.Overlap)...)
	relErr := math.Max(x.relErr, y.relErr)
	var within [2]Contrast // of two single runs
	if own := c.likeSingle(r, item, x, y, split); own != nil {
		within = [2]Contrast{own.Delta, own.Log}
		l.unitSD, l.unitSDLog = own.UnitSD, own.UnitSDLog
	}
	if p, err := split.Parts(mixshift.Difference, c.opt.Level); err == nil {
		l.take(p, s.factors)
		if r.byCounts() {
			p.Rate.SE = math.NaN()
		}
		l.Delta = c.likeContrast(p.Rate, r.Delta, within[0], split, relErr*(math.Abs(split.XCommon)+math.Abs(split.YLike)))
		if r.byCounts() {
			l.Total, l.Within = r.Delta.around(l.Total.Value, 1), l.Delta
		}
	}
	if p, err := split.Parts(mixshift.LogRatio, c.opt.Level); err == nil && r.Log.OK {
		if r.byCounts() {
			p.Rate.SE = math.NaN()
		}
		l.Log = c.likeContrast(p.Rate, r.Log, within[1], split, 2*math.Log1p(relErr))
	}
	if r.Metric.Kind != metric.Share {
		if p, err := split.Parts(mixshift.Relative, c.opt.Level); err == nil {
			l.Relative = true
			l.take(p, s.factors)
		}
	}
	if r.Metric.Kind == metric.Share || r.Estimand.Kind == metric.Mean {
		l.contribute(s, r.Baseline.Value)
	}
	l.Strata = c.strataChanges(item, r)
	r.Like = l
}

// unlike is the answer where the sides have no stratum in common, or without one
// run have none.
func (s *strata) unlike() *Like {
	l := &Like{Delta: noInterval(math.NaN()), Refused: []stats.Warning{{Code: "off_support", Text: "too few strata of the traffic are common to both sides"}}}
	for _, st := range s.mix.Strata {
		if st.CandidateRequests == 0 {
			l.UnsupportedBaseline += st.BaselineShare
		}
		if st.BaselineRequests == 0 {
			l.UnsupportedCandidate += st.CandidateShare
		}
	}
	l.Unsupported = math.Max(l.UnsupportedBaseline, l.UnsupportedCandidate)
	return l
}

// take sets the parts of the total change.
func (l *Like) take(p mixshift.Parts, factors []factor) {
	l.Total, l.Within, l.Mix, l.OffSupport = fromEstimate(p.Total), fromEstimate(p.Rate), fromEstimate(p.Mix), fromEstimate(p.OffSupport)
	l.Factors = nil
	for i, f := range p.Factors {
		if len(l.FactorsRefused) == 0 {
			l.Factors = append(l.Factors, FactorPart{factors[i].Name, fromEstimate(f)})
		}
	}
}

func fromEstimate(e stats.Estimate) Contrast {
	if math.IsNaN(e.SE) {
		return noInterval(e.Value)
	}
	return Contrast{OK: true, Value: e.Value, Lo: e.Interval.Lo, Hi: e.Interval.Hi, SELo: e.SE, SEHi: e.SE, DF: e.DF}
}

// likeContrast is the like-for-like change with its interval: from the runs, or
// from within each of two single runs. What is left has that of the total change,
// widened for the smaller effective number of requests: one run against several, and
// rare failures.
func (c *comparer) likeContrast(e stats.Estimate, total, within Contrast, split mixshift.RunSplit, widen float64) Contrast {
	ct := fromEstimate(e)
	switch {
	case within.OK:
		ct = within
		ct.Value = e.Value
	case math.IsNaN(e.SE) && total.HasInterval():
		ct = total.around(e.Value, split.Widening())
	}
	if widen > 0 && ct.DF > 0 {
		ct.widen(widen, c.opt.Level)
	}
	return ct
}

// around is another change that is known as this one is, or so many times worse.
func (c Contrast) around(value, wide float64) Contrast {
	lo, hi := value-(c.Value-c.Lo)*wide, value+(c.Hi-c.Value)*wide
	return Contrast{OK: true, Value: value, Lo: lo, Hi: hi, SELo: c.SELo * wide, SEHi: c.SEHi * wide, DF: c.DF}
}

// contribute splits a mean or a rate over the strata (Kitagawa with the
// baseline's mix as the standard).
func (l *Like) contribute(s *strata, base float64) {
	var x, y []float64
	for _, st := range s.mix.Strata {
		x, y = append(x, st.BaselineShare), append(y, st.CandidateShare)
	}
	var err error
	if l.WithinContribution, l.MixContribution, err = mixshift.Contributions(x, y, l.BaselineValues, l.CandidateValues); err != nil || !l.Relative {
		return
	}
	for i := range x {
		l.WithinContribution[i] /= base
		l.MixContribution[i] /= base
	}
}

// strataChanges compares every stratum as if it were a slice.
func (c *comparer) strataChanges(item int, r *Result) []StratumChange {
	if !c.opt.Strata || c.slicing != "" {
		return nil
	}
	whole, made := c.sides, c.made
	defer func() { c.sides, c.made = whole, made }()
	var out []StratumChange
	for i, p := range c.strata.sides(whole) {
		c.sides, c.made = p.sides, p.made
		st, err := c.sliceResult(item, c.plan.Items[item], r.Estimand, nil)
		c.strata.parts[i].made = c.made
		sc := StratumChange{Relative: r.Metric.Kind != metric.Share, Change: noInterval(math.NaN())}
		switch {
		case err != nil || !st.Delta.OK:
		case !sc.Relative:
			sc.Change = st.Delta
		case st.Log.OK:
			sc.Change = st.Log
			sc.Change.Value, sc.Change.Lo, sc.Change.Hi = math.Expm1(st.Log.Value), math.Expm1(st.Log.Lo), math.Expm1(st.Log.Hi)
		}
		sc.Thin = err == nil && st.Thin
		out = append(out, sc)
	}
	return out
}
