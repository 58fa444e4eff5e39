package sketch

import (
	"fmt"
	"iter"
	"math"
)

// MinAlpha is the smallest relative error of a [DDSketch]; it bounds the memory
// of one side to 6 MB whatever the values are.
const MinAlpha = 0.001

// DDSketch counts values in logarithmic bins, (γ^(k−1), γ^k] with
// γ = (1+α)/(1−α), so that every quantile has the relative error α (Masson, Rim
// & Lee 2019, doi:10.14778/3352063.3352135). No bin is ever collapsed. It exists
// to read and check the numbers of other tools; [Histogram] records ten times
// faster at the same error.
type DDSketch struct {
	alpha, logGamma float64
	pos, neg        ddStore
	zero            uint64
	n, invalid      uint64
}

// ddStore is a dense window of counts by key.
type ddStore struct {
	base   int
	counts []uint64
}

// NewDDSketch returns an empty sketch of relative error alpha.
// Errors: [ErrDomain] unless alpha lies in [MinAlpha, 1).
func NewDDSketch(alpha float64) (*DDSketch, error) {
	if !(alpha >= MinAlpha && alpha < 1) {
		return nil, fmt.Errorf("relative error %v: want a number in [%v, 1): %w", alpha, MinAlpha, ErrDomain)
	}
	return &DDSketch{alpha: alpha, logGamma: math.Log1p(alpha) - math.Log1p(-alpha)}, nil
}

// Alpha returns the relative error of every quantile.
func (d *DDSketch) Alpha() float64 { return d.alpha }

// Gamma returns γ, the ratio of the edges of a bin.
func (d *DDSketch) Gamma() float64 { return (1 + d.alpha) / (1 - d.alpha) }

// Count returns the number of values, NaN and ±Inf not included.
func (d *DDSketch) Count() int64 { return int64(d.n) }

// Invalid returns how often Add was given NaN or ±Inf.
func (d *DDSketch) Invalid() int64 { return int64(d.invalid) }

// Add records one value. NaN and ±Inf are counted by [DDSketch.Invalid] only.
func (d *DDSketch) Add(v float64) {
	if v-v != 0 {
		d.invalid++
		return
	}
	d.n++
	switch {
	case v > 0:
		d.pos.add(d.key(v), 1)
	case v < 0:
		d.neg.add(d.key(-v), 1)
	default:
		d.zero++
	}
}

// AddSlice records every value of vs.
func (d *DDSketch) AddSlice(vs []float64) {
	for _, v := range vs {
		d.Add(v)
	}
}

// key returns ceil(log_γ v). Subnormal numbers are scaled first: math.Log is
// wrong for them on amd64.
func (d *DDSketch) key(v float64) int {
	var shift float64
	if v < 0x1p-1022 {
		v, shift = v*0x1p54, 54*math.Ln2
	}
	return int(math.Ceil((math.Log(v) - shift) / d.logGamma))
}

// value returns 2γ^k/(γ+1), the value within α of all values of the bin.
func (d *DDSketch) value(key int) float64 {
	return min(math.Exp(float64(key)*d.logGamma+math.Log1p(-d.alpha)), math.MaxFloat64)
}

func (s *ddStore) add(key int, n uint64) {
	if i := key - s.base; i < 0 || i >= len(s.counts) {
		s.reach(key)
	}
	s.counts[key-s.base] += n
}

// reach makes the window cover key, with room to spare.
func (s *ddStore) reach(key int) {
	const room = 64
	first, last := key-room, key+room
	if len(s.counts) > 0 {
		first = min(first, s.base)
		last = max(last, s.base+len(s.counts)-1)
	}
	counts := make([]uint64, last+1-first)
	if len(s.counts) > 0 {
		copy(counts[s.base-first:], s.counts)
	}
	s.base, s.counts = first, counts
}

// Merge adds the values of o, which stays as it is. Order and grouping do not
// matter. A nil o has no values.
// Errors: [ErrLayout] if the relative errors differ, [ErrOverflow] if the total
// would exceed int64; d is unchanged then.
func (d *DDSketch) Merge(o *DDSketch) error {
	if o == nil {
		return nil
	}
	if d.alpha != o.alpha {
		return fmt.Errorf("merge of relative errors %v and %v: %w", d.alpha, o.alpha, ErrLayout)
	}
	if o.n > maxCount-d.n || o.invalid > maxCount-d.invalid {
		return fmt.Errorf("merge of %d and %d values: %w", d.n, o.n, ErrOverflow)
	}
	d.pos.merge(&o.pos)
	d.neg.merge(&o.neg)
	d.zero += o.zero
	d.n += o.n
	d.invalid += o.invalid
	return nil
}

func (s *ddStore) merge(o *ddStore) {
	base := o.base
	for i, c := range o.counts {
		if c > 0 {
			s.add(base+i, c)
		}
	}
}

// DDBin is one bin of a DDSketch and the values in it.
type DDBin struct {
	Key   int     // of the magnitude; meaningless for the bin of zeros
	Value float64 // within α of every value in the bin; its sign tells the side
	Count int64
}

// Bins yields the bins that hold values, in ascending order of value.
func (d *DDSketch) Bins() iter.Seq[DDBin] {
	return func(yield func(DDBin) bool) {
		for i := len(d.neg.counts) - 1; i >= 0; i-- {
			key := d.neg.base + i
			if c := d.neg.counts[i]; c > 0 && !yield(DDBin{key, -d.value(key), int64(c)}) {
				return
			}
		}
		if d.zero > 0 && !yield(DDBin{0, 0, int64(d.zero)}) {
			return
		}
		for i, c := range d.pos.counts {
			key := d.pos.base + i
			if c > 0 && !yield(DDBin{key, d.value(key), int64(c)}) {
				return
			}
		}
	}
}

// Quantile returns the value of the first bin whose cumulative count exceeds
// q·(n − 1): within α of the order statistic floor(q·(n − 1)), counted from 0.
// It is not clamped to the range of the values.
// Errors: [ErrEmpty] without values, [ErrDomain] unless q lies in [0, 1].
func (d *DDSketch) Quantile(q float64) (float64, error) {
	if err := checkQ(q); err != nil {
		return 0, err
	}
	if d.n == 0 {
		return 0, fmt.Errorf("quantile %v of no values: %w", q, ErrEmpty)
	}
	rank := q * float64(d.n-1)
	var cum uint64
	var v float64
	for b := range d.Bins() {
		v = b.Value
		if cum += uint64(b.Count); float64(cum) > rank {
			break
		}
	}
	return v, nil
}
