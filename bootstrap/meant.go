package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// fewForMeanT is the number of units below which a bootstrap-t is no longer
// better than Student's t.
const fewForMeanT = 10

// MeanT returns the bootstrap-t interval of a mean: units are drawn with
// replacement and each resample is studentized by its own standard error
// s*/√n. The point is the mean of x, in the unit of x.
//
// It assumes independent units with a finite variance. It is the interval to
// use for the mean of a skewed sample of n ≥ 10 units; with fewer it warns. An
// infinite variance breaks it without any sign.
//
// Special cases are: constant x gives an interval without width and the
// warning [stats.WarnNoVariance]; see also [Studentized].
// Errors: [stats.ErrTooFew] for fewer than [MinUnits] values, [stats.ErrDomain]
// for a bad level, bad options or a value that is not finite.
// The cost is Replicates·n draws.
func MeanT(x []float64, level float64, opt Options) (stats.Estimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return stats.Estimate{}, err
	}
	if err := opt.Validate(); err != nil {
		return stats.Estimate{}, err
	}
	if err := checkUnits(len(x)); err != nil {
		return stats.Estimate{}, err
	}
	if err := stats.CheckFinite(x); err != nil {
		return stats.Estimate{}, err
	}
	mean, dev, scale := centre(x)
	if math.IsInf(mean, 0) || math.IsInf(scale, 0) || math.IsNaN(mean) {
		return stats.Estimate{}, fmt.Errorf("values from %v to %v: their spread overflows: %w", slices.Min(x), slices.Max(x), stats.ErrDomain)
	}
	n := float64(len(x))
	_, se := meanAndSE(dev)
	pivots := make([]float64, opt.replicates())
	forEach(len(pivots), opt, func() func(int, *rand.Rand) {
		return func(r int, rng *rand.Rand) {
			var s1, s2 float64
			for range len(dev) {
				d := dev[rng.IntN(len(dev))]
				s1 += d
				s2 += float64(d * d)
			}
			ss := s2 - float64(s1*s1)/n
			if ss <= 64*epsilon*s2 { // one value drawn n times, up to rounding
				ss = 0
			}
			pivots[r] = pivot(s1/n, math.Sqrt(ss/(n-1)/n))
		}
	})
	e := fromPivots(mean, se*scale, pivots, len(x), level, OrderStatistic)
	if len(x) < fewForMeanT {
		e.Warnings = append(e.Warnings, fewUnits(len(x), fewForMeanT))
	}
	return e, nil
}

// centre returns the mean of x and the deviations from it divided by the
// largest of them, so that squares neither overflow nor cancel.
func centre(x []float64) (mean float64, dev []float64, scale float64) {
	mean = meanOf(x)
	dev = make([]float64, len(x))
	for i, v := range x {
		dev[i] = v - mean
		scale = math.Max(scale, math.Abs(dev[i]))
	}
	if scale <= 16*epsilon*math.Abs(mean) { // constant up to rounding
		clear(dev)
		return mean, dev, 0
	}
	for i := range dev {
		dev[i] /= scale
	}
	return mean, dev, scale
}

// meanOf sums deviations from the first value, which keeps the digits of data
// with a large offset.
func meanOf(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v - x[0]
	}
	return x[0] + sum/float64(len(x))
}

func meanAndSE(x []float64) (mean, se float64) {
	mean = meanOf(x)
	var ss float64
	for _, v := range x {
		ss += float64((v - mean) * (v - mean))
	}
	n := float64(len(x))
	return mean, math.Sqrt(ss / (n - 1) / n)
}
