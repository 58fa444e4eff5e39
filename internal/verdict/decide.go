package verdict

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/stats"
)

// Decision is the verdict and what led to it.
type Decision struct {
	Outcome Outcome
	Gates   []Gate // in the order of the results, limits last
	Checks  []Check
	Reasons []Reason // the deciding facts, the most important first
}

// ReasonCode says what kind of fact a reason is.
type ReasonCode string

// The reasons.
const (
	GateFailed       ReasonCode = "gate_failed"
	SoftGateFailed   ReasonCode = "soft_gate_failed"
	GateInconclusive ReasonCode = "gate_inconclusive"
	CheckFailed      ReasonCode = "check_failed"
	NothingToJudge   ReasonCode = "nothing_to_judge"
	AllGatesPassed   ReasonCode = "all_gates_passed"
)

// Reason is a fact that decided; Gate or Check is what it is about, nil where
// the code says it all.
type Reason struct {
	Code  ReasonCode
	Gate  *Gate
	Check *Check
}

// Decide holds a comparison against a policy.
func Decide(cmp *compare.Comparison, p Policy) Decision {
	var d Decision
	for i := range cmp.Results {
		r := &cmp.Results[i]
		if r.LimitOnly {
			continue
		}
		g := Gate{Result: r, Soft: p.soft(r), Accepted: p.acceptance(r)}
		mg, ok := p.margin(r)
		if ok {
			g.Margin, g.Judged = &mg, r.Slice == nil || r.Critical
		}
		g.evaluate(cmp.Options)
		if !ok && g.Why == Decided {
			g.Why = NoMargin
		}
		// A default percentile that the data are too few for is shown and not
		// judged; one the user asked for stays open.
		if g.Why == ThinTail && !r.Named {
			g.Judged = false
		}
		p.judgeItems(&g, cmp.Options)
		d.Gates = append(d.Gates, g)
	}
	for i := range p.Limits {
		l := &p.Limits[i]
		for j := range cmp.Results {
			if r := &cmp.Results[j]; r.Slice == nil && limited(r) && r.Metric.Name == l.Metric && r.Estimand == l.Estimand {
				g := Gate{Result: r, Limit: l, Judged: true}
				g.evaluate(cmp.Options)
				d.Gates = append(d.Gates, g)
			}
		}
	}
	d.settle((1 - cmp.Options.Level) / 2)
	d.settleItems()
	d.explore()
	for i := range d.Gates {
		if g := &d.Gates[i]; g.Judged && g.Outcome == Inconclusive {
			g.need(cmp.Options, cmp.Design, p.MaxRuns)
			g.NoiseAlone = g.noiseAlone(cmp.Options.Level)
		}
	}
	d.Checks = check(cmp, p, d.Gates)
	for i := range d.Checks {
		d.Checks[i].Acknowledged = slices.Contains(p.Acknowledged, d.Checks[i].Code)
	}
	d.withhold()
	d.conclude()
	return d
}

// withhold takes the pass from gates of metrics of which values are missing: from
// all of them, or from those of a slice or the percentile where that alone suffers.
func (d *Decision) withhold() {
	for i := range d.Checks {
		c := &d.Checks[i]
		if c.Code != Lacking || c.Status != CheckFail || c.Acknowledged {
			continue
		}
		for j := range d.Gates {
			g := &d.Gates[j]
			if !g.Judged || g.Outcome != Pass || g.Result.Metric.Name != c.Name {
				continue
			}
			if c.Rule == "tail" {
				if g.Result == c.Result {
					g.Outcome, g.Why = Inconclusive, ValuesMissing
				}
				continue
			}
			if c.Result == nil || g.Result.Slice != nil && g.Result.Slice.String() == c.Result.Slice.String() {
				g.Outcome, g.Why = Inconclusive, ValuesMissing
			}
		}
	}
}

// explore adjusts the p-values of slices that are looked at and not gated, so
// that of those called changed only a small share are not (Benjamini–Hochberg).
func (d *Decision) explore() {
	var at []int
	var p []float64
	for i := range d.Gates {
		g := &d.Gates[i]
		g.PChange = math.NaN()
		if m := g.Result.Mover; m != nil {
			g.PChange = m.PAdjusted // over all that was searched
			continue
		}
		if r := g.Result; r.Slice != nil && !r.Critical && !math.IsNaN(g.PZero) {
			at, p = append(at, i), append(p, r.NoChange())
		}
	}
	adjusted, err := stats.BH(p)
	if err != nil {
		return
	}
	for k, i := range at {
		d.Gates[i].PChange = adjusted[k]
	}
}

// settle gives every judged gate its outcome. Passing needs no correction: the
// whole passes only if all gates do (intersection–union). Failing does: one of
// many gates exceeds its margin by chance more often than one alone, so Holm's
// step-down holds over all of them.
func (d *Decision) settle(alpha float64) {
	var at []int
	var p []float64
	for i := range d.Gates {
		if g := &d.Gates[i]; g.Judged && !math.IsNaN(g.PFail) {
			at, p = append(at, i), append(p, g.PFail)
		}
	}
	adjusted, err := stats.Holm(p)
	for k, i := range at {
		g := &d.Gates[i]
		g.PFailAdjusted = 1
		if err == nil {
			g.PFailAdjusted = adjusted[k]
		}
		smaller := 0
		for j, q := range p {
			if q < p[k] || q == p[k] && j < k {
				smaller++
			}
		}
		g.AdjustedAlpha = alpha / float64(len(p)-smaller)
	}
	for i := range d.Gates {
		g := &d.Gates[i]
		switch {
		case !g.Judged:
		case g.Why != Decided:
			g.Outcome = Inconclusive
		case g.passes():
			g.Outcome = Pass
		case g.exceeds() && g.PFailAdjusted <= alpha:
			g.Outcome = Fail
		case g.exceeds():
			g.Outcome, g.Why = Inconclusive, Multiplicity
		default:
			g.Outcome, g.Why = Inconclusive, TooWide
		}
	}
}

// conclude derives the verdict of the whole from gates and checks. Soft gates that
// are open block nothing where others are judged; where all are soft, nothing would
// have been shown.
func (d *Decision) conclude() {
	judged, hard := 0, 0
	add := func(o Outcome, soft bool, code ReasonCode) (n int) {
		for i := range d.Gates {
			if g := &d.Gates[i]; g.Judged && g.Outcome == o && g.Soft == soft && g.Why != ValuesMissing { // of which the check is the reason
				d.Reasons = append(d.Reasons, Reason{Code: code, Gate: g})
				n++
			}
		}
		return n
	}
	for i := range d.Gates {
		if g := &d.Gates[i]; g.Judged {
			judged++
			if !g.Soft {
				hard++
			}
		}
	}
	failed := add(Fail, false, GateFailed)
	softly := add(Fail, true, SoftGateFailed)
	bad := 0
	for i := range d.Checks {
		if c := &d.Checks[i]; c.Status == CheckFail && !c.Acknowledged {
			d.Reasons = append(d.Reasons, Reason{Code: CheckFailed, Check: c})
			bad++
		}
	}
	open := add(Inconclusive, false, GateInconclusive)
	if hard == 0 && softly == 0 {
		open = add(Inconclusive, true, GateInconclusive)
	}
	switch {
	case failed > 0:
		d.Outcome = Fail
	case judged == 0:
		d.Outcome = Inconclusive
		d.Reasons = append(d.Reasons, Reason{Code: NothingToJudge})
	case bad > 0 || open > 0:
		d.Outcome = Inconclusive
	case softly > 0:
		d.Outcome = ExceptionRequired
	default:
		d.Outcome = Pass
		d.Reasons = append(d.Reasons, Reason{Code: AllGatesPassed})
	}
}
