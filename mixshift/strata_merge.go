package mixshift

import "slices"

// mergeThin merges thin strata, the thinnest first, until none can.
func mergeThin(cells []Stratum, o StrataOptions) []Stratum {
	stuck := make(map[int]bool) // first bins of strata without a neighbour to merge with
	for {
		at := -1
		for i, c := range cells {
			if c.thinness() < o.MinCount && !stuck[c.first] && (at < 0 || c.thinness() < cells[at].thinness()) {
				at = i
			}
		}
		if at < 0 {
			return cells
		}
		with := -1
		for _, j := range []int{at - 1, at + 1} {
			if j >= 0 && j < len(cells) && mergeable(cells[min(at, j)], cells[max(at, j)], o) && (with < 0 || cells[j].thinness() < cells[with].thinness()) {
				with = j
			}
		}
		if with < 0 {
			stuck[cells[at].first] = true
			continue
		}
		lo, hi := min(at, with), max(at, with)
		cells[lo].X += cells[hi].X
		cells[lo].Y += cells[hi].Y
		cells[lo].last = cells[hi].last
		cells = slices.Delete(cells, hi, hi+1)
	}
}

// mergeable reports whether two neighbours may become one stratum.
func mergeable(a, b Stratum, o StrataOptions) bool {
	if a.first == ZeroBin {
		return false
	}
	width := float64(b.last-a.first+1) / float64(o.PerOctave)
	return width <= o.MaxOctaves
}
