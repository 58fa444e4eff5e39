package metric

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// orderBuckets is the number of stretches that the records of a side are cut
// into before they are gathered into batches.
const orderBuckets = 4096

// line is a row of buckets of one look. Those of a short run are mostly empty:
// only buckets that were met take memory.
type line struct {
	slot  []int32 // by bucket: 1 + where it is in cells, 0 for an empty one
	cells []int64 // of a bucket: how many values, their sum, how many up to each threshold, sums of residuals
	width int
}

func newLine(look *Look, buckets int) line {
	return line{slot: make([]int32, buckets), width: 2 + len(look.Thresholds) + len(look.Residuals)}
}

// at returns the numbers of a bucket, nil for an empty one.
func (l *line) at(bucket int) []int64 {
	k := int(l.slot[bucket])
	if k == 0 {
		return nil
	}
	return l.cells[(k-1)*l.width : k*l.width]
}

// add books n values of a bucket: the sum of (value − center) in steps, how many
// of them lie at or below each threshold, and the sums of their residuals.
func (l *line) add(bucket int, n, sum int64, below []int64) {
	have := l.at(bucket)
	if have == nil {
		l.cells = append(l.cells, make([]int64, l.width)...)
		l.slot[bucket] = int32(len(l.cells) / l.width)
		have = l.at(bucket)
	}
	have[0] += n
	have[1] += sum
	have = have[2:]
	for t, k := range below {
		have[t] += k
	}
}

func (l *line) merge(o *line) {
	for i := range o.slot {
		if c := o.at(i); c != nil {
			l.add(i, c[0], c[1], c[2:])
		}
	}
}

// sight is what one look at one unit has seen.
type sight struct {
	look            *Look
	slo             *SLO // the objective behind a look at a share
	metric          *Metric
	timeouts        Timeouts
	byTime, byOrder line
	step            float64 // steps of one; 0 for no sums
	rising          bool    // the thresholds rise
	below           []int64 // by threshold, then by residual
	residuals       residuals
}

// newSights begins the looks at a unit that is cut into buckets by time.
func newSights(looks []Look, plan *Plan, buckets int) []sight {
	out := make([]sight, len(looks))
	for k := range out {
		look := &looks[k]
		m := plan.Items[look.Item].Metric
		s := sight{look: look, slo: m.slo, metric: m, timeouts: plan.Timeouts, byTime: newLine(look, buckets), byOrder: newLine(look, orderBuckets)}
		if look.Spread > 0 && (plan.Sums || look.Share) {
			s.step = (1 << 32) / look.Spread
		}
		s.rising, s.below = slices.IsSorted(look.Thresholds), make([]int64, s.byTime.width-2)
		s.residuals = newResiduals(look.Residuals)
		out[k] = s
	}
	return out
}

func (s *sight) merge(o *sight) {
	s.byTime.merge(&o.byTime)
	s.byOrder.merge(&o.byOrder)
}

// cut gathers what was seen into n batches: by time where that is even.
func (s *sight) cut(n int) Batches {
	if b, even := s.byTime.cut(s.look, n); even {
		b.ByTime = true
		return b
	}
	b, _ := s.byOrder.cut(s.look, n)
	return b
}

// add books values that lie in one bucket by order and, unless when is
// negative, in one by time. slots are those of the values, or one for all, and
// not read without residuals.
func (s *sight) add(values []float64, slots []int32, order, when int) {
	below := s.below[:len(s.look.Thresholds)]
	if len(below) > 4 && s.rising {
		upToRising(values, s.look.Thresholds, below)
	} else {
		upTo(values, s.look.Thresholds, below)
	}
	s.residuals.sum(values, slots, s.below[len(below):])
	sum := int64(0)
	if s.step > 0 {
		sum = steps(values, s.look.Center, s.step)
	}
	s.byOrder.add(order, int64(len(values)), sum, s.below)
	if when >= 0 {
		s.byTime.add(when, int64(len(values)), sum, s.below)
	}
}

// steps adds up the values less the center, each rounded to whole steps, halves
// away from zero: the sum does not depend on the order of the values.
func steps(values []float64, center, step float64) (sum int64) {
	for _, v := range values {
		d := (v - center) * step
		r := math.RoundToEven(d)
		if half := d - r; half == 0.5 || half == -0.5 {
			r = math.Round(d)
		}
		sum += int64(r)
	}
	return sum
}

// upTo counts for each threshold the values that lie at or below it.
func upTo(values, thresholds []float64, counts []int64) {
	for t, x := range thresholds {
		if x > 0 {
			counts[t] = bitsUpTo(values, int64(math.Float64bits(x)))
			continue
		}
		counts[t] = 0
		for _, v := range values {
			if v <= x {
				counts[t]++
			}
		}
	}
}

// bitsUpTo counts the values that lie at or below the number above 0 that has
// the bits of limit: they do so by their bits as well, which takes no branch.
func bitsUpTo(values []float64, limit int64) (n int64) {
	var a, b, c, d int64
	for ; len(values) >= 4; values = values[4:] {
		v := (*[4]float64)(values)
		a += notAbove(v[0], limit)
		b += notAbove(v[1], limit)
		c += notAbove(v[2], limit)
		d += notAbove(v[3], limit)
	}
	for _, v := range values {
		n += notAbove(v, limit)
	}
	return n + a + b + c + d
}

func notAbove(v float64, limit int64) (in int64) {
	if int64(math.Float64bits(v)) <= limit {
		in = 1
	}
	return in
}

// upToRising is upTo for many thresholds that rise: it finds the first that a
// value does not exceed.
func upToRising(values, thresholds []float64, counts []int64) {
	clear(counts)
	for _, v := range values {
		lo, n := 0, len(thresholds)
		for n > 0 {
			half := n >> 1
			if thresholds[lo+half] < v {
				lo += half + 1
				n -= half + 1
			} else {
				n = half
			}
		}
		if lo < len(counts) {
			counts[lo]++
		}
	}
	for t := 1; t < len(counts); t++ {
		counts[t] += counts[t-1]
	}
}

// watcher shows the sights of a unit the rows of frames.
type watcher struct {
	items   itemColumns
	scratch []float64
	one     [1]int32
	slots   []int32 // of the rows of the frame, nil where no look has residuals
}

// slotsOf returns the slots of the rows from lo to below hi.
func (w *watcher) slotsOf(lo, hi int) []int32 {
	if w.slots == nil {
		return nil
	}
	return w.slots[lo:hi]
}

// watch shows the rows of a unit to its sights. items must have been read. Looks
// with residuals take rows in spans.
func (w *watcher) watch(sights []sight, p *placer, f *ingest.Frame, good rows, bad []int32) {
	start := f.Col(ingest.Start)
	parts := p.stretches(start, good)
	for k := range sights {
		s := &sights[k]
		ex, col := w.items.extract[s.look.Item], w.items.cols[s.look.Item]
		switch {
		case s.look.Share:
			w.share(s, p, f, start, good, bad, parts)
		case ex == nil:
		case col == nil || col.State != nil: // some rows have no value, or many
			var cell Cell
			w.eachRow(parts, good, func(row []int32, order, when int) {
				w.scratch = ex.values(f, col, rows{list: row}, w.scratch[:0], &cell)
				s.add(w.scratch, w.slotsOf(int(row[0]), int(row[0])+1), order, when)
			})
		default:
			values := col.Floats
			if good.list != nil {
				w.scratch = good.gather(w.scratch[:0], values)
				values = w.scratch
			}
			for _, part := range parts {
				s.add(values[part.lo:part.hi], w.slotsOf(part.lo, part.hi), part.order, part.when)
			}
		}
		if ex != nil && !s.look.Share {
			w.late(s, p, f, start, bad)
		}
	}
}

// share shows the rows of a unit to a look at a share: a request that counts is
// 1, every other one 0.
func (w *watcher) share(s *sight, p *placer, f *ingest.Frame, start *ingest.Column, good rows, bad []int32, parts []stretch) {
	one, zero := []float64{1}, []float64{0}
	if s.slo == nil {
		for _, part := range parts {
			s.repeat(one, int64(part.hi-part.lo), w.slotsOf(part.lo, part.hi), part.order, part.when)
		}
	} else {
		w.eachRow(parts, good, func(row []int32, order, when int) {
			s.repeat([]float64{float64(s.slo.met(f, rows{list: row}))}, 1, w.slotsOf(int(row[0]), int(row[0])+1), order, when)
		})
	}
	for _, i := range bad {
		if f.Reasons[i].Outcome() == ingest.Failed {
			s.repeat(zero, 1, w.slotsOf(int(i), int(i)+1), p.orderOf(p.base+int64(i)), p.whenOf(start, int(i)))
		}
	}
}

// repeat books a value n times, once in each slot.
func (s *sight) repeat(value []float64, n int64, slots []int32, order, when int) {
	below := s.below[:len(s.look.Thresholds)]
	upTo(value, s.look.Thresholds, below)
	for t := range below {
		below[t] *= n
	}
	s.residuals.repeat(value, slots, s.below[len(below):])
	sum := n * steps(value, s.look.Center, s.step)
	s.byOrder.add(order, n, sum, s.below)
	if when >= 0 {
		s.byTime.add(when, n, sum, s.below)
	}
}

// eachRow calls fn for every good row.
func (w *watcher) eachRow(parts []stretch, good rows, fn func(row []int32, order, when int)) {
	for _, part := range parts {
		for i := part.lo; i < part.hi; i++ {
			w.one[0] = int32(i)
			if good.list != nil {
				w.one[0] = good.list[i]
			}
			fn(w.one[:], part.order, part.when)
		}
	}
}
