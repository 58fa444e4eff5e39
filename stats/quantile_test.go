package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lognormal returns n seeded values of the given log-mean and log-sd.
func lognormal(seed uint64, n int, mu, sigma float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Exp(mu + sigma*r.NormFloat64())
	}
	return x
}

func within(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if got == want || math.Abs(got-want) <= tol {
		return
	}
	t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
}

func wantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want one that wraps %q", what, err, want)
	}
}

// A linear definition once gave 5 as the median of 1..10, and a tool that
// rounded first gave a p99 above the maximum.
func TestQuantileDefinition(t *testing.T) {
	ten := []float64{3, 10, 1, 7, 5, 2, 9, 4, 8, 6}
	four := []float64{575, 625, 661, 575}
	for _, c := range []struct {
		x       []float64
		q, want float64
	}{
		{ten, 0.5, 5.5}, {ten, 0.9, 9.1}, {ten, 0.95, 9.55}, {ten, 0.99, 9.91},
		{four, 0.5, 600}, {four, 0.9, 650.2}, {four, 0.95, 655.6}, {four, 0.99, 659.92}, {four, 1, 661},
	} {
		got, err := Quantile(c.x, c.q, HF7)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "type 7", got, c.want, 1e-12)
	}
	for q, want := range map[float64]float64{0.5: 5, 0.9: 9, 0.95: 10, 0.99: 10} {
		got, _ := Quantile(ten, q, HF1)
		within(t, "nearest rank", got, want, 0)
	}
}

// 0.29·100 is 28.999999999999996 in float64.
func TestQuantilePositionIsFuzzy(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64(i + 1)
	}
	for k := 1; k <= 100; k++ {
		got, err := Quantile(x, float64(k)/100, HF1)
		if err != nil || got != float64(k) {
			t.Errorf("type 1 at %d/100 = %v, %v, want %d", k, got, err, k)
		}
	}
	if v, _ := Quantile(x, 0.29, HF2); v != 29.5 {
		t.Errorf("type 2 at 0.29 = %v, want 29.5", v)
	}
}

func TestQuantileErrors(t *testing.T) {
	// Sorting puts a NaN first: it must stop the calculation instead.
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := Quantile([]float64{1, bad, 3, 2}, 0.5, HF7)
		wantError(t, "value that is not finite", err, ErrDomain)
		if err == nil || !strings.Contains(err.Error(), "index 1") {
			t.Errorf("error %v does not name index 1", err)
		}
	}
	_, err := Quantile(nil, 0.5, HF7)
	wantError(t, "no values", err, ErrTooFew)
	for _, q := range []float64{-0.1, 1.1, 50, math.NaN()} {
		_, err := Quantile([]float64{1}, q, HF7)
		wantError(t, "q outside [0, 1]", err, ErrDomain)
	}
	for _, typ := range []QuantileType{0, 10, -1} {
		_, err := Quantile([]float64{1}, 0.5, typ)
		wantError(t, "unknown type", err, ErrDomain)
	}
}

func FuzzQuantile(f *testing.F) {
	f.Add(uint64(1), uint8(10), 0.5, int8(7))
	f.Add(uint64(2), uint8(1), 0.0, int8(1))
	f.Add(uint64(3), uint8(200), 1.0, int8(3))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, q float64, typ int8) {
		x := lognormal(seed, int(n), 0, 3)
		before := slices.Clone(x)
		got, err := Quantile(x, q, QuantileType(typ))
		if !slices.Equal(x, before) {
			t.Fatal("the argument changed")
		}
		if n == 0 || !(q >= 0 && q <= 1) || typ < 1 || typ > 9 {
			if err == nil {
				t.Fatalf("no error for n %d, q %v, type %d", n, q, typ)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got < slices.Min(x) || got > slices.Max(x) {
			t.Errorf("%v lies outside [%v, %v]", got, slices.Min(x), slices.Max(x))
		}
		higher, err := Quantile(x, q+(1-q)/3, QuantileType(typ))
		if err != nil || higher < got {
			t.Errorf("quantile %v at a higher level than %v: %v", higher, got, err)
		}
		slices.Reverse(x)
		if again, _ := Quantile(x, q, QuantileType(typ)); again != got {
			t.Errorf("%v in reverse order, %v before", again, got)
		}
	})
}

func TestQuantileScalesAndShifts(t *testing.T) {
	x := lognormal(7, 23, 1, 1)
	for typ := HF1; typ <= HF9; typ++ {
		for _, q := range []float64{0, 0.1, 0.5, 0.77, 0.99, 1} {
			base, _ := Quantile(x, q, typ)
			scaled := make([]float64, len(x))
			for i, v := range x {
				scaled[i] = 8*v + 1024
			}
			got, _ := Quantile(scaled, q, typ)
			within(t, "scaled quantile", got, 8*base+1024, 1e-9)
		}
	}
	extreme := []float64{-math.MaxFloat64, math.MaxFloat64}
	if v, err := Quantile(extreme, 0.5, HF7); err != nil || v != 0 {
		t.Errorf("midpoint of the float64 range = %v, %v, want 0", v, err)
	}
}

func TestLognormalQuantileSE(t *testing.T) {
	// Scaling: four times the values halve the error.
	_, a, err := LognormalQuantileSE(4, 0.5, 0.99, 1000)
	_, b, _ := LognormalQuantileSE(4, 0.5, 0.99, 4000)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "SE ratio", a/b, 2, 1e-14)
	_, _, err = LognormalQuantileSE(4, 0.5, 0.5, 0)
	wantError(t, "n", err, ErrTooFew)
	for _, c := range [][3]float64{{math.NaN(), 1, 0.5}, {0, 0, 0.5}, {0, 1, 0}, {0, 1, 1}} {
		_, _, err := LognormalQuantileSE(c[0], c[1], c[2], 10)
		wantError(t, "parameters", err, ErrDomain)
	}
}
