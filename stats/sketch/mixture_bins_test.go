package sketch

import (
	"math"
	"testing"
)

// Counts beyond 2^32 on both sides of zero, and between two values that share a
// rank: a mixture of one part answers as its histogram does.
func TestMixtureOfLargeCounts(t *testing.T) {
	h := NewHistogram()
	for _, v := range []struct {
		v float64
		n int64
	}{{-3, 5 << 32}, {-2.5, 7}, {-1, 1<<32 + 1}, {0, 1 << 33}, {2, 3 << 32}, {2.25, 1}, {40, 9<<32 + 2}} {
		if err := h.AddN(v.v, v.n); err != nil {
			t.Fatal(err)
		}
	}
	m, err := NewMixture([]*Sketch{FromHistogram(h)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1001 {
		q := float64(i) / 1000
		want, err := h.Quantile(q)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Quantile(q); err != nil || math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("q %v: %v, %v; want %v", q, got, err, want)
		}
		if got, want := m.CDF(want), h.CDF(want); math.Abs(got-want) > 1e-12 {
			t.Errorf("CDF of the quantile of %v: %v, want %v", q, got, want)
		}
	}
	// A rank that reaches from one value to another far away takes what lies between:
	// very many values of a part of little weight.
	low, high := NewHistogram(), NewHistogram()
	for _, v := range []float64{1, 1000} {
		low.Add(v)
	}
	if err := high.AddN(30, 6<<32); err != nil {
		t.Fatal(err)
	}
	m, err = NewMixture([]*Sketch{FromHistogram(low), FromHistogram(high)}, []float64{1, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	// The weights are 0.5 at 1, 0.2 at 30 and 0.5 at 1000; an effective value has
	// 0.5/1.2 of them, and the median is the mean over the middle one.
	unit := (0.5*0.5 + 0.5*0.5) / 1.2
	side := (unit - 0.2) / 2
	want := (side*1 + 0.2*30 + side*1000) / unit
	if got, err := m.Quantile(0.5); err != nil || math.Abs(got-want) > 1e-3*want {
		t.Errorf("the median of 1, many of 30, and 1000 is %v, %v; want %v", got, err, want)
	}
}
