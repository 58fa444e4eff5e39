package bootstrap

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestPoissonMeanMerges(t *testing.T) {
	x := lognormal(1, 300, 0.5)
	opt := Options{Replicates: 499, Seed: 6}
	whole, even, odd := must[*PoissonMean](t)(NewPoissonMean(opt)), must[*PoissonMean](t)(NewPoissonMean(opt)), must[*PoissonMean](t)(NewPoissonMean(opt))
	for i, v := range x {
		if err := whole.Add(uint64(i), v, 1); err != nil {
			t.Fatal(err)
		}
	}
	for i := len(x) - 1; i >= 0; i-- { // other order, two accumulators
		p := even
		if i%2 == 1 {
			p = odd
		}
		if err := p.Add(uint64(i), x[i], 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := even.Merge(odd); err != nil {
		t.Fatal(err)
	}
	a, b := must[Law](t)(whole.Law()), must[Law](t)(even.Law())
	for i := range a.Len() {
		va, _ := a.At(i)
		vb, _ := b.At(i)
		if !near(va, vb) {
			t.Fatalf("replicate %d: %v and %v", i, va, vb)
		}
	}
	if a.Units() != 300 || b.Units() != 300 || !near(a.Value(), meanOf(x)) {
		t.Errorf("units %d, %d, value %v", a.Units(), b.Units(), a.Value())
	}
	want := math.Sqrt(sumSquares(x, meanOf(x))) / 300
	if math.Abs(a.SE()/want-1) > 0.15 {
		t.Errorf("SE %v, want about %v", a.SE(), want)
	}
	e := must[stats.Estimate](t)(whole.Percentile(0.9))
	if len(e.Warnings) > 0 || e.Method != "bootstrap_poisson" || !e.Interval.Contains(e.Value) {
		t.Errorf("%+v", e)
	}
}

func TestPoissonMeanEdges(t *testing.T) {
	opt := Options{Replicates: 99}
	p := must[*PoissonMean](t)(NewPoissonMean(opt))
	_, err := p.Law()
	wantError(t, err, stats.ErrTooFew, "empty")
	wantError(t, p.Add(1, math.NaN(), 1), stats.ErrDomain, "NaN")
	wantError(t, p.Add(1, 1, -1), stats.ErrDomain, "negative count")
	for u := range uint64(5) {
		if err := p.Add(u, 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	// Five units all weigh 0 in e⁻⁵ = 0.7 % of replicates.
	many := must[*PoissonMean](t)(NewPoissonMean(Options{Replicates: 9999}))
	for u := range uint64(5) {
		_ = many.Add(u, 1, 1)
	}
	_, err = many.Law()
	wantError(t, err, stats.ErrTooFew, "no weight")
	for u := uint64(5); u < 50; u++ {
		_ = p.Add(u, 2, 2)
	}
	e := must[stats.Estimate](t)(p.Percentile(0.9))
	if !hasWarning(e.Warnings, WarnFewUnits) || e.N != 50 {
		t.Errorf("50 units: %+v", e)
	}
	other := must[*PoissonMean](t)(NewPoissonMean(Options{Replicates: 99, Seed: 1}))
	wantError(t, p.Merge(other), stats.ErrMismatch, "seed")
	wantError(t, p.Merge(many), stats.ErrMismatch, "replicates")
	_, err = NewPoissonMean(Options{Replicates: -1})
	wantError(t, err, stats.ErrDomain, "options")
}

func TestPoissonOne(t *testing.T) {
	for _, c := range []struct {
		u    float64
		want int
	}{{0, 0}, {0.3678, 0}, {0.3679, 1}, {0.7357, 1}, {0.7358, 2}, {0.9196, 2}, {0.9197, 3}, {0.99999999999999, 15}} {
		if got := poissonOne(c.u); got != c.want && c.want != 15 || got > 20 {
			t.Errorf("%v: weight %d, want %d", c.u, got, c.want)
		}
	}
	var sum, sq float64
	const n = 200000
	rng := Stream(1, 1)
	for range n {
		w := float64(poissonOne(rng.Float64()))
		sum += w
		sq += w * w
	}
	if m, v := sum/n, sq/n-sum/n*sum/n; math.Abs(m-1) > 0.01 || math.Abs(v-1) > 0.02 {
		t.Errorf("mean %v and variance %v, want 1 and 1", m, v)
	}
}
