package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// partitioner numbers the rows of a frame by the key of each facet.
type partitioner struct {
	facets []facetKeys
	next   []int32
	rows   []int32
	byKey  [][]int32
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
			keys.ids, keys.latest = map[Key]int32{}, map[Key]*Part{}
			keys.bin, keys.only = facet.Bin, facet.onlyKeys()
		}
		keys.at = slices.Grow(keys.at[:0], f.N)[:f.N]
		switch {
		case facet.byLength():
			keys.lengths(f.Col(facet.Length.field()), f.N)
		case facet.Cuts == nil && len(cols) == 1 && keys.column(cols[0], f.N):
		case facet.Cuts == nil:
			keys.words(facet, cols)
		default:
			keys.words(facet, keys.crossed(facet, f, cols))
		}
	}
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
