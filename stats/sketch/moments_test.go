package sketch

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestMeanVariance(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		exact := sketches([][]float64{xs}, 0)[0]
		binned := sketches([][]float64{xs}, HistogramOnly)[0]
		if len(xs) < 2 {
			for _, s := range []*Sketch{exact, binned} {
				if _, _, err := s.MeanVariance(); !errors.Is(err, stats.ErrTooFew) {
					t.Fatalf("%d values: %v", len(xs), err)
				}
			}
			return
		}
		wantMean, wantVar, err := stats.MeanVariance(xs)
		if err != nil {
			t.Skip("the variance overflows")
		}
		mean, variance, err := exact.MeanVariance()
		must(t, mean, err)
		size := math.Max(math.Abs(exact.Min()), math.Abs(exact.Max()))
		if math.Abs(mean-wantMean) > 1e-13*size || math.Abs(variance-wantVar) > 1e-12*size*size {
			t.Errorf("exact: %v, %v; want %v, %v", mean, variance, wantMean, wantVar)
		}
		if binned.RelativeError() > 0.1 {
			return // values that the bins cannot hold
		}
		// Each value moves by half a bin at the most.
		var moved float64
		for _, x := range xs {
			moved = math.Max(moved, binned.RelativeError()/2*math.Abs(x))
		}
		mean, variance, err = binned.MeanVariance()
		must(t, mean, err)
		if math.Abs(mean-wantMean) > moved+1e-13*size {
			t.Errorf("binned mean %v, want %v within %v", mean, wantMean, moved)
		}
		// sd moves by no more than the root mean square of the moves, by the
		// triangle inequality.
		slack := moved*math.Sqrt(float64(len(xs))/float64(len(xs)-1)) + 1e-7*size
		if math.Abs(math.Sqrt(variance)-math.Sqrt(wantVar)) > slack {
			t.Errorf("binned sd %v, want %v within %v", math.Sqrt(variance), math.Sqrt(wantVar), slack)
		}
	})
}

func TestOrderStatistic(t *testing.T) {
	xs := draws(35, 2000, shapes[0].draw)
	sorted := slices.Sorted(slices.Values(xs))
	exact, binned := sketches([][]float64{xs}, 0)[0], sketches([][]float64{xs}, HistogramOnly)[0]
	for _, rank := range []int64{1, 2, 1000, 1999, 2000} {
		v, err := exact.OrderStatistic(rank)
		if must(t, v, err); v != sorted[rank-1] {
			t.Errorf("rank %d: %v, want %v", rank, v, sorted[rank-1])
		}
		v, err = binned.OrderStatistic(rank)
		if must(t, v, err); math.Abs(v-sorted[rank-1]) > 1.0001*binned.RelativeError()*sorted[rank-1] {
			t.Errorf("binned, rank %d: %v, want %v within a bin", rank, v, sorted[rank-1])
		}
	}
	for _, s := range []*Sketch{exact, binned} {
		for _, rank := range []int64{0, -1, 2001} {
			if _, err := s.OrderStatistic(rank); !errors.Is(err, ErrDomain) {
				t.Errorf("rank %d: %v", rank, err)
			}
		}
	}
	if _, err := New(0).OrderStatistic(1); !errors.Is(err, ErrEmpty) {
		t.Errorf("no values: %v", err)
	}
}

func TestQuantileLimits(t *testing.T) {
	s := New(0)
	s.AddSlice([]float64{4, 1, 3, 2, 5})
	for _, c := range []struct{ lo, hi, wantLo, wantHi float64 }{
		{0.25, 0.75, 2, 4},
		{-0.1, 0.5, math.Inf(-1), 3},
		{0, 1, math.Inf(-1), math.Inf(1)},
		{0.5, 1.2, 3, math.Inf(1)},
		{1.1, 1.2, 5, math.Inf(1)},
		{-0.2, -0.1, math.Inf(-1), 1},
	} {
		lo, hi, err := s.QuantileLimits(c.lo, c.hi)
		if lo != c.wantLo || hi != c.wantHi || err != nil {
			t.Errorf("%v to %v: %v to %v, %v", c.lo, c.hi, lo, hi, err)
		}
	}
	if _, _, err := s.QuantileLimits(0.6, 0.5); !errors.Is(err, ErrDomain) {
		t.Errorf("reversed: %v", err)
	}
	if _, _, err := s.QuantileLimits(math.NaN(), 0.5); !errors.Is(err, ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
	if _, _, err := New(0).QuantileLimits(0.4, 0.5); !errors.Is(err, ErrEmpty) {
		t.Errorf("no values: %v", err)
	}
}
