package verdict

import (
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Comparability holds the thresholds of the checks whether two sides did the
// same work under the same conditions.
type Comparability struct {
	// Load and Concurrency are the relative differences tolerated; a difference
	// of LoadWarn is remarked.
	Load, LoadWarn float64
	// Output is the relative difference of the median answer length tolerated,
	// OutputWarn the one that is remarked.
	Output, OutputWarn float64
	// Cache is the difference of the cached share of prompt tokens tolerated.
	Cache, CacheWarn float64
	// Arrival is the difference tolerated of how much the number of requests in
	// windows of time varied; see [compare.Arrival.Apart].
	Arrival float64
	// Duration is the ratio of run lengths from which it is remarked.
	Duration float64
	// WarmUp is how much slower, relatively, runs may begin than they go on, Drift
	// how much latencies may move through them.
	WarmUp, Drift float64
	// ClosedLoop is how nearly equal the requests in flight must be for the load
	// to count as following the latency.
	ClosedLoop float64
	// GroupShare is by how much the share of one who asks may differ before it is
	// remarked.
	GroupShare float64
	// Failures is the difference of the failed share of requests tolerated where
	// no gate judges it, ManyFailures the share that is remarked on both sides.
	Failures, FailuresWarn, ManyFailures float64
	// Missing is the share of the successful requests of a side that may carry no
	// value of a judged metric, MissingMore the difference of it between the sides.
	Missing, MissingMore float64
	// Late is the difference tolerated of how late requests were sent, as a share
	// of the latency.
	Late, LateWarn float64
}

// DefaultComparability returns the documented thresholds.
func DefaultComparability() Comparability {
	return Comparability{
		Load: 0.10, LoadWarn: 0.03, Output: 0.25, OutputWarn: 0.05,
		Cache: 0.10, CacheWarn: 0.03, Arrival: 0.30, Duration: 2, WarmUp: 0.10, Drift: 0.10, ClosedLoop: 0.05, GroupShare: 0.03,
		Failures: 0.01, FailuresWarn: 0.005, ManyFailures: 0.10,
		Missing: 0.05, MissingMore: 0.01,
		Late: 0.10, LateWarn: 0.03,
	}
}

// The checks of comparability.
const (
	SameData    CheckCode = "same_data"
	OfferedLoad CheckCode = "offered_load"
	ClosedLoop  CheckCode = "closed_loop"
	Arrivals    CheckCode = "arrival_pattern"
	Concurrency CheckCode = "concurrency"
	RateSetting CheckCode = "rate_setting"
	PromptMix   CheckCode = "prompt_length"
	AnswerMix   CheckCode = "output_length"
	CacheShare  CheckCode = "cache_hit"
	GroupShare  CheckCode = "group_share" // of those who asked: tenants, classes
	Models      CheckCode = "models"      // several on a side, taken together
	RunLength   CheckCode = "duration"
	WarmUp      CheckCode = "warm_up"
	Drift       CheckCode = "drift" // of latencies through the runs
	UnlikeRuns  CheckCode = "unlike_runs"
	FailedShare CheckCode = "failure_rate"
	Lacking     CheckCode = "missing_values" // of a judged metric
	LateSends   CheckCode = "schedule_lag"   // requests sent later than scheduled
	CopiedRuns  CheckCode = "copied_runs"
	TokenSource CheckCode = "token_source"    // what the tokens of answers are read from
	RunsAtOnce  CheckCode = "concurrent_runs" // runs of a side that overlap in time
	TimeOverlap CheckCode = "time_overlap"    // of the sides
	// HistogramsCheck tells sides of which one came as histograms, or both with
	// other buckets.
	HistogramsCheck CheckCode = "histograms"
	// FingerprintCheck compares what the policy wants to be the same.
	FingerprintCheck CheckCode = "fingerprint"
)

// comparable runs the checks that the data allow.
func comparable(cmp *compare.Comparison, p Policy, gates []Gate) []Check {
	t := p.Comparability
	var out []Check
	add := func(code CheckCode, a, b, warn, fail float64, differ func(a, b float64) float64) {
		c := Check{Code: code, Baseline: a, Candidate: b, Limit: fail}
		switch d := differ(a, b); {
		case d > fail:
			c.Status = CheckFail
		case d > warn:
			c.Status = CheckWarn
		}
		out = append(out, c)
	}
	if cmp.SameData {
		out = append(out, Check{Code: SameData, Status: CheckWarn})
	}
	if h := cmp.Histograms; h[0] != h[1] || len(cmp.UnlikeBuckets) > 0 {
		c := Check{Code: HistogramsCheck, Status: CheckWarn, Name: strings.Join(cmp.UnlikeBuckets, ", ")}
		if h[0] != h[1] {
			kind := map[bool]string{true: "histograms", false: "records"}
			c.Status, c.BaselineText, c.CandidateText = CheckFail, kind[h[0]], kind[h[1]]
		}
		out = append(out, c)
	}
	out = append(out, copied(cmp)...)
	out = append(out, alsoOfSlices(cmp, gates, func(of traffic) (Check, bool) { return failures(of, t) })...)
	out = append(out, lacking(cmp, t, gates)...)
	out = append(out, loadChecks(cmp, t)...)
	out = append(out, sendTimes(cmp, t)...)
	if c, ok := tokenSource(cmp, gates); ok {
		out = append(out, c)
	}
	for i, m := range cmp.RunMedians {
		if m[0] > 0 && m[1] > unlikeRuns*m[0] {
			out = append(out, Check{Code: UnlikeRuns, Status: CheckWarn, Baseline: m[0], Candidate: m[1], Limit: unlikeRuns, Name: sideNames[i]})
		}
	}
	if c, ok := warmUp(cmp, t); ok {
		out = append(out, c)
	}
	if c, ok := drift(cmp, t); ok {
		out = append(out, c)
	}
	out = append(out, sameNames(cmp, p)...)
	out = append(out, otherNames(cmp, p)...)
	if cmp.Traffic != nil {
		a, b := cmp.Traffic[0], cmp.Traffic[1]
		if x, y, ok := medians(a, b, metric.ConcurrencySetting); ok {
			add(Concurrency, x, y, t.LoadWarn, t.Load, relative)
		}
		if x, y, ok := medians(a, b, metric.RateSetting); ok {
			add(RateSetting, x, y, t.LoadWarn, t.Load, relative)
		}
		if x, y, ok := medians(a, b, metric.PromptSetting); ok {
			out = append(out, promptMix(cmp, t, x, y))
		}
		if x, y, ok := medians(a, b, metric.OutputSetting); ok {
			fail := t.Output
			if cmp.Mix != nil && cmp.Mix.Used && (cmp.Mix.ByOutput || cmp.Mix.ByColumns && (otherMix(cmp) || cmp.SplitBy("output_tokens", metric.OutputLength, true) == nil)) {
				fail = math.Inf(1) // compared like for like by it, or by columns that may account for it
			} else if !cmp.OutputsApart(apart) {
				fail = math.Inf(1) // by chance: a remark
			}
			add(AnswerMix, x, y, t.OutputWarn, fail, relative)
			out[len(out)-1].splitBy(cmp, "output_tokens", metric.OutputLength, true)
		}
		x, okX := a.CachedShare()
		y, okY := b.CachedShare()
		if okX && okY {
			fail := t.Cache
			if cmp.Mix != nil && cmp.Mix.Used && cmp.SplitBy("cached_tokens", metric.CachedLength, true) == nil {
				fail = math.Inf(1) // compared like for like by it
			}
			add(CacheShare, x, y, t.CacheWarn, fail, func(a, b float64) float64 { return math.Abs(a - b) })
			out[len(out)-1].splitBy(cmp, "cached_tokens", metric.CachedLength, true)
		}
	}
	if c, ok := models(cmp, t); ok {
		out = append(out, c)
	}
	for _, g := range cmp.Groups {
		c := Check{Code: GroupShare, Baseline: g.BaselineShare, Candidate: g.CandidateShare, Limit: t.GroupShare, Name: g.Column, BaselineText: g.Word}
		if g.P < cmp.Options.MixAlpha && math.Abs(g.CandidateShare-g.BaselineShare) >= t.GroupShare {
			c.Status = CheckWarn
		}
		c.splitBy(cmp, g.Column, 0, false)
		out = append(out, c)
	}
	return out
}

// models is the check of sides that hold the requests of several models. Taken
// together they are alike only if both sides have the same models in the same
// shares, or are split by them.
func models(cmp *compare.Comparison, t Comparability) (Check, bool) {
	if cmp.ModelColumn == "" {
		return Check{}, false
	}
	a, b := cmp.Models[0], cmp.Models[1]
	c := Check{Code: Models, Status: CheckWarn, Name: cmp.ModelColumn, BaselineText: strings.Join(a, ", "), CandidateText: strings.Join(b, ", ")}
	c.Baseline, c.Candidate = float64(len(a)), float64(len(b))
	switch {
	case cmp.SplitByColumn(cmp.ModelColumn):
		c.Status = CheckOK
		return c, true
	case !slices.Equal(a, b):
		c.Status = CheckFail
	case slices.Contains(cmp.Options.By, cmp.ModelColumn):
		c.Status = CheckOK
	}
	for _, g := range cmp.Groups {
		if g.Column == cmp.ModelColumn && g.P < cmp.Options.MixAlpha && math.Abs(g.CandidateShare-g.BaselineShare) >= t.GroupShare {
			c.Status = CheckFail
		}
	}
	c.splitBy(cmp, cmp.ModelColumn, 0, false)
	return c, true
}

// splitBy notes the columns that would compare like for like by what differs.
func (c *Check) splitBy(cmp *compare.Comparison, column string, length metric.Length, cut bool) {
	if c.Status != CheckOK {
		c.SplitBy = cmp.SplitBy(column, length, cut)
	}
}

// otherMix reports whether the shares of the strata differ between the sides.
func otherMix(cmp *compare.Comparison) bool {
	return cmp.Mix != nil && cmp.Mix.Differs(cmp.Options.MixAlpha, cmp.Options.MixPSI)
}

// promptMix compares the lengths of prompts. Where changes are split by them they may
// differ. Where they are split by other columns, these may account for it if their own
// shares differ; if those are alike, the same tenants ask other things.
func promptMix(cmp *compare.Comparison, t Comparability, x, y float64) Check {
	c := Check{Code: PromptMix, Baseline: x, Candidate: y, Limit: t.Output}
	if m := cmp.Mix; m != nil && !cmp.Design.WithinRun() && (len(m.Factors) == 0 && !m.ByOutput ||
		slices.ContainsFunc(m.Factors, func(f compare.Factor) bool { return f.Cut && f.Length == metric.PromptLength })) {
		if otherMix(cmp) {
			c.Status = CheckWarn // judged like for like
		}
		return c
	}
	c.Rule = "unsplit"
	vouched := slices.Equal(cmp.Options.Mix, []string{compare.NoMix}) || cmp.Mix != nil && cmp.Mix.ByColumns && otherMix(cmp)
	switch d := relative(x, y); {
	case d > t.Output && !vouched && cmp.PromptsApart(apart):
		c.Status = CheckFail
	case d > t.OutputWarn:
		c.Status = CheckWarn
	}
	c.splitBy(cmp, "prompt_tokens", metric.PromptLength, true)
	return c
}

// apart is the level of intervals of medians: of equal sides they fail to meet in one
// comparison of a hundred. Where half of the requests are short and half are long, the
// median is anything in between.
const apart = 0.93

// unlikeRuns is how many times the median of one run may be that of another of
// the same side before they are taken for pieces of one run.
const unlikeRuns = 3

// relative is the difference as a share of the larger value.
func relative(a, b float64) float64 {
	if m := math.Max(math.Abs(a), math.Abs(b)); m > 0 {
		return math.Abs(a-b) / m
	}
	return 0
}

func medians(a, b *metric.Traffic, of metric.Setting) (x, y float64, ok bool) {
	x, okX := a.Median(of)
	y, okY := b.Median(of)
	return x, y, okX && okY
}
