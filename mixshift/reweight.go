package mixshift

import (
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Reweighting gives sample y the cell mix of sample x.
type Reweighting struct {
	Overlap
	Codes  []int     // code of each cell of Overlap, ascending
	Weight []float64 // by unit of y: share in x over share in y, on the common cells; 0 elsewhere

	indexX, indexY []int // cell of each unit
}

// Reweight returns the weights that give y the mix of x over cells, of which
// cellX and cellY hold any integer codes. On the common support the weights
// average 1.
//
// It returns stats.ErrTooFew for an empty sample and stats.ErrImpossible if no
// cell is common. Source: DiNardo, Fortin and Lemieux 1996, Econometrica
// 64:1001, with cells in the place of a logit.
func Reweight(cellX, cellY []int) (Reweighting, error) {
	if len(cellX) == 0 || len(cellY) == 0 {
		return Reweighting{}, fmt.Errorf("reweight: %d and %d units, want 1 or more: %w", len(cellX), len(cellY), stats.ErrTooFew)
	}
	r := Reweighting{Codes: slices.Concat(cellX, cellY)}
	slices.Sort(r.Codes)
	r.Codes = slices.Clip(slices.Compact(r.Codes))
	r.indexX, r.indexY = cellIndex(r.Codes, cellX), cellIndex(r.Codes, cellY)
	r.Cells = make([]CellOverlap, len(r.Codes))
	for _, c := range r.indexX {
		r.Cells[c].X++
	}
	for _, c := range r.indexY {
		r.Cells[c].Y++
	}
	sx, sy := make([]float64, len(r.Codes)), make([]float64, len(r.Codes))
	for c := range r.Cells {
		sx[c], sy[c] = r.Cells[c].X/float64(len(cellX)), r.Cells[c].Y/float64(len(cellY))
		r.Cells[c].ShareX, r.Cells[c].ShareY = sx[c], sy[c]
	}
	r.Support = newSupport(sx, sy)
	target, err := r.restrict(sx)
	if err != nil {
		return Reweighting{}, fmt.Errorf("reweight: %w", err)
	}
	own, err := r.restrict(sy)
	if err != nil {
		return Reweighting{}, fmt.Errorf("reweight: %w", err)
	}
	r.Weight = make([]float64, len(cellY))
	sum, squares := 0.0, 0.0
	for i, c := range r.indexY {
		if r.Common[c] {
			w := target[c] / own[c]
			r.Weight[i] = w
			r.N++
			sum += w
			squares += w * w
		}
	}
	r.EffectiveN = sum * sum / squares
	return r, nil
}

// cellIndex returns the position of each code in codes.
func cellIndex(codes, cell []int) []int {
	index := make([]int, len(cell))
	for i, c := range cell {
		index[i], _ = slices.BinarySearch(codes, c)
	}
	return index
}
