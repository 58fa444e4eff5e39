package sketch

import (
	"fmt"
	"math"
)

// HDR is the log-linear histogram of integers that HdrHistogram made common: a
// value is rounded to a whole number u of units; bins are one unit wide while
// u < 2^(bits+1) and double their width with every octave from there. It exists
// to read and check the numbers of other tools, and has their conventions: a
// quantile is the middle of the bin that holds the rank ceil(q·n). For new data
// use [Histogram], which has no unit to choose and interpolates.
type HDR struct {
	unit float64
	h    Histogram
}

// maxUnits bounds the integers an HDR holds: the range where float64 has them all.
const maxUnits = 1 << 53

// NewHDR returns an empty histogram of the given unit with 2^bits bins an octave.
// Errors: [ErrDomain] unless bits lies in [1, MaxBits] and unit is positive and
// finite.
func NewHDR(bits int, unit float64) (*HDR, error) {
	if err := CheckBits(bits); err != nil {
		return nil, err
	}
	if !(unit > 0 && unit <= math.MaxFloat64) {
		return nil, fmt.Errorf("unit %v: want a positive finite number: %w", unit, ErrDomain)
	}
	d := &HDR{unit: unit}
	d.h.init(bits)
	return d, nil
}

// Add records one value. Values that are negative, not finite or of 2^53 units
// and more are counted by [HDR.Invalid] only.
func (d *HDR) Add(v float64) {
	u := math.Round(v / d.unit)
	if !(v >= 0 && u < maxUnits) {
		d.h.invalid++
		return
	}
	d.h.Add(u)
}

// AddSlice records every value of vs.
func (d *HDR) AddSlice(vs []float64) {
	for _, v := range vs {
		d.Add(v)
	}
}

// Merge adds the values of o, which stays as it is. A nil o has no values.
// Errors: [ErrLayout] if bits or units differ, [ErrOverflow] if the total would
// exceed int64.
func (d *HDR) Merge(o *HDR) error {
	if o == nil {
		return nil
	}
	if d.unit != o.unit {
		return fmt.Errorf("merge of units %v and %v: %w", d.unit, o.unit, ErrLayout)
	}
	return d.h.Merge(&o.h)
}

// Count returns the number of values recorded.
func (d *HDR) Count() int64 { return d.h.Count() }

// Invalid returns how many values Add refused.
func (d *HDR) Invalid() int64 { return d.h.Invalid() }

// RelativeError returns the bound of the error of a quantile against the value
// of rank ceil(q·n) in whole units: 2^-(bits+1).
func (d *HDR) RelativeError() float64 { return math.Ldexp(1, -d.h.Bits()-1) }

// Quantile returns the middle of the integers of the bin that holds the value of
// rank ceil(q·n), rank 1 for q = 0.
// Errors: [ErrEmpty] without values, [ErrDomain] unless q lies in [0, 1].
func (d *HDR) Quantile(q float64) (float64, error) {
	if err := checkQ(q); err != nil {
		return 0, err
	}
	if d.h.n == 0 {
		return 0, fmt.Errorf("quantile %v of no values: %w", q, ErrEmpty)
	}
	rank := ceilRank(q, d.h.n)
	var cum uint64
	var mid float64
	for b := range d.h.Bins() {
		mid = (b.Lower + max(b.Lower, b.Upper-1)) / 2
		if cum += uint64(b.Count); cum >= rank {
			break
		}
	}
	return mid * d.unit, nil
}

// ceilRank returns ceil(q·n) within [1, n], where a product that is whole but for
// its rounding counts as whole.
func ceilRank(q float64, n uint64) uint64 {
	const slack = 4e-16
	x := q * float64(n)
	r := math.Ceil(x * (1 - slack))
	return min(max(uint64(r), 1), n)
}
