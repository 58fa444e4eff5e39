package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Buckets count values by range, in base units and in order: what is known of a
// distribution that came as a histogram.
type Buckets []ingest.Bucket

// histogramSource is the file's source if it holds histograms.
func (f *File) histogramSource() (ingest.HistogramSource, bool) {
	h, ok := f.Source.(ingest.HistogramSource)
	return h, ok
}

// addHistograms fills the cells of the runs whose files hold histograms. Files
// that are parts of one run are replicas: their counts are added.
func addHistograms(inputs []Input, plan *Plan, sides []*Side) error {
	for i := range inputs {
		side, added := sides[i], false
		for j := range inputs[i].Files {
			f := &inputs[i].Files[j]
			h, ok := f.histogramSource()
			if !ok {
				continue
			}
			added = true
			one := newUnit(f.Label, plan)
			one.addFile(j)
			if err := one.fromHistograms(h, f.Layout, plan); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
			side.Counts.Add(&one.Counts)
			side.Files[j].Rows = one.Counts.Total()
			at := slices.IndexFunc(side.Units, func(u *Unit) bool { return u.Label == f.Label })
			if at < 0 {
				side.Units = append(side.Units, one)
				continue
			}
			for k, it := range plan.Items {
				if _, err := ingest.MergeBuckets(side.Units[at].Cells[k].Buckets, one.Cells[k].Buckets); err != nil {
					return fmt.Errorf("%s: %s cannot be added to that of the other files of the run: %w; replicas have to have the same buckets", f.Path, it.Metric, err)
				}
			}
			if err := side.Units[at].merge(one); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
		}
		if !added {
			continue
		}
		side.sortUnits()
		for k, it := range plan.Items {
			if _, err := side.Buckets(k); err != nil {
				return fmt.Errorf("%s of the runs of a side: %w; histograms that are merged have to have the same buckets", it.Metric, err)
			}
		}
	}
	return nil
}

// fromHistograms fills an empty unit.
func (u *Unit) fromHistograms(src ingest.HistogramSource, l *ingest.Layout, plan *Plan) error {
	each := src.Histograms()
	u.Histograms = true
	requests := int64(0)
	for i, c := range src.Columns() {
		if c.Class != ingest.ListClass { // a value a request
			requests = max(requests, each[i].Total())
		}
	}
	ok, failed, known := src.Outcomes()
	if !known {
		u.NoOutcomes, ok = true, requests
	}
	u.Counts[ingest.Good], u.Counts[ingest.FailedStatus] = ok, failed
	for i, it := range plan.Items {
		col, unit, has := it.Metric.histogramColumn(l)
		if !has {
			continue
		}
		h := each[col].ToBase(unit)
		if err := u.Cells[i].setBuckets(&h); err != nil {
			return fmt.Errorf("%s: %w", it.Metric, err)
		}
	}
	return nil
}

// histogramColumn returns the column of a histogram that is the metric itself;
// one that records would compute has none.
func (m *Metric) histogramColumn(l *ingest.Layout) (column int, u ingest.Unit, ok bool) {
	field := func(fs ...ingest.Field) (int, ingest.Unit, bool) {
		for _, f := range fs {
			if b := l.Fields[f]; b.Bound() {
				return b.Column, b.Unit, true
			}
		}
		return 0, ingest.Unit{}, false
	}
	switch m.id {
	case idTTFT:
		return field(ingest.TTFT)
	case idTPOT:
		return field(ingest.TPOT)
	case idITL:
		return field(ingest.ITL)
	case idChunkGap:
		return field(ingest.ChunkGap)
	case idE2E:
		return field(ingest.E2E, ingest.Latency)
	case idLatency:
		return field(ingest.Latency)
	case idGeneric:
		g, ok := m.column(l)
		return g.Column, g.Unit, ok
	}
	return 0, ingest.Unit{}, false
}

// spreadPoints is into how many equal steps a bucket is cut at most.
const spreadPoints = 1 << 12

// openStep is how far above its lower edge the values of a bucket without an
// upper one are put, relatively: enough to be told from the bucket below.
const openStep = 1.0 / 512

// setBuckets fills an empty cell from a histogram in base units. The values of a
// bucket are spread evenly over it.
func (c *Cell) setBuckets(h *ingest.Histogram) error {
	s := sketch.NewHistogram()
	mids, off := 0.0, [2]float64{}
	for _, b := range h.Buckets {
		if err := spread(s, b); err != nil {
			return err
		}
		if b.Count > 0 {
			n, mid := float64(b.Count), b.Mid()
			mids, off[0], off[1] = mids+n*mid, off[0]+n*(mid-b.Lower), off[1]+n*(b.Upper-mid)
		}
	}
	c.Sketch, c.Buckets = sketch.FromHistogram(s), slices.Clone(h.Buckets)
	if math.IsNaN(h.Sum) {
		h.Sum, c.SumError = mids, off
	}
	c.Sum.Add(h.Sum)
	return nil
}

// spread adds the values of a bucket at the middles of equal steps.
func spread(s *sketch.Histogram, b ingest.Bucket) error {
	switch {
	case b.Count == 0:
		return nil
	case math.IsInf(b.Upper, 1):
		return s.AddN(b.Lower+openStep*math.Abs(b.Lower), b.Count)
	case math.IsInf(b.Lower, -1):
		return s.AddN(b.Upper, b.Count)
	}
	steps := min(b.Count, spreadPoints)
	done := int64(0)
	for k := range steps {
		upTo := int64(math.Round(float64(b.Count) * float64(k+1) / float64(steps)))
		if err := s.AddN(b.Lower+(b.Upper-b.Lower)*(float64(k)+0.5)/float64(steps), upTo-done); err != nil {
			return err
		}
		done = upTo
	}
	return nil
}

// Buckets returns the buckets of all units of an item; nil where it came as
// values. Those of one unit are as its replicas gave them.
func (s *Side) Buckets(item int) (Buckets, error) {
	var all []ingest.Bucket
	for _, u := range s.Units {
		var err error
		if all, err = ingest.MergeBuckets(all, u.Cells[item].Buckets); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// NoOutcomes reports whether nothing says how many requests of a run failed.
func (s *Side) NoOutcomes() bool {
	return slices.ContainsFunc(s.Units, func(u *Unit) bool { return u.NoOutcomes })
}

// HasHistograms reports whether the values of the side came as histograms.
func (s *Side) HasHistograms() bool {
	return slices.ContainsFunc(s.Units, func(u *Unit) bool { return u.Histograms })
}

// SameEdges reports whether no bucket of one list cuts across one of the other.
func (b Buckets) SameEdges(o Buckets) bool {
	_, err := ingest.MergeBuckets(b, o)
	return err == nil
}

// MostSD returns the most that the standard deviation of the values can be: each
// lies at an edge of its bucket, half the width away from the middle. It is +Inf
// where a bucket without an edge has values, NaN without a value.
func (b Buckets) MostSD() float64 {
	var n, mean, about, half float64 // West 1979, weighted by count
	for _, x := range b {
		if x.Count == 0 {
			continue
		}
		k, mid := float64(x.Count), x.Mid()
		n += k
		d := mid - mean
		mean += d * k / n
		about += k * d * (mid - mean)
		w := math.Max(x.Upper-mid, mid-x.Lower)
		half += k * w * w
	}
	return math.Sqrt(about/n) + math.Sqrt(half/n)
}

// MeanSE returns the standard error of the mean of independent values, with the
// most that their standard deviation can be.
func (b Buckets) MeanSE() float64 {
	n := int64(0)
	for _, x := range b {
		n += x.Count
	}
	return b.MostSD() / math.Sqrt(float64(n))
}

// edgeSlack is how near to an edge a value may lie, relatively, that was read
// from the bins of a sketch, and belong to the bucket on its other side.
const edgeSlack = 1.0 / 1024

// Around returns the edges of the buckets that a value which was interpolated in
// them may have come from.
func (b Buckets) Around(v float64) (lo, hi float64) {
	d := edgeSlack * math.Abs(v)
	lo, hi = v, v
	first := true
	for i, x := range b {
		if x.Count == 0 || x.Upper < v-d {
			continue
		}
		if first {
			first = false
			if lo = math.Min(v, x.Lower); x.Lower > v { // in a gap between two buckets
				if below := b.below(i); below >= 0 {
					lo = b[below].Lower
				}
				hi = x.Upper
			}
		}
		if x.Lower > v+d {
			break
		}
		hi = math.Max(hi, x.Upper)
	}
	return lo, hi
}

// below is the last bucket before i that holds a value, −1 if none does.
func (b Buckets) below(i int) int {
	for i--; i >= 0 && b[i].Count == 0; i-- {
	}
	return i
}

// Bracket returns how low and how high the quantile of the units' values may truly
// be: with all values of a bucket at its lower edge, and at its upper one. Each
// unit weighs the same if equal is set, else each value. The quantile is that of
// sketch.Mixture: the mean of the inverse distribution function over [h − 1, h]/n,
// h = q(n − 1) + 1, n the effective number of values.
func (s *Side) Bracket(item int, q float64, equal bool, n float64) (lo, hi float64) {
	type part struct {
		ingest.Bucket
		weight float64
	}
	var all []part
	total := 0.0
	for _, u := range s.Units {
		c := &u.Cells[item]
		w := 1.0
		if equal {
			w = 1 / float64(c.Sketch.N())
		}
		for _, b := range c.Buckets {
			if b.Count > 0 {
				all = append(all, part{b, w * float64(b.Count)})
				total += w * float64(b.Count)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.Lower, b.Lower), cmp.Compare(a.Upper, b.Upper))
	})
	const rounding = 1e-6 // of the interval, which a bucket that only touches it may reach into
	from, to := q*(n-1)/n, math.Min(1, (q*(n-1)+1)/n)
	cum, covered := 0.0, 0.0
	for _, p := range all {
		below := cum / total
		cum += p.weight
		if w := math.Min(to, cum/total) - math.Max(from, below); w > rounding*(to-from) {
			covered += w
			lo, hi = lo+w*p.Lower, hi+w*p.Upper
		}
	}
	return lo / covered, hi / covered
}
