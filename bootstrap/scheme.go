package bootstrap

import (
	"fmt"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/stats"
)

// Scheme is a way to draw one resample of units.
type Scheme interface {
	// Units is the number of units of the sample and of each resample.
	Units() int
	// Validate reports a scheme that cannot draw.
	Validate() error
	// Draw fills index, of length Units, with the numbers of the drawn units.
	// It uses no random numbers but those of rng.
	Draw(rng *rand.Rand, index []int)
}

// IID draws each of N units with replacement and equal probability (Efron
// 1979). It assumes that the units are independent and exchangeable.
type IID struct{ N int }

// Units returns N.
func (s IID) Units() int { return s.N }

// Validate returns an error wrapping [stats.ErrTooFew] for N < [MinUnits].
func (s IID) Validate() error { return checkUnits(s.N) }

// Draw implements [Scheme].
func (s IID) Draw(rng *rand.Rand, index []int) { drawIID(rng, index, s.N) }

func drawIID(rng *rand.Rand, index []int, n int) {
	for i := range index {
		index[i] = rng.IntN(n)
	}
}

// MovingBlocks draws blocks of Length consecutive units, starting anywhere
// such that they fit, and cuts the last block at N (Künsch 1989). It keeps the
// dependence inside a block and gives the ends of the series less weight.
type MovingBlocks struct{ N, Length int }

// Units returns N.
func (s MovingBlocks) Units() int { return s.N }

// Validate wants N ≥ [MinUnits] and 1 ≤ Length < N.
func (s MovingBlocks) Validate() error { return checkBlocks(s.N, s.Length) }

// Draw implements [Scheme].
func (s MovingBlocks) Draw(rng *rand.Rand, index []int) {
	for i := 0; i < len(index); {
		start := rng.IntN(s.N - s.Length + 1)
		for j := 0; j < s.Length && i < len(index); j++ {
			index[i] = start + j
			i++
		}
	}
}

// CircularBlocks draws like [MovingBlocks] but lets blocks wrap around the
// end, so that every unit has the same weight (Politis & Romano 1992).
type CircularBlocks struct{ N, Length int }

// Units returns N.
func (s CircularBlocks) Units() int { return s.N }

// Validate wants N ≥ [MinUnits] and 1 ≤ Length < N.
func (s CircularBlocks) Validate() error { return checkBlocks(s.N, s.Length) }

// Draw implements [Scheme].
func (s CircularBlocks) Draw(rng *rand.Rand, index []int) {
	at := 0
	for i := range index {
		if i%s.Length == 0 {
			at = rng.IntN(s.N)
		}
		index[i] = at
		if at++; at == s.N {
			at = 0
		}
	}
}

// StationaryBlocks draws circular blocks of geometric length with mean
// MeanLength (Politis & Romano 1994): after each unit a new block starts with
// probability 1/MeanLength. The resampled series is stationary.
type StationaryBlocks struct {
	N          int
	MeanLength float64
}

// Units returns N.
func (s StationaryBlocks) Units() int { return s.N }

// Validate wants N ≥ [MinUnits] and 1 ≤ MeanLength ≤ N.
func (s StationaryBlocks) Validate() error {
	if err := checkUnits(s.N); err != nil {
		return err
	}
	return checkMeanLength(s.N, s.MeanLength)
}

// Draw implements [Scheme].
func (s StationaryBlocks) Draw(rng *rand.Rand, index []int) {
	p := 1 / s.MeanLength
	at := 0
	for i := range index {
		if i == 0 || rng.Float64() < p {
			at = rng.IntN(s.N)
		}
		index[i] = at
		if at++; at == s.N {
			at = 0
		}
	}
}

func checkBlocks(n, length int) error {
	if err := checkUnits(n); err != nil {
		return err
	}
	if length < 1 || length >= n {
		return fmt.Errorf("block length %d: want 1 to %d: %w", length, n-1, stats.ErrDomain)
	}
	return nil
}

func checkMeanLength(n int, mean float64) error {
	if !(mean >= 1 && mean <= float64(n)) {
		return fmt.Errorf("mean block length %v: want 1 to %d: %w", mean, n, stats.ErrDomain)
	}
	return nil
}
