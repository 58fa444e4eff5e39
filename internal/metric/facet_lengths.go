package metric

import (
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// cutColumn is a length as words: the numbers of its bins.
type cutColumn struct {
	ingest.Column
	memo   binMemo
	states []ingest.State
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
