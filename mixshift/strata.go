package mixshift

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// StrataOptions chooses how a length is cut into strata.
type StrataOptions struct {
	// PerOctave is the number of strata to a factor of two, before thin ones
	// are merged.
	PerOctave int
	// MinCount is the number of units below which, on either side, a stratum
	// is thin.
	MinCount float64
	// MaxOctaves is the widest that merging may make a stratum, in factors of
	// two: inside a wide stratum the mix would shift again.
	MaxOctaves float64
}

// DefaultStrataOptions returns two strata to an octave, thin below 20 units,
// merged up to one octave.
func DefaultStrataOptions() StrataOptions {
	return StrataOptions{PerOctave: 2, MinCount: 20, MaxOctaves: 1}
}

// Validate returns stats.ErrDomain for an option out of range.
func (o StrataOptions) Validate() error {
	switch {
	case o.PerOctave < 1 || o.PerOctave > 64:
		return fmt.Errorf("strata: %d per octave, want 1 to 64: %w", o.PerOctave, stats.ErrDomain)
	case !(o.MinCount >= 0) || math.IsInf(o.MinCount, 1):
		return fmt.Errorf("strata: minimum count %v, want a finite number of 0 or more: %w", o.MinCount, stats.ErrDomain)
	case !(o.MaxOctaves > 0) || math.IsInf(o.MaxOctaves, 1):
		return fmt.Errorf("strata: widest stratum of %v octaves, want a finite number above 0: %w", o.MaxOctaves, stats.ErrDomain)
	}
	return nil
}

// Stratum is a range of lengths, Lo included and Hi not; the stratum of the
// length 0 has both at 0.
type Stratum struct {
	Lo, Hi float64
	X, Y   float64 // units
	Thin   bool    // fewer than MinCount on a side, and no neighbour to merge with

	first, last int // bins
}

// Supported reports whether both sides have units in the stratum.
func (s Stratum) Supported() bool { return s.X > 0 && s.Y > 0 }

// Strata is a partition of lengths into strata, ascending. Lengths between
// strata belong to none: neither side had any.
type Strata struct {
	Cells     []Stratum
	PerOctave int
	Support   Support
}

// NewStrata cuts lengths into strata from the counts of their bins. Thin strata
// merge with the thinner of their neighbours, the thinnest first, as long as
// the result is not wider than MaxOctaves; what stays thin is marked. A stratum
// that one side lacks after that is off the support: it is to be left out of a
// like-for-like comparison on both sides, and its share reported. The stratum
// of the length 0 never merges.
//
// It returns stats.ErrTooFew if a side has no units and stats.ErrDomain for an
// option out of range, a count that is negative or not finite, or a bin that
// occurs twice.
func NewStrata(bins []BinCount, o StrataOptions) (Strata, error) {
	if err := o.Validate(); err != nil {
		return Strata{}, err
	}
	s := Strata{PerOctave: o.PerOctave}
	x, y := 0.0, 0.0
	for _, b := range bins {
		if !(b.X >= 0 && b.Y >= 0) || math.IsInf(b.X+b.Y, 1) {
			return Strata{}, fmt.Errorf("strata: counts %v and %v of bin %d, want finite numbers of 0 or more: %w", b.X, b.Y, b.Bin, stats.ErrDomain)
		}
		x, y = x+b.X, y+b.Y
		if b.X+b.Y > 0 {
			s.Cells = append(s.Cells, Stratum{X: b.X, Y: b.Y, first: b.Bin, last: b.Bin})
		}
	}
	if !(x > 0 && y > 0) {
		return Strata{}, fmt.Errorf("strata: %v units of x and %v of y, want some of both: %w", x, y, stats.ErrTooFew)
	}
	slices.SortFunc(s.Cells, func(a, b Stratum) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(s.Cells); i++ {
		if s.Cells[i].first == s.Cells[i-1].first {
			return Strata{}, fmt.Errorf("strata: bin %d occurs twice: %w", s.Cells[i].first, stats.ErrDomain)
		}
	}
	s.Cells = mergeThin(s.Cells, o)
	sx, sy := make([]float64, len(s.Cells)), make([]float64, len(s.Cells))
	for i := range s.Cells {
		c := &s.Cells[i]
		c.Lo = BinEdge(c.first, o.PerOctave)
		if c.first != ZeroBin {
			c.Hi = BinEdge(c.last+1, o.PerOctave)
		}
		c.Thin = c.thinness() < o.MinCount
		sx[i], sy[i] = c.X/x, c.Y/y
	}
	s.Support = newSupport(sx, sy)
	return s, nil
}

// StrataOf cuts the lengths of two samples into strata; see [NewStrata]. It
// returns stats.ErrDomain also for a length that is negative or not finite.
func StrataOf(x, y []float64, o StrataOptions) (Strata, error) {
	if err := o.Validate(); err != nil {
		return Strata{}, err
	}
	at := make(map[int]int)
	var bins []BinCount
	for side, lengths := range [][]float64{x, y} {
		for _, v := range lengths {
			b, err := LogBin(v, o.PerOctave)
			if err != nil {
				return Strata{}, err
			}
			i, ok := at[b]
			if !ok {
				i = len(bins)
				at[b] = i
				bins = append(bins, BinCount{Bin: b})
			}
			if side == 0 {
				bins[i].X++
			} else {
				bins[i].Y++
			}
		}
	}
	return NewStrata(bins, o)
}

// Cell returns the stratum of a bin, and whether there is one.
func (s Strata) Cell(bin int) (int, bool) {
	i, _ := slices.BinarySearchFunc(s.Cells, bin, func(c Stratum, b int) int { return cmp.Compare(c.last, b) })
	return i, i < len(s.Cells) && s.Cells[i].first <= bin
}

// Find returns the stratum of a length, and whether there is one.
func (s Strata) Find(length float64) (int, bool) {
	b, err := LogBin(length, s.PerOctave)
	if err != nil {
		return 0, false
	}
	return s.Cell(b)
}

// thinness is the number of units on the side that has fewer.
func (s Stratum) thinness() float64 { return math.Min(s.X, s.Y) }
