package sketch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// benchValues are latencies in seconds over about ten octaves.
func benchValues(n int) []float64 {
	return draws(99, n, func(r *rand.Rand) float64 { return 0.3 * math.Exp(0.8*r.NormFloat64()) })
}

func perValue(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
}

func BenchmarkAddSlice(b *testing.B) {
	shapes := map[string][]float64{
		"latencies": benchValues(1 << 20),
		"constant":  draws(1, 1<<20, func(*rand.Rand) float64 { return 0.3 }),
		"signed":    draws(1, 1<<20, (*rand.Rand).NormFloat64),
		"zeros":     make([]float64, 1<<20),
	}
	for _, name := range []string{"latencies", "constant", "signed", "zeros"} {
		b.Run(name, func(b *testing.B) {
			h := NewHistogram()
			for b.Loop() {
				h.AddSlice(shapes[name])
			}
			perValue(b, 1<<20)
		})
	}
}

// Chunks of 8,192 values go to 30 histograms in turn, as row groups of 30 cells do.
func BenchmarkAddSlice30Chunks(b *testing.B) {
	vs, hs := benchValues(1<<20), make([]Histogram, 30)
	for b.Loop() {
		for i := 0; i < len(vs); i += 8192 {
			hs[i/8192%30].AddSlice(vs[i : i+8192])
		}
	}
	perValue(b, len(vs))
}

// Slices of 64 values, about what a chunk of mixed rows leaves for each cell.
func BenchmarkAddSlice30Short(b *testing.B) {
	vs, hs := benchValues(1<<20), make([]Histogram, 30)
	for b.Loop() {
		for i := 0; i < len(vs); i += 64 {
			hs[i/64%30].AddSlice(vs[i : i+64])
		}
	}
	perValue(b, len(vs))
}

// Every value goes to another histogram, at random.
func BenchmarkAdd30Interleaved(b *testing.B) {
	for _, bits := range []int{7, DefaultBits} {
		b.Run(map[int]string{7: "bits7", DefaultBits: "bits10"}[bits], func(b *testing.B) {
			vs, hs := benchValues(1<<20), make([]*Histogram, 30)
			for i := range hs {
				hs[i] = newHist(b, bits, nil)
			}
			keys := make([]uint8, len(vs))
			r := rand.New(rand.NewPCG(1, 1))
			for i := range keys {
				keys[i] = uint8(r.IntN(len(hs)))
			}
			for b.Loop() {
				for i, v := range vs {
					hs[keys[i]].Add(v)
				}
			}
			perValue(b, len(vs))
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	vs := benchValues(1 << 20)
	h := NewHistogram()
	for b.Loop() {
		for _, v := range vs {
			h.Add(v)
		}
	}
	perValue(b, len(vs))
}

func BenchmarkSketchAddSlice(b *testing.B) {
	vs := benchValues(1 << 20)
	for b.Loop() {
		var s Sketch
		s.AddSlice(vs)
	}
	perValue(b, len(vs))
}

func BenchmarkSketchSort(b *testing.B) {
	vs := benchValues(DefaultLimit)
	var s Sketch
	for b.Loop() {
		s = Sketch{}
		s.AddSlice(vs)
		s.Sorted()
	}
	perValue(b, len(vs))
}

func BenchmarkMerge(b *testing.B) {
	x, y := newHist(b, DefaultBits, benchValues(1<<20)), NewHistogram()
	for b.Loop() {
		if err := y.Merge(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHistogramQuantile(b *testing.B) {
	h := newHist(b, DefaultBits, benchValues(1<<20))
	for b.Loop() {
		if _, err := h.Quantile(0.99); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSumAddSlice(b *testing.B) {
	for _, c := range []struct {
		name string
		vs   []float64
	}{{"latencies", benchValues(1 << 20)}, {"signed", draws(1, 1<<20, (*rand.Rand).NormFloat64)}} {
		b.Run(c.name, func(b *testing.B) {
			var s Sum
			for b.Loop() {
				s.AddSlice(c.vs)
			}
			perValue(b, len(c.vs))
		})
	}
}

func BenchmarkSumValue(b *testing.B) {
	var s Sum
	s.AddSlice(benchValues(1 << 10))
	for b.Loop() {
		s.Value()
	}
}

func BenchmarkMixture(b *testing.B) {
	for _, c := range []struct {
		name         string
		limit, sizes int
	}{{"exact", 0, 10000}, {"binned", HistogramOnly, 200000}} {
		var parts []*Sketch
		for k := range 10 {
			s := New(c.limit)
			s.AddSlice(benchValues(c.sizes + 1000*k))
			s.Sorted()
			parts = append(parts, s)
		}
		m, err := NewMixture(parts, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/new", func(b *testing.B) {
			for b.Loop() {
				if _, err := NewMixture(parts, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/quantile", func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Quantile(0.99); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/without", func(b *testing.B) {
			for b.Loop() {
				for k := range parts {
					if _, err := m.QuantileWithout(k, 0.99); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkDDSketchAdd(b *testing.B) {
	vs := benchValues(1 << 20)
	d := newDD(b, 0.005, nil)
	for b.Loop() {
		d.AddSlice(vs)
	}
	perValue(b, len(vs))
}
