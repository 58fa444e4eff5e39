package sketch

import (
	"math/rand/v2"
	"testing"
)

// What a sketch expects changes nothing of what it holds, and takes no more room
// than a few octaves beyond its own values.
func TestExpect(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		for _, other := range [][]float64{{1}, {0x1p-60, 0x1p60}, draws(4, 300, (*rand.Rand).ExpFloat64), {-1, 0}} {
			plain, s, o := newSketch(t, 20, 9), newSketch(t, 20, 9), newSketch(t, HistogramOnly, 9)
			o.AddSlice(other)
			s.Expect(o)
			s.AddSlice(xs)
			plain.AddSlice(xs)
			sameSketch(t, "expecting", s, plain)
			if s.hist == nil {
				continue
			}
			if room, least := len(s.hist.pos.lo), len(plain.hist.pos.lo); room > least+2*mostExpected<<9 {
				t.Errorf("room for %d bins, without expecting %d", room, least)
			}
		}
	})
	a, b := newSketch(t, 20, 9), newSketch(t, HistogramOnly, 10)
	b.AddSlice([]float64{1, 2})
	if a.Expect(b); a.expect.n != 0 {
		t.Error("expects bins of another layout")
	}
}
