package compare

import (
	"context"
	"maps"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Parts is one input, read once, whose units (runs, or blocks of a single run)
// can be compared with each other in any number of ways.
type Parts struct {
	Options Options
	Design  Design // Baseline counts the units
	Side    *metric.Side
	// Blocks tells that the units are stretches of time of a single run: they
	// say nothing of noise between runs.
	Blocks bool

	// Copies lists the runs that hold the very values of an earlier one: the noise
	// between runs is larger than it looks.
	Copies []string

	c       comparer
	input   metric.Input
	batched []map[int]metric.Batches // by unit, then item
	looks   []map[int]metric.Look
	whole   []*metric.Side // the input by runs, whatever the unit
	pulses  []pulse        // by unit, of whole runs whose verdict is asked; else none

	traffic []*metric.Traffic // by unit; nil if it was not asked
	strata  *strata
	cut     *mixshift.Strata // nil: the strata are of columns
	length  metric.Length    // that is cut
}

// Want says what a reading of parts is for.
type Want struct {
	// Verdicts asks for all that a verdict on a comparison of units rests on.
	Verdicts bool
	// Blocks is into how many blocks of time an input with a single run is cut;
	// 0 leaves it whole.
	Blocks int
}

// ReadParts reads the first side of the inputs. It reads it again for what is
// known only then: the order of time inside each unit, and the blocks of a
// single run.
func ReadParts(ctx context.Context, in Inputs, opt Options, want Want) (*Parts, error) {
	p := &Parts{Options: opt, input: in.Sides[0], c: comparer{opt: opt, plan: in.Plan, scan: in.Scan}}
	c := &p.c
	if opt.Unit == Replica {
		c.plan.Within.By = metric.Replicas
	}
	in.Sides = in.Sides[:1]
	if want.Verdicts {
		if err := p.chooseStrata(ctx, in); err != nil {
			return nil, err
		}
		if err := c.planSlices(in); err != nil {
			return nil, err
		}
	}
	sides, err := c.collectRuns(ctx, in)
	if err != nil {
		return nil, err
	}
	p.Side, p.whole = sides[0], sides
	p.Design.Unit = opt.Unit
	if opt.Unit == Auto {
		p.Design.Unit = Run
	}
	if opt.Unit == Request {
		p.Side = pooled(p.Side)
	}
	if u := p.Side.Units; len(u) == 1 && want.Blocks > 1 && u[0].HasTime && u[0].Untimed == 0 && u[0].LastStart > u[0].FirstStart {
		if err := p.cutBlocks(ctx, want.Blocks); err != nil {
			return nil, err
		}
	}
	p.Design.Baseline = len(p.Side.Units)
	if !p.Blocks && opt.Unit != Request {
		if err := p.lookAtTime(ctx); err != nil {
			return nil, err
		}
	}
	if want.Verdicts && p.wholeRuns() {
		p.Copies = metric.CopiesOf(c.plan.Items, p.Side, &metric.Side{}).Within[0]
		if p.pulses, err = c.pulses(ctx, &p.input, p.Side); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// wholeRuns reports whether the units are runs, and not parts of them.
func (p *Parts) wholeRuns() bool {
	return !p.Blocks && p.Design.Unit == Run && p.c.plan.Within.By == metric.WholeRuns
}

// cutBlocks replaces the single unit by blocks of equal time.
func (p *Parts) cutBlocks(ctx context.Context, n int) error {
	u := p.Side.Units[0]
	plan := p.c.plan
	plan.Facets = []metric.Facet{{Length: metric.StartTime, Bits: sketch.DefaultBits, Bin: blockOf(u.FirstStart, u.LastStart, n)}}
	scan := p.c.scan
	scan.Progress = nil
	sides, err := metric.Collect(ctx, []metric.Input{p.input}, plan, scan)
	if err != nil {
		return err
	}
	if blocks := sides[0].Blocks(0); len(blocks.Units) > 1 {
		p.Side, p.Blocks = blocks, true
		p.traffic, p.strata, p.c.slices = nil, nil, nil
	}
	return nil
}

func blockOf(first, last int64, n int) func(float64) (int, bool) {
	span := float64(last - first)
	return func(ns float64) (int, bool) {
		return min(max(int((ns-float64(first))/span*float64(n)), 0), n-1), true
	}
}

// lookAtTime reads the order of time inside every unit.
func (p *Parts) lookAtTime(ctx context.Context) error {
	n := len(p.Side.Units)
	looks := make([][]metric.Look, n)
	some := false
	for u := range n {
		var err error
		if looks[u], err = p.c.looksAt(p.Side.Subset([]int{u})); err != nil {
			return err
		}
		some = some || len(looks[u]) > 0
	}
	p.batched, p.looks = make([]map[int]metric.Batches, n), make([]map[int]metric.Look, n)
	if !some {
		return nil
	}
	found, err := metric.BatchesOfUnits(ctx, p.input, p.Side, p.c.plan, looks, p.Options.Batches, p.c.scan)
	if err != nil {
		return err
	}
	for u := range n {
		p.batched[u], p.looks[u] = map[int]metric.Batches{}, map[int]metric.Look{}
		for k, look := range looks[u] {
			if len(found[u][k].Counts) > 0 {
				p.batched[u][look.Item], p.looks[u][look.Item] = found[u][k], look
			}
		}
	}
	return nil
}

// chooseStrata looks at the traffic of every unit and cuts it once for all
// comparisons; each of them decides by its own traffic whether to use the cut.
func (p *Parts) chooseStrata(ctx context.Context, in Inputs) error {
	c := &p.c
	factors, err := namedMix(in.Sides, c.opt.Mix)
	if err != nil {
		return err
	}
	opt := strataOptions(factors)
	lengths := lengthsOf(in.Sides, factors)
	byLabel, err := metric.TrafficOfUnits(ctx, p.input, lengths, func(v float64) (int, bool) {
		b, err := mixshift.LogBin(v, opt.PerOctave)
		return b, err == nil
	}, c.plan.Within, in.Scan)
	if err != nil {
		return err
	}
	labels := make([]string, 0, len(byLabel))
	for label := range byLabel {
		labels = append(labels, label)
	}
	slices.Sort(labels) // as the units will be
	for _, label := range labels {
		p.traffic = append(p.traffic, byLabel[label])
	}
	if slices.Equal(c.opt.Mix, []string{NoMix}) {
		return nil
	}
	all, err := metric.MergeTraffic(p.traffic)
	if err != nil {
		return err
	}
	// Halves of one traffic: either side has half of every bin.
	bins := func(l metric.Length) []mixshift.BinCount {
		list := binCounts(all.Bins[l], all.Bins[l])
		for i := range list {
			list[i].X, list[i].Y = list[i].X/2, list[i].Y/2
		}
		return list
	}
	if len(factors) > 1 || len(factors) == 1 && !factors[0].Cut {
		s, facet, err := crossedStrata(factors, bins, len(c.plan.Facets), opt)
		if err != nil {
			return err
		}
		p.strata = s
		c.plan.Facets = append(c.plan.Facets, facet)
		return nil
	}
	s, cut := cutLengths(bins(lengths[0]), lengths[0], len(c.plan.Facets), opt)
	if s == nil {
		return nil
	}
	s.named, s.mix.Factors = len(factors) > 0, factors
	p.strata, p.cut, p.length = s, &cut, lengths[0]
	c.plan.Facets = append(c.plan.Facets, lengthFacet(lengths[0], cut))
	return nil
}

// Compare compares some of the units with others, as if each were a side of its
// own. Units are named by their indices in Side.Units.
//
// What the halves of one input share is not compared: the columns and counters of
// tokens, what served them, and that their runs lie side by side in time. A run that
// is there twice is told once, of the whole input: see Copies.
func (p *Parts) Compare(x, y []int) (*Comparison, error) {
	c := p.c // results are kept apart
	c.sides = []*metric.Side{p.Side.Subset(x), p.Side.Subset(y)}
	c.design = Design{Unit: p.Design.Unit, Baseline: len(x), Candidate: len(y)}
	few, many := min(len(x), len(y)), max(len(x), len(y))
	c.design.BorrowedSpread = few == 1 && many > 1
	if many <= 1 {
		c.assumeNoise()
		for i, unit := range []int{x[0], y[0]} {
			if p.batched != nil {
				c.batched[i], c.looks[i] = p.batched[unit], p.looks[unit]
			}
		}
	}
	if err := p.weigh(&c, x, y); err != nil {
		return nil, err
	}
	c.settleStrata()
	out := &Comparison{Options: c.opt, Design: c.design, Sides: c.sides, Traffic: c.traffic}
	if p.wholeRuns() {
		c.whole = c.sides
	}
	if p.pulses != nil {
		var of [2][]pulse
		for i, units := range [][]int{x, y} {
			for _, u := range units {
				of[i] = append(of[i], p.pulses[u])
			}
		}
		c.steadiness(out, of)
	}
	for i, side := range c.sides {
		out.Load[i], out.MeanLatency[i] = metric.LoadOf(&p.input, side), metric.MeanLatency(c.plan.Items, side)
		out.MeanWait[i] = metric.MeanWait(c.plan.Items, side)
	}
	if c.strata != nil {
		out.Mix = &c.strata.mix
	}
	if err := c.estimate(out); err != nil {
		return nil, err
	}
	return out, nil
}

// weigh sets the traffic of two sets of units, and whether it differs.
func (p *Parts) weigh(c *comparer, x, y []int) error {
	if len(p.traffic) != len(p.Side.Units) {
		return nil
	}
	c.traffic = make([]*metric.Traffic, 2)
	for i, units := range [][]int{x, y} {
		var of []*metric.Traffic
		for _, u := range units {
			of = append(of, p.traffic[u])
		}
		var err error
		if c.traffic[i], err = metric.MergeTraffic(of); err != nil {
			return err
		}
	}
	if p.strata == nil {
		return nil
	}
	s := *p.strata
	s.mix.Strata = slices.Clone(s.mix.Strata)
	c.strata = &s
	if p.cut == nil {
		return nil // numbered when the columns' values are known
	}
	s.cell, s.unnamed = maps.Clone(p.strata.cell), maps.Clone(p.strata.unnamed)
	counts := [2][]float64{}
	for i, t := range c.traffic {
		counts[i] = make([]float64, len(p.cut.Cells))
		for bin, n := range t.Bins[p.length] {
			if cell, ok := p.cut.Cell(bin); ok {
				counts[i][cell] += float64(n)
			}
		}
	}
	if sum(counts[0]) > 0 && sum(counts[1]) > 0 {
		s.measure(counts[0], counts[1])
		s.mix.Used = s.named || c.differs(s.mix)
	}
	return nil
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}
