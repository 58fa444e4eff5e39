package sketch

import (
	"math/rand/v2"
	"testing"
)

// What a query finds does not depend on the queries before it, nor on where the
// search begins.
func TestFoundBinsChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var parts []*Sketch
	for k := range 30 {
		s := newSketch(t, HistogramOnly, 9)
		s.AddSlice(draws(uint64(k), 50+r.IntN(3000), func(r *rand.Rand) float64 { return 0.1*float64(k%4) + r.ExpFloat64() }))
		parts = append(parts, s)
	}
	fresh := func() *Mixture {
		m, err := NewMixture(parts, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := fresh()
	for range 2000 {
		q := []float64{0, 0.01, 0.5, 0.9, 0.99, 0.999, 1, r.Float64()}[r.IntN(8)]
		if r.IntN(5) == 0 { // a guess that is far off
			m.found = &foundBins{}
			m.found.note(q, int32(r.IntN(1<<20)-1<<19))
		}
		var got, want float64
		var err, err2 error
		if r.IntN(2) == 0 {
			k := r.IntN(len(parts))
			got, err = m.QuantileWithout(k, q)
			want, err2 = fresh().QuantileWithout(k, q)
		} else {
			weights := make([]float64, len(parts))
			for i := range weights {
				weights[i] = float64(r.IntN(4))
			}
			re, e := m.Reweight(weights)
			re2, e2 := fresh().Reweight(weights)
			if e != nil || e2 != nil {
				t.Fatal(e, e2)
			}
			got, err = re.Quantile(q)
			want, err2 = re2.Quantile(q)
		}
		if err != nil || err2 != nil || got != want {
			t.Fatalf("q %v: %v, %v; want %v, %v", q, got, err, want, err2)
		}
	}
}
