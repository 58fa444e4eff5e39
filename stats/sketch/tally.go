package sketch

import "math"

// MaxTally is how many sketches of a group a [Tally] tells apart.
const MaxTally = 64

// Tally records values in one sketch of each of several groups at a time, as
// [Scatter] does in one of a group, and is faster for many values of the same
// sketches: it counts them in a byte a bin, all bins near each other, and the
// sketches get the counts when it is flushed. What they hold then is what
// [Sketch.AddSlice] would have given them, bit for bit.
//
// The zero value has no groups. A Tally is not safe for concurrent use.
type Tally struct {
	shift  uint   // of the bins: 52 − bits; 0 where there are none
	base   uint64 // key of bin 0
	bins   []uint16
	values []float64
	groups []tallyGroup
}

// tallyGroup is the sketches of a group and the counts that they have not got.
type tallyGroup struct {
	to     []*Sketch
	counts []uint8 // by sketch and bin; alone, where a value is to be added alone
	inner  []innerBins
}

// innerBins are bins of a sketch whose values change nothing but counts.
type innerBins struct{ from, until int }

const (
	tallyBits = 13 // of the number of bins of a sketch
	tallyBins = 1 << tallyBits
	// alone marks bins whose values are added one by one. One more makes it 0,
	// and so does one more than 255 values: the two need a single test.
	alone = math.MaxUint8
)

// Bind says which sketches of a group the values go to from now on; nil is none.
// Sketches that it had of the group before get their counts, unless they stay.
func (t *Tally) Bind(group int, to []*Sketch) {
	for len(t.groups) <= group {
		t.groups = append(t.groups, tallyGroup{})
	}
	g := &t.groups[group]
	for k, sk := range to {
		if k == len(g.to) {
			g.to, g.inner = append(g.to, nil), append(g.inner, innerBins{})
			g.counts = append(g.counts, traps[:]...)
		}
		if sk == nil || g.to[k] == sk {
			continue
		}
		t.give(g, k)
		g.to[k] = sk
		t.open(g, k)
	}
}

// traps is the counts of a sketch without inner bins.
var traps = func() (c [tallyBins]uint8) {
	for i := range c {
		c[i] = alone
	}
	return c
}()

// SetValues sets the values to come. It keeps the slice.
func (t *Tally) SetValues(vs []float64) {
	t.values = vs
	if cap(t.bins) < len(vs) {
		t.bins = make([]uint16, len(vs))
	}
	t.bins = t.bins[:len(vs)]
	if t.shift == 0 {
		for _, g := range t.groups {
			for _, sk := range g.to {
				t.layOut(sk)
			}
		}
	}
	shift, base, bins := t.shift&63, t.base, t.bins
	for i, v := range vs {
		bins[i] = uint16(min(math.Float64bits(v)>>shift-base, tallyBins-1))
	}
}

// layOut puts the bins of the first histogram that has inner ones in the middle.
func (t *Tally) layOut(sk *Sketch) {
	if t.shift != 0 || sk == nil || sk.hist == nil {
		return
	}
	lo, base := sk.hist.inner()
	if len(lo) == 0 {
		return
	}
	t.shift = sk.hist.shift
	t.base = base - min(base, uint64(max(tallyBins-len(lo), 0)/2))
	for i := range t.groups {
		for k := range t.groups[i].to {
			t.open(&t.groups[i], k)
		}
	}
}

// Add records the values, each in the sketch of a group that its key says; a key
// that no sketch has leaves it out.
func (t *Tally) Add(group int, keys []uint8) {
	g := &t.groups[group]
	for at := 0; ; at++ {
		at += g.run(keys[at:], t.bins[at:])
		if at == len(t.bins) {
			return
		}
		if k := int(keys[at]); k < len(g.to) {
			t.single(g, k, int(t.bins[at]), t.values[at])
		}
	}
}

// run counts values until one is to be looked at and returns how many it counted.
//
//go:noinline
func (g *tallyGroup) run(keys []uint8, bins []uint16) int {
	counts := g.counts
	keys = keys[:len(bins)]
	for j, b := range bins {
		x := uint(keys[j])<<tallyBits | uint(b)
		if x >= uint(len(counts)) {
			return j
		}
		c := counts[x] + 1
		counts[x] = c
		if c == 0 {
			return j
		}
	}
	return len(bins)
}

// single records a value whose count has become 0.
func (t *Tally) single(g *tallyGroup, k, bin int, v float64) {
	sk, in := g.to[k], g.inner[k]
	if in.from <= bin && bin < in.until {
		sk.hist.addInner(t.base+uint64(bin), alone+1)
		return
	}
	g.counts[k<<tallyBits|bin] = alone
	if sk != nil {
		sk.Add(v)
		t.open(g, k)
	}
}

// open widens the inner bins of a sketch to those of its histogram.
func (t *Tally) open(g *tallyGroup, k int) {
	sk := g.to[k]
	if sk == nil || sk.hist == nil || sk.hist.shift != t.shift {
		return
	}
	lo, key := sk.hist.inner()
	first := int64(key - t.base)
	from, until := int(max(first, 0)), int(min(first+int64(len(lo)), tallyBins-1))
	in := &g.inner[k]
	if from >= until {
		return
	}
	row := g.counts[k<<tallyBits:][:tallyBins]
	if in.from == in.until {
		clear(row[from:until])
		*in = innerBins{from, until}
		return
	}
	if from < in.from {
		clear(row[from:in.from])
		in.from = from
	}
	if until > in.until {
		clear(row[in.until:until])
		in.until = until
	}
}

// Flush gives every sketch its counts and leaves the Tally without groups.
func (t *Tally) Flush() {
	for i := range t.groups {
		g := &t.groups[i]
		for k := range g.to {
			t.give(g, k)
			g.to[k] = nil
		}
	}
	t.shift, t.base, t.values = 0, 0, nil
}

// give gives a sketch its counts and leaves it without inner bins.
func (t *Tally) give(g *tallyGroup, k int) {
	in := g.inner[k]
	if in.from == in.until {
		return
	}
	row := g.counts[k<<tallyBits:][in.from:in.until]
	g.to[k].hist.addBytes(t.base+uint64(in.from), row)
	copy(row, traps[:])
	g.inner[k] = innerBins{}
}

// addInner adds n values to a positive bin between those of the minimum and of the
// maximum, by its key.
func (h *Histogram) addInner(key, n uint64) {
	h.pos.addN(key-h.pos.base, n)
	h.n += n
}

// addBytes is addInner for neighbouring bins, from that of a key on.
func (h *Histogram) addBytes(key uint64, counts []uint8) {
	first := key - h.pos.base
	lo := h.pos.lo[first : first+uint64(len(counts))]
	var n uint64
	for i, c := range counts {
		n += uint64(c)
		sum := lo[i] + uint32(c)
		lo[i] = sum
		if sum < uint32(c) {
			h.pos.carry(first+uint64(i), 1)
		}
	}
	h.n += n
}
