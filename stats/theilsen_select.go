package stats

import "slices"

// orderStatistics returns the values at the ascending indices ranks, from 0, of the
// sorted values, without sorting them all. It reorders values.
func orderStatistics(values []float64, ranks ...int) []float64 {
	out := make([]float64, len(ranks))
	from := 0
	for i, k := range ranks {
		selectRank(values[from:], k-from)
		out[i] = values[k]
		from = k // everything before is no larger
	}
	return out
}

// selectRank moves the k-th smallest value, from 0, to index k, with none larger
// before it and none smaller after it: quickselect with the median of three, and a
// sort where the pivots turn out badly.
func selectRank(v []float64, k int) {
	lo, hi := 0, len(v)-1
	for budget := 64; lo < hi; budget-- {
		if hi-lo < 32 || budget == 0 {
			slices.Sort(v[lo : hi+1])
			return
		}
		pivot := medianOfThree(v[lo], v[lo+(hi-lo)/2], v[hi])
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return // between the parts every value equals the pivot
		}
	}
}

func medianOfThree(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
