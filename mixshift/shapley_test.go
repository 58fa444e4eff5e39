package mixshift

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func TestShapleyLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		k := rapid.IntRange(1, 7).Draw(r, "k")
		game := rapid.SliceOfN(rapid.Float64Range(-100, 100), 1<<k, 1<<k).Draw(r, "values")
		at := func(fromY []bool) int {
			s := 0
			for j, y := range fromY {
				if y {
					s |= 1 << j
				}
			}
			return s
		}
		a, err := Shapley(k, func(fromY []bool) (float64, error) { return game[at(fromY)], nil })
		if err != nil {
			r.Fatal(err)
		}
		sum := 0.0
		for _, e := range a.Effects {
			sum += e
		}
		if sum != a.Total || math.Abs(a.Total-(game[len(game)-1]-game[0])) > 1e-10 {
			r.Errorf("effects %v add up to %v, total %v, change %v", a.Effects, sum, a.Total, game[len(game)-1]-game[0])
		}
		// Swapping the sides negates; a factor that does nothing has no effect.
		back, err := Shapley(k, func(fromY []bool) (float64, error) { return game[len(game)-1-at(fromY)], nil })
		if err != nil {
			r.Fatal(err)
		}
		idle, err := Shapley(k+1, func(fromY []bool) (float64, error) { return game[at(fromY[:k])], nil })
		if err != nil {
			r.Fatal(err)
		}
		for j := range k {
			if math.Abs(back.Effects[j]+a.Effects[j]) > 1e-10 || math.Abs(idle.Effects[j]-a.Effects[j]) > 1e-10 {
				r.Errorf("effect %d: %v, swapped %v, beside an idle factor %v", j, a.Effects[j], back.Effects[j], idle.Effects[j])
			}
		}
		if idle.Effects[k] != 0 {
			r.Errorf("idle factor: %v", idle.Effects[k])
		}
	})
}

func TestShapleyEdges(t *testing.T) {
	boom := errors.New("boom")
	if _, err := Shapley(2, func([]bool) (float64, error) { return 0, boom }); !errors.Is(err, boom) {
		t.Errorf("failing value: error %v", err)
	}
	for _, k := range []int{0, -1, 21} {
		if _, err := Shapley(k, func([]bool) (float64, error) { return 0, nil }); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%d factors: error %v", k, err)
		}
	}
	if _, err := Shapley(1, func([]bool) (float64, error) { return math.NaN(), nil }); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("NaN: error %v", err)
	}
	if _, err := DasGupta([]float64{1}, []float64{1, 2}); !errors.Is(err, stats.ErrMismatch) {
		t.Errorf("unequal: error %v", err)
	}
	if _, err := DasGupta([]float64{1e300, 1}, []float64{1e300, 1e300}); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("overflow: error %v", err)
	}
}

func BenchmarkShapley12(b *testing.B) {
	x, y := make([]float64, 12), make([]float64, 12)
	for i := range x {
		x[i], y[i] = 1+float64(i), 2+float64(i)
	}
	for b.Loop() {
		if _, err := DasGupta(x, y); err != nil {
			b.Fatal(err)
		}
	}
}
