package metric

import (
	"github.com/perfdiff/perfdiff/internal/ingest"
)

// facetKeys is one facet of a frame. Rows that belong to no part that is wanted have
// the index noKey or, as a byte, [sketch.NoSketch].
type facetKeys struct {
	keys   []Key
	ids    map[Key]int32
	only   map[Key]bool // the keys that are wanted; nil for all
	choose bool         // there are rows of others, which have no key
	at     []int32      // index of the key of each row, see rows
	few    []uint8      // the same, where the keys are few; see small
	mem    []uint8      // for few
	has    struct{ at, few bool }
	list   []int32 // see wanted

	dict    []string // the words of the column alone that keys are made of
	numbers []uint8  // index of the key of each
	asFound bool     // each has its own index

	wide [][]int32 // for the words of columns, see widen
	same []int32   // index of the key of each combination of words
	numbering
	bin   func(v float64) (bin int, ok bool)
	known []uint8 // index + 1 of the key of a length, 0 for not asked yet
	cuts  []cutColumn
	all   []*ingest.Column

	latest map[Key]*Part // of any unit

	unit  *Unit
	parts []*Part // of unit, by key; nil for those that nobody asked for yet
}

// words keys rows by the words of columns.
func (p *facetKeys) words(facet *Facet, cols []*ingest.Column) {
	p.widen(cols, len(p.at))
	p.clear()
	p.has.at, p.has.few, p.choose = true, false, p.only != nil
	p.numbering.number(p.at, cols...)
	p.same = p.same[:0]
	parts := make([]string, len(cols))
	alike := true
	for j := range p.n {
		for i, c := range cols {
			parts[i] = word(c, p.code(j, i))
		}
		id := int32(noKey)
		if !p.choose || p.only[facet.chooses(parts)] {
			id = p.index(WordsKey(parts...))
		}
		alike = alike && int(id) == j
		p.same = append(p.same, id)
	}
	if !alike { // a dictionary has a word more than once, or one that is not wanted
		for i, j := range p.at {
			p.at[i] = p.same[j]
		}
	}
}

// clear forgets the keys of the frame before.
func (p *facetKeys) clear() {
	clear(p.ids)
	p.keys, p.dict, p.unit = p.keys[:0], p.dict[:0], nil
}

// partsOf returns what is known of the parts of a unit, by key, to be filled in.
func (p *facetKeys) partsOf(u *Unit) []*Part {
	if p.unit != u {
		p.unit, p.parts = u, p.parts[:0]
	}
	for len(p.parts) < len(p.keys) {
		p.parts = append(p.parts, nil)
	}
	return p.parts
}

// noKey is the index of rows in no part that is wanted.
const noKey = -1

// id returns the index of a key, noKey for a part that is not wanted.
func (p *facetKeys) id(k Key) int32 {
	if p.choose && !p.only[k] {
		return noKey
	}
	return p.index(k)
}

// index returns the index of a key that is wanted.
func (p *facetKeys) index(k Key) int32 {
	id, ok := p.ids[k]
	if !ok {
		id = int32(len(p.keys))
		p.ids[k] = id
		p.keys = append(p.keys, k)
	}
	return id
}
