package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMixtureInOrder holds that the order of the keys of many small parts saves
// work and changes no bit of a quantile.
func TestMixtureInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds(300) {
		parts := make([][]float64, fewParts+1+r.IntN(60))
		weights := make([]float64, len(parts))
		ties := math.Exp2(float64(r.IntN(12))) // rounding makes ties
		for k := range parts {
			weights[k] = float64(r.IntN(3))
			if ties > 64 {
				weights[k] *= r.Float64()
			}
			for range 1 + r.IntN(12) {
				parts[k] = append(parts[k], math.Round(r.NormFloat64()*ties)/ties)
			}
		}
		weights[0] = 1
		m, err := NewMixture(sketches(parts, 0), weights)
		if err != nil {
			t.Fatal(err)
		}
		if m.order == nil {
			t.Fatalf("no order of %d parts", len(parts))
		}
		plain := *m
		plain.order = nil
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.99, 1, r.Float64()} {
			for _, k := range []int{-1, 0, r.IntN(len(parts))} {
				got, errGot := m.quantile(k, q)
				want, errWant := plain.quantile(k, q)
				if got != want || (errGot == nil) != (errWant == nil) {
					t.Fatalf("%d parts without %d, q %v: %v (%v), searched %v (%v)", len(parts), k, q, got, errGot, want, errWant)
				}
			}
		}
	}
}

// TestMixtureNear holds that the values to try first are those that the search
// finds, so that they do save work.
func TestMixtureNear(t *testing.T) {
	order := []placed{{-3, 0}, {-2, 1}, {-2, 2}, {-1, 1}, {4, 0}, {4, 2}}
	u := []float64{1, 0, 1} // part 1 is left out: -3, -2, 4, 4
	for _, c := range []struct {
		a, b     float64
		atA, atB []float64
	}{
		{0, 1, []float64{-3}, []float64{-3}},
		{0.5, 1.5, []float64{-3}, []float64{-2, -3}},
		{1.5, 2.5, []float64{-2, -3}, []float64{4, -2}},
		{2.5, 4, []float64{4, -2}, []float64{4, -2}},
	} {
		atA, atB := near(order, u, 4, c.a, c.b)
		if !slices.Equal(atA, c.atA) || !slices.Equal(atB, c.atB) {
			t.Errorf("near %v and %v: %v and %v, want %v and %v", c.a, c.b, atA, atB, c.atA, c.atB)
		}
	}
}
