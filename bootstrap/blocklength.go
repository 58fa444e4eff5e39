package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// fewForBlockLength is the series length below which the choice is mostly noise.
const fewForBlockLength = 200

// negligible times √(log₁₀n/n) is the autocorrelation that Politis & White no
// longer tell from 0.
const negligible = 1.96

// BlockLengths is an automatic choice of block length.
type BlockLengths struct {
	Stationary float64 // mean length for StationaryBlocks, in [1, cap]
	Circular   float64 // length for CircularBlocks and MovingBlocks before rounding, in [1, cap]
	Lag        int     // first lag after which the autocorrelations are negligible
	Bandwidth  int     // lags of the spectral estimate, min(2·Lag, ⌈√n⌉+K)
	N          int
	Warnings   []stats.Warning
}

// BlockLength chooses the block length that minimises the mean squared error of
// the block bootstrap variance of the mean: Politis & White (2004, Econometric
// Reviews 23:53) with the correction of Patton, Politis & White (2009,
// Econometric Reviews 28:372), a flat-top lag window and the conventions of R's
// np::b.star (autocorrelations with divisor n, threshold 1.96·√(log₁₀n/n), K =
// max(5, ⌈log₁₀n⌉) negligible lags in a row, cap ⌈min(3√n, n/3)⌉, floor 1).
//
// It assumes a stationary series of short memory; below 200 values it warns.
// The cost grows as n^{3/2}.
//
// Special cases are: a constant series has length 1 and the warning
// [stats.WarnNoVariance].
// Errors: [stats.ErrTooFew] for fewer than nine values, [stats.ErrDomain] for a
// value that is not finite.
func BlockLength(x []float64) (BlockLengths, error) {
	n := len(x)
	const least = 9 // the smallest n with more values than lags to look at
	if n < least {
		return BlockLengths{}, fmt.Errorf("series of %d values: want at least %d: %w", n, least, stats.ErrTooFew)
	}
	if err := stats.CheckFinite(x); err != nil {
		return BlockLengths{}, err
	}
	nn := float64(n)
	out := BlockLengths{Stationary: 1, Circular: 1, N: n}
	if n < fewForBlockLength {
		out.Warnings = append(out.Warnings, stats.Warning{
			Code: WarnShortSeries,
			Text: fmt.Sprintf("%d values: below %d the automatic block length is mostly noise", n, fewForBlockLength),
		})
	}
	_, dev, scale := centre(x)
	if scale == 0 {
		out.Warnings = append(out.Warnings, noVariance())
		return out, nil
	}
	k := max(5, int(math.Ceil(math.Log10(nn))))
	maxLag := min(int(math.Ceil(math.Sqrt(nn)))+k, n-1)
	acov := autocovariances(dev, maxLag)
	out.Lag = negligibleAfter(acov, k, negligible*math.Sqrt(math.Log10(nn)/nn))
	out.Bandwidth = min(2*out.Lag, maxLag)

	g, spectrum := 0.0, acov[0]
	for j := 1; j <= out.Bandwidth; j++ {
		w := 2 * flatTop(float64(j)/float64(out.Bandwidth)) * acov[j]
		g += w * float64(j)
		spectrum += w
	}
	limit := math.Ceil(math.Min(3*math.Sqrt(nn), nn/3))
	length := func(variance float64) float64 {
		b := math.Cbrt(2*g*g/variance) * math.Cbrt(nn)
		if !(b <= limit) { // also for a spectrum of 0
			return limit
		}
		return math.Max(1, b)
	}
	if g == 0 {
		return out, nil
	}
	out.Stationary = length(2 * spectrum * spectrum)
	out.Circular = length(4.0 / 3 * spectrum * spectrum)
	return out, nil
}

// autocovariances returns lags 0 to maxLag of centred data, with divisor n.
func autocovariances(dev []float64, maxLag int) []float64 {
	acov := make([]float64, maxLag+1)
	for k := range acov {
		var s float64
		for t, d := range dev[:len(dev)-k] {
			s += float64(d * dev[t+k])
		}
		acov[k] = s / float64(len(dev))
	}
	return acov
}

// negligibleAfter returns the first lag that starts a row of k autocorrelations
// below the threshold; without such a row the last lag above it, and at least 1.
func negligibleAfter(acov []float64, k int, threshold float64) int {
	run, last := 0, 1
	for j := 1; j < len(acov); j++ {
		if math.Abs(acov[j]/acov[0]) < threshold {
			if run++; run == k {
				return j - k + 1
			}
			continue
		}
		run = 0
		last = j
	}
	return last
}

// flatTop is the trapezoidal lag window: 1 up to ½, then falling to 0 at 1.
func flatTop(s float64) float64 {
	if s <= 0.5 {
		return 1
	}
	return math.Max(0, 2*(1-s))
}
