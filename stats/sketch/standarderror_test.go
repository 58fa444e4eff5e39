package sketch

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestMeanError(t *testing.T) {
	var s Sketch
	x := []float64{3, 1, 4, 1, 5}
	s.AddSlice(x)
	want, err := stats.MeanT(x, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.MeanError(); err != nil || got != (stats.StandardError{SE: want.SE, DF: 4}) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	var one Sketch
	one.Add(1)
	if _, err := one.MeanError(); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("one value: %v", err)
	}
}

// The standard error of a lognormal quantile is known, and both kinds of sketch
// find it.
func TestQuantileError(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, limit := range []int{0, 64} {
		s := &Sketch{}
		if limit > 0 {
			s.SetLimit(limit)
		}
		const n = 40_000
		for range n {
			s.Add(math.Exp(1 + 0.5*r.NormFloat64()))
		}
		for _, q := range []float64{0.5, 0.95} {
			value, want, err := stats.LognormalQuantileSE(1, 0.5, q, n)
			if err != nil {
				t.Fatal(err)
			}
			natural, log, err := s.QuantileError(q, stats.ShareSE(q, n))
			if err != nil || math.Abs(natural/want-1) > 0.25 || math.Abs(log/(want/value)-1) > 0.25 {
				t.Errorf("limit %d, q %v: %v and %v, %v; want about %v and %v", limit, q, natural, log, err, want, want/value)
			}
			m, err := NewMixture([]*Sketch{s}, nil)
			if err != nil {
				t.Fatal(err)
			}
			v, l, err := m.QuantileError(q, 0.95)
			if err != nil || math.Abs(v.SE().SE/want-1) > 0.25 || math.Abs(l.SE().SE/(want/value)-1) > 0.25 {
				t.Errorf("mixture, limit %d, q %v: %+v and %+v, %v; want about %v", limit, q, v, l, err, want)
			}
			if want := 1.959964 * math.Sqrt(q*(1-q)*n); math.Abs(v.DF/want-1) > 1e-6 || l.DF != v.DF {
				t.Errorf("freedom %v, want half the values between the limits, %v", v.DF, want)
			}
		}
	}
}

func TestQuantileErrorBounds(t *testing.T) {
	s := &Sketch{}
	s.AddSlice([]float64{-2, -1, 0, 3, 8})
	if natural, log, err := s.QuantileError(0.9, 0.2); err != nil || !math.IsInf(natural, 1) || !math.IsInf(log, 1) {
		t.Errorf("beyond the values: %v, %v, %v", natural, log, err)
	}
	if natural, log, err := s.QuantileError(0.5, 0.25); err != nil || natural != 2 || !math.IsNaN(log) {
		t.Errorf("a limit below 0: %v, %v, %v", natural, log, err)
	}
	if _, _, err := s.QuantileError(0.5, -1); !errors.Is(err, ErrDomain) {
		t.Errorf("negative: %v", err)
	}
	if _, _, err := new(Sketch).QuantileError(0.5, 0.1); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	m, err := NewMixture([]*Sketch{s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, l, err := m.QuantileError(0.5, 0.99); err != nil || !math.IsNaN(v.Variance) || !math.IsNaN(l.Variance) {
		t.Errorf("five values bound nothing at that level: %+v, %+v, %v", v, l, err)
	}
	if v, l, err := m.QuantileError(0.5, 0.5); err != nil || !(v.Variance > 0) || !math.IsNaN(l.Variance) {
		t.Errorf("a limit below 0: %+v, %+v, %v", v, l, err)
	}
	if _, _, err := m.QuantileError(0.5, 1); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("level: %v", err)
	}
	if _, _, err := m.QuantileError(math.NaN(), 0.9); err == nil {
		t.Error("no level of a quantile is NaN")
	}
}
