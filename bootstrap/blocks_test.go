package bootstrap

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// Enumerate all choices of three blocks of length 3 cut at n = 7.
func TestBlockVarianceByEnumeration(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5, 9, 2}
	for _, circular := range []bool{false, true} {
		starts := 5
		if circular {
			starts = 7
		}
		var means []float64
		for a := range starts {
			for b := range starts {
				for c := range starts {
					var s float64
					for i := range 7 {
						s += x[([]int{a, b, c}[i/3]+i%3)%7]
					}
					means = append(means, s/7)
				}
			}
		}
		got := must[BlockMean](t)(blockVariance(x, 3, circular))
		if m := meanOf(means); !near(got.Mean, m) || !near(got.Variance, sumSquares(means, m)/float64(len(means))) {
			t.Errorf("circular %v: %+v, want %v", circular, got, m)
		}
	}
}

func TestBlockVarianceAgreesWithDrawing(t *testing.T) {
	x := ar1(7, 60, 0.5)
	check := func(name string, s Scheme, want BlockMean) {
		opt := Options{Replicates: 20000, Seed: 2}
		cols := must[[][]float64](t)(ReplicateVectors(s, 1, func() func([]int, []float64) {
			return func(index []int, out []float64) { out[0] = meanStatistic(x)(index) }
		}, opt))
		l := must[Law](t)(FromReplicates(meanOf(x), cols[0], 60))
		if math.Abs(l.SE()/want.SE()-1) > 0.03 {
			t.Errorf("%s: SE %v, want %v", name, l.SE(), want.SE())
		}
		if z := (l.Mean() - want.Mean) / want.SE() * math.Sqrt(20000); math.Abs(z) > 4.5 {
			t.Errorf("%s: mean %v, want %v", name, l.Mean(), want.Mean)
		}
	}
	check("moving", MovingBlocks{60, 7}, must[BlockMean](t)(MovingBlockVariance(x, 7)))
	check("circular", CircularBlocks{60, 7}, must[BlockMean](t)(CircularBlockVariance(x, 7)))
	check("stationary", StationaryBlocks{60, 6.5}, must[BlockMean](t)(StationaryVariance(x, 6.5)))
}

func TestBlocksOfOneAreIID(t *testing.T) {
	x := lognormal(2, 50, 0.5)
	want := sumSquares(x, meanOf(x)) / 2500
	for name, b := range map[string]BlockMean{
		"moving":     must[BlockMean](t)(MovingBlockVariance(x, 1)),
		"circular":   must[BlockMean](t)(CircularBlockVariance(x, 1)),
		"stationary": must[BlockMean](t)(StationaryVariance(x, 1)),
	} {
		if !near(b.Variance, want) || !near(b.Mean, meanOf(x)) {
			t.Errorf("%s: %+v, want %v", name, b, want)
		}
	}
}

func TestStationaryVarianceAgainstFormula(t *testing.T) {
	x := ar1(3, 97, 0.7)
	mean := meanOf(x)
	for _, length := range []float64{1.5, 8, 40, 97} {
		var v float64
		for i := range 97 {
			var c float64
			for s := range 97 {
				c += (x[s] - mean) * (x[(s+i)%97] - mean) / 97
			}
			w := 1.0
			if i > 0 {
				w = 2 * (1 - float64(i)/97) * math.Pow(1-1/length, float64(i))
			}
			v += w * c / 97
		}
		if got := must[BlockMean](t)(StationaryVariance(x, length)); math.Abs(got.Variance-v) > 1e-12 {
			t.Errorf("mean length %v: %v, want %v", length, got.Variance, v)
		}
	}
}

func TestBlockVariancesAreEquivariant(t *testing.T) {
	x := ar1(5, 80, 0.4)
	y := make([]float64, 80)
	for i, v := range x {
		y[i] = 1e9 - 8*v
	}
	guard := slices.Clone(x)
	for name, f := range map[string]func([]float64) (BlockMean, error){
		"moving":     func(x []float64) (BlockMean, error) { return MovingBlockVariance(x, 6) },
		"circular":   func(x []float64) (BlockMean, error) { return CircularBlockVariance(x, 6) },
		"stationary": func(x []float64) (BlockMean, error) { return StationaryVariance(x, 6) },
	} {
		a, b := must[BlockMean](t)(f(x)), must[BlockMean](t)(f(y))
		if math.Abs(b.Variance/a.Variance/64-1) > 1e-5 || math.Abs(b.Mean-1e9+8*a.Mean) > 1e-5 {
			t.Errorf("%s: %+v, %+v", name, a, b)
		}
		c := must[BlockMean](t)(f(constant(80, 0.1)))
		if c.Variance > 1e-30 || c.Mean != 0.1 {
			t.Errorf("%s of constant data: %+v", name, c)
		}
		for n := range MinUnits {
			_, err := f(x[:n])
			wantError(t, err, stats.ErrTooFew, name)
		}
		_, err := f([]float64{1, 2, 3, 4, 5, 6, 7, math.NaN()})
		wantError(t, err, stats.ErrDomain, name)
		_, err = f(x[:5])
		wantError(t, err, stats.ErrDomain, name+" longer than the series")
	}
	if !slices.Equal(x, guard) {
		t.Error("argument changed")
	}
}

func TestBlockLength(t *testing.T) {
	iid, slow := must[BlockLengths](t)(BlockLength(ar1(1, 4000, 0))), must[BlockLengths](t)(BlockLength(ar1(1, 4000, 0.9)))
	if iid.Stationary > 6 || slow.Stationary < 20 || len(iid.Warnings) > 0 {
		t.Errorf("iid %+v, AR(.9) %+v", iid, slow)
	}
	if math.Abs(slow.Circular/slow.Stationary-math.Cbrt(1.5)) > 1e-9 {
		t.Errorf("ratio of lengths %v, want ∛1.5", slow.Circular/slow.Stationary)
	}
	x := ar1(2, 300, 0.5)
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = 5 - 3*v
	}
	a, b := must[BlockLengths](t)(BlockLength(x)), must[BlockLengths](t)(BlockLength(y))
	if !near(a.Stationary, b.Stationary) || a.Lag != b.Lag {
		t.Errorf("a linear map changes the length: %+v, %+v", a, b)
	}
	c := must[BlockLengths](t)(BlockLength(constant(50, 0.1)))
	if c.Stationary != 1 || c.Circular != 1 || !hasWarning(c.Warnings, stats.WarnNoVariance) || !hasWarning(c.Warnings, WarnShortSeries) {
		t.Errorf("%+v", c)
	}
	// A trend has no negligible lag: the cap holds.
	trend := make([]float64, 100)
	for i := range trend {
		trend[i] = float64(i)
	}
	if b := must[BlockLengths](t)(BlockLength(trend)); b.Stationary > 30 || b.Circular > 30 {
		t.Errorf("trend: %+v", b)
	}
	for n := range 9 {
		_, err := BlockLength(trend[:n])
		wantError(t, err, stats.ErrTooFew, "short")
	}
	for n := 9; n < 60; n++ { // every length works
		b := must[BlockLengths](t)(BlockLength(x[:n]))
		if !(b.Stationary >= 1 && b.Circular >= 1 && b.Circular <= float64(n)) {
			t.Errorf("n = %d: %+v", n, b)
		}
	}
	trend[7] = math.Inf(1)
	_, err := BlockLength(trend)
	wantError(t, err, stats.ErrDomain, "Inf")
}
