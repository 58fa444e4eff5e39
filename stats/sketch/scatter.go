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
	counts  [MaxScatter + 1]uint32
	windows [MaxScatter + 1]window
	apart   [MaxScatter + 1]uint32 // values of the slice that were recorded one by one
	shift   uint                   // of the windows: 52 − bits
}

// window is bins of a histogram whose values change nothing but counts.
type window struct {
	lo   []uint32
	base uint64 // key of lo[0]
}

// SetKeys sets the keys of the values to come, fewer than 2^31. It keeps the
// slice.
func (s *Scatter) SetKeys(keys []uint8) {
	s.keys = keys
	if len(keys) < fewKeys {
		clear(s.counts[:])
		for _, k := range keys {
			s.counts[k]++
		}
		return
	}
	// Four tables, so that equal keys in a row do not wait for each other.
	var counts [4][MaxScatter + 1]uint32
	for ; len(keys) >= 4; keys = keys[4:] {
		k := (*[4]uint8)(keys)
		counts[0][k[0]]++
		counts[1][k[1]]++
		counts[2][k[2]]++
		counts[3][k[3]]++
	}
	for _, k := range keys {
		counts[0][k]++
	}
	for k := range s.counts {
		s.counts[k] = counts[0][k] + counts[1][k] + counts[2][k] + counts[3][k]
	}
}

// Count returns how many values have the key k.
func (s *Scatter) Count(k int) int64 { return int64(s.counts[k]) }

// fewKeys is up to how many keys one table counts faster than four.
const fewKeys = 1 << 10

// AddSlice records as many values as there are keys: those of key k in to[k].
// What has no sketch there is left out.
func (s *Scatter) AddSlice(to []*Sketch, vs []float64) {
	s.shift = 0
	for k, sk := range to {
		s.open(k, sk)
	}
	for at := 0; ; at++ {
		at += s.addRun(s.keys[at:], vs[at:])
		if at == len(vs) {
			break
		}
		k := int(s.keys[at])
		if k >= len(to) || to[k] == nil {
			continue
		}
		to[k].Add(vs[at])
		s.apart[k]++
		s.open(k, to[k])
	}
	for k, sk := range to {
		if sk != nil && sk.hist != nil {
			sk.hist.n += uint64(s.counts[k] - s.apart[k])
		}
	}
	clear(s.windows[:len(to)])
	clear(s.apart[:len(to)])
}

// open sets the window of a sketch, if it is a histogram that has one, of the
// layout of the windows before.
func (s *Scatter) open(k int, sk *Sketch) {
	if sk == nil || sk.hist == nil {
		return
	}
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
