package compare

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Inputs is what a comparison reads. Describe reads only the first side.
type Inputs struct {
	Sides []metric.Input // baseline, candidate
	Plan  metric.Plan
	Scan  metric.Scan
}

// Comparison is everything estimated from two sides, or from one.
type Comparison struct {
	Options Options
	Design  Design
	Sides   []*metric.Side
	Results []Result
	// Traffic is what each side was asked, nil where nothing tells; Mix how it
	// differs, nil where it cannot be told.
	Traffic []*metric.Traffic
	Mix     *Mix
	// Groups is how the shares of those who asked differ, by column.
	Groups []GroupShift
	// Models are the models of each side where one has several, of the column
	// ModelColumn.
	Models      [2][]string
	ModelColumn string
	// Load is how hard each side was driven, MeanLatency its mean end-to-end
	// latency in seconds; 0 where unknown.
	Load [2]metric.Load
	// LoadP is the p-value that requests came at one mean rate, NaN where unknown.
	LoadP       float64
	MeanLatency [2]float64
	// MeanWait is the mean of the first latency that counts from the start.
	MeanWait [2]float64
	// FromScheduled tells whether the latencies of each side count from a scheduled
	// start, TokenColumns where the tokens of its answers are read from.
	FromScheduled [2]bool
	TokenColumns  [2]string
	// Copies are runs that repeat another, Overlap how the runs lie in time.
	Copies  metric.Copies
	Overlap metric.Overlap
	// ThinSlices counts the slices with too few requests to be shown.
	ThinSlices int
	// RunMedians are the least and the greatest median of a run of each side, of
	// the first latency; zero for a side of fewer than two runs.
	RunMedians [2][2]float64
	// WarmUp is how much slower the runs of each side begin than they go on, Drift
	// how far latencies move through them, Arrivals how evenly the requests came.
	WarmUp   WarmUp
	Drift    Drift
	Arrivals []Arrival
	// Burn is how fast each side spends its error budget, where a target is given.
	Burn [2]Burn
	// Search is what a search for moved slices looked at, nil without one.
	Search *Search
	// Fingerprint says what served the requests of each side, as files and
	// columns tell; several values are joined.
	Fingerprint [2]map[string]string
	// Quality is what a comparison of scores knows besides; nil for requests.
	Quality *Quality
	// SameData tells that both sides hold the same records.
	SameData bool
	// Histograms tells which sides came as histograms; UnlikeBuckets names the
	// metrics whose buckets have other edges on the other side.
	Histograms    [2]bool
	UnlikeBuckets []string
}

type comparer struct {
	ctx    context.Context // of the call; nil where nothing takes long
	opt    Options
	plan   metric.Plan
	scan   metric.Scan
	design Design
	sides  []*metric.Side
	made   [2]madeMixture // of the sides
	// lookedAtAlone tells that there is one side only, so that no interval
	// allows for noise between runs that the data do not show.
	lookedAtAlone bool
	// gaps tells for each side between what its gaps lie, "" if it has none.
	gaps []string
	// whole are the sides by runs, whatever the unit.
	whole []*metric.Side
	pairs *pairedRuns // of the units of the sides; nil if they are not paired
	// matched are the requests of two single runs that have the same words; nil
	// if none are asked for.
	matched *matchedRequests

	traffic []*metric.Traffic
	strata  *strata
	slices  []sliceFacet
	slicing string // the slice that results are made of, for remarks
	// thinSlices counts the slices with too few requests to be shown.
	thinSlices int
	search     *moverSearch

	batched [2]map[int]metric.Batches
	looks   [2]map[int]metric.Look
	// residuals tell which residual of a look is that of an estimand.
	residuals [2]map[estimandOf]int
}

// Compare estimates the change of every item from the first side to the second.
func Compare(ctx context.Context, in Inputs, opt Options) (*Comparison, error) {
	c := &comparer{ctx: ctx, opt: opt, plan: in.Plan, scan: in.Scan, gaps: gapsOf(in.Sides)}
	var err error
	c.plan.SkipTimes = c.plan.Large(in.Sides) && opt.Unit != Block
	if err := c.pairUp(ctx, in); err != nil {
		return nil, err
	}
	if err := c.chooseStrata(ctx, in); err != nil {
		return nil, err
	}
	if err := c.planSlices(in); err != nil {
		return nil, err
	}
	if err := c.planMovers(ctx, in); err != nil {
		return nil, err
	}
	if c.plan.Large(in.Sides) {
		for i := range c.plan.Facets {
			c.plan.Facets[i].Limit = min(c.plan.Facets[i].Limit, largePartLimit)
		}
	}
	if c.sides, err = c.collectRuns(ctx, in); err != nil {
		return nil, err
	}
	// The tallies of the first pass describe the sides; the units may be
	// refined below.
	whole := c.sides
	c.whole = whole
	unit := chooseUnit(opt, whole[0], whole[1], [2][]metric.File{in.Sides[0].Files, in.Sides[1].Files})
	if unit == Replica && opt.Unit != Replica {
		// A name on both sides is most often seen at once.
		shared, err := metric.ShareReplica(ctx, in.Sides, in.Scan)
		if err != nil {
			return nil, err
		}
		if shared {
			unit = Run
		}
	}
	if unit == Replica && opt.Unit != Replica {
		if err := c.makeUnits(ctx, in, Replica); err != nil {
			return nil, err
		}
		if !distinctReplicas(c.sides[0], c.sides[1], opt.MinReplicas) {
			unit, c.sides = Run, whole
		}
	}
	if unit != Replica || opt.Unit == Replica {
		if err := c.makeUnits(ctx, in, unit); err != nil {
			return nil, err
		}
	}
	c.lineUp()
	if err := c.groupMatched(ctx, in); err != nil {
		return nil, err
	}
	if err := c.checkInterval(); err != nil {
		return nil, err
	}
	c.settleStrata()
	if !unit.withinRun() {
		few, many := min(c.design.Baseline, c.design.Candidate), max(c.design.Baseline, c.design.Candidate)
		c.design.BorrowedSpread = few == 1 && many > 1
		if many <= 1 {
			c.assumeNoise()
			for i := range c.sides {
				if c.batched[i], c.looks[i], err = c.batches(ctx, in.Sides[i], i); err != nil {
					return nil, err
				}
			}
		}
	}
	out := &Comparison{Options: opt, Design: c.design, Sides: whole, Traffic: c.traffic, Groups: groupShifts(c.traffic)}
	var pulses [2][]pulse
	for i := range whole {
		out.Load[i], out.MeanLatency[i] = metric.LoadOf(&in.Sides[i], whole[i]), metric.MeanLatency(c.plan.Items, whole[i])
		out.MeanWait[i] = metric.MeanWait(c.plan.Items, whole[i])
		out.FromScheduled[i] = metric.FromScheduled(&in.Sides[i])
		out.TokenColumns[i] = metric.TokenColumns(&in.Sides[i])
		out.Burn[i] = c.burn(whole[i])
		if lo, hi, ok := metric.RunMedians(c.plan.Items, whole[i]); ok {
			out.RunMedians[i] = [2]float64{lo, hi}
		}
		if pulses[i], err = c.pulses(ctx, &in.Sides[i], whole[i]); err != nil {
			return nil, err
		}
	}
	c.steadiness(out, pulses)
	out.ModelColumn, out.Models = severalModels(c.traffic)
	out.Copies, out.Overlap = metric.CopiesOf(c.plan.Items, whole[0], whole[1]), metric.OverlapOf(whole[0], whole[1])
	for i, t := range c.traffic {
		out.Fingerprint[i] = fingerprint(t, in.Sides[i].Files)
	}
	if c.strata != nil {
		out.Mix = &c.strata.mix
	}
	if err := c.histograms(out); err != nil {
		return nil, err
	}
	if err := c.estimate(out); err != nil {
		return nil, err
	}
	return out, nil
}

// collectRuns reads all records once, by run.
func (c *comparer) collectRuns(ctx context.Context, in Inputs) ([]*metric.Side, error) {
	plan := c.plan
	plan.CountReplicas = !plan.Large(in.Sides) // in large files the names cost as much to read as a latency
	return metric.Collect(ctx, in.Sides, plan, in.Scan)
}

// interrupted is the error of a call that is to end. It is asked before anything
// that may take a second.
func (c *comparer) interrupted() error {
	if c.ctx == nil {
		return nil
	}
	return c.ctx.Err()
}

func (c *comparer) result(item int, it metric.Item, e metric.Estimand) (Result, error) {
	r := Result{Metric: it.Metric, Estimand: e, Named: it.Named, LimitOnly: slices.Contains(it.LimitOnly, e)}
	if err := c.interrupted(); err != nil {
		return r, err
	}
	switch it.Metric.Kind {
	case metric.Share:
		c.share(&r, item)
	case metric.PerRun:
		c.perRunResult(&r)
	default:
		var arms [2]arm
		for s, side := range c.together(&r, c.sides, func(u *metric.Unit) bool { return u.Cells[item].Sketch.N() > 0 }) {
			a, err := c.arm(s, side, item, e)
			if err != nil {
				return r, err
			}
			arms[s] = a
		}
		if err := c.leaveOutMatched(&arms, item, e); err != nil {
			return r, err
		}
		c.fill(&r, &arms[0], &arms[1])
		c.needRequests(&r, item)
		c.remarks(&r, item)
		if c.design.Unit == Request {
			c.rankTests(&r, item)
		}
	}
	c.likeForLike(&r, item)
	if r.Like != nil && c.opt.Interval == BootstrapInterval {
		r.warn("t_interval", fmt.Sprintf("the change of %s like for like, which is judged, has the t interval: the bootstrap is of the traffic as it was", r.Metric))
	}
	r.openLike(item, c.sides)
	if it.Metric.Kind == metric.Share {
		r.Delta.clipShare()
		if r.Like != nil {
			r.Like.Delta.clipShare()
		}
	}
	return r, nil
}

// arm estimates one side of a distribution's estimand, with limits where the
// side is a single unit.
func (c *comparer) arm(s int, side *metric.Side, item int, e metric.Estimand) (arm, error) {
	if metric.BetweenChunks(c.sides, item)[s] {
		return arm{tail: math.Inf(1)}, nil
	}
	a, err := c.made[s].distribution(side, item, e, c.design.Unit)
	if err != nil || a.units != 1 {
		return a, err
	}
	c.bound(&a, side.Sketches(item)[0], e, c.batched[s][item], c.looks[s][item])
	return a, nil
}

// rankTests adds rank tests of the requests, where they are the unit, few enough
// to be held exactly, and have ranks: no value lies beyond one that is the least
// that it can be.
func (c *comparer) rankTests(r *Result, item int) {
	a, b := c.sides[0].Sketches(item), c.sides[1].Sketches(item)
	if len(a) != 1 || len(b) != 1 || !a[0].Exact() || !b[0].Exact() {
		return
	}
	known := math.Min(reachOf(c.sides[0], item).from, reachOf(c.sides[1], item).from)
	if a[0].Max() > known || b[0].Max() > known {
		return
	}
	if t, err := stats.MannWhitney(a[0].Sorted(), b[0].Sorted(), stats.TwoSided, true); err == nil {
		r.Tests = append(r.Tests, TestResult{"mann_whitney", t.P})
	}
	if t, err := stats.BrunnerMunzel(a[0].Sorted(), b[0].Sorted(), stats.TwoSided, c.opt.Level); err == nil {
		r.Tests = append(r.Tests, TestResult{"brunner_munzel", t.P})
	}
}

// requestsOf is how many requests of a side succeeded or failed.
func requestsOf(side *metric.Side) (n int) {
	for _, u := range side.Units {
		n += int(u.Requests())
	}
	return n
}

// pooled merges the units of a side into one; a side without records has none.
func pooled(side *metric.Side) *metric.Side {
	all := *side
	if len(side.Units) == 0 {
		return &all
	}
	all.Units = []*metric.Unit{metric.Pool(side.Units)}
	return &all
}

// constant reports whether a sketch holds several values that are all the same.
func constant(parts []*sketch.Sketch) bool {
	lo, hi, n := math.Inf(1), math.Inf(-1), int64(0)
	for _, s := range parts {
		lo, hi, n = math.Min(lo, s.Min()), math.Max(hi, s.Max()), n+s.N()
	}
	return n >= 2 && lo == hi
}

// fingerprint is what served a side, as its columns and files tell: the values of
// each name in order, joined.
func fingerprint(t *metric.Traffic, files []metric.File) map[string]string {
	values := map[string][]string{}
	for name, words := range t.Fingerprint {
		values[name] = slices.Collect(maps.Keys(words))
	}
	for _, f := range files {
		for _, kv := range f.Source.Metadata() {
			if name, ok := strings.CutPrefix(kv.Key, "fingerprint."); ok {
				values[name] = append(values[name], kv.Value)
			}
		}
	}
	out := map[string]string{}
	for name, words := range values {
		slices.Sort(words)
		out[name] = strings.Join(slices.Compact(words), ", ")
	}
	return out
}
