package report

import (
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// Meta is what the report says beyond the numbers.
type Meta struct {
	Tool  Tool
	Seed  uint64
	Sides []SideMeta
	Notes []Note // remarks gathered while the inputs were opened
}

// SideMeta describes the inputs of a side.
type SideMeta struct {
	Label string
	Files []FileMeta
}

// FileMeta describes one file.
type FileMeta struct {
	Path, Reader, SHA256 string
	Columns              map[string]FieldFrom // by field
}

// Build makes the document of a comparison and its decision.
func Build(c *compare.Comparison, d verdict.Decision, m Meta) *Document {
	doc := base(c, m, "compare")
	doc.Baseline = side(c.Sides[0], m.Sides[0])
	doc.Candidate = side(c.Sides[1], m.Sides[1])
	doc.decided(c, d)
	doc.Burn = burn(c)
	doc.MixShift, doc.Search = mixShift(c), search(c.Search)
	doc.Warnings = append(doc.Warnings, warnings(c, m)...)
	return doc
}

// decided fills in what a decision says of the two sides.
func (doc *Document) decided(c *compare.Comparison, d verdict.Decision) {
	outcome := d.Outcome.String()
	doc.Verdict, doc.ExitCode = &outcome, d.Outcome.ExitCode()
	for i := range d.Gates {
		doc.Results = append(doc.Results, result(&d.Gates[i], c))
	}
	for i := range d.Checks {
		doc.Comparability = append(doc.Comparability, checkRow(&d.Checks[i]))
	}
	for i, s := range []*Side{doc.Baseline, doc.Candidate} {
		maps.Copy(s.Fingerprint, c.Fingerprint[i])
	}
	doc.Reasons = reasons(d, c)
	doc.Warnings = append(doc.Warnings, noiseNotes(d, c)...)
}

// BuildDescription makes the document of one input.
func BuildDescription(c *compare.Comparison, m Meta) *Document {
	doc := base(c, m, "describe")
	doc.Baseline = side(c.Sides[0], m.Sides[0])
	for i := range c.Results {
		r := &c.Results[i]
		g := verdict.Gate{Result: r, Kind: verdict.Uncertain}
		switch {
		case !r.Baseline.OK:
			g.Kind, g.Why = verdict.NoData, verdict.Missing
		case r.Thin:
			g.Why = verdict.ThinTail
		case math.IsInf(r.Baseline.Lo, -1) && math.IsInf(r.Baseline.Hi, 1):
			g.Why = verdict.NoInterval
		}
		nan := math.NaN()
		g.PMargin, g.PZero, g.MDE = nan, nan, nan
		doc.Results = append(doc.Results, result(&g, c))
	}
	doc.Burn = burn(c)
	doc.Warnings = append(doc.Warnings, warnings(c, m)...)
	return doc
}

func base(c *compare.Comparison, m Meta, command string) *Document {
	return &Document{
		SchemaVersion: SchemaVersion, Tool: m.Tool, Command: command, Seed: m.Seed, Level: c.Options.Level,
		Reasons: []Reason{}, Comparability: []Check{}, Results: []Result{}, MixShift: []MixShift{}, Burn: []Burn{}, Flips: []Flip{}, Plan: []Plan{}, Warnings: []Note{},
		Design: design(c),
	}
}

func design(c *compare.Comparison) Design {
	d := c.Design
	out := Design{Unit: d.Unit.String(), BaselineUnits: d.Baseline, CandidateUnits: d.Candidate, AssumedRunNoise: none}
	if d.AssumedRunNoise > 0 {
		out.AssumedRunNoise = Num(d.AssumedRunNoise)
	}
	if p := d.Pairs; p != nil {
		out.Paired, out.Pair = true, &Pair{Column: p.Column, Of: "run", Matched: p.Matched, BaselineOnly: p.Alone[0], CandidateOnly: p.Alone[1]}
		if p.Requests {
			out.Pair.Of = "request"
		}
	}
	out.Text = designText(c)
	return out
}

func side(s *metric.Side, m SideMeta) *Side {
	out := &Side{
		Label: m.Label, Runs: len(s.Units), Requests: s.Records(), OK: s.OK(), Failed: s.Failed(),
		Files: []File{}, Fingerprint: map[string]string{},
		Failures: counts(s.Failures()), Rejected: counts(s.Rejections()), Excluded: counts(s.Exclusions()),
	}
	out.histograms = s.HasHistograms()
	if n := s.Replicas; n > 0 && n <= metric.MaxReplicas {
		out.Replicas = &n
	}
	for i, f := range m.Files {
		out.Files = append(out.Files, File{Path: f.Path, Reader: f.Reader, Rows: s.Files[i].Rows, SHA256: f.SHA256, Columns: f.Columns})
	}
	if s.HasTime {
		a, b := stamp(s.FirstStart), stamp(s.LastStart)
		out.FirstStart, out.LastStart = &a, &b
	}
	return out
}

func stamp(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

func counts(rs []metric.ReasonCount) []Count {
	out := []Count{}
	for _, r := range rs {
		out = append(out, Count{Reason: r.Code, Count: r.N, Text: r.Text})
	}
	return out
}

func result(g *verdict.Gate, c *compare.Comparison) Result {
	r := g.Result
	out := Result{
		Metric: r.Metric.Name, Estimand: r.Estimand.String(), Unit: r.Metric.Unit, Direction: r.Metric.Direction.String(),
		Baseline: estimate(r.Baseline), Candidate: estimate(r.Candidate),
		PValue: Num(g.PMargin), PSuperior: Num(g.PZero), Tests: []Test{}, Level: c.Options.Level,
		Method: r.Method, Exact: r.Exact, RelativeError: Num(r.RelErr),
		Kind: g.Kind.String(), AdjustedAlpha: none, MDE: none, Warnings: []Note{},
	}
	if r.Estimand.Kind == metric.Quantile {
		q := r.Estimand.Q
		out.Q = &q
	}
	if r.Delta.OK {
		out.Delta = change(r.Delta, func(v float64) float64 { return v })
	}
	if r.Log.OK {
		out.Ratio = change(r.Log, math.Exp)
	}
	for _, t := range r.Tests {
		out.Tests = append(out.Tests, Test{t.Name, Num(t.P)})
	}
	out.PAdjusted, out.Moved = Num(g.PChange), moved(r.Mover)
	if s := r.Slice; s != nil {
		out.Slice = map[string]string{}
		for i, col := range s.Columns {
			out.Slice[col] = s.Values[i]
		}
	} else {
		out.PAdjusted = none
	}
	if l := r.Like; l != nil && g.Limit == nil {
		out.LikeForLike = &LikeForLike{EffectiveN: Num(l.EffectiveN), Unsupported: Num(l.Unsupported)}
		if l.Delta.OK {
			out.LikeForLike.Delta = change(l.Delta, func(v float64) float64 { return v })
		}
		if l.Log.OK {
			out.LikeForLike.Ratio = change(l.Log, math.Exp)
		}
	}
	if m := g.Margin; m != nil {
		out.Margin = margin(m.Scale, m.Value)
	}
	if l := g.Limit; l != nil {
		out.Limit = &Limit{Op: l.Op, Value: Num(l.Value)}
		// What the limit is held against: noise between runs included.
		if r.Bound.OK {
			out.Candidate.Lo, out.Candidate.Hi = Num(r.Bound.Lo), Num(r.Bound.Hi)
		}
	}
	if g.Judged {
		v := gateWord(g.Outcome)
		out.Verdict, out.Blocking, out.Soft = &v, !g.Soft, g.Soft
		if g.AdjustedAlpha > 0 {
			out.AdjustedAlpha = Num(g.AdjustedAlpha)
		}
	}
	relative := g.Margin == nil && r.Log.OK || g.Margin != nil && g.Margin.Scale == verdict.Relative
	if !math.IsNaN(g.MDE) && !math.IsInf(g.MDE, 0) && g.Limit == nil {
		out.MDE = Num(g.MDE)
		if relative {
			out.MDE = Num(math.Exp(g.MDE))
			if r.Metric.Direction == metric.HigherIsBetter {
				out.MDE = Num(math.Exp(-g.MDE))
			}
		}
	}
	if g.Outcome == verdict.Inconclusive || g.Why == verdict.ThinTail {
		n := &Needed{paired: c.Design.PairedRuns()}
		if k := g.Needed.Runs; k > 0 {
			n.Runs = &k
		}
		if k := g.Needed.Requests; k > 0 {
			n.Requests = &k
		} else if k := r.NeedRequests; k > 0 && g.Why == verdict.ThinTail {
			n.Requests = &k
		}
		out.Needed = n
		if g.Margin != nil && (g.Why == verdict.TooWide || g.Why == verdict.Multiplicity) && !math.IsInf(g.HarmHi, 0) {
			out.Smallest = margin(g.Margin.Scale, harmShare(g, g.HarmHi))
		}
	}
	if a := g.Accepted; a != nil {
		out.Warnings = append(out.Warnings, acceptedNote(g, a))
	}
	for _, w := range r.Warnings {
		out.Warnings = append(out.Warnings, Note{w.Code, w.Text})
	}
	if g.Needed.Buckets {
		out.Warnings = append(out.Warnings, Note{"wide_buckets", sentence("T" + wideBuckets()[1:])})
	}
	if g.Why != verdict.Decided && g.Why != verdict.NoMargin && g.Why != verdict.TooWide {
		out.Warnings = append(out.Warnings, Note{string(g.Why), whyText(g, c)})
	}
	itemFields(&out, g, c)
	if r.Log.OK && r.Delta.HasInterval() && (!r.Log.HasInterval() || halfOpen(r.Log) && r.Items != nil) {
		out.Warnings = append(out.Warnings, Note{"ratio_without_interval", fmt.Sprintf("The ratio of %s is not bounded on its own: it is compared by its difference.", name(r))})
	}
	if halfOpen(r.Delta) || halfOpen(r.Log) && r.Items == nil {
		out.Warnings = append(out.Warnings, Note{"one_sided", fmt.Sprintf("The data bound the change of %s on one side only.", name(r))})
	}
	return out
}

func halfOpen(c compare.Contrast) bool {
	return c.OK && math.IsInf(c.Lo, -1) != math.IsInf(c.Hi, 1)
}

// harmShare turns a harm on the gate's scale into a share or a difference.
func harmShare(g *verdict.Gate, harm float64) float64 {
	if g.Margin == nil || g.Margin.Scale == verdict.Absolute {
		return harm
	}
	if g.Result.Metric.Direction == metric.HigherIsBetter {
		return -math.Expm1(-harm)
	}
	return math.Expm1(harm)
}

func gateWord(o verdict.Outcome) string {
	switch o {
	case verdict.Pass:
		return "PASS"
	case verdict.Fail:
		return "FAIL"
	}
	return "INCONCLUSIVE"
}

func margin(s verdict.Scale, v float64) *Margin {
	if s == verdict.Relative {
		return &Margin{"relative", Num(v)}
	}
	return &Margin{"absolute", Num(v)}
}

func estimate(v compare.Value) Estimate {
	if !v.OK {
		return Estimate{Value: none, Lo: none, Hi: none}
	}
	return Estimate{Value: Num(v.Value), Lo: Num(v.Lo), Hi: Num(v.Hi), N: v.N, Units: v.Units, AtLeast: v.AtLeast}
}

func change(c compare.Contrast, f func(float64) float64) *Change {
	out := &Change{Value: Num(f(c.Value)), Lo: none, Hi: none}
	if !math.IsInf(c.Lo, 0) {
		out.Lo = Num(f(c.Lo))
	}
	if !math.IsInf(c.Hi, 0) {
		out.Hi = Num(f(c.Hi))
	}
	return out
}

func checkRow(c *verdict.Check) Check {
	out := Check{Check: string(c.Code), Status: c.Status.String(), Baseline: Num(c.Baseline), Candidate: Num(c.Candidate), Text: checkText(c)}
	if c.Code == verdict.SameData || c.Code == verdict.CopiedRuns || c.Code == verdict.TokenSource || c.Code == verdict.FingerprintCheck || c.Code == verdict.HistogramsCheck {
		out.Baseline, out.Candidate = none, none // they are about no number
	}
	return out
}
