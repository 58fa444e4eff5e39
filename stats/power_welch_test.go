package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The method study behind this project simulated Welch's power at the change
// that the pooled test detects with power 0.8: .70 at 3 runs a side, .775 at 5,
// .793 at 10.
func TestRunsPowerWelch(t *testing.T) {
	for k, want := range map[int]float64{3: 0.70, 5: 0.775, 10: 0.793} {
		d, err := MDERuns(k, 1, 0.05, 0.8, TwoSided)
		if err != nil {
			t.Fatal(err)
		}
		p, err := RunsPowerWelch(k, 1, d, 0.025)
		if err != nil {
			t.Fatal(err)
		}
		within(t, fmt.Sprintf("power at %d runs", k), p, want, 0.006)
	}
	// Without a difference it is the size, which Welch's test keeps below alpha
	// with few runs; with many it is the power of the pooled test.
	for _, k := range []int{2, 3, 5, 200} {
		p, err := RunsPowerWelch(k, 3, 0, 0.025)
		if err != nil || p > 0.0255 || p < 0.005 {
			t.Errorf("size at %d runs: %v, %v", k, p, err)
		}
	}
	pooled, _ := RunsPower(500, 1, 0.15, 0.025, Greater)
	welch, _ := RunsPowerWelch(500, 1, 0.15, 0.025)
	within(t, "power at 500 runs", welch, pooled, 1e-5)
	last := 0.0
	for k := 2; k < 100; k++ {
		p, err := RunsPowerWelch(k, 2, 1, 0.025)
		if err != nil || p <= last {
			t.Errorf("power at %d runs: %v after %v, %v", k, p, last, err)
		}
		last = p
	}
	_, err := RunsPowerWelch(1, 1, 1, 0.025)
	wantError(t, "one run", err, ErrTooFew)
	for _, bad := range [][3]float64{{0, 1, 0.025}, {1, math.NaN(), 0.025}, {1, 1, 1}, {math.Inf(1), 1, 0.1}} {
		_, err := RunsPowerWelch(5, bad[0], bad[1], bad[2])
		wantError(t, fmt.Sprint(bad), err, ErrDomain)
	}
}

func TestRunsPowerWelchAgainstSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	const sims = 20000
	r := rand.New(rand.NewPCG(8, 1))
	for _, k := range []int{2, 4} {
		const distance = 2.5
		hits := 0
		x, y := make([]float64, k), make([]float64, k)
		for range sims {
			for i := range k {
				x[i], y[i] = r.NormFloat64(), r.NormFloat64()+distance
			}
			if est, err := Welch(x, y, 0.95); err == nil && est.Interval.Lo > 0 {
				hits++
			}
		}
		p, err := RunsPowerWelch(k, 1, distance, 0.025)
		if err != nil {
			t.Fatal(err)
		}
		within(t, fmt.Sprintf("power at %d runs", k), float64(hits)/sims, p, 4*math.Sqrt(p*(1-p)/sims))
	}
}

func TestMDETwoProportionsNI(t *testing.T) {
	for _, p := range []float64{0.5, 0.9, 0.999, 1} {
		for _, n := range []int{50, 1000, 100000} {
			m, err := MDETwoProportionsNI(p, n, 0.025, 0.8)
			if err != nil {
				t.Fatal(err)
			}
			size, err := NTwoProportionsNI(p, p, m, 0.025, 0.8)
			if err != nil || size.N != n {
				t.Errorf("rate %v: margin %v takes %d trials, want %d (%v)", p, m, size.N, n, err)
			}
		}
	}
	_, err := MDETwoProportionsNI(0.5, 0, 0.025, 0.8)
	wantError(t, "no trial", err, ErrTooFew)
	_, err = MDETwoProportionsNI(1.5, 10, 0.025, 0.8)
	wantError(t, "rate", err, ErrDomain)
}

func TestLognormalQuantileSD(t *testing.T) {
	// √(π/2) at the median of a normal.
	got, err := LognormalQuantileSD(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "median", got, math.Sqrt(math.Pi/2), 1e-14)
	_, err = LognormalQuantileSD(1, 1)
	wantError(t, "q", err, ErrDomain)
}

func ExampleRunsPowerWelch() {
	// Three runs a side and a change of three times the spread between runs.
	pooled, _ := RunsPower(3, 1, 3, 0.025, Greater)
	welch, _ := RunsPowerWelch(3, 1, 3, 0.025)
	fmt.Printf("%.2f %.2f\n", pooled, welch)
	// Output: 0.78 0.68
}

func ExampleMDETwoProportionsNI() {
	margin, _ := MDETwoProportionsNI(0.999, 10000, 0.025, 0.8)
	fmt.Printf("%.4f\n", margin)
	// Output: 0.0014
}
