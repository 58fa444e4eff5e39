package verdict

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Outcome is what is decided of a gate or of the whole comparison.
type Outcome uint8

// The outcomes. Undecided is a bug if it is ever printed.
const (
	Undecided Outcome = iota
	Pass
	Fail
	Inconclusive
	// ExceptionRequired means that only soft gates are beyond their margin.
	ExceptionRequired
)

var outcomeNames = [...]string{"UNDECIDED", "PASS", "FAIL", "INCONCLUSIVE", "EXCEPTION_REQUIRED"}

// String returns the name as the contract spells it.
func (o Outcome) String() string { return outcomeNames[o] }

// ExitCode returns the process's exit code for the outcome.
func (o Outcome) ExitCode() int {
	switch o {
	case Pass:
		return 0
	case Fail:
		return 1
	case Inconclusive:
		return 3
	case ExceptionRequired:
		return 4
	}
	return 2
}

// Kind describes a change against its margin.
type Kind uint8

// The kinds.
const (
	NoData Kind = iota
	Improved
	Equivalent
	RegressedWithinMargin
	Regressed
	Uncertain
)

var kindNames = [...]string{"no_data", "improved", "equivalent", "regressed_within_margin", "regressed", "uncertain"}

// String returns the name as the contract spells it.
func (k Kind) String() string { return kindNames[k] }

// Why says why a gate is not decided, or not judged.
type Why string

// The causes.
const (
	Decided      Why = ""
	Missing      Why = "no_data"
	ThinTail     Why = "thin_tail"
	NoInterval   Why = "no_interval"
	NoRatio      Why = "no_ratio"
	TooWide      Why = "uncertain"
	Multiplicity Why = "multiplicity"
	NoMargin     Why = "no_margin"
	Unsupported  Why = "unsupported" // too much traffic without counterpart
	// ValuesMissing is of a gate within its margin whose metric fails the check of
	// missing values.
	ValuesMissing Why = "values_missing"
)

// Needed is what would decide an inconclusive gate at the observed change and
// spread.
type Needed struct {
	Runs     int   // more runs a side, or pairs of runs; 0 if unknown
	Requests int64 // requests a side; 0 if unknown
	Items    int64 // items in all; 0 if unknown
	// OnMargin tells that the observed change lies so close to the margin that
	// no affordable number of runs decides it.
	OnMargin bool
	// Buckets tells that the buckets of a histogram are too wide for any number of
	// runs to decide it.
	Buckets bool
	TooMany int // the number of runs a side that would not be enough; 0 if none was tried
}

// Gate is one result held against a margin or a limit. Harm is the change in
// the direction that is worse: a log ratio for a relative margin, a difference
// in the metric's unit for an absolute one.
type Gate struct {
	Result *compare.Result
	Margin *Margin // nil for a limit gate, or without a margin
	Limit  *Limit  // nil for a margin gate

	Soft     bool        // beyond its margin it asks for an owner instead of failing
	Accepted *Acceptance // a known regression that is tolerated, or was until it expired

	Judged  bool // false: shown, and not part of the verdict
	Outcome Outcome
	Kind    Kind
	Why     Why

	Harm, HarmLo, HarmHi float64
	Threshold            float64 // the margin on the scale of Harm
	PMargin              float64 // against "harm is the margin or more"
	PZero                float64 // against "harm is zero or more"
	PFail                float64 // against "harm is the margin or less"
	PFailAdjusted        float64 // the same after Holm over all gates
	AdjustedAlpha        float64 // the level PFail was held against
	PChange              float64 // of an exploratory slice: against "no change", of a mover against "as the rest", after Benjamini–Hochberg; NaN otherwise
	MDE                  float64 // smallest harm this design shows with power 0.8; NaN without an interval
	Needed               Needed
	// NoiseAlone tells that the noise between runs that was assumed would leave the
	// gate open if the two runs themselves were known exactly.
	NoiseAlone bool
}

// change picks the contrast that a margin is about and its threshold.
func (g *Gate) change(m Margin) (ct compare.Contrast, threshold float64) {
	delta, log := g.Result.Judged()
	switch {
	case m.Scale == Absolute:
		return delta, m.Value
	case g.Result.Metric.Direction == metric.HigherIsBetter:
		return log, -math.Log1p(-m.Value)
	}
	return log, math.Log1p(m.Value)
}

// evaluate fills everything but the outcome, which needs all gates.
func (g *Gate) evaluate(opt compare.Options) {
	r := g.Result
	g.MDE = math.NaN()
	g.PMargin, g.PZero, g.PFail = math.NaN(), math.NaN(), math.NaN()
	switch {
	case !r.Candidate.OK || g.Limit == nil && !r.Baseline.OK:
		g.Kind, g.Why = NoData, Missing
		return
	case r.Thin:
		g.Kind, g.Why = Uncertain, ThinTail
		return
	case g.Limit == nil && r.Like != nil && len(r.Like.Refused) > 0:
		g.Kind, g.Why = Uncertain, Unsupported
		return
	}
	var ct compare.Contrast
	sign := 1.0
	switch {
	case g.Limit != nil:
		// Harm is how far the candidate lies beyond the limit.
		ct = r.Bound
		if !g.Limit.Upper {
			sign = -1
		}
		ct.Value, ct.Lo, ct.Hi = ct.Value-g.Limit.Value, ct.Lo-g.Limit.Value, ct.Hi-g.Limit.Value
	case g.Margin != nil:
		ct, g.Threshold = g.change(*g.Margin)
		if r.Metric.Direction == metric.HigherIsBetter {
			sign = -1
		}
	default:
		delta, log := r.Judged()
		if ct = log; !ct.OK {
			ct = delta
		}
		if r.Metric.Direction == metric.HigherIsBetter {
			sign = -1
		}
	}
	if !ct.OK {
		g.Kind, g.Why = Uncertain, NoRatio
		return
	}
	g.Harm = sign * ct.Value
	g.HarmLo, g.HarmHi = ct.Lo, ct.Hi
	if sign < 0 {
		g.HarmLo, g.HarmHi = -ct.Hi, -ct.Lo
	}
	if !ct.HasInterval() {
		g.Kind, g.Why = Uncertain, NoInterval
		return
	}
	if sign > 0 {
		g.PMargin, g.PZero, g.PFail = ct.PAbove(g.Threshold), ct.PAbove(0), ct.PBelow(g.Threshold)
	} else {
		g.PMargin, g.PZero, g.PFail = ct.PBelow(-g.Threshold), ct.PBelow(0), ct.PAbove(-g.Threshold)
	}
	g.MDE = ct.MDE((1-opt.Level)/2, opt.Power)
	g.classify()
}

// classify names the change by its interval and the margin.
func (g *Gate) classify() {
	m := g.Threshold
	switch {
	case g.Limit != nil:
		// The harm of a limit is the distance from it, not a change.
		g.Kind = Uncertain
	case g.HarmHi < 0:
		g.Kind = Improved
	case g.Margin == nil:
		g.Kind = Uncertain
	case g.HarmLo > m:
		g.Kind = Regressed
	case g.HarmLo > 0 && g.HarmHi < m:
		g.Kind = RegressedWithinMargin
	case -m < g.HarmLo && g.HarmHi < m:
		g.Kind = Equivalent
	default:
		g.Kind = Uncertain
	}
}

// passes and exceeds read the printed interval.
func (g *Gate) passes() bool  { return g.HarmHi < g.Threshold }
func (g *Gate) exceeds() bool { return g.HarmLo > g.Threshold }

// noiseAlone says whether a gate would be open for the assumed noise between runs
// alone, whatever is known of the two runs.
func (g *Gate) noiseAlone(level float64) bool {
	r := g.Result
	if g.Why != TooWide || g.Margin == nil || r.AssumedNoise == 0 || r.Metric.Kind == metric.Share {
		return false
	}
	e := r.NoiseError()
	if g.Margin.Scale == Absolute {
		delta, _ := r.Judged()
		e = stats.StandardError{SE: r.AssumedNoise * math.Hypot(r.Baseline.Value, r.Baseline.Value+delta.Value), DF: math.Inf(1)}
	}
	iv, err := e.Interval(g.Harm, level)
	return err == nil && iv.Lo <= g.Threshold && g.Threshold <= iv.Hi
}

// need plans what would decide an inconclusive gate.
func (g *Gate) need(opt compare.Options, design compare.Design, maxRuns int) {
	r := g.Result
	if g.Why == ThinTail {
		g.Needed.Requests = r.NeedRequests
		return
	}
	if g.Why != TooWide && g.Why != Multiplicity || g.Limit != nil {
		return
	}
	if r.Items != nil {
		g.needItems(opt)
		return
	}
	if r.Metric.Kind == metric.Share && math.IsNaN(r.UnitSD) {
		g.needRequests(opt)
		return
	}
	sd := r.UnitSpread(g.Margin.Scale == Relative)
	if design.Unit != compare.Run || math.IsNaN(sd) {
		return
	}
	distance, blur := math.Abs(g.Threshold-g.Harm), r.Buckets
	if g.Margin.Scale == Relative {
		blur = r.BucketsLog
	}
	if blur > 0 && distance <= blur {
		g.Needed.Buckets = true
		return
	}
	distance -= blur
	k, ok := runsNeeded(design, sd, distance, opt, maxRuns)
	if !ok {
		g.Needed.OnMargin = distance < math.Abs(g.Threshold)/onMargin
		g.Needed.TooMany = maxRuns
		return
	}
	g.Needed.Runs = max(1, max(k, 3)-min(design.Baseline, design.Candidate))
}

// runsNeeded is how many runs a side, or pairs of runs, show a distance; ok is
// false where more than most would be needed.
func runsNeeded(design compare.Design, sd, distance float64, opt compare.Options, most int) (k int, ok bool) {
	alpha := (1 - opt.Level) / 2
	if design.PairedRuns() {
		size, err := stats.NPairedNI(distance, 0, sd, alpha, opt.Power)
		return size.N, err == nil && size.N <= most
	}
	k, err := stats.RunsNeeded(sd, distance, alpha, opt.Power, most)
	return k, err == nil
}

// onMargin is how many times smaller than the margin the distance from it is
// where a change is said to sit on it.
const onMargin = 10

// maxRequests is the most requests a side that a plan asks for.
const maxRequests = 1e8

// needRequests plans the requests that would decide a share compared by counts.
func (g *Gate) needRequests(opt compare.Options) {
	r := g.Result
	px, py := r.Baseline.Value, r.Candidate.Value
	if loss := px - py; loss > g.Threshold {
		// Showing that the loss exceeds the margin takes what showing the
		// opposite takes at the same distance on the other side.
		py = px - 2*g.Threshold + loss
	}
	size, err := stats.NTwoProportionsNI(px, math.Min(py, 1), g.Threshold, (1-opt.Level)/2, opt.Power)
	if err != nil || size.N > maxRequests {
		g.Needed.OnMargin = true
		return
	}
	g.Needed.Requests = int64(size.N)
}
