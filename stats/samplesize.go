package stats

import (
	"fmt"
	"math"
)

// SampleSize is the answer to "how many": always a whole number, rounded up.
type SampleSize struct {
	// N is the smallest whole number of units that reaches the power: per side
	// for two samples, pairs for a paired design.
	N int
	// Exact is the number before rounding up. Where the method is exact only
	// for whole numbers, Exact equals N.
	Exact float64
	// Power is the power at N by the same method.
	Power float64
	// Method is the name of the method.
	Method string
	// Warnings qualify the answer.
	Warnings []Warning
}

// largestN bounds every search for a sample size. A request that needs more is
// answered by ErrImpossible.
const largestN = 1_000_000_000

// solveSize finds the smallest size of at least least whose power reaches the
// target, for a power that increases in n and is defined for real n.
func solveSize(method string, least int, target float64, power func(n float64) float64) (SampleSize, error) {
	lo, hi := float64(least), float64(least)
	for power(hi) < target {
		lo = hi
		hi *= 2
		if hi > largestN {
			return SampleSize{}, fmt.Errorf("power %v needs more than %d units: %w", target, largestN, ErrImpossible)
		}
	}
	for hi-lo > 1e-10*hi {
		mid := (lo + hi) / 2
		if power(mid) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	n := int(math.Ceil(hi))
	// hi sits within rounding above the root; do not pay a whole unit for it.
	if below := math.Floor(hi); below >= float64(least) && power(below) >= target {
		n = int(below)
	}
	return SampleSize{N: n, Exact: hi, Power: power(float64(n)), Method: method}, nil
}

// solveWhole finds the smallest whole size of at least least whose power
// reaches the target, for a power that increases in n. It gives up beyond most.
func solveWhole(least, most int, target float64, power func(n int) float64) (int, bool) {
	lo, hi := least-1, least
	for power(hi) < target {
		if hi >= most {
			return 0, false
		}
		lo = hi
		hi = min(2*hi, most)
	}
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if power(mid) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, true
}

// roundUp turns a closed-form size into a SampleSize of at least least units.
func roundUp(method string, exact float64, least int, power func(n float64) float64) (SampleSize, error) {
	if exact > largestN {
		return SampleSize{}, fmt.Errorf("about %.3g units are needed, more than %d: %w", exact, largestN, ErrImpossible)
	}
	// A result within 1e-9 of a whole number is that number.
	n := max(least, int(math.Ceil(exact*(1-1e-12)-1e-9)))
	return SampleSize{N: n, Exact: exact, Power: power(float64(n)), Method: method}, nil
}
