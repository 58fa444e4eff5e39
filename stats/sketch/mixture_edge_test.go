package sketch

import (
	"errors"
	"math"
	"sync"
	"testing"
)

func TestMixtureErrors(t *testing.T) {
	one, empty := New(0), New(0)
	one.Add(1)
	seven, _ := NewBits(HistogramOnly, 7)
	seven.Add(1)
	ten := New(HistogramOnly)
	ten.Add(1)
	cases := []struct {
		name    string
		parts   []*Sketch
		weights []float64
		want    error
	}{
		{"no parts", nil, nil, ErrEmpty},
		{"nil part", []*Sketch{nil}, nil, ErrEmpty},
		{"empty part with a vote", []*Sketch{one, empty}, nil, ErrEmpty},
		{"too few weights", []*Sketch{one, one}, []float64{1}, ErrDomain},
		{"negative", []*Sketch{one, one}, []float64{1, -1}, ErrDomain},
		{"NaN", []*Sketch{one, one}, []float64{1, math.NaN()}, ErrDomain},
		{"infinite", []*Sketch{one, one}, []float64{1, math.Inf(1)}, ErrDomain},
		{"all zero", []*Sketch{one, one}, []float64{0, 0}, ErrDomain},
		{"layouts", []*Sketch{seven, ten}, nil, ErrLayout},
	}
	for _, c := range cases {
		if m, err := NewMixture(c.parts, c.weights); !errors.Is(err, c.want) || m != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := NewPooled([]*Sketch{empty, nil}); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	m, err := NewMixture([]*Sketch{one, empty}, []float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []float64{-1, 2, math.NaN()} {
		if _, err := m.Quantile(q); !errors.Is(err, ErrDomain) {
			t.Errorf("q %v: %v", q, err)
		}
	}
	if _, err := m.QuantileWithout(0, 0.5); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if v, err := m.QuantileWithout(1, 0.5); err != nil || v != 1 {
		t.Error(v, err)
	}
	if _, err := m.Reweight(nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	// Exact parts take the layout of the histograms.
	if m, err := NewMixture([]*Sketch{one, seven}, nil); err != nil || m.Exact() || m.Parts() != 2 {
		t.Error(err)
	}
}

// Weights at the ends of float64 neither overflow nor vanish.
func TestMixtureExtremeWeights(t *testing.T) {
	ss := sketches([][]float64{{1, 2, 3}, {4, 5, 6}}, 0)
	for _, w := range []float64{5e-324, 1e-300, 1e300, math.MaxFloat64} {
		m, err := NewMixture(ss, []float64{w, w})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := m.Quantile(0.5); v != 3.5 {
			t.Errorf("weight %v: median %v", w, v)
		}
		uneven, err := m.Reweight([]float64{w, 1})
		if err != nil {
			t.Fatal(err)
		}
		v, err := uneven.Quantile(0.5)
		if want := map[bool]float64{true: 2, false: 5}[w > 1]; err != nil || v != want {
			t.Errorf("weights %v and 1: median %v, want %v", w, v, want)
		}
		if v, err := uneven.QuantileWithout(1, 0.5); err != nil || v != 2 {
			t.Errorf("weight %v alone: median %v", w, v)
		}
	}
}

// A mixture does not see what happens to its parts later, and may be read by
// many at once.
func TestMixtureIsFixed(t *testing.T) {
	for _, limit := range []int{0, HistogramOnly} {
		ss := sketches([][]float64{draws(1, 3000, shapes[0].draw), draws(2, 500, shapes[0].draw)}, limit)
		m, err := NewMixture(ss, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := m.Quantile(0.9)
		more := draws(3, 5000, shapes[0].draw)
		for _, write := range []func(at float64){
			func(float64) { ss[0].AddSlice(more) },
			func(at float64) { ss[0].Add(at) },
			func(float64) {
				if err := ss[0].Merge(ss[1]); err != nil {
					t.Error(err)
				}
			},
			func(float64) {
				var by Scatter
				by.SetKeys(make([]uint8, len(more)))
				by.AddSlice(ss[:1], more)
			},
		} {
			now, err := NewMixture(ss, nil)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := now.Quantile(0.9)
			write(before)
			if after, _ := now.Quantile(0.9); after != before {
				t.Errorf("limit %d: the quantile was %v, is %v", limit, before, after)
			}
		}
		ss[0].CDF(1)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got, err := m.Quantile(0.9); err != nil || got != want {
					t.Errorf("%v (%v), want %v", got, err, want)
				}
				if _, err := m.QuantileWithout(0, 0.5); err != nil {
					t.Error(err)
				}
			})
			// So may the parts.
			wg.Go(func() {
				if again, err := NewMixture(ss, nil); err != nil || again.Parts() != len(ss) {
					t.Error(again, err)
				}
			})
			wg.Go(func() {
				if c := ss[0].Clone(); c.N() != ss[0].N() {
					t.Errorf("a clone of %d values has %d", ss[0].N(), c.N())
				}
			})
		}
		wg.Wait()
	}
}
