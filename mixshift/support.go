package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Support says which cells both sides have, and what is lost elsewhere.
type Support struct {
	Common []bool  // by cell: both sides have it
	OnlyX  float64 // share of x in cells that are not common
	OnlyY  float64 // share of y in cells that are not common
}

// normalize returns weights as shares of their sum.
func normalize(name string, w []float64) ([]float64, error) {
	sum := 0.0
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("weight %v of %s in cell %d, want a finite number of 0 or more: %w", v, name, i, stats.ErrDomain)
		}
		sum += v
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil, fmt.Errorf("weights of %s sum to %v, want a finite number above 0: %w", name, sum, stats.ErrDomain)
	}
	share := make([]float64, len(w))
	for i, v := range w {
		share[i] = v / sum
	}
	return share, nil
}

// newSupport compares the shares of two sides.
func newSupport(sx, sy []float64) Support {
	s := Support{Common: make([]bool, len(sx))}
	for i := range sx {
		s.Common[i] = sx[i] > 0 && sy[i] > 0
	}
	return s.lost(sx, sy)
}

// lost fills in the shares of the cells that are not common.
func (s Support) lost(sx, sy []float64) Support {
	for i, common := range s.Common {
		if !common {
			s.OnlyX += sx[i]
			s.OnlyY += sy[i]
		}
	}
	return s
}

// restrict returns shares on the common cells, 0 elsewhere, summing to 1. Where
// every cell with weight is common the shares come back unchanged.
func (s Support) restrict(share []float64) ([]float64, error) {
	kept, lost := 0.0, false
	for i, v := range share {
		if s.Common[i] {
			kept += v
		} else if v > 0 {
			lost = true
		}
	}
	if !(kept > 0) {
		return nil, fmt.Errorf("no cell has weight on both sides, nothing can be compared like for like: %w", stats.ErrImpossible)
	}
	out := make([]float64, len(share))
	for i, v := range share {
		switch {
		case !s.Common[i]:
		case lost:
			out[i] = v / kept
		default:
			out[i] = v
		}
	}
	return out, nil
}
