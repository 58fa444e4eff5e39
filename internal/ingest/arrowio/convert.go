package arrowio

import (
	"math"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// converter turns stored cells into the form a request asks for. It owns the
// slices it fills; they are good until its next call.
type converter struct {
	typ   cellType
	form  ingest.Form
	unit  ingest.Unit
	few   bool // words may be numbered by bytes
	words words

	floats []float64
	times  []int64
	ids    []int32
	state  []ingest.State
	marked bool // state is in use
	n      int  // cells of the batch

	spell   func([]byte, int64) []byte // how an integer cell is written as text
	wide    []int64
	narrow  []int32
	bytes   [][]byte
	words32 []int32
	offsets []int32

	// What the words of the dictionary are as numbers or times.
	tableGen  int
	tableNums []float64
	tableTime []int64
	tableStat []ingest.State
}

func newConverter(t cellType, r ingest.Request) *converter {
	return &converter{typ: t, form: r.Form, unit: r.Unit, few: r.Few, spell: t.speller()}
}

// begin starts a batch of n cells.
func (c *converter) begin(n int) {
	c.marked, c.n = false, n
	c.words.fresh()
	switch c.form {
	case ingest.Number, ingest.NumberList:
		c.floats = resize(c.floats, n)
	case ingest.Time:
		c.times = resize(c.times, n)
	case ingest.Text:
		c.ids = resize(c.ids, n)
	}
}

// end hands the batch over.
func (c *converter) end(n int, out *ingest.Column) {
	*out = ingest.Column{}
	if c.marked {
		out.State = c.state[:n]
	}
	switch c.form {
	case ingest.Number:
		out.Floats = c.floats[:n]
	case ingest.Time:
		out.Times = c.times[:n]
	case ingest.Text:
		out.IDs, out.Dict = c.ids[:n], c.words.dict
	case ingest.NumberList: // only a column of nulls comes here
		c.offsets = resize(c.offsets, n+1)
		clear(c.offsets)
		out.Offsets = c.offsets
	}
}

// resize returns n values of any content, in s if they fit.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

// states returns the states of the batch, all Present at first use.
func (c *converter) states() []ingest.State {
	if !c.marked {
		c.state = resize(c.state, c.n)
		clear(c.state)
		c.marked = true
	}
	return c.state
}

// number is a stored number that converts to float64 without help.
type number interface {
	int32 | int64 | float32 | float64
}

// scale fills dst with src in the base unit. dst and src may be the same.
func scale[T number](dst []float64, src []T, u ingest.Unit) {
	num, den := u.Factors()
	dst = dst[:len(src)]
	switch {
	case den > 1:
		for i, v := range src {
			dst[i] = float64(v) / den
		}
	case num > 1:
		for i, v := range src {
			dst[i] = float64(v) * num
		}
	default:
		for i, v := range src {
			dst[i] = float64(v)
		}
	}
}

// convertFloats converts the first len(v) cells of the batch.
func convertFloats[T float32 | float64](c *converter, v []T) {
	switch c.form {
	case ingest.Number, ingest.NumberList:
		scale(c.floats, v, c.unit)
	case ingest.Time:
		per := c.unit.Nanoseconds()
		for i, x := range v {
			ns, ok := floatNanos(float64(x), per)
			if !ok {
				c.states()[i] = ingest.Malformed
			}
			c.times[i] = ns
		}
	case ingest.Text:
		size := 64
		if _, ok := any(v).([]float32); ok {
			size = 32
		}
		for i, x := range v {
			c.ids[i] = c.words.number(int64(math.Float64bits(float64(x))), func(b []byte, _ int64) []byte {
				return spellFloat(b, float64(x), size)
			})
		}
	}
}

// scaling returns the unit that makes a number of a stored one; ok is false
// where it takes more than a unit.
func (c *converter) scaling(phys parquet.Type) (u ingest.Unit, ok bool) {
	if c.form != ingest.Number || c.typ.times > 1 {
		return u, false
	}
	switch phys {
	case parquet.Types.Float, parquet.Types.Double:
		return c.unit, true
	}
	switch c.typ.kind {
	case intCell:
		return c.unit, true
	case boolCell:
		return u, true
	case instantCell, dateCell, clockCell, durationCell:
		return c.typ.unit, true
	}
	return u, false
}

// convertInts converts the first len(v) cells of the batch.
func convertInts[T int32 | int64](c *converter, v []T) {
	numeric := c.form == ingest.Number || c.form == ingest.NumberList
	if numeric && c.typ.times <= 1 {
		switch c.typ.kind {
		case intCell:
			scale(c.floats, v, c.unit)
			return
		case boolCell:
			scale(c.floats, v, ingest.Unit{})
			return
		case instantCell, dateCell, clockCell, durationCell:
			scale(c.floats, v, c.typ.unit)
			return
		}
	}
	wide := widen(c, v)
	switch {
	case numeric:
		c.intNumbers(wide)
	case c.form == ingest.Time:
		c.intTimes(wide)
	case c.form == ingest.Text:
		for i, x := range wide {
			c.ids[i] = c.words.number(x, c.spell)
		}
	}
}

// widen extends integers to 64 bits, as their type has it.
func widen[T int32 | int64](c *converter, v []T) []int64 {
	if w, ok := any(v).([]int64); ok && c.typ.times <= 1 {
		return w
	}
	c.wide = resize(c.wide, len(v))
	narrow, is32 := any(v).([]int32)
	switch {
	case is32 && c.typ.kind == uintCell:
		for i, x := range narrow {
			c.wide[i] = int64(uint32(x))
		}
	default:
		times := max(c.typ.times, 1)
		for i, x := range v {
			c.wide[i] = int64(x) * times
		}
	}
	return c.wide
}

// intNumbers is for the types that scale alone cannot convert.
func (c *converter) intNumbers(v []int64) {
	dst := c.floats[:len(v)]
	switch c.typ.kind {
	case uintCell:
		for i, x := range v {
			dst[i] = float64(uint64(x))
		}
		scale(dst, dst, c.unit)
	case decimalCell:
		for i, x := range v {
			dst[i] = decimalFloat(x, c.typ.scale)
		}
		scale(dst, dst, c.unit)
	default:
		scale(dst, v, c.typ.unit)
	}
}

func (c *converter) intTimes(v []int64) {
	per := int64(1)
	switch c.typ.kind {
	case intCell, uintCell, decimalCell:
		per = int64(c.unit.Nanoseconds())
	default:
		per = int64(c.typ.unit.Nanoseconds())
	}
	if per == 1 && c.typ.kind != uintCell && c.typ.kind != decimalCell {
		if len(v) > 0 && &v[0] != &c.times[0] {
			copy(c.times, v)
		}
		return
	}
	limit := math.MaxInt64 / per
	for i, x := range v {
		if c.typ.kind == decimalCell {
			ns, ok := decimalNanos(x, c.typ.scale, per)
			if !ok {
				c.states()[i] = ingest.Malformed
			}
			c.times[i] = ns
			continue
		}
		if x > limit || x < -limit || x < 0 && c.typ.kind == uintCell { // beyond int64
			c.states()[i] = ingest.Malformed
			continue
		}
		c.times[i] = x * per
	}
}

// convertBigs converts decimals that are stored as big-endian bytes.
func (c *converter) convertBigs(v [][]byte) {
	for i, b := range v {
		switch c.form {
		case ingest.Number, ingest.NumberList:
			c.floats[i] = c.unit.ToBase(bigDecimalFloat(b, c.typ.scale))
		case ingest.Time:
			x, ok := smallDecimal(b)
			if ok {
				x, ok = decimalNanos(x, c.typ.scale, int64(c.unit.Nanoseconds()))
			}
			if !ok {
				c.states()[i] = ingest.Malformed
			}
			c.times[i] = x
		case ingest.Text:
			c.ids[i] = c.words.add([]byte(decimalText(bigDecimal(b).String(), c.typ.scale)))
		}
	}
}

// convertIDs converts texts given as indices into the dictionary.
func (c *converter) convertIDs(ids []int32) {
	if c.form == ingest.Text {
		copy(c.ids, ids) // ids may be c.ids
		if c.words.blanks > 0 {
			for i, id := range ids {
				if c.words.dict[id] == "" {
					c.states()[i] = ingest.Missing
				}
			}
		}
		return
	}
	c.extendTable()
	for i, id := range ids {
		if s := c.tableStat[id]; s != ingest.Present {
			c.states()[i] = s
		}
		if c.form == ingest.Time {
			c.times[i] = c.tableTime[id]
		} else {
			c.floats[i] = c.tableNums[id]
		}
	}
}

// extendTable parses the words that came to the dictionary since the last call.
func (c *converter) extendTable() {
	if c.tableGen != c.words.gen {
		c.tableGen = c.words.gen
		c.tableNums, c.tableTime, c.tableStat = c.tableNums[:0], c.tableTime[:0], c.tableStat[:0]
	}
	for _, s := range c.words.dict[len(c.tableStat):] {
		var v float64
		var ns int64
		var st ingest.State
		if c.form == ingest.Time {
			ns, st = parseTime(s, c.unit)
			c.tableTime = append(c.tableTime, ns)
		} else {
			v, st = parseNumber(s, c.unit)
			c.tableNums = append(c.tableNums, v)
		}
		c.tableStat = append(c.tableStat, st)
	}
}

// spread moves the first k converted cells to the places where present is
// true, and marks the others Missing.
func (c *converter) spread(present []bool, k int) {
	n := len(present)
	if k == n {
		return
	}
	was := c.marked
	st := c.states()
	for i := n - 1; i >= 0; i-- {
		if !present[i] {
			st[i] = ingest.Missing
			continue
		}
		k--
		switch c.form {
		case ingest.Number:
			c.floats[i] = c.floats[k]
		case ingest.Time:
			c.times[i] = c.times[k]
		case ingest.Text:
			c.ids[i] = c.ids[k]
		}
		if was {
			st[i] = st[k]
		} else {
			st[i] = ingest.Present
		}
	}
}
