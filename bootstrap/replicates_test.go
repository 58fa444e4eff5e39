package bootstrap

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// The variance of bootstrap means is known: Σ(x−x̄)²/n².
func TestReplicatesVariance(t *testing.T) {
	x := lognormal(5, 30, 0.5)
	b := 20000
	l := must[Law](t)(FromReplicates(meanOf(x), must[[]float64](t)(Replicates(30, meanStatistic(x), Options{Replicates: b, Seed: 1})), 30))
	want := math.Sqrt(sumSquares(x, meanOf(x))) / 30
	// The relative standard error of an SD is about 1/√(2B) for a normal law.
	if got := l.SE(); math.Abs(got/want-1) > 5/math.Sqrt(2*float64(b)) {
		t.Errorf("SE %v, want %v", got, want)
	}
	if z := (l.Mean() - meanOf(x)) / want * math.Sqrt(float64(b)); math.Abs(z) > 4.5 {
		t.Errorf("bias %v standard errors from 0", z)
	}
}

func TestTwoSampleReplicatesAreIndependent(t *testing.T) {
	x, y := lognormal(1, 20, 0.5), lognormal(2, 25, 0.5)
	diff := must[[]float64](t)(TwoSampleReplicates(20, 25, func(ix, iy []int) float64 {
		return meanStatistic(y)(iy) - meanStatistic(x)(ix)
	}, Options{Replicates: 20000}))
	l := must[Law](t)(FromReplicates(meanOf(y)-meanOf(x), diff, 20))
	want := math.Sqrt(sumSquares(x, meanOf(x))/400 + sumSquares(y, meanOf(y))/625)
	if math.Abs(l.SE()/want-1) > 0.03 {
		t.Errorf("SE %v, want %v", l.SE(), want)
	}
}

func TestReplicatesRefuse(t *testing.T) {
	stat := func([]int) float64 { return 0 }
	for n := -1; n < MinUnits; n++ {
		_, err := Replicates(n, stat, Options{})
		wantError(t, err, stats.ErrTooFew, "Replicates")
		_, err = TwoSampleReplicates(n, 10, func(_, _ []int) float64 { return 0 }, Options{})
		wantError(t, err, stats.ErrTooFew, "TwoSampleReplicates")
		_, err = TwoSampleReplicates(10, n, func(_, _ []int) float64 { return 0 }, Options{})
		wantError(t, err, stats.ErrTooFew, "TwoSampleReplicates")
	}
	for _, opt := range []Options{{Replicates: -1}, {Workers: -1}} {
		_, err := Replicates(5, stat, opt)
		wantError(t, err, stats.ErrDomain, "options")
	}
	_, err := ReplicateVectors(IID{5}, 0, nil, Options{})
	wantError(t, err, stats.ErrDomain, "dim")
}

func TestOptions(t *testing.T) {
	d := DefaultOptions()
	if err := d.Validate(); err != nil || d.Replicates != 9999 || d.Seed != 1 || d.Workers != 0 {
		t.Errorf("defaults %+v, %v", d, err)
	}
	out := must[[]float64](t)(Replicates(3, func([]int) float64 { return 1 }, Options{}))
	if len(out) != 9999 || slices.Max(out) != 1 {
		t.Errorf("the zero Options draw %d replicates", len(out))
	}
}
