package metric

import (
	"math"
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/stats/sketch"
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

// lengths keys n rows by the bin of a length; c is nil where the file has none. The
// keys are those of all frames so far.
func (p *facetKeys) lengths(c *ingest.Column, n int) {
	if p.has.few = p.fewLengths(c, n); p.has.few {
		p.has.at = false
		return
	}
	p.has.at = true
	for i := range p.at {
		p.at[i] = p.lengthAt(c, i)
	}
}

// fewLengths is lengths where bytes can number the keys; ok is false where not.
func (p *facetKeys) fewLengths(c *ingest.Column, n int) (ok bool) {
	if len(p.keys) > sketch.MaxScatter {
		return false
	}
	p.mem = slices.Grow(p.mem[:0], n)[:n]
	p.few = p.mem
	if p.known == nil {
		p.known = make([]uint8, knownLengths)
	}
	if c == nil || c.State != nil || c.Floats == nil {
		for i := range p.few {
			p.few[i] = uint8(p.lengthAt(c, i))
		}
		return len(p.keys) <= sketch.MaxScatter
	}
	known := (*[knownLengths]uint8)(p.known)
	for i, v := range c.Floats[:n] {
		k := uint(int(v))
		if k < knownLengths && float64(int(k)) == v && known[k] != 0 {
			p.few[i] = known[k] - 1
			continue
		}
		p.few[i] = uint8(p.length(v))
	}
	return len(p.keys) <= sketch.MaxScatter
}

// knownLengths is up to which length the key of a whole number is remembered: most
// lengths are that, and the bin of one takes a search.
const knownLengths = 1 << 17

// lengthAt returns the index of the key of a row.
func (p *facetKeys) lengthAt(c *ingest.Column, i int) int32 {
	if c == nil || c.StateAt(i) != ingest.Present {
		return p.id(Key{Bin: Unbinned})
	}
	return p.length(valueAt(c, i))
}

// length returns the index of the key of a length.
func (p *facetKeys) length(v float64) int32 {
	whole := v >= 0 && v < knownLengths && v == math.Trunc(v)
	if whole && p.known[int(v)] != 0 {
		return int32(p.known[int(v)]) - 1
	}
	key := Key{Bin: Unbinned}
	if bin, ok := p.bin(v); ok {
		key.Bin = bin
	}
	id := p.id(key)
	if whole && id < sketch.MaxScatter {
		p.known[int(v)] = uint8(id + 1)
	}
	return id
}

func valueAt(c *ingest.Column, i int) float64 {
	if c.Times != nil {
		return float64(c.Times[i])
	}
	return c.Floats[i]
}
