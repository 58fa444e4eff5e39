package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// ZeroBin is the bin of the length 0, which has no logarithm.
const ZeroBin = math.MinInt32

// LogBin returns the bin of a length on a logarithmic scale: bin b holds
// lengths from 2^(b/perOctave) up to, not including, 2^((b+1)/perOctave).
//
// Special cases are: [ZeroBin] for 0. It returns stats.ErrDomain for a length
// that is negative or not finite and for perOctave outside 1 to 64.
func LogBin(length float64, perOctave int) (int, error) {
	if !(length >= 0) || math.IsInf(length, 1) {
		return 0, fmt.Errorf("length %v, want a finite number of 0 or more: %w", length, stats.ErrDomain)
	}
	if perOctave < 1 || perOctave > 64 {
		return 0, fmt.Errorf("strata: %d per octave, want 1 to 64: %w", perOctave, stats.ErrDomain)
	}
	if length == 0 {
		return ZeroBin, nil
	}
	b := int(math.Floor(math.Log2(length) * float64(perOctave)))
	for length < BinEdge(b, perOctave) { // the edges decide, not the logarithm
		b--
	}
	for length >= BinEdge(b+1, perOctave) {
		b++
	}
	return b, nil
}

// BinEdge returns the lower edge of a bin of [LogBin]; 0 for [ZeroBin].
func BinEdge(bin, perOctave int) float64 {
	if bin == ZeroBin {
		return 0
	}
	whole := bin / perOctave
	rest := bin % perOctave
	return math.Ldexp(math.Exp2(float64(rest)/float64(perOctave)), whole)
}

// BinCount is the number of units of either side in a bin of [LogBin].
type BinCount struct {
	Bin  int
	X, Y float64
}
