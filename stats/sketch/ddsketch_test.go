package sketch

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestDDSketch(t *testing.T) {
	for _, alpha := range []float64{MinAlpha, 0.01, 0.2} {
		eachSample(t, func(t *testing.T, xs []float64) {
			whole, a, b := newDD(t, alpha, xs), newDD(t, alpha, xs[:len(xs)/2]), newDD(t, alpha, xs[len(xs)/2:])
			if err := b.Merge(a); err != nil {
				t.Fatal(err)
			}
			sorted := sortedCopy(xs)
			for _, q := range levels {
				got, err := whole.Quantile(q)
				must(t, got, err)
				want := sorted[int(q*float64(len(xs)-1))]
				// The quantum of subnormal numbers is wider than alpha.
				if math.Abs(got-want) > alpha*math.Abs(want)*(1+1e-9)+5e-324 {
					t.Fatalf("alpha %v n %d q %v: %v, want %v", alpha, len(xs), q, got, want)
				}
				if merged, _ := b.Quantile(q); merged != got {
					t.Fatalf("alpha %v q %v: merged %v, whole %v", alpha, q, merged, got)
				}
			}
		})
	}
}

func newDD(t testing.TB, alpha float64, xs []float64) *DDSketch {
	t.Helper()
	d, err := NewDDSketch(alpha)
	if err != nil {
		t.Fatal(err)
	}
	d.AddSlice(xs)
	return d
}

func TestDDSketchErrors(t *testing.T) {
	for _, alpha := range []float64{0, -1, 1, MinAlpha / 2, math.NaN()} {
		if _, err := NewDDSketch(alpha); !errors.Is(err, ErrDomain) {
			t.Errorf("alpha %v: %v", alpha, err)
		}
	}
	d := newDD(t, 0.01, []float64{math.NaN(), math.Inf(1)})
	if _, err := d.Quantile(0.5); !errors.Is(err, ErrEmpty) || d.Invalid() != 2 || d.Count() != 0 {
		t.Error(err, d.Invalid())
	}
	if _, err := d.Quantile(-1); !errors.Is(err, ErrDomain) {
		t.Error(err)
	}
	if err := d.Merge(newDD(t, 0.02, nil)); !errors.Is(err, ErrLayout) {
		t.Error(err)
	}
	if err := d.Merge(nil); err != nil {
		t.Error(err)
	}
	d.Add(2)
	if err := d.Merge(d); err != nil || d.Count() != 2 {
		t.Error(err, d.Count())
	}
	for range d.Bins() {
		break
	}
}

func TestHDR(t *testing.T) {
	xs := draws(21, 3000, shapes[0].draw)
	whole, a, b := newHDR(t, 7, xs), newHDR(t, 7, xs[:900]), newHDR(t, 7, xs[900:])
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
	var units []float64
	for _, x := range xs {
		units = append(units, math.Round(x/1e-6)*1e-6)
	}
	slices.Sort(units)
	for _, q := range levels {
		got, err := whole.Quantile(q)
		must(t, got, err)
		want := units[ceilRank(q, uint64(len(xs)))-1]
		if math.Abs(got-want) > whole.RelativeError()*want*(1+rounding) {
			t.Errorf("q %v: %v, want %v", q, got, want)
		}
		if m, _ := a.Quantile(q); m != got {
			t.Errorf("q %v: merged %v, whole %v", q, m, got)
		}
	}
	// Small integers have bins of their own.
	small := newHDR(t, 3, []float64{1e-6, 15e-6, 9e-6})
	if v, _ := small.Quantile(1); math.Abs(v-15e-6) > 1e-18 {
		t.Errorf("maximum %v", v)
	}
	bad := newHDR(t, 3, []float64{-1, math.NaN(), math.Inf(1), 1e30})
	if bad.Invalid() != 4 || bad.Count() != 0 {
		t.Errorf("invalid %d", bad.Invalid())
	}
	if _, err := bad.Quantile(0.5); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := bad.Quantile(2); !errors.Is(err, ErrDomain) {
		t.Error(err)
	}
	if err := bad.Merge(whole); !errors.Is(err, ErrLayout) {
		t.Error(err)
	}
	other, _ := NewHDR(3, 1)
	if err := bad.Merge(other); !errors.Is(err, ErrLayout) {
		t.Error(err)
	}
	if err := bad.Merge(nil); err != nil {
		t.Error(err)
	}
	for _, unit := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewHDR(3, unit); !errors.Is(err, ErrDomain) {
			t.Errorf("unit %v: %v", unit, err)
		}
	}
	if _, err := NewHDR(0, 1); !errors.Is(err, ErrDomain) {
		t.Error(err)
	}
}

func newHDR(t testing.TB, bits int, xs []float64) *HDR {
	t.Helper()
	h, err := NewHDR(bits, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	h.AddSlice(xs)
	return h
}

func TestCeilRank(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    uint64
		want uint64
	}{{0, 10, 1}, {1, 10, 10}, {0.9, 200, 180}, {0.07, 100, 7}, {0.29, 100, 29}, {0.99, 101, 100}, {0.5, 1, 1}} {
		if got := ceilRank(c.q, c.n); got != c.want {
			t.Errorf("rank of %v in %d: %d, want %d", c.q, c.n, got, c.want)
		}
	}
}
