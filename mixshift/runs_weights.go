package mixshift

// runOverlap compares the strata of two sides.
func runOverlap(countX, countY, sx, sy [][]float64) Overlap {
	o := Overlap{Cells: make([]CellOverlap, len(sx[0]))}
	o.Common = make([]bool, len(o.Cells))
	mx, my := averageShares(sx, dealt{}), averageShares(sy, dealt{})
	for h := range o.Cells {
		o.Common[h] = groupsWith(sx, h) >= min(2, len(sx)) && groupsWith(sy, h) >= min(2, len(sy))
		o.Cells[h] = CellOverlap{columnSum(countX, h), columnSum(countY, h), mx[h], my[h]}
		if o.Common[h] {
			o.N += o.Cells[h].Y
		}
	}
	o.Support = o.lost(mx, my)
	return o
}

// averageShares is the mean mix of the runs, some of which may be left out.
func averageShares(shares [][]float64, left dealt) []float64 {
	n := 0.0
	for r := range shares {
		if !left.has(r) {
			n++
		}
	}
	mean := make([]float64, len(shares[0]))
	for r, share := range shares {
		if left.has(r) {
			continue
		}
		for h, v := range share {
			mean[h] += v / n
		}
	}
	return mean
}

func columnSum(m [][]float64, h int) float64 {
	sum := 0.0
	for _, row := range m {
		sum += row[h]
	}
	return sum
}

// effectiveN is Kish's number of units when those of a run and stratum share
// its weight equally.
func effectiveN(weight, count [][]float64) float64 {
	sum, squares := 0.0, 0.0
	for r := range weight {
		for h, w := range weight[r] {
			if w > 0 {
				sum += w
				squares += w * w / count[r][h]
			}
		}
	}
	return sum * sum / squares
}

// spread gives stratum h the weight target[h] in all, divided over the runs in
// proportion to their shares.
func spread(shares [][]float64, left dealt, target []float64) [][]float64 {
	weight, all := make([][]float64, len(shares)), make([]float64, len(shares)*len(target))
	for r := range shares {
		weight[r], all = all[:len(target):len(target)], all[len(target):]
	}
	for h, t := range target {
		if t == 0 {
			continue
		}
		sum := 0.0
		for r, share := range shares {
			if !left.has(r) {
				sum += share[h]
			}
		}
		for r, share := range shares {
			if share[h] > 0 && !left.has(r) {
				weight[r][h] = t * (share[h] / sum)
			}
		}
	}
	return weight
}
