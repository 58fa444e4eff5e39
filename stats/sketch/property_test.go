package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The order of values changes nothing, bit for bit.
func TestOrderOfValues(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		mixed := slices.Clone(xs)
		r := rand.New(rand.NewPCG(31, uint64(len(xs))))
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		sameHist(t, "shuffled", newHist(t, DefaultBits, mixed), newHist(t, DefaultBits, xs))
		for _, limit := range []int{0, HistogramOnly} {
			a, b := sketches([][]float64{xs}, limit)[0], sketches([][]float64{mixed}, limit)[0]
			sameSketch(t, "shuffled", a, b)
			for _, q := range levels {
				x, _ := a.Quantile(q)
				y, _ := b.Quantile(q)
				if x != y {
					t.Fatalf("q %v: %v and %v", q, x, y)
				}
			}
		}
	})
}

// Another unit scales the answers: exactly for a power of two, within the error
// for any other factor.
func TestUnit(t *testing.T) {
	xs := draws(33, 4000, shapes[0].draw)
	h := newHist(t, DefaultBits, xs)
	for _, factor := range []float64{0x1p-20, 8, 1e3, 1e-9, 1.0 / 3} {
		scaled := slices.Clone(xs)
		for i := range scaled {
			scaled[i] *= factor
		}
		o := newHist(t, DefaultBits, scaled)
		slack := 2 * h.RelativeError()
		if f, _ := math.Frexp(factor); f == 0.5 {
			slack = 0
		}
		for _, q := range levels {
			a, err := h.Quantile(q)
			must(t, a, err)
			b, err := o.Quantile(q)
			if must(t, b, err); math.Abs(b-factor*a) > slack*b {
				t.Errorf("factor %v q %v: %v, want %v", factor, q, b, factor*a)
			}
		}
	}
}

// Negated values have negated quantiles, in reverse.
func TestMirror(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		negated := slices.Clone(xs)
		for i := range negated {
			negated[i] = -negated[i]
		}
		for _, limit := range []int{0, HistogramOnly} {
			a, b := sketches([][]float64{xs}, limit)[0], sketches([][]float64{negated}, limit)[0]
			if a.Min() != -b.Max() || a.Max() != -b.Min() {
				t.Fatal("range")
			}
			for _, q := range []float64{0, 0.25, 0.5, 0.75, 1} {
				x, _ := a.Quantile(q)
				y, _ := b.Quantile(1 - q)
				_, magnitude := type7(sortedCopy(xs), q)
				if math.Abs(x+y) > 1e-9*max(magnitude, math.Abs(x))+1e-322 {
					t.Fatalf("limit %d n %d q %v: %v and %v", limit, len(xs), q, x, y)
				}
			}
		}
	})
}
