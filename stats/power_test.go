package stats

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// agrees reports whether two numbers agree to a relative or absolute tolerance.
func agrees(a, b, tol float64) bool {
	return a == b || math.Abs(a-b) <= tol*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func TestMDE(t *testing.T) {
	// t_{.95,8} = 1.859548, t_{.8,8} = 0.888890 (R qt).
	if got := MDE(2, 8, 0.05, 0.8); !agrees(got, 2*(1.8595480375+0.8888895178), 1e-8) {
		t.Errorf("MDE = %v", got)
	}
	if got := MDE(1, math.Inf(1), 0.025, 0.8); !agrees(got, 1.959963985+0.841621234, 1e-8) {
		t.Errorf("normal MDE = %v", got)
	}
	if got := MDE(0, 8, 0.05, 0.8); got != 0 {
		t.Errorf("MDE without error = %v, want 0", got)
	}
	if got := MDE(math.Inf(1), 8, 0.05, 0.8); !math.IsInf(got, 1) {
		t.Errorf("MDE with infinite error = %v", got)
	}
	for _, bad := range [][4]float64{{-1, 8, .05, .8}, {1, 0, .05, .8}, {1, 8, 0, .8}, {1, 8, .05, 1}, {1, 8, .05, .05}, {math.NaN(), 8, .05, .8}} {
		if got := MDE(bad[0], bad[1], bad[2], bad[3]); !math.IsNaN(got) {
			t.Errorf("MDE(%v) = %v, want NaN", bad, got)
		}
	}
}

func TestTTestPower(t *testing.T) {
	tests := []struct {
		why       string
		ncp, df   float64
		alpha     float64
		alt       Alternative
		want, tol float64
	}{
		// scipy 1.17: nct.sf(t.isf(.05, 8), 8, 2)
		{"one-sided", 2, 8, 0.05, Greater, 0.5725114371679589, 1e-9},
		{"mirror", -2, 8, 0.05, Less, 0.5725114371679589, 1e-9},
		// 1 − Φ(z_.95 − 2)
		{"normal", 2, math.Inf(1), 0.05, Greater, 0.6387600313, 1e-8},
		{"no effect gives the level", 0, 5, 0.05, TwoSided, 0.05, 1e-12},
		{"certain", 1e6, 2, 0.05, Greater, 1, 0},
		{"hopeless", -1e6, 2, 0.05, Greater, 0, 0},
	}
	for _, tt := range tests {
		got, err := TTestPower(tt.ncp, tt.df, tt.alpha, tt.alt)
		if err != nil || !agrees(got, tt.want, tt.tol) {
			t.Errorf("%s: %v, %v, want %v", tt.why, got, err, tt.want)
		}
	}
	for _, bad := range []struct{ ncp, df, alpha float64 }{{math.NaN(), 5, .05}, {math.Inf(1), 5, .05}, {1, 0, .05}, {1, 5, 0}, {1, 5, 1}} {
		if _, err := TTestPower(bad.ncp, bad.df, bad.alpha, TwoSided); !errors.Is(err, ErrDomain) {
			t.Errorf("%v: error %v, want ErrDomain", bad, err)
		}
	}
	if _, err := TTestPower(1, 5, 0.05, Alternative(9)); !errors.Is(err, ErrDomain) {
		t.Errorf("unknown alternative: %v", err)
	}
	last := 0.0
	for ncp := -5.0; ncp < 60; ncp += 0.25 {
		p, err := TTestPower(ncp, 3, 0.05, Greater)
		if err != nil || p < last-1e-12 || p > 1 {
			t.Fatalf("power at %v is %v after %v, %v: must grow and stay in [0, 1]", ncp, p, last, err)
		}
		last = p
	}
}

func TestTOSTPower(t *testing.T) {
	// Integrals over the chi density by scipy.integrate.quad.
	tests := []struct{ se, df, lo, hi, diff, alpha, want float64 }{
		{1, 5, -3, 3, 0, 0.05, 0.6546681755343385},
		{0.5, 1, -3, 3, 0.5, 0.05, 0.5524867389575471},
		{0.1, 1000, -0.3, 0.3, 0.05, 0.025, 0.6423985513445567},
		{1, 3, -1, 1, 0, 0.05, 0.01838477691216555},
	}
	for _, tt := range tests {
		got, err := TOSTPower(tt.se, tt.df, tt.lo, tt.hi, tt.diff, tt.alpha)
		if err != nil || !agrees(got, tt.want, 1e-9) {
			t.Errorf("%+v: %v, %v", tt, got, err)
		}
	}
	large, _ := TOSTPower(0.1, 1e7, -0.3, 0.3, 0.05, 0.05)
	normal, _ := TOSTPower(0.1, math.Inf(1), -0.3, 0.3, 0.05, 0.05)
	if !agrees(large, normal, 1e-6) {
		t.Errorf("power at a large df %v, at a normal %v", large, normal)
	}
	if got, err := TOSTPower(0, 3, -1, 1, 0, 0.05); err != nil || got != 1 {
		t.Errorf("no error inside: %v, %v", got, err)
	}
	if got, err := TOSTPower(0, 3, -1, 1, 1, 0.05); err != nil || got != 0 {
		t.Errorf("no error on the limit: %v, %v", got, err)
	}
	for _, bad := range [][6]float64{{-1, 3, -1, 1, 0, .05}, {1, 0, -1, 1, 0, .05}, {1, 3, 1, -1, 0, .05}, {1, 3, -1, 1, math.NaN(), .05}, {1, 3, -1, 1, 0, .5}} {
		if _, err := TOSTPower(bad[0], bad[1], bad[2], bad[3], bad[4], bad[5]); !errors.Is(err, ErrDomain) {
			t.Errorf("%v: error %v, want ErrDomain", bad, err)
		}
	}
	if _, err := TOSTPowerCrossover(0.3, 0.95, 2, 0.8, 1.25, 0.05); !errors.Is(err, ErrTooFew) {
		t.Errorf("two subjects: %v", err)
	}
	if _, err := TOSTPowerCrossover(0.3, -1, 20, 0.8, 1.25, 0.05); !errors.Is(err, ErrDomain) {
		t.Errorf("negative ratio: %v", err)
	}
	s, err := NTwoMeansTOST(1, 0, 1, 0.05, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	below, _ := TOSTPower(math.Sqrt(2/float64(s.N-1)), float64(2*s.N-4), -1, 1, 0, 0.05)
	if s.Power < 0.8 || below >= 0.8 {
		t.Errorf("size %d: power %v, one fewer %v", s.N, s.Power, below)
	}
	if _, err := NTwoMeansTOST(1, -1, 1, 0.05, 0.8); !errors.Is(err, ErrImpossible) {
		t.Errorf("difference at the margin: %v", err)
	}
}

// allTables is the rejection chance of the score test by summing every table, the
// slow way.
func allTables(n int, gain, loss, margin, alpha float64) float64 {
	z := -NormalQuantile(alpha)
	total := 0.0
	for b := 0; b <= n; b++ {
		for c := 0; b+c <= n; c++ {
			if noninferiorityScore(float64(b), float64(c), float64(n), margin) >= z {
				total += BinomialPMF(b+c, n, gain+loss) * BinomialPMF(b, b+c, gain/(gain+loss))
			}
		}
	}
	return total
}

func TestPairedBinaryNIPowerAgainstAllTables(t *testing.T) {
	for _, n := range []int{1, 2, 7, 30, 80} {
		for _, margin := range []float64{0, 0.01, 0.05, 0.2, 0.6} {
			for _, r := range [][2]float64{{0.02, 0.02}, {0.1, 0.3}, {0.3, 0.1}, {0.5, 0.5}, {0, 0.4}} {
				want := allTables(n, r[0], r[1], margin, 0.05)
				got, err := PairedBinaryNIPower(n, r[0], r[1], margin, 0.05)
				if err != nil || !agrees(got, want, 1e-11) {
					t.Errorf("n=%d margin=%v rates=%v: %v, %v, want %v", n, margin, r, got, err, want)
				}
			}
		}
	}
}

// The sizes of the score test at the margin, and the exact powers of the planned
// sizes, as tabulated with the methods.
func TestPairedBinaryNITables(t *testing.T) {
	for _, tt := range []struct {
		n           int
		margin, psi float64
		want        float64
	}{{50, .02, .04, .021}, {100, .05, .07, .035}, {200, .03, .05, .043}, {500, .05, .07, .048}, {2000, .02, .04, .049}} {
		got, err := PairedBinaryNIPower(tt.n, (tt.psi-tt.margin)/2, (tt.psi+tt.margin)/2, tt.margin, 0.05)
		if err != nil || math.Abs(got-tt.want) > 5.1e-4 {
			t.Errorf("size at %+v: %v, %v", tt, got, err)
		}
	}
	for _, tt := range []struct {
		margin, psi float64
		n           int
		power       float64
	}{{.03, .10, 717, .805}, {.05, .05, 167, .842}, {.01, .02, 1397, 0}, {.02, .20, 3104, 0}, {.05, .30, 748, 0}} {
		s, err := NPairedBinaryNI(tt.psi, 0, tt.margin, 0.05, 0.8)
		if err != nil || s.N != tt.n || (tt.power > 0 && math.Abs(s.Power-tt.power) > 5.1e-4) {
			t.Errorf("%+v: %+v, %v", tt, s, err)
		}
	}
}

func TestMcNemarPower(t *testing.T) {
	// Sizes at n = 200, discordance .05 and n = 1000, .1, as tabulated.
	for _, tt := range []struct {
		n    int
		psi  float64
		want McNemarPowers
	}{{200, .05, McNemarPowers{.022, .041, .043}}, {1000, .1, McNemarPowers{.040, .049, .050}}} {
		got, err := McNemarPower(tt.n, tt.psi/2, tt.psi/2, 0.05)
		if err != nil || math.Abs(got.Exact-tt.want.Exact) > 6e-4 || math.Abs(got.MidP-tt.want.MidP) > 6e-4 || math.Abs(got.Asymptotic-tt.want.Asymptotic) > 6e-4 {
			t.Errorf("n=%d: %+v, %v, want %+v", tt.n, got, err, tt.want)
		}
	}
	if got, err := McNemarPower(10, 0, 0, 0.05); err != nil || got != (McNemarPowers{}) {
		t.Errorf("no discordance: %+v, %v", got, err)
	}
	if _, err := McNemarPower(0, .1, .1, .05); !errors.Is(err, ErrTooFew) {
		t.Errorf("no pairs: %v", err)
	}
	if _, err := McNemarPower(5, .6, .6, .05); !errors.Is(err, ErrDomain) {
		t.Errorf("rates above 1: %v", err)
	}
	swap1, _ := McNemarPower(150, .12, .05, .05)
	swap2, _ := McNemarPower(150, .05, .12, .05)
	if !agrees(swap1.Exact, swap2.Exact, 1e-12) || !agrees(swap1.MidP, swap2.MidP, 1e-12) {
		t.Errorf("swapped sides differ: %+v, %+v", swap1, swap2)
	}
}

func TestImpossibleSizesSayWhy(t *testing.T) {
	call := map[string]func() error{
		"noninferiority beyond the margin": func() error { _, err := NTwoMeansNI(5, -8, 10, .05, .8); return err },
		"noninferiority at the margin":     func() error { _, err := NPairedNI(5, -5, 10, .05, .8); return err },
		"zero margin":                      func() error { _, err := NTwoMeansNI(0, 0, 10, .05, .8); return err },
		"zero difference":                  func() error { _, err := NTwoMeans(0, 10, .05, .8); return err },
		"zero difference of pairs":         func() error { _, err := NPaired(0, 10, .05, .8); return err },
		"equal proportions":                func() error { _, err := NTwoProportions(.5, .5, .05, .8); return err },
		"proportion beyond the margin":     func() error { _, err := NTwoProportionsNI(.9, .8, .05, .05, .8); return err },
		"equal discordance":                func() error { _, err := NMcNemar(.1, .1, .05, .8); return err },
		"paired rates beyond the margin":   func() error { _, err := NPairedBinaryNI(.1, -.06, .05, .05, .8); return err },
		"distance 0":                       func() error { _, err := RunsNeeded(1, 0, .05, .8, 100); return err },
		"wrong direction":                  func() error { _, err := RunsNeeded(1, -2, .05, .8, 100); return err },
		"too many runs":                    func() error { _, err := RunsNeeded(1, .01, .05, .8, 100); return err },
		"too many units":                   func() error { _, err := NTwoMeans(1e-8, 10, .05, .8); return err },
		"ratio 1":                          func() error { _, err := NQuantileRatio(.99, .5, 1, .05, .8); return err },
	}
	for name, f := range call {
		err := f()
		if !errors.Is(err, ErrImpossible) {
			t.Errorf("%s: error %v, want ErrImpossible", name, err)
			continue
		}
		if s := err.Error(); len(s) < 40 || strings.Contains(s, "NaN") {
			t.Errorf("%s: %q does not say why", name, s)
		}
	}
	domain := map[string]func() error{
		"NaN margin":        func() error { _, err := NTwoMeansNI(math.NaN(), 0, 10, .05, .8); return err },
		"negative margin":   func() error { _, err := NTwoMeansNI(-1, 0, 10, .05, .8); return err },
		"NaN difference":    func() error { _, err := NPairedNI(5, math.NaN(), 10, .05, .8); return err },
		"infinite spread":   func() error { _, err := NTwoMeans(1, math.Inf(1), .05, .8); return err },
		"power at alpha":    func() error { _, err := NTwoMeans(1, 1, .05, .05); return err },
		"power 1":           func() error { _, err := NTwoMeans(1, 1, .05, 1); return err },
		"alpha 0":           func() error { _, err := RunsNeeded(1, 1, 0, .8, 10); return err },
		"NaN distance":      func() error { _, err := RunsNeeded(1, math.NaN(), .05, .8, 10); return err },
		"negative spread":   func() error { _, err := RunsNeeded(-1, 1, .05, .8, 10); return err },
		"limit of one run":  func() error { _, err := RunsNeeded(1, 1, .05, .8, 1); return err },
		"rate above 1":      func() error { _, err := NTwoProportions(1.5, .5, .05, .8); return err },
		"margin of 1":       func() error { _, err := NTwoProportionsNI(.5, .5, 1, .05, .8); return err },
		"difference > psi":  func() error { _, err := NPairedBinaryNI(.02, .05, .05, .05, .8); return err },
		"no discordance":    func() error { _, err := NPairedBinaryNI(0, 0, .05, .05, .8); return err },
		"bad alternative":   func() error { _, err := NRuns(1, 1, .05, .8, 7, 10); return err },
		"quantile level":    func() error { _, err := NQuantile(1, .5, .05, .95); return err },
		"half-width 0":      func() error { _, err := NQuantile(.5, .5, 0, .95); return err },
		"negative ratio":    func() error { _, err := NQuantileRatio(.5, .5, -1, .05, .8); return err },
		"zero repeats":      func() error { _, err := NRepeated(1, 1, 1, 1, 0, 1, .05, .8); return err },
		"cluster below 1":   func() error { _, err := DesignEffect(.5, .1); return err },
		"impossible ICC":    func() error { _, err := DesignEffect(10, -.5); return err },
		"NaN ICC":           func() error { _, err := NClustered(100, 10, math.NaN()); return err },
		"negative requests": func() error { _, err := RunMeanSD(1, 1, 0); return err },
		"level 1":           func() error { _, err := SDUpperLimit(1, 4, 1); return err },
	}
	for name, f := range domain {
		if err := f(); !errors.Is(err, ErrDomain) {
			t.Errorf("%s: error %v, want ErrDomain", name, err)
		}
	}
}
