package metric

import (
	"context"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// wanted lists what a pass over a source must read for the plan.
func (p *Plan) wanted(src ingest.Source, l *ingest.Layout) ingest.Wanted {
	w := ingest.Wanted{Fields: append([]ingest.Field{ingest.Run}, p.Timeouts.fields()...)}
	if !p.SkipTimes {
		w.Fields = append(w.Fields, ingest.Start, ingest.End)
	}
	if field := p.Within.By.field(); field < ingest.NumFields {
		w.Fields = append(w.Fields, field)
	}
	if p.Traffic {
		w.Fields = append(w.Fields, trafficFields...)
		if l.Fields[ingest.Scheduled].Bound() {
			w.Fields = append(w.Fields, ingest.Start) // to see how late requests were sent
		}
	}
	for _, name := range p.Words {
		w.Words = append(w.Words, columnIndex(src, l, name))
	}
	if p.CountReplicas {
		w.Fields = append(w.Fields, ingest.Replica)
	}
	for _, it := range p.Items {
		if ok, _ := it.Metric.Available(l); !ok {
			continue
		}
		w.Fields = append(w.Fields, it.Metric.fieldsOf(l)...)
		if it.Metric.id == idGeneric {
			if col, ok := it.Metric.column(l); ok {
				w.Generic = append(w.Generic, col)
			}
		}
	}
	w.Few = len(p.Words) == 0
	for _, f := range p.Facets {
		if f.byLength() {
			w.Fields = append(w.Fields, f.Length.field())
		}
		for _, c := range f.Cuts {
			w.Fields = append(w.Fields, c.Length.field())
		}
		for _, name := range f.Columns {
			w.Words = append(w.Words, columnIndex(src, l, name))
		}
	}
	return w
}

// Collect fills the cells of every side in one pass over its files. A warm-up
// cut needs the first start of every run and so a pass over the starts before.
func Collect(ctx context.Context, inputs []Input, plan Plan, s Scan) ([]*Side, error) {
	if err := findRunStarts(ctx, inputs, s); err != nil {
		return nil, err
	}
	extract := make([][][]*extractor, len(inputs)) // by side, file, item
	for i, in := range inputs {
		for _, f := range in.Files {
			extract[i] = append(extract[i], plan.extractors(f.Layout))
		}
	}
	workers, tallies, err := s.scan(ctx, inputs, &plan, func() worker {
		return &collector{plan: &plan, split: splitter{of: &plan.Within}, spreads: plan.spreads(), inputs: inputs, extract: extract, units: make([]map[string]*Unit, len(inputs)), replicas: make([]replicaNames, len(inputs)), dropped: make([]bool, len(plan.Facets))}
	})
	if err != nil {
		return nil, err
	}
	sides := make([]*Side, len(inputs))
	for i := range sides {
		side := &Side{DuplicatesChecked: inputs[i].Duplicates}
		var replicas replicaNames
		byLabel := map[string]*Unit{}
		for _, w := range workers {
			for name := range w.(*collector).replicas[i].names {
				replicas.add(name)
			}
			for _, u := range sorted(w.(*collector).units[i]) {
				if have := byLabel[u.Label]; have != nil {
					if err := have.merge(u); err != nil {
						return nil, err
					}
					continue
				}
				byLabel[u.Label] = u
				side.Units = append(side.Units, u)
			}
		}
		side.Replicas = len(replicas.names)
		side.sortUnits()
		for _, u := range side.Units {
			from := u.settleStarts()
			if inputs[i].runStarts == nil {
				side.unclocked(u.Unclocked, from)
			}
		}
		side.unclocked(inputs[i].unclocked, inputs[i].unclockedFrom)
		side.fill(tallies[i])
		if err := side.readBadTimes(ctx, &inputs[i], tallies[i]); err != nil {
			return nil, err
		}
		side.setSpan(&inputs[i])
		sides[i] = side
	}
	plan.keepOnly(sides)
	if err := plan.dropFacets(workers, sides); err != nil {
		return nil, err
	}
	return sides, addHistograms(inputs, &plan, sides)
}

// setSpan sets the first and last start of the side, and of a run that is
// alone on it, from the files where the records were not asked.
func (s *Side) setSpan(in *Input) {
	for _, u := range s.Units {
		if u.HasTime {
			if !s.HasTime {
				s.FirstStart, s.LastStart = u.FirstStart, u.LastStart
			}
			s.HasTime = true
			s.FirstStart, s.LastStart = min(s.FirstStart, u.FirstStart), max(s.LastStart, u.LastStart)
		}
	}
	first, last, ok := in.span()
	if s.HasTime || !ok {
		return
	}
	s.HasTime, s.FirstStart, s.LastStart = true, first, last
	if len(s.Units) == 1 {
		u := s.Units[0]
		u.HasTime, u.FirstStart, u.LastStart = true, first, last
	}
}

// findRunStarts fills in the first start of every run of the sides that cut a
// warm-up.
func findRunStarts(ctx context.Context, inputs []Input, s Scan) error {
	for i := range inputs {
		in := &inputs[i]
		if in.Warmup <= 0 || in.runStarts != nil {
			continue
		}
		all := *in
		all.Warmup, all.Duplicates = 0, false
		s.Progress = nil
		sides, err := Collect(ctx, []Input{all}, Plan{}, s)
		if err != nil {
			return err
		}
		in.runStarts = map[string]int64{}
		in.unclocked, in.unclockedFrom = sides[0].Unclocked, sides[0].UnclockedFrom
		for _, u := range sides[0].Units {
			if u.HasTime {
				in.runStarts[u.Label] = u.FirstStart
			}
		}
	}
	return nil
}

func sorted(units map[string]*Unit) []*Unit {
	s := Side{}
	for _, u := range units {
		s.Units = append(s.Units, u)
	}
	s.sortUnits()
	return s.Units
}

// collector is the worker of Collect.
type collector struct {
	plan    *Plan
	inputs  []Input
	extract [][][]*extractor
	units   []map[string]*Unit

	split    splitter
	groups   grouper
	items    itemColumns
	scratch  []float64
	parts    partitioner
	spreads  bool // see Plan.spreads
	spreader spreader
	replicas []replicaNames // by side
	dropped  []bool         // facets that turned out to have too many parts
}

func (c *collector) unit(side, file int, label string) *Unit {
	if c.units[side] == nil {
		c.units[side] = map[string]*Unit{}
	}
	u := c.units[side][label]
	if u == nil {
		u = newUnit(label, c.plan)
		c.units[side][label] = u
	}
	u.addFile(file)
	return u
}

func (c *collector) frame(side, file int, f *ingest.Frame) error {
	c.items.read(c.extract[side][file], f)
	if c.plan.CountReplicas {
		c.replicas[side].note(f)
	}
	if len(c.plan.Facets) > 0 {
		c.parts.number(c.plan.Facets, c.dropped, f)
	}
	for _, g := range c.groups.split(f, c.split.column(f, side, c.inputs[side].Files[file].Label)) {
		if c.inputs[side].narrowed(file) && g.elsewhere(f) {
			continue
		}
		label := g.unit(c.inputs[side].Files[file].Label)
		u := c.unit(side, file, label)
		u.Part = g.part
		g.count(&u.Counts, f)
		u.times(f, &g)
		c.add(u.Cells, f, g.good)
		c.late(u.Cells, f, g.bad)
		if c.plan.SLO != nil {
			u.Good += c.plan.SLO.met(f, g.good)
		}
		if err := c.facets(u, f, &g); err != nil {
			return err
		}
		if tok := f.Col(ingest.OutputTokens); tok != nil && c.plan.tokens() {
			u.OutputTokens += sumTokens(tok, g.good)
		}
	}
	return nil
}

// tokens reports whether a metric of the plan needs the number of output
// tokens of a unit.
func (p *Plan) tokens() bool {
	return slices.ContainsFunc(p.Items, func(it Item) bool { return it.Metric.id == idTPS || it.Metric.id == idCostTokens })
}

// itemColumns holds what the extractors of a plan read from a frame.
type itemColumns struct {
	extract []*extractor // by item
	cols    []*ingest.Column
	made    []computed
}

func (c *itemColumns) read(extract []*extractor, f *ingest.Frame) {
	c.extract = extract
	if c.cols == nil {
		c.cols, c.made = make([]*ingest.Column, len(extract)), make([]computed, len(extract))
	}
	for i, ex := range extract {
		c.cols[i] = nil
		if ex != nil && ex.column != nil {
			c.cols[i] = ex.column(f, &c.made[i])
		}
	}
}

// longSpan is the mean length of spans from which on their values are recorded
// where they are; of shorter ones a copy is made that has them all in a row.
const longSpan = 64

// add records the values of good rows of the frame in the cells of the items.
func (c *collector) add(cells []Cell, f *ingest.Frame, good rows) {
	n := good.len()
	for i := range cells {
		c.addItem(i, &cells[i], f, good, n)
	}
}

// addItem records the values of an item of n good rows.
func (c *collector) addItem(i int, cell *Cell, f *ingest.Frame, good rows, n int) {
	ex, col := c.items.extract[i], c.items.cols[i]
	switch {
	case ex == nil:
	case col != nil && col.State == nil && good.list == nil && len(good.spans)*longSpan <= n:
		for _, s := range good.spans {
			c.record(cell, col.Floats[s.lo:s.hi])
		}
	default:
		c.scratch = ex.values(f, col, good, c.scratch[:0], cell)
		c.record(cell, c.scratch)
	}
}

func (c *collector) record(cell *Cell, vals []float64) {
	cell.Sketch.AddSlice(vals)
	if c.plan.Sums {
		cell.Sum.AddSlice(vals)
	}
}

// times widens the unit's time span by the requests that it served.
func (u *Unit) times(f *ingest.Frame, g *group) {
	start := f.Col(ingest.Start)
	if start == nil {
		return
	}
	end := f.Col(ingest.End)
	var lat *ingest.Column
	if end == nil {
		if lat = f.Col(ingest.E2E); lat == nil {
			lat = f.Col(ingest.Latency)
		}
	}
	first, last, lastEnd, any := u.FirstStart, u.LastStart, u.LastEnd, u.HasTime
	g.each(func(i int) {
		if !wasServed(f.Reasons[i]) {
			return
		}
		if start.StateAt(i) != ingest.Present {
			u.Untimed++
			return
		}
		any = true
		t := start.Times[i]
		over := int64(math.MinInt64)
		switch {
		case end != nil && end.StateAt(i) == ingest.Present:
			over = end.Times[i]
		case lat != nil && lat.StateAt(i) == ingest.Present && f.Reasons[i] == ingest.Good:
			over = t + int64(lat.Floats[i]*1e9)
		}
		if over > t && uint64(over-t) > uint64(day) {
			over = math.MinInt64 // no request takes a day: the clock is wrong
		}
		first, last, lastEnd = min(first, t), max(last, t), max(lastEnd, over)
		u.days.add(t, over)
	})
	u.FirstStart, u.LastStart, u.LastEnd, u.HasTime = first, last, lastEnd, any
}

func sumTokens(tok *ingest.Column, good rows) int64 {
	var n int64
	good.each(func(i int) {
		if tok.StateAt(i) == ingest.Present {
			n += int64(tok.Floats[i])
		}
	})
	return n
}
