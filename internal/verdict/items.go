package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Rows says which results of a metric that is compared in several tasks are
// gates.
type Rows uint8

// The choices.
const (
	AllRows     Rows = iota // every task with items enough for its margin, and both averages
	TaskRows                // every task
	AverageRows             // both averages over tasks
	MicroRows               // the average over all items
	MacroRows               // the average of the tasks
)

var rowsNames = [...]string{"all", "tasks", "averages", "micro", "macro"}

// String returns the name that --gate takes.
func (r Rows) String() string { return rowsNames[r] }

// ParseRows reads a choice's name.
func ParseRows(s string) (Rows, error) {
	for i, n := range rowsNames {
		if n == s {
			return Rows(i), nil
		}
	}
	return 0, fmt.Errorf("unknown choice %q: want %s", s, strings.Join(rowsNames[:], ", "))
}

// Causes of gates about items.
const (
	FewItems      Why = "few_items"      // too few to show the margin even if nothing changed
	MissingScores Why = "missing_scores" // what the missing scores could have been decides
)

// Checks of items.
const (
	MismatchedItems CheckCode = "mismatched_items" // another question or answer under one id
	Coverage        CheckCode = "coverage"         // items left out for want of a score
	EqualScores     CheckCode = "equal_scores"     // both sides have the same scores
	MissingTask     CheckCode = "missing_task"     // compared on one side only
	JudgeCheck      CheckCode = "judge"            // scores of different judges
	PromptCheck     CheckCode = "prompt"           // prompts or data were made otherwise
)

// judgeItems decides whether a result about items is a gate.
func (p *Policy) judgeItems(g *Gate, opt compare.Options) {
	r := g.Result
	if r.Items == nil || !g.Judged || r.Slice != nil || !r.Items.ManyTasks {
		return
	}
	switch p.Rows {
	case AllRows:
		if least := g.LeastItems(opt); r.Average == "" && r.Items.Matched < least && g.Why != Missing {
			g.Judged, g.Why = false, FewItems
		}
	case TaskRows:
		g.Judged = r.Average == ""
	case AverageRows:
		g.Judged = r.Average != ""
	case MicroRows:
		g.Judged = r.Average == compare.Micro
	case MacroRows:
		g.Judged = r.Average == compare.Macro
	}
}

// LeastItems is how many items a gate's margin takes if no answer changes.
func (g *Gate) LeastItems(opt compare.Options) int {
	n, err := stats.LeastPairedBinaryNI(g.marginShare(), (1-opt.Level)/2)
	if err != nil {
		return 0
	}
	return n
}

// marginShare is the margin as a part of the scale of the scores; 0 where they
// have no scale.
func (g *Gate) marginShare() float64 {
	if !g.Result.Metric.Fraction {
		return 0
	}
	return g.absolute()
}

// absolute is the margin as a difference of scores.
func (g *Gate) absolute() float64 {
	if g.Margin == nil {
		return 0
	}
	if g.Margin.Scale == Relative {
		return g.Margin.Value * math.Abs(g.Result.Baseline.Value)
	}
	return g.Margin.Value
}

// settleItems finds the gates that only the missing scores keep open.
func (d *Decision) settleItems() {
	for i := range d.Gates {
		g := &d.Gates[i]
		if r := g.Result; !g.Judged || r.Items == nil || g.Margin == nil || g.Outcome != Inconclusive || g.Why != TooWide || r.Items.Unknown == 0 {
			continue
		}
		known := *g
		copied := *g.Result
		copied.Delta, copied.Log = g.Result.Items.Known, g.Result.Items.KnownLog
		known.Result, known.Why = &copied, Decided
		ct, threshold := known.change(*g.Margin)
		if !ct.HasInterval() {
			continue
		}
		lo, hi := ct.Lo, ct.Hi
		if g.Result.Metric.Direction == metric.HigherIsBetter {
			lo, hi = -ct.Hi, -ct.Lo
		}
		if hi < threshold || lo > threshold {
			g.Why = MissingScores
		}
	}
}

// needItems plans the items that would decide a gate at the observed change and
// spread. Showing that a loss exceeds the margin takes what showing the opposite
// takes at the same distance on the other side.
func (g *Gate) needItems(opt compare.Options) {
	r := g.Result
	it := r.Items
	margin := g.absolute()
	harm := r.Metric.Loss(r.Baseline.Value, r.Candidate.Value)
	if harm > margin {
		harm = 2*margin - harm
	}
	alpha := (1 - opt.Level) / 2
	var size stats.SampleSize
	var err error
	if n := float64(it.Matched); it.Binary && it.Clusters == 0 && r.Average != compare.Macro && margin < 1 {
		discordance := math.Max(float64(it.Fell+it.Rose), 0.5) / n
		var s stats.PairedBinaryNISize
		s, err = stats.NPairedBinaryNI(math.Min(1, math.Max(discordance, math.Abs(harm))), -harm, margin, alpha, opt.Power)
		size = s.SampleSize
	} else {
		size, err = stats.NPairedNI(margin, -harm, it.ItemSD, alpha, opt.Power)
	}
	if err != nil || size.N > maxRequests {
		g.Needed.OnMargin = true
		return
	}
	g.Needed.Items = int64(max(size.N, it.Matched+1))
}

// checkItems asks whether the items of both sides are the same and are there.
func checkItems(cmp *compare.Comparison, p Policy) []Check {
	var out []Check
	n := cmp.Quality.Counts
	if n.Hashed > 0 {
		c := Check{Code: MismatchedItems, Candidate: float64(n.Mismatch) / float64(n.Hashed), Limit: p.MaxRejected, Count: n.Mismatch, Of: n.Hashed, IDs: n.MismatchIDs, Kept: n.Dropped == 0}
		switch {
		case c.Candidate > p.MaxRejected && !c.Kept:
			c.Status = CheckFail
		case n.Mismatch > 0:
			c.Status = CheckWarn
		}
		out = append(out, c)
	}
	if len(cmp.Results) > 0 {
		it := cmp.Results[0].Items
		c := Check{Code: Coverage, Limit: p.MaxMissing, Count: it.Unknown, Of: it.Matched, IDs: n.MissingIDs, Rule: cmp.Quality.Options.Missing.String()}
		if cmp.Quality.Options.Missing != compare.AsWrong {
			c.Of += it.Unknown
		}
		if c.Of > 0 {
			c.Candidate = float64(c.Count) / float64(c.Of)
		}
		switch {
		case c.Candidate > p.MaxMissing && cmp.Quality.Options.Missing == compare.Drop:
			c.Status = CheckFail
		case c.Count > 0:
			c.Status = CheckWarn
		}
		out = append(out, c)
	}
	if cmp.Quality.Equal {
		out = append(out, Check{Code: EqualScores, Status: CheckWarn})
	}
	for side, names := range cmp.Quality.OnlySeries {
		if len(names) > 0 {
			out = append(out, Check{Code: MissingTask, Status: CheckWarn, Count: len(names), IDs: names, BaselineText: sideNames[side]})
		}
	}
	out = append(out, sameNames(cmp, p)...)
	return append(out, fingerprints(cmp)...)
}

// promptKeys are parts of the names of facts that say how questions were put.
var promptKeys = []string{"n_shot", "n-shot", "num_fewshot", "fewshot_as_multiturn", "chat_template", "system_instruction", "system_message", "prompts", "task_version", "versions", "limit", "dataset"}

// fingerprints compares what the files say of the judge and of the prompts.
func fingerprints(cmp *compare.Comparison) []Check {
	var names []string
	for name := range cmp.Fingerprint[0] {
		if _, ok := cmp.Fingerprint[1][name]; ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []Check
	for _, name := range names {
		a, b := cmp.Fingerprint[0][name], cmp.Fingerprint[1][name]
		word := strings.ToLower(name)
		c := Check{Name: name, BaselineText: a, CandidateText: b}
		switch {
		case a == b:
			continue
		case strings.Contains(word, "judge") || strings.Contains(word, "grader"):
			c.Code, c.Status = JudgeCheck, CheckFail
		case slices.ContainsFunc(promptKeys, func(k string) bool { return strings.Contains(word, k) }):
			c.Code, c.Status = PromptCheck, CheckWarn
		default:
			continue
		}
		out = append(out, c)
	}
	return out
}

// limited reports whether a limit on the metric is about the result: of several
// tasks it is about all their items.
func limited(r *compare.Result) bool {
	return r.Items == nil || !r.Items.ManyTasks || r.Average == compare.Micro
}
