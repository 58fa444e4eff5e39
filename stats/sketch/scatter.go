package sketch

import "math"

const (
	// MaxScatter is how many sketches a [Scatter] tells apart.
	MaxScatter = 255
	// NoSketch is the key of a value that goes to none of them.
	NoSketch = 255
)

// Scatter records each of a row of values in one of several sketches, the value
// at i in the one whose number keys[i] is. A sketch then holds what
// [Sketch.AddSlice] of its own values would have given it, bit for bit, and the
// values need not be gathered by sketch before.
//
// The zero value has no keys. A Scatter is not safe for concurrent use.
type Scatter struct {
	keys    []uint8
	counts  keyCounts
	windows [MaxScatter + 1]window
	apart   keyCounts // values of the slice that were recorded one by one
	shift   uint      // of the windows: 52 − bits
	kept    [MaxScatter + 1]kept
	exact   bool // some sketch has kept values
}

// kept is the values of an exact sketch, with room for more.
type kept struct {
	xs []float64 // up to the room that there is
	n  int
}

// window is bins of a histogram whose values change nothing but counts.
type window struct {
	lo   []uint32
	base uint64 // key of lo[0]
}

// SetKeys sets the keys of the values to come, fewer than 2^31. It does not keep
// the slice.
func (s *Scatter) SetKeys(keys []uint8) {
	s.keys = append(s.keys[:0], keys...)
	countKeys(&s.counts, s.keys)
}

// CopyKeys sets the keys to those of o.
func (s *Scatter) CopyKeys(o *Scatter) {
	s.keys, s.counts = append(s.keys[:0], o.keys...), o.counts
}

// Drop leaves out the value at i: its key becomes [NoSketch].
func (s *Scatter) Drop(i int) {
	s.counts[s.keys[i]]--
	s.counts[NoSketch]++
	s.keys[i] = NoSketch
}

// Len returns how many keys there are, Key the one at i.
func (s *Scatter) Len() int        { return len(s.keys) }
func (s *Scatter) Key(i int) uint8 { return s.keys[i] }

// Count returns how many values have the key k.
func (s *Scatter) Count(k int) int64 { return int64(s.counts[k]) }

// AddSlice records as many values as there are keys: those of key k in to[k].
// What has no sketch there is left out.
func (s *Scatter) AddSlice(to []*Sketch, vs []float64) {
	s.shift, s.exact = 0, false
	for k, sk := range to {
		s.open(k, sk)
	}
	for at := 0; ; at++ {
		if s.exact {
			at += s.addMixed(s.keys[at:], vs[at:])
		} else {
			at += s.addRun(s.keys[at:], vs[at:])
		}
		if at == len(vs) {
			break
		}
		k := int(s.keys[at])
		if k >= len(to) || to[k] == nil {
			continue
		}
		s.add(k, to[k], vs[at])
	}
	for k, sk := range to {
		if sk == nil {
			continue
		}
		s.close(k, sk)
		if sk.hist != nil {
			sk.hist.n += uint64(s.counts[k] - s.apart[k])
		}
	}
	clear(s.windows[:len(to)])
	clear(s.apart[:len(to)])
}

// open sets the window of a sketch, if it is a histogram that has one, of the
// layout of the windows before; or gives it room for the values to come.
func (s *Scatter) open(k int, sk *Sketch) {
	if sk == nil {
		return
	}
	if sk.hist == nil {
		s.keep(k, sk)
		return
	}
	sk.own()
	h := sk.hist
	if s.shift == 0 {
		s.shift = h.shift
	}
	if h.shift != s.shift || h.pos.hi != nil || h.n+uint64(len(s.keys)) > math.MaxUint32 {
		return
	}
	w := &s.windows[k]
	w.lo, w.base = h.inner()
}

// keep gives an exact sketch room for the values of its key, or as many as its
// limit leaves.
func (s *Scatter) keep(k int, sk *Sketch) {
	limit := sk.Limit()
	if limit < 0 || s.counts[k] == 0 {
		return
	}
	sk.own()
	sk.sorted = false
	sk.xs = room(sk.xs, int(s.counts[k]), limit)
	s.kept[k] = kept{sk.xs[:min(cap(sk.xs), limit)], len(sk.xs)}
	s.exact = true
}

// close gives a sketch the values that were kept for it.
func (s *Scatter) close(k int, sk *Sketch) {
	e := &s.kept[k]
	if e.xs == nil {
		return
	}
	s.apart[k] += uint32(e.n - len(sk.xs))
	sk.xs = e.xs[:e.n]
	*e = kept{}
}

// add records a value that is neither in a window nor kept.
func (s *Scatter) add(k int, sk *Sketch, v float64) {
	s.close(k, sk)
	sk.Add(v)
	s.apart[k]++
	s.open(k, sk)
}

// addMixed is addRun where some sketches are exact: their values are kept until
// one has no room, or is none.
//
//go:noinline
func (s *Scatter) addMixed(keys []uint8, vs []float64) int {
	shift := s.shift & 63
	windows := &s.windows
	keys = keys[:len(vs)]
	for j, v := range vs {
		w := &windows[keys[j]]
		if i := math.Float64bits(v)>>shift - w.base; i < uint64(len(w.lo)) {
			w.lo[i]++
			continue
		}
		e := &s.kept[keys[j]]
		if uint(e.n) >= uint(len(e.xs)) || v-v != 0 {
			return j
		}
		e.xs[e.n] = v + 0 // −0 + 0 = 0
		e.n++
	}
	return len(vs)
}

// addRun records values until one lies outside the window of its key and returns
// how many it recorded.
//
//go:noinline
func (s *Scatter) addRun(keys []uint8, vs []float64) int {
	shift := s.shift & 63
	windows := &s.windows
	keys = keys[:len(vs)]
	for j := range vs {
		w := &windows[keys[j]]
		i := math.Float64bits(vs[j])>>shift - w.base
		if i >= uint64(len(w.lo)) {
			return j
		}
		w.lo[i]++
	}
	return len(vs)
}
