package metric

import "math"

// binMemo remembers the bin of lengths: lengths are whole numbers, few of them
// are long, and the bin of one takes a logarithm.
type binMemo struct {
	of    func(float64) (int, bool)
	known []int32 // bin + memoShift of a length; least for none, 0 for not asked yet
}

const memoLengths = 1 << 17

func (m *binMemo) bin(v float64) (int, bool) {
	n := int(v)
	if !(v >= 0 && v < memoLengths) || float64(n) != v {
		return m.of(v)
	}
	if m.known == nil {
		m.known = make([]int32, memoLengths)
	}
	switch k := m.known[n]; k {
	case 0:
	case math.MinInt32:
		return 0, false
	default:
		return int(k) - memoShift, true
	}
	b, ok := m.of(v)
	switch {
	case !ok:
		m.known[n] = math.MinInt32
	case b > -memoShift && b < math.MaxInt32-memoShift:
		m.known[n] = int32(b + memoShift)
	}
	return b, ok
}

// memoShift keeps the bins of lengths from 0 on away from 0.
const memoShift = 1 << 20
