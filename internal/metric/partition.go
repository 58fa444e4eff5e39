package metric

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// partitioner numbers the rows of a frame by the key of each facet.
type partitioner struct {
	facets []facetKeys
	next   []int32
	rows   []int32
	byKey  [][]int32
}

// facetKeys is one facet of a frame.
type facetKeys struct {
	keys []Key
	ids  map[Key]int32
	at   []int32 // index of the key of each row, see rows
	few  []uint8 // the same, where the keys are few; see small
	has  struct{ at, few bool }
	same []int32 // index of the key of each combination of words
	numbering
	memo *binMemo
	cuts []cutColumn
	all  []*ingest.Column
}

// cutColumn is a length as words: the numbers of its bins.
type cutColumn struct {
	ingest.Column
	memo   binMemo
	states []ingest.State
}

// number finds the keys of the frame's rows, but of facets that were dropped.
func (p *partitioner) number(facets []Facet, dropped []bool, f *ingest.Frame) {
	if p.facets == nil {
		p.facets = make([]facetKeys, len(facets))
	}
	first := 0 // of the facet's columns among the words of the frame
	for k := range facets {
		facet, keys := &facets[k], &p.facets[k]
		cols := f.Words[first : first+len(facet.Columns)]
		first += len(facet.Columns)
		if dropped[k] {
			continue
		}
		if keys.ids == nil {
			keys.ids = map[Key]int32{}
			keys.memo = &binMemo{of: facet.Bin}
		}
		clear(keys.ids)
		keys.keys = keys.keys[:0]
		keys.at = slices.Grow(keys.at[:0], f.N)[:f.N]
		keys.has.at, keys.has.few = true, false
		if len(cols) == 1 && facet.Cuts == nil && keys.column(cols[0], f.N) {
			continue
		}
		switch {
		case facet.byLength():
			keys.lengths(f.Col(facet.Length.field()))
		case facet.Cuts == nil:
			keys.words(cols)
		default:
			keys.words(keys.crossed(facet, f, cols))
		}
	}
}

// words keys rows by the words of columns.
func (p *facetKeys) words(cols []*ingest.Column) {
	p.numbering.number(p.at, cols...)
	p.same = p.same[:0]
	parts := make([]string, len(cols))
	twice := false
	for j := range p.n {
		for i, c := range cols {
			parts[i] = word(c, p.code(j, i))
		}
		id := p.id(Key{Text: strings.Join(parts, wordSeparator)})
		twice = twice || int(id) != j
		p.same = append(p.same, id)
	}
	if twice { // a dictionary has a word more than once
		for i, j := range p.at {
			p.at[i] = p.same[j]
		}
	}
}

// column keys n rows by the words of a column, where they are few and every row
// has one; ok is false where not.
func (p *facetKeys) column(c *ingest.Column, n int) (ok bool) {
	if c == nil || c.State != nil || len(c.Dict) > sketch.MaxScatter {
		return false
	}
	p.few = slices.Grow(p.few[:0], n)[:n]
	for i, word := range c.IDs[:n] {
		p.few[i] = uint8(word)
	}
	p.has.at, p.has.few = false, true
	var ids [sketch.MaxScatter]uint8 // of the words
	twice := false
	for word, text := range c.Dict {
		ids[word] = uint8(p.id(Key{Text: text}))
		twice = twice || int(ids[word]) != word
	}
	if twice { // a dictionary has a word more than once
		for i, word := range p.few {
			p.few[i] = ids[word]
		}
	}
	return true
}

// rows returns the index of the key of each row.
func (p *facetKeys) rows() []int32 {
	if !p.has.at {
		for i, k := range p.few {
			p.at[i] = int32(k)
		}
		p.has.at = true
	}
	return p.at
}

// small returns the index of the key of each row, of which there are at most
// [sketch.MaxScatter].
func (p *facetKeys) small() []uint8 {
	if !p.has.few {
		p.few = slices.Grow(p.few[:0], len(p.at))[:len(p.at)]
		for i, k := range p.at {
			p.few[i] = uint8(k)
		}
		p.has.few = true
	}
	return p.few
}

// key returns the key of a row.
func (p *facetKeys) key(row int32) Key {
	if p.has.at {
		return p.keys[p.at[row]]
	}
	return p.keys[p.few[row]]
}

// crossed puts the bins of the cuts, as words, before the columns.
func (p *facetKeys) crossed(facet *Facet, f *ingest.Frame, cols []*ingest.Column) []*ingest.Column {
	if p.cuts == nil {
		p.cuts = make([]cutColumn, len(facet.Cuts))
		for i := range p.cuts {
			p.cuts[i].memo.of = facet.Cuts[i].Bin
		}
	}
	p.all = p.all[:0]
	for i := range p.cuts {
		p.cuts[i].read(f.Col(facet.Cuts[i].Length.field()), f.N)
		p.all = append(p.all, &p.cuts[i].Column)
	}
	return append(p.all, cols...)
}

// read fills in the bins of n rows of a length; c is nil where the file has none.
func (k *cutColumn) read(c *ingest.Column, n int) {
	k.IDs, k.states = slices.Grow(k.IDs[:0], n)[:n], slices.Grow(k.states[:0], n)[:n]
	k.State = k.states
	for i := range n {
		k.IDs[i], k.states[i] = 0, ingest.Missing
		if c == nil || c.StateAt(i) != ingest.Present {
			continue
		}
		b, ok := k.memo.bin(valueAt(c, i))
		if !ok || b < 0 {
			continue
		}
		for len(k.Dict) <= b {
			k.Dict = append(k.Dict, strconv.Itoa(len(k.Dict)))
		}
		k.IDs[i], k.states[i] = int32(b), ingest.Present
	}
}

// lengths keys rows by the bin of a length; c is nil where the file has none.
func (p *facetKeys) lengths(c *ingest.Column) {
	var ids [64]int32 // index + 1 of the key of a small bin
	for i := range p.at {
		bin := Unbinned
		if c != nil && c.StateAt(i) == ingest.Present {
			if b, ok := p.memo.bin(valueAt(c, i)); ok {
				bin = b
			}
		}
		if bin >= 0 && bin < len(ids) {
			if ids[bin] == 0 {
				ids[bin] = p.id(Key{Bin: bin}) + 1
			}
			p.at[i] = ids[bin] - 1
			continue
		}
		p.at[i] = p.id(Key{Bin: bin})
	}
}

func valueAt(c *ingest.Column, i int) float64 {
	if c.Times != nil {
		return float64(c.Times[i])
	}
	return c.Floats[i]
}

func (p *facetKeys) id(k Key) int32 {
	id, ok := p.ids[k]
	if !ok {
		id = int32(len(p.keys))
		p.ids[k] = id
		p.keys = append(p.keys, k)
	}
	return id
}

// only returns the key that all good rows have; one is false where they have
// several, or where there is none.
func (p *facetKeys) only(good rows) (key Key, one bool) {
	if p.has.at {
		return onlyOf(p.keys, p.at, good)
	}
	return onlyOf(p.keys, p.few, good)
}

func onlyOf[T uint8 | int32](keys []Key, at []T, good rows) (key Key, one bool) {
	var first T
	switch {
	case len(good.list) > 0:
		first = at[good.list[0]]
	case len(good.spans) > 0:
		first = at[good.spans[0].lo]
	default:
		return key, false
	}
	for _, i := range good.list {
		if at[i] != first {
			return key, false
		}
	}
	for _, s := range good.spans {
		for _, k := range at[s.lo:s.hi] {
			if k != first {
				return key, false
			}
		}
	}
	return keys[first], true
}

// maxRegions is the number of keys up to which each has room for all rows, so
// that the rows need not be counted before they are sorted.
const maxRegions = 64

// sort returns the good rows of a group by key; good until the next call.
func (p *partitioner) sort(keys *facetKeys, good rows) (byKey [][]int32) {
	n, m, at := len(keys.keys), good.len(), keys.rows()
	p.next = slices.Grow(p.next[:0], 2*n)[:2*n]
	from, next := p.next[:n], p.next[n:]
	if n <= maxRegions {
		p.rows = slices.Grow(p.rows[:0], n*m)[:n*m]
		for j := range from {
			from[j] = int32(j * m)
		}
	} else {
		p.rows = slices.Grow(p.rows[:0], m)[:m]
		clear(next)
		for _, i := range good.list {
			next[at[i]]++
		}
		for _, s := range good.spans {
			for _, k := range at[s.lo:s.hi] {
				next[k]++
			}
		}
		total := int32(0)
		for j, k := range next {
			from[j] = total
			total += k
		}
	}
	copy(next, from)
	for _, i := range good.list {
		k := at[i]
		p.rows[next[k]] = i
		next[k]++
	}
	for _, s := range good.spans {
		for i, k := range at[s.lo:s.hi] {
			p.rows[next[k]] = int32(s.lo + i)
			next[k]++
		}
	}
	p.byKey = p.byKey[:0]
	for j := range from {
		p.byKey = append(p.byKey, p.rows[from[j]:next[j]])
	}
	return p.byKey
}
