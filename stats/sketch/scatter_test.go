package sketch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Values that are scattered give every sketch what its own values alone give it,
// in slices of any length, beyond the limit, and of every shape.
func TestScatter(t *testing.T) {
	const most = 5
	eachSample(t, func(t *testing.T, xs []float64) {
		for _, bits := range []int{9, DefaultBits} {
			r := rand.New(rand.NewPCG(7, uint64(len(xs))))
			var s Scatter
			got, want := make([]*Sketch, most), make([]*Sketch, most)
			own := make([][]float64, most)
			for k := range got {
				got[k], want[k] = newSketch(t, 40*k-1, bits), newSketch(t, 40*k-1, bits)
			}
			got[2] = nil // its values are left out
			for vs := xs; len(vs) > 0; {
				n := 1 + r.IntN(min(len(vs), 3*keyBlock))
				keys, counts := make([]uint8, n), make([]int64, most+1)
				for i := range keys {
					k := r.IntN(most + 1)
					counts[k]++
					if keys[i] = uint8(k); k == most {
						keys[i] = NoSketch
						continue
					}
					own[k] = append(own[k], vs[i])
				}
				s.SetKeys(keys)
				for k := range most {
					if s.Count(k) != counts[k] {
						t.Fatalf("%d of %d keys are %d, not %d", counts[k], n, k, s.Count(k))
					}
				}
				s.AddSlice(got, vs[:n])
				vs = vs[n:]
			}
			for k := range got {
				if got[k] != nil {
					want[k].AddSlice(own[k])
					sameSketch(t, "scattered", got[k], want[k])
				}
			}
		}
	})
}

// Numbers that are none, zeros, and numbers without a bin of their own.
func TestScatterOddities(t *testing.T) {
	vs := []float64{1, math.NaN(), 2, math.Inf(-1), math.Copysign(0, -1), 3, -4, 0x1p-70, 5, 0x1p70, 6, 7}
	got, want := newSketch(t, HistogramOnly, 9), newSketch(t, HistogramOnly, 9)
	var s Scatter
	for range 3 {
		s.SetKeys(make([]uint8, len(vs)))
		s.AddSlice([]*Sketch{got}, vs)
		want.AddSlice(vs)
		sameSketch(t, "odd", got, want)
	}
}

// Sketches of several layouts, and one that takes part in some slices only.
func TestScatterLayouts(t *testing.T) {
	vs, bits := draws(1, 3000, func(r *rand.Rand) float64 { return 1 + 9*r.Float64() }), []int{9, 10, 9}
	vs[1] = math.Copysign(0, -1) // at 9 bits it has the key of 2 at 10 bits
	keys := make([]uint8, len(vs))
	got, want := make([]*Sketch, len(bits)), make([]*Sketch, len(bits))
	for i := range keys {
		keys[i] = uint8(i % len(bits))
	}
	for k, n := range bits {
		got[k], want[k] = newSketch(t, HistogramOnly, n), newSketch(t, HistogramOnly, n)
	}
	var s Scatter
	s.SetKeys(keys)
	for _, take := range []int{3, 3, 2, 1} {
		s.AddSlice(got[:take], vs)
		for i, v := range vs {
			if k := int(keys[i]); k < take {
				want[k].Add(v)
			}
		}
		for k := range got {
			sameSketch(t, "layouts", got[k], want[k])
		}
	}
}

// A count that passes 2^32 carries.
func TestScatterCarries(t *testing.T) {
	to := newSketch(t, HistogramOnly, 9)
	to.AddSlice([]float64{1, 2, 4})
	if err := to.hist.AddN(2, math.MaxUint32-1); err != nil {
		t.Fatal(err)
	}
	var s Scatter
	s.SetKeys([]uint8{0, 0})
	s.AddSlice([]*Sketch{to}, []float64{2, 2})
	if n := to.N(); n != 3+math.MaxUint32+1 {
		t.Errorf("%d values", n)
	}
	for b := range to.hist.Bins() {
		if b.Lower == 2 && b.Count != math.MaxUint32+2 {
			t.Errorf("%d values of 2", b.Count)
		}
	}
}

func newSketch(t testing.TB, limit, bits int) *Sketch {
	t.Helper()
	s, err := NewBits(limit, bits)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Rows of 8,192 values, each of which goes to one of 16 sketches, as the rows of
// a run go to its slices.
func BenchmarkScatter(b *testing.B) {
	vs, to := benchValues(1<<20), make([]*Sketch, 16)
	for k := range to {
		to[k] = newSketch(b, HistogramOnly, 9)
	}
	r := rand.New(rand.NewPCG(1, 1))
	keys := make([]uint8, len(vs))
	for i := range keys {
		keys[i] = uint8(r.IntN(len(to)))
	}
	var s Scatter
	for b.Loop() {
		for i := 0; i < len(vs); i += 8192 {
			s.SetKeys(keys[i : i+8192])
			s.AddSlice(to, vs[i:i+8192])
		}
	}
	perValue(b, len(vs))
}
