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

// mostKept is up to how many times as many words as are wanted all are recorded,
// until the end: the rows that are wanted take as long to choose as others to record.
const mostKept = 4

// column keys n rows by the words of a column, where the keys are few and every row
// has a word; ok is false where not.
func (p *facetKeys) column(c *ingest.Column, n int) (ok bool) {
	if c == nil || c.State != nil {
		return false
	}
	keys, kept := len(c.Dict), len(p.latest) // of this frame; of all before
	choose := p.only != nil && max(keys, kept) > min(mostKept*len(p.only), sketch.MaxScatter)
	if choose {
		keys = len(p.only)
	}
	if keys > sketch.MaxScatter {
		return false
	}
	if choose != p.choose {
		p.clear()
	}
	p.choose = choose
	p.read(c.Dict)
	p.has.at, p.has.few = false, true
	if p.asFound && c.Few != nil {
		p.few = c.Few
		return true
	}
	p.mem = slices.Grow(p.mem[:0], n)[:n]
	p.few = p.mem
	if c.Few != nil {
		for i, word := range c.Few[:n] {
			p.few[i] = p.numbers[word]
		}
		return true
	}
	for i, word := range c.IDs[:n] {
		p.few[i] = p.numbers[word]
	}
	return true
}

// read numbers the words of a dictionary, which is mostly that of the frame before.
func (p *facetKeys) read(dict []string) {
	if slices.Equal(p.dict, dict) {
		return
	}
	p.clear()
	p.dict, p.numbers, p.asFound = append(p.dict, dict...), p.numbers[:0], true
	for word, text := range dict {
		number := uint8(sketch.NoSketch)
		if id := p.id(WordsKey(text)); id != noKey {
			number = uint8(id)
		}
		p.numbers = append(p.numbers, number)
		p.asFound = p.asFound && int(number) == word
	}
}

// rows returns the index of the key of each row.
func (p *facetKeys) rows() []int32 {
	if !p.has.at {
		for i, k := range p.few {
			p.at[i] = int32(k)
			if k == sketch.NoSketch {
				p.at[i] = noKey
			}
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
			p.mem[i] = uint8(k) // that of noKey is NoSketch
		}
		p.few = p.mem
		p.has.few = true
	}
	return p.few
}

// key returns the key of a row; ok is false if it is in no part that is wanted.
func (p *facetKeys) key(row int32) (key Key, ok bool) {
	id := int32(noKey)
	switch {
	case p.has.at:
		id = p.at[row]
	case p.few[row] != sketch.NoSketch:
		id = int32(p.few[row])
	}
	if id == noKey {
		return Key{}, false
	}
	return p.keys[id], true
}

// wanted returns those of the rows that are in a part that is wanted; good until the
// next call.
func (p *facetKeys) wanted(good rows) rows {
	p.list = slices.Grow(p.list[:0], good.len()+1)[:good.len()+1]
	n := 0
	if p.has.few {
		for _, s := range good.spans {
			for i, k := range p.few[s.lo:s.hi] {
				p.list[n] = int32(s.lo + i)
				if k != sketch.NoSketch {
					n++
				}
			}
		}
		for _, i := range good.list {
			p.list[n] = i
			if p.few[i] != sketch.NoSketch {
				n++
			}
		}
		return rows{list: p.list[:n]}
	}
	good.each(func(i int) {
		p.list[n] = int32(i)
		if p.at[i] != noKey {
			n++
		}
	})
	return rows{list: p.list[:n]}
}

// sole returns the key that all good rows have; one is false where they have
// several, or where there is none.
func (p *facetKeys) sole(good rows) (key Key, one bool) {
	if p.has.at {
		return soleOf(p.keys, p.at, good)
	}
	return soleOf(p.keys, p.few, good)
}

func soleOf[T uint8 | int32](keys []Key, at []T, good rows) (key Key, one bool) {
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
