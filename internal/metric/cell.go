package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Cell is one metric in one unit (a run or a replica).
type Cell struct {
	Sketch *sketch.Sketch
	// Sum is the exact sum of the values; it is filled when a mean is asked.
	Sum sketch.Sum
	// Missing counts good requests that carry no value.
	Missing int64
	// NotApplicable counts requests for which the metric is not defined, such
	// as tpot of an answer with fewer than two tokens.
	NotApplicable int64
	// ChunkGaps counts requests whose gaps do not number output tokens − 1, so
	// that they are gaps between chunks; FirstGaps those whose list of gaps
	// began with the first-token time, which was dropped.
	ChunkGaps, FirstGaps int64
	// AtLeast counts the values of timed-out requests, of which only the least
	// they can be is known and recorded; FirstAtLeast is the smallest of them.
	// NoTimeout counts those whose record tells no time.
	AtLeast, NoTimeout int64
	FirstAtLeast       float64
	// Buckets are set where the values came as a histogram: the sketch then has
	// them spread evenly over each bucket. SumError is how far the true sum may lie
	// below Sum, and above it.
	Buckets  Buckets
	SumError [2]float64
}

// Unit holds the cells of one run, or of one replica of a run.
type Unit struct {
	Label  string
	Part   string // of the run, where runs are split: the replica, the session, …
	Counts ingest.Counts
	Cells  []Cell // parallel to the plan's items
	// Times are in nanoseconds, of the requests that were served; HasTime tells
	// whether there are any.
	HasTime                        bool
	FirstStart, LastStart, LastEnd int64
	// Good counts the good requests that met the plan's objective.
	Good int64
	// Untimed counts requests of the run without a start, Unclocked those of
	// them whose start is no reading of a clock; see settleStarts.
	Untimed      int64
	Unclocked    int64
	days         days  // of the starts, until they are settled
	OutputTokens int64 // of good requests, where a metric of the plan needs it
	Files        []int // indices of the side's files, ascending
	// NoOutcomes tells that nothing says how many requests failed: Counts then
	// has all as good.
	NoOutcomes bool
	Histograms bool // the values came as histograms
	// Facets holds the unit's parts, by facet of the plan and key.
	Facets []map[Key]*Part
}

// Duration returns the seconds from the first start to the last end, or to the
// last start where no end is known.
func (u *Unit) Duration() float64 {
	if !u.HasTime {
		return 0
	}
	return float64(max(u.LastStart, u.LastEnd)-u.FirstStart) / 1e9
}

// OK returns the number of requests that succeeded, Requests those that
// succeeded or failed.
func (u *Unit) OK() int64       { return u.Counts[ingest.Good] }
func (u *Unit) Requests() int64 { return u.OK() + u.Counts.Of(ingest.Failed) }

// served is how many requests ran in the unit, those without a partner on the
// other side among them: they belong to its time and its load.
func (u *Unit) served() int64 { return u.Requests() + u.Counts[ingest.Unpaired] }

// wasServed reports whether a record is one of those.
func wasServed(why ingest.Reason) bool {
	o := why.Outcome()
	return o == ingest.OK || o == ingest.Failed || why == ingest.Unpaired
}

// Plan says what a pass collects.
type Plan struct {
	Items []Item
	Sums  bool // keep exact sums: a mean is asked
	SLO   *SLO // the objective that defines a good request; nil for none
	// Timeouts says how requests that timed out enter latencies.
	Timeouts Timeouts
	// Traffic reads what was asked (lengths, cache, offered load).
	Traffic bool
	Words   []string // columns to read as words, for a look at them
	// Facets also split every unit by the values of columns.
	Facets []Facet
	// CountReplicas counts the names of the replicas of a side.
	CountReplicas bool
	// SkipTimes leaves out the starts and ends that no metric of the plan is
	// made of: they cost as much to read as a latency. The span of a run that
	// is alone on its side then comes from what the files say of themselves.
	SkipTimes bool
	// Head is how many records of each part of a file are wanted, 0 for all.
	Head int
	// Within splits runs into the units; whole runs are units otherwise.
	Within Within
	// Limit is how many values a cell keeps before it becomes a histogram;
	// see sketch.New.
	Limit int
}

// NewPlan returns the plan for items.
func NewPlan(items []Item) Plan {
	p := Plan{Items: items}
	for _, it := range items {
		if it.Metric.slo != nil {
			p.SLO = it.Metric.slo
		}
		for _, e := range it.Estimands {
			p.Sums = p.Sums || e.Kind == Mean
		}
	}
	return p
}

func newUnit(label string, p *Plan) *Unit {
	u := &Unit{Label: label, Cells: make([]Cell, len(p.Items)), FirstStart: math.MaxInt64, LastStart: math.MinInt64, LastEnd: math.MinInt64}
	for i := range u.Cells {
		u.Cells[i].Sketch = sketch.New(p.Limit)
	}
	for range p.Facets {
		u.Facets = append(u.Facets, map[Key]*Part{})
	}
	return u
}

func (u *Unit) merge(o *Unit) error {
	u.Counts.Add(&o.Counts)
	u.HasTime = u.HasTime || o.HasTime
	u.FirstStart = min(u.FirstStart, o.FirstStart)
	u.LastStart, u.LastEnd = max(u.LastStart, o.LastStart), max(u.LastEnd, o.LastEnd)
	u.Untimed += o.Untimed
	u.Unclocked += o.Unclocked
	u.days.merge(&o.days)
	u.Good += o.Good
	u.OutputTokens += o.OutputTokens
	u.NoOutcomes, u.Histograms = u.NoOutcomes || o.NoOutcomes, u.Histograms || o.Histograms
	for _, f := range o.Files {
		u.addFile(f)
	}
	if err := mergeCells(u.Cells, o.Cells); err != nil {
		return fmt.Errorf("metric: run %q: %w", u.Label, err)
	}
	for f := range u.Facets {
		for key, part := range o.Facets[f] { // parts of different keys never meet: order does not matter
			have := u.Facets[f][key]
			if have == nil {
				u.Facets[f][key] = part
				continue
			}
			have.Counts.Add(&part.Counts)
			have.Good += part.Good
			if err := mergeCells(have.Cells, part.Cells); err != nil {
				return fmt.Errorf("metric: run %q: %w", u.Label, err)
			}
		}
	}
	return nil
}

func mergeCells(into, from []Cell) error {
	for i := range into {
		a, b := &into[i], &from[i]
		if err := a.Sketch.Merge(b.Sketch); err != nil {
			return err
		}
		if err := a.Sum.Merge(&b.Sum); err != nil {
			return err
		}
		a.Missing += b.Missing
		a.NotApplicable += b.NotApplicable
		a.ChunkGaps += b.ChunkGaps
		a.FirstGaps += b.FirstGaps
		a.mergeTimeouts(b)
		a.SumError[0] += b.SumError[0]
		a.SumError[1] += b.SumError[1]
		if b.Buckets != nil {
			merged, err := ingest.MergeBuckets(a.Buckets, b.Buckets)
			if err != nil {
				return err
			}
			a.Buckets = merged
		}
	}
	return nil
}

func (u *Unit) addFile(f int) {
	if i, found := slices.BinarySearch(u.Files, f); !found {
		u.Files = slices.Insert(u.Files, i, f)
	}
}

// Side is all that was collected of one side.
type Side struct {
	Units  []*Unit // sorted by label
	Counts ingest.Counts
	Files  []FileTally
	// The first and last start of all runs, in nanoseconds, if HasTime.
	HasTime               bool
	FirstStart, LastStart int64
	// Replicas is how many replicas the records name, 0 where none does or they
	// were not counted; above MaxReplicas the column names something else.
	Replicas int
	// Unclocked counts the requests whose start is no reading of a clock, the
	// earliest of them at UnclockedFrom.
	Unclocked, UnclockedFrom int64
	// UnknownStatus lists status words that nobody knows: they count as failures.
	UnknownStatus []string
	// UnknownPhases lists phase words that say neither warm-up nor measurement.
	UnknownPhases []string
	// DuplicatesChecked tells whether request ids were looked at.
	DuplicatesChecked bool
	// Dropped tells of every facet of the plan whether it had more parts than it
	// may have, so that it has none now.
	Dropped []bool
}

// span returns what the files say of the first and last start, where all say.
func (in *Input) span() (first, last int64, ok bool) {
	first, last = math.MaxInt64, math.MinInt64
	for _, f := range in.Files {
		r, can := f.Source.(ingest.Ranger)
		b := f.Layout.Fields[ingest.Start]
		if !can || !b.Bound() {
			return 0, 0, false
		}
		for p := range f.Source.Partitions() {
			lo, hi, known := r.Range(p, b.Column, b.Unit)
			if !known {
				return 0, 0, false
			}
			first, last = min(first, lo), max(last, hi)
		}
	}
	return first, last, len(in.Files) > 0 && first <= last
}

// FileTally is what the pass saw of one file.
type FileTally struct {
	Rows int64
	// PartitionRows is the number of records of each partition, so that a later
	// pass can number the records of the file.
	PartitionRows []int64
	// BadTime is the first time that cannot be read, nil if all can.
	BadTime *BadTime
}

func (s *Side) sortUnits() {
	slices.SortFunc(s.Units, func(a, b *Unit) int { return cmp.Compare(a.Label, b.Label) })
}

// Sketches returns the sketches of one item, a unit each, leaving out units
// without a value.
func (s *Side) Sketches(item int) []*sketch.Sketch {
	var out []*sketch.Sketch
	for _, u := range s.Units {
		if u.Cells[item].Sketch.N() > 0 {
			out = append(out, u.Cells[item].Sketch)
		}
	}
	return out
}

// Pool merges units into one, by count.
func Pool(units []*Unit) *Unit {
	if len(units) == 1 {
		return units[0]
	}
	all := &Unit{FirstStart: math.MaxInt64, LastStart: math.MinInt64, LastEnd: math.MinInt64}
	for i, u := range units {
		if i == 0 {
			all.Cells = make([]Cell, len(u.Cells))
			for j := range all.Cells {
				all.Cells[j].Sketch = sketch.New(u.Cells[j].Sketch.Limit())
			}
			all.Facets = emptyFacets(units)
		}
		if err := all.merge(u); err != nil {
			panic("metric: cells of one plan do not merge: " + err.Error())
		}
	}
	return all
}

// emptyFacets returns a part that holds nothing for every part of the units, so
// that merging into them leaves the units alone.
func emptyFacets(units []*Unit) []map[Key]*Part {
	facets := make([]map[Key]*Part, len(units[0].Facets))
	for f := range facets {
		facets[f] = map[Key]*Part{}
		for _, u := range units {
			for key, part := range u.Facets[f] {
				if facets[f][key] != nil {
					continue
				}
				empty := &Part{Cells: make([]Cell, len(part.Cells))}
				for i := range empty.Cells {
					empty.Cells[i].Sketch = &sketch.Sketch{}
				}
				facets[f][key] = empty
			}
		}
	}
	return facets
}
