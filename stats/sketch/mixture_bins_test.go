package sketch

import (
	"math"
	"math/rand/v2"
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

// Bins that hold one value each, in their middle, are averaged as those values are:
// bit for bit, whatever the range and whatever lies before it.
func TestBinsAreAveragedAsValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	mid := func(bin int32) float64 { return binMid(DefaultBits, bin) }
	for trial := range 200 {
		h := NewHistogram()
		var xs []float64
		var bins []int32
		from, share := binIndex(DefaultBits, 0.5), r.Float64()
		if trial%2 == 0 {
			from = binIndex(DefaultBits, -1.5) // over zero: the bins lie in several runs
			xs, bins = append(xs, mid(from), 0), append(bins, from, 0)
			from = binIndex(DefaultBits, 0.001)
		}
		for bin := from; bin < from+1000; bin++ {
			if r.Float64() < share {
				xs, bins = append(xs, mid(bin)), append(bins, bin)
			}
		}
		if len(xs) < 2 {
			continue
		}
		h.AddSlice(xs)
		part, values := binsOf(h), newValuePart(xs)
		for range 20 {
			a := r.IntN(len(xs))
			b := a + r.IntN(len(xs)-a)
			u := r.Float64()
			var got, want pieces
			part.between(bins[a], bins[b], u, mid, &got)
			values.between(a+1, max(b, a+1), u, &want)
			if got != want {
				t.Fatalf("trial %d, bins %d to %d of %d: %v, want %v", trial, a, b, len(xs), got, want)
			}
		}
	}
}
