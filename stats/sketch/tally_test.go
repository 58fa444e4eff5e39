package sketch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Values that are tallied give every sketch of every group what its own values
// alone give it, of every shape, however the sketches change in between.
func TestTally(t *testing.T) {
	const most = 5
	eachSample(t, func(t *testing.T, xs []float64) {
		for _, bits := range []int{4, 9, DefaultBits} {
			r := rand.New(rand.NewPCG(7, uint64(len(xs))))
			var tally Tally
			got, want := make([][]*Sketch, 3), make([][]*Sketch, 3)
			own := map[*Sketch][]float64{}
			for g := range got {
				for k := range most {
					got[g] = append(got[g], newSketch(t, 40*k-1, bits))
					want[g] = append(want[g], newSketch(t, 40*k-1, bits))
				}
			}
			for vs := xs; len(vs) > 0; {
				n := 1 + r.IntN(min(len(vs), 3000))
				for g := range got {
					to := make([]*Sketch, most) // some take no part, and places change
					for place, k := range r.Perm(most) {
						if r.IntN(4) > 0 {
							to[place] = got[g][k]
						}
					}
					tally.Bind(g, to)
					if g == 0 {
						tally.SetValues(vs[:n])
					}
					keys := make([]uint8, n)
					for i := range keys {
						keys[i] = NoSketch
						if k := r.IntN(most + 1); k < most && to[k] != nil {
							keys[i] = uint8(k)
							own[to[k]] = append(own[to[k]], vs[i])
						}
					}
					tally.Add(g, keys)
				}
				if vs = vs[n:]; r.IntN(5) == 0 {
					tally.Flush()
				}
			}
			tally.Flush()
			for g := range got {
				for k := range most {
					want[g][k].AddSlice(own[got[g][k]])
					sameSketch(t, "tallied", got[g][k], want[g][k])
				}
			}
		}
	})
}

// Numbers that are none, zeros, numbers beyond the bins of a tally, and more of
// the same than a byte counts.
func TestTallyOddities(t *testing.T) {
	vs := []float64{1, math.NaN(), 2, math.Inf(-1), math.Inf(1), math.Copysign(0, -1), 3, -4, 0x1p-70, 5, 0x1p70, 1e-9, 1e12, 6, 7}
	for range 1000 {
		vs = append(vs, 4)
	}
	got, want := newSketch(t, HistogramOnly, 9), newSketch(t, HistogramOnly, 9)
	var tally Tally
	for range 3 {
		tally.Bind(0, []*Sketch{nil, got})
		tally.SetValues(vs)
		keys := make([]uint8, len(vs))
		for i := range keys {
			keys[i] = 1
		}
		tally.Add(0, keys)
		want.AddSlice(vs)
		if tally.Flush(); got.N() == 0 {
			t.Error("nothing was tallied")
		}
		sameSketch(t, "odd", got, want)
	}
}

// Sketches of other layouts than the first take their values all the same, and
// writing to a sketch in between takes none of its counts.
func TestTallyLayouts(t *testing.T) {
	vs, bits := draws(1, 3000, func(r *rand.Rand) float64 { return 1 + 9*r.Float64() }), []int{9, 10, 9}
	got, want := make([]*Sketch, len(bits)), make([]*Sketch, len(bits))
	keys := make([]uint8, len(vs))
	for i := range keys {
		keys[i] = uint8(i % len(bits))
	}
	for k, n := range bits {
		got[k], want[k] = newSketch(t, HistogramOnly, n), newSketch(t, HistogramOnly, n)
	}
	var tally Tally
	for range 4 {
		tally.Bind(0, got)
		tally.SetValues(vs)
		tally.Add(0, keys)
		for i, v := range vs {
			want[keys[i]].Add(v)
		}
		for k := range got {
			got[k].AddSlice([]float64{0.5, 4, 11})
			want[k].AddSlice([]float64{0.5, 4, 11})
		}
	}
	tally.Flush()
	for k := range got {
		sameSketch(t, "layouts", got[k], want[k])
	}
}

// The rows of BenchmarkScatter, whose values go to 16 sketches of a group.
func BenchmarkTally(b *testing.B) {
	vs, to := benchValues(1<<20), make([]*Sketch, 16)
	for k := range to {
		to[k] = newSketch(b, HistogramOnly, 9)
		to[k].AddSlice(vs)
	}
	r := rand.New(rand.NewPCG(1, 1))
	keys := make([]uint8, len(vs))
	for i := range keys {
		keys[i] = uint8(r.IntN(len(to)))
	}
	var tally Tally
	for b.Loop() {
		for i := 0; i < len(vs); i += 8192 {
			tally.Bind(0, to)
			tally.SetValues(vs[i : i+8192])
			tally.Add(0, keys[i:i+8192])
		}
		tally.Flush()
	}
	perValue(b, len(vs))
}
