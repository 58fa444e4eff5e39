package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// widen gives columns whose words are numbered by bytes the numbers that others have.
func (p *facetKeys) widen(cols []*ingest.Column, n int) {
	if p.wide == nil {
		p.wide = make([][]int32, len(cols))
	}
	for i, c := range cols {
		if c == nil || c.Few == nil {
			continue
		}
		p.wide[i] = slices.Grow(p.wide[i][:0], n)[:n]
		for row, word := range c.Few[:n] {
			p.wide[i][row] = int32(word)
		}
		c.IDs, c.Few = p.wide[i], nil
	}
}

// column keys n rows by the words of a column, where they are few and every row
// has one; ok is false where not.
func (p *facetKeys) column(c *ingest.Column, n int) (ok bool) {
	if c == nil || c.State != nil || len(c.Dict) > sketch.MaxScatter {
		return false
	}
	if p.few = c.Few; c.Few == nil {
		p.mem = slices.Grow(p.mem[:0], n)[:n]
		p.few = p.mem
		for i, word := range c.IDs[:n] {
			p.few[i] = uint8(word)
		}
	}
	p.has.at, p.has.few = false, true
	if p.areWords(c.Dict) { // as of most frames
		return true
	}
	p.clear()
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

// areWords reports whether the keys are those of the words of a dictionary, in
// its order.
func (p *facetKeys) areWords(dict []string) bool {
	if len(dict) != len(p.keys) {
		return false
	}
	for i, text := range dict {
		if p.keys[i] != (Key{Text: text}) {
			return false
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
		p.mem = slices.Grow(p.mem[:0], len(p.at))[:len(p.at)]
		for i, k := range p.at {
			p.mem[i] = uint8(k)
		}
		p.few = p.mem
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
