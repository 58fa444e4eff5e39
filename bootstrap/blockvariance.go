package bootstrap

import (
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// BlockMean is the exact law of the mean of a series under a block bootstrap,
// by its first two moments.
type BlockMean struct {
	Mean     float64 // bootstrap mean of the mean; not the sample mean for moving blocks
	Variance float64 // bootstrap variance of the mean
	Length   float64 // block length, the mean one for the stationary bootstrap
	N        int
}

// MovingBlockVariance returns the mean and variance of the mean of a series
// under [MovingBlocks] of the given length, without drawing: for n = k·length
// the variance of block means (divisor: number of blocks) times length/n
// (Künsch 1989, Annals of Statistics 17:1217). If length does not divide n, the
// block that is cut contributes the variance of its shorter means.
//
// It assumes a stationary series whose memory is short against the length.
// [BlockLength] chooses the length. The cost is linear.
//
// Errors: [stats.ErrTooFew] for fewer than [MinUnits] values, [stats.ErrDomain]
// for a length outside 1 to n−1 or a value that is not finite.
func MovingBlockVariance(x []float64, length int) (BlockMean, error) {
	return blockVariance(x, length, false)
}

// CircularBlockVariance is [MovingBlockVariance] for [CircularBlocks], whose
// blocks wrap around; its mean is the sample mean.
func CircularBlockVariance(x []float64, length int) (BlockMean, error) {
	return blockVariance(x, length, true)
}

func blockVariance(x []float64, length int, circular bool) (BlockMean, error) {
	if err := checkBlocks(len(x), length); err != nil {
		return BlockMean{}, err
	}
	if err := stats.CheckFinite(x); err != nil {
		return BlockMean{}, err
	}
	n := len(x)
	starts := n - length + 1
	if circular {
		starts = n
	}
	mean := meanOf(x)
	full, rest := n/length, n%length
	m1, v1 := blockMoments(x, mean, length, starts)
	l := float64(length)
	sum, variance := float64(full)*l*m1, float64(full)*l*l*v1
	if rest > 0 {
		m2, v2 := blockMoments(x, mean, rest, starts)
		r := float64(rest)
		sum += r * m2
		variance += r * r * v2
	}
	nn := float64(n)
	return BlockMean{Mean: mean + sum/nn, Variance: variance / nn / nn, Length: l, N: n}, nil
}

// blockMoments returns mean and variance of the means of x − about over the
// blocks of a length that begin at 0 to starts−1, wrapping around.
func blockMoments(x []float64, about float64, length, starts int) (mean, variance float64) {
	n := len(x)
	// Prefix sums instead of a sliding window, whose rounding errors add up.
	prefix := make([]float64, n+1)
	for i, v := range x {
		prefix[i+1] = prefix[i] + (v - about)
	}
	means := make([]float64, starts)
	for s := range means {
		end := s + length
		sum := prefix[min(end, n)] - prefix[s]
		if end > n {
			sum += prefix[end-n]
		}
		means[s] = sum / float64(length)
	}
	mean = meanOf(means)
	return mean, sumSquares(means, mean) / float64(starts)
}

// StationaryVariance returns the mean and variance of the mean of a series
// under [StationaryBlocks], without drawing (Politis & Romano 1994, JASA
// 89:1303):
//
//	(1/n)·[c_0 + 2Σ_{i<n} (1 − i/n)(1 − 1/meanLength)^i c_i]
//
// with the circular autocovariances c_i. A recursion over the series makes the
// cost linear in n, whatever the length.
//
// Errors: [stats.ErrTooFew] for fewer than [MinUnits] values, [stats.ErrDomain]
// for a mean length outside [1, n] or a value that is not finite.
func StationaryVariance(x []float64, meanLength float64) (BlockMean, error) {
	n := len(x)
	if err := checkUnits(n); err != nil {
		return BlockMean{}, err
	}
	if err := checkMeanLength(n, meanLength); err != nil {
		return BlockMean{}, err
	}
	if err := stats.CheckFinite(x); err != nil {
		return BlockMean{}, err
	}
	mean := meanOf(x)
	nn := float64(n)
	a := 1 - 1/meanLength
	last := math.Pow(a, nn-1)
	// At position t: y = Σ_{i=1}^{n−1} aⁱ d_{t+i}, z = Σ_{i=1}^{n−1} i·aⁱ d_{t+i},
	// indices modulo n, d the deviations. Start at t = n−1, step down.
	var y, z float64
	for i := n - 1; i >= 1; i-- { // Horner: Σ aⁱ d_{i−1}, Σ i aⁱ d_{i−1}
		d := x[i-1] - mean
		z = a * (z + y + d)
		y = a * (y + d)
	}
	c0, sum := 0.0, 0.0
	for t := n - 1; ; t-- {
		d := x[t] - mean
		c0 += float64(d * d)
		sum += d * (y - z/nn)
		if t == 0 {
			break
		}
		// From t to t−1: unit t enters in front, unit t−1 leaves at the far end.
		gone := last * (x[t-1] - mean)
		y -= gone
		z -= (nn - 1) * gone
		z = a * (z + y + d)
		y = a * (y + d)
	}
	v := (c0 + 2*sum) / nn / nn
	return BlockMean{Mean: mean, Variance: math.Max(0, v), Length: meanLength, N: n}, nil
}

// SE returns the standard error of the mean, the square root of Variance.
func (b BlockMean) SE() float64 { return math.Sqrt(b.Variance) }
