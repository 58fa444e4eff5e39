package bootstrap

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Halves are ways to put units into two groups of the same size.
type Halves struct {
	// Splits names the units of the first and of the second group, from 0, each
	// in order. Every split occurs in both directions.
	Splits [][2][]int
	// All tells that these are all there are, rather than a sample.
	All bool
}

// NewHalves returns ways to choose two disjoint groups of size of n units: all
// n!/(size!² (n−2·size)!) of them where they are at most most, in a fixed order,
// else most of them drawn from seed, each followed by its mirror image. Split i
// of a sample depends on the seed and i alone.
//
// A test of exchangeable units has the same answer in distribution for each of
// them, so that the share of splits it rejects estimates its error rate. The
// splits are not independent.
//
// Errors: stats.ErrTooFew for size < 1 or n < 2·size, stats.ErrDomain for
// most < 2.
func NewHalves(n, size, most int, seed uint64) (Halves, error) {
	if size < 1 || n < 2*size {
		return Halves{}, fmt.Errorf("two groups of %d out of %d units: want at least 1 each and as many units as they hold: %w", size, n, stats.ErrTooFew)
	}
	if most < 2 {
		return Halves{}, fmt.Errorf("at most %d splits: want at least 2: %w", most, stats.ErrDomain)
	}
	if countHalves(n, size) <= float64(most) {
		return Halves{Splits: allHalves(n, size), All: true}, nil
	}
	h := Halves{}
	order := make([]int, n)
	for r := range uint64(most / 2) {
		rng := Stream(seed, r)
		for i := range order {
			order[i] = i
		}
		for i := range 2 * size { // the beginning of a Fisher–Yates shuffle
			j := i + rng.IntN(n-i)
			order[i], order[j] = order[j], order[i]
		}
		x, y := slices.Clone(order[:size]), slices.Clone(order[size:2*size])
		slices.Sort(x)
		slices.Sort(y)
		h.Splits = append(h.Splits, [2][]int{x, y}, [2][]int{y, x})
	}
	return h, nil
}

// countHalves is the number of ways, within rounding; +Inf beyond float64.
func countHalves(n, size int) float64 {
	ways := 1.0
	for i := range size {
		ways *= float64(n-i) / float64(i+1)
	}
	for i := range size {
		ways *= float64(n-size-i) / float64(i+1)
	}
	return math.Round(ways)
}

func allHalves(n, size int) (out [][2][]int) {
	forEachSplit(n, size, func(in []bool) {
		var x, rest []int
		for i, first := range in {
			if first {
				x = append(x, i)
			} else {
				rest = append(rest, i)
			}
		}
		forEachSplit(len(rest), size, func(in []bool) {
			var y []int
			for i, second := range in {
				if second {
					y = append(y, rest[i])
				}
			}
			out = append(out, [2][]int{x, y})
		})
	})
	return out
}
