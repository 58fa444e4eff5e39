package metric

import (
	"context"
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Look asks the second pass over a side with one run how an item behaves in
// the order of time.
type Look struct {
	Item int
	// Thresholds are values; the pass counts how many values lie at or below.
	Thresholds []float64
	// Share looks at whether requests count for the item's share: 1 or 0 for
	// every request, failed ones included.
	Share bool
	// Center and Spread place the values: sums are kept of (value − Center), in
	// exact steps of Spread·2⁻³². Spread is at least the largest distance.
	Center, Spread float64
	// Residuals are summed over the batches, by the strata; TimeBatches alone
	// does, and all looks at a side have the same strata.
	Residuals []Residual
	Strata    *Strata
}

// Batches are consecutive stretches of a run, of about equal numbers of values.
type Batches struct {
	Counts []int64
	Below  [][]int64 // by threshold, then batch
	Means  []float64 // of the values of each batch, where the plan keeps sums, and of shares
	// Residuals are the sums of the residuals, by residual, then batch.
	Residuals [][]float64
	ByTime    bool // ordered by start time; else in the order of the records
}

// errUnordered tells that a side has more than one unit.
var errUnordered = errors.New("metric: batches need a side with one unit")

// TimeBatches reads a side that has a single unit once more and cuts the values
// of each look into n batches, by start time if every request has one and they
// spread over the run, else by the order of the records.
func TimeBatches(ctx context.Context, input Input, side *Side, plan Plan, looks []Look, n int, s Scan) ([]Batches, error) {
	if len(side.Units) != 1 {
		return nil, errUnordered
	}
	u := side.Units[0]
	b := &bucketing{looks: looks, extract: plan.extractorsOf(&input), placer: placer{
		timed: u.HasTime && u.Untimed == 0 && u.LastStart > u.FirstStart,
		first: u.FirstStart, last: u.LastStart, buckets: orderBuckets,
	}}
	b.offsets, b.placer.rows = side.offsets()
	plan.SkipTimes, plan.Facets = false, nil
	var strata *Strata
	for k := range looks {
		if looks[k].Strata != nil {
			strata, plan.Facets = looks[k].Strata, []Facet{looks[k].Strata.Facet}
		}
	}
	workers, _, err := s.scan(ctx, []Input{input}, &plan, func() worker {
		return &bucketer{bucketing: b, placer: b.placer, sights: newSights(looks, &plan, orderBuckets), slotter: newSlotter(strata)}
	})
	if err != nil {
		return nil, err
	}
	all := workers[0].(*bucketer).sights
	for _, w := range workers[1:] {
		for k := range all {
			all[k].merge(&w.(*bucketer).sights[k])
		}
	}
	out := make([]Batches, len(looks))
	for k := range out {
		out[k] = all[k].cut(n)
	}
	return out, nil
}

// extractorsOf returns the extractors of every file of an input.
func (p *Plan) extractorsOf(in *Input) (out [][]*extractor) {
	for _, f := range in.Files {
		out = append(out, p.extractors(f.Layout))
	}
	return out
}

// offsets returns the number that the first record of each partition of each
// file has in the side, and how many records there are.
func (s *Side) offsets() (first [][]int64, rows int64) {
	for _, f := range s.Files {
		at := make([]int64, len(f.PartitionRows))
		for p, n := range f.PartitionRows {
			at[p] = rows
			rows += n
		}
		first = append(first, at)
	}
	return first, rows
}

type bucketing struct {
	looks   []Look
	offsets [][]int64
	extract [][]*extractor
	placer  placer
}

// bucketer is the worker of TimeBatches.
type bucketer struct {
	*bucketing
	watcher
	placer  placer
	sights  []sight
	spans   []span
	slotter *slotter
}

func (w *bucketer) frame(_, file int, f *ingest.Frame) error {
	w.items.read(w.extract[file], f)
	w.spans = between(w.spans, f.N, f.Bad)
	w.placer.begin(w.offsets[file][f.Partition] + f.Row)
	w.slots = w.slotter.of(f)
	w.watch(w.sights, &w.placer, f, rows{spans: w.spans}, f.Bad)
	return nil
}

// cut gathers consecutive buckets into n batches of about equal counts. even
// tells whether no batch is empty or more than twice its share.
func (l *line) cut(look *Look, n int) (b Batches, even bool) {
	var total int64
	for i := range l.slot {
		if c := l.at(i); c != nil {
			total += c[0]
		}
	}
	b.Counts, b.Means = make([]int64, n), make([]float64, n)
	b.Below = make([][]int64, len(look.Thresholds))
	for t := range b.Below {
		b.Below[t] = make([]int64, n)
	}
	units := make([]float64, len(look.Residuals))
	for r := range units {
		units[r] = look.Residuals[r].unit()
		b.Residuals = append(b.Residuals, make([]float64, n))
	}
	if total == 0 {
		return b, false
	}
	var before int64
	sums := make([]float64, n)
	for i := range l.slot {
		c := l.at(i)
		if c == nil || c[0] == 0 {
			continue
		}
		k := c[0]
		at := min(n-1, int(float64(2*before+k)/float64(2*total)*float64(n)))
		before += k
		b.Counts[at] += k
		sums[at] += float64(c[1])
		for t := range b.Below {
			b.Below[t][at] += c[2+t]
		}
		for r, unit := range units {
			b.Residuals[r][at] += float64(c[2+len(b.Below)+r]) * unit
		}
	}
	even = true
	for i, k := range b.Counts {
		if k == 0 || float64(k) > 2*float64(total)/float64(n) {
			even = false
		}
		if k > 0 {
			b.Means[i] = look.Center + sums[i]/float64(k)*look.Spread/(1<<32)
		}
	}
	return b, even
}
