package sketch

import (
	"fmt"
	"math"
)

// Table is a histogram or an exact sketch as rows, for storage in a columnar
// file or for a query that counts where the data live. It is the whole state
// but for the limit of a sketch.
type Table struct {
	Bits    int  // layout: 2^Bits bins an octave, see BinIndex
	Exact   bool // rows are distinct values, Lower = Upper, and not bins
	N       int64
	Invalid int64   // NaN and ±Inf given to Add; not in N
	Min     float64 // 0 if N = 0
	Max     float64 // 0 if N = 0
	// Rows have a positive Count and ascend: by Index in a histogram, by Lower
	// in an exact table, where Index is the bin that the value would go to.
	Rows []Bin
}

// Table returns the histogram as rows.
func (h *Histogram) Table() Table {
	t := Table{Bits: h.Bits(), N: h.Count(), Invalid: h.Invalid()}
	if h.n > 0 {
		t.Min, t.Max = h.min, h.max
		t.Rows = make([]Bin, 0, h.bins())
	}
	for b := range h.Bins() {
		t.Rows = append(t.Rows, b)
	}
	return t
}

// Table returns the sketch as rows: distinct values while it is exact, bins
// otherwise.
func (s *Sketch) Table() Table {
	if s.hist != nil {
		t := s.hist.Table()
		t.Invalid = s.Invalid()
		return t
	}
	t := Table{Bits: s.Bits(), Exact: true, N: s.N(), Invalid: s.invalid}
	for _, v := range s.Sorted() {
		if k := len(t.Rows); k > 0 && t.Rows[k-1].Lower == v {
			t.Rows[k-1].Count++
			continue
		}
		t.Rows = append(t.Rows, Bin{Index: binIndex(t.Bits, v), Lower: v, Upper: v, Count: 1})
	}
	if t.N > 0 {
		t.Min, t.Max = s.Min(), s.Max()
	}
	return t
}

// FromTable returns the histogram of a table, of either kind, after checking all
// of it. The memory it takes is bounded by the layout, whatever the counts are.
// Errors: [ErrDomain] for bits without a layout, [ErrOverflow] for counts whose
// sum exceeds int64, [ErrCorrupt] for anything else that contradicts itself: a
// count that is not positive, rows out of order, an index or edges that do not
// belong together, a total, minimum or maximum that is not that of the rows.
func FromTable(t Table) (*Histogram, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	h := new(Histogram)
	h.init(t.Bits)
	for _, r := range t.Rows {
		h.addBin(r.Index, uint64(r.Count))
	}
	if t.N > 0 {
		h.min, h.max = t.Min+0, t.Max+0 // −0 + 0 = 0
	}
	h.n, h.invalid = uint64(t.N), uint64(t.Invalid)
	return h, nil
}

// SketchFromTable returns the sketch of a table with a limit, which has the
// meaning it has in [New]: exact if the table is and holds no more values than
// the limit.
// Errors: as [FromTable].
func SketchFromTable(t Table, limit int) (*Sketch, error) {
	limit = normalLimit(limit)
	if !t.Exact || t.N > int64(max(limit, 0)) {
		h, err := FromTable(t)
		if err != nil {
			return nil, err
		}
		s := FromHistogram(h)
		s.limit = limit
		return s, nil
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	s := &Sketch{limit: limit, bits: t.Bits, invalid: t.Invalid, sorted: true}
	s.xs = make([]float64, 0, t.N)
	for _, r := range t.Rows {
		for range r.Count {
			s.xs = append(s.xs, r.Lower+0)
		}
	}
	return s, nil
}

// addBin adds c values to a bin; not to n, min and max.
func (h *Histogram) addBin(index int32, c uint64) {
	over := 2 + binsPerSide(h.Bits())
	switch index {
	case -over:
		h.negOver += c
	case -1:
		h.negUnder += c
	case 0:
		h.zero += c
	case 1:
		h.posUnder += c
	case over:
		h.posOver += c
	default:
		s, key := &h.pos, keyBase(h.Bits())+uint64(index-2)
		if index < 0 {
			s, key = &h.neg, keyBase(h.Bits())+uint64(-index-2)
		}
		s.reach(key, key, h.Bits())
		s.addN(key-s.base, c)
	}
}

// check returns an error unless the table could have been made by Table.
func (t *Table) check() error {
	if err := CheckBits(t.Bits); err != nil {
		return err
	}
	if t.N < 0 || t.Invalid < 0 {
		return fmt.Errorf("table of %d values and %d invalid: want no negative count: %w", t.N, t.Invalid, ErrCorrupt)
	}
	var n int64
	for i, r := range t.Rows {
		if r.Count <= 0 {
			return fmt.Errorf("row %d has count %d: want a positive one: %w", i, r.Count, ErrCorrupt)
		}
		if r.Count > math.MaxInt64-n {
			return fmt.Errorf("row %d: counts add up beyond the range: %w", i, ErrOverflow)
		}
		n += r.Count
		if err := t.checkRow(i); err != nil {
			return err
		}
	}
	if n != t.N {
		return fmt.Errorf("rows hold %d values, the table says %d: %w", n, t.N, ErrCorrupt)
	}
	if n == 0 {
		return nil
	}
	if !(t.Min <= t.Max) || n == 1 && t.Min != t.Max {
		return fmt.Errorf("minimum %v and maximum %v of %d values: %w", t.Min, t.Max, n, ErrCorrupt)
	}
	return t.checkEnds()
}

// checkRow checks the index, the edges and the order of row i.
func (t *Table) checkRow(i int) error {
	r := t.Rows[i]
	if t.Exact {
		index, ok := BinIndex(t.Bits, r.Lower)
		if !ok || r.Lower != r.Upper || r.Index != index {
			return fmt.Errorf("row %d: value %v to %v with index %d: %w", i, r.Lower, r.Upper, r.Index, ErrCorrupt)
		}
		if i > 0 && !(t.Rows[i-1].Lower < r.Lower) {
			return fmt.Errorf("row %d: value %v does not follow %v: %w", i, r.Lower, t.Rows[i-1].Lower, ErrCorrupt)
		}
		return nil
	}
	lower, upper, ok := BinEdges(t.Bits, r.Index)
	if !ok || r.Lower != lower || r.Upper != upper {
		return fmt.Errorf("row %d: index %d has edges %v and %v, not %v and %v: %w",
			i, r.Index, lower, upper, r.Lower, r.Upper, ErrCorrupt)
	}
	if i > 0 && t.Rows[i-1].Index >= r.Index {
		return fmt.Errorf("row %d: index %d does not follow %d: %w", i, r.Index, t.Rows[i-1].Index, ErrCorrupt)
	}
	return nil
}

// checkEnds checks that the minimum and the maximum lie in the outermost rows.
func (t *Table) checkEnds() error {
	first, last := t.Rows[0], t.Rows[len(t.Rows)-1]
	lo, ok1 := BinIndex(t.Bits, t.Min)
	hi, ok2 := BinIndex(t.Bits, t.Max)
	if !ok1 || !ok2 || lo != first.Index || hi != last.Index {
		return fmt.Errorf("minimum %v and maximum %v lie outside the first and the last row: %w", t.Min, t.Max, ErrCorrupt)
	}
	if t.Exact && (t.Min != first.Lower || t.Max != last.Lower) {
		return fmt.Errorf("minimum %v and maximum %v are not the first and the last value: %w", t.Min, t.Max, ErrCorrupt)
	}
	return nil
}
