package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// TwoFold is the split of a difference of means or rates, in their unit.
// Total = Rate + Mix, to the last bit.
type TwoFold struct {
	MeanX, MeanY float64
	Total        float64
	Rate         float64 // change inside the cells both sides have
	Mix          float64 // change of the weights, and what only one side has
	OffSupport   float64 // the part of Mix from cells that only one side has
	CellRate     []float64
	CellMix      []float64 // sums to Mix; single terms depend on where the scale has its 0
	Support      Support
}

// Kitagawa splits the difference of two weighted means over cells: the rate
// part weighs changes inside cells by the average of both mixes, the mix part
// weighs changes of shares by the average of both rates. It favours neither
// side. weightX and weightY are counts or shares per cell, normalised here;
// rateX and rateY are the means of the cells.
//
// Special cases are: a cell with weight 0 on one side has no rate there (its
// entry is ignored, and may be NaN); it is left out of the rate part, and what
// it brings is OffSupport.
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrDomain for a
// weight that is negative or not finite, weights without a sum, or a rate that
// is not finite in a cell with weight, and stats.ErrImpossible if no cell is
// common. Source: Kitagawa 1955, JASA 50:1168.
func Kitagawa(weightX, weightY, rateX, rateY []float64) (TwoFold, error) {
	return twoFold("kitagawa", weightX, weightY, rateX, rateY, 0.5)
}

// LikeForLike splits as [Kitagawa] does with the mix of x held fixed: the rate
// part is what the change would have been at the mix of x, the mix part takes
// the shift of weight at the rates of y. Its rate part is the one that
// reweighting y to the mix of x gives. Special cases and errors: see
// [Kitagawa].
func LikeForLike(weightX, weightY, rateX, rateY []float64) (TwoFold, error) {
	return twoFold("like for like", weightX, weightY, rateX, rateY, 0)
}

// twoFold gives the share of y the weight lean in the rate part, and the rate
// of x the same weight in the mix part.
func twoFold(name string, weightX, weightY, rateX, rateY []float64, lean float64) (TwoFold, error) {
	in, err := newCells(weightX, weightY, rateX, rateY)
	if err != nil {
		return TwoFold{}, fmt.Errorf("%s: %w", name, err)
	}
	t := in.split()
	for i := range in.sx {
		if !in.support.Common[i] {
			continue
		}
		dr, ds := in.ry[i]-in.rx[i], in.cy[i]-in.cx[i]
		t.CellRate[i] = dr * ((1-lean)*in.cx[i] + lean*in.cy[i])
		t.CellMix[i] = ds * (lean*in.rx[i] + (1-lean)*in.ry[i])
	}
	for i := range in.sx {
		t.Rate += t.CellRate[i]
		t.Mix += t.CellMix[i]
	}
	t.Total = t.Rate + t.Mix
	if err := stats.CheckFinite([]float64{t.Rate, t.Mix, t.Total, t.MeanX, t.MeanY}); err != nil {
		return TwoFold{}, fmt.Errorf("%s: the parts overflow: %w", name, err)
	}
	return t, nil
}

// ThreeFold is the split with an interaction, x as the reference.
// Total = Mix + Rate + Interaction, to the last bit.
type ThreeFold struct {
	Total       float64
	Mix         float64 // change of the weights at the rates of x, and what only one side has
	Rate        float64 // change inside cells at the weights of x
	Interaction float64 // changes of both together
	OffSupport  float64 // the part of Mix from cells that only one side has
	Support     Support
}

// Threefold splits the difference of two weighted means with x as the
// reference and the joint change apart. Special cases and errors: see
// [Kitagawa].
func Threefold(weightX, weightY, rateX, rateY []float64) (ThreeFold, error) {
	in, err := newCells(weightX, weightY, rateX, rateY)
	if err != nil {
		return ThreeFold{}, fmt.Errorf("threefold: %w", err)
	}
	two := in.split()
	t := ThreeFold{Mix: two.OffSupport, OffSupport: two.OffSupport, Support: in.support}
	for i := range in.sx {
		if !in.support.Common[i] {
			continue
		}
		dr, ds := in.ry[i]-in.rx[i], in.cy[i]-in.cx[i]
		t.Mix += ds * in.rx[i]
		t.Rate += dr * in.cx[i]
		t.Interaction += dr * ds
	}
	t.Total = t.Mix + t.Rate + t.Interaction
	if err := stats.CheckFinite([]float64{t.Total}); err != nil {
		return ThreeFold{}, fmt.Errorf("threefold: the parts overflow: %w", err)
	}
	return t, nil
}

// cells is the checked input of a split over cells.
type cells struct {
	sx, sy  []float64 // shares
	cx, cy  []float64 // shares among the common cells
	rx, ry  []float64
	support Support
}

func newCells(weightX, weightY, rateX, rateY []float64) (cells, error) {
	n := len(weightX)
	if len(weightY) != n || len(rateX) != n || len(rateY) != n {
		return cells{}, fmt.Errorf("%d and %d weights, %d and %d rates: %w", n, len(weightY), len(rateX), len(rateY), stats.ErrMismatch)
	}
	c := cells{rx: rateX, ry: rateY}
	var err error
	if c.sx, err = normalize("x", weightX); err != nil {
		return cells{}, err
	}
	if c.sy, err = normalize("y", weightY); err != nil {
		return cells{}, err
	}
	for i := range n {
		if c.sx[i] > 0 && !finite(rateX[i]) || c.sy[i] > 0 && !finite(rateY[i]) {
			return cells{}, fmt.Errorf("rates %v and %v of cell %d, want finite numbers where there is weight: %w", rateX[i], rateY[i], i, stats.ErrDomain)
		}
	}
	c.support = newSupport(c.sx, c.sy)
	if c.cx, err = c.support.restrict(c.sx); err != nil {
		return cells{}, err
	}
	if c.cy, err = c.support.restrict(c.sy); err != nil {
		return cells{}, err
	}
	return c, nil
}

// split fills in the means and what the cells of one side bring: the distance
// of each from the mean of the common cells of its side.
func (c cells) split() TwoFold {
	n := len(c.sx)
	t := TwoFold{CellRate: make([]float64, n), CellMix: make([]float64, n), Support: c.support}
	commonX, commonY := weightedMean(c.cx, c.rx), weightedMean(c.cy, c.ry)
	t.MeanX, t.MeanY = weightedMean(c.sx, c.rx), weightedMean(c.sy, c.ry)
	for i := range n {
		switch {
		case c.support.Common[i]:
		case c.sx[i] > 0:
			t.CellMix[i] = -c.sx[i] * (c.rx[i] - commonX)
		case c.sy[i] > 0:
			t.CellMix[i] = c.sy[i] * (c.ry[i] - commonY)
		}
		t.OffSupport += t.CellMix[i]
	}
	return t
}

// weightedMean skips cells without weight, whose value may be NaN.
func weightedMean(share, v []float64) float64 {
	m := 0.0
	for i, s := range share {
		if s > 0 {
			m += s * v[i]
		}
	}
	return m
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
