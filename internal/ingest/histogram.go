package ingest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// HistogramSource is a Source whose file counts how many values fell into which
// range, and knows no request. It has no partition; its columns are the metrics
// that it has a histogram of.
type HistogramSource interface {
	Source
	// Histograms returns one histogram a column, in the order of Columns.
	Histograms() []Histogram
	// Outcomes returns how many requests succeeded and failed; known is false
	// where the file does not tell.
	Outcomes() (ok, failed int64, known bool)
}

// Histogram is the distribution of one metric, all replicas of the file added.
type Histogram struct {
	Buckets []Bucket
	Sum     float64 // of all values in the stored unit, NaN where unknown
}

// Bucket counts values above Lower, up to Upper, in the stored unit. Upper may be
// +Inf, Lower −Inf.
type Bucket struct {
	Lower, Upper float64
	Count        int64
}

// Mid returns the middle of the bucket; where it has one edge, that.
func (b Bucket) Mid() float64 {
	switch {
	case math.IsInf(b.Upper, 1):
		return b.Lower
	case math.IsInf(b.Lower, -1):
		return b.Upper
	}
	return b.Lower + (b.Upper-b.Lower)/2
}

// Total returns the number of values.
func (h *Histogram) Total() int64 {
	var n int64
	for _, b := range h.Buckets {
		n += b.Count
	}
	return n
}

// maxHistogram is the most values that a histogram may count: float64 has every
// whole number up to here.
const maxHistogram = 1 << 53

// Add adds another histogram, whose buckets are the same or lie beside those of
// h. The result is in order.
// Errors: buckets that cut across each other; more than 2^53 values.
func (h *Histogram) Add(o *Histogram) error {
	merged, err := MergeBuckets(h.Buckets, o.Buckets)
	if err != nil {
		return err
	}
	sum := o.Sum
	if len(h.Buckets) > 0 {
		sum += h.Sum
	}
	h.Buckets, h.Sum = merged, sum
	return nil
}

// MergeBuckets adds the counts of two lists of buckets, each in order. Errors are
// those of Histogram.Add.
func MergeBuckets(a, b []Bucket) ([]Bucket, error) {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(x, y Bucket) int {
		return cmp.Or(cmp.Compare(x.Lower, y.Lower), cmp.Compare(x.Upper, y.Upper))
	})
	var out []Bucket
	total := int64(0)
	for _, x := range all {
		if total += x.Count; total > maxHistogram {
			return nil, fmt.Errorf("a histogram counts more than %d values", int64(maxHistogram))
		}
		if n := len(out); n > 0 {
			last := &out[n-1]
			if last.Lower == x.Lower && last.Upper == x.Upper {
				last.Count += x.Count
				continue
			}
			if x.Lower < last.Upper {
				return nil, fmt.Errorf("buckets (%v, %v] and (%v, %v] cut across each other", last.Lower, last.Upper, x.Lower, x.Upper)
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// ToBase returns the histogram with its edges and its sum in the base unit.
func (h *Histogram) ToBase(u Unit) Histogram {
	out := Histogram{Buckets: make([]Bucket, len(h.Buckets)), Sum: u.ToBase(h.Sum)}
	for i, b := range h.Buckets {
		out.Buckets[i] = Bucket{u.ToBase(b.Lower), u.ToBase(b.Upper), b.Count}
	}
	return out
}

// Span returns the edges of the first and the last bucket that holds a value.
func (h *Histogram) Span() (lo, hi float64) {
	lo, hi = math.NaN(), math.NaN()
	for _, b := range h.Buckets {
		if b.Count == 0 {
			continue
		}
		if math.IsNaN(lo) {
			lo = b.Lower
		}
		hi = b.Upper
	}
	return lo, hi
}
