package stats_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestRise(t *testing.T) {
	y := []float64{1, 2, 1.5, 3, 2}
	rise, e, err := stats.Rise(y)
	if err != nil {
		t.Fatal(err)
	}
	// By hand: Σ(x−½)(y−1.9) = 0.75, Σ(x−½)² = 0.625, so 1.2; what is left is
	// 2.2 − 0.75²/0.625 = 1.3, over 3 degrees of freedom and 0.625.
	if math.Abs(rise-1.2) > 1e-12 || math.Abs(e.SE-math.Sqrt(1.3/3/0.625)) > 1e-12 || e.DF != 3 {
		t.Errorf("rise %v, %+v", rise, e)
	}
	// A straight line rises by what it rises by, without error.
	if rise, e, err := stats.Rise([]float64{3, 5, 7, 9}); err != nil || math.Abs(rise-6) > 1e-12 || e.SE > 1e-12 {
		t.Errorf("a line: %v, %+v, %v", rise, e, err)
	}
	for _, bad := range [][]float64{nil, {1, 2}} {
		if _, _, err := stats.Rise(bad); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, _, err := stats.Rise([]float64{1, math.NaN(), 2}); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("NaN: %v", err)
	}
}

func TestBurstiness(t *testing.T) {
	even := make([]float64, 100)
	volleys := make([]float64, 100)
	random := make([]float64, 5000)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range even {
		even[i] = 3
		if i%5 == 0 {
			volleys[i] = 15
		}
	}
	for at := 0.0; ; {
		if at += rng.ExpFloat64() / 3; at >= float64(len(random)) {
			break
		}
		random[int(at)]++
	}
	for _, c := range []struct {
		why            string
		counts         []float64
		want, within   float64
		leastE, mostSE float64
	}{
		{"even", even, 0, 0, 0, 0},
		// The variance is that of 15 with probability 1/5: 36·100/99, and the mean 3.
		{"volleys", volleys, math.Sqrt(12 * 100.0 / 99), 1e-12, 0, 1e-9},
		// Of a Poisson process the index of dispersion has the variance 2/n, and its
		// root half of it.
		{"random", random, 1, 0.03, 0.005, 0.02},
		{"nothing", make([]float64, 100), 0, 0, 0, 0},
	} {
		v, e, err := stats.Burstiness(c.counts, 20)
		if err != nil || math.Abs(v-c.want) > c.within || e.SE < c.leastE || e.SE > c.mostSE || e.DF != 19 {
			t.Errorf("%s: %v, %+v, %v, want %v", c.why, v, e, err, c.want)
		}
	}
	for _, c := range []struct {
		counts    []float64
		stretches int
		want      error
	}{{even, 1, stats.ErrTooFew}, {even[:10], 20, stats.ErrTooFew}, {[]float64{1, -1}, 2, stats.ErrDomain}, {[]float64{1, math.Inf(1)}, 2, stats.ErrDomain}} {
		if _, _, err := stats.Burstiness(c.counts, c.stretches); !errors.Is(err, c.want) {
			t.Errorf("%v in %d: %v, want %v", c.counts[:2], c.stretches, err, c.want)
		}
	}
}

func TestMeanOfRuns(t *testing.T) {
	same := func(se, df float64, n int) (out []stats.StandardError) {
		for range n {
			out = append(out, stats.StandardError{SE: se, DF: df})
		}
		return out
	}
	for _, c := range []struct {
		why          string
		values       []float64
		errors       []stats.StandardError
		mean, se, df float64
	}{
		{"one run", []float64{2}, same(0.5, 7, 1), 2, 0.5, 7},
		{"runs that agree better than each is known", []float64{2, 2, 2}, same(0.6, 7, 3), 2, 0.6 / math.Sqrt(3), 21},
		{"runs that are known exactly", []float64{1, 2, 3}, same(0, 7, 3), 2, 1 / math.Sqrt(3), 2},
		// Half of the variance is between: 1/(¼/2 + ¼/21).
		{"runs that differ twice as much", []float64{1, 2, 3}, same(math.Sqrt(0.5), 7, 3), 2, 1 / math.Sqrt(3), 1 / (0.125 + 0.25/21)},
	} {
		mean, e, err := stats.MeanOfRuns(c.values, c.errors)
		if err != nil || math.Abs(mean-c.mean) > 1e-12 || math.Abs(e.SE-c.se) > 1e-12 || math.Abs(e.DF-c.df) > 1e-9 {
			t.Errorf("%s: %v, %+v, %v, want %v, %v, %v", c.why, mean, e, err, c.mean, c.se, c.df)
		}
	}
	if _, _, err := stats.MeanOfRuns([]float64{1}, nil); !errors.Is(err, stats.ErrMismatch) {
		t.Errorf("no errors: %v", err)
	}
	if _, _, err := stats.MeanOfRuns(nil, nil); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("no runs: %v", err)
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, _, err := stats.MeanOfRuns([]float64{1}, same(bad, 7, 1)); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("error %v: %v", bad, err)
		}
	}
}

func TestLogRateSE(t *testing.T) {
	for _, c := range []struct{ burst, n, want float64 }{{1, 100, 0.1}, {2, 400, 0.1}, {0, 5, 0}} {
		if got := stats.LogRateSE(c.burst, c.n); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v, %v: %v, want %v", c.burst, c.n, got, c.want)
		}
	}
	for _, c := range [][2]float64{{1, 0}, {1, -2}, {-1, 3}, {math.NaN(), 3}} {
		if got := stats.LogRateSE(c[0], c[1]); !math.IsNaN(got) {
			t.Errorf("%v: %v, want NaN", c, got)
		}
	}
}
